"""Explorers whose views ask for the character model's output for a text.

In a notebook the numbers come from ``text_model``; a page without a kernel gets them from
``text_model.js``.
"""

from __future__ import annotations

import traitlets

from ...text_model import CHARACTERS
from ..base import ExplorerWidget

__all__ = ["STYLES", "AskingExplorer"]

STYLES = ("shared/elements.css", "reading/reading.css")
"""The style sheets that all these views share."""


class AskingExplorer(ExplorerWidget):
    """An explorer that asks for the numbers for the reader's text or choice.

    A subclass has ``answered`` and ``as_shown``. Its traits follow the reader.
    """

    text = traitlets.Unicode().tag(sync=True)
    samples = traitlets.Dict().tag(sync=True)
    first_answers = traitlets.List().tag(sync=True)
    longest = traitlets.Int().tag(sync=True)
    characters = traitlets.Unicode(CHARACTERS).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        self.on_msg(self._answer)

    def page_traits(self) -> dict[str, object]:
        """Leave out the first answers, which the page computes."""
        traits = super().page_traits()
        return {name: traits[name] for name in traits if name != "first_answers"}

    def answered(self, asked: dict[str, object]) -> dict[str, object]:
        """Return the answer to the view, as lists, with arrays as bytes under ``buffers``."""
        raise NotImplementedError

    def _answer(self, _: object, asked: dict[str, object], buffers: list[bytes]) -> None:
        answer = self.answered(asked)
        arrays = answer.pop("buffers")
        self.send({"question": asked["question"], **answer}, arrays)
