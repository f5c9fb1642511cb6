"""Explorers of the character model on a page: their texts, and weights loaded on demand."""

from __future__ import annotations

import base64
import json
from itertools import chain
from pathlib import Path

from anywidget import AnyWidget
from scripts import as_module, compact

from course_utils.explorers.bundles import FOLDER
from course_utils.explorers.reading import asking
from course_utils.explorers.reading.reading import ReadingView
from course_utils.explorers.ruler.ruler import RulerView
from course_utils.explorers.which_clock.which_clock import WhichClockView
from course_utils.pictures import scenes
from course_utils.text_model import ENCODINGS, WEIGHTS

HERE = Path(__file__).resolve().parent
VIEWS = (ReadingView, WhichClockView, RulerView)
FOR_NOTEBOOKS = {"given", "settings", *AnyWidget.class_traits()}
"""Traits of a view that a page does not need, as it has its own numbers and settings."""


def style() -> str:
    """Return the style sheet of the views, as in notebooks."""
    return asking.style("which_clock/which_clock.css", "ruler/ruler.css")


def script(style: str) -> str:
    """Return the forward pass, the views, and their page code, which uses `Model` of site.js.

    ``style`` is the style sheet of the views, which is included because few pages have such a view.
    """
    settings = f"const settings = {compact(scenes.settings())};\n"
    settings += f"const style = {compact(style)};\n"
    files = ("shared/text_model.js", *asking.SHARED, *chain(*(view.modules for view in VIEWS)))
    modules = "".join(
        as_module(Path(file).stem, (FOLDER / file).read_text("utf-8")) for file in files
    )
    views = ", ".join(Path(view.modules[-1]).stem for view in VIEWS)
    joined = (HERE / "reading.js").read_text("utf-8")
    return f"(() => {{\n{settings}{modules}const views = {{ {views} }};\n{joined}}})();\n"


def explorer_script(name: str, explorer: asking.AskingExplorer) -> str:
    """Return the texts and initial values of an explorer; the page computes its numbers."""
    view = explorer.view
    shown = {trait for trait in view.traits(sync=True) if not trait.startswith("_")}
    traits = sorted(shown - FOR_NOTEBOOKS)
    settings = {trait: getattr(view, trait) for trait in traits}
    given = (name, Path(view.modules[-1]).stem, settings)
    return f"takeReading({','.join(map(compact, given))});"


def write_weights(folder: Path) -> None:
    """Write a script for each encoding, which a page loads on demand: about 275 kB each."""
    folder.mkdir(parents=True, exist_ok=True)
    for encoding in ENCODINGS:
        header = json.loads((WEIGHTS / f"{encoding}.json").read_text("utf-8"))
        numbers = base64.b64encode((WEIGHTS / f"{encoding}.bin").read_bytes()).decode()
        (folder / f"{encoding}.js").write_text(
            f'takeWeights({compact(header)},"{numbers}");', "utf-8"
        )
