"""Explorers that compute their numbers in the page: their texts, and the script of each kind."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from anywidget import AnyWidget
from scripts import as_module, compact

from course_utils.explorers.bundles import script as bundle
from course_utils.explorers.fields import fields
from course_utils.explorers.patches import patches
from course_utils.explorers.training import three_heads
from course_utils.notebook.display import WithStill

HERE = Path(__file__).resolve().parent

KINDS: dict[str, ModuleType] = {"training": three_heads, "fields": fields, "patches": patches}
"""The module of each kind; its function is called ``..._explorer``."""


def explorer_of(kind: str, *arguments: str) -> WithStill:
    """Return an explorer of a kind."""
    return getattr(KINDS[kind], f"{kind}_explorer")(*arguments)


def kind_of(name: str) -> str | None:
    """Return the kind of an explorer by the name of its cell, or None for other explorers."""
    return next((kind for kind in KINDS if name.startswith(f"{kind}_explorer")), None)


def style(kind: str) -> str:
    """Return the style sheet of the view, as in notebooks."""
    return KINDS[kind].STYLE


def script(kind: str, style: str) -> str:
    """Return the view of a kind and its page code, which uses `Model` of site.js."""
    parts = {"kind": kind, "settings": explorer_of(kind).widget.settings, "style": style}
    view = as_module("view", bundle(KINDS[kind].MODULES))
    page = (HERE / "training.js").read_text("utf-8")
    return f"(() => {{\nconst given = {compact(parts)};\n{view}{page}}})();\n"


def explorer_script(name: str, kind: str, explorer: WithStill) -> str:
    """Return the texts and initial values of an explorer; the page computes its numbers."""
    view = explorer.widget
    own = view.traits(sync=True).keys() - AnyWidget.class_traits().keys() - {"settings"}
    start = {trait: getattr(view, trait) for trait in sorted(own) if not trait.startswith("_")}
    return f"takeComputed[{compact(kind)}]({compact(name)},{compact(start)});"
