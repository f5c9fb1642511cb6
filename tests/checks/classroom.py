"""A hub of its own, on this machine only, and learners who use it as a browser would.

It needs root, since a hub makes accounts. Everything it makes has names that begin with PREFIX, and
is gone when it ends: processes, accounts, folders.
"""

from __future__ import annotations

import asyncio
import contextlib
import csv
import json
import os
import pwd
import random
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil

try:
    import aiohttp
except ImportError:  # JupyterHub brings it
    aiohttp = None

REPOSITORY = Path(__file__).resolve().parents[2]
DEPLOY = REPOSITORY / "deploy" / "hub"
PREFIX = f"pe{os.getpid()}-"
TEACHER, GRADER = f"{PREFIX}teacher", f"{PREFIX}grader"
COURSE = "positional-encodings"
PYTHON = Path("/usr/bin/python3")


def missing() -> str | None:
    """Why no hub can be started here, or None."""
    if aiohttp is None:
        return 'JupyterHub is missing: python -m pip install -c constraints.txt -e ".[hub]"'
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
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
    """What ``deploy/hub`` sets up, with its proxy and its hub as processes."""

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
        ours = ("PYTHON", "JUPYTER", "VIRTUAL_ENV", "COURSE_")
        return {
            **{name: os.environ[name] for name in os.environ if not name.startswith(ours)},
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "COURSE_SETTINGS": str(self.folder / "settings"),
            # Where somebody else checked the course out, git says so to root and stops.
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": str(REPOSITORY),
        }

    def set_up(self, students: list[str], **settings: str) -> str:
        """Run setup.sh with these settings; what it said."""
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
        lines = (DEPLOY / "settings").read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if line.split("=")[0] not in changes]
        lines = kept + [f'{name}="{value}"' for name, value in changes.items()]
        (self.folder / "settings").write_text("\n".join(lines) + "\n", encoding="utf-8")
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
        with open(self.folder / f"{service}.log", "ab") as log:
            self.processes[service] = subprocess.Popen(
                [self.software / "hub" / "start", service],
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        port = self.port if service == "proxy" else self.inside + 1
        for _ in range(600):
            if self.processes[service].poll() is not None:
                log = (self.folder / f"{service}.log").read_text(encoding="utf-8")
                raise RuntimeError(f"The {service} ended: {log[-2000:]}")
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            time.sleep(0.1)
        raise TimeoutError(f"The {service} does not answer on port {port}.")

    def stop(self, service: str) -> None:
        """As a service is stopped: learners' servers, which the hub started, go on."""
        process = self.processes.pop(service)
        of_root = [
            child
            for child in psutil.Process(process.pid).children(recursive=True)
            if child.uids().real == 0
        ]
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
        """As a person with a terminal would run it."""
        home = pwd.getpwnam(name).pw_dir
        path = f"PATH={self.software}/venv/bin:/usr/bin:/bin"
        return self.run_as_root(
            ["runuser", "-u", name, "--", "env", "-i", "-C", home, f"HOME={home}", path, *command]
        )

    def release(self, lab: str) -> None:
        """What the teacher does in the formgrader before a lab: generate it, and release it."""
        for step in ("generate_assignment", "release_assignment"):
            run = self.run_as(GRADER, "nbgrader", step, lab, "--force")
            if run.returncode:
                raise RuntimeError(run.stderr[-2000:])


@contextlib.contextmanager
def a_hub(software: Path | None = None) -> Iterator[Hub]:
    """A folder and a port for a hub; in the end all of its processes, accounts and files go."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)
        # The public port is one that only root may open, as that of a class with a certificate is.
        ports = _free_ports(range(800, 1000)), _free_ports(range(18_400, 19_400, 3))
        hub = Hub(folder, software or folder / "software", *ports)
        try:
            yield hub
        finally:
            for service in reversed(list(hub.processes)):
                hub.stop(service)
            remove_accounts()
            entry = ["safe.directory", f"^{hub.data}/"]
            subprocess.run(["git", "config", "--system", "--unset-all", *entry], check=False)


def remove_accounts() -> None:
    """End whatever runs under the accounts of a class that was made here, and remove them."""
    accounts = [entry for entry in pwd.getpwall() if entry.pw_name.startswith(PREFIX)]
    for process in processes_of({entry.pw_uid for entry in accounts}):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    for entry in accounts:
        subprocess.run(["userdel", "--remove", entry.pw_name], capture_output=True, check=False)
        shutil.rmtree(Path("/run/course", entry.pw_name), ignore_errors=True)
    with contextlib.suppress(OSError):
        Path("/run/course").rmdir()


def processes_of(accounts: set[int]) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.uids().real in accounts:
                found.append(process)
    return found


def _free_ports(beginnings: range) -> int:
    """One of these ports, free like those up to the next one."""
    # By chance: of two classes on one machine, both would find the first ones free.
    for port in random.sample(beginnings, len(beginnings)):
        with contextlib.ExitStack() as stack:
            try:
                for offset in range(beginnings.step):
                    probe = stack.enter_context(socket.socket())
                    probe.bind(("127.0.0.1", port + offset))
            except OSError:
                continue
            return port
    raise OSError(f"There are no {beginnings.step} free ports in a row in {beginnings}.")


class Refused(Exception):
    """The server said no, with this status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text[:300]}")
        self.status = status
        self.text = text


class Learner:
    """Somebody with a browser: a session of cookies, and websockets."""

    def __init__(self, address: str, name: str, password: str) -> None:
        self.address, self.name, self.password = address, name, password
        self.base = f"/user/{name}"
        self.waiting_page = ""
        self.session = aiohttp.ClientSession(
            cookie_jar=aiohttp.CookieJar(unsafe=True), timeout=aiohttp.ClientTimeout(total=300)
        )

    async def __aenter__(self) -> Learner:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.session.close()

    def token(self, path: str) -> str:
        from yarl import URL

        cookies = self.session.cookie_jar.filter_cookies(URL(self.address + path))
        return cookies["_xsrf"].value if "_xsrf" in cookies else ""

    async def page(self, path: str) -> tuple[str, str]:
        """A page as text, and the path at which it was found after all redirections."""
        async with self.session.get(self.address + path) as answer:
            text = await answer.text()
            if answer.status >= 400:
                raise Refused(answer.status, text)
            return text, answer.url.path

    async def send(self, method: str, path: str, **content: object) -> object:
        """A request to a server that knows this browser; what it answers, as JSON."""
        headers = {"X-XSRFToken": self.token(path)}
        async with self.session.request(
            method, self.address + path, headers=headers, **content
        ) as answer:
            text = await answer.text()
            if answer.status >= 400:
                raise Refused(answer.status, text)
            return json.loads(text) if text else None

    async def log_in(self) -> None:
        await self.page("/hub/login")
        data = {"username": self.name, "password": self.password, "_xsrf": self.token("/hub/")}
        async with self.session.post(
            f"{self.address}/hub/login", data=data, allow_redirects=False
        ) as answer:
            if answer.status != 302:
                raise Refused(answer.status, await answer.text())

    async def start_server(self, patience: float = 300) -> None:
        """Ask for the server until it is there, as the page that waits does."""
        end = time.monotonic() + patience
        path = f"/hub/spawn/{self.name}"
        while time.monotonic() < end:
            try:
                _, where = await self.page(path)
            except Refused as refused:
                if refused.status != 429:
                    raise
                self.waiting_page = refused.text
                await asyncio.sleep(0.5)
                continue
            if where.startswith(self.base):
                return
            path = f"/hub/spawn-pending/{self.name}"
            await asyncio.sleep(0.5)
        raise TimeoutError(f"{self.name} has no server after {patience} seconds.")

    async def pull(self, repository: Path) -> None:
        """What the page of nbgitpuller does."""
        query = {"repo": f"file://{repository}", "branch": "main", "targetpath": COURSE}
        async with self.session.get(
            f"{self.address}{self.base}/git-pull/api", params=query
        ) as answer:
            async for line in answer.content:
                if line.startswith(b"data: "):
                    event = json.loads(line[6:])
                    if event["phase"] == "error":
                        raise Refused(500, str(event))
                    if event["phase"] == "finished":
                        return

    async def notebook(self, path: str) -> nbformat.NotebookNode:
        model = await self.send("GET", f"{self.base}/api/contents/{COURSE}/{path}")
        return nbformat.from_dict(model["content"])

    async def save(self, path: str, notebook: nbformat.NotebookNode) -> None:
        model = {"type": "notebook", "format": "json", "content": notebook}
        await self.send("PUT", f"{self.base}/api/contents/{COURSE}/{path}", json=model)

    @contextlib.asynccontextmanager
    async def kernel(self, folder: str) -> AsyncIterator[Kernel]:
        """A kernel in that folder of the course, and the websocket to it."""
        body = {"name": "python3", "path": f"{COURSE}/{folder}/any.ipynb"}
        model = await self.send("POST", f"{self.base}/api/kernels", json=body)
        path = f"{self.base}/api/kernels/{model['id']}"
        async with self.session.ws_connect(
            f"{self.address}{path}/channels", max_msg_size=0
        ) as socket:
            try:
                yield Kernel(model["id"], socket)
            finally:
                with contextlib.suppress(Refused, aiohttp.ClientError):
                    await self.send("DELETE", path)

    async def exchange(self, action: str, lab: str) -> object:
        """The buttons of the list of assignments: ``submit`` or ``fetch_feedback``."""
        data = {"assignment_id": lab, "course_id": COURSE}
        return await self.send("POST", f"{self.base}/assignments/{action}", data=data)


class Kernel:
    """A kernel at the other end of a websocket."""

    def __init__(self, id: str, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.id, self.socket = id, socket
        self.widgets: dict[str, dict[str, object]] = {}
        self.session = uuid.uuid4().hex

    async def run(self, code: str, timeout: float = 120) -> str:
        """Run a cell; all that it printed or showed as text, errors included."""
        return await self._ask("execute_request", {"code": code, "allow_stdin": False}, timeout)

    async def set_widget(self, model: str, **state: object) -> None:
        """Move a control, and wait until everything that follows from it has arrived."""
        data = {"method": "update", "state": state, "buffer_paths": []}
        await self._ask("comm_msg", {"comm_id": model, "data": data}, 60)

    async def _ask(self, kind: str, content: dict[str, object], timeout: float) -> str:
        header = {
            "msg_id": uuid.uuid4().hex,
            "msg_type": kind,
            "session": self.session,
            "username": "",
            "version": "5.4",
        }
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
        await self.socket.send_json({**message, "channel": "shell", "buffers": []})
        said, waits = [], {"idle"} | ({"execute_reply"} if kind == "execute_request" else set())
        async with asyncio.timeout(timeout):
            while waits:
                frame = await self.socket.receive()
                if frame.type not in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
                    raise ConnectionError(f"The websocket to the kernel ended: {frame.type.name}")
                answer = _decoded(frame)
                kind, content = answer["header"]["msg_type"], answer["content"]
                if kind == "comm_open":
                    self.widgets[content["comm_id"]] = content["data"].get("state", {})
                if answer["parent_header"].get("msg_id") != header["msg_id"]:
                    if kind == "status" and content["execution_state"] == "restarting":
                        raise ConnectionError("The kernel ended, and a new one was started.")
                    continue
                if kind == "status" and content["execution_state"] == "idle":
                    waits.discard("idle")
                elif kind == "execute_reply":
                    waits.discard("execute_reply")
                elif kind == "stream":
                    said.append(content["text"])
                elif kind in ("display_data", "execute_result"):
                    said.append(content["data"].get("text/plain", ""))
                elif kind == "error":
                    said.append(f"{content['ename']}: {content['evalue']}")
        return "\n".join(said)


def _decoded(frame: aiohttp.WSMessage) -> dict[str, object]:
    """JSON, or JSON with buffers behind it, which begins with how many parts there are."""
    if frame.type == aiohttp.WSMsgType.TEXT:
        return json.loads(frame.data)
    count = int.from_bytes(frame.data[:4], "big")
    ends = [int.from_bytes(frame.data[4 * n : 4 * n + 4], "big") for n in range(1, count + 1)]
    return json.loads(frame.data[ends[0] : ends[1] if count > 1 else None])
