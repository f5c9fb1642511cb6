"""Archives in archives, renamed files and damaged ones, and what is noted of each."""

import io
import shutil
import sys
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile

import pytest
from checks.labs import REPOSITORY, needs_nbgrader
from test_collecting import LAB, NOTEBOOK, TESTS, collected, listed, notebook, zipped

from classroom.collect import due_date, main


@pytest.mark.parametrize("name", ["Ana_1_assignsubmission_file_/work.zip", "Ana_12_345_work.ZIP"])
def test_archives_in_archives_and_folders_are_opened_and_broken_ones_named(tmp_path, capsys, name):
    inner = io.BytesIO()
    with ZipFile(inner, "w") as archive:
        archive.writestr(f"my work/{NOTEBOOK}", notebook("inner"))
        archive.writestr("my work/notes.txt", "notes")
    with ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.writestr(name, inner.getvalue())
        archive.writestr("Bo_2_assignsubmission_file_/work.zip", "no zip at all")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / f"cai__{NOTEBOOK}").write_text(notebook("cai"))
    taken = collected(tmp_path, tmp_path / "outer.zip", folder)
    assert taken == (False, {"Ana": "inner", "cai": "cai"})
    assert "Bo_2_assignsubmission_file_/work.zip" in capsys.readouterr().out


@needs_nbgrader
def test_the_command_ends_with_1_where_something_was_not_taken_and_keeps_the_due_date(
    tmp_path, monkeypatch
):
    shutil.copy(REPOSITORY / "nbgrader_config.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    # nbgrader starts a program, for seconds, to ask for the version of its own tables.
    monkeypatch.setattr("nbgrader.api.get_alembic_version", lambda *address: "newest")
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
    assert exit_code(files[0], "--due", "20.11.2026") == 2
    assert not Path("gradebook.db").exists()
    assert exit_code(files[0], "--due", "2026-11-20 23:59") == 0
    assert due_date(LAB, None) == datetime(2026, 11, 20, 23, 59)


def test_a_file_in_an_archive_is_given_to_a_student_without_unpacking_it(tmp_path):
    files = {
        f"Ana_77_assignsubmission_file_/{NOTEBOOK}": "old",
        "lab.ipynb": notebook("of bo", TESTS),
    }
    archive = zipped(tmp_path / "a.zip", files)
    taken = collected(tmp_path, archive, taken_as={"a.zip/lab.ipynb": "Bo"})
    assert taken == (True, {"Ana": "old", "Bo": "of bo"})
    newer = zipped(tmp_path / "b.zip", {"x.ipynb": notebook("new", TESTS)}, day=9)
    taken = collected(
        tmp_path, archive, newer, taken_as={"b.zip/x.ipynb": "Ana", "a.zip/lab.ipynb": "Bo"}
    )
    assert taken == (True, {"Ana": "new", "Bo": "of bo"})  # no second Ana
    assert listed(tmp_path)["Ana"]["number"] == "77"


@pytest.mark.parametrize("content", ["", "[]", '{"cells": 3}'])
def test_what_cannot_be_read_is_named_and_never_given_to_nbgrader(tmp_path, capsys, content):
    name = f"Ana_1_assignsubmission_file_/{NOTEBOOK}"
    with ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(name, content)
        archive.writestr(f"Bo_2_assignsubmission_file_/{NOTEBOOK}", notebook("bo"))
    assert collected(tmp_path, tmp_path / "a.zip") == (False, {"Bo": "bo"})
    printed = capsys.readouterr().out
    assert name in printed.split("CANNOT BE READ")[1] and "NO SE PUEDEN LEER" in printed
    states = {name: row["state"] for name, row in listed(tmp_path).items()}
    assert states == {"Ana": "damaged", "Bo": ""}
    again = zipped(tmp_path / "b.zip", {name: "whole"})
    later = zipped(tmp_path / "c.zip", {name: "{"}, day=9)  # it replaces no whole one
    assert collected(tmp_path, again, later) == (True, {"Ana": "whole", "Bo": "bo"})
    assert listed(tmp_path)["Ana"]["state"] == ""


def test_number_address_time_and_file_are_kept_and_what_is_late_is_marked(tmp_path, capsys):
    files = {
        f"Ana Pérez_12345_assignsubmission_file_/{NOTEBOOK}": "ana",
        f"L3_wu_attempt_2026-11-20-09-00-01_{NOTEBOOK}": "wu",
        f"L3_dan_attempt_2026-11-20-09-00-00_{NOTEBOOK}": "dan",
        f"wucai_LATE_124_458_{NOTEBOOK}": "cai",
    }
    worksheet = tmp_path / "worksheet.csv"
    worksheet.write_text(
        "Identificador,Nombre completo,Dirección de correo\n"
        "Participante 12345,Ana Pérez,ana@example.org\nParticipante 12346,Bo,bo@example.org\n",
        encoding="utf-8-sig",
    )
    archive = zipped(tmp_path / "a.zip", files, day=3)
    assert collected(tmp_path, archive, worksheet, due=datetime(2026, 11, 20, 9))[0]
    assert {name for name, row in listed(tmp_path).items() if row["late"]} == {"wu", "wucai"}
    printed = capsys.readouterr().out.splitlines()
    marked = [line for line in printed if "late" in line.lower()]
    assert marked == [line for line in printed if line.startswith("wu")]
    ana, wu = (listed(tmp_path)[name] for name in ("Ana Pérez", "wu"))
    assert ana["number"] == "12345" and ana["address"] == "ana@example.org"
    assert ana["time"] == "2026-11-03 12:00:00" and wu["time"] == "2026-11-20 09:00:01"
    assert ana["file"].endswith(f"Ana Pérez_12345_assignsubmission_file_/{NOTEBOOK}")
    stamp = tmp_path / "submitted" / "wu" / LAB / "timestamp.txt"
    assert stamp.read_text() == "2026-11-20 09:00:01"


MOODLE = "Ana_1_assignsubmission_file_"


@needs_nbgrader
@pytest.mark.parametrize(
    ("file", "back"),
    [
        (f"s.zip/{MOODLE}/{NOTEBOOK}", f"{MOODLE}/{LAB}.html"),
        (f"s.zip/{MOODLE}{NOTEBOOK}", f"{MOODLE}{LAB}.html"),
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
