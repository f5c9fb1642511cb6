"""The explorer of heads that learn, on a page: its texts, and the script that computes it."""

from __future__ import annotations

from pathlib import Path

from scripts import as_module, compact

from course_utils.explorers.bundles import script as bundle
from course_utils.explorers.training import three_heads
from course_utils.explorers.training.three_heads import TrainingExplorer
from course_utils.pictures import scenes

HERE = Path(__file__).resolve().parent
TRAITS = ("encodings", "steps_back", "seed", "words")


def style() -> str:
    """Return the style sheet of the view, as in notebooks."""
    return three_heads.STYLE


def script(style: str) -> str:
    """Return heads, view, and their page code, which uses `Model` of site.js."""
    settings = f"const trainingSettings = {compact(scenes.settings())};\n"
    settings += f"const trainingStyle = {compact(style)};\n"
    view = as_module("trainingView", bundle(three_heads.MODULES))
    return settings + view + (HERE / "training.js").read_text("utf-8")


def explorer_script(name: str, explorer: TrainingExplorer) -> str:
    """Return the texts and initial values of an explorer; the page computes its numbers."""
    start = {trait: getattr(explorer.view, trait) for trait in TRAITS}
    return f"takeTraining({compact(name)},{compact(start)});"
