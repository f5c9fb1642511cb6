"""Tests of storing first guesses, including errors of the file system."""

import errno
import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from course_utils import keep_guesses
from course_utils.lessons.quiz import questions
from course_utils.lessons.verdicts import CLAIMS
from course_utils.notebook.storage import first_guesses, guesses_are_stored, store_first_guess
from course_utils.notebook.switch import LanguageSwitch


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(folder))
    return folder


def open_choice(question: str, is_right: bool) -> None:
    """Send the kernel the page's message about an opened choice."""
    switch = LanguageSwitch()
    switch._handle_custom_msg({"guess": question, "isRight": is_right}, [])


def failing(number: int) -> Mock:
    return Mock(side_effect=OSError(number, os.strerror(number)))


def test_first_guess_is_kept_with_consent(data_folder):
    box = keep_guesses().box
    open_choice("waves", True)
    assert first_guesses() == {} and not data_folder.exists()
    box.value = True
    for question, is_right in [("waves", False), ("waves", True), ("bits", True), ("bits", False)]:
        open_choice(question, is_right)
    shown = keep_guesses()
    assert shown.box.value
    assert shown.message.lines == (
        "Guesses kept so far: 2. Right on the first try: 1.\n"
        "Predicciones guardadas hasta ahora: 2. Acertadas a la primera: 1."
    )
    box.value = False
    open_choice("swap", True)
    assert not guesses_are_stored() and first_guesses() == {"waves": False, "bits": True}


def test_question_names_stay_inside_folder(data_folder):
    assert not set(questions()) & set(CLAIMS)
    keep_guesses().box.value = True
    for name in [*questions(), *CLAIMS]:
        store_first_guess(name, True)
    assert set(first_guesses()) == {*questions(), *CLAIMS}
    for name in ("../waves", "waves/../..", "", ".right", "wanted\n"):
        with pytest.raises(ValueError, match="question must consist of"):
            store_first_guess(name, True)
    assert len(list(data_folder.rglob("*"))) == 1 + 1 + len(questions()) + len(CLAIMS)


@pytest.mark.parametrize(
    ("function", "number", "message"),
    [
        ("os.mkdir", errno.EROFS, "is not writable"),
        ("os.mkdir", errno.ENOSPC, "is full"),
        ("os.open", errno.EDQUOT, "is full"),
    ],
)
def test_failed_checkbox_explains_reason(monkeypatch, function, number, message):
    shown = keep_guesses()
    monkeypatch.setattr(function, failing(number))
    shown.box.value = True
    assert message in shown.below.value


def test_storage_failure_keeps_stored_guesses(monkeypatch, data_folder):
    keep_guesses().box.value = True
    open_choice("waves", True)
    for function in ("os.open", "os.listdir"):
        with monkeypatch.context() as broken:
            broken.setattr(function, failing(errno.EIO))
            open_choice("bits", True)
            message = keep_guesses().message.plain.lines
    assert str(data_folder) in message and "no se pueden leer" in message
    assert first_guesses() == {"waves": True}


def test_guesses_need_home_folder(monkeypatch):
    no_home = Mock(side_effect=RuntimeError("Could not determine home directory."))
    monkeypatch.setattr("course_utils.notebook.storage.jupyter_data_dir", no_home)
    open_choice("waves", True)
    shown = keep_guesses()
    shown.box.value = True
    assert "no home folder" in shown.below.value
