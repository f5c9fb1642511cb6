"""Tests that all languages are complete, and that a new language does not need new code."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path

import nbformat
import pytest
from checks.outputs import html_problems, plain_problems

from course_utils import explorers
from course_utils.notebook.switch import language_switch
from course_utils.words.cells import halves
from course_utils.words.text import BETWEEN, LANGUAGES

REPOSITORY = Path(__file__).resolve().parents[2]
ADDED = "qaa"


def test_error_of_reader_is_in_every_language():
    shown = explorers.sinusoidal_explorer(lambda n_positions, d_model: 1 / 0).as_shown()
    assert html_problems(shown.html) + plain_problems(shown.plain) == []
    assert len({shown.html.count(f'lang="{language}"') for language in LANGUAGES}) == 1


def test_browser_gets_every_language_of_explorer():
    view = explorers.similarity_explorer()
    for named in (view.settings["languages"], view.explorer["caption"], view.scene_data["alt"]):
        assert list(named) == list(LANGUAGES)
    assert language_switch().get_state()["languages"] == LANGUAGES


LESSON, LAB = "notebooks/00_start_here.ipynb", "solutions/02_binary/02_binary.ipynb"
KEPT = re.compile(
    r"(<code>.*?</code>|<[^>]*>|\{[^}]*\}|&#?\w+;|\$[^$]+\$|`[^`]+`|\]\([^)]*\)|[\w.]*[\d_.(]\w*)"
    r"|([^\W\d_]{2,})"
)


def added(words: str) -> str:
    """Return the texts of the added language, which are marked English texts."""
    return KEPT.sub(lambda match: match[1] or f"{ADDED}{match[2]}", words)


def with_added(entry: object) -> object:
    if isinstance(entry, list):
        return [with_added(each) for each in entry]
    if not isinstance(entry, dict):
        return entry
    if "en" in entry:
        return {ADDED: added(entry["en"]), **entry}
    if forms := entry.get("forms"):
        # Some words are not marked, so glossary words must be found with and without the mark.
        entry = entry | {"forms": forms | {ADDED: re.sub(r"\w+", r"*\g<0>", forms["en"])}}
    return {name: with_added(each) for name, each in entry.items()}


def add_to_words(file: Path) -> None:
    entries = with_added(tomllib.loads(file.read_text(encoding="utf-8")))
    # With an equals sign after each name, JSON is an inline table in TOML.
    toml = partial(json.dumps, ensure_ascii=False, separators=(", ", " = "))
    lines = [f"{toml(name)} = {toml(each)}" for name, each in entries.items()]
    file.write_text("\n".join(lines), encoding="utf-8")


def add_to_prose(source: str) -> str:
    heading = r'<span lang="en">(.*?)</span>.*<span lang="es">.*?</span>'
    span, div = (f'<{tag} lang="{ADDED}">{{}}</{tag}>' for tag in ("span", "div"))
    source = re.sub(heading, lambda m: m[0] + BETWEEN + span.format(added(m[1])), source)
    english = halves(source).get("en")
    if not english:
        return source
    half = div.format(f"\n\n{added(english)}\n\n")
    return f"{source.rstrip()}\n\n{half}\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy of the course with an additional language."""
    copy = tmp_path_factory.mktemp("course")
    ignored = shutil.ignore_patterns(".*", "__pycache__")
    shutil.copytree(REPOSITORY, copy, ignore=ignored, dirs_exist_ok=True)
    for file in (*copy.glob("course_utils/**/*.toml"), *copy.glob("classroom/**/*.toml")):
        if file.name != "languages.toml":
            add_to_words(file)
    with open(copy / "course_utils" / "words" / "languages.toml", "a", encoding="utf-8") as file:
        file.write(f'\n[{ADDED}]\nname = "Qaaqa"\n')
    for path in (copy / LESSON, copy / LAB):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = add_to_prose(cell.source)
        nbformat.write(notebook, path)
    return copy


def assert_runs(course: Path, *command: str) -> None:
    path = os.pathsep.join(str(course / folder) for folder in ("", "tests", "tools"))
    options = {"env": os.environ | {"PYTHONPATH": path}, "cwd": course, "encoding": "utf-8"}
    run = subprocess.run([sys.executable, *command], capture_output=True, **options)
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-2000:]


@pytest.mark.slow
def test_new_language_needs_no_code_change(course):
    names = ("languages", "text", "switch", "report_card", "feedback_pages")
    tests = [str(next(course.glob(f"tests/*/test_{name}.py"))) for name in names]
    view = "test_screen_texts_equal_paper_texts"
    tests += [f"tests/explorers/test_view.py::{view}"]
    # Measurements at other sizes are the same in every language.
    options = ("-n0", "-p", "no:cacheprovider", "-k", "not size")
    assert_runs(course, "-m", "pytest", *options, *tests)


@pytest.mark.slow
def test_added_language_breaks_no_rule(course):
    assert_runs(course, "tools/execute.py", LESSON, LAB)
    problems = f"[each for name in {(LESSON, LAB)!r} for each in notebook_problems(Path(name))]"
    imports = "from pathlib import Path; from checks.outputs import notebook_problems"
    assert_runs(course, "-c", f"{imports}; assert not {problems}, {problems}")
