"""A local hub, and learners who use it like a browser.

The hub needs root permissions for creating accounts. The names of its accounts and folders begin
with PREFIX. All processes, accounts and folders are removed at the end.
"""

from __future__ import annotations

import contextlib
import csv
import os
import pwd
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from .extras import missing as missing_extra

try:
    import aiohttp
except ImportError:  # installed with JupyterHub
    aiohttp = None

REPOSITORY = Path(__file__).resolve().parents[2]
DEPLOY = REPOSITORY / "classroom" / "hub"
PREFIX = f"pe{os.getpid()}-"
TEACHER, GRADER = f"{PREFIX}teacher", f"{PREFIX}grader"
PYTHON = Path("/usr/bin/python3")


def missing() -> str | None:
    """Return the reason why a hub cannot be started on this machine, or None."""
    if aiohttp is None:
        return missing_extra("JupyterHub", "hub")
    if os.geteuid() != 0:
        return "A hub makes accounts: only root can start one."
    for program in ("apt-get", "useradd", "runuser", "prlimit", "git"):
        if shutil.which(program) is None:
            return f"There is no {program} here: the hub is for Debian and Ubuntu."
    if not (REPOSITORY / ".git").exists():
        return "The setup takes the course from git, and this is no clone of it."
    version = "import sys; sys.exit(sys.version_info < (3, 11))"
    if not PYTHON.exists() or subprocess.run([PYTHON, "-c", version], check=False).returncode:
        return f"{PYTHON}, which other accounts can reach, is no Python 3.11 or newer."
    return None


@dataclass
class Hub:
    """A class server set up by ``classroom/hub``, with processes for the proxy and the hub."""

    folder: Path
    software: Path
    port: int
    inside: int
    processes: dict[str, subprocess.Popen] = field(default_factory=dict)
    passwords: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def environment(self) -> dict[str, str]:
        # Let pip compile the code: learners' servers cannot write there and would recompile it.
        ours = ("PYTHON", "JUPYTER", "VIRTUAL_ENV", "COURSE_", "PIP_COMPILE")
        return {
            **{name: os.environ[name] for name in os.environ if not name.startswith(ours)},
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "COURSE_SETTINGS": str(self.folder / "settings"),
            # When run as root, git rejects a checkout that another user owns.
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": str(REPOSITORY),
        }

    def set_up(self, students: list[str], **settings: str) -> str:
        """Run setup.sh with these settings and return its output."""
        changes = {
            "COURSE_PORT": str(self.port),
            "COURSE_INSIDE": str(self.inside),
            "COURSE_SOFTWARE": str(self.software),
            "COURSE_DATA": str(self.data),
            "COURSE_TEACHERS": TEACHER,
            "COURSE_GRADER": GRADER,
            "COURSE_PYTHON": str(PYTHON),
            **settings,
        }
        lines = [f'{name}="{value}"\n' for name, value in changes.items()]  # the last value counts
        given = (DEPLOY / "settings").read_text("utf-8")
        (self.folder / "settings").write_text(given + "".join(lines), "utf-8")
        names = self.folder / "students.txt"
        names.write_text("\n".join(students) + "\n", encoding="utf-8")
        run = self.run_set_up(names)
        if run.returncode != 0:
            raise RuntimeError(f"setup.sh: {run.stdout[-2000:]}{run.stderr[-2000:]}")
        with open(self.data / "hub" / "passwords.csv", encoding="utf-8", newline="") as file:
            self.passwords = dict(csv.reader(file))
        return run.stdout

    def run_set_up(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return self.run_as_root([DEPLOY / "setup.sh", *arguments])

    def start(self, service: str) -> None:
        command = [self.software / "hub" / "start", service]
        with open(self.folder / f"{service}.log", "ab") as log:
            apart = {"stdout": log, "stderr": log, "start_new_session": True}
            self.processes[service] = subprocess.Popen(command, env=self.environment, **apart)
        port = self.port if service == "proxy" else self.inside + 1
        for _ in range(600):
            if self.processes[service].poll() is not None:
                log = (self.folder / f"{service}.log").read_text("utf-8")[-2000:]
                raise RuntimeError(f"The {service} ended: {log}")
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            time.sleep(0.1)
        raise TimeoutError(f"The {service} does not answer on port {port}.")

    def stop(self, service: str) -> None:
        """Stop the hub like a service, without stopping learners' servers."""
        process = self.processes.pop(service)
        children = psutil.Process(process.pid).children(recursive=True)
        of_root = [child for child in children if child.uids().real == 0]
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for child in of_root:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()

    def grade(self, lab: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run_as_root([self.software / "hub" / "course-grade", lab, *arguments])

    def run_as_root(self, command: list[object]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=900, cwd="/"
        )

    def run_as(self, name: str, *command: object) -> subprocess.CompletedProcess[str]:
        """Run a command as a user."""
        home = pwd.getpwnam(name).pw_dir
        path = f"PATH={self.software}/venv/bin:/usr/bin:/bin"
        person = ["runuser", "-u", name, "--", "env", "-i", "-C", home, f"HOME={home}", path]
        return self.run_as_root([*person, *command])

    def release(self, lab: str) -> None:
        """Generate and release a lab, as a teacher does in formgrader."""
        for step in ("generate_assignment", "release_assignment"):
            run = self.run_as(GRADER, "nbgrader", step, lab, "--force")
            if run.returncode:
                raise RuntimeError(run.stderr[-2000:])


def a_postgresql() -> Iterator[str]:
    """Yield the URL of an empty PostgreSQL database, or an empty string if there is none."""
    # Debian installs each version in its own folder, none of which is on the path.
    found = [shutil.which("postgres"), *Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    program = next(filter(None, found), None)
    if program is None:
        yield ""
        return
    # PostgreSQL does not run as root, and other accounts cannot enter root's folders.
    account = "postgres" if "postgres" in {each.pw_name for each in pwd.getpwall()} else "nobody"
    port = _free_ports(range(19_400, 20_400))
    with tempfile.TemporaryDirectory(prefix="postgresql-", ignore_cleanup_errors=True) as folder:
        shutil.chown(folder, account)

        def pg_ctl(*arguments: str) -> None:
            command = [Path(program).with_name("pg_ctl"), f"--pgdata={folder}/data", *arguments]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            subprocess.run(command, user=account, cwd=folder, check=True, **quiet)

        options = "--username=teacher --auth=trust --encoding=UTF8 --locale=C --no-sync"
        pg_ctl("initdb", f"--options={options}")
        pg_ctl("start", "--wait", f"--options=-h 127.0.0.1 -p {port} -k '' -F")
        try:
            yield f"postgresql+psycopg://teacher@127.0.0.1:{port}/postgres"
        finally:
            pg_ctl("stop", "--mode=fast")  # do not wait until connections close


@contextlib.contextmanager
def a_hub(software: Path | None = None) -> Iterator[Hub]:
    """Yield a folder and a port for a hub, and remove its processes, accounts and files."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        # As in a class with a certificate, only root may open the public port.
        ports = _free_ports(range(800, 1000)), _free_ports(range(18_400, 19_400, 3))
        hub = Hub(folder, software or folder / "software", *ports)
        try:
            yield hub
        finally:
            for service in reversed(list(hub.processes)):
                hub.stop(service)
            accounts = [entry for entry in pwd.getpwall() if entry.pw_name.startswith(PREFIX)]
            for process in processes_of({entry.pw_uid for entry in accounts}):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            for name in (entry.pw_name for entry in accounts):
                subprocess.run(["userdel", "--remove", name], capture_output=True, check=False)
                shutil.rmtree(Path("/run/course", name), ignore_errors=True)
            with contextlib.suppress(OSError):
                Path("/run/course").rmdir()
            entry = ["safe.directory", f"^{hub.data}/"]
            subprocess.run(["git", "config", "--system", "--unset-all", *entry], check=False)


def processes_of(accounts: set[int]) -> list[psutil.Process]:
    every = psutil.process_iter(["uids"])
    return [each for each in every if each.info["uids"].real in accounts]


def _free_ports(beginnings: range) -> int:
    """Return a port that is followed by other free ports."""
    taken = {each.laddr.port for each in psutil.net_connections("tcp")}
    free = [port for port in beginnings if taken.isdisjoint(range(port, port + beginnings.step))]
    # Choose at random: two hubs on one machine would both find the first ports free.
    return random.choice(free)
