"""What the answers of a class show: where students stopped, and how many share a misconception."""

from __future__ import annotations

import ast
import html
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from ..labs.messages import SAID as LABS_SAID
from ..lessons.quiz import questions
from ..words.text import LANGUAGES, Text
from .submissions import (
    STATES,
    WRONG,
    Answer,
    ClassWork,
    Submission,
    Task,
    without_docstrings,
)

FEWEST = 3
"""Students whose answers are told apart from others; of fewer, one could guess who they are."""

MOST_QUESTIONS = 6
MOST_CODE_LINES = 20


@dataclass(frozen=True)
class Hand:
    """Something that no program can settle: what, whose, and in which exercises."""

    key: str
    student: str
    tasks: tuple[Task, ...] = ()


@dataclass(frozen=True)
class Shared:
    """A misconception, and how many students have it: told so by ``check``, or seen by grading."""

    id: str
    told: int
    hidden: int
    tasks: tuple[Task, ...]

    @property
    def students(self) -> int:
        return self.told + self.hidden

    @property
    def sentence(self) -> Text:
        """What it is, with “…” in place of values that differ from student to student."""
        return filled(LABS_SAID["misconception"][self.id]["is"])

    @property
    def question(self) -> Text:
        """The question that leads a student out of it."""
        return filled(LABS_SAID["misconception"][self.id]["ask"])

    @property
    def title(self) -> Text:
        """What it is in few words."""
        return title_of(self.id)

    @property
    def numbers(self) -> str:
        """The exercises in which it was met."""
        return ", ".join(str(task.number) for task in self.tasks)


@dataclass(frozen=True)
class Unexplained:
    """Code that was judged wrong and that nothing explains, and how many wrote just that."""

    task: Task
    code: str
    students: int


@dataclass(frozen=True)
class Overview:
    """What a page about a lab shows."""

    work: ClassWork
    hands: tuple[Hand, ...]
    states: dict[str, dict[str, int]]
    shared: tuple[Shared, ...]
    rare: int
    """Misconceptions that fewer than three students share, which are not named."""
    explained: dict[str, tuple[Task, ...]]
    """The exercise of each wrong answer, by what explains it: see ``explanation``."""
    unexplained: tuple[Unexplained, ...]
    guesses: dict[str, tuple[int, int]]
    """How many first guesses were right and wrong, by question, of three or more."""

    @property
    def title(self) -> Text:
        """What the lab is called."""
        return title_of_lab(self.work.lab)

    @property
    def handed_in(self) -> int:
        """How many students handed something in."""
        return len(self.work.submissions)

    @property
    def broken_down(self) -> bool:
        """Whether the class is large enough to be looked at in parts."""
        return self.handed_in >= FEWEST

    @property
    def asked(self) -> dict[str, Text]:
        """What the lessons ask, by the name of the question."""
        return {name: each.prompt for name, each in questions().items()}

    @property
    def questions(self) -> tuple[Shared, ...]:
        """What to ask tomorrow, the most frequent first."""
        return self.shared[:MOST_QUESTIONS]


def overview_of(work: ClassWork) -> Overview:
    """Count what a class handed in."""
    states = {
        task.id: {
            state: sum(each.answers[task.id].state == state for each in work.submissions)
            for state in STATES
        }
        for task in work.tasks
    }
    everything = shared_misconceptions(work)
    enough = len(work.submissions) >= FEWEST
    shared = [each for each in everything if each.students >= FEWEST] if enough else []
    explained = defaultdict(list)
    for _, task, answer in wrong_answers(work):
        explained[explanation(answer)].append(task)
    return Overview(
        work=work,
        hands=tuple(hands_needed(work)),
        states=states,
        shared=tuple(shared),
        rare=len(everything) - len(shared),
        explained={kind: tuple(tasks) for kind, tasks in explained.items()},
        unexplained=tuple(unexplained(work)) if enough else (),
        guesses=first_guesses(work),
    )


def wrong_answers(work: ClassWork) -> Iterator[tuple[Submission, Task, Answer]]:
    """The answers that were judged wrong; what earned its points has no misconception to count."""
    for submission in work.submissions:
        for task in work.tasks:
            answer = submission.answers[task.id]
            if answer.state == WRONG:
                yield submission, task, answer


def explanation(answer: Answer) -> str:
    """What explains a wrong answer, in the feedback or else in grading; empty if nothing does.

    ``"misconception"``, ``"regular"`` for a pattern alone, ``"message"`` for something else that
    the feedback said, such as an error, and ``"failed"`` if the answer could not be looked at.
    """
    findings = [each for each in (answer.told, answer.hidden) if each is not None]
    if any(each.misconceptions for each in findings):
        return "misconception"
    if any(each.pattern for each in findings):
        return "regular"
    if any(each.key for each in findings):
        return "message"
    return "failed" if answer.failed else ""


def shared_misconceptions(work: ClassWork) -> list[Shared]:
    """Each misconception with the number of its students, the commonest first.

    A student who has a misconception in several exercises counts once.
    """
    told, hidden, where = defaultdict(set), defaultdict(set), defaultdict(set)
    for submission, task, answer in wrong_answers(work):
        for finding, students in ((answer.told, told), (answer.hidden, hidden)):
            for id in finding.misconceptions if finding else ():
                if id in LABS_SAID["misconception"]:
                    students[id].add(submission.student)
                    where[id].add(task)
    shared = [
        Shared(
            id,
            told=len(told[id]),
            hidden=len(hidden[id] - told[id]),
            tasks=tuple(sorted(tasks, key=lambda task: task.number)),
        )
        for id, tasks in where.items()
    ]
    return sorted(shared, key=lambda each: (-each.students, each.tasks[0].number, each.id))


def hands_needed(work: ClassWork) -> Iterator[Hand]:
    """What no program can settle, the gravest first."""
    for key in ("damaged", "not-graded"):
        yield from (Hand(key, each.student) for each in work.submissions if each.problem == key)
    for key in ("deleted", "changed", "stopped", "solution", "copied"):
        for submission in work.submissions:
            answers = submission.answers
            tasks = tuple(task for task in work.tasks if getattr(answers[task.id], key))
            if tasks:
                yield Hand(key, submission.student, tasks)
    for key in ("empty", "late"):
        yield from (Hand(key, each.student) for each in work.submissions if getattr(each, key))


def unexplained(work: ClassWork) -> Iterator[Unexplained]:
    """Wrong answers that nothing explains, as code without comments; the same code comes once."""
    found = Counter()
    for _, task, answer in wrong_answers(work):
        if not explanation(answer):
            found[task, nameless(answer.code)] += 1
    for (task, code), students in sorted(found.items(), key=lambda each: each[0][0].number):
        yield Unexplained(task, code, students)


def nameless(code: str) -> str:
    """Code without comments and docstrings, in which people write their names."""
    try:
        code = ast.unparse(without_docstrings(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError):
        code = re.sub(r"#.*", "", code)
    lines = code.splitlines()
    return "\n".join(lines[:MOST_CODE_LINES] + ["..."] * (len(lines) > MOST_CODE_LINES))


def first_guesses(work: ClassWork) -> dict[str, tuple[int, int]]:
    """How many first guesses were right and wrong, by question, of those that were handed in."""
    right, wrong = Counter(), Counter()
    for submission in work.submissions:
        for question, is_right in submission.guesses.items():
            (right if is_right else wrong)[question] += 1
    return {
        question: (right[question], wrong[question])
        for question in sorted(right | wrong, key=lambda name: (-wrong[name], name))
        if right[question] + wrong[question] >= FEWEST
    }


def title_of(misconception: str) -> Text:
    """A misconception in few words: those in bold in its sentence."""
    sentence = filled(LABS_SAID["misconception"][misconception]["is"])
    bold = sentence.map(lambda said: re.search("<b>(.*?)[.]?</b>", said)[1])
    return bold.map(lambda said: said[0].upper() + said[1:])


def title_of_lab(lab: str) -> Text:
    """What a lab is called; one that is not of the course, by the name of its folder."""
    return (
        LABS_SAID["lab"][lab]
        if lab in LABS_SAID["lab"]
        else Text(*[html.escape(lab)] * len(LANGUAGES))
    )


def filled(text: Text) -> Text:
    """A text without the values of one student's answer: “…” stands for each placeholder."""
    return text.map(lambda said: re.sub(r"\{\w+\}", "…", said))
