"""Collection of submissions from files that were downloaded from a learning platform.

The newest notebook of each student is copied to the folder ``submitted``, where nbgrader finds it.
The same folder contains a list, such as ``03_sinusoidal.csv``, with a row for each student who
submitted a file. Email addresses, submission times and the names of students without a submission
are read from the platform's table. Files that were edited in ``submitted`` are not overwritten.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

import nbformat

from course_utils.words.text import words

from .cleaning import UnreadableError, cleaned, parsed
from .platforms import (
    COPY,
    RECEIPT,
    File,
    GivenFileError,
    Origin,
    by_folder,
    files,
    origin_of,
    without_signs,
)
from .putting_back import answered_in, by_grade_id, is_certain, tests_in
from .submissions import HIDDEN_TEST, handed_in_list, read_notebook, tables_folder
from .tables import Person, Table

TEXTS = words(Path(__file__).with_suffix(".toml"))

COLUMNS = (
    "student",
    "number",
    "address",
    "time",
    "late",
    "state",
    "reason",
    "fewer",
    "passed",
    "file",
    "sum",
)
"""Columns of the list of submissions.

The name is empty for files of unknown origin. ``reason`` explains why a file is damaged. ``fewer``
contains the numbers of answers in the newest file and in an older file with more answers.
``passed`` lists files that a teacher rejected by choosing another file. ``sum`` is the checksum of
the notebook when it was copied to ``submitted``.
"""

BETWEEN = " | "
"""Separator between paths in a column."""

STATES = ("", "markings", "damaged", "other-lab", "no-notebook")
"""States of a file from best to worst.

The empty string stands for an intact lab.
"""

NOT_SENT = ("nothing", "unknown")
"""States of rows for students without a submission and for files of unknown origin."""

TO_DECIDE = {"undecided", "unknown", "team"}
"""States in which a teacher must make a decision before the files can be graded."""


@dataclass(frozen=True)
class HandedIn:
    """A submitted file with its student and its state, one of ``STATES``."""

    file: File
    state: str
    copy: int
    """Number that a platform or browser added to the name of a copy."""
    reason: str = ""
    """Reason why the file is damaged."""
    notebook: str = ""
    """Notebook to be graded, or an empty string if the file contains none."""
    answers: int = 0
    """Number of exercises with an answer."""
    origin: Origin | None = None
    is_named: bool = False
    """True if a teacher named the student."""

    @property
    def path(self) -> str:
        return self.file.path

    @property
    def readable(self) -> bool:
        return self.state == ""

    @property
    def age(self) -> tuple[object, ...]:
        """Sort key that selects a student's newest file.

        A better state has priority.
        """
        origin = self.origin
        return self.is_named, -STATES.index(self.state), origin.time, origin.order, self.copy


def examined(lab: str, file: File, released: dict) -> HandedIn:
    """Determine the state of a file.

    A notebook that contains at least half of the lab's tests counts as this lab.
    """
    is_notebook_name = file.path.lower().endswith(".ipynb")
    as_the_lab = re.search(rf"(?:^|[/_ -]){re.escape(lab)}{COPY}\.ipynb$", file.path, re.IGNORECASE)
    numbered = as_the_lab or re.search(r"-(\d+)\.ipynb$", file.path, re.IGNORECASE)
    copy = int(numbered[1] or 0) if numbered else 0
    try:
        notebook = cleaned(parsed(file.content), released)
    except UnreadableError as error:
        state = "damaged" if is_notebook_name else "no-notebook"
        reason = file.unread or (str(error) if is_notebook_name else "")
        return HandedIn(file, state, copy, reason=reason)
    tests = {name for name in by_grade_id(released) if name.startswith("check-")}
    has_tests = tests and 2 * len(tests_in(notebook) & tests) >= len(tests)
    if not (as_the_lab or has_tests):
        state = "other-lab" if is_notebook_name else "no-notebook"
    else:
        state = "" if is_certain(notebook, released) else "markings"
    answers = answered_in(notebook, released)
    return HandedIn(file, state, copy, notebook=nbformat.writes(notebook), answers=answers)


def with_students(
    lab: str,
    found: list[HandedIn],
    people: list[Person],
    taken_as: Mapping[str, str],
    remembered: Mapping[str, str],
) -> tuple[list[HandedIn], list[HandedIn]]:
    """Return the files that can be assigned to students, and the uncertain files.

    ``taken_as`` contains the students whom a teacher named in this call, and ``remembered``
    contains the students named earlier.
    """
    teams, numbers = {each.team for each in people} - {""}, {each.number for each in people}
    origins = _origins(lab, found)
    known, strangers = [], []
    for each in found:
        origin = origins.get(each.path)
        if name := taken_as.get(each.path):
            same = [person.number for person in people if person.name == name]
            origin = Origin(name, same[0] if len(same) == 1 else "")
            known.append(replace(each, origin=origin, is_named=True))
        elif each.path in remembered and (origin is None or origin.is_guess):
            known.append(replace(each, origin=Origin(remembered[each.path])))
        elif origin is None or origin.name in ("", lab) or (origin.is_guess and not each.readable):
            strangers.append(each)
        elif origin.name in teams and origin.number not in numbers:
            members = [person for person in people if person.team == origin.name]
            known += [replace(each, origin=Origin(one.name, one.number)) for one in members]
        elif origin.is_team and origin.number not in numbers:
            strangers.append(replace(each, origin=origin))
        else:
            known.append(replace(each, origin=origin))
    # Two students may share a guessed name, so different files are not assigned to one student.
    contents = defaultdict(set)
    for each in known:
        contents[each.origin.name if each.origin.is_guess else ""].add(each.notebook)
    doubtful = {name for name, several in contents.items() if name and len(several) > 1}
    strangers += [each for each in known if each.origin.is_guess and each.origin.name in doubtful]
    return [each for each in known if each not in strangers], strangers


def _origins(lab: str, found: list[HandedIn]) -> dict[str, Origin]:
    """Return the student of each file if the path or the archive identifies one."""
    origins, receipts = {}, {}
    for archive in {each.file.archive: None for each in found}:
        inside = [each for each in found if each.file.archive == archive]
        by_path = {each.path: origin_of(each.path, lab) for each in inside}
        is_of_platform = any(each and not each.is_guess for each in by_path.values())
        if not is_of_platform:
            labs = [each.path for each in inside if each.readable]
            by_path |= by_folder(labs, by_path)
        # Archives from Canvas contain no other files.
        elif not all(each and not each.is_guess for each in by_path.values()):
            by_path = {path: each for path, each in by_path.items() if each and not each.order}
        origins |= {path: each for path, each in by_path.items() if each}
        for each in inside:  # Blackboard’s text file begins with: Name: Ana Pérez (perez_ana)
            user = re.match(rb"[^\n]*\((\S+)\)\s*$", each.file.content, re.MULTILINE)
            if RECEIPT.search(each.path) and user and each.path in origins:
                receipts[origins[each.path].number] = without_signs(
                    user[1].decode("utf-8", "replace")
                )
    return {
        path: replace(each, name=receipts.get(each.number, each.name))
        for path, each in origins.items()
    }


def newest(
    found: Iterable[HandedIn], before: Iterable[Mapping[str, str]] = ()
) -> tuple[dict[str, HandedIn], dict[str, list[HandedIn]]]:
    """Return the newest file of each student, or the candidates if the choice is uncertain.

    The choice is uncertain if two different files were submitted at the same time. Students are
    identified by their names, or by the platform's number if two students share a name. Students
    who are already in the list keep their names.
    """
    listed = {
        (row["student"].removesuffix(f" {row['number']}"), row["number"]): row["student"]
        for row in before
    }
    by_student = {student: key for key, student in listed.items()}
    numbers, students = defaultdict(set), defaultdict(list)
    for name, number in listed:
        numbers[name].add(number)
    for each in sorted(found, key=lambda each: not each.origin.number):
        name, number = each.origin.name, each.origin.number
        if not number and name in by_student:  # A teacher named this file.
            name, number = by_student[name]
        elif not number and len(numbers[name]) == 1:
            number = min(numbers[name])
        numbers[name].add(number)
        students[name, number].append(
            replace(each, origin=replace(each.origin, name=name, number=number))
        )
    taken, undecided = {}, {}
    for (name, number), several in students.items():
        alone = name if len(numbers[name]) == 1 else f"{name} {number}".strip()
        student = listed.get((name, number), alone)
        age = max(each.age for each in several)
        rivals = [each for each in several if each.age == age]
        # Files without answers do not count, nor do solutions, which are in every copy of the
        # course.
        rivals = [each for each in rivals if each.answers] or rivals
        rivals = [each for each in rivals if HIDDEN_TEST not in each.notebook] or rivals
        if all(each.file.downloaded for each in rivals):
            # A platform exports only the last submission, so the later download contains the newer
            # file.
            latest = max(each.file.downloaded for each in rivals)
            rivals = [each for each in rivals if each.file.downloaded == latest]
        if rivals[0].readable and len({each.notebook for each in rivals}) > 1:
            undecided[student] = rivals
        else:
            taken[student] = max(rivals, key=lambda each: each.path)
    return taken, undecided


def collect(
    lab: str,
    places: Iterable[Path],
    submitted: Path,
    released: dict,
    *,
    taken_as: Mapping[str, str] = MappingProxyType({}),
    due: datetime | None = None,
    needs_times: bool = False,
    replace_changed: bool = False,
) -> set[str]:
    """Copy the newest notebook of each student to a folder, and report on each file.

    Args:
        lab: Name of the lab.
        places: Archives, notebooks, folders of both, and tables from the platform.
        submitted: Folder in which nbgrader looks for submissions.
        released: Lab as it was handed out, for identifying renamed notebooks.
        taken_as: Students of files whose paths do not identify them, keyed by path.
        due: Due date; files submitted later are marked as late.
        needs_times: If True, reject submissions if the platform provides no times.
        replace_changed: If True, overwrite notebooks that were edited in the folder.

    Returns:
        Keys of the decisions that the teacher must make. The set is empty if every file was
        collected.

    Raises:
        GivenFileError: If an archive or table cannot be read, or if times are needed but no file or
            table contains any.
    """
    given = [file for place in places for file in files(place)]
    tables = [Table.read(file.path, file.content) for file in given if file.is_table]
    people = [person for table in tables for person in table.people()]
    before = handed_in_list(lab, submitted)
    found = [examined(lab, file, released) for file in given if not file.is_table]
    if not released["cells"]:  # A file identified by the teacher needs no comparison.
        found = [replace(e, state="") if e.path in taken_as and e.notebook else e for e in found]
    sent = [row for row in before if row["state"] not in NOT_SENT]
    remembered = {row["file"]: row["student"] for row in sent}
    known, strangers = with_students(lab, found, people, taken_as, remembered)
    over = {path for row in sent for path in (row.get("passed") or "").split(BETWEEN)}
    over -= taken_as.keys()
    dated = any(each.time for each in people) or any(e.origin.time or e.origin.late for e in known)
    if needs_times and not dated:
        raise GivenFileError("no-times", "")
    taken, undecided = newest([each for each in known if each.path not in over], sent)
    class_list = {person.number: person for person in people}
    rows, collected, changed = {row["student"]: row for row in sent}, [], []
    for student, last in sorted(taken.items()):
        folder, old = submitted / student / lab, rows.get(student)
        if not replace_changed and _was_changed(folder, old, last.notebook):
            changed.append(f"{student}: {last.path}")
        elif last.readable or old is None or old["state"]:
            who = last.origin
            rivals = [
                each
                for each in known
                if each.origin.name == who.name and each.origin.number in ("", who.number)
            ]
            fewer = _fewer(last, rivals, folder, released)
            rows[student] = _row(student, last, class_list, due) | {"fewer": fewer}
            if last.is_named:
                others = sorted({each.path for each in rivals} - {last.path})
                rows[student]["passed"] = BETWEEN.join(others)
            elif old:
                rows[student]["passed"] = old.get("passed", "")
            if old:
                rows[student]["address"] = old["address"]
                if old["sum"] == rows[student]["sum"] and not last.is_named:
                    rows[student]["fewer"] = old.get("fewer", "")
            _put(last, rows[student]["time"], folder)
            collected.append(student)
    for student, (first, *_) in undecided.items():
        rows.setdefault(student, _row(student, replace(first, state="undecided"), class_list, due))
    for row in rows.values():
        person = class_list.get(row["number"])
        row["address"] = (person.address if person else "") or row.get("address", "")
    nothing = _sent_nothing(rows.values(), before, people)
    unknown = {row["file"] for row in before if row["state"] == "unknown"}
    unknown = unknown - {each.path for each in known} | {each.path for each in strangers}
    files_of_nobody = [{"state": "unknown", "file": path} for path in unknown]
    _write_list([*rows.values(), *nothing, *files_of_nobody], submitted / f"{lab}.csv")
    _keep(tables, tables_folder(lab, submitted))
    print(TEXTS["collected"].format(n=len(collected), name=lab).lines)
    rivals = [(each.path, student) for student in undecided for each in undecided[student]]
    teams = [each.path for each in strangers if each.origin and each.origin.is_team]
    left = _what_was_left(known, taken.values(), rivals) | {
        "fewer": [f"{row['student']}: {row['fewer']}" for row in rows.values() if row.get("fewer")],
        "changed": changed,
        "team": teams,
        "unknown": [_take(each.path) for each in strangers if each.path not in teams],
        "late": [student for student in collected if rows[student]["late"]],
        "nothing": [row["student"] for row in nothing],
    }
    for reason, paths in left.items():
        if paths:
            print("", TEXTS[reason].format(name=lab).lines, *sorted(paths), sep="\n")
    open_ones = {each for each in {*STATES, *TO_DECIDE} if left.get(each)}
    return open_ones or ({"nobody"} if not taken else set())


def _what_was_left(
    found: list[HandedIn], taken: Collection[HandedIn], rivals: list[tuple[str, str]]
) -> dict[str, list[str]]:
    """Return the files that will not be graded, grouped by reason."""
    apart = {*(path for path, _ in rivals), *(each.path for each in taken)}
    return {
        "older": [each.path for each in found if each.readable and each.path not in apart],
        **{state: [each.path for each in taken if each.state == state] for state in STATES[1:]},
        "undecided": [_take(path, student) for path, student in rivals],
    }


def _take(path: str, student: str = "STUDENT") -> str:
    """Return the command-line option that assigns a file to a student."""
    return f'--take "{path}={student}"'


def _row(
    student: str, given: HandedIn, class_list: Mapping[str, Person], due: datetime | None
) -> dict[str, str]:
    """Return a student's row in the list."""
    person = class_list.get(given.origin.number)
    time = given.origin.time or (person.time if person else "")
    late = given.origin.late or bool(due and time and datetime.fromisoformat(time) > due)
    return {
        "student": student,
        "number": given.origin.number,
        "time": time,
        "late": "late" if late else "",
        "state": given.state,
        "reason": given.reason,
        "file": given.path,
        "sum": _sum(given.notebook) if given.readable else "",
    }


def _fewer(last: HandedIn, rivals: list[HandedIn], folder: Path, released: dict) -> str:
    """Return the numbers of answers in two files if the older file has more answers."""
    older = read_notebook(folder / f"{folder.name}.ipynb") or {"cells": []}
    most = max([*(each.answers for each in rivals), answered_in(older, released)])
    return f"{last.answers} < {most}" if last.answers < most and not last.is_named else ""


def _sum(notebook: str) -> str:
    return sha256(notebook.encode()).hexdigest()


def _was_changed(folder: Path, row: Mapping[str, str] | None, notebook: str) -> bool:
    """Return True if a notebook was edited or added manually after the list was written."""
    try:
        stored_notebook = (folder / f"{folder.name}.ipynb").read_text("utf-8")
    except (FileNotFoundError, UnicodeDecodeError) as error:
        return isinstance(error, UnicodeDecodeError)
    # Rows without a checksum were not written by this command.
    return stored_notebook != notebook and (row is None or row["sum"] != _sum(stored_notebook))


def _sent_nothing(
    rows: Collection[Mapping[str, str]],
    before: Iterable[Mapping[str, str]],
    people: Iterable[Person],
) -> list[dict[str, str]]:
    """Return rows for students in the platform's table who have not submitted anything."""
    listed = {row["number"]: row for row in before if row["state"] == "nothing"}
    for each in people:
        listed[each.number] = {
            "student": each.name,
            "number": each.number,
            "address": each.address,
            "state": "nothing",
        }
    sent = {row["number"] for row in rows} | {row["student"] for row in rows if not row["number"]}
    return [row for row in listed.values() if not sent & {row["number"], row["student"]}]


def _put(notebook: HandedIn, time: str, folder: Path) -> None:
    """Write a notebook and its submission time to the locations that nbgrader expects."""
    if not notebook.readable:
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{folder.name}.ipynb"
    if (
        not path.exists() or path.read_bytes() != notebook.notebook.encode()
    ):  # An unchanged file must not be graded again.
        path.write_bytes(notebook.notebook.encode())
    (folder / "timestamp.txt").unlink(missing_ok=True)
    if time:
        (folder / "timestamp.txt").write_text(time, encoding="utf-8")


def _keep(tables: Iterable[Table], folder: Path) -> None:
    """Store the platform's tables, so that the grades can be filled in later."""
    for table in tables:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / Path(table.name).name).write_bytes(table.written())


def _write_list(rows: Iterable[Mapping[str, str]], path: Path) -> None:
    rows = sorted(rows, key=lambda row: (row.get("student", ""), row.get("file", "")))
    if rows:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
            table.writeheader()
            table.writerows(rows)
