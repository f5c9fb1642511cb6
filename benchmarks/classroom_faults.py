"""What goes wrong while a class is at work on one server, and what a learner sees of it.

    python benchmarks/classroom_faults.py

Learners work on a lab; a kernel and a server are killed, a browser is closed, loops fill the memory
and make processes without end, a disk is full, first a learner's and then that of the exchange, one
hands in too late, and PostgreSQL fails during the grading. In the end it looks for everything that
was handed in and solved. A hub that is started again, and who hands in twice, are in
tests/test_hub.py. It needs root, the extra hub and PostgreSQL.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import datetime
import json
import pwd
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
import aiohttp
import nbformat
from checks import postgresql
from checks.classroom import (
    COURSE,
    GRADER,
    PREFIX,
    Hub,
    Kernel,
    Learner,
    Refused,
    a_hub,
    missing,
    processes_of,
)
from checks.labs import cell, read
from classroom import LAB, PATH, do_lab

WHAT = ("kernel", "server", "browser", "loops", "disk", "exchange", "late")
NAMES = {what: f"{PREFIX}{what}" for what in WHAT}
FILL = "held = []\nwhile True:\n    held.append(bytearray(b'x') * (1 << 27))"
FORK = """
import os, time
made = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)
        made += 1
except OSError as error:
    print(made, "processes:", error)
"""


def processes(account: str, part: str) -> list[psutil.Process]:
    found = processes_of({pwd.getpwnam(account).pw_uid})
    return [process for process in found if part in " ".join(process.cmdline())]


def inbound(hub: Hub) -> Path:
    return hub.data / "exchange" / COURSE / "inbound"


def report(fault: str, saw: str) -> None:
    print(f"* {fault}: {' '.join(saw.split())}", flush=True)


async def arrive(learner: Learner, hub: Hub) -> None:
    await learner.log_in()
    await learner.start_server()
    await learner.pull(hub.data / COURSE)


async def solve(kernel: Kernel, name: str, notebook: object) -> str:
    """Fill in one exercise, run it, and read what its check says."""
    for each in ("switch", name):
        source = cell(read("solutions", LAB), each).source
        cell(notebook, each).source = source
        await kernel.run(source)
    return await kernel.run(cell(notebook, f"check-{name}").source)


async def kernel_killed(hub: Hub, learner: Learner) -> None:
    await arrive(learner, hub)
    notebook = await learner.notebook(PATH)
    async with learner.kernel(f"labs/{LAB}") as kernel:
        await learner.save(PATH, notebook)
        for process in processes(learner.name, kernel.id):
            process.kill()
        try:
            saw = await kernel.run("1", timeout=30)
        except (ConnectionError, TimeoutError) as error:
            saw = f"{type(error).__name__} {error}"
        notebook = await do_lab(learner, kernel)
    await learner.save(PATH, notebook)
    await learner.exchange("submit", LAB)
    report("kernel killed", f"{saw} Variables gone, cells run again, handed in.")


async def server_killed(hub: Hub, learner: Learner) -> None:
    await arrive(learner, hub)
    async with learner.kernel(f"labs/{LAB}") as kernel:
        notebook = await do_lab(learner, kernel)
        await learner.save(PATH, notebook)
        for process in processes(learner.name, "jupyterhub-singleuser"):
            process.kill()
        try:
            saw = await kernel.run("1", timeout=30)
        except (ConnectionError, TimeoutError, aiohttp.ClientError) as error:
            saw = f"the websocket ends ({error})"
    start = time.monotonic()
    try:
        await learner.notebook(PATH)
        page = "answered"
    except Refused as refused:
        page = f"said {refused.status}"
    await asyncio.sleep(1)
    while True:
        try:
            await learner.start_server()
            saved = await learner.notebook(PATH)
            break
        except Refused as refused:
            page += f", {refused.status}"
            await asyncio.sleep(2)
            if time.monotonic() - start > 120:
                raise
    same = [each.source for each in saved.cells] == [each.source for each in notebook.cells]
    await learner.exchange("submit", LAB)
    report(
        "server killed",
        f"{saw}; the next page {page}; a new server after {time.monotonic() - start:.0f} s, "
        f"the saved lab is {'whole' if same else 'NOT WHOLE'}, handed in",
    )


async def browser_closed(hub: Hub, learner: Learner) -> None:
    await arrive(learner, hub)
    async with learner.kernel(f"labs/{LAB}") as kernel:
        cell = "import time\nfor second in range(8):\n    time.sleep(1)\nfinished = second"
        running = asyncio.create_task(kernel.run(cell))
        await asyncio.sleep(2)
        await kernel.socket.close()
        await asyncio.gather(running, return_exceptions=True)
        await asyncio.sleep(8)
        path = f"{learner.address}{learner.base}/api/kernels/{kernel.id}/channels"
        async with learner.session.ws_connect(path, max_msg_size=0) as socket:
            saw = await Kernel(kernel.id, socket).run("print(finished)")
    report("browser closed while a cell runs", f"it ran to its end; its variable: {saw}")


async def loops_without_end(hub: Hub, learner: Learner, other: Learner) -> None:
    """What both see: the one whose cells they are, and somebody who works meanwhile."""
    await arrive(learner, hub)
    async with learner.kernel(f"labs/{LAB}") as kernel, other.kernel("notebooks") as works:
        for name, cell in (("memory filled", FILL), ("processes made", FORK)):
            waited, running = [], asyncio.create_task(kernel.run(cell))
            while not running.done():
                start = time.monotonic()
                await works.run("sum(range(100_000))")
                waited.append(time.monotonic() - start)
                await asyncio.sleep(0.3)
            saw = (await running)[:150]
            saw += f"; others waited {max(waited):.2f} s at most for a cell; "
            saw += await kernel.run("del held; print('goes on')" if cell is FILL else "1")
            report(name, saw)
        await learner.send("POST", f"{learner.base}/api/kernels/{kernel.id}/restart")
        await asyncio.sleep(3)
        left = len(processes(learner.name, kernel.id))
        async with learner.kernel("notebooks") as another:
            saw = await another.run("print('a new notebook runs')")
    report("kernel restarted", f"{left} process, the new one; {saw}")


@contextlib.contextmanager
def small_disk(place: Path, size: str, owner: str, mode: str) -> Iterator[Path]:
    """That folder on a file system of its own; for a while, if it had files."""
    entry = pwd.getpwnam(owner)
    options = f"size={size},uid={entry.pw_uid},gid={entry.pw_gid},mode={mode}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


async def exchange_full(hub: Hub, learner: Learner) -> None:
    """What is handed in last does not arrive whole, but what was handed in before it did."""
    await hands_in(hub, learner)
    notebook = await learner.notebook(PATH)
    notebook.cells.append(nbformat.v4.new_markdown_cell("x" * 2_000_000))
    await learner.save(PATH, notebook)
    answer = await learner.exchange("submit", LAB)
    arrived = inbound(hub).glob(f"{learner.name}*/*.ipynb")
    report(
        "exchange full",
        f"success: {answer['success']} ({'No space left' in str(answer) and 'no space left'}); "
        f"bytes of the two: {sorted(path.stat().st_size for path in arrived)}",
    )


async def disk_full(hub: Hub, learner: Learner, home: Path) -> None:
    await arrive(learner, hub)
    async with learner.kernel(f"labs/{LAB}") as kernel:
        notebook = await learner.notebook(PATH)
        name = next(iter(_exercises()))
        await learner.save(PATH, notebook)
        await kernel.run("import os\nfrom pathlib import Path")
        filling = "open(os.path.expanduser('~/big'), 'wb').write(bytes(10**9))"
        full = await kernel.run(filling)
        said = await solve(kernel, name, notebook)
        try:
            await learner.save(PATH, notebook)
            saved = "SAVED"
        except Refused as refused:
            saved = f"saving is refused ({refused.status}: {_message(refused.text)})"
        old = json.loads((home / COURSE / PATH).read_text(encoding="utf-8"))
        try:
            await learner.notebook(PATH)
            opened = "it opens"
        except Refused as refused:
            opened = f"it does not open ({refused.status})"
        await kernel.run("os.remove(os.path.expanduser('~/big'))")
        done = await do_lab(learner, kernel)
        await learner.save(PATH, done)
    answer = await learner.exchange("submit", LAB)
    report(
        "disk full",
        f"{full.strip()[-60:]}; the check says: {said[:200]}; {saved}; the file as last saved has "
        f"{len(old['cells'])} cells, {opened}; after deleting a file "
        f"saved and handed in: {answer['success']}",
    )


def _message(text: str) -> str:
    found = re.search(r'"message": "([^"]*)"', text)
    return found[1] if found else text[:80]


def _exercises() -> list[str]:
    notebook = read("solutions", LAB)
    return [each.id.removeprefix("check-") for each in notebook.cells if each.id[:6] == "check-"]


async def hands_in(hub: Hub, learner: Learner) -> None:
    await arrive(learner, hub)
    async with learner.kernel(f"labs/{LAB}") as kernel:
        notebook = await do_lab(learner, kernel)
    await learner.save(PATH, notebook)
    await learner.exchange("submit", LAB)


async def hold_class(hub: Hub) -> None:
    async with contextlib.AsyncExitStack() as stack:
        learners = {}
        for what, name in NAMES.items():
            learner = Learner(hub.address, name, hub.passwords[name])
            learners[what] = await stack.enter_async_context(learner)
        home = Path(pwd.getpwnam(NAMES["disk"]).pw_dir)
        stack.enter_context(small_disk(home, "40m", NAMES["disk"], "700"))
        await asyncio.gather(
            kernel_killed(hub, learners["kernel"]),
            server_killed(hub, learners["server"]),
            disk_full(hub, learners["disk"], home),
            hands_in(hub, learners["late"]),
            browser_closed(hub, learners["browser"]),
        )
        await loops_without_end(hub, learners["loops"], learners["late"])
        await exchange_full(hub, learners["exchange"])


def fail_postgresql(stop: threading.Event) -> None:
    """Kill a session's process again and again: PostgreSQL ends all, and starts itself again."""
    while not stop.wait(4):
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                line = " ".join(process.cmdline())
                if line.startswith("postgres: teacher postgres"):
                    process.kill()
                    return


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--software", type=Path, help="a folder whose environment is used again")
    arguments = parser.parse_args()
    program = postgresql.find_server()
    if problem := missing() or ("There is no PostgreSQL here." if program is None else None):
        sys.exit(problem)
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(postgresql.running(program))
        hub = stack.enter_context(a_hub(arguments.software))
        hub.set_up(list(NAMES.values()), COURSE_GRADEBOOK=f"postgresql+psycopg://{database}")
        hub.start("proxy")
        hub.start("hub")
        hub.release(LAB)
        small = stack.enter_context(small_disk(inbound(hub), "2m", GRADER, "733"))
        late = (
            "from nbgrader.api import Gradebook; import sys; "
            "Gradebook(sys.argv[1]).update_or_create_assignment(sys.argv[2], duedate=sys.argv[3])"
        )
        due = datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=1)
        run = hub.run_as(
            GRADER,
            "python",
            "-c",
            late,
            f"postgresql+psycopg://{database}",
            LAB,
            f"{due:%F %T} UTC",
        )
        assert run.returncode == 0, run.stderr
        asyncio.run(hold_class(hub))
        stop = threading.Event()
        killer = threading.Thread(target=fail_postgresql, args=[stop])
        killer.start()
        run = hub.grade(LAB, "--jobs", "2")
        stop.set()
        killer.join()
        errors = len(re.findall(r"OperationalError|AdminShutdown|could not", run.stderr))
        report("PostgreSQL killed during grading", f"{errors} errors; {run.stdout[-200:]}")
        again = hub.grade(LAB)
        report("graded again", again.stdout[-200:])
        with open(hub.data / "class" / "grades.csv", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                print(row["student_id"], row["score"], "of", row["max_score"], row["timestamp"])
        print("handed in:", *sorted(path.name.split("+")[0] for path in small.iterdir()))
        for name in NAMES.values():
            folder = Path("/home", name, ".local/share/jupyter/positional-encodings-course")
            if folder.exists():
                print("solved:", name, *sorted(path.name for path in folder.iterdir()))


if __name__ == "__main__":
    main()
