"""Create passwords for a class: ``accounts.py NAME...``, or ``accounts.py --reset NAME``.

Existing passwords do not change. Each new user receives a password, which is written to a file that
only root can read. Users who are no longer listed cannot log in until they are listed again.
"""

import logging
import os
import secrets
import sys
from pathlib import Path

import bcrypt
from jupyterhub import orm
from nativeauthenticator.orm import UserInfo

HUB = Path(os.environ["COURSE_DATA"], "hub")
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # without letters and digits that look similar


def new_password(entry: UserInfo) -> str:
    password = "".join(secrets.choice(LETTERS) for _ in range(12))
    entry.password = bcrypt.hashpw(password.encode(), bcrypt.gensalt())
    with open(HUB / "passwords.csv", "a", encoding="utf-8") as file:
        file.write(f"{entry.username},{password}\n")
    return password


def main() -> None:
    os.umask(0o077)
    logging.disable(logging.INFO)  # suppresses messages about the creation of the database
    database = orm.new_session_factory(f"sqlite:///{HUB}/jupyterhub.sqlite")()
    known = {entry.username: entry for entry in database.query(UserInfo)}
    match sys.argv[1:]:
        case ["--reset", name]:
            if name not in known:
                sys.exit(f"NAME must be an existing account; got {name!r}.")
            print(name, new_password(known[name]))
        case names:
            for name in dict.fromkeys(names):
                if name not in known:
                    known[name] = UserInfo(username=name)
                    new_password(known[name])
                    database.add_all([known[name], orm.User(name=name)])
                    database.commit()
            for name, entry in known.items():
                if entry.is_authorized and name not in names:
                    print(f"{name} is not in the list, and cannot log in any more.")
                entry.is_authorized = name in names
            print(f"{len(set(names))} can log in. Passwords are in {HUB / 'passwords.csv'}.")
    database.commit()


if __name__ == "__main__":
    main()
