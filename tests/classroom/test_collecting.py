"""What learning platforms hand out is sorted by student, and whatever is left out is named."""

import csv
import json
import shutil
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest
from checks.labs import REPOSITORY, needs_nbgrader

from classroom.collect import collect, due_date, main

LAB = "03_sinusoidal"
NOTEBOOK = f"{LAB}.ipynb"
TESTS = ("check-row", "check-rows", "check-clock")
MOODLE = "Ana_1_assignsubmission_file_"
ANA, BO = f"{MOODLE}/{NOTEBOOK}", f"Bo_2_assignsubmission_file_/{NOTEBOOK}"


@pytest.fixture(autouse=True)
def course(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def notebook(text: str, tests: tuple[str, ...] = ()) -> str:
    """A notebook that says this, with these tests of a lab."""
    cells = [{"cell_type": "markdown", "source": text, "metadata": {}}]
    marks = [{"nbgrader": {"grade_id": name}} for name in tests]
    cells += [{"cell_type": "code", "source": "", "metadata": each} for each in marks]
    return json.dumps({"cells": cells, "metadata": {}})


RELEASED = json.loads(notebook("", TESTS))


def zipped(name: str, files: dict[str, str | bytes], day: int = 1) -> Path:
    """An archive of these files; words under the name of a notebook are what it says."""
    with ZipFile(name, "w") as archive:
        for file, content in files.items():
            if file.endswith(".ipynb") and isinstance(content, str) and content[:1] != "{":
                content = notebook(content)
            archive.writestr(ZipInfo(file, (2026, 11, day, 12, 0, 0)), content)
    return Path(name)


def worksheet() -> Path:
    """A table of a platform: rows of Moodle in Spanish, and one of Canvas."""
    head, path = "Identificador,Nombre completo,Dirección de correo", Path("worksheet.csv")
    path.write_text(f"{head}\nParticipante 1,Ana Pérez,ana@x.org\nBo Lí,2,bo@x.org", "utf-8-sig")
    return path


def collected(*places: Path, **options: object) -> tuple[bool, dict[str, str]]:
    """Whether all was taken, and what each student's notebook says."""
    complete = collect(LAB, places, Path("submitted"), RELEASED, **options)
    found = Path("submitted").glob(f"*/{LAB}/{NOTEBOOK}")
    return complete, {path.parts[1]: said(path) for path in found}


def said(path: Path) -> str:
    return json.loads(path.read_text())["cells"][0]["source"]


def listed() -> dict[str, dict[str, str]]:
    """The list beside the notebooks, by student."""
    with open(f"submitted/{LAB}.csv", encoding="utf-8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


ARCHIVES = {
    "Moodle, in folders and without": {
        f"Ana Pe\u0301rez Nun\u0303ez_12345_assignsubmission_file_/{NOTEBOOK}": "Ana Pérez Nuñez",
        f"Bo O'Neil_12346_assignsubmission_file_/{LAB} (1).ipynb": "Bo O'Neil",
        f"Cai Wu_12347_assignsubmission_file/work/{NOTEBOOK}": "Cai Wu",
        f"Cai_Li_12348_assignsubmission_file_{LAB}-Copy1.ipynb": "Cai_Li",
    },
    "Canvas, late ones and a third attempt": {
        f"perezana_123_456_{LAB}.ipynb": "",
        f"perezana_123_789_{LAB}-2.ipynb": "perezana",
        f"perezana_123_457_{LAB}-1.ipynb": "",
        f"wucai_LATE_124_458_{LAB}-1.ipynb": "wucai",
    },
    "Canvas, two of one name": {
        f"perezana_123_456_{NOTEBOOK}": "perezana 123",
        f"perezana_LATE_124_457_{NOTEBOOK}": "perezana 124",
    },
    "Canvas, renamed": {"wucai_124_458_lab3-2.ipynb": "", "wucai_124_459_lab3-10.ipynb": "wucai"},
    "Blackboard, attempts with their texts": {
        f"Gradebook_Lab 03_perezana_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "perezana",
        "Gradebook_Lab 03_perezana_attempt_2026-11-20-09-00-00.txt": "",
        f"Gradebook_Lab 03_perezana_attempt_2026-11-19-23-59-59_{NOTEBOOK}": "",
    },
    "Blackboard, two names that end alike": {
        f"L3_a_wu_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "wu L3_a_wu",
        f"L3_b_wu_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "wu L3_b_wu",
    },
    "Google Classroom, a copy for each": {f"Lab 03/Mary-Jane Li - {NOTEBOOK}": "Mary-Jane Li"},
    "by hand": {f"ana__{NOTEBOOK}": "ana", "Bo Li__my final lab.ipynb": "Bo Li"},
}
"""Files as platforms name them, and who is graded by each; nobody, where there is a newer one."""


@pytest.mark.parametrize("files", ARCHIVES.values(), ids=ARCHIVES)
def test_an_archive_is_taken_as_it_was_downloaded(files):
    """Each file holds its name, and tests of the lab, by which a renamed notebook is known."""
    contents = {file: notebook(file, TESTS[:2]) for file in files if file.endswith(".ipynb")}
    archive = zipped("CS101-Lab 03-2026.zip", dict.fromkeys(files, "text") | contents)
    assert collected(archive) == (True, {name: file for file, name in files.items() if name})


def test_a_notebook_with_fewer_than_half_of_the_tests_is_another_lab():
    archive = zipped("all.zip", {"bo__some lab.ipynb": notebook("bo", TESTS[:1])})
    assert collected(archive) == (False, {})


@pytest.mark.parametrize(
    ("file", "state"),
    [
        (f"{MOODLE}/work.zip", "no-notebook"),
        (f"{MOODLE}/grades.csv", "no-notebook"),
        ("Ana_1_assignsubmission_onlinetext_/onlinetext.html", "no-notebook"),
        (f"{MOODLE}/02_binary.ipynb", "other-lab"),
        ("L3_perezana_attempt_2026-11-20-09-00-00.txt", "no-notebook"),
    ],
)
def test_everybody_who_sent_anything_has_a_row_with_number_and_address(capsys, file, state):
    archive = zipped("all.zip", {file: "?", BO: "bo"})
    assert collected(archive, worksheet()) == (False, {"Bo": "bo"})
    (row,) = [row for row in listed().values() if row["file"] == f"all.zip/{file}"]
    assert row["student"] in ("Ana", "perezana") and row["state"] == state
    assert row["number"] != "1" or row["address"] == "ana@x.org"
    assert f"all.zip/{file}" in capsys.readouterr().out.split("nothing to grade")[1]


@pytest.mark.parametrize(
    "stranger",
    [
        f"Lab 03/{NOTEBOOK}",
        "Lab 03 - instructions.pdf",
        f"13_sinusoidal__{LAB}_of_ana.ipynb",
        f".._1_assignsubmission_file_/{NOTEBOOK}",
    ],
)
def test_a_file_of_nobody_is_named_and_listed_until_somebody_takes_it(capsys, stranger):
    archive = zipped("all.zip", {stranger: "?", BO: "bo", ".DS_Store": ""})
    assert collected(archive) == (False, {"Bo": "bo"})
    after = capsys.readouterr().out.split("NOT COLLECTED")[1]
    assert f"all.zip/{stranger}" in after and "Bo" not in after and "NO RECOGIDOS" in after
    assert {path.name for path in Path().iterdir()} == {"all.zip", "submitted"}
    assert listed()[""]["file"] == f"all.zip/{stranger}"
    collected(archive, taken_as={f"all.zip/{stranger}": "Ana"})
    assert listed().keys() == {"Ana", "Bo"}


def test_who_sent_nothing_is_listed_from_the_platforms_table_until_it_comes(capsys):
    assert collected(zipped("a.zip", {ANA: "ana"}), worksheet())[0]
    assert "without a submission" in capsys.readouterr().out
    states = {name: (row["state"], row["address"]) for name, row in listed().items()}
    assert states == {"Ana": ("", "ana@x.org"), "Bo Lí": ("nothing", "bo@x.org")}
    assert collected(zipped("b.zip", {BO: "bo"}))[0]
    assert {row["state"] for row in listed().values()} == {""}


def test_what_a_teacher_mended_stays_until_it_is_to_be_replaced(capsys):
    first, newer = zipped("a.zip", {ANA: "hers"}), zipped("b.zip", {ANA: "newer"}, day=9)
    assert collected(first) == (True, {"Ana": "hers"})
    Path("submitted", "Ana", LAB, NOTEBOOK).write_text(notebook("mended"))
    for archive in (first, newer):
        capsys.readouterr()
        assert collected(archive) == (True, {"Ana": "mended"})
        assert f"Ana: {archive}/" in capsys.readouterr().out.split("NOT OVERWRITTEN")[1]
    assert collected(newer, replace_changed=True) == (True, {"Ana": "newer"})
    assert collected(first) == (True, {"Ana": "hers"})  # nothing was changed by hand
    Path("submitted", f"{LAB}.csv").unlink()
    collected(first)
    assert listed().keys() == {"Ana"}


def test_what_came_by_mail_in_place_of_a_broken_file_stays():
    broken, again = zipped("a.zip", {BO: "{"}), zipped("b.zip", {BO: "again"}, day=9)
    collected(broken)
    by_mail = Path("submitted", "Bo", LAB, NOTEBOOK)
    by_mail.parent.mkdir(parents=True)
    by_mail.write_text(notebook("by mail"))
    for archive in (broken, again):
        assert collected(archive)[1] == {"Bo": "by mail"}


def test_the_newer_notebook_is_taken_and_of_two_of_one_age_a_teacher_decides(capsys):
    same, other, again = (zipped(f"{file}.zip", {ANA: text}) for file, text in ("aa", "bb", "ca"))
    assert collected(same, other) == (False, {})
    assert "neither is newer" in capsys.readouterr().out and listed()["Ana"]["state"] == "undecided"
    assert collected(same, again) == (True, {"Ana": "a"})
    newer = zipped("newer.zip", {ANA: "newer"}, day=20)
    assert collected(newer, same) == (True, {"Ana": "newer"})
    assert f"a.zip/{ANA}" in capsys.readouterr().out.split("Skipped")[1]


def test_archives_in_archives_and_folders_are_opened_and_broken_ones_named(capsys):
    inner = {f"my work/{NOTEBOOK}": "inner", "my work/notes.txt": "notes"}
    work = zipped("work.zip", inner).read_bytes()
    broken = BO.replace(NOTEBOOK, "work.zip")
    outer = {f"{MOODLE}/work.zip": work, "Eva_12_345_work.ZIP": work, broken: "no zip at all"}
    Path("folder").mkdir()
    Path("folder", f"cai__{NOTEBOOK}").write_text(notebook("cai"))
    taken = collected(zipped("outer.zip", outer), Path("folder"))
    assert taken == (False, {"Ana": "inner", "Eva": "inner", "cai": "cai"})
    assert broken in capsys.readouterr().out


@pytest.fixture
def command(monkeypatch) -> Callable[..., int]:
    """Runs the command in the folder of a course that has an own lab; its exit code."""
    Path("solutions", "own").mkdir(parents=True)

    def run(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["collect", *arguments])
        try:
            return main()
        except SystemExit as end:
            return end.code

    return run


@needs_nbgrader
def test_the_command_ends_with_1_where_one_was_not_taken_and_keeps_the_due(command, monkeypatch):
    shutil.copy(REPOSITORY / "nbgrader_config.py", ".")
    # nbgrader starts a program, for seconds, to ask for the version of its own tables.
    monkeypatch.setattr("nbgrader.api.get_alembic_version", lambda *address: "newest")
    Path("solutions", LAB).mkdir()
    Path("solutions", LAB, NOTEBOOK).write_text(notebook("", TESTS))
    files = [f"ana__{NOTEBOOK}", f"bo__{LAB}_final.ipynb", f"cai__{LAB}_final.ipynb"]
    for name, tests in zip(files, ((), TESTS, ()), strict=True):
        Path(name).write_text(notebook("", tests))
    assert [command(LAB, name) for name in (*files, "nowhere")] == [0, 0, 1, 2]
    assert command(LAB, files[0], "--due", "20.11.2026") == 2
    assert not Path("gradebook.db").exists()
    assert command(LAB, files[0], "--due", "2026-11-20 23:59") == 0
    assert due_date(LAB, None) == datetime(2026, 11, 20, 23, 59)


def test_a_lab_that_is_only_a_folder_is_known_by_its_name_or_by_a_teacher(command, capsys):
    files = ["ana__own.ipynb", "scan.ipynb", "other.ipynb"]
    for name in files:
        Path(name).write_text(notebook(name, TESTS))
    assert command("own", *files, "--take", "scan.ipynb=eva") == 1
    assert "other.ipynb" in capsys.readouterr().out
    found = {path.parts[1]: said(path) for path in Path().glob("submitted/*/own/*.ipynb")}
    assert found == {"ana": "ana__own.ipynb", "eva": "scan.ipynb"}


def test_a_file_in_an_archive_is_given_to_a_student_without_unpacking_it():
    archive = zipped("a.zip", {ANA: "old", "lab.ipynb": notebook("of bo", TESTS)})
    taken_as = {"a.zip/lab.ipynb": "Bo"}
    assert collected(archive, taken_as=taken_as) == (True, {"Ana": "old", "Bo": "of bo"})
    newer = zipped("b.zip", {"x.ipynb": notebook("new", TESTS)}, day=9)
    taken = collected(archive, newer, taken_as=taken_as | {"b.zip/x.ipynb": "Ana"})
    assert taken == (True, {"Ana": "new", "Bo": "of bo"})  # no second Ana
    assert listed()["Ana"]["number"] == "1"


@pytest.mark.parametrize("content", [b"", b"[]", b'{"cells": 3}'])
def test_what_cannot_be_read_is_named_and_never_given_to_nbgrader(capsys, content):
    assert collected(zipped("a.zip", {ANA: content, BO: "bo"})) == (False, {"Bo": "bo"})
    printed = capsys.readouterr().out
    assert ANA in printed.split("CANNOT BE READ")[1] and "NO SE PUEDEN LEER" in printed
    states = {name: row["state"] for name, row in listed().items()}
    assert states == {"Ana": "damaged", "Bo": ""}
    again = zipped("b.zip", {ANA: "whole"})
    later = zipped("c.zip", {ANA: "{"}, day=9)  # it replaces no whole one
    assert collected(again, later) == (True, {"Ana": "whole", "Bo": "bo"})
    assert listed()["Ana"]["state"] == ""


def test_number_address_time_and_file_are_kept_and_what_is_late_is_marked(capsys):
    files = {
        ANA: "ana",
        f"L3_wu_attempt_2026-11-20-09-00-01_{NOTEBOOK}": "wu",
        f"L3_dan_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "dan",
        f"wucai_LATE_124_458_{NOTEBOOK}": "cai",
    }
    archive = zipped("a.zip", files, day=3)
    assert collected(archive, worksheet(), due=datetime(2026, 11, 20, 9))[0]
    assert {name for name, row in listed().items() if row["late"]} == {"wu", "wucai"}
    printed = capsys.readouterr().out.splitlines()
    marked = [line for line in printed if "late" in line.lower()]
    assert marked == [line for line in printed if line.startswith("wu")]
    ana, wu = (listed()[name] for name in ("Ana", "wu"))
    assert ana["number"] == "1" and ana["address"] == "ana@x.org"
    assert ana["time"] == "2026-11-03 12:00:00" and wu["time"] == "2026-11-20 09:00:01"
    assert ana["file"] == f"a.zip/{ANA}"
    assert Path("submitted", "wu", LAB, "timestamp.txt").read_text() == "2026-11-20 09:00:01"


@needs_nbgrader
@pytest.mark.parametrize(
    ("file", "back"),
    [
        (f"s.zip/{ANA}", f"{MOODLE}/{LAB}.html"),
        ("all/s.zip/perezana_123_456_lab3.ipynb", "perezana_123_456_lab3.html"),
        (f"s.zip/{MOODLE}/work.zip/{NOTEBOOK}", f"{MOODLE}/work.html"),
        (f"s.zip/{MOODLE}/{NOTEBOOK}.txt", f"{MOODLE}/{LAB}.ipynb.html"),
        (f"s.zip/{MOODLE}/lab", f"{MOODLE}/lab.html"),
        ("", f"ana/{LAB}.html"),
    ],
)
def test_a_page_goes_back_under_the_path_that_the_platform_gave(file, back):
    from classroom.give_back import path_back
    from classroom.submissions import Submission

    assert path_back(Submission("ana", {}, listed={"file": file}), LAB) == back
