"""Suggested questions for the next lesson, on the exercises with the most lost points."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from course_utils.labs.messages import TEXTS as FEEDBACK
from course_utils.words.text import LANGUAGES, Text

from .findings import FEWEST, Overview, Shared, misconceptions_of
from .projector import Riddle, riddle_of
from .putting_back import source
from .submissions import WRONG, Folders, Task, heading_of, read_notebook

SHOWS = tomllib.loads(Path(__file__).with_name("shows.toml").read_text("utf-8"))

MOST_TOPICS = 5
MOST_OUTPUTS = 2
"""Maximum number of wrong outputs shown next to the correct output."""

MINUTES = {True: 5, False: 3}
"""Minutes for a question, with and without an explorer."""


@dataclass(frozen=True)
class Show:
    """A lesson section and, optionally, its explorer, with links to them."""

    lesson: str
    section: Text
    explorer: str
    links: dict[str, str]
    """Links keyed by language."""


@dataclass(frozen=True)
class Topic:
    """An exercise that many students got wrong, with a suggested question."""

    task: Task
    lost: float
    students: int
    shared: tuple[Shared, ...]
    riddle: Riddle | None
    question: Text
    show: Show | None

    @property
    def minutes(self) -> int:
        return MINUTES[bool(self.show and self.show.explorer)]

    @property
    def outputs(self) -> list[str]:
        """Outputs of the most common misconceptions for the same call."""
        ids = [each.id for each in self.shared] if self.riddle else []
        return [self.riddle.outputs[id] for id in ids if id in self.riddle.outputs][:MOST_OUTPUTS]


def topics_of(overview: Overview, folders: Folders) -> tuple[Topic, ...]:
    """Return the exercises that three or more students got wrong, sorted by lost points."""
    if not overview.broken_down:
        return ()
    work, found = overview.work, []
    for task in work.tasks:
        answers = [each.answers[task.id] for each in work.submissions]
        wrong = [each for each in answers if each.state == WRONG or each.stopped]
        if len(wrong) < FEWEST:
            continue
        ids = Counter(id for answer in wrong for id in misconceptions_of(answer))
        shared = [Shared(id, n, (task,)) for id, n in ids.most_common() if n >= FEWEST]
        riddle = next(filter(None, map(riddle_of, shared)), None)
        # The output in the question comes first.
        shared.sort(key=lambda each: riddle is not None and each.id != riddle.shared.id)
        hints = FEEDBACK["exercise"].get(task.id, {}).get("hints", [task.title])
        found.append(
            Topic(
                task,
                lost=sum(task.points - answer.graded.score for answer in wrong),
                students=len(wrong),
                shared=tuple(shared[:MOST_OUTPUTS]),
                riddle=riddle,
                question=shared[0].question if shared else hints[0],
                show=show_of(task.id, folders),
            )
        )
    return tuple(sorted(found, key=lambda each: (-each.lost, each.task.number))[:MOST_TOPICS])


def show_of(exercise: str, folders: Folders) -> Show | None:
    """Return the lesson section or explorer that should be shown for an exercise."""
    lesson, _, name = SHOWS.get(exercise, "").partition("#")
    course = folders.labs.parent
    notebook = read_notebook(course / "notebooks" / f"{lesson}.ipynb")
    section = None
    for cell in notebook["cells"] if notebook else ():
        if heading := heading_of(cell):
            number, title = heading
            section = Text(*(f"{number} · {title[language]}" for language in LANGUAGES))
        if cell.get("id") == name and section:
            called = re.search(r"^(\w+_explorer)\(", source(cell), re.M)
            links = _links(course, lesson, name)
            return Show(lesson[:2], section, called[1] if called else "", links)
    return None


def _links(course: Path, lesson: str, name: str) -> dict[str, str]:
    """Return links from the folder ``overview`` to a web page or notebook."""
    pages = {each: f"site/{each}/{lesson}.html" for each in LANGUAGES}
    return {
        language: f"../{page}#{name}"
        if (course / page).exists()
        else f"../notebooks/{lesson}.ipynb"
        for language, page in pages.items()
    }
