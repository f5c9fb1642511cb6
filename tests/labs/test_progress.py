"""Tests that progress survives damaged files, full disks, missing folders and other notebooks."""

import errno
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec
from pathlib import Path

import pytest
from checks.outputs import html_problems, plain_problems

from course_utils.labs import Feedback, check, progress
from course_utils.labs.solved import record, solved_exercises
from course_utils.labs.tasks import EXERCISES, LABS
from course_utils.notebook import storage

EARLIER = [id for id in EXERCISES if id not in ("bits-needed", "gray-encoding")]
FIRST_EDITION = json.dumps({"solved": dict.fromkeys(EARLIER, "2025-11-03T17:05:00+01:00")})


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Separate folder for the progress."""
    folder = tmp_path / "data"
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def first_edition(data_folder: Path) -> Path:
    """File of the first edition of the course."""
    data_folder.mkdir()
    file = data_folder / "positional-encodings-course.json"
    file.write_text(FIRST_EDITION)
    return file


def solve_bits_needed(english: str = "", spanish: str = "") -> Feedback:
    """Solve the exercise and check the note in the feedback."""
    feedback = check("bits-needed", lambda n_positions: (n_positions - 1).bit_length())
    assert feedback.solved and feedback.message("en").startswith("Solved.")
    assert english in feedback.message("en") and spanish in feedback.message("es")
    return feedback


def files(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


def test_progress_without_anything_solved_is_bars_at_zero(data_folder):
    shown = progress()
    assert shown.html.count('<progress value="0"') == len(LABS)
    assert html_problems(shown.html) == [] and plain_problems(shown.plain) == []
    assert not data_folder.exists()


def test_solved_exercise_keeps_its_first_time(data_folder):
    solve_bits_needed()
    (file,) = (path for path in data_folder.rglob("*") if path.is_file())
    os.utime(file, (1_000_000_000, 1_000_000_000))
    solve_bits_needed()
    check("their-stripes", None)
    assert solved_exercises() == ({"bits-needed"}, [])
    assert file.stat().st_mtime == 1_000_000_000
    assert file.stat().st_size == 0  # an empty file fits on a full disk
    n_exercises = len(LABS["02_binary"])
    assert f"Práctica 2, codificaciones binarias: 1 de {n_exercises}" in progress().plain
    assert files(data_folder) == ["bits-needed"]


def test_grading_keeps_teachers_progress(data_folder, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    solve_bits_needed()
    assert not data_folder.exists()


# Failures ----------------------------------------------------------------------------------------


def fail_with(number: int) -> Callable[..., None]:
    def fail(*arguments: object, **options: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


NOTHING = (), ()
FULL = ("the disk", "full"), ("el disco", "lleno")
NOT_WRITABLE = ("is not writable",), ("no se puede escribir en",)


@pytest.mark.parametrize(
    ("function", "number", "expected"),
    [
        ("io.open", errno.EACCES, NOTHING),
        ("os.listdir", errno.EIO, NOTHING),
        ("os.open", errno.ENOSPC, FULL),
        ("os.open", errno.EDQUOT, FULL),
        ("os.open", errno.EROFS, NOT_WRITABLE),
        ("os.mkdir", errno.EACCES, NOT_WRITABLE),
    ],
)
def test_storage_failure_keeps_solved_exercises(
    first_edition, monkeypatch, function, number, expected
):
    before = set(EARLIER)
    if function != "os.mkdir":
        assert record("gray-encoding") == []
        before.add("gray-encoding")
    with monkeypatch.context() as broken:
        broken.setattr(function, fail_with(number))
        feedback = solve_bits_needed()
        shown = progress()
    for language, words in zip(("en", "es"), expected, strict=True):
        sentences = feedback.message(language).split("\n")
        assert len(sentences) == (3 if words else 2)
        assert all(word in sentences[-1] for word in words)
    assert ("cannot be read" in shown.plain) == (not expected[0])
    assert html_problems(shown.html) == []
    kept = before if expected[0] else before | {"bits-needed"}
    assert solved_exercises() == (kept, [])
    assert first_edition.read_text() == FIRST_EDITION
    assert set(files(first_edition.parent)) == (kept - set(EARLIER)) | {first_edition.name}


@pytest.mark.parametrize(
    ("content", "legible"),
    [
        (b"[" * 99_999, set()),
        (b'{"solved": [{"row-by-hand": 1}]}', {"row-by-hand"}),
        (FIRST_EDITION[: FIRST_EDITION.index('"row-by-hand"') + 15].encode(), {"row-by-hand"}),
        (b"\xff" + FIRST_EDITION.encode(), set(EARLIER)),
    ],
)
def test_readable_parts_of_damaged_file_count(first_edition, content, legible):
    first_edition.write_bytes(content)
    solve_bits_needed()
    solved, (note,) = solved_exercises()
    assert legible <= solved and "bits-needed" in solved
    assert str(first_edition) in note["en"] and "no se puede leer" in note["es"]
    assert note.lines in progress().plain
    assert first_edition.read_bytes() == content


def test_existing_file_or_folder_is_kept(first_edition):
    first_edition.unlink()
    first_edition.mkdir()
    solve_bits_needed()
    assert str(first_edition) in progress().plain
    (folder,) = (path for path in first_edition.parent.iterdir() if path != first_edition)
    (folder / "bits-needed").unlink()
    folder.rmdir()
    folder.write_text("something else")
    solve_bits_needed(*(words[0] for words in NOT_WRITABLE))
    assert f"{folder} " in progress().plain
    assert folder.read_text() == "something else" and first_edition.is_dir()


def test_missing_home_folder_is_reported(monkeypatch):
    monkeypatch.delenv("JUPYTER_DATA_DIR")
    monkeypatch.delenv("JUPYTER_PLATFORM_DIRS", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    solve_bits_needed("has no home folder", "no tiene carpeta personal")
    assert "no home folder" in progress().plain and "carpeta personal" in progress().plain


# Several notebooks at once -----------------------------------------------------------------------


def test_simultaneous_solutions_are_all_kept(tmp_path, monkeypatch):
    for round_ in range(10):
        monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / str(round_)))
        with ThreadPoolExecutor(4) as pool:  # like several notebooks, all in one folder
            assert not any(pool.map(record, 4 * list(EXERCISES)))
        assert solved_exercises() == (set(EXERCISES), [])


def test_storage_works_without_jupyter_core(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setitem(sys.modules, "jupyter_core.paths", None)  # as in the browser
    there = module_from_spec(storage.__spec__)
    there.__loader__.exec_module(there)
    there.store_language("es")
    there.store_solved("bits-needed")
    stored = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    name = "positional-encodings-course"
    made = {f"config/{name}.json", f"data/{name}", f"data/{name}/bits-needed"}
    assert stored == {"config", "data", *made}
