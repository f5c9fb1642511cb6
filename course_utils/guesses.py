"""What a reader guessed first at each question, kept only for a reader who wants that.

A guess is an empty file named after its question and how the guess was; that the reader wants them
kept is an empty file, too. Nothing is ever written over, so neither damage nor a full disk nor two
notebooks at once can lose what is there. Nothing of it leaves this machine.
"""

import os
import re
from pathlib import Path

from .folders import jupyter_data_dir

__all__ = ["first_guesses", "guesses_are_kept", "keep_first_guess", "keep_guesses_from_now_on"]

WANTED = "wanted"
RIGHT, WRONG = ".right", ".wrong"


def guesses_folder() -> Path:
    """Where they are kept; a RuntimeError if the user has no home folder."""
    return Path(jupyter_data_dir()) / "positional-encodings-course-guesses"


def guesses_are_kept() -> bool:
    """Whether the reader wants it; no, if that cannot be read."""
    try:
        return (guesses_folder() / WANTED).exists()
    except (OSError, RuntimeError):
        return False


def keep_guesses_from_now_on(wanted: bool) -> None:
    """Begin to keep guesses, or stop; those that are there stay either way.

    Raises:
        OSError: nothing can be written in the folder.
        RuntimeError: the user has no home folder.
    """
    folder = guesses_folder()
    if wanted:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / WANTED).touch()
    else:
        (folder / WANTED).unlink(missing_ok=True)


def keep_first_guess(question: str, right: bool) -> None:
    """Keep how a question was answered, if it was not answered before.

    Raises:
        ValueError: no question can have that name.
        OSError: nothing can be written in the folder.
    """
    if not re.fullmatch("[a-z0-9-]+", question):
        raise ValueError(f"question must be letters, digits and hyphens; got {question!r}.")
    if guesses_are_kept() and question not in first_guesses():
        (guesses_folder() / (question + (RIGHT if right else WRONG))).touch()


def first_guesses() -> dict[str, bool]:
    """Whether the first guess was right, by name of the question.

    Raises:
        OSError: the folder is there and cannot be read.
        RuntimeError: the user has no home folder.
    """
    try:
        names = os.listdir(guesses_folder())
    except FileNotFoundError:
        return {}
    return {
        name.removesuffix(how): how == RIGHT
        for how in (RIGHT, WRONG)
        for name in names
        if name.endswith(how)
    }
