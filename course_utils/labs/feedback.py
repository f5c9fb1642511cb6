"""How a verdict is shown: in both languages, with the learner's own numbers, lines and picture."""

from __future__ import annotations

import html
from dataclasses import dataclass, replace

from ..page import Shown, picture_html, png
from ..text import LANGUAGES, Text
from .exercise import Exercise
from .judging import Verdict
from .texts import exercise_text, message, misconception_text

__all__ = ["Feedback", "feedback_on"]


@dataclass(frozen=True)
class Feedback:
    """What ``check`` answers; as the last value of a cell it displays itself.

    Attributes:
        solved: whether the answer is right.
        misconceptions: the ids of those that give exactly the answer's output.
        sentences: what is said, in both languages.
        code: what the answer printed, and the line in which it failed.
        picture: expected, got and difference, as a PNG file, if there is something to see.
        alt: what the picture shows.
    """

    solved: bool
    misconceptions: tuple[str, ...]
    sentences: tuple[Text, ...]
    code: str = ""
    picture: bytes | None = None
    alt: Text | None = None

    def message(self, language: str) -> str:
        """What is said, without tags, in ``"en"`` or ``"es"``.

        Raises:
            ValueError: the language is not one of the course.
        """
        if language not in LANGUAGES:
            raise ValueError(f"language must be one of {', '.join(LANGUAGES)}; got {language!r}.")
        return "\n".join(text.plain[language] for text in self.sentences)

    def with_note(self, note: Text) -> Feedback:
        """The same with one more sentence."""
        return replace(self, sentences=(*self.sentences, note))

    def shown(self) -> Shown:
        """The same as a page shows it."""
        parts = ["".join(text.blocks() for text in self.sentences)]
        if self.code:
            parts.append(f"<pre>{html.escape(self.code)}</pre>")
        if self.picture is not None:
            parts.append(picture_html(self.picture, self.alt))
        state = "course-feedback course-solved" if self.solved else "course-feedback"
        plain = [text.lines for text in self.sentences]
        return Shown(
            html=f'<div class="{state}">{"".join(parts)}</div>',
            plain="\n".join([*plain, self.code] if self.code else plain),
            png=self.picture,
        )

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        return self.shown().bundle()


def feedback_on(exercise: Exercise, verdict: Verdict) -> Feedback:
    """A verdict in words."""
    details = {**verdict.details, "name": exercise.name}
    if verdict.solved:
        sentences = [message("solved"), exercise_text(exercise.id, "solved")]
    elif verdict.misconceptions:
        sentences = [message("together")] if len(verdict.misconceptions) > 1 else []
        sentences += [misconception_text(name, "is") for name in verdict.misconceptions]
        sentences += [message(verdict.key), *_inputs(verdict)]
        sentences += [misconception_text(name, "ask") for name in verdict.misconceptions]
    else:
        sentences = [message(verdict.key), *_inputs(verdict)]
    code = verdict.traceback
    if "kind" in details:
        sentences.insert(0, message(f"error-{details['kind']}"))
    if verdict.printed:
        sentences.append(message("printed"))
        code = f"{code}\n{verdict.printed}".strip()
    picture = alt = None
    if verdict.expected is not None and verdict.expected.ndim and not verdict.misconceptions:
        # Matplotlib is loaded when there is something to draw.
        from ..figures import comparison

        picture = png(comparison(verdict.expected, verdict.got))
        alt = message("picture").format(**details)
    return Feedback(
        solved=verdict.solved,
        misconceptions=verdict.misconceptions,
        sentences=tuple(text.format(**details) for text in sentences),
        code=code,
        picture=picture,
        alt=alt,
    )


def _inputs(verdict: Verdict) -> list[Text]:
    """What the arguments are that the call shows by their names only, and what was before it."""
    inputs = [
        message("input-function" if shape is None else "input-array").format(
            input=name, shape=shape
        )
        for name, shape in verdict.details.get("inputs", {}).items()
    ]
    before = verdict.details.get("before", ())
    return inputs + [message("called-before").format(shape=shape) for shape in before]
