"""Functions of a JavaScript module, called from Python."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

NODE = shutil.which("node")
ANSWER = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { calls, given } = JSON.parse(line);
  console.log(JSON.stringify(eval(calls)));
}
"""


@contextmanager
def running(module: str) -> Iterator[Callable[[str, object], object]]:
    """A function that tells what an expression makes of ``given``, with what a module exports."""
    if NODE is None:
        pytest.skip("Node is missing: install nodejs")
    command = [NODE, "--input-type=module", "--eval", module + ANSWER]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as node:

        def ask(calls: str, given: object) -> object:
            print(json.dumps({"calls": calls, "given": given}), file=node.stdin, flush=True)
            answer = node.stdout.readline()
            assert answer, node.stderr.read()
            return json.loads(answer)

        yield ask


def in_node(module: str) -> Callable:
    """The same as a fixture, for all tests of a file."""

    @pytest.fixture(scope="module")
    def ask() -> Iterator[Callable[[str, object], object]]:
        with running(module) as ask:
            yield ask

    return ask
