"""Multiple-choice questions from questions.toml, with an explanation for each choice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..notebook.display import KEEPS_KEYS, Shown, disclosure
from ..refusals import one_of
from ..words.text import Text, Words, words

__all__ = ["Choice", "Question", "question", "questions"]

VERDICTS = words(Path(__file__).with_name("verdicts.toml"))

FEWEST_CHOICES = 3

BOX = "border: 1px solid; border-radius: 8px; margin: 8px 0; padding: 8px 12px"
"""Style of a choice, which page.css overrides."""


@dataclass(frozen=True)
class Choice:
    """An answer with its text and its explanation; ``right`` is True for the correct answer."""

    text: Text
    right: bool
    why: Text


@dataclass(frozen=True)
class Question:
    """A question with one correct choice.

    ``unanswered`` is True if no picture or table on the page answers the question.
    """

    prompt: Text
    choices: tuple[Choice, ...]
    unanswered: bool = False

    def __post_init__(self) -> None:
        if len(self.choices) < FEWEST_CHOICES:
            raise ValueError(
                f"choices of {self.prompt!r} must be at least {FEWEST_CHOICES}; got "
                f"{len(self.choices)}."
            )
        if sum(choice.right for choice in self.choices) != 1:
            raise ValueError(f"choices of {self.prompt!r} must have exactly one right choice.")


@cache
def questions() -> dict[str, Question]:
    """Return a dictionary of all questions in the course."""
    return {
        name: question_of(name, entry)
        for name, entry in words(Path(__file__).with_name("questions.toml")).items()
    }


def question_of(name: str, entry: Words) -> Question:
    """Create a question from an entry.

    Raises:
        ValueError: If the entry is incomplete.
    """
    choices = []
    for number, choice in enumerate(entry["choices"], start=1):
        if missing := [part for part in ("text", "why") if part not in choice]:
            raise ValueError(f"questions.toml: choice {number} of {name!r} has no {missing[0]}.")
        choices.append(Choice(choice["text"], choice.get("right", False), choice["why"]))
    return Question(entry["prompt"], tuple(choices), entry.get("unanswered", False))


def question(name: str) -> Shown:
    """Return a question whose choices can be opened to read the explanation.

    The question consists of plain HTML, with a ``<details>`` element for each choice. It therefore
    works with a keyboard, with a screen reader, without a kernel, and in a notebook that has not
    been run.
    """
    asked = questions()[one_of("name", name, questions())]
    choices = "".join(
        choice_html(choice.text, _verdict(choice), right=choice.right) for choice in asked.choices
    )
    return Shown(
        html=f'<div class="course-question {KEEPS_KEYS}" data-guess="{name}">'
        f"{asked.prompt.blocks()}{choices}</div>",
        plain="\n".join(text.lines for text in (asked.prompt, *(c.text for c in asked.choices))),
    )


def choice_html(text: Text, why: Text, *, right: bool) -> str:
    """Return the HTML of a choice.

    The script switch.js records the first opened choice as the guess.
    """
    classes = "course-choice course-right" if right else "course-choice"
    return disclosure(text, why.blocks(), classes, style=BOX)


def _verdict(choice: Choice) -> Text:
    return VERDICTS["yes" if choice.right else "no"].map("<b>{}</b>".format) + choice.why
