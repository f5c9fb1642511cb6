"""Accounts for a class: ``accounts.py students.txt``, or ``accounts.py --reset ana``.

The file has a name on each line. Who has an account already keeps it, and the password; new names
get both, and a line in the file of first passwords, which only root can read.
"""

import argparse
import os
import pwd
import re
import secrets
import subprocess
import sys
from pathlib import Path

import bcrypt
from jupyterhub import orm
from nativeauthenticator.orm import UserInfo

HUB = Path(os.environ["COURSE_DATA"], "hub")
ALLOWED = re.compile(r"[a-z][a-z0-9_-]{0,30}")


def system_account(name: str) -> None:
    """A home that only its owner can read."""
    try:
        account = pwd.getpwnam(name)
    except KeyError:
        subprocess.run(["useradd", "--create-home", "--shell", "/bin/bash", name], check=True)
        account = pwd.getpwnam(name)
    if account.pw_uid < 1000:
        sys.exit(f"{name} is an account of the system, and not a person's. Choose another name.")
    os.chmod(account.pw_dir, 0o700)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", type=Path, nargs="?", help="a file with a name on each line")
    parser.add_argument("--reset", metavar="NAME", help="a new password for this name")
    arguments = parser.parse_args()
    names = os.environ["COURSE_TEACHERS"].split()
    if arguments.names:
        lines = arguments.names.read_text(encoding="utf-8").splitlines()
        names += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if arguments.reset:
        names = [arguments.reset]
    if wrong := [name for name in names if not ALLOWED.fullmatch(name)]:
        sys.exit(f"Names are small letters, digits, - and _, a letter first; not so: {wrong}")
    database = orm.new_session_factory(f"sqlite:///{HUB}/jupyterhub.sqlite")()
    new = {}
    for name in names:
        system_account(name)
        entry = UserInfo.find(database, name)
        if entry is None or arguments.reset:
            new[name] = secrets.token_urlsafe(9)
            entry = entry or UserInfo(username=name, is_authorized=True)
            entry.password = bcrypt.hashpw(new[name].encode(), bcrypt.gensalt())
            database.add(entry)
    database.commit()
    os.umask(0o077)
    with open(HUB / "passwords.csv", "a", encoding="utf-8") as file:
        file.writelines(f"{name},{password}\n" for name, password in new.items())
    print(f"{len(new)} new passwords of {len(names)}, in {HUB / 'passwords.csv'}")


if __name__ == "__main__":
    main()
