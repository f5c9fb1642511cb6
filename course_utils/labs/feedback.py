"""A diagnosis in words: in each language, with the learner's own numbers, lines and picture.

Beside the words, every output has a **record** for who counts a class, as JSON under ``RECORD``, a
MIME type of its own that Jupyter keeps and does not show. It holds nothing of the learner's: no
name, no code, no number. For instance::

    {"version": 1, "exercise": "sinusoidal-rows", "judged": "check", "solved": false,
     "found": "differs", "misconceptions": ["degrees"], "pattern": ""}

- ``judged`` is ``"check"`` for the answer's own check, and ``"grading"`` for the hidden test, which
  leaves a record where it refuses an answer and none where it accepts it.
- ``found`` is the key of a ``message`` in messages.toml, such as ``"not-attempted"``, ``"stopped"``
  or ``"wrong-shape"``.
- ``misconceptions`` are ids of a ``misconception`` beside the labs, and ``pattern`` is the id of a
  ``pattern`` in messages.toml or empty; their sentences are in ``messages.SAID``.
"""

import html
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ..notebook.display import Shown, drawn, picture_html
from ..notebook.readers_function import MOST_PRINTED, sentence_on
from ..words.text import LANGUAGES, SHOWN, Text
from .diagnosis import INPUT_CHANGED, Diagnosis
from .exercise import Exercise
from .messages import SAID, message

RECORD = "application/vnd.positional-encodings.judgement+json"
"""The MIME type of a record."""

SHORTEST_CURVE = 4
"""Numbers of a list that are drawn as a curve; fewer are drawn as a row of a map."""

QUESTIONS = {
    "wrong-shape": "what-axes",
    "wrong-count": "which-numbers",
    "number-given": "what-axes",
    "number-expected": "which-number",
}
"""What is asked of a shape where neither a misconception nor a pattern has a question."""


@dataclass(frozen=True)
class Feedback:
    """What ``check`` answers; as the last value of a cell it displays itself.

    The misconceptions are those that give exactly the answer's output. ``code`` is what the answer
    printed, and the line in which it failed; ``record`` is described above, and empty if there is
    no such exercise.
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
        """A PNG file of what differs for each language that is shown, drawn when asked for."""
        return self.draw and self.draw()

    def message(self, language: str) -> str:
        """What is said, without tags, in ``"en"`` or ``"es"``."""
        if language not in LANGUAGES:
            raise ValueError(f"language must be one of {', '.join(LANGUAGES)}; got {language!r}.")
        return "\n".join(text.plain[language] for text in self.sentences)

    def shown(self) -> Shown:
        """The same as a page shows it."""
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
    """A diagnosis in words and in a picture, and what else is to be said below it."""
    details = {**diagnosis.details, "name": exercise.name}
    draw = alt = None
    if diagnosis.expected is not None and diagnosis.expected.ndim:
        is_curve = diagnosis.expected.ndim == 1 and diagnosis.expected.size >= SHORTEST_CURVE
        draw = partial(_picture, is_curve, diagnosis.expected, diagnosis.got)
        alt = (message("picture-curves") if is_curve else message("picture")).format(**details)
    return Feedback(
        solved=diagnosis.solved,
        misconceptions=diagnosis.misconceptions,
        sentences=(*(each.format(**details) for each in _sentences(exercise, diagnosis)), *notes),
        code=f"{diagnosis.traceback}\n{diagnosis.printed}".strip(),
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
    # Matplotlib is loaded when there is something to draw.
    from ..pictures.static import comparison, two_curves

    return drawn(two_curves if is_curve else comparison, expected, got)


def refuse(feedback: Feedback) -> None:
    """Fail a hidden test, and leave the record in the output of its cell.

    Raises:
        AssertionError: always, with all that is said, one language after the other, and the code.
    """
    # Outside of a notebook there is no output, and IPython need not be loaded.
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        record = feedback.record | {"judged": "grading"}
        shell.display_pub.publish({RECORD: record, "text/plain": ""})
    parts = (*map(feedback.message, LANGUAGES), feedback.code)
    raise AssertionError("\n\n".join(filter(None, parts)))


def _sentences(exercise: Exercise, diagnosis: Diagnosis) -> Iterator[Text]:
    names, details = diagnosis.misconceptions, diagnosis.details
    unexplained = not set(names) - {INPUT_CHANGED}
    if "kind" in details and (unexplained or details["kind"] == "own"):
        yield sentence_on(details["kind"])
    if len(names) > 1 and exercise.given:
        names = names[:1]
        yield message("one-at-a-time")
    elif len(names) > 1:
        yield message("together")
    yield from (SAID["misconception"][name]["is"] for name in names)
    yield message(diagnosis.key)
    if "kind" in details and "first" in details and unexplained:
        yield message("right-before")
    if diagnosis.solved:
        yield SAID["exercise"][exercise.id]["solved"]
    for name, shape in details.get("unseen", {}).items():
        key = "input-function" if shape is None else "input-array"
        yield message(key).format(input=name, shape=shape)
    for shape in details.get("earlier", ()):
        yield message("called-before").format(shape=shape)
    yield from (SAID["misconception"][name]["ask"] for name in names)
    if diagnosis.pattern:
        yield SAID["pattern"][diagnosis.pattern]
    elif "steps" in details:
        steps = SAID["exercise"][exercise.id]["by-hand"].format(**details["steps"])
        yield message("by-hand").format(steps=steps)
    elif diagnosis.key in QUESTIONS and unexplained:
        yield message(QUESTIONS[diagnosis.key])
    if diagnosis.printed.strip():
        yield message("printed")
    if len(diagnosis.printed) == MOST_PRINTED:
        yield message("printed-cut").format(most=MOST_PRINTED)
