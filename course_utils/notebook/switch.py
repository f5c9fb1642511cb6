"""The language switch, which hides all languages except the reader's choice."""

from __future__ import annotations

import contextlib
from pathlib import Path

import anywidget
import traitlets

from ..words.text import LANGUAGES, SHOWN, words
from .display import JUPYTER_STYLE, Shown, WithStill
from .storage import store_first_guess, store_language, stored_language

FOLDER = Path(__file__).parent
TEXTS = words(FOLDER / "switch.toml")
ALL = "both"
NAMES = {code: LANGUAGES[code] for code in SHOWN}
CHOICES = (*NAMES, ALL)
FIRST = CHOICES[0]


class LanguageSwitch(WithStill, anywidget.AnyWidget):
    """Buttons that select the language of a notebook.

    The languages are hidden by a style sheet in the browser, which applies to the whole page and
    needs no kernel. The kernel only remembers the choice for the next notebook. If the notebook is
    reopened without being run, the still provides the same buttons and the style sheet.
    """

    _esm = FOLDER / "switch.js"
    _css = JUPYTER_STYLE

    choice = traitlets.Enum(CHOICES, default_value=FIRST).tag(sync=True)
    languages = traitlets.Dict(NAMES).tag(sync=True)
    legend = traitlets.Unicode(TEXTS["legend"].shown_line).tag(sync=True)

    def __init__(self) -> None:
        super().__init__(choice=remembered_choice())
        self.observe(self._remember, names="choice")
        self.on_msg(_note_guess)

    @property
    def widget(self) -> LanguageSwitch:
        return self

    def as_shown(self) -> Shown:
        """Return an invitation to run the notebook, and buttons that work without a kernel."""
        mimebundle = invitation()
        style = f"<style>{JUPYTER_STYLE}{without_kernel()}</style>"
        return Shown(
            html=f"{style}{mimebundle['text/html']}{_buttons(self.choice)}",
            plain=mimebundle["text/plain"],
        )

    def _remember(self, change: dict[str, object]) -> None:
        store_language(change["new"])
        self.update_still()


def _buttons(choice: str) -> str:
    """Return the HTML of the buttons, which are hidden unless a style sheet shows them."""
    if len(NAMES) == 1:
        return ""
    # JupyterLab ignores keys in elements with this attribute. The form separates these radio
    # buttons from others with the same name.
    buttons = "".join(
        f'<label><input type="radio" name="language" value="{code}" data-lm-suppress-shortcuts'
        f"{' checked' if code == choice else ''}> {name}</label>"
        for code, name in {**NAMES, ALL: " · ".join(NAMES.values())}.items()
    )
    legend = TEXTS["legend"].shown_line
    return (
        f'<form class="course-choose" style="display:none" aria-label="{legend}">'
        f"<fieldset><legend>{legend}</legend>{buttons}</fieldset></form>"
    )


def without_kernel() -> str:
    """Return the style sheet that makes the buttons work without a kernel."""
    page = ":is(.jp-Notebook, body[data-vscode-theme-kind]):not(:has(.course-language))"
    rules = [f"{page} .course-choose{{display:block!important}}"]
    for chosen in NAMES:
        hidden = [f'[lang="{code}"],.course-{code}' for code in NAMES if code != chosen]
        rules.append(
            f'{page}:has(.course-choose [value="{chosen}"]:checked) '
            f":is({','.join(hidden)},.course-both){{display:none!important}}"
        )
    return "".join(rules)


def invitation() -> dict[str, str]:
    """Return the content shown until the switch's cell is run, keyed by media type."""
    text = TEXTS["invitation" if len(NAMES) > 1 else "only"]
    text = text.format(names=", ".join(NAMES.values()))
    return {"text/html": text.blocks(), "text/plain": text.lines}


def _note_guess(switch: LanguageSwitch, message: dict, buffers: list) -> None:
    """Store the reader's first choice as the guess, and ignore file errors."""
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: no home folder
        store_first_guess(message["guess"], message["isRight"])


def language_switch() -> LanguageSwitch:
    """Return the language switch, set to the reader's last choice."""
    return LanguageSwitch()


def remembered_choice() -> str:
    """Return the stored language, or the first language if none is stored."""
    choice = stored_language()
    return choice if choice in CHOICES else FIRST
