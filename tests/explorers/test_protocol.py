"""Tests that all registered explorers follow the protocol in their README."""

import re
from graphlib import TopologicalSorter
from inspect import getdoc
from pathlib import Path

import ipywidgets
import pytest
from generators import bundles

import course_utils
from course_utils import explorers
from course_utils.explorers.base import DIST, FOLDER, REGISTERED, ExplorerWidget, widgets
from course_utils.words.text import LANGUAGES, Text

every_explorer = pytest.mark.parametrize("name", sorted(REGISTERED))


@every_explorer
def test_explorer_is_public_name_with_question(name: str) -> None:
    registered = REGISTERED[name]
    assert getattr(course_utils, name) is getattr(explorers, name) is registered.function
    assert getdoc(registered.function), f"{name} needs a docstring for readers"
    assert isinstance(registered.question, Text)
    same = [other for other, each in REGISTERED.items() if each.question == registered.question]
    assert same == [name]


@every_explorer
def test_explorer_is_widget_with_plain_traits(name: str) -> None:
    made = REGISTERED[name].function()
    assert isinstance(made, ExplorerWidget)
    assert made in ipywidgets.HBox([made]).children
    traits = made.page_traits()
    assert "settings" not in traits and all(made.trait_metadata(each, "sync") for each in traits)
    assert all(is_plain(value) for value in (*traits.values(), made.settings)), name
    assert made.settings == made.shared_settings()


def is_plain(value: object) -> bool:
    """Return True if a page can write the value as JSON."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_plain(each) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    return value is None or isinstance(value, (str, int, float, bool))


@every_explorer
def test_still_has_picture_in_every_language(name: str) -> None:
    shown = REGISTERED[name].function().as_shown()
    assert shown.png.startswith(b"\x89PNG")
    assert shown.plain.strip() and "<figcaption" in shown.html
    for language in LANGUAGES:
        assert f'lang="{language}"' in shown.html


@pytest.mark.parametrize("module", sorted(widgets()))
def test_module_renders_as_anywidget_expects(module: str) -> None:
    widget = widgets()[module]
    assert (FOLDER / module / f"{module}.js").exists()
    bundle = (DIST / f"{module}.js").read_text("utf-8")
    exports = re.search(r"export\{([^}]*)\};\s*$", bundle)
    assert exports and re.search(r"(?:^|as )default", exports[1])
    assert str(widget._esm) == bundle


def test_linked_explorers_move_together() -> None:
    first, second = explorers.clock_explorer(), explorers.hand_explorer()
    seen = []
    first.observe(lambda change: seen.append(change["new"]), "position")
    ipywidgets.link((first, "position"), (second, "position"))
    second.position = 9
    assert seen[-1] == first.position == 9


def test_unknown_value_of_control_is_named() -> None:
    with pytest.raises(ValueError, match=r"base must be one of 2, 10, .*; got 7\."):
        explorers.clock_explorer().apply({"base": 7})


SOURCES = [path for path in FOLDER.rglob("*.js") if path.parent != DIST]


def imported_by(module: Path) -> set[Path]:
    named = bundles.IMPORT.findall(module.read_text("utf-8"))
    return {(module.parent / each).resolve() for each in named}


def test_modules_have_no_import_cycles() -> None:
    direct = {path: imported_by(path) for path in SOURCES}
    assert len([*TopologicalSorter(direct).static_order()]) == len(SOURCES)


def test_only_reading_is_imported_by_other_folders() -> None:
    """Other folders may use only modules in shared and in reading."""
    found = set()
    for path in SOURCES:
        folder = path.relative_to(FOLDER).parts[0]
        for other in (each.relative_to(FOLDER).parts[0] for each in imported_by(path)):
            if other not in (folder, "shared"):
                found.add((folder, other))
    assert found <= {("ruler", "reading"), ("which_clock", "reading")}
