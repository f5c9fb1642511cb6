"""What learning platforms hand out is sorted by student, and whatever is left out is named."""

import csv
import io
import json
import sys
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest
from checks.labs import needs_nbgrader

from course_utils.teaching.collect import collect, main

LAB = "03_sinusoidal"
NOTEBOOK = f"{LAB}.ipynb"


TESTS = ("check-row", "check-rows", "check-clock")


def notebook(text: str, tests: tuple[str, ...] = ()) -> str:
    """A notebook that says this, with these tests of a lab."""
    cell = {"cell_type": "markdown", "source": text, "metadata": {}}
    marked = [
        {"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": name}}}
        for name in tests
    ]
    return json.dumps({"cells": [cell, *marked], "metadata": {}})


def zipped(path: Path, files: dict[str, str], day: int = 1) -> Path:
    """An archive of these files; those that end like notebooks are some."""
    with ZipFile(path, "w") as archive:
        for name, content in files.items():
            if name.endswith(".ipynb") and not content.startswith("{"):
                content = notebook(content)
            archive.writestr(ZipInfo(name, (2026, 11, day, 12, 0, 0)), content)
    return path


def collected(folder: Path, *places: Path, **options: object) -> tuple[bool, dict[str, str]]:
    """Whether all was taken, and what each student's notebook says."""
    complete = collect(LAB, places, folder / "submitted", **options)
    found = (folder / "submitted").glob(f"*/{LAB}/{NOTEBOOK}")
    return complete, {path.parent.parent.name: said(path) for path in found}


def said(path: Path) -> str:
    return json.loads(path.read_text())["cells"][0]["source"]


def listed(folder: Path) -> dict[str, dict[str, str]]:
    """The list beside the notebooks, by student."""
    with open(folder / "submitted" / f"{LAB}.csv", encoding="utf-8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


ARCHIVES = {
    "Moodle, in folders": (
        {
            f"Ana Pe\u0301rez Nun\u0303ez_12345_assignsubmission_file_/{NOTEBOOK}": "ana",
            f"Bo O'Neil_12346_assignsubmission_file_/{LAB} (1).ipynb": "bo",
            f"Cai Wu_12347_assignsubmission_file/work/{NOTEBOOK}": "cai",
        },
        {"Ana Pérez Nuñez": "ana", "Bo O'Neil": "bo", "Cai Wu": "cai"},
    ),
    "Moodle, without folders": (
        {
            f"Ana Pérez_12345_assignsubmission_file_{NOTEBOOK}": "ana",
            f"Cai_Wu_12347_assignsubmission_file_{LAB}-Copy1.ipynb": "cai",
        },
        {"Ana Pérez": "ana", "Cai_Wu": "cai"},
    ),
    "Moodle, two of one name": (
        {
            f"Ana Pérez_12345_assignsubmission_file_/{NOTEBOOK}": "one",
            f"Ana Pérez_12399_assignsubmission_file_/{NOTEBOOK}": "other",
            f"Bo_12346_assignsubmission_file_/{NOTEBOOK}": "bo",
        },
        {"Ana Pérez 12345": "one", "Ana Pérez 12399": "other", "Bo": "bo"},
    ),
    "Canvas, late ones and a second attempt": (
        {
            f"perezana_123_456_{LAB}.ipynb": "first",
            f"perezana_123_789_{LAB}-2.ipynb": "third",
            f"perezana_123_457_{LAB}-1.ipynb": "second",
            f"wucai_LATE_124_458_{LAB}-1.ipynb": "cai",
        },
        {"perezana": "third", "wucai": "cai"},
    ),
    "Canvas, two of one name": (
        {
            f"perezana_123_456_{NOTEBOOK}": "one",
            f"perezana_LATE_124_457_{NOTEBOOK}": "other",
        },
        {"perezana 123": "one", "perezana 124": "other"},
    ),
    "Blackboard, attempts with their texts": (
        {
            f"Gradebook_Lab 03_perezana_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "late",
            "Gradebook_Lab 03_perezana_attempt_2026-11-20-09-00-00.txt": "Name: Ana",
            f"Gradebook_Lab 03_perezana_attempt_2026-11-19-23-59-59_{NOTEBOOK}": "early",
            "Gradebook_Lab 03_perezana_attempt_2026-11-19-23-59-59.txt": "Name: Ana",
        },
        {"perezana": "late"},
    ),
    "Blackboard, two names that end alike": (
        {
            f"L3_a_wu_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "a",
            f"L3_b_wu_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "b",
        },
        {"wu L3_a_wu": "a", "wu L3_b_wu": "b"},
    ),
    "Google Classroom, a copy for each": (
        {
            f"Lab 03/Ana Pérez - {NOTEBOOK}": "ana",
            f"Lab 03/Mary-Jane Li - {NOTEBOOK}": "mary",
        },
        {"Ana Pérez": "ana", "Mary-Jane Li": "mary"},
    ),
    "by hand": ({f"ana__{NOTEBOOK}": "ana"}, {"ana": "ana"}),
}


@pytest.mark.parametrize(("files", "students"), ARCHIVES.values(), ids=ARCHIVES)
def test_an_archive_is_taken_as_it_was_downloaded(tmp_path, files, students):
    archive = zipped(tmp_path / "CS101-Lab 03-2026.zip", files)
    assert collected(tmp_path, archive) == (True, students)


STRANGERS = (
    "Ana_12345_assignsubmission_file_/lab3.ipynb",
    "Ana_12345_assignsubmission_file_/02_binary.ipynb",
    f"Ana_12345_assignsubmission_file_/{LAB}.pdf",
    "Ana_12345_assignsubmission_onlinetext_/onlinetext.html",
    f"Lab 03/{NOTEBOOK}",
    "perezana_123_456_02_binary.ipynb",
    f"13_sinusoidal__{LAB}_of_ana.ipynb",
    f".._1_assignsubmission_file_/{NOTEBOOK}",
)


@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_file_that_is_not_taken_is_named_and_the_others_are_taken(tmp_path, capsys, stranger):
    moodle = f"Bo_12346_assignsubmission_file_/{NOTEBOOK}"
    archive = zipped(tmp_path / "all.zip", {stranger: "?", moodle: "bo", ".DS_Store": ""})
    assert collected(tmp_path, archive) == (False, {"Bo": "bo"})
    after = capsys.readouterr().out.split("NOT TAKEN")[1]
    assert f"all.zip/{stranger}" in after and "Bo" not in after and "NO RECOGIDOS" in after
    assert {path.name for path in tmp_path.iterdir()} == {"all.zip", "submitted"}


def test_of_two_archives_the_newer_notebook_is_taken_and_the_older_is_named(tmp_path, capsys):
    name = f"Ana_12345_assignsubmission_file_/{NOTEBOOK}"
    places = [zipped(tmp_path / f"{day}.zip", {name: f"of {day}"}, day) for day in (20, 3)]
    assert collected(tmp_path, *places) == (True, {"Ana": "of 20"})
    assert f"3.zip/{name}" in capsys.readouterr().out.split("Left out")[1]


def test_two_different_ones_of_the_same_age_are_left_to_the_teacher(tmp_path, capsys):
    name = f"Ana_12345_assignsubmission_file_/{NOTEBOOK}"
    same, other = (zipped(tmp_path / f"{text}.zip", {name: text}) for text in ("a", "b"))
    assert collected(tmp_path, same, other) == (False, {})
    assert "none is newer" in capsys.readouterr().out
    again = zipped(tmp_path / "c.zip", {name: "a"})
    assert collected(tmp_path, same, again) == (True, {"Ana": "a"})


def test_archives_in_folders_and_in_archives_are_opened_and_broken_ones_named(tmp_path, capsys):
    inner = io.BytesIO()
    with ZipFile(inner, "w") as archive:
        archive.writestr(NOTEBOOK, notebook("inner"))
    handed_in = "Ana_1_assignsubmission_file_/work.zip"
    with ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.writestr(handed_in, inner.getvalue())
        archive.writestr("Bo_2_assignsubmission_file_/work.zip", "no zip at all")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / f"cai__{NOTEBOOK}").write_text(notebook("cai"))
    taken = collected(tmp_path, tmp_path / "outer.zip", folder)
    assert taken == (False, {"Ana": "inner", "cai": "cai"})
    assert "Bo_2_assignsubmission_file_/work.zip" in capsys.readouterr().out


def test_the_command_knows_a_renamed_lab_and_ends_with_1_where_something_was_not_taken(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("solutions", LAB).mkdir(parents=True)
    Path("solutions", LAB, NOTEBOOK).write_text(notebook("", TESTS))
    Path(f"ana__{NOTEBOOK}").write_text(notebook("ana"))
    Path(f"bo__{LAB}_final.ipynb").write_text(notebook("bo", TESTS))
    Path(f"cai__{LAB}_final.ipynb").write_text(notebook("cai"))

    def exit_code(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["collect", LAB, *arguments])
        try:
            return main()
        except SystemExit as end:
            return end.code

    files = (f"ana__{NOTEBOOK}", f"bo__{LAB}_final.ipynb", f"cai__{LAB}_final.ipynb", "nowhere")
    assert [*map(exit_code, files)] == [0, 0, 1, 2]
    assert exit_code(files[0], "--due", "2026-11-20 23:59") == 0
    assert exit_code(files[0], "--due", "20.11.2026") == 2


def test_a_renamed_notebook_is_known_by_its_tests(tmp_path):
    files = {
        "Ana Pérez_1_assignsubmission_file_/my final lab.ipynb": notebook("ana", TESTS[:2]),
        "wucai_124_458_lab3-2.ipynb": notebook("second", TESTS),
        "wucai_124_459_lab3-10.ipynb": notebook("tenth", TESTS),
        "Bo_2_assignsubmission_file_/other.ipynb": notebook("bo", ("check-else",)),
    }
    archive = zipped(tmp_path / "a.zip", files)
    complete, found = collected(tmp_path, archive, tests=TESTS)
    assert not complete and found == {"Ana Pérez": "ana", "wucai": "tenth"}


def test_a_file_in_an_archive_is_given_to_a_student_without_unpacking_it(tmp_path):
    files = {
        f"Ana_77_assignsubmission_file_/{NOTEBOOK}": "old",
        "lab.ipynb": notebook("of bo"),
    }
    archive = zipped(tmp_path / "a.zip", files)
    taken = collected(tmp_path, archive, taken_as={"a.zip/lab.ipynb": "Bo"})
    assert taken == (True, {"Ana": "old", "Bo": "of bo"})
    newer = zipped(tmp_path / "b.zip", {"x.ipynb": notebook("new")}, day=9)
    taken = collected(
        tmp_path, archive, newer, taken_as={"b.zip/x.ipynb": "Ana", "a.zip/lab.ipynb": "Bo"}
    )
    assert taken == (True, {"Ana": "new", "Bo": "of bo"})  # no second Ana
    assert listed(tmp_path)["Ana"]["number"] == "77"


@pytest.mark.parametrize("content", ["", '{"cells": [{', "[]", '{"cells": 3}', "<html>"])
def test_what_cannot_be_read_is_named_and_never_given_to_nbgrader(tmp_path, capsys, content):
    name = f"Ana_1_assignsubmission_file_/{NOTEBOOK}"
    with ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(name, content)
        archive.writestr(f"Bo_2_assignsubmission_file_/{NOTEBOOK}", notebook("bo"))
    assert collected(tmp_path, tmp_path / "a.zip") == (False, {"Bo": "bo"})
    printed = capsys.readouterr().out
    assert name in printed.split("CANNOT BE READ")[1] and "NO SE PUEDEN LEER" in printed
    assert {name: row["state"] for name, row in listed(tmp_path).items()} == {
        "Ana": "damaged",
        "Bo": "",
    }
    again = zipped(tmp_path / "b.zip", {name: "whole"})
    later = zipped(tmp_path / "c.zip", {name: "{"}, day=9)  # it replaces no whole one
    assert collected(tmp_path, again, later) == (True, {"Ana": "whole", "Bo": "bo"})
    assert listed(tmp_path)["Ana"]["state"] == ""


def test_number_address_time_and_file_are_kept(tmp_path):
    files = {
        f"Ana Pérez_12345_assignsubmission_file_/{NOTEBOOK}": "ana",
        f"L3_wu_attempt_2026-11-20-09-00-01_{NOTEBOOK}": "wu",
    }
    worksheet = tmp_path / "worksheet.csv"
    worksheet.write_text(
        "Identificador,Nombre completo,Dirección de correo\n"
        "Participante 12345,Ana Pérez,ana@example.org\nParticipante 12346,Bo,bo@example.org\n",
        encoding="utf-8-sig",
    )
    archive = zipped(tmp_path / "a.zip", files, day=3)
    assert collected(tmp_path, archive, worksheet)[0]
    ana, wu = (listed(tmp_path)[name] for name in ("Ana Pérez", "wu"))
    assert ana["number"] == "12345" and ana["address"] == "ana@example.org"
    assert ana["time"] == "2026-11-03 12:00:00" and wu["time"] == "2026-11-20 09:00:01"
    assert ana["file"].endswith(f"Ana Pérez_12345_assignsubmission_file_/{NOTEBOOK}")
    stamp = tmp_path / "submitted" / "wu" / LAB / "timestamp.txt"
    assert stamp.read_text() == "2026-11-20 09:00:01"


def test_what_is_late_is_marked(tmp_path, capsys):
    files = {
        f"wucai_LATE_124_458_{NOTEBOOK}": "cai",
        f"perezana_123_456_{NOTEBOOK}": "ana",
        f"L3_bo_attempt_2026-11-20-09-00-01_{NOTEBOOK}": "bo",
        f"L3_dan_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "dan",
    }
    archive = zipped(tmp_path / "a.zip", files, day=3)
    assert collected(tmp_path, archive, due=datetime(2026, 11, 20, 9))[0]
    late = {name for name, row in listed(tmp_path).items() if row["late"]}
    assert late == {"wucai", "bo"}
    printed = capsys.readouterr().out.splitlines()
    assert [line for line in printed if "late" in line.lower()] == [
        line for line in printed if line.startswith(("wucai", "bo"))
    ]


@needs_nbgrader
@pytest.mark.parametrize(
    ("file", "back"),
    [
        (
            f"s.zip/Ana_1_assignsubmission_file_/{NOTEBOOK}",
            f"Ana_1_assignsubmission_file_/{LAB}.html",
        ),
        (
            f"s.zip/Ana_1_assignsubmission_file_{NOTEBOOK}",
            f"Ana_1_assignsubmission_file_{LAB}.html",
        ),
        ("all/s.zip/perezana_123_456_lab3.ipynb", "perezana_123_456_lab3.html"),
        (
            f"s.zip/Ana_1_assignsubmission_file_/work.zip/{NOTEBOOK}",
            "Ana_1_assignsubmission_file_/work.html",
        ),
        ("", f"ana/{LAB}.html"),
    ],
)
def test_a_page_goes_back_under_the_path_that_the_platform_gave(file, back):
    from course_utils.teaching.give_back import path_back
    from course_utils.teaching.submissions import Submission

    assert path_back(Submission("ana", {}, listed={"file": file}), LAB) == back
