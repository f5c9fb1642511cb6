"""A class on one server: ``deploy/hub`` set up for real, and used over HTTP as a browser would."""

import asyncio
import contextlib
import csv
import itertools
import os
import pwd
import re
import stat
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import nbformat
import pytest
from checks import postgresql
from checks.classroom import COURSE, PREFIX, TEACHER, Hub, Learner, Refused, a_hub, missing
from test_grading import CLASS, LAB, deserved, points_in

ANA, BEN = f"{PREFIX}ana", f"{PREFIX}ben"
PATH = f"labs/{LAB}/{LAB}.ipynb"
WHOLE_CLASS = {name: f"{PREFIX}{name}" for name in CLASS}

pytestmark = pytest.mark.slow


def done(work: Coroutine) -> object:
    """Run a coroutine in a thread of its own: in the tests' thread, Playwright may run a loop."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, work).result()


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    """A hub with two students, a teacher, and a lab that was released."""
    if problem := missing():
        pytest.skip(problem)
    software = os.environ.get("COURSE_HUB_SOFTWARE")  # an environment to use again, not a new one
    with a_hub(software and Path(software)) as hub:
        hub.set_up([ANA, BEN, *WHOLE_CLASS.values()], COURSE_STARTS="1")
        hub.start("proxy")
        hub.start("hub")
        hub.release(LAB)
        yield hub


def learner(hub: Hub, name: str) -> Learner:
    return Learner(hub.address, name, hub.passwords[name])


async def came_in(someone: Learner, hub: Hub) -> None:
    await someone.log_in()
    await someone.start_server()
    await someone.pull(hub.data / COURSE)


async def hand_in(someone: Learner, notebook: nbformat.NotebookNode) -> None:
    await someone.save(PATH, notebook)
    answer = await someone.exchange("submit", LAB)
    assert answer["success"], answer


def scores(hub: Hub) -> dict[str, float]:
    with open(hub.data / "class" / "grades.csv", encoding="utf-8", newline="") as file:
        return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}


def test_two_students_and_a_teacher_go_the_whole_way_to_feedback(hub):
    async def work() -> None:
        async with learner(hub, ANA) as ana, learner(hub, BEN) as ben:
            await asyncio.gather(came_in(ana, hub), came_in(ben, hub))
            # Only one server starts at once here, so one of the two was asked to wait.
            assert "Espera un momento" in ana.waiting_page + ben.waiting_page
            lesson = await ana.notebook("notebooks/00_start_here.ipynb")
            async with ana.kernel("notebooks") as kernel:
                said = [await kernel.run(c.source) for c in lesson.cells if c.cell_type == "code"]
            assert any("Nothing is missing" in each for each in said), said
            await hand_in(ana, CLASS["right"][0])
            await hand_in(ana, CLASS["right"][0])  # twice the same
            await hand_in(ben, CLASS["swapped"][0])
            graded = await asyncio.to_thread(hub.grade, LAB)
            assert "2 of 2 graded." in graded.stdout, graded.stderr[-2000:]
            for someone, right, said in (
                (ana, True, "Sine and cosine have changed places"),
                (ben, False, "Sine and cosine have changed places"),
            ):
                assert (await someone.exchange("fetch_feedback", LAB))["success"]
                home = Path("/home", someone.name, COURSE, "labs", LAB, "feedback")
                (page,) = home.rglob("*.html")
                text = page.read_text(encoding="utf-8")
                assert (said not in text) == right

    done(work())
    assert scores(hub)[ANA] == sum(deserved("right").values())
    assert scores(hub)[BEN] == sum(deserved("swapped").values())


def test_the_teacher_opens_the_formgrader_and_no_student_does(hub):
    async def look() -> None:
        async with learner(hub, TEACHER) as teacher:
            await teacher.log_in()
            page, where = await teacher.page("/services/grading/formgrader/manage_assignments")
            assert where.endswith("/formgrader/manage_assignments"), where
            assert "<title>nbgrader" in page.lower() or "formgrader" in page.lower()
            with pytest.raises(Refused):
                await teacher.page(f"/user/{ANA}/lab")  # not even the teacher enters
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


def test_a_server_starts_without_what_was_half_of_its_cost_and_helps_nobody(hub):
    """A grammar of addresses, and yarn's settings, which JupyterLab asks for if it finds node."""
    loads = "import sys, jupyter_server.serverapp; sys.exit('lark' in sys.modules)"
    run = hub.run_as(ANA, "python", "-c", loads)
    assert run.returncode == 0, run.stderr
    assert not (hub.software / "venv" / "bin" / "node").exists()


@pytest.mark.parametrize("password", ["", "wrong", ANA], ids=["none", "wrong", "own name"])
def test_nobody_comes_in_without_the_password(hub, password):
    async def try_it() -> None:
        async with Learner(hub.address, ANA, password) as someone:
            with pytest.raises(Refused) as refused:
                await someone.log_in()
            assert refused.value.status in (400, 403)

    done(try_it())


def test_students_read_neither_each_other_nor_the_gradebook_nor_what_was_handed_in(hub):
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


def test_a_submission_sees_neither_network_nor_gradebook_nor_others(hub):
    probe = f"""
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
    notebook = nbformat.from_dict(CLASS["right"][0])
    notebook.cells[-1:-1] = [nbformat.v4.new_code_cell(probe)]

    async def work() -> None:
        async with learner(hub, BEN) as ben:
            await came_in(ben, hub)
            await hand_in(ben, notebook)

    done(work())
    assert "graded" in hub.grade(LAB).stdout
    (graded,) = (hub.data / "class" / "autograded" / BEN).rglob("*.ipynb")
    outputs = str([cell.get("outputs") for cell in nbformat.read(graded, as_version=4).cells])
    assert re.findall(r"(class|home|network) (\w+)", outputs) == [
        ("class", "refused"),
        ("home", "refused"),
        ("network", "refused"),
    ]
    assert "others True" in outputs


def test_a_new_proxy_finds_the_servers_and_a_new_hub_keeps_websockets_and_variables(hub):
    async def work() -> None:
        async with learner(hub, ANA) as ana:
            await came_in(ana, hub)
            await asyncio.to_thread(hub.stop, "proxy")
            await asyncio.to_thread(hub.start, "proxy")
            async with asyncio.timeout(60):
                while True:
                    with contextlib.suppress(Refused):
                        await ana.notebook("notebooks/00_start_here.ipynb")
                        break
                    await asyncio.sleep(1)
            async with ana.kernel("notebooks") as kernel:
                await kernel.run("kept = 41")
                await asyncio.to_thread(hub.stop, "hub")
                assert "42" in await kernel.run("print(kept + 1)")
                await asyncio.to_thread(hub.start, "hub")
                assert "43" in await kernel.run("print(kept + 2)")
                await asyncio.sleep(5)  # until the hub has found the servers again
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
        hub.passwords[BEN] = "eight-and-more"
        async with learner(hub, BEN) as ben:
            await ben.log_in()

    done(work())


async def comes_in(hub: Hub, name: str, password: str) -> bool:
    async with Learner(hub.address, name, password) as someone:
        with contextlib.suppress(Refused):
            await someone.log_in()
            return True
    return False


def test_who_left_the_list_cannot_log_in_until_named_again(hub):
    everybody = [ANA, BEN, *WHOLE_CLASS.values()]
    password = hub.passwords[BEN]
    (hub.data / COURSE / "setup-index.lock").touch()  # as one that was broken off leaves it
    said = hub.set_up(["\ufeff" + ANA, "", f"{everybody[2]} \r", *everybody[3:]])  # from Windows
    assert f"{BEN} is not in the list" in said
    assert not done(comes_in(hub, BEN, password))
    assert done(comes_in(hub, ANA, hub.passwords[ANA]))
    assert Path("/home", BEN).exists()
    hub.set_up(everybody)
    assert done(comes_in(hub, BEN, password))


def test_a_new_password_takes_the_place_of_the_old_one(hub):
    old = hub.passwords[ANA]
    assert done(comes_in(hub, ANA, old))
    name, new = hub.run_set_up("--reset", ANA).stdout.split()
    assert name == ANA and not done(comes_in(hub, ANA, old))
    assert done(comes_in(hub, ANA, new))
    hub.passwords[ANA] = new
    run = hub.run_set_up("--reset", f"{PREFIX}nobody")
    assert run.returncode == 1 and "Nobody here is called" in run.stderr
    with pytest.raises(KeyError):
        pwd.getpwnam(f"{PREFIX}nobody")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("", "There is no name"),
        ("# a class\n\n", "There is no name"),
        (f"{ANA}\nAna\n", "Not so: Ana"),
        ("ana maria\n", "Not so: ana maria"),
        ("josé\nana.b\n-x\n", "Not so: josé, ana.b, -x"),
        ("a" * 32, "31 at most"),
        (f"{ANA}\nroot\n", "root is a name of the system's own"),
        ("sudo\n", "sudo is a name of the system's own"),
        ("nobody\n", "nobody is a name of the system's own"),
    ],
    # A name of this process is among them, and each process has to give the same ids.
    ids=itertools.count(),
)
def test_a_list_with_other_names_is_refused_before_anything_is_made(hub, names, said):
    before = {path: path.stat().st_mtime for path in (hub.software, hub.data)}
    (hub.folder / "other.txt").write_text(names, encoding="utf-8")
    run = hub.run_set_up(hub.folder / "other.txt")
    assert run.returncode == 1 and not run.stdout
    assert said in run.stderr and run.stderr.count("\n") == 1
    assert before == {path: path.stat().st_mtime for path in before}


def hand_in_by_command(hub: Hub, name: str) -> None:
    """As from a terminal."""
    folder = Path("/home", WHOLE_CLASS[name], COURSE, "labs", LAB)
    folder.mkdir(parents=True)
    nbformat.write(CLASS[name][0], folder / f"{LAB}.ipynb")
    run = hub.run_as(WHOLE_CLASS[name], "nbgrader", "submit", LAB)
    assert run.returncode == 0, run.stderr


def grades_of_ten(hub: Hub, address: str) -> dict[str, dict[str, float]]:
    found = points_in(address)
    return {
        name: {exercise: points or 0 for exercise, points in found[account].items()}
        for name, account in WHOLE_CLASS.items()
    }


def test_a_class_of_ten_gets_the_grades_it_deserves_by_hub_in_four_processes(hub):
    """In one process and by files, tests/test_grading.py finds the same ones."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(partial(hand_in_by_command, hub), CLASS))
    run = hub.grade(LAB, "--jobs", "4")
    assert run.returncode == 1 and f"by hand: {WHOLE_CLASS['kernel']}" in run.stdout, run.stderr
    found = grades_of_ten(hub, f"sqlite:///{hub.data / 'class' / 'gradebook.db'}")
    assert found == {name: deserved(name) for name in CLASS}


def test_setup_run_again_adds_what_is_new_and_takes_postgresql_in_one_line(hub):
    program = postgresql.find_server()
    if program is None:
        pytest.skip("PostgreSQL is missing: install the server (Debian's package postgresql).")
    before = dict(hub.passwords)
    with postgresql.running(program) as database:
        address = f"postgresql+psycopg://{database}"
        students = [ANA, BEN, *WHOLE_CLASS.values(), f"{PREFIX}new"]
        hub.set_up(students, COURSE_GRADEBOOK=address)
        assert hub.passwords.items() - before.items() <= {
            (name, hub.passwords[name]) for name in (BEN, f"{PREFIX}new")
        }
        assert set(hub.passwords) - set(before) == {f"{PREFIX}new"}
        assert stat.S_IMODE(Path("/home", ANA).stat().st_mode) == 0o700
        hub.release(LAB)
        run = hub.grade(LAB, "--jobs", "4", "--again")
        assert run.returncode == 1, run.stderr
        assert grades_of_ten(hub, address) == {name: deserved(name) for name in CLASS}
