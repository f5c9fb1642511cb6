"""A PostgreSQL server of its own, on this machine only, for as long as a test needs one."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
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
    # PostgreSQL refuses to run as root, and root's folders for tests are closed to others.
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    account = _another_account() if as_root else None
    with tempfile.TemporaryDirectory(prefix="postgresql-", ignore_cleanup_errors=True) as folder:
        if account is not None:
            shutil.chown(folder, account)
        own = {"user": account, "cwd": folder, "stdout": subprocess.DEVNULL}
        subprocess.run(
            [
                *(postgres.with_name("initdb"), f"--pgdata={folder}/data", "--username=teacher"),
                *("--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"),
            ],
            check=True,
            **own,
        )
        with subprocess.Popen(
            [postgres, "-D", f"{folder}/data", "-h", "127.0.0.1", "-p", str(port), "-k", "", "-F"],
            stderr=subprocess.DEVNULL,
            **own,
        ) as server:
            try:
                _wait_for(port)
                yield f"teacher@127.0.0.1:{port}/postgres"
            finally:
                server.send_signal(signal.SIGINT)  # ends it without waiting for connections


def _another_account() -> str:
    import pwd  # not on Windows

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def _wait_for(port: int) -> None:
    import psycopg

    for _ in range(300):
        try:
            psycopg.connect(f"host=127.0.0.1 port={port} user=teacher dbname=postgres").close()
            return
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise TimeoutError(f"PostgreSQL does not answer on port {port}.")
