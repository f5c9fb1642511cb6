"""A PostgreSQL server of its own, on this machine only, for as long as a test needs one."""

import contextlib
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path


def find_server() -> Path | None:
    """The program ``postgres``; Debian keeps one for each version, none of them on the path."""
    if found := shutil.which("postgres"):
        return Path(found)
    versions = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    return max(versions, key=lambda path: int(path.parts[-3]), default=None)


@contextlib.contextmanager
def running(postgres: Path) -> Iterator[str]:
    """Who, where and what to connect to, ``user@host:port/database``; the database is empty."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # PostgreSQL refuses to run as root, who sets up a hub and whose folders are closed to others.
    names = {entry.pw_name for entry in pwd.getpwall()}
    account = "postgres" if "postgres" in names else "nobody"
    with tempfile.TemporaryDirectory(prefix="postgresql-", ignore_cleanup_errors=True) as folder:
        shutil.chown(folder, account)

        def pg_ctl(*arguments: str) -> None:
            command = [postgres.with_name("pg_ctl"), f"--pgdata={folder}/data", *arguments]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            subprocess.run(command, user=account, cwd=folder, check=True, **quiet)

        options = "--username=teacher --auth=trust --encoding=UTF8 --locale=C --no-sync"
        pg_ctl("initdb", f"--options={options}")
        pg_ctl("start", "--wait", f"--options=-h 127.0.0.1 -p {port} -k '' -F")
        try:
            yield f"teacher@127.0.0.1:{port}/postgres"
        finally:
            pg_ctl("stop", "--mode=fast")  # without waiting for connections
