"""Tests of a real class server that is set up by ``classroom/hub`` and used over HTTP."""

import asyncio
import contextlib
import csv
import os
import pwd
import re
import stat
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import nbformat
import pytest
from checks.class_of import LAB, ROWS
from checks.hub import PREFIX, TEACHER, Hub, a_hub, a_postgresql, missing
from checks.labs import read
from checks.learner import COURSE, Learner, Refused
from checks.odd_submissions import ALL, answered
from private_jupyter import REPOSITORY
from test_grading import swapped

from classroom.submissions import points_in

sys.path.append(str(REPOSITORY / "benchmarks"))
from hub import hold_class, move_slider

ANA, BEN, CAI, EVA = (f"{PREFIX}{name}" for name in ("ana", "ben", "cai", "eva"))
STUDENTS = [ANA, BEN, CAI]

pytestmark = pytest.mark.slow


def done(work: Coroutine) -> object:
    """Run a coroutine in a separate thread, because Playwright may run a loop in this one."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, work).result()


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    """Hub with three students, a teacher and a released lab."""
    if problem := missing():
        pytest.skip(problem)
    software = os.environ.get("COURSE_HUB_SOFTWARE")  # reuse an existing environment
    with a_hub(software and Path(software)) as hub:
        hub.set_up(STUDENTS, COURSE_STARTS="1")
        hub.start("proxy")
        hub.start("hub")
        hub.release(LAB)
        yield hub


def learner(hub: Hub, name: str) -> Learner:
    return Learner(hub.address, name, hub.passwords[name])


async def comes_in(hub: Hub, name: str, password: str) -> bool:
    """Return True if somebody can log in with this password."""
    async with Learner(hub.address, name, password) as someone:
        with contextlib.suppress(Refused):
            await someone.log_in()
            return True
    return False


async def came_in(someone: Learner, hub: Hub) -> None:
    await someone.log_in()
    await someone.start_server()
    await someone.pull(hub.data / COURSE)


async def hand_in(someone: Learner, notebook: nbformat.NotebookNode) -> None:
    await someone.save(f"labs/{LAB}/{LAB}.ipynb", notebook)
    answer = await someone.exchange("submit", LAB)
    assert answer["success"], answer


def with_a_look_around(notebook: nbformat.NotebookNode, hub: Hub) -> nbformat.NotebookNode:
    """Create a notebook that prints everything that it can access during grading."""
    code = f"""
import os, socket
def tried(what):
    try:
        return f"got {{what()!r}}"
    except OSError as error:
        return "refused"
print("class", tried(lambda: os.listdir("{hub.data}/class")))
print("home", tried(lambda: os.listdir("/home")))
print("network", tried(lambda: socket.create_connection(("127.0.0.1", {hub.port}), 2)))
print("others", sum(name.isdigit() for name in os.listdir("/proc")) < 5)
"""
    looking = nbformat.from_dict(notebook)
    looking.cells[1:1] = [nbformat.v4.new_code_cell(code)]
    return looking


@pytest.fixture(scope="module")
def graded(hub: Hub) -> CompletedProcess[str]:
    """Hub on which three submissions (two by browser, one by command) have been graded."""

    async def two_by_browser() -> None:
        async with learner(hub, ANA) as ana, learner(hub, BEN) as ben:
            await asyncio.gather(came_in(ana, hub), came_in(ben, hub))
            # Only one server starts at a time here, so one of the two learners had to wait.
            assert "Espera un momento" in ana.waiting_page + ben.waiting_page
            lesson = await ana.notebook("notebooks/00_start_here.ipynb")
            async with ana.kernel("notebooks") as kernel:
                outputs = [
                    await kernel.run(c.source) for c in lesson.cells if c.cell_type == "code"
                ]
            assert any("Nothing is missing" in each for each in outputs), outputs
            await hand_in(ana, read("labs", LAB))
            await hand_in(ana, answered())  # the later submission counts
            await hand_in(ben, with_a_look_around(swapped(), hub))

    done(two_by_browser())
    folder = Path("/home", CAI, COURSE, "labs", LAB)
    folder.mkdir(parents=True)
    nbformat.write(answered(row_by_hand="import os\nos._exit(1)"), folder / f"{LAB}.ipynb")
    run = hub.run_as(CAI, "nbgrader", "submit", LAB)
    assert run.returncode == 0, run.stderr
    return hub.grade(LAB, "--jobs", "3")


def assert_graded(run: CompletedProcess[str], address: str) -> None:
    """Check the points of the three students in a gradebook."""
    assert "2 of 3 graded." in run.stdout, run.stderr[-2000:]
    assert run.returncode == 1 and "by hand" in run.stdout and CAI in run.stdout
    found = points_in(LAB, address)
    deserved = {ANA: ALL, BEN: ALL - {ROWS}, CAI: set()}
    earned = {
        name: {exercise for exercise, points in found[name].items() if points.by_test}
        for name in STUDENTS
    }
    assert earned == deserved


def test_three_graders_give_correct_grades(hub, graded):
    """The grades are the same as in tests/classroom/test_grading.py, which uses one process."""
    assert_graded(graded, f"sqlite:///{hub.data / 'class' / 'gradebook.db'}")
    with open(hub.data / "class" / "grades.csv", encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: row["score"] for row in csv.DictReader(file)}
    assert scores[ANA] == "9.0" and scores[CAI] == ""


def test_feedback_reaches_its_student(hub, graded):
    async def fetch(name: str) -> str:
        async with learner(hub, name) as someone:
            await someone.log_in()
            await someone.start_server()
            assert (await someone.exchange("fetch_feedback", LAB))["success"]
        home = Path("/home", name, COURSE, "labs", LAB, "feedback")
        return max(home.rglob("*.html")).read_text(encoding="utf-8")

    for name in (ANA, BEN):
        swapped = "Sine and cosine are swapped" in done(fetch(name))
        assert swapped == (name == BEN)


def test_submission_is_isolated_while_graded(hub, graded):
    (notebook,) = (hub.data / "class" / "autograded" / BEN).rglob("*.ipynb")
    outputs = str([cell.get("outputs") for cell in nbformat.read(notebook, as_version=4).cells])
    assert re.findall(r"(class|home|network|others) (\w+)", outputs) == [
        ("class", "refused"),
        ("home", "refused"),
        ("network", "refused"),
        ("others", "True"),
    ]


def test_only_teacher_opens_formgrader(hub):
    async def look() -> None:
        async with learner(hub, TEACHER) as teacher:
            await teacher.log_in()
            page, where = await teacher.page("/services/grading/formgrader/manage_assignments")
            assert where.endswith("/formgrader/manage_assignments"), where
            assert "<title>nbgrader" in page.lower() or "formgrader" in page.lower()
            with pytest.raises(Refused):
                await teacher.page(f"/user/{ANA}/lab")  # not even the teacher has access
        async with learner(hub, ANA) as ana:
            await ana.log_in()
            for path in ("/services/grading/formgrader", f"/user/{BEN}/lab", "/hub/admin"):
                with pytest.raises(Refused) as refused:
                    await ana.page(path)
                assert refused.value.status in (403, 404)
            await ana.start_server()
            with pytest.raises(Refused):
                await ana.page(f"{ana.base}/formgrader")

    done(look())


def test_students_cannot_read_private_files(hub, graded):
    Path("/home", BEN, "of_ben.txt").write_text("mine")
    inbound = hub.data / "exchange" / COURSE / "inbound"
    secret = [
        f"/home/{BEN}",
        f"/home/{BEN}/of_ben.txt",
        f"/run/course/{BEN}",
        hub.data / "class",
        hub.data / "class" / "gradebook.db",
        hub.data / "hub" / "passwords.csv",
        hub.data / "hub" / "proxy-token",
        hub.data / "hub" / "jupyterhub.sqlite",
        hub.software / "source" / "solutions" / LAB / f"{LAB}.ipynb",
        hub.software / "hub" / "settings",
        inbound,
    ]
    for place in secret:
        assert Path(place).exists(), place
        run = hub.run_as(ANA, "bash", "-c", f'ls "{place}/" || cat "{place}"')
        assert run.returncode and "Permission denied" in run.stderr, (place, run.stdout)
    for command in (f"mv {inbound.parent} {inbound.parent}2", f"touch {hub.data}/{COURSE}/x"):
        assert hub.run_as(ANA, "bash", "-c", command).returncode, command
    assert not Path("/home", ANA, COURSE, "solutions").exists()


async def until(answers: Callable[[], Coroutine]) -> object:
    """Repeat a request until it succeeds, and return the answer."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(Refused):
                return await answers()
            await asyncio.sleep(0.2)


def test_restarted_proxy_keeps_servers(hub):
    async def work() -> None:
        async with learner(hub, ANA) as ana:
            await came_in(ana, hub)
            await asyncio.to_thread(hub.stop, "proxy")
            await asyncio.to_thread(hub.start, "proxy")
            await until(lambda: ana.notebook("notebooks/00_start_here.ipynb"))
            async with ana.kernel("notebooks") as kernel:
                await kernel.run("kept = 41")
                await asyncio.to_thread(hub.stop, "hub")
                assert "42" in await kernel.run("print(kept + 1)")
                await asyncio.to_thread(hub.start, "hub")
                assert "43" in await kernel.run("print(kept + 2)")
                page, _ = await until(lambda: ana.page("/hub/home"))
                assert 'id="stop"' in page  # the hub has found the running servers again
                await ana.notebook("notebooks/00_start_here.ipynb")
                assert "44" in await kernel.run("print(kept + 3)")

    done(work())


def test_everybody_changes_their_own_password(hub):
    async def work() -> None:
        async with learner(hub, BEN) as ben:
            await ben.log_in()
            await ben.page("/hub/change-password")
            data = {
                "old_password": ben.password,
                "new_password": "eight-and-more",
                "new_password_confirmation": "eight-and-more",
                "_xsrf": ben.token("/hub/"),
            }
            async with ben.session.post(f"{hub.address}/hub/change-password", data=data) as answer:
                assert "Tu contraseña se ha cambiado" in await answer.text()

    done(work())
    hub.passwords[BEN] = "eight-and-more"
    assert done(comes_in(hub, BEN, "eight-and-more"))


def test_only_newest_password_works(hub):
    old = hub.passwords[ANA]
    for password in ("", "wrong", ANA, old):
        assert done(comes_in(hub, ANA, password)) == (password == old)
    name, new = hub.run_set_up("--reset", ANA).stdout.split()
    assert name == ANA and not done(comes_in(hub, ANA, old))
    assert done(comes_in(hub, ANA, new))
    hub.passwords[ANA] = new
    run = hub.run_set_up("--reset", f"{PREFIX}nobody")
    assert run.returncode == 1 and "must be an existing account" in run.stderr
    with pytest.raises(KeyError):
        pwd.getpwnam(f"{PREFIX}nobody")


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ("# a class\n\n", "does not contain any names"),
        (
            "ana\nAna\nana maria\njosé\nana.b\n-x\n",
            "Invalid names: Ana, ana maria, josé, ana.b, -x",
        ),
        ("a" * 32, "at most 31 lower-case letters"),
        ("nobody\n", "nobody is reserved by the system"),
        ("sudo\n", "sudo is reserved by the system"),
    ],
)
def test_faulty_class_list_changes_nothing(hub, names, problem):
    before = {path: path.stat().st_mtime for path in (hub.software, hub.data)}
    (hub.folder / "other.txt").write_text(names, encoding="utf-8")
    run = hub.run_set_up(hub.folder / "other.txt")
    assert run.returncode == 1 and not run.stdout
    assert problem in run.stderr and run.stderr.count("\n") == 1
    assert before == {path: path.stat().st_mtime for path in before}


database = pytest.fixture(a_postgresql, scope="module")


@pytest.fixture(scope="module")
def before(hub: Hub, graded: CompletedProcess[str], database: str) -> dict[str, str]:
    """Passwords before changes to the class and to the database."""
    passwords = dict(hub.passwords)
    (hub.data / COURSE / "setup-index.lock").touch()  # as left by an interrupted setup
    students = ["\ufeff" + ANA, "", f"{CAI} \r", EVA]  # saved on Windows
    assert f"{BEN} is not in the list" in hub.set_up(students, COURSE_GRADEBOOK=database)
    return passwords


def test_repeated_setup_follows_class_list(hub, before):
    assert not done(comes_in(hub, BEN, before[BEN])) and Path("/home", BEN).exists()
    assert done(comes_in(hub, ANA, before[ANA])) and done(comes_in(hub, EVA, hub.passwords[EVA]))
    chosen = {BEN: before[BEN]}  # a password chosen by a learner is in no file
    assert hub.passwords | chosen == before | {EVA: hub.passwords[EVA]}
    assert stat.S_IMODE(Path("/home", ANA).stat().st_mode) == 0o700
    # The last step of setup.sh, with Ben in the list again.
    named = [hub.software / "hub" / "accounts.py", TEACHER, *STUDENTS, EVA]
    hub.run_as_root(["env", f"COURSE_DATA={hub.data}", hub.software / "venv/bin/python", *named])
    assert done(comes_in(hub, BEN, before[BEN]))


def test_repeated_setup_can_switch_to_postgresql(hub, before, database):
    if not database:
        pytest.skip("PostgreSQL is missing: install the server (Debian's package postgresql).")
    hub.release(LAB)
    assert_graded(hub.grade(LAB, "--jobs", "3", "--again"), database)


def test_hub_benchmark_runs_from_login_to_hand_in(hub, before, monkeypatch):
    monkeypatch.setattr("hub.move_slider", partial(move_slider, moves=2))
    record = done(hold_class(hub, [EVA], within=0))
    assert record.faults == []
    assert {"log in", "server", "lesson", "one move", "lab", "hand in"} <= record.steps.keys()
    assert record.table().count("\n") == len(record.steps) + 1
