"""A class at work on one server: how long each step takes, and what it costs.

    python benchmarks/classroom.py --learners 20

A hub is set up, used and removed again. Learners log in within some seconds of each other, pull the
lessons, run lesson 03, move a slider that changes a picture twenty times, work on lab 03 with a
wrong answer first, and hand it in. Then all of it is graded. It needs root, since a hub makes
accounts, and the extra hub.
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
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

import psutil

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from net.classroom import PREFIX, Hub, Kernel, Learner, a_hub, missing, processes_of
from net.labs import cell, read

LAB = "03_sinusoidal"
PATH = f"labs/{LAB}/{LAB}.ipynb"


class Clock:
    """Seconds of each step, and what went wrong."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.faults: list[str] = []

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = time.monotonic()
        yield
        self.seconds[name].append(time.monotonic() - start)

    def table(self) -> str:
        rows = [f"{'step':10} {'median':>8} {'90 %':>8} {'most':>8}  count"]
        for name, seconds in self.seconds.items():
            tenths = (
                quantiles(seconds, n=10, method="inclusive") if len(seconds) > 1 else seconds * 9
            )
            rows.append(
                f"{name:10} {tenths[4]:8.2f} {tenths[8]:8.2f} {max(seconds):8.2f}  {len(seconds)}"
            )
        return "\n".join(rows)


async def run_lesson(kernel: Kernel, learner: Learner) -> None:
    notebook = await learner.notebook("notebooks/03_binary_encodings.ipynb")
    for entry in notebook.cells:
        if entry.cell_type == "code":
            await kernel.run(entry.source)


async def move_slider(kernel: Kernel, clock: Clock, moves: int = 20) -> None:
    """The slider of how many positions the table has; each move makes the picture again."""
    slider = next(
        model
        for model, state in kernel.widgets.items()
        if state.get("_model_name") == "IntSliderModel" and "positions" in state["description"]
    )
    for value in range(30, 30 + moves):
        with clock.step("slider"):
            await kernel.set_widget(slider, value=value)
        await asyncio.sleep(0.3)


async def do_lab(learner: Learner, kernel: Kernel) -> object:
    """Each exercise is first answered wrongly, and then as the solution does it."""
    notebook, solved = await learner.notebook(PATH), read("solutions", LAB)
    for entry in notebook.cells:
        if entry.cell_type != "code":
            continue
        said = await kernel.run(entry.source)
        name = entry.id.removeprefix("check-")
        if name != entry.id:
            entry_to_solve = cell(notebook, name)
            entry_to_solve.source = cell(solved, name).source
            await kernel.run(entry_to_solve.source)
            said = await kernel.run(entry.source)
            if "Error" in said:
                raise AssertionError(f"{learner.name} had {name} right, and read: {said[-300:]}")
    return notebook


async def attend(hub: Hub, name: str, clock: Clock, within: float) -> None:
    """One learner's lesson, from the login to what is handed in."""
    async with Learner(hub.address, name, hub.passwords[name]) as learner:
        await asyncio.sleep(random.Random(name).uniform(0, within))
        with clock.step("log in"):
            await learner.log_in()
        with clock.step("server"):
            await learner.start_server(600)
        with clock.step("pull"):
            await learner.pull(hub.data / "positional-encodings")
        async with contextlib.AsyncExitStack() as stack:
            with clock.step("lesson"):
                kernel = await stack.enter_async_context(learner.kernel("notebooks"))
                await run_lesson(kernel, learner)
            await move_slider(kernel, clock)
            with clock.step("lab"):
                kernel = await stack.enter_async_context(learner.kernel(f"labs/{LAB}"))
                notebook = await do_lab(learner, kernel)
        with clock.step("save"):
            await learner.save(PATH, notebook)
        with clock.step("hand in"):
            answer = await learner.exchange("submit", LAB)
        if not answer["success"]:
            raise AssertionError(answer)


class Meter:
    """Processor seconds and memory of the class's processes, by what they are."""

    KINDS = {
        "hub": "bin/jupyterhub -f",
        "proxy": "configurable-http-proxy",
        "server": "jupyterhub-singleuser",
        "kernel": "ipykernel_launcher",
    }

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.accounts = {
            entry.pw_uid for entry in pwd.getpwall() if entry.pw_name.startswith(PREFIX)
        }
        self.seconds: dict[int, tuple[str, float]] = {}
        self.most: dict[str, tuple[int, int, float]] = {}

    def _kind(self, process: psutil.Process) -> str:
        line = " ".join(process.cmdline())
        return next((kind for kind, part in self.KINDS.items() if part in line), "other")

    def look(self) -> None:
        found = processes_of(self.accounts)
        found += [psutil.Process(process.pid) for process in self.hub.processes.values()]
        totals: dict[str, list[float]] = defaultdict(list)
        for process in found:
            with contextlib.suppress(psutil.Error):
                kind = self._kind(process)
                times = process.cpu_times()
                self.seconds[process.pid] = (kind, times.user + times.system)
                totals[kind].append(_memory(process))
        for kind, sizes in totals.items():
            if sum(sizes) > self.most.get(kind, (0, 0, 0))[2]:
                self.most[kind] = (len(sizes), sum(sizes) / len(sizes), sum(sizes))

    def table(self) -> str:
        spent: dict[str, float] = defaultdict(float)
        for kind, seconds in self.seconds.values():
            spent[kind] += seconds
        rows = [f"{'process':10} {'processor s':>12} {'at once':>8} {'MiB each':>9} {'MiB':>7}"]
        for kind, (count, each, total) in self.most.items():
            rows.append(f"{kind:10} {spent[kind]:12.1f} {count:8} {each:9.0f} {total:7.0f}")
        return "\n".join(rows)


def _memory(process: psutil.Process) -> float:
    """MiB of a process, each shared page divided by how many share it."""
    return process.memory_full_info().pss / 2**20


async def watch(meter: Meter) -> None:
    while True:
        await asyncio.to_thread(meter.look)
        await asyncio.sleep(2)


async def hold_class(hub: Hub, names: list[str], clock: Clock, meter: Meter, arguments) -> None:
    watching = asyncio.create_task(watch(meter))
    try:
        async with asyncio.timeout(arguments.minutes * 60):
            ends = await asyncio.gather(
                *(attend(hub, name, clock, arguments.within) for name in names),
                return_exceptions=True,
            )
        for name, end in zip(names, ends, strict=True):
            if isinstance(end, BaseException):
                clock.faults.append(f"{name}: {type(end).__name__}: {end}")
    finally:
        watching.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--learners", type=int, default=5, choices=range(1, 101), metavar="N")
    parser.add_argument("--within", type=float, default=20, help="seconds in which they log in")
    parser.add_argument("--minutes", type=float, default=15, help="after which it is stopped")
    parser.add_argument("--starts", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("--software", type=Path, help="a folder whose environment is used again")
    arguments = parser.parse_args()
    if problem := missing():
        sys.exit(problem)
    names = [f"{PREFIX}{number:03}" for number in range(arguments.learners)]
    clock = Clock()
    with a_hub(arguments.software) as hub:
        with clock.step("set up"):
            hub.set_up(names, COURSE_STARTS=str(arguments.starts))
        hub.start("proxy")
        hub.start("hub")
        hub.release(LAB)
        meter = Meter(hub)
        load = os.getloadavg()[0]
        start = time.monotonic()
        asyncio.run(hold_class(hub, names, clock, meter, arguments))
        lasted = time.monotonic() - start
        with clock.step("grading"):
            graded = hub.grade(LAB)
    print(f"{arguments.learners} learners within {arguments.within:.0f} s, {os.cpu_count()} cores,")
    print(f"load {load:.1f} before; {lasted:.0f} s in all")
    print(clock.table(), meter.table(), sep="\n\n")
    print(graded.stdout.splitlines()[-1:], *clock.faults, sep="\n")


if __name__ == "__main__":
    main()
