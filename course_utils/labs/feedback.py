"""Conversion of diagnoses to feedback, with the learner's own numbers and a picture.

Every output also contains a **record** for class statistics, as JSON with the custom MIME type
``RECORD``, which Jupyter stores but does not display. The record does not contain names, code or
numbers of the learner. For example::

    {"version": 1, "exercise": "sinusoidal-rows", "judged": "check", "solved": false,
     "found": "differs", "misconceptions": ["degrees"], "pattern": ""}

- ``judged`` is ``"check"`` for the answer's own check, and ``"grading"`` for the hidden test, which
  stores a record only if it rejects an answer.
- ``found`` is the key of a ``message`` in messages.toml, such as ``"not-attempted"``, ``"stopped"``
  or ``"wrong-shape"``.
- ``misconceptions`` are ids of a ``misconception`` in the files of the labs. ``pattern`` is the id
  of a ``pattern`` in messages.toml, or empty. Their sentences are in ``messages.TEXTS``.
"""

import html
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import prod

import numpy as np

from ..notebook.display import Shown, drawn, picture_html
from ..sandbox import MOST_PRINTED, sentence_on
from ..words.text import LANGUAGES, SHOWN, Text
from .diagnosis import INPUT_CHANGED, Diagnosis, WrongNumber, WrongShape
from .exercise import Exercise
from .messages import TEXTS, message

RECORD = "application/vnd.positional-encodings.judgement+json"
"""MIME type of records."""

SHORTEST_CURVE = 4
"""Minimum length of lists that are drawn as curves instead of maps."""

QUESTIONS = {
    "wrong-shape": "what-axes",
    "wrong-count": "which-numbers",
    "number-given": "what-axes",
    "number-expected": "which-number",
}
"""Questions about shapes, for outputs that match no misconception or pattern."""


@dataclass(frozen=True)
class Feedback:
    """The result of ``check``, which Jupyter displays as the output of a cell.

    Each of the ``misconceptions`` produces exactly the answer's output. ``code`` contains the text
    that the answer printed and the line in which it failed. ``record`` is described in the module's
    docstring. It is empty if the exercise does not exist.
    """

    solved: bool
    misconceptions: tuple[str, ...]
    sentences: tuple[Text, ...]
    code: str = ""
    draw: Callable[[], Mapping[str, bytes]] | None = None
    alt: Text | None = None
    record: dict[str, object] = field(default_factory=dict)

    @property
    def picture(self) -> Mapping[str, bytes] | None:
        """PNG files of the differences, one for each shown language, which are drawn on demand."""
        return self.draw and self.draw()

    def message(self, language: str) -> str:
        """Return the text without tags in a language, ``"en"`` or ``"es"``."""
        if language not in LANGUAGES:
            raise ValueError(f"language must be one of {', '.join(LANGUAGES)}; got {language!r}.")
        return "\n".join(text.plain[language] for text in self.sentences)

    def shown(self) -> Shown:
        """Return the feedback in the format of a page."""
        parts = ["".join(text.blocks() for text in self.sentences)]
        if self.code:
            parts.append(f"<pre>{html.escape(self.code)}</pre>")
        picture = self.picture
        if picture is not None:
            parts.append(picture_html(picture, self.alt))
        state = "course-feedback course-solved" if self.solved else "course-feedback"
        plain = [text.lines for text in self.sentences]
        return Shown(
            html=f'<div class="{state}">{"".join(parts)}</div>',
            plain="\n".join([*plain, self.code] if self.code else plain),
            png=picture and picture[SHOWN[0]],
        )

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        record = {RECORD: self.record} if self.record else {}
        return self.shown().bundle() | record


def feedback_on(exercise: Exercise, diagnosis: Diagnosis, notes: Iterable[Text] = ()) -> Feedback:
    """Convert a diagnosis to feedback, followed by notes."""
    values = _values(exercise, diagnosis)
    shown = diagnosis.repair and diagnosis.repair.shown
    draw = alt = None
    if diagnosis.expected is not None and diagnosis.expected.ndim:
        is_curve = diagnosis.expected.ndim == 1 and diagnosis.expected.size >= SHORTEST_CURVE
        draw = partial(_picture, is_curve, diagnosis.expected, diagnosis.got)
        alt = (message("picture-curves") if is_curve else message("picture")).format(**values)
    return Feedback(
        solved=diagnosis.solved,
        misconceptions=diagnosis.misconceptions,
        sentences=(*(each.format(**values) for each in _sentences(exercise, diagnosis)), *notes),
        code="\n".join(filter(None, (shown, diagnosis.traceback, diagnosis.printed))).strip(),
        draw=draw,
        alt=alt,
        record={
            "version": 1,
            "exercise": exercise.id,
            "judged": "check",
            "solved": diagnosis.solved,
            "found": diagnosis.key,
            "misconceptions": list(diagnosis.misconceptions),
            "pattern": diagnosis.pattern,
        },
    )


def _picture(is_curve: bool, expected: np.ndarray, got: np.ndarray) -> dict[str, bytes]:
    # Matplotlib is imported only if there is something to draw.
    from ..pictures.static import comparison, two_curves

    return drawn(two_curves if is_curve else comparison, expected, got)


def refuse(feedback: Feedback) -> None:
    """Fail a hidden test, and store the record in the output of the cell.

    Raises:
        AssertionError: Always, with the text in all languages and the code.
    """
    # Outside a notebook nothing is displayed, so IPython is not imported.
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        record = feedback.record | {"judged": "grading"}
        shell.display_pub.publish({RECORD: record, "text/plain": ""})
    parts = (*map(feedback.message, LANGUAGES), feedback.code)
    raise AssertionError("\n\n".join(filter(None, parts)))


def _values(exercise: Exercise, diagnosis: Diagnosis) -> dict[str, object]:
    """Return the values for all placeholders."""
    values = {"name": exercise.name, "call": exercise.name, **diagnosis.values}
    if diagnosis.call is not None:
        values |= {"call": diagnosis.call.typed, "first": diagnosis.first_right}
    match diagnosis.difference:
        case WrongNumber(_, expected, got, n_wrong, n_numbers) as number:
            values |= {"expected": expected, "got": got, "entry": number.entry}
            values |= {"unlike": n_wrong, "total": n_numbers}
        case WrongShape(expected, got):
            values |= {"expected": expected, "got": got, "asked": prod(expected), "came": prod(got)}
    return values | (vars(diagnosis.repair) if diagnosis.repair else {})


def _sentences(exercise: Exercise, diagnosis: Diagnosis) -> Iterator[Text]:
    names, call = diagnosis.misconceptions, diagnosis.call
    unexplained = not set(names) - {INPUT_CHANGED}
    if diagnosis.error and (unexplained or diagnosis.error == "own"):
        yield sentence_on(diagnosis.error)
    if len(names) > 1 and exercise.given:
        names = names[:1]
        yield message("one-at-a-time")
    elif len(names) > 1 or (names and diagnosis.pattern):
        yield message("together")
    yield from (TEXTS["misconception"][name]["is"] for name in names)
    yield message(diagnosis.key)
    if diagnosis.first_right and unexplained:
        yield message("right-before")
    if diagnosis.solved:
        yield TEXTS["exercise"][exercise.id]["solved"]
    for name, shape in call.unseen.items() if call else ():
        key = "input-function" if shape is None else "input-array"
        yield message(key).format(input=name, shape=shape)
    for shape in call.earlier if call else ():
        yield message("called-before").format(shape=shape)
    yield from (TEXTS["misconception"][name]["ask"] for name in names)
    if diagnosis.repair:
        yield message("one-change")
    if diagnosis.pattern:
        yield TEXTS["pattern"][diagnosis.pattern]
    elif diagnosis.steps:
        steps = TEXTS["exercise"][exercise.id]["by-hand"].format(**diagnosis.steps)
        yield message("by-hand-early" if diagnosis.stops_early else "by-hand").format(
            steps=steps, got=diagnosis.difference.got
        )
    elif diagnosis.key in QUESTIONS and unexplained:
        yield message(QUESTIONS[diagnosis.key])
    if diagnosis.printed.strip():
        yield message("printed")
    if len(diagnosis.printed) == MOST_PRINTED:
        yield message("printed-cut").format(most=MOST_PRINTED)
