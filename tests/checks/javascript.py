"""Calls to JavaScript functions from Python."""

import base64
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from course_utils.explorers.base import FOLDER

NODE = shutil.which("node")
ANSWER = """
import { createInterface } from "node:readline";
const unpacked = (_, value) => typeof value?.$bytes !== "string" ? value
  : new Float32Array(Uint8Array.from(atob(value.$bytes), (each) => each.charCodeAt(0)).buffer);
for await (const line of createInterface({ input: process.stdin })) {
  const { calls, given } = JSON.parse(line, unpacked);
  console.log(JSON.stringify(eval(calls)));
}
"""


def exports(*modules: str) -> str:
    """Return code that imports all exports of some modules."""
    return "".join(
        f"Object.assign(globalThis, await import({json.dumps((FOLDER / each).as_uri())}));\n"
        for each in modules
    )


def packed(values: object) -> str:
    """Encode a value, which may contain bytes, as text."""

    def other(value: object) -> object:
        if isinstance(value, np.generic):
            return value.item()
        return {"$bytes": base64.b64encode(value).decode()}

    return json.dumps(values, default=other)


@contextmanager
def running(module: str) -> Iterator[Callable[[str, object], object]]:
    """Yield a function that evaluates expressions of ``given``, whose bytes become floats."""
    if NODE is None:
        pytest.skip("Node is missing: install nodejs")
    command = [NODE, "--input-type=module", "--eval", module + ANSWER]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as node:

        def ask(calls: str, given: object) -> object:
            print(packed({"calls": calls, "given": given}), file=node.stdin, flush=True)
            answer = node.stdout.readline()
            assert answer, node.stderr.read()
            return json.loads(answer)

        yield ask


def in_node(module: str) -> Callable:
    """Function that evaluates expressions, shared by all tests in a file."""

    @pytest.fixture(scope="module")
    def ask() -> Iterator[Callable[[str, object], object]]:
        with running(module) as ask:
            yield ask

    return ask
