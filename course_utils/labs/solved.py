"""What was solved and when, in the user's data folder, and bars on a page.

Each solved exercise is an empty file with its name, and the time of that file is the moment it was
solved. Nothing is ever written over, so neither damage nor a full disk nor two notebooks at once
can lose what is there.
"""

import errno
import json
import os
from pathlib import Path

from ..folders import jupyter_data_dir
from ..page import Shown
from ..text import Text
from .messages import SAID, message
from .tasks import EXERCISES, LABS

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


def progress() -> Shown:
    """How much of each lab is solved, as bars. Nothing of it leaves this machine."""
    solved, notes = solved_exercises()
    rows, lines = [], []
    for lab, exercises in LABS.items():
        done = sum(exercise.id in solved for exercise in exercises)
        state = message("lab-progress").format(
            title=SAID["lab"][lab], solved=done, total=len(exercises)
        )
        rows.append(
            f'<label><progress value="{done}" max="{len(exercises)}"></progress> '
            f"{state.inline()}</label>"
        )
        lines.append(state.lines)
    rows += [note.blocks() for note in notes]
    lines += [note.lines for note in notes]
    return Shown(html=f'<div class="course-progress">{"".join(rows)}</div>', plain="\n".join(lines))


def record(exercise_id: str) -> Text | None:
    """Keep that an exercise is solved, or say what the learner should know if it cannot be kept."""
    if os.environ.get("NBGRADER_EXECUTION"):
        return None  # The work of a class is not the progress of whoever grades it.
    try:
        folder = _folder()
        if exercise_id not in solved_exercises()[0]:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / exercise_id).touch()
    except (OSError, RuntimeError) as error:
        return why_not_kept(error)
    return None


def why_not_kept(error: OSError | RuntimeError) -> Text:
    """What the learner should know; a RuntimeError says that there is no home folder."""
    if isinstance(error, RuntimeError):
        return message("no-home")
    key = "disk-full" if error.errno in DISK_FULL else "not-kept"
    return message(key).format(folder=_folder().parent)


def solved_exercises() -> tuple[set[str], list[Text]]:
    """The ids of what was solved, and what there is to say if not all of it can be read."""
    try:
        folder = _folder()
    except RuntimeError:
        return set(), [message("no-home")]
    solved, notes = set(), []
    for place, read in ((folder, _file_names), (folder.with_suffix(".json"), _first_edition)):
        try:
            found, whole = read(place)
        except FileNotFoundError:
            continue
        except OSError:
            found, whole = set(), False
        solved |= found
        if not whole:
            notes.append(message("not-readable").format(place=place))
    return solved, notes


def _file_names(folder: Path) -> tuple[set[str], bool]:
    return set(os.listdir(folder)), True


def _first_edition(file: Path) -> tuple[set[str], bool]:
    """The ids in the single file of the first edition; of a damaged one, those still legible."""
    content = file.read_bytes()
    try:
        return set(json.loads(content)["solved"]), True
    except (ValueError, KeyError, TypeError, RecursionError):
        return {id for id in EXERCISES if f'"{id}"'.encode() in content}, False


def _folder() -> Path:
    """Where it is kept; a RuntimeError if the user has no home folder."""
    return Path(jupyter_data_dir()) / "positional-encodings-course"
