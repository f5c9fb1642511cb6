"""Measure the time and resources that a class needs on a single server.

    python benchmarks/hub.py --learners 20

The script sets up a hub, uses it and removes it. Learners log in within a few seconds, fetch the
lessons, run lesson 03, and move a slider twenty times, which redraws a picture each time. They then
work on lab 03, with a wrong answer first, and submit it. Finally, all submissions are graded. The
script needs the extra ``hub``, and root permissions for creating accounts.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import pwd
import random
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, quantiles

import psutil

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from checks.hub import PREFIX, Hub, a_hub, missing, processes_of
from checks.labs import cell, read
from checks.learner import Kernel, Learner

LAB = "03_sinusoidal"
PATH = f"labs/{LAB}/{LAB}.ipynb"


@dataclass
class Step:
    """Times of one step, keyed by learner."""

    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


class Record:
    """Elapsed time, processor time, memory and errors of each step.

    The processes of each learner belong to a separate account, so the cost of a step is exact.
    """

    def __init__(self) -> None:
        self.steps: dict[str, Step] = defaultdict(Step)
        self.faults: list[str] = []

    @contextlib.asynccontextmanager
    async def step(self, name: str, account: str) -> AsyncIterator[None]:
        before, _ = await asyncio.to_thread(use_of, account)
        start = time.monotonic()
        yield
        self.steps[name].seconds.append(time.monotonic() - start)
        after, memory = await asyncio.to_thread(use_of, account)
        self.steps[name].processor.append(after - before)
        self.steps[name].memory.append(memory)

    def table(self) -> str:
        rows = [
            f"{'':10} {'seconds':^26} {'':5} {'processor':>9} {'MiB':>6}",
            f"{'step':10} {'median':>8} {'90 %':>8} {'most':>8} {'count':>5}"
            f" {'s, mean':>9} {'after':>6}",
        ]
        for name, step in self.steps.items():
            n = len(step.seconds)
            tenths = quantiles(step.seconds * (1 if n > 1 else 2), n=10, method="inclusive")
            row = f"{name:10} {tenths[4]:8.2f} {tenths[8]:8.2f} {max(step.seconds):8.2f} {n:5}"
            if step.processor:
                row += f" {mean(step.processor):9.2f} {mean(step.memory):6.0f}"
            rows.append(row)
        return "\n".join(rows)


def use_of(account: str) -> tuple[float, float]:
    """Return an account's processor time, including ended processes, and its memory in MiB."""
    seconds, memory = 0.0, 0.0
    for process in processes_of({pwd.getpwnam(account).pw_uid}):
        with contextlib.suppress(psutil.Error):
            seconds += sum(process.cpu_times()[:4])
            memory += _memory(process)
    return seconds, memory


async def run_lesson(kernel: Kernel, learner: Learner) -> None:
    notebook = await learner.notebook("notebooks/03_binary_encodings.ipynb")
    for entry in notebook.cells:
        if entry.cell_type == "code":
            await kernel.run(entry.source)


async def move_slider(kernel: Kernel, waited: list[float], moves: int = 20) -> None:
    """Move the slider that sets the number of positions, and record each response time."""
    explorer, index, at = next(
        (model, index, [*state["at"]])
        for model, state in kernel.widgets.items()
        for index, control in enumerate(state.get("explorer", {}).get("controls", ()))
        if "positions" in str(control["label"])
    )
    for _ in range(moves):
        at[index] += 1 if at[index] == 0 else -1
        start = time.monotonic()
        await kernel.set_widget(explorer, at=[*at])
        waited.append(time.monotonic() - start)
        await asyncio.sleep(0.3)


async def do_lab(learner: Learner, kernel: Kernel) -> object:
    """Answer each exercise wrongly first, and then as in the solution."""
    notebook, solved = await learner.notebook(PATH), read("solutions", LAB)
    for entry in notebook.cells:
        if entry.cell_type != "code":
            continue
        output = await kernel.run(entry.source)
        name = entry.id.removeprefix("check-")
        if name != entry.id:
            entry_to_solve = cell(notebook, name)
            entry_to_solve.source = cell(solved, name).source
            await kernel.run(entry_to_solve.source)
            output = await kernel.run(entry.source)
            if "Error" in output:
                raise AssertionError(
                    f"{name} of {learner.name} must be accepted; got {output[-300:]}"
                )
    return notebook


async def attend(hub: Hub, name: str, record: Record, within: float) -> None:
    """Take one learner through a lesson, from the login to the submission."""
    async with Learner(hub.address, name, hub.passwords[name]) as learner:
        await asyncio.sleep(random.Random(name).uniform(0, within))
        async with record.step("log in", name):
            await learner.log_in()
        async with record.step("server", name):
            await learner.start_server(600)
        async with record.step("pull", name):
            await learner.pull(hub.data / "positional-encodings")
        async with contextlib.AsyncExitStack() as stack:
            async with record.step("lesson", name):
                kernel = await stack.enter_async_context(learner.kernel("notebooks"))
                await run_lesson(kernel, learner)
            async with record.step("20 moves", name):
                await move_slider(kernel, record.steps["one move"].seconds)
            async with record.step("lab", name):
                kernel = await stack.enter_async_context(learner.kernel(f"labs/{LAB}"))
                notebook = await do_lab(learner, kernel)
        async with record.step("save", name):
            await learner.save(PATH, notebook)
        async with record.step("hand in", name):
            answer = await learner.exchange("submit", LAB)
        if not answer["success"]:
            raise AssertionError(answer)


def _memory(process: psutil.Process) -> float:
    """Return the proportional memory of a process in MiB."""
    return process.memory_full_info().pss / 2**20


async def hold_class(hub: Hub, names: list[str], within: float, minutes: float = 15) -> Record:
    """Run the class, and stop it after the given number of minutes."""
    record, start = Record(), time.monotonic()
    async with asyncio.timeout(minutes * 60):
        ends = await asyncio.gather(
            *(attend(hub, name, record, within) for name in names), return_exceptions=True
        )
    for name, end in zip(names, ends, strict=True):
        if isinstance(end, BaseException):
            record.faults.append(f"{name}: {type(end).__name__}: {end}")
    print(f"{time.monotonic() - start:.0f} s from the first login to the last lab handed in")
    return record


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--learners", type=int, default=5, choices=range(1, 101), metavar="N")
    parser.add_argument("--within", type=float, default=20, help="seconds in which learners log in")
    parser.add_argument(
        "--minutes", type=float, default=15, help="minutes after which the class is stopped"
    )
    parser.add_argument("--starts", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("--software", type=Path, help="folder whose environment is reused")
    arguments = parser.parse_args()
    if problem := missing():
        sys.exit(problem)
    names = [f"{PREFIX}{number:03}" for number in range(arguments.learners)]
    print(f"{arguments.learners} learners within {arguments.within:.0f} s, {os.cpu_count()} cores")
    with a_hub(arguments.software) as hub:
        hub.set_up(names, COURSE_STARTS=str(arguments.starts))
        hub.start("proxy")
        hub.start("hub")
        hub.release(LAB)
        print(f"load {os.getloadavg()[0]:.1f} before")
        record = asyncio.run(hold_class(hub, names, arguments.within, arguments.minutes))
        start = time.monotonic()
        graded = hub.grade(LAB)
        record.steps["grading"].seconds.append(time.monotonic() - start)
    print(record.table(), graded.stdout.splitlines()[-1], *record.faults, sep="\n")


if __name__ == "__main__":
    main()
