"""What was solved and when: one small file in the user's data folder, and bars on a page."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path

from ..folders import jupyter_data_dir
from ..kept import keep
from ..language import Text
from ..page import Shown
from .catalogue import LABS
from .texts import lab_title, message

__all__ = ["progress", "record", "solved_exercises"]


def progress() -> Shown:
    """How much of each lab is solved, as bars. Nothing of it leaves this machine."""
    solved, note = solved_exercises()
    rows, lines = [], []
    for lab, exercises in LABS.items():
        done = sum(exercise.id in solved for exercise in exercises)
        state = message("lab-progress").format(
            title=lab_title(lab), solved=done, total=len(exercises)
        )
        rows.append(
            f'<label><progress value="{done}" max="{len(exercises)}"></progress> '
            f"{state.inline()}</label>"
        )
        lines.append(state.lines)
    if note is not None:
        rows.append(note.blocks())
        lines.append(note.lines)
    return Shown(html=f'<div class="course-progress">{"".join(rows)}</div>', plain="\n".join(lines))


def record(exercise_id: str) -> Text | None:
    """Keep that an exercise is solved, with the moment of the first time.

    Returns:
        What the learner should know if the file was damaged or cannot be written.
    """
    if os.environ.get("NBGRADER_EXECUTION"):
        return None  # The work of a class is not the progress of whoever grades it.
    solved, note = solved_exercises()
    if exercise_id in solved:
        return note
    solved[exercise_id] = datetime.now().astimezone().isoformat(timespec="seconds")
    written = keep(_file(), json.dumps({"solved": solved}, indent=1) + "\n")
    return note if written else message("not-kept").format(folder=_file().parent)


def solved_exercises() -> tuple[dict[str, str], Text | None]:
    """The ids of what was solved, each with its moment, and what there is to say about the file.

    A file that cannot be understood is set aside under another name.
    """
    file = _file()
    try:
        solved = json.loads(file.read_text(encoding="utf-8"))["solved"]
        if all(isinstance(moment, str) for moment in solved.values()):
            return solved, None
    except FileNotFoundError:
        return {}, None
    except OSError:
        return {}, message("not-readable").format(file=file)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    return {}, _set_aside(file)


def _set_aside(file: Path) -> Text:
    number = 1
    while (aside := file.with_name(f"{file.stem}-damaged-{number}.json")).exists():
        number += 1
    try:
        file.rename(aside)
    except OSError:
        return message("not-readable").format(file=file)
    return message("set-aside").format(file=aside)


def _file() -> Path:
    return Path(jupyter_data_dir()) / "positional-encodings-course.json"
