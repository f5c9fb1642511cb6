"""Generator for the tables for teachers and the minutes in lesson 00.

The tables of minutes, points, aims, questions and misconceptions are enclosed in comments such as
``<!-- made: en -->`` and ``<!-- end -->``. The generator also updates the total minutes of reading
for a session, such as ``03, 04 (60 min)``, and the minutes in the map of lessons.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import nbformat
from private_jupyter import REPOSITORY

from course_utils import explorers
from course_utils.labs.messages import TEXTS as FEEDBACK
from course_utils.labs.tasks import LABS
from course_utils.lessons.quiz import questions
from course_utils.words.cells import Heading, halves, heading
from course_utils.words.text import LANGUAGES, Text, words

WORDS = words(Path(__file__).with_suffix(".toml"))
GENERATED = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.S)
START = REPOSITORY / "notebooks" / "00_start_here.ipynb"
MISCONCEPTIONS = 3
"""Maximum number of misconceptions named for an exercise, most common first."""


def files() -> dict[Path, str]:
    """Return the updated contents of TEACHING.md, classroom/mistakes.md and lesson 00."""
    updated = {
        REPOSITORY / name: updated_page((REPOSITORY / name).read_text("utf-8"), name)
        for name in PAGES
    }
    start = read(START)
    for cell in start.cells:
        cell.source = with_minutes_of_rows(cell.source)
    return updated | {START: nbformat.writes(start).rstrip("\n") + "\n"}


def updated_page(page: str, path: str) -> str:
    """Update the tables and sums in a page."""
    up = "../" * path.count("/")

    def tables(found: re.Match[str]) -> str:
        language = found[2]
        shown = [
            table(WORDS["head"][kind][language], rows(language, up))
            for kind, rows in PAGES[path].items()
        ]
        return found[1] + "\n" + "\n\n".join(shown) + "\n\n" + found[3]

    return with_minutes(GENERATED.sub(tables, page))


def table(head: str, rows: Iterator[str]) -> str:
    line = "| --- " * (head.count("|") + 1) + "|"
    return "\n".join([f"| {head} |", line, *(f"| {row} |" for row in rows)])


def with_minutes(page: str) -> str:
    """Update the sums of minutes after lists of lessons and labs."""
    lab = "|".join(WORDS["lab"][language] for language in LANGUAGES)

    def added(found: re.Match[str]) -> str:
        folder, numbers = ("labs/*" if found[1] else "notebooks"), found[2].split(", ")
        first = next(iter(LANGUAGES))
        total = sum(
            minutes_of(min(REPOSITORY.glob(f"{folder}/{number}_*.ipynb")), first)
            for number in numbers
        )
        return f"{found[1] or ''}{found[2]} ({total} min)"

    return re.sub(rf"((?:{lab}) )?((?:\d\d, )*\d\d) \(\d+ min\)", added, page)


def with_minutes_of_rows(source: str) -> str:
    """Update the minutes in the map of lessons."""

    def named(found: re.Match[str]) -> str:
        path = REPOSITORY / "notebooks" / found[2]
        return f"{found[1]}{minutes_of(path, next(iter(LANGUAGES)))} |"

    return re.sub(r"^(\| \[.+?\]\((\d\w+\.ipynb)\) \| .+ \| )\d+ \|$", named, source, flags=re.M)


# Rows ---------------------------------------------------------------------------------------------


def lessons() -> list[Path]:
    """Return the lessons in order, except lesson 00, which introduces the course."""
    return sorted(REPOSITORY.glob("notebooks/[0-9]*.ipynb"))[1:]


def minutes_of_lessons(language: str, up: str) -> Iterator[str]:
    for path in lessons():
        link = f"[{title_of(path, language)}]({up}notebooks/{path.name})"
        yield f"{link} | {minutes_of(path, language)}"


def goals(language: str, up: str) -> Iterator[str]:
    for path in lessons():
        text = first_text(path, language).strip()
        aim = re.search(rf"(?:{WORDS['able'][language]}).*", text, re.S)
        aim = aim[0] if aim else text.partition("\n\n")[2]
        aim = re.split(rf"\**(?:{WORDS['needs'][language]})", aim)[0]
        aim = re.sub(r"\]\([^)]*\)", "]", aim).replace("**", "")
        aim = aim.replace("\n- ", "; ").replace(":\n;", ":")
        link = f"[{title_of(path, language)}]({up}notebooks/{path.name})"
        yield f"{link} | {' '.join(aim.split())}"


def in_class(language: str, up: str) -> Iterator[str]:
    """Yield one row with links for each question and explorer in the plans of TEACHING.md."""
    plans = (REPOSITORY / "TEACHING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z-]+|\w+_explorer\(\))`", plans))
    for path in lessons():
        section = ""
        for cell in read(path).cells:
            section = heading_of(cell.source, language) or section
            for name in sorted(named):
                if text := text_of_call(name, cell.source):
                    named.remove(name)
                    link = f"[{path.name[:2]}]({up}notebooks/{path.name})"
                    shown = " ".join(text[language].split())
                    yield f"`{name}` | {', '.join(filter(None, (link, section)))} | {shown}"


def text_of_call(name: str, source: str) -> Text | None:
    """Return the prompt of a question or the title of an explorer if a cell's code shows it."""
    if f'question("{name}")' in source:
        return questions()[name].prompt
    if name.endswith("_explorer()") and re.search(rf"^{name[:-2]}\(", source, re.M):
        return explorers.REGISTERED[name.removesuffix("()")].question
    return None


def points_of_labs(language: str, up: str) -> Iterator[str]:
    for name in LABS:
        path = lab_path(name)
        points = sum(points_of(path).values())
        minutes = minutes_of(path, language)
        yield f"{lab_link(name, language, up)} | {minutes} | {points}"


def exercises(language: str, up: str) -> Iterator[str]:
    for name, tasks in LABS.items():
        points = points_of(lab_path(name))
        yield f"{lab_link(name, language, up)} | {sum(points.values())} | "
        for task in tasks:
            known = dict.fromkeys(id for each in task.wrong_answers() for id in each.misconceptions)
            common = filter(known.__contains__, misconceptions_in_answers(task.id))
            ids = [*dict.fromkeys([*common, *known])]
            titles = [titled(FEEDBACK["misconception"][id]["is"][language]) for id in ids]
            named = [*filter(None, titles)][:MISCONCEPTIONS]
            n_more = len(ids) - len(named)
            more = WORDS["more"].format(n=n_more)[language] if n_more else ""
            yield f"`{task.id}` | {points[task.id]} | {' · '.join(named)}{more}"


def titled(sentence: str) -> str:
    found = re.search("<b>(.*?)[.]?</b>", sentence)
    return re.sub(r"\{\w+\}", "…", found[1]) if found else ""


@cache
def answers() -> list[tuple[object, ast.expr]]:
    """Return the names and expressions in the tests' tables of collected answers."""
    paths = sorted(REPOSITORY.glob("tests/labs/*answers/*.py"))
    nodes = (node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return [
        (key.value, value)
        for node in nodes
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant)
    ]


@cache
def misconceptions_in_answers(exercise: str) -> tuple[str, ...]:
    """Return the misconceptions in collected answers to an exercise, in the order of the tables.

    The tables begin with the answers that students are most likely to submit.
    """
    met: dict[str, None] = {}
    for value in (value for name, value in answers() if name == exercise):
        found = [n for n in ast.walk(value) if isinstance(n, ast.Constant)]
        found = [n for n in found if isinstance(n.value, str)]
        for each in sorted(found, key=lambda n: (n.lineno, n.col_offset)):
            met |= dict.fromkeys(each.value.split())
    return tuple(id for id in met if id in FEEDBACK["misconception"])


PAGES = {
    "TEACHING.md": {"lessons": minutes_of_lessons, "labs": points_of_labs},
    "classroom/mistakes.md": {"goals": goals, "in-class": in_class, "exercises": exercises},
}
"""Functions that build the rows of tables, keyed by page and table."""


# Notebooks ----------------------------------------------------------------------------------------


def lab_path(name: str) -> Path:
    return REPOSITORY / "labs" / name / f"{name}.ipynb"


def lab_link(name: str, language: str, up: str) -> str:
    return f"[{title_of(lab_path(name), language)}]({up}labs/{name}/{name}.ipynb)"


def points_of(path: Path) -> dict[str, int]:
    """Return the points for each exercise in a lab, keyed by the exercise's id."""
    marks = (cell.metadata.get("nbgrader", {}) for cell in read(path).cells)
    return {
        each["grade_id"].removeprefix("check-"): each["points"]
        for each in marks
        if each.get("grade")
    }


@cache
def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, 4)


def title_of(path: Path, language: str) -> str:
    """Return the number and title of a notebook."""
    return first_heading(path).line(language)


def first_heading(path: Path) -> Heading:
    """Return the heading of a notebook's first cell.

    Raises:
        ValueError: If the cell has no heading.
    """
    found = heading(read(path).cells[0].source)
    if found is None or not found.texts.keys() >= LANGUAGES.keys():
        raise ValueError(f"{path.name}: the first cell needs a heading in every language.")
    return found


def heading_of(source: str, language: str) -> str:
    """Return the number and text of a section heading if a cell begins with one."""
    found = heading(source) if source.startswith("## ") else None
    return found.line(language) if found else ""


def first_text(path: Path, language: str) -> str:
    """Return the text of a notebook's first cell in one language."""
    return halves(read(path).cells[0].source).get(language, "")


def minutes_of(path: Path, language: str) -> int:
    """Return the minutes stated in a notebook's first cell.

    Raises:
        ValueError: If the cell does not state any.
    """
    found = re.findall(WORDS["minutes"][language], first_text(path, language))
    if not found:
        raise ValueError(f"{path.name}: the first cell must state the minutes in {language!r}.")
    return int(found[-1])
