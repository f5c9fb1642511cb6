"""Collect and grade a lab, write feedback pages, and return the grades in one command.

python -m classroom.evening 03_sinusoidal submissions.zip worksheet.csv

Run the command in the course folder. If it cannot determine the author of a file, or which of two
files counts, it stops with exit code 1. Run the command again with your decision (--take), or with
--go-on to grade the other files. If you pass --due, late submissions are marked. If you pass no
files, the command grades all notebooks that were changed in ``submitted`` and updates all pages and
tables, for example after you have given points by hand. The exit code is also 1 if a notebook could
not be graded and has no points by hand. nbgrader's messages are written to ``grading.log``.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from datetime import datetime
from os.path import relpath
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from course_utils.words.text import words

from . import give_back
from .collect import TO_DECIDE, collect
from .findings import overview_of
from .grade import api, grade_all, keep_reasons, processors
from .grades import write_grades
from .overview import write
from .platforms import GivenFileError
from .submissions import Folders, class_work, failures_in, read_notebook

FAILED = ("kernel", "error", "not-graded")
"""Problems with readable submissions that only the teacher can solve."""

TEXTS = words(Path(__file__).with_suffix(".toml"))


def is_known(lab: str, address: str) -> bool:
    """Return True if the gradebook contains the exercises of a lab."""
    with Gradebook(address) as gradebook:
        try:
            return bool(gradebook.find_assignment(lab).notebooks)
        except MissingEntry:
            return False


def to_grade(lab: str, folders: Folders, again: bool) -> list[str]:
    """Return the students whose submissions are newer than their grades."""
    students, failed = [], failures_in(lab, folders)
    for path in sorted(folders.submitted.glob(f"*/{lab}/{lab}.ipynb")):
        student = path.parts[-3]
        graded = folders.autograded / student / lab / f"{lab}.ipynb"
        tried = folders.autograded / f"{lab}.json" if student in failed else graded
        if again or not tried.exists() or tried.stat().st_mtime < path.stat().st_mtime:
            students.append(student)
    return students


def due_date(lab: str, given: datetime | None, address: str) -> datetime | None:
    """Store the due date of a lab in the gradebook if one is given, and return the stored date."""
    with Gradebook(address) as gradebook:
        if given is not None:
            gradebook.update_or_create_assignment(lab, duedate=given)
        try:
            return gradebook.find_assignment(lab).duedate
        except MissingEntry:
            return None


def moment_of(text: str) -> datetime:
    """Parse a due date; without a time, it is the end of that day."""
    given = datetime.fromisoformat(text)
    given = given.astimezone().replace(tzinfo=None) if given.tzinfo else given
    return given.replace(hour=23, minute=59, second=59) if len(text.strip()) == 10 else given


def command_line() -> argparse.ArgumentParser:
    """Return the parser for the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lab")
    parser.add_argument("places", nargs="*", type=Path, metavar="file")
    due = 'due date, as in "2026-11-20 23:59", which is stored; later files are marked'
    parser.add_argument("--due", type=moment_of, metavar="TIME", help=due)
    parser.add_argument("--take", action="append", default=[], metavar="FILE=STUDENT")
    parser.add_argument("--go-on", action="store_true", help="grade although questions are open")
    parser.add_argument("--replace", action="store_true", help="replace what you changed by hand")
    parser.add_argument("--again", action="store_true", help="also grade what is graded already")
    parser.add_argument("--jobs", type=int, default=processors(), help="processes (default: cores)")
    parser.add_argument("--column", default="", help="the platform's column for the grades")
    return parser


def collect_as_asked(
    parser: argparse.ArgumentParser, given: argparse.Namespace, folders: Folders
) -> set[str]:
    """Collect submissions, and return the decisions that the teacher must make."""
    if missing := [str(place) for place in given.places if not place.exists()]:
        parser.error(TEXTS["missing"].format(places=", ".join(missing)).one_line)
    name = f"{given.lab}.ipynb"
    try:
        left = collect(
            given.lab,
            given.places,
            folders.submitted,
            read_notebook(folders.labs / given.lab / name)
            or read_notebook(folders.solutions / given.lab / name)
            or {"cells": []},
            taken_as=dict(each.rpartition("=")[::2] for each in given.take),
            due=given.due or due_date(given.lab, None, folders.gradebook),
            needs_times=given.due is not None,
            replace_changed=given.replace,
        )
    except GivenFileError as error:
        key, file = error.args
        parser.error(TEXTS[key].format(file=file).one_line)
    if given.due:
        due_date(given.lab, given.due, folders.gradebook)
    return left


def main() -> int:
    """Run the command and return its exit code."""
    parser = command_line()
    given = parser.parse_args()
    lab, folders, left = given.lab, Folders.configured(), set()
    if not (folders.solutions / lab).is_dir():
        parser.error(TEXTS["elsewhere"].format(folder=f"solutions/{lab}").one_line)
    if not is_known(lab, folders.gradebook):
        api().generate_assignment(lab, force=True)
    if given.places:
        left = collect_as_asked(parser, given, folders)
        if left & TO_DECIDE and not given.go_on:
            print("", TEXTS["decide"].lines, sep="\n")
            return 1
    students = to_grade(lab, folders, given.again)
    print("", TEXTS["grading"].format(n=len(students)).lines, sep="\n")
    reasons = grade_all(lab, students, given.jobs, again=True) if students else {}
    keep_reasons(lab, folders, students, reasons)
    try:
        work = class_work(lab, folders)
    except FileNotFoundError as error:
        parser.error(str(error))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbconvert warns about widgets, which the page replaces.
        for student in give_back.outdated(work, folders.feedback):
            api().generate_feedback(lab, student, force=True)
    written = [
        give_back.pack(work, folders.feedback),
        *give_back.fill_tables(work, folders, given.column),
        write_grades(folders),
        *write([lab], folders, Path("overview")),
    ]
    print("", TEXTS["done"].lines, *map(relpath, written), sep="\n")
    hands = sum(map(len, overview_of(work).hands.values()))
    print("", TEXTS["check"].format(n=hands, page=f"overview/{lab}.html").lines, sep="\n")
    is_open = any(each.problem in FAILED and not each.by_hand for each in work.submissions)
    return 1 if left & TO_DECIDE or is_open else 0


if __name__ == "__main__":
    sys.exit(main())
