"""Storage of the reader's language, first guesses and solved exercises on disk.

Each guess and each solved exercise is stored as an empty file. The file name identifies the entry,
and the modification time records its date. Files are never overwritten, so earlier entries survive
damaged files, full disks and simultaneous notebooks. The data never leave the reader's machine.

Functions that write raise OSError if the folder is not writable. Functions that write or list
entries raise RuntimeError if the user has no home folder. ``why_not_stored`` explains both errors
to the reader.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import tempfile
from pathlib import Path

from ..words.text import Text, words

try:
    from jupyter_core.paths import jupyter_config_dir, jupyter_data_dir
except ModuleNotFoundError:  # In the browser, JupyterLab is not a Python package.
    # In the browser, the reader's files persist between visits, but the kernel's home folder does
    # not.
    _HOME = "/drive" if os.path.isdir("/drive") else os.path.expanduser("~")

    def jupyter_config_dir() -> str:
        """Return the folder for settings."""
        return os.environ.get("JUPYTER_CONFIG_DIR") or os.path.join(_HOME, ".jupyter")

    def jupyter_data_dir() -> str:
        """Return the folder for data."""
        return os.environ.get("JUPYTER_DATA_DIR") or os.path.join(_HOME, ".local/share/jupyter")


TEXTS = words(Path(__file__).with_suffix(".toml"))
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
NAME = "positional-encodings-course"
WANTED, RIGHT, WRONG = "wanted", ".right", ".wrong"


def solved_folder() -> Path:
    """Return the folder of solved exercises.

    Raises:
        RuntimeError: If there is no home folder.
    """
    return Path(jupyter_data_dir()) / NAME


def guesses_folder() -> Path:
    """Return the folder of guesses.

    Raises:
        RuntimeError: If there is no home folder.
    """
    return Path(jupyter_data_dir()) / f"{NAME}-guesses"


def why_not_stored(error: OSError | RuntimeError) -> Text:
    """Explain to the reader why an entry could not be stored."""
    if isinstance(error, RuntimeError):
        return TEXTS["no-home"]
    key = "disk-full" if error.errno in DISK_FULL else "not-stored"
    return TEXTS[key].format(folder=solved_folder().parent)


# Language. ----------------------------------------------------------------------------------------


def _language_file() -> Path:
    return Path(jupyter_config_dir()) / f"{NAME}.json"


def stored_language() -> str | None:
    """Return the stored language, or None if it is missing or unreadable."""
    try:
        return json.loads(_language_file().read_text(encoding="utf-8"))["language"]
    except (OSError, ValueError, KeyError, TypeError, RuntimeError):  # RuntimeError: no home folder
        return None


def store_language(choice: str) -> None:
    """Store the choice for the next notebook if the folder is writable."""
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: no home folder
        _write_whole(_language_file(), json.dumps({"language": choice}))


def _write_whole(path: Path, text: str) -> None:
    """Write a file atomically, so that an OSError leaves the old file unchanged."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


# Guesses, for a reader who wants them stored. -----------------------------------------------------


def guesses_are_stored() -> bool:
    """Return True if the reader has chosen to store first guesses."""
    try:
        return (guesses_folder() / WANTED).exists()
    except (OSError, RuntimeError):
        return False


def store_guesses_from_now_on(wanted: bool) -> None:
    """Turn the storage of guesses on or off without deleting existing guesses."""
    file = guesses_folder() / WANTED
    if wanted:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    else:
        file.unlink(missing_ok=True)


def store_first_guess(question: str, right: bool) -> None:
    """Store the result of the first guess and ignore later guesses.

    Raises:
        ValueError: If the name is not a valid question name.
    """
    if not re.fullmatch("[a-z0-9-]+", question):
        raise ValueError(f"question must consist of letters, digits and hyphens; got {question!r}.")
    if guesses_are_stored() and question not in first_guesses():
        (guesses_folder() / (question + (RIGHT if right else WRONG))).touch()


def first_guesses() -> dict[str, bool]:
    """Return a dictionary that maps the name of each question to the result of the first guess.

    Raises:
        OSError: If the folder exists but cannot be read.
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


# Solved exercises. --------------------------------------------------------------------------------


def store_solved(exercise_id: str) -> None:
    """Record that an exercise has been solved."""
    if exercise_id not in solved_exercises()[0]:
        folder = solved_folder()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / exercise_id).touch()


def solved_exercises() -> tuple[set[str], list[Text]]:
    """Return the ids of solved exercises, and notes about unreadable files."""
    try:
        folder = solved_folder()
    except RuntimeError:
        return set(), [TEXTS["no-home"]]
    solved, notes = set(), []
    for place, read in ((folder, _file_names), (folder.with_suffix(".json"), _first_edition)):
        try:
            found, is_whole = read(place)
        except FileNotFoundError:
            continue
        except OSError:
            found, is_whole = set(), False
        solved |= found
        if not is_whole:
            notes.append(TEXTS["not-readable"].format(place=place))
    return solved, notes


def _file_names(folder: Path) -> tuple[set[str], bool]:
    return set(os.listdir(folder)), True


def _first_edition(file: Path) -> tuple[set[str], bool]:
    """Return the ids from the first edition's file, and True for an intact file."""
    content = file.read_bytes()
    try:
        return set(json.loads(content)["solved"]), True
    except (ValueError, KeyError, TypeError, RecursionError):
        return set(re.findall(r'"([a-z0-9-]+)"', content.decode("utf-8", "replace"))), False
