"""Templates for the teacher's multilingual pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from course_utils.notebook import switch
from course_utils.words.formulas import with_formulas
from course_utils.words.text import LANGUAGES

FOLDER = Path(__file__).parent / "templates"
LEGEND = switch.TEXTS["legend"]
"""Label of the language switch."""


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Texts already contain HTML; all text written by students is escaped.
    environment.filters["inline"] = lambda text: Markup(text.inline())
    environment.filters["blocks"] = lambda text: Markup(text.blocks())
    return environment


def page(name: str, **values: object) -> str:
    """Fill in a template, convert its formulas, and add the language switch."""
    template = _templates().get_template(f"{name}.html.j2")
    style = Markup((FOLDER / "sheet.css").read_text("utf-8"))
    shown = template.render(languages=LANGUAGES, legend=LEGEND, style=style, **values)
    return with_formulas(shown)
