"""The explorers of the model that reads, on a page: their words, and weights when asked for."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

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
    scripts = []
    for name, module in (("textModel", "text_model.js"), ("readingView", "reading.js")):
        source = (MODULES / module).read_text("utf-8")
        exported = re.findall(r"^export (?:function|const) (\w+)", source, re.M)
        if "export default" in source:
            exported.append("render")
        inside = re.sub(r"^export default .*|^export ", "", source, flags=re.M)
        scripts.append(
            f"const {name} = (() => {{\n{inside}\nreturn {{ {', '.join(exported)} }};\n}})();\n"
        )
    settings = f"const readingSettings = {_compact(scenes.settings())};\n"
    settings += f"const readingStyle = {_compact(style)};\n"
    return settings + "".join(scripts) + (HERE / "reading.js").read_text("utf-8")


def explorer_script(name: str, explorer: ReadingExplorer) -> str:
    """What an explorer says and how it starts. Its numbers are worked out in the page."""
    settings = {trait: getattr(explorer.view, trait) for trait in SETTINGS}
    return f"takeReading({_compact(name)},{_compact(settings)});"


def write_weights(folder: Path) -> None:
    """A script for each encoding, which a page loads when it is asked for: about 275 kB each."""
    folder.mkdir(parents=True, exist_ok=True)
    for encoding in ENCODINGS:
        header = json.loads((WEIGHTS / f"{encoding}.json").read_text("utf-8"))
        numbers = base64.b64encode((WEIGHTS / f"{encoding}.bin").read_bytes()).decode()
        (folder / f"{encoding}.js").write_text(
            f'takeWeights({_compact(header)},"{numbers}");', "utf-8"
        )


def _compact(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
