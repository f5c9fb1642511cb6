"""The base class of explorers whose views request the character model's output for a text.

In a notebook, the numbers come from ``text_model``; a page without a kernel gets them from
``text_model.js``.
"""

from __future__ import annotations

import traitlets

from ...text_model import CHARACTERS
from ..base import ExplorerWidget

__all__ = ["STYLES", "TextModelExplorer"]

STYLES = ("shared/elements.css", "reading/reading.css")
"""The style sheets that all these views share."""


class TextModelExplorer(ExplorerWidget):
    """An explorer whose view requests the model's output for the reader's text and choices.

    A subclass implements ``answer_to`` and ``as_shown``. Its traits follow the reader's choices.
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
        """Return the traits without the first answers, which the page computes."""
        traits = super().page_traits()
        return {name: traits[name] for name in traits if name != "first_answers"}

    def answer_to(self, request: dict[str, object]) -> dict[str, object]:
        """Return the answer to a request from the view, with arrays as bytes under ``buffers``."""
        raise NotImplementedError

    def _answer(self, _: object, request: dict[str, object], buffers: list[bytes]) -> None:
        answer = self.answer_to(request)
        arrays = answer.pop("buffers")
        self.send({"number": request["number"], **answer}, arrays)
