"""What learning platforms hand out is sorted by student, and whatever is left out is named."""

import io
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from course_utils.teaching.collect import collect

LAB = "03_sinusoidal"
NOTEBOOK = f"{LAB}.ipynb"


def zipped(path: Path, files: dict[str, str], day: int = 1) -> Path:
    with ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name, (2026, 11, day, 12, 0, 0)), content)
    return path


def collected(folder: Path, *places: Path) -> tuple[bool, dict[str, str]]:
    """Whether all was taken, and the content of each student's notebook."""
    complete = collect(LAB, places, folder / "submitted")
    found = (folder / "submitted").glob(f"*/{LAB}/{NOTEBOOK}")
    return complete, {path.parent.parent.name: path.read_text() for path in found}


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


def test_usernames_that_end_alike_are_kept_apart(tmp_path):
    time = f"attempt_2026-11-20-09-00-00_{NOTEBOOK}"
    archive = zipped(tmp_path / "b.zip", {f"L3_a_wu_{time}": "a", f"L3_b_wu_{time}": "b"})
    assert collected(tmp_path, archive) == (True, {"wu L3_a_wu": "a", "wu L3_b_wu": "b"})


def test_archives_in_folders_and_in_archives_are_opened_and_broken_ones_named(tmp_path, capsys):
    inner = io.BytesIO()
    with ZipFile(inner, "w") as archive:
        archive.writestr(NOTEBOOK, "inner")
    handed_in = "Ana_1_assignsubmission_file_/work.zip"
    with ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.writestr(handed_in, inner.getvalue())
        archive.writestr("Bo_2_assignsubmission_file_/work.zip", "no zip at all")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / f"cai__{NOTEBOOK}").write_text("cai")
    taken = collected(tmp_path, tmp_path / "outer.zip", folder)
    assert taken == (False, {"Ana": "inner", "cai": "cai"})
    assert "Bo_2_assignsubmission_file_/work.zip" in capsys.readouterr().out


def test_the_command_ends_with_1_where_something_was_not_taken(tmp_path):
    (tmp_path / "solutions" / LAB).mkdir(parents=True)
    command = [sys.executable, "-m", "course_utils.teaching.collect", LAB]
    codes = []
    for name in (f"ana__{NOTEBOOK}", f"ana__{LAB}_final.ipynb", "nowhere"):
        if name != "nowhere":
            (tmp_path / name).write_text("{}")
        codes.append(subprocess.run([*command, name], cwd=tmp_path, capture_output=True).returncode)
    assert codes == [0, 1, 2]
