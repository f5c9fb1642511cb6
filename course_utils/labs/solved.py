"""Display of the progress in each lab."""

import os

from ..notebook.display import Shown
from ..notebook.storage import solved_exercises, store_solved, why_not_stored
from ..words.text import Text
from .messages import TEXTS, message
from .tasks import LABS


def progress() -> Shown:
    """Show the proportion of solved exercises in each lab; the data never leave this machine."""
    solved, notes = solved_exercises()
    rows, lines = [], []
    for lab, exercises in LABS.items():
        done = sum(exercise.id in solved for exercise in exercises)
        state = message("lab-progress").format(
            title=TEXTS["lab"][lab], solved=done, total=len(exercises)
        )
        rows.append(
            f'<label><progress value="{done}" max="{len(exercises)}"></progress> '
            f"{state.inline()}</label>"
        )
        lines.append(state.lines)
    rows += [note.blocks() for note in notes]
    lines += [note.lines for note in notes]
    return Shown(html=f'<div class="course-progress">{"".join(rows)}</div>', plain="\n".join(lines))


def record(exercise_id: str) -> list[Text]:
    """Record a solved exercise, and return notes for the learner if this fails."""
    if not os.environ.get("NBGRADER_EXECUTION"):  # Grading does not count as progress.
        try:
            store_solved(exercise_id)
        except (OSError, RuntimeError) as error:
            return [why_not_stored(error)]
    return []
