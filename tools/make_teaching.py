"""Write into TEACHING.md what follows from the notebooks: objectives, minutes, points, mistakes.

python tools/make_teaching.py
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from private_jupyter import REPOSITORY

from course_utils.labs.messages import SAID
from course_utils.labs.tasks import LABS
from course_utils.words.text import Text

TEACHING = REPOSITORY / "TEACHING.md"
MADE = re.compile(r"(<!-- made: (\w\w) -->\n).*?(<!-- end -->)", re.S)
HEADS = {
    "lessons": Text("Lesson | Minutes | What it is for", "Lección | Minutos | Para qué sirve"),
    "labs": Text(
        "Lab and exercise | Minutes | Points | What goes wrong most",
        "Práctica y ejercicio | Minutos | Puntos | Lo que más se falla",
    ),
}
NEEDS = {
    "en": r"You need|Read it|You should know|It takes|Time:",
    "es": r"Necesitas|Léelo|Lleva|Tiempo:",
}
ABLE = {"en": "You will be able to", "es": "Sabrás|Podrás"}
MISTAKES = 3
"""How many are named for an exercise; a task lists its commonest first."""


def main() -> int:
    TEACHING.write_text(with_tables(TEACHING.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def with_tables(teaching: str) -> str:
    """The text with the tables of each language made again."""
    return MADE.sub(lambda found: found[1] + tables(found[2]) + found[3], teaching)


def tables(language: str) -> str:
    parts = []
    for kind, rows in (("lessons", lessons(language)), ("labs", labs(language))):
        head = HEADS[kind][language]
        line = "| --- " * (head.count("|") + 1) + "|"
        parts.append("\n".join([f"| {head} |", line, *(f"| {row} |" for row in rows)]))
    return "\n" + "\n\n".join(parts) + "\n\n"


def lessons(language: str) -> Iterator[str]:
    for path in sorted(REPOSITORY.glob("notebooks/[01]*.ipynb"))[1:]:
        said = prose(nbformat.read(path, 4).cells[0].source, language)
        heading, _, rest = said.partition("\n")
        goal = re.search(rf"(?:{ABLE[language]}).*", rest, re.S)
        goal = goal[0] if goal else rest.strip().partition("\n\n")[2]
        goal = re.split(NEEDS[language], goal)[0]
        goal = re.sub(r"\]\([^)]*\)", "]", goal).replace("\n- ", "; ").replace(":\n;", ":")
        title = heading.removeprefix("# ")
        yield f"[{title}](notebooks/{path.name}) | {minutes(rest)} | {' '.join(goal.split())}"


def labs(language: str) -> Iterator[str]:
    for name, exercises in LABS.items():
        path = Path("labs", name, f"{name}.ipynb")
        notebook = nbformat.read(REPOSITORY / path, 4)
        heading, _, rest = prose(notebook.cells[0].source, language).partition("\n")
        points = points_of(notebook)
        title = heading.removeprefix("# ")
        yield f"[{title}]({path.as_posix()}) | {minutes(rest)} | {sum(points.values())} | "
        for exercise in exercises:
            known = (SAID["misconception"][each.id]["is"] for each in exercise.misconceptions)
            wrong = [re.search("<b>(.*?)[.]?</b>", text[language]) for text in known]
            most = "; ".join([found[1] for found in wrong if found][:MISTAKES])
            yield f"`{exercise.id}` |  | {points[exercise.id]} | {most}"


def points_of(notebook: nbformat.NotebookNode) -> dict[str, int]:
    """The points for each exercise of a lab, by its id."""
    marks = (cell.metadata.get("nbgrader", {}) for cell in notebook.cells)
    return {
        each["grade_id"].removeprefix("check-"): each["points"]
        for each in marks
        if each.get("grade")
    }


def prose(source: str, language: str) -> str:
    """What a cell says in one language: its heading and its text."""
    heading = re.search(rf'^#.*?<span lang="{language}">(.*?)</span>', source)
    number = re.match(r"# (\d\d · )?", source)[1] or ""
    text = re.search(rf'<div lang="{language}">\n(.*?)</div>', source, re.S)
    return f"# {number}{heading[1]}\n{text[1].rstrip()}\n"


def minutes(text: str) -> str:
    return re.findall(r"(\d+) minut", text)[-1]


if __name__ == "__main__":
    sys.exit(main())
