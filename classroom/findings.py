"""What the answers of a class show: where students stopped, and how many share a misconception."""

from __future__ import annotations

import ast
import html
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from course_utils.labs.messages import SAID as LABS_SAID
from course_utils.words.text import LANGUAGES, Text

from .submissions import AMISS, WRONG, Answer, ClassWork, Submission, Task, without_docstrings

FEWEST = 3
"""Students whose answers are told apart from others; of fewer, one could guess who they are."""

MOST_CODE_LINES = 20


@dataclass(frozen=True)
class Hand:
    """Something that no program can settle: what, whose, and in which exercises."""

    key: str
    student: str
    """Or the path of a file of which nobody knows whose it is."""
    tasks: tuple[Task, ...] = ()
    others: tuple[str, ...] = ()
    """Who handed in the same code."""

    @property
    def numbers(self) -> str:
        """The exercises."""
        return ", ".join(str(task.number) for task in self.tasks)


@dataclass(frozen=True)
class Shared:
    """A misconception, and how many students have it."""

    id: str
    students: int
    tasks: tuple[Task, ...]
    lost: float = 0.0
    """Points that they lost in exercises in which they have it."""

    @property
    def sentence(self) -> Text:
        """What it is, with “…” in place of values that differ from student to student."""
        return filled(LABS_SAID["misconception"][self.id]["is"])

    @property
    def question(self) -> Text:
        """The question that leads a student out of it."""
        return filled(LABS_SAID["misconception"][self.id]["ask"])


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
    hands: dict[str, list[Hand]]
    states: dict[str, Counter[str]]
    shared: tuple[Shared, ...]
    rare: int
    """Misconceptions that fewer than three students share, which are not named."""
    explained: dict[str, list[Task]]
    """The exercise of each wrong answer, by what explains it: see ``explanation``."""
    unexplained: tuple[Unexplained, ...]

    @property
    def title(self) -> Text:
        """What the lab is called; one that is not of the course, by the name of its folder."""
        lab = self.work.lab
        return LABS_SAID["lab"].get(lab) or Text(*[html.escape(lab)] * len(LANGUAGES))

    @property
    def handed_in(self) -> int:
        """How many students handed something in."""
        return len(self.work.submissions)

    @property
    def broken_down(self) -> bool:
        """Whether the class is large enough to be looked at in parts."""
        return self.handed_in >= FEWEST


def overview_of(work: ClassWork) -> Overview:
    """Count what a class handed in."""
    states = {
        task.id: Counter(each.answers[task.id].state for each in work.submissions)
        for task in work.tasks
    }
    everything = shared_misconceptions(work)
    enough = len(work.submissions) >= FEWEST
    shared = [each for each in everything if each.students >= FEWEST] if enough else []
    hands, explained = defaultdict(list), defaultdict(list)
    for hand in hands_needed(work):
        if hand.student > max(hand.others, default=""):  # one line for those who share code
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
    if any(each.misconceptions for each in answer.findings):
        return "misconception"
    if any(each.pattern for each in answer.findings):
        return "regular"
    if any(each.key for each in answer.findings):
        return "message"
    return "failed" if answer.failed else ""


def shared_misconceptions(work: ClassWork) -> list[Shared]:
    """Each misconception with the number of its students, the commonest first.

    A student who has a misconception in several exercises counts once.
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
    """The misconceptions that the feedback, or only the hidden test, found in an answer."""
    found = {id for each in answer.findings for id in each.misconceptions}
    return found & LABS_SAID["misconception"].keys()


PROBLEMS = ("undecided", "damaged", "markings", "other-lab", "no-notebook", "not-graded")
"""Why all of a submission went ungraded."""


def hands_needed(work: ClassWork) -> Iterator[Hand]:
    """What no program can settle, the gravest first."""
    yield from (Hand("unknown", path) for path in work.unknown)
    for key in PROBLEMS:
        yield from (Hand(key, each.student) for each in work.submissions if each.problem == key)
    for key in AMISS:
        for each in work.submissions:
            tasks = tuple(task for task in work.tasks if key in each.answers[task.id].amiss)
            if tasks:
                yield Hand(key, each.student, tasks)
    for students, tasks in shared_code(work).items():
        for student in students:
            others = tuple(each for each in students if each != student)
            yield Hand("alike", student, tuple(tasks), others)
    for key in ("empty", "late"):
        yield from (Hand(key, each.student) for each in work.submissions if getattr(each, key))
    yield from (Hand("nothing", row["student"]) for row in work.nothing)


def shared_code(work: ClassWork) -> dict[tuple[str, ...], list[Task]]:
    """The students who handed in the same code, and in which exercises they did."""
    found = defaultdict(list)
    for task in work.tasks:
        students = defaultdict(list)
        for each in work.submissions:
            students[each.answers[task.id].shared_code].append(each.student)
        for code, group in students.items():
            if code and len(group) > 1:
                found[tuple(group)].append(task)
    return found


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


def title_of(misconception: str) -> Text:
    """A misconception in few words: those in bold in its sentence."""
    sentence = filled(LABS_SAID["misconception"][misconception]["is"])
    bold = sentence.map(lambda said: re.search("<b>(.*?)[.]?</b>", said)[1])
    return bold.map(lambda said: said[0].upper() + said[1:])


def filled(text: Text) -> Text:
    """A text without the values of one student's answer: “…” stands for each placeholder."""
    return text.map(lambda said: re.sub(r"\{\w+\}", "…", said))
