"""The explorers of the model that reads, on a page: their words, and weights when asked for."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from scripts import as_module, compact

from course_utils import explorers
from course_utils.explorers.reading import ReadingExplorer
from course_utils.pictures import scenes
from course_utils.text_model import ENCODINGS, WEIGHTS

HERE = Path(__file__).resolve().parent
MODULES = Path(explorers.__file__).parent
TRAITS = ("kind", "lanes", "text", "samples", "position", "length", "head")
SETTINGS = (*TRAITS, "means", "looking_back", "longest", "characters", "words")


def style() -> str:
    """The style sheet of the view, as it is in notebooks."""
    return (MODULES / "reading.css").read_text("utf-8")


def script(style: str) -> str:
    """The forward pass and the view, and what joins them on a page; it uses `Model` of site.js.

    ``style`` is the style sheet of the view. It comes with it, since few pages have such a view.
    """
    settings = f"const readingSettings = {compact(scenes.settings())};\n"
    settings += f"const readingStyle = {compact(style)};\n"
    modules = {"textModel": "text_model.js", "readingView": "reading.js"}
    modules = "".join(
        as_module(name, (MODULES / file).read_text("utf-8")) for name, file in modules.items()
    )
    return settings + modules + (HERE / "reading.js").read_text("utf-8")


def explorer_script(name: str, explorer: ReadingExplorer) -> str:
    """What an explorer says and how it starts. Its numbers are worked out in the page."""
    settings = {trait: getattr(explorer.view, trait) for trait in SETTINGS}
    return f"takeReading({compact(name)},{compact(settings)});"


def write_weights(folder: Path) -> None:
    """A script for each encoding, which a page loads when it is asked for: about 275 kB each."""
    folder.mkdir(parents=True, exist_ok=True)
    for encoding in ENCODINGS:
        header = json.loads((WEIGHTS / f"{encoding}.json").read_text("utf-8"))
        numbers = base64.b64encode((WEIGHTS / f"{encoding}.bin").read_bytes()).decode()
        (folder / f"{encoding}.js").write_text(
            f'takeWeights({compact(header)},"{numbers}");', "utf-8"
        )
