"""Control of Firefox by pointer and keyboard, using the Marionette protocol."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


class Firefox:
    """A Firefox window, controlled by WebDriver messages that are prefixed with their length."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.answers = self.socket.makefile("rb")
        self._answer()  # skip the greeting
        self.number = 0
        self.call("NewSession", capabilities={})

    def _answer(self) -> object:
        length = b""
        while (digit := self.answers.read(1)) != b":":
            length += digit
        return json.loads(self.answers.read(int(length)))

    def call(self, command: str, **given: object) -> dict:
        self.number += 1
        message = json.dumps([0, self.number, f"WebDriver:{command}", given]).encode()
        self.socket.sendall(b"%d:%b" % (len(message), message))
        _, _, error, result = self._answer()
        assert error is None, error
        return result

    def open(self, page: Path) -> None:
        self.call("Navigate", url=page.as_uri())

    def run(self, script: str, *given: object) -> object:
        return self.call("ExecuteScript", script=script, args=[*given])["value"]

    def wait(self, condition: str, patience: float = 30) -> None:
        end = time.monotonic() + patience
        while not self.run(f"return {condition}"):
            assert time.monotonic() < end, condition
            time.sleep(0.1)

    def text(self, selector: str) -> str:
        return self.run("return document.querySelector(arguments[0]).innerText", selector)

    def _find(self, selector: str) -> str:
        (found,) = self.call("FindElement", using="css selector", value=selector)["value"].values()
        return found

    def click(self, selector: str) -> None:
        self.call("ElementClick", id=self._find(selector))

    def type(self, selector: str, text: str) -> None:
        self.call("ElementSendKeys", id=self._find(selector), text=text)

    def middle(self, selector: str) -> tuple[int, int]:
        script = """const box = document.querySelector(arguments[0]).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round)"""
        return tuple(self.run(script, selector))

    def drag(self, start: tuple[int, int], end: tuple[int, int], kind: str = "mouse") -> None:
        (left, top), (right, bottom) = start, end
        moves = [
            {"type": "pointerMove", "x": round(left + (right - left) * part / 5)}
            | {"y": round(top + (bottom - top) * part / 5), "duration": 30}
            for part in range(6)
        ]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:]]
        actions.append({"type": "pointerUp", "button": 0})
        pointer = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}}
        self.call("PerformActions", actions=[pointer | {"actions": actions}])


def connected(port: int, patience: float = 60) -> socket.socket:
    end = time.monotonic() + patience
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            assert time.monotonic() < end, "Firefox does not answer"
            time.sleep(0.2)


@contextmanager
def firefox(program: str) -> Iterator[Firefox]:
    """Firefox with a separate profile, which is closed at the end of the test."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        Path(profile, "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        command = [program, "--headless", "--marionette", "--no-remote", "--profile", profile]
        size = {"MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "900"}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env={**os.environ, **size, "HOME": profile}, **quiet)
        try:
            yield Firefox(connected(port))
        finally:
            process.terminate()
            process.wait()
