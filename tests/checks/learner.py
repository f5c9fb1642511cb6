"""A learner on a class server, with cookies and a socket for the kernel."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import nbformat
from jupyter_client.jsonutil import json_default
from jupyter_client.session import Session
from jupyter_server.services.kernels.connection.base import deserialize_binary_message

try:
    import aiohttp
except ImportError:  # installed with JupyterHub
    aiohttp = None

COURSE = "positional-encodings"


class Refused(Exception):
    """Exception raised if the server returns an error status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text[:300]}")
        self.status = status
        self.text = text


async def refuse(answer: aiohttp.ClientResponse) -> None:
    if answer.status >= 400:
        raise Refused(answer.status, await answer.text())


class Learner:
    """A learner's browser session, with cookies and websockets."""

    def __init__(self, address: str, name: str, password: str) -> None:
        self.address, self.name, self.password = address, name, password
        self.base = f"/user/{name}"
        self.waiting_page = ""
        self.session = aiohttp.ClientSession(
            address,
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            timeout=aiohttp.ClientTimeout(total=300),
            raise_for_status=refuse,
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
        """Return a page as text, and its path after all redirections."""
        async with self.session.get(path) as answer:
            return await answer.text(), answer.url.path

    async def send(self, method: str, path: str, **content: object) -> object:
        """Send a request with this browser's token, and return the parsed JSON answer."""
        headers = {"X-XSRFToken": self.token(path)}
        async with self.session.request(method, path, headers=headers, **content) as answer:
            text = await answer.text()
            return json.loads(text) if text else None

    async def log_in(self) -> None:
        await self.page("/hub/login")
        data = {"username": self.name, "password": self.password, "_xsrf": self.token("/hub/")}
        async with self.session.post("/hub/login", data=data, allow_redirects=False) as answer:
            if answer.status != 302:
                raise Refused(answer.status, await answer.text())

    async def start_server(self, patience: float = 300) -> None:
        """Request the server until it has started, as the waiting page does."""
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
        """Fetch the course from a repository, as nbgitpuller's page does."""
        query = {"repo": f"file://{repository}", "branch": "main", "targetpath": COURSE}
        async with self.session.get(f"{self.base}/git-pull/api", params=query) as answer:
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
        """Yield a kernel in a folder of the course, connected through a websocket."""
        body = {"name": "python3", "path": f"{COURSE}/{folder}/any.ipynb"}
        model = await self.send("POST", f"{self.base}/api/kernels", json=body)
        path = f"{self.base}/api/kernels/{model['id']}"
        async with self.session.ws_connect(f"{path}/channels", max_msg_size=0) as socket:
            try:
                yield Kernel(model["id"], socket)
            finally:
                with contextlib.suppress(Refused, aiohttp.ClientError):
                    await self.send("DELETE", path)

    async def exchange(self, action: str, lab: str) -> object:
        """Press a button in the assignment list: ``submit`` or ``fetch_feedback``."""
        data = {"assignment_id": lab, "course_id": COURSE}
        return await self.send("POST", f"{self.base}/assignments/{action}", data=data)


class Kernel:
    """A kernel that is accessed through a websocket."""

    def __init__(self, id: str, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.id, self.socket = id, socket
        self.widgets: dict[str, dict[str, object]] = {}
        self.session = Session()

    async def run(self, code: str, timeout: float = 120) -> str:
        """Run a cell, and return everything that it shows as text, including errors."""
        return await self._ask("execute_request", {"code": code, "allow_stdin": False}, timeout)

    async def set_widget(self, model: str, **state: object) -> None:
        """Move a control, and wait until all resulting messages have arrived."""
        data = {"method": "update", "state": state, "buffer_paths": []}
        await self._ask("comm_msg", {"comm_id": model, "data": data}, 60)

    async def _ask(self, kind: str, content: dict[str, object], timeout: float) -> str:
        message = self.session.msg(kind, content)
        await self.socket.send_json(
            {**message, "channel": "shell"}, dumps=partial(json.dumps, default=json_default)
        )
        outputs, waits = [], {"idle"} | ({"execute_reply"} if kind == "execute_request" else set())
        async with asyncio.timeout(timeout):
            while waits:
                frame = await self.socket.receive()
                if frame.type not in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
                    raise ConnectionError(f"The websocket to the kernel ended: {frame.type.name}")
                is_text = frame.type == aiohttp.WSMsgType.TEXT
                answer = frame.json() if is_text else deserialize_binary_message(frame.data)
                kind, content = answer["header"]["msg_type"], answer["content"]
                if kind == "comm_open":
                    self.widgets[content["comm_id"]] = content["data"].get("state", {})
                if answer["parent_header"].get("msg_id") != message["msg_id"]:
                    if kind == "status" and content["execution_state"] == "restarting":
                        raise ConnectionError("The kernel ended, and a new one was started.")
                    continue
                if kind == "status" and content["execution_state"] == "idle":
                    waits.discard("idle")
                elif kind == "execute_reply":
                    waits.discard("execute_reply")
                elif kind == "stream":
                    outputs.append(content["text"])
                elif kind in ("display_data", "execute_result"):
                    outputs.append(content["data"].get("text/plain", ""))
                elif kind == "error":
                    outputs.append(f"{content['ename']}: {content['evalue']}")
        return "\n".join(outputs)
