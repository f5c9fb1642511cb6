"""Findings about a class: common misconceptions, and submissions that need attention."""

from __future__ import annotations

import ast
import html
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from course_utils.labs.messages import TEXTS as FEEDBACK
from course_utils.words.text import LANGUAGES, Text

from .submissions import (
    IRREGULARITIES,
    WRONG,
    Answer,
    ClassWork,
    Submission,
    Task,
    without_docstrings,
)

FEWEST = 3
"""Minimum size of a group whose answers are shown, so that students remain anonymous."""

MOST_CODE_LINES = 20


@dataclass(frozen=True)
class Hand:
    """A case for the teacher, with the problem, the student and the exercises."""

    key: str
    student: str
    """Name of the student, or path of a file of unknown origin."""
    tasks: tuple[Task, ...] = ()
    others: tuple[str, ...] = ()
    """Other students who submitted the same code, or the numbers of answers to compare."""

    @property
    def numbers(self) -> str:
        """Numbers of the exercises, separated by commas."""
        return ", ".join(str(task.number) for task in self.tasks)


@dataclass(frozen=True)
class Shared:
    """A misconception and the number of students who have it."""

    id: str
    students: int
    tasks: tuple[Task, ...]
    lost: float = 0.0
    """Points lost in exercises with this misconception."""

    @property
    def sentence(self) -> Text:
        """Description in which “…” replaces values that differ between students."""
        return filled(FEEDBACK["misconception"][self.id]["is"])

    @property
    def question(self) -> Text:
        """Question that helps students to overcome the misconception."""
        return filled(FEEDBACK["misconception"][self.id]["ask"])


@dataclass(frozen=True)
class Unexplained:
    """Wrong code without an explanation, and the number of students who wrote it."""

    task: Task
    code: str
    students: int


@dataclass(frozen=True)
class Overview:
    """Content of the overview page for a lab."""

    work: ClassWork
    hands: dict[str, list[Hand]]
    states: dict[str, Counter[str]]
    shared: tuple[Shared, ...]
    rare: int
    """Number of misconceptions that are not named because fewer than three students have them."""
    explained: dict[str, list[Task]]
    """Exercises with wrong answers, keyed by the kind of explanation."""
    unexplained: tuple[Unexplained, ...]

    @property
    def title(self) -> Text:
        """Title of the lab, or the name of its folder if the lab is not part of the course."""
        lab = self.work.lab
        return FEEDBACK["lab"].get(lab) or Text(*[html.escape(lab)] * len(LANGUAGES))

    @property
    def handed_in(self) -> int:
        """Number of students who submitted something."""
        return len(self.work.submissions)

    @property
    def broken_down(self) -> bool:
        """True if the class is large enough to show results for groups."""
        return self.handed_in >= FEWEST


def overview_of(work: ClassWork) -> Overview:
    """Summarise the submissions of a class."""
    states = {
        task.id: Counter(each.answers[task.id].state for each in work.submissions)
        for task in work.tasks
    }
    everything = shared_misconceptions(work)
    enough = len(work.submissions) >= FEWEST
    shared = [each for each in everything if each.students >= FEWEST] if enough else []
    hands, explained = defaultdict(list), defaultdict(list)
    for hand in hands_needed(work):
        # Students with the same code share a line.
        if hand.key != "alike" or hand.student > max(hand.others):
            hands[hand.key].append(hand)
    for _, task, answer in wrong_answers(work):
        explained[explanation(answer)].append(task)
    return Overview(
        work=work,
        hands=hands,
        states=states,
        shared=tuple(shared),
        rare=len(everything) - len(shared),
        explained=explained,
        unexplained=tuple(unexplained(work)) if enough else (),
    )


def wrong_answers(work: ClassWork) -> Iterator[tuple[Submission, Task, Answer]]:
    """Yield all answers without full points."""
    for submission in work.submissions:
        for task in work.tasks:
            answer = submission.answers[task.id]
            if answer.state == WRONG:
                yield submission, task, answer


def explanation(answer: Answer) -> str:
    """Return the kind of explanation for a wrong answer, or an empty string if there is none.

    The kinds are ``"misconception"``, ``"regular"`` (only a pattern), ``"message"`` (other
    feedback, such as an error), and ``"failed"`` (the answer could not be examined).
    """
    if any(each.misconceptions for each in answer.findings):
        return "misconception"
    if any(each.pattern for each in answer.findings):
        return "regular"
    if any(each.key for each in answer.findings):
        return "message"
    return "failed" if answer.failed else ""


def shared_misconceptions(work: ClassWork) -> list[Shared]:
    """Count the students with each misconception, sorted from most to least common.

    A student with the same misconception in several exercises is counted once.
    """
    students, tasks, lost = defaultdict(set), defaultdict(set), Counter()
    for submission, task, answer in wrong_answers(work):
        for id in misconceptions_of(answer):
            students[id].add(submission.student)
            tasks[id].add(task)
            lost[id] += task.points - answer.graded.score
    shared = [
        Shared(id, len(who), tuple(sorted(tasks[id], key=lambda task: task.number)), lost[id])
        for id, who in students.items()
    ]
    return sorted(shared, key=lambda each: (-each.students, each.tasks[0].number, each.id))


def misconceptions_of(answer: Answer) -> set[str]:
    """Return the misconceptions that feedback or the hidden test found in an answer."""
    found = {id for each in answer.findings for id in each.misconceptions}
    return found & FEEDBACK["misconception"].keys()


PROBLEMS = (
    "undecided",
    "damaged",
    "markings",
    "other-lab",
    "no-notebook",
    "kernel",
    "error",
    "not-graded",
)
"""Reasons why an entire submission was not graded."""

MOST_ALIKE = 4
"""Maximum size of a group whose identical code is reported.

In larger groups, the code usually comes from the lesson.
"""


def hands_needed(work: ClassWork) -> Iterator[Hand]:
    """Yield the cases for the teacher, from most to least serious."""
    yield from (Hand("unknown", path) for path in work.unknown)
    for key in PROBLEMS:
        for each in work.submissions:
            if each.problem == key and not each.by_hand:
                yield Hand(key, each.student)
    for each in work.submissions:
        if fewer := each.listed.get("fewer"):
            yield Hand("fewer", each.student, others=(fewer,))
    for key in IRREGULARITIES:
        for each in work.submissions:
            tasks = tuple(
                task for task in work.tasks if key in each.answers[task.id].irregularities
            )
            if tasks:
                yield Hand(key, each.student, tasks)
    for students, tasks in shared_code(work).items():
        for student in students:
            others = tuple(each for each in students if each != student)
            yield Hand("alike", student, tuple(tasks), others)


def shared_code(work: ClassWork) -> dict[tuple[str, ...], list[Task]]:
    """Return the exercises in which students submitted the same code, keyed by the students."""
    found = defaultdict(list)
    for task in work.tasks:
        students = defaultdict(list)
        for each in work.submissions:
            students[each.answers[task.id].shared_code].append(each.student)
        for code, group in students.items():
            if code and 1 < len(group) <= MOST_ALIKE:
                found[tuple(group)].append(task)
    return found


def unexplained(work: ClassWork) -> Iterator[Unexplained]:
    """Yield wrong answers without an explanation, grouped by their code without comments."""
    found = Counter()
    for _, task, answer in wrong_answers(work):
        if not explanation(answer):
            found[task, nameless(answer.code)] += 1
    for (task, code), students in sorted(found.items(), key=lambda each: each[0][0].number):
        yield Unexplained(task, code, students)


def nameless(code: str) -> str:
    """Remove comments and docstrings, which may contain names of students."""
    try:
        code = ast.unparse(without_docstrings(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError):
        code = re.sub(r"#.*", "", code)
    lines = code.splitlines()
    return "\n".join(lines[:MOST_CODE_LINES] + ["..."] * (len(lines) > MOST_CODE_LINES))


def title_of(misconception: str) -> Text:
    """Return the short title of a misconception, which is the bold text in its description."""
    sentence = filled(FEEDBACK["misconception"][misconception]["is"])
    bold = sentence.map(lambda text: re.search("<b>(.*?)[.]?</b>", text)[1])
    return bold.map(lambda text: text[0].upper() + text[1:])


def filled(text: Text) -> Text:
    """Replace placeholders with “…” to hide the values of individual answers."""
    return text.map(lambda text: re.sub(r"\{\w+\}", "…", text))
