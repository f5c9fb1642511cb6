"""Tests of collecting submissions from learning platforms."""

import csv
import json
import shutil
import unicodedata
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest
from checks.labs import REPOSITORY, needs_nbgrader

from classroom.collect import collect
from classroom.platforms import GivenFileError, moment

LAB = "03_sinusoidal"
NOTEBOOK = f"{LAB}.ipynb"
TESTS = ("check-row", "check-rows", "check-clock")
MOODLE = "Ana_1_assignsubmission_file_"
ANA, BO = f"{MOODLE}/{NOTEBOOK}", f"Bo_2_assignsubmission_file_/{NOTEBOOK}"


@pytest.fixture(autouse=True)
def course(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def notebook(text: str, tests: tuple[str, ...] = ()) -> str:
    """Create a notebook with this text and these tests of a lab."""
    cells = [{"cell_type": "markdown", "source": text, "metadata": {}}]
    marks = [{"nbgrader": {"grade_id": name}} for name in tests]
    cells += [{"cell_type": "code", "source": "", "metadata": each} for each in marks]
    return json.dumps({"cells": cells, "metadata": {}})


RELEASED = json.loads(notebook("", TESTS))


def zipped(name: str, files: dict[str, str | bytes], day: int = 1) -> Path:
    """Create an archive of these files; text becomes the content of a notebook."""
    with ZipFile(name, "w") as archive:
        for file, content in files.items():
            if file.endswith(".ipynb") and isinstance(content, str) and content[:1] != "{":
                content = notebook(content)
            archive.writestr(ZipInfo(file, (2026, 11, day, 12, 0, 0)), content)
    return Path(name)


def worksheet() -> Path:
    """Create a table with a row from Moodle, in Spanish, and a row from Canvas."""
    head, path = "Identificador,Nombre completo,Dirección de correo", Path("worksheet.csv")
    path.write_text(f"{head}\nParticipante 1,Ana Pérez,ana@x.org\nBo Lí,2,bo@x.org", "utf-8-sig")
    return path


def collected(*places: Path, **options: object) -> tuple[bool, dict[str, str]]:
    """Return True if all files were collected, and the text in each student's notebook."""
    left = collect(LAB, places, Path("submitted"), RELEASED, **options)
    found = Path("submitted").glob(f"*/{LAB}/{NOTEBOOK}")
    return not left, {path.parts[1]: text_of(path) for path in found}


def text_of(path: Path) -> str:
    return "".join(json.loads(path.read_text())["cells"][0]["source"])


def listed() -> dict[str, dict[str, str]]:
    """Return the list of submissions, keyed by student."""
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
        f"Gradebook_Lab 03_perezana_attempt_2026-11-19-23-59-59_{NOTEBOOK}": "",
    },
    "Blackboard, two names that end alike": {
        f"L3_a_wu_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "wu L3_a_wu",
        f"L3_b_wu_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "wu L3_b_wu",
    },
    "Google Classroom, a copy for each": {f"Lab 03/Mary-Jane Li - {NOTEBOOK}": "Mary-Jane Li"},
    "by hand": {f"ana__{NOTEBOOK}": "ana", f"Bo Li - Copia de {NOTEBOOK}": "Bo Li"},
    "Canvas, names with underscores": {f"pe_rez_ana_123_456_{NOTEBOOK}": "pe_rez_ana"},
    "Canvas, anonymous": {
        f"anon_Ab1x9_456_{NOTEBOOK}": "anon_Ab1x9",
        f"LATE_anon_12345_457_{NOTEBOOK}": "anon_12345",
    },
    "Blackboard, names with underscores": {
        f"L3_wu_cai_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "wu_cai",
        "L3_wu_cai_attempt_2026-11-20-09-00-00.txt": "",
    },
    "Moodle, anonymous": {
        f"Participant_71_assignsubmission_file_/{NOTEBOOK}": "Participant 71",
        f"Participant_72_assignsubmission_file_/{NOTEBOOK}": "Participant 72",
    },
    "ILIAS": {
        f"Lab 3/Pérez_Ana_ap_71/{NOTEBOOK}": "Pérez_Ana_ap_71",
        "Lab 3/Wu_Cai_cw_72/my lab.ipynb": "Wu_Cai_cw_72",
    },
    "Sakai": {
        f"Lab 3/Pérez, Ana(ap)/Submission attachment(s)/{NOTEBOOK}": "Pérez, Ana(ap)",
        f"Lab 3/Wu, Cai(cw)/Submission attachment(s)/{NOTEBOOK}": "Wu, Cai(cw)",
        "Lab 3/Wu, Cai(cw)/timestamp.txt": "",
    },
    "GitHub Classroom": {
        f"lab-3-submissions/lab-3-ana/labs/{LAB}/{NOTEBOOK}": "lab-3-ana",
        f"lab-3-submissions/lab-3-bo/{NOTEBOOK}": "lab-3-bo",
    },
    "nbgrader": {f"ana/{LAB}/{NOTEBOOK}": "ana"},
    "Brightspace, in folders": {  # https://github.com/squell/bb-scripts/issues/48
        f"71-301 - Ana Pérez - Nov 20, 2026 1159 PM/{NOTEBOOK}": "",
        "71-301 - Ana Pérez - Nov 21, 2026 905 AM/my lab.ipynb": "Ana Pérez",
        f"72-301 - Bo Li - Nov 20, 2026 1200 PM/work/{NOTEBOOK}": "Bo Li",
        "index.html": "",
    },
    "Brightspace, without folders": {
        f"71-301 - Ana Pérez - Nov 21, 2026 905 AM - {NOTEBOOK}": "Ana Pérez",
        f"71-301 - Ana Pérez - Nov 20, 2026 1159 PM - {NOTEBOOK}": "",
    },
    "packed by PowerShell": {  # https://github.com/PowerShell/PowerShell/issues/2140
        f"Ana_1_assignsubmission_file_\\{NOTEBOOK}": "Ana",
        f"Ana_1_assignsubmission_file_\\.ipynb_checkpoints\\{LAB}-checkpoint.ipynb": "",
        "Bo_2_assignsubmission_file_\\work\\": "",
        f"Bo_2_assignsubmission_file_\\work\\{NOTEBOOK}": "Bo",
    },
    "a copy of the course": {
        f"{MOODLE}/course/labs/{LAB}/{NOTEBOOK}": "Ana",
        f"{MOODLE}/course/solutions/{LAB}/{NOTEBOOK}": "",
        f"{MOODLE}/course/.git/objects/1f/2e": "",
    },
}
"""File names of platforms and the expected students; None if there is a newer file."""


@pytest.mark.parametrize("files", ARCHIVES.values(), ids=ARCHIVES)
def test_downloaded_archive_is_collected_unchanged(files):
    """Each file contains its name and the lab's tests, which identify renamed notebooks."""
    contents = {file: notebook(file, TESTS[:2]) for file in files if file.endswith(".ipynb")}
    for file in contents:
        if "/solutions/" in file:
            contents[file] = notebook("### BEGIN HIDDEN TESTS", TESTS)
    receipt = "Name: Wu Cai (wu_cai)\nAssignment: L3\n"
    archive = zipped("CS101-Lab 03-2026.zip", dict.fromkeys(files, receipt) | contents)
    assert collected(archive) == (True, {name: file for file, name in files.items() if name})


def test_notebook_with_few_tests_is_another_lab():
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
def test_every_sender_has_row_with_number_address(capsys, file, state):
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
def test_unassigned_file_is_listed_until_assigned(capsys, stranger):
    archive = zipped("all.zip", {stranger: "?", BO: "bo", ".DS_Store": ""})
    assert collected(archive) == (False, {"Bo": "bo"})
    after = capsys.readouterr().out.split("NOT COLLECTED")[1]
    assert f"all.zip/{stranger}" in after and "Bo" not in after and "NO RECOGIDOS" in after
    assert {path.name for path in Path().iterdir()} == {"all.zip", "submitted"}
    assert listed()[""]["file"] == f"all.zip/{stranger}"
    collected(archive, taken_as={f"all.zip/{stranger}": "Ana"})
    assert listed().keys() == {"Ana", "Bo"}


def test_missing_submissions_are_listed_until_they_come(capsys):
    assert collected(zipped("a.zip", {ANA: "ana"}), worksheet())[0]
    assert "without a submission" in capsys.readouterr().out
    states = {name: (row["state"], row["address"]) for name, row in listed().items()}
    assert states == {"Ana": ("", "ana@x.org"), "Bo Lí": ("nothing", "bo@x.org")}
    assert collected(zipped("b.zip", {BO: "bo"}))[0]
    assert {row["state"] for row in listed().values()} == {""}


def test_collect_keeps_manual_fixes(capsys):
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


def test_collect_keeps_mailed_replacements():
    broken, again = zipped("a.zip", {BO: "{"}), zipped("b.zip", {BO: "again"}, day=9)
    collected(broken)
    by_mail = Path("submitted", "Bo", LAB, NOTEBOOK)
    by_mail.parent.mkdir(parents=True)
    by_mail.write_text(notebook("by mail"))
    for archive in (broken, again):
        assert collected(archive)[1] == {"Bo": "by mail"}


def test_newer_notebook_is_taken(capsys):
    same, other, again = (zipped(f"{file}.zip", {ANA: text}) for file, text in ("aa", "bb", "ca"))
    assert collected(same, other) == (False, {})
    assert "neither is newer" in capsys.readouterr().out and listed()["Ana"]["state"] == "undecided"
    assert collected(same, again) == (True, {"Ana": "a"})
    newer = zipped("newer.zip", {ANA: "newer"}, day=20)
    assert collected(newer, same) == (True, {"Ana": "newer"})
    assert f"a.zip/{ANA}" in capsys.readouterr().out.split("Skipped")[1]


def test_nested_archives_are_opened(capsys):
    inner = {f"my work/{NOTEBOOK}": "inner", "my work/notes.txt": "notes"}
    work = zipped("work.zip", inner).read_bytes()
    broken = BO.replace(NOTEBOOK, "work.zip")
    outer = {f"{MOODLE}/work.zip": work, "eva_12_345_work.ZIP": work, broken: "no zip at all"}
    Path("folder").mkdir()
    Path("folder", f"cai__{NOTEBOOK}").write_text(notebook("cai"))
    taken = collected(zipped("outer.zip", outer), Path("folder"))
    assert taken == (False, {"Ana": "inner", "eva": "inner", "cai": "cai"})
    assert broken in capsys.readouterr().out


@pytest.fixture
def command(monkeypatch) -> Callable[..., int]:
    """Collect submissions with the command and return its exit code."""
    from classroom.evening import collect_as_asked, command_line
    from classroom.submissions import Folders

    # nbgrader would start a program to look up its database version, which takes seconds.
    monkeypatch.setattr("nbgrader.api.get_alembic_version", lambda *address: "newest")
    shutil.copy(REPOSITORY / "nbgrader_config.py", ".")
    folders, parser = Folders.configured(), command_line()

    def run(*arguments: str) -> int:
        try:
            return bool(collect_as_asked(parser, parser.parse_args(arguments), folders))
        except SystemExit as end:
            return end.code

    return run


@needs_nbgrader
def test_collect_exits_1_if_file_was_not_taken(command):
    from classroom.evening import due_date

    Path("solutions", LAB).mkdir(parents=True)
    Path("solutions", LAB, NOTEBOOK).write_text(notebook("", TESTS))
    files = [f"ana__{NOTEBOOK}", f"bo__{LAB}_final.ipynb", f"cai__{LAB}_final.ipynb"]
    for name, tests in zip(files, ((), TESTS, ()), strict=True):
        Path(name).write_text(notebook("", tests))
    Path("broken.zip").write_text("<html>")
    assert [command(LAB, name) for name in (*files, "nowhere", "broken.zip")] == [0, 1, 1, 2, 2]
    assert command(LAB, files[0], "--due", "20.11.2026") == 2
    assert command(LAB, files[0], "--due", "2026-11-20") == 2  # the submission has no timestamp
    assert due_date(LAB, None, "sqlite:///gradebook.db") is None
    Path("times.csv").write_text("ID,Name,Submitted\n7,Eva,2026-11-20 23:59:30")
    assert command(LAB, files[0], "times.csv", "--due", "2026-11-20") == 0
    assert due_date(LAB, None, "sqlite:///gradebook.db") == datetime(2026, 11, 20, 23, 59, 59)


@needs_nbgrader
def test_lab_folder_is_known_by_its_name(command, capsys):
    files = ["ana__own.ipynb", "scan.ipynb", "other.ipynb"]
    for name in files:
        Path(name).write_text(notebook(name, TESTS))
    assert command("own", *files, "--take", "scan.ipynb=eva") == 1
    assert "other.ipynb" in capsys.readouterr().out
    found = {path.parts[1]: text_of(path) for path in Path().glob("submitted/*/own/*.ipynb")}
    assert found == {"ana": "ana__own.ipynb", "eva": "scan.ipynb"}


def test_file_in_archive_can_be_assigned():
    archive = zipped("a.zip", {ANA: "old", "lab.ipynb": notebook("of bo", TESTS)})
    taken_as = {"a.zip/lab.ipynb": "Bo"}
    assert collected(archive, taken_as=taken_as) == (True, {"Ana": "old", "Bo": "of bo"})
    newer = zipped("b.zip", {"x.ipynb": notebook("new", TESTS)}, day=9)
    taken = collected(archive, newer, taken_as=taken_as | {"b.zip/x.ipynb": "Ana"})
    assert taken == (True, {"Ana": "new", "Bo": "of bo"})  # no second Ana
    assert listed()["Ana"]["number"] == "1"


@pytest.mark.parametrize("content", [b"", b"[]", b'{"cells": 3}'])
def test_unreadable_file_never_reaches_nbgrader(capsys, content):
    assert collected(zipped("a.zip", {ANA: content, BO: "bo"})) == (False, {"Bo": "bo"})
    printed = capsys.readouterr().out
    assert ANA in printed.split("CANNOT BE READ")[1] and "NO SE PUEDEN LEER" in printed
    states = {name: row["state"] for name, row in listed().items()}
    assert states == {"Ana": "damaged", "Bo": ""}
    again = zipped("b.zip", {ANA: "whole"})
    later = zipped("c.zip", {ANA: "{"}, day=9)  # a damaged notebook replaces no intact one
    assert collected(again, later) == (True, {"Ana": "whole", "Bo": "bo"})
    assert listed()["Ana"]["state"] == ""


def test_late_submission_keeps_its_data(capsys):
    files = {
        ANA: "ana",
        f"L3_wu_attempt_2026-11-20-09-00-01_{NOTEBOOK}": "wu",
        f"L3_dan_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "dan",
        f"wucai_LATE_124_458_{NOTEBOOK}": "cai",
    }
    archive = zipped("a.zip", files, day=3)
    assert collected(archive, worksheet(), due=datetime(2026, 11, 20, 9))[0]
    assert {name for name, row in listed().items() if row["late"]} == {"wu", "wucai"}
    assert capsys.readouterr().out.split("Tarde:\n")[1].split("\n\n")[0].split() == ["wu", "wucai"]
    ana, wu = (listed()[name] for name in ("Ana", "wu"))
    assert ana["number"] == "1" and ana["address"] == "ana@x.org"
    assert ana["time"] == "" and wu["time"] == "2026-11-20 09:00:01"  # only the platform's time
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
def test_page_returns_under_its_platform_path(file, back):
    from classroom.give_back import path_back
    from classroom.submissions import Submission

    assert path_back(Submission("ana", {}, listed={"file": file}), LAB) == back


ASKED = {
    "cells": [
        {
            "cell_type": "code",
            "id": name,
            "source": source,
            "metadata": {"nbgrader": {"grade_id": name, "grade": is_test, "solution": not is_test}},
        }
        for name, source, is_test in (
            ("f", "def f(n):\n    pass", False),
            ("check-f", 'check("f", f)', True),
            ("g", "def g(n):\n    pass", False),
            ("check-g", 'check("g", g)', True),
        )
    ]
}
"""Released lab with two exercises."""


def filled(*answered: str) -> str:
    """Return this lab with answers to these exercises."""
    lab = json.loads(json.dumps(ASKED))
    for cell in lab["cells"]:
        if cell["id"] in answered:
            cell["source"] = cell["source"].replace("pass", "return n")
    return json.dumps(lab)


WORKSHEET = REPOSITORY / "tests" / "classroom" / "worksheet.csv"
"""Grading worksheet with the columns of Moodle's mod/assign/gradingtable.php."""


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("Friday, 20 November 2026, 11:59 PM", "2026-11-20 23:59:00"),
        ("Friday, November 20, 2026, 12:05 AM", "2026-11-20 00:05:00"),
        ("viernes, 20 de noviembre de 2026, 23:59", "2026-11-20 23:59:00"),
        ("2026-11-20T23:59:30Z", "2026-11-20 23:59:30"),
        ("-", ""),
        ("Freitag, 20. Dezember 2026, 23:59", ""),
        ("31 February 2026, 25:61", ""),
    ],
)
def test_worksheet_times_are_read(written, time):
    assert moment(written) == time


def test_times_come_from_worksheet_alone(capsys):
    shutil.copy(WORKSHEET, "sheet.csv")
    archive, due = (
        zipped("a.zip", {ANA: "ana", BO: "bo"}, day=29),
        datetime(2026, 11, 20, 23, 59, 59),
    )
    with pytest.raises(ValueError, match="no-times"):
        collected(archive, due=due, needs_times=True)
    assert not Path("submitted").exists()
    assert collected(archive, Path("sheet.csv"), due=due, needs_times=True)[0]
    states = {name: (row["time"], row["late"]) for name, row in listed().items()}
    assert states == {
        "Ana": ("2026-11-20 23:59:00", ""),
        "Bo": ("2026-11-21 00:00:00", "late"),
        "Cai": ("", ""),
    }


@pytest.mark.parametrize(
    "names",
    [
        ["Lab 2 - Ana.ipynb", "Lab 2 - Bo.ipynb"],
        ["Lab_07_2026_X.ipynb", "lab_07_2026_Y.ipynb"],
        ["03_sinusoidal_ana.ipynb", "Ana_Perez_lab3.ipynb"],
        [f"Ana - {NOTEBOOK}", f"Ana - {LAB} (1).ipynb"],  # same name in Google Drive
        [f"A/ana/{NOTEBOOK}", f"A/bo/{NOTEBOOK}", f"B/cai/{NOTEBOOK}", f"B/dan/{NOTEBOOK}"],
        [f"labs/{LAB}/{NOTEBOOK}"],
    ],
)
def test_no_name_is_guessed_from_other_words(names):
    files = {name: notebook(name, TESTS) for name in names}
    assert collected(zipped("all.zip", files)) == (False, {})
    with open(f"submitted/{LAB}.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted(row["file"] for row in rows) == sorted(f"all.zip/{name}" for name in names)
    assert {row["state"] for row in rows} == {"unknown"}
    taken_as = {f"all.zip/{name}": f"S{number}" for number, name in enumerate(names)}
    for again in (taken_as, {}):  # the names are remembered
        complete, taken = collected(Path("all.zip"), taken_as=again)
        assert complete and sorted(taken.values()) == sorted(names)
    assert listed().keys() == {*taken_as.values()}


def test_work_of_team_goes_to_each_member(capsys):
    archive = zipped("a.zip", {f"Team A_88_assignsubmission_file_/{NOTEBOOK}": "ours"})
    assert collected(archive) == (False, {})
    assert "folders of teams" in capsys.readouterr().out
    shutil.copy(WORKSHEET, "sheet.csv")
    assert collected(archive, Path("sheet.csv")) == (True, {"Ana": "ours", "Bo": "ours"})
    assert {name: row["number"] for name, row in listed().items() if row["file"]} == {
        "Ana": "1",
        "Bo": "2",
    }


def test_addresses_survive_next_collect():
    shutil.copy(WORKSHEET, "sheet.csv")
    assert collected(zipped("a.zip", {ANA: "ana"}), Path("sheet.csv"))[0]
    assert collected(zipped("b.zip", {ANA: "newer", ANA.replace("_1_", "_9_"): "other"}, day=9))[0]
    assert listed()["Ana"]["address"] == "ana@x.org"
    assert listed().keys() == {"Ana", "Ana 9", "Bo", "Cai"}
    assert collected(zipped("c.zip", {ANA.replace("_1_", "_9_"): "newest"}, day=10))[0]
    assert listed().keys() == {"Ana", "Ana 9", "Bo", "Cai"}


def test_take_option_resolves_conflict():
    files = {
        f"{MOODLE}/a.ipynb": notebook("a", TESTS),
        f"{MOODLE}/b.ipynb": notebook("b", TESTS),
    }
    archive = zipped("a.zip", files)
    assert collected(archive) == (False, {}) and listed()["Ana"]["state"] == "undecided"
    taken_as = {f"a.zip/{MOODLE}/a.ipynb": "Ana"}
    for again in (taken_as, {}):  # the decision is remembered
        assert collected(archive, taken_as=again) == (True, {"Ana": "a"})
        assert listed().keys() == {"Ana"} and listed()["Ana"]["state"] == ""
    other = {f"a.zip/{MOODLE}/b.ipynb": "Ana"}
    assert collected(archive, taken_as=other) == (True, {"Ana": "b"})
    newer = zipped("new.zip", {f"{MOODLE}/c.ipynb": notebook("c", TESTS)}, day=9)
    assert collected(newer) == (True, {"Ana": "c"})


def test_newer_file_with_fewer_answers_is_reported(capsys):
    def handed_in(*files: tuple[str, str]) -> str:
        archive = zipped("a.zip", {f"ana_12_{number}_{NOTEBOOK}": text for number, text in files})
        collect(LAB, [archive], Path("submitted"), ASKED)
        return listed()["ana"]["fewer"]

    assert handed_in(("45", filled("f", "g")), ("46", filled("f"))) == "1 < 2"
    assert "fewer answers" in capsys.readouterr().out
    assert handed_in(("45", filled("f", "g")), ("46", filled("f"))) == "1 < 2"  # also when repeated
    assert handed_in(("47", filled("f", "g"))) == ""
    assert handed_in(("48", filled())) == "0 < 2"


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "empty"), (b"\n<!DOCTYPE html>", "web-page"), (b'{"cells": [', "cut")],
)
def test_damaged_file_gets_right_reason(content, reason):
    collected(zipped("a.zip", {ANA: content}))
    assert (listed()["Ana"]["state"], listed()["Ana"]["reason"]) == ("damaged", reason)


def test_unread_archives_are_listed_with_reason(monkeypatch):
    monkeypatch.setattr("classroom.platforms.LARGEST", 1000)
    files = {ANA.replace(NOTEBOOK, "work.rar"): b"Rar!", BO: b"x" * 1001}
    assert collected(zipped("a.zip", files)) == (False, {})
    reasons = {name: (row["state"], row["reason"]) for name, row in listed().items()}
    assert reasons == {"Ana": ("no-notebook", "archive"), "Bo": ("damaged", "large")}


@pytest.mark.parametrize("normal_form", ["NFC", "NFD"])
def test_names_are_read_from_archive_packed_on_macs(normal_form):
    """Finder does not declare UTF-8 names (github.com/weichsel/ZIPFoundation/issues/63)."""
    name = unicodedata.normalize(normal_form, f"Núñez José_1_assignsubmission_file_/{NOTEBOOK}")
    wanted = name.encode()
    entry = "x" * len(wanted)
    archive = zipped("a.zip", {entry: notebook("mine", TESTS), f"__MACOSX/._{entry}": ""})
    archive.write_bytes(archive.read_bytes().replace(entry.encode(), wanted))
    assert collected(archive) == (True, {"Núñez José": "mine"})


def damaged(archive: Path) -> bytes:
    """Create an archive in which the second compressed file is damaged."""
    content = bytearray(archive.read_bytes())
    with ZipFile(archive) as packed:
        second = packed.infolist()[1]
    start = second.header_offset + 30 + len(second.filename.encode())
    content[start + 5 : start + 25] = bytes(20)
    return bytes(content)


def locked(archive: Path) -> bytes:
    """Create an archive whose second file appears to need a password."""
    content = bytearray(archive.read_bytes())
    with ZipFile(archive) as packed:
        content[packed.infolist()[1].header_offset + 6] |= 1
    content[content.rindex(b"PK\1\2") + 8] |= 1
    return bytes(content)


@pytest.mark.parametrize("broken", [damaged, locked])
def test_broken_file_in_archive_affects_only_its_sender(broken):
    """https://github.com/python/cpython/issues/80754"""
    inner = {"notes.txt": "notes", NOTEBOOK: notebook("mine", TESTS)}
    archive = zipped("work.zip", inner)
    outer = {f"{MOODLE}/work.zip": broken(archive), BO: "bo"}
    assert collected(zipped("a.zip", outer)) == (False, {"Bo": "bo"})
    assert (listed()["Ana"]["state"], listed()["Ana"]["reason"]) == ("damaged", "archive")


@pytest.mark.parametrize(
    "broken",
    [damaged, locked, lambda archive: archive.read_bytes()[:-40], lambda archive: b"<html>"],
    ids=["damaged", "locked", "cut", "web page"],
)
def test_broken_download_is_rejected_entirely(broken):
    archive = zipped("a.zip", {ANA: "ana", BO: "bo"})
    archive.write_bytes(broken(archive))
    with pytest.raises(GivenFileError) as error:
        collected(archive)
    assert error.value.args == ("archive", "a.zip") and not Path("submitted").exists()


def test_long_names_are_collected():
    long = "王" * 130  # 390 bytes; file systems allow 255
    files = {f"{long}_{n}_assignsubmission_file_/{NOTEBOOK}": str(n) for n in (1, 2)}
    complete, taken = collected(zipped("a.zip", files | {BO.replace("_2_", "_3_"): "bo"}))
    assert complete and sorted(taken.values()) == ["1", "2", "bo"]


def test_leftover_of_overwritten_notebook_is_ignored():
    """https://github.com/jupyter/help/issues/171"""
    archive = zipped("a.zip", {ANA: notebook("mine", TESTS) + '\n  "nbformat_minor": 5\n}\n'})
    assert collected(archive) == (True, {"Ana": "mine"})


def test_table_saved_by_excel_is_read():
    rows = "Identificador;Nombre;Calificación\nParticipante 2;José Peña;"
    Path("sheet.csv").write_bytes(rows.encode("cp1252"))
    assert collected(zipped("a.zip", {ANA: "ana"}), Path("sheet.csv"))[0]
    assert listed().keys() == {"Ana", "José Peña"}
    Path("sheet.xlsx").write_bytes(b"PK\3\4\0")
    with pytest.raises(GivenFileError, match="workbook"):
        collected(Path("a.zip"), Path("sheet.xlsx"))
