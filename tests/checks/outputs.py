"""Rules for stored notebooks, such as complete outputs that do not depend on the machine."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import nbformat.v4
from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import Comment
from execute import FOLDED_TAGS
from nbformat import NotebookNode

from course_utils.explorers.reading.reading import OWN_TEXTS
from course_utils.words.text import LANGUAGES

from .languages import FIRST, OTHERS, SEPARATOR, fits, line_by_language, words
from .parity import FORMULA, NUMBER, compare, prose_problems
from .pictures import pictures_of, touches_an_edge

LARGEST_FILE = 500_000
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
TIMING = ("execution", "ExecuteTime")
UNREAD = ("script", "style", "code", "pre", "kbd", "math")
WORKED_BY_KEYS = "a, button, input, select, summary, textarea"
KEEPS_KEYS = "course-keeps-keys"
SPOKEN = ("alt", "aria-label", "title", "placeholder")
ID_OF_WORDS = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
HASH = re.compile(r"(?=.*\d)[0-9a-f]{6,}(?:-[0-9a-f]{4,})*")


def notebook_problems(path: Path) -> dict[str, list[str]]:
    """Return the problems of a notebook, keyed by the violated rule."""
    notebook = nbformat.read(path, as_version=4)
    found = {name: rule(notebook) for name, rule in RULES.items()}
    if (size := path.stat().st_size) > LARGEST_FILE:
        found["size"] = [f"{size} bytes; {LARGEST_FILE} are allowed"]
    return {name: problems for name, problems in found.items() if problems}


def of_each_cell(
    rule: Callable[[NotebookNode], Iterable[str]],
) -> Callable[[NotebookNode], list[str]]:
    """Convert a rule for cells to a rule for notebooks, whose problems begin with the cell's id."""
    return lambda notebook: [
        f"{cell.id}: {problem}" for cell in notebook.cells for problem in rule(cell)
    ]


def execution_problems(notebook: NotebookNode) -> list[str]:
    """Return the cells that were not run in order in a new kernel."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    return [
        f"{cell.id}: run as {cell.execution_count}, not {expected}"
        for expected, cell in enumerate(code, start=1)
        if cell.execution_count != expected
    ]


def metadata_problems(notebook: NotebookNode) -> list[str]:
    """Return metadata that depend on the machine or the time."""
    problems = ["the state of widgets is stored"] * ("widgets" in notebook.metadata)
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        problems.append("the kernel is not python3")
    for cell in notebook.cells:
        problems += [f"{cell.id}: has timing" for key in TIMING if key in cell.metadata]
    return problems


@of_each_cell
def id_problems(cell: NotebookNode) -> Iterator[str]:
    """Return cell ids that are not words."""
    if not ID_OF_WORDS.fullmatch(cell.id) or HASH.fullmatch(cell.id):
        yield "an id is made of words"


@of_each_cell
def error_problems(cell: NotebookNode) -> Iterator[str]:
    """Return errors and warnings in outputs."""
    for output in cell.get("outputs", ()):
        if output.output_type == "error":
            yield f"{output.ename}: {output.evalue}"
        elif output.get("name") == "stderr":
            yield output.text.strip()[:200]


@of_each_cell
def picture_rules(cell: NotebookNode) -> Iterator[str]:
    """Return pictures that are cut off or have no alternative text."""
    if cell.cell_type == "markdown" and re.search(r"!\[\s*\]", cell.source):
        yield "a picture without alt text"
    outputs = cell.get("outputs", ())
    if any(map(touches_an_edge, pictures_of(outputs))):
        yield "a picture that is cut off at its edge"
    for data in (output.get("data", {}) for output in outputs):
        html = data.get("text/html", "")
        if any(kind.startswith("image/") for kind in data) and "<img" not in html:
            yield "a picture without HTML beside it, so without alt text"
        yield from _image_problems(html)


@of_each_cell
def output_problems(cell: NotebookNode) -> Iterator[str]:
    """Return outputs in which a language is missing or the languages differ."""
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        yield from html_problems(data.get("text/html", ""))
        yield from plain_problems(output.get("text", data.get("text/plain", "")))


@of_each_cell
def widget_problems(cell: NotebookNode) -> Iterator[str]:
    """Return widgets that are not visible without a kernel."""
    for data in (output.get("data", {}) for output in cell.get("outputs", ())):
        if WIDGET_VIEW in data and "text/html" not in data:
            yield "a widget without HTML beside it"


@of_each_cell
def folding_problems(cell: NotebookNode) -> Iterator[str]:
    """Return cells that are folded or open in contradiction to their tags."""
    if is_folded(cell) != bool(FOLDED_TAGS.intersection(cell.metadata.get("tags", ()))):
        yield "its tags and its fold differ; run tools/execute.py"


def is_folded(cell: NotebookNode) -> bool:
    """Return True if JupyterLab hides the source of a cell."""
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden", False))


@of_each_cell
def parity_problems(cell: NotebookNode) -> list[str]:
    """Return prose that differs between languages."""
    return prose_problems(cell.source) if cell.cell_type == "markdown" else []


RULES = {
    "executed": execution_problems,
    "nothing of the machine": metadata_problems,
    "cell ids": id_problems,
    "no errors": error_problems,
    "pictures": picture_rules,
    "outputs in every language": output_problems,
    "widgets": widget_problems,
    "folded": folding_problems,
    "prose in every language": parity_problems,
}


def html_problems(html: str) -> list[str]:
    """Return problems with the languages in HTML outputs.

    Elements whose keys JupyterLab would intercept are also reported.
    """
    soup = BeautifulSoup(html, "html.parser")
    problems = [
        f"does not keep its keys: {element.name}"
        for element in soup.select(f":is({WORKED_BY_KEYS}):not(.{KEEPS_KEYS} *)")
    ]
    for element in soup.select("[lang]:not([lang] *)"):
        if element["lang"] not in LANGUAGES:
            problems.append(f"no language of the course: {element['lang']!r}")
        elif (group := _group(element)) is None:
            problems.append(f"not in every language: {_shown(element)}")
        elif element["lang"] == FIRST:
            of_own_texts = element.find_parent(class_=OWN_TEXTS) is not None
            texts = {each["lang"]: _said(each) for each in group}
            problems += compare(
                {x: NUMBER.sub("1", text) for x, text in texts.items()} if of_own_texts else texts
            )
    for text in soup.find_all(string=True):
        if _is_read(text) and words(FORMULA.sub(" ", text)):
            problems += [f"outside: {problem}" for problem in _line_problems(text.strip())]
    for attribute in SPOKEN:
        for element in soup.select(f"[{attribute}]:not([lang] *)"):
            if words(value := element[attribute]):
                problems += [f"{attribute}: {problem}" for problem in _line_problems(value)]
    return problems


def plain_problems(text: str) -> list[str]:
    """Return problems with the languages in plain text.

    Numbers, arrays and formulas are ignored. A line with words must either contain all languages,
    as in "English · español", or be followed by a line for each other language.
    """
    worded = [line.strip() for line in text.splitlines() if words(line)]
    problems = []
    while worded:
        first = worded.pop(0)
        others = dict(zip(OTHERS, worded, strict=False))
        if line_by_language(first) is not None:
            problems += _line_problems(first)
        elif len(others) == len(OTHERS):
            problems += compare({FIRST: first, **others})
            del worded[: len(OTHERS)]
        else:
            problems.append(f"not in every language: {first[:80]!r}")
    return problems


def _line_problems(line: str) -> list[str]:
    """Return the problems of a string that must contain all languages in order."""
    texts = line_by_language(line)
    if texts is None:
        return [f"not “{SEPARATOR.join(LANGUAGES.values())}”: {line[:80]!r}"]
    return compare(texts)


def _image_problems(html: str) -> Iterator[str]:
    soup = BeautifulSoup(html, "html.parser")
    for image in soup.find_all("img"):
        alt = image.get("alt", "").strip()
        if own := image.find_parent(attrs={"lang": True}):
            if not alt or not fits(alt, own["lang"]):
                yield f"a picture whose alt text is not in {own['lang']}: {alt[:80]!r}"
        elif line_by_language(alt) is None:
            yield f"a picture without an alt text in every language: {alt[:80]!r}"
    if soup.select('svg:not([aria-hidden="true"], [aria-label]:not([aria-label=""]))'):
        yield "a drawing without a text for those who cannot see it"


def _group(element: Tag) -> list[Tag] | None:
    """Return a pattern for a text in every language, in order."""
    beside = element.parent.find_all(True, recursive=False)
    beside = [each for each in beside if "course-both" not in each.get("class", [])]
    first = [*map(id, beside)].index(id(element)) - list(LANGUAGES).index(element["lang"])
    group = beside[max(first, 0) : first + len(LANGUAGES)]
    all_there = [each.get("lang") for each in group] == list(LANGUAGES)
    return group if all_there and all(map(_said, group)) else None


def _said(element: Tag) -> str:
    """Return the text of an element, including alternative texts."""
    if element.get_text(strip=True):
        return element.decode_contents().strip()
    image = element.find("img")
    return "" if image is None else image.get("alt", "").strip()


def _is_read(text: NavigableString) -> bool:
    if isinstance(text, Comment) or not text.strip():
        return False
    return not any(
        parent.name in UNREAD or parent.has_attr("lang") or "course-both" in parent.get("class", [])
        for parent in text.parents
        if isinstance(parent, Tag)
    )


def _shown(element: Tag) -> str:
    return f"<{element.name} lang={element['lang']}> {element.get_text()[:60]!r}"


def problems_of_stored(explorer: object) -> list[str]:
    """Return the problems of a stored explorer."""
    output = nbformat.v4.new_output("display_data", explorer.as_shown().still())
    cell = nbformat.v4.new_code_cell("explorer", outputs=[output], id="explorer")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    return output_problems(notebook) + picture_rules(notebook)
