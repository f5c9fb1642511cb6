"""Collect and grade a lab, write feedback pages, and return the grades in one command.

python -m classroom.evening 03_sinusoidal submissions.zip worksheet.csv

Run the command in the course folder. If it cannot determine the author of a file, or which of two
files counts, it stops with exit code 1. Run it again with your decision (--take), or with --go-on
to grade the other files. If you pass --due, late submissions are marked. If you pass no files, the
command grades all notebooks that were changed in ``submitted`` and updates all pages and tables,
for example after you have given points by hand. The exit code is also 1 if a notebook could not be
graded and has no points by hand. nbgrader's messages are written to ``grading.log``.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from course_utils.words.text import words

from . import give_back
from .collect import TO_DECIDE, add_arguments, collect_as_asked
from .findings import overview_of
from .grade import api, grade_all, keep_reasons, processors
from .grades import write_grades
from .overview import write
from .submissions import Folders, class_work, failures_in

FAILED = ("kernel", "error", "not-graded")
"""Problems of readable submissions that only the teacher can solve."""

SAID = words(Path(__file__).with_suffix(".toml"))


def is_known(lab: str, address: str) -> bool:
    """Return True if the gradebook contains the exercises of a lab."""
    with Gradebook(address) as gradebook:
        try:
            return bool(gradebook.find_assignment(lab).notebooks)
        except MissingEntry:
            return False


def to_grade(lab: str, folders: Folders, again: bool) -> list[str]:
    """Return the students with submissions newer than their grading; if ``again``, return all."""
    students, failed = [], failures_in(lab, folders)
    for path in sorted(folders.submitted.glob(f"*/{lab}/{lab}.ipynb")):
        student = path.parts[-3]
        graded = folders.autograded / student / lab / f"{lab}.ipynb"
        tried = folders.autograded / f"{lab}.json" if student in failed else graded
        if again or not tried.exists() or tried.stat().st_mtime < path.stat().st_mtime:
            students.append(student)
    return students


def main() -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("--go-on", action="store_true", help="grade although questions are open")
    parser.add_argument("--again", action="store_true", help="also grade what is graded already")
    parser.add_argument("--jobs", type=int, default=processors(), help="processes (default: cores)")
    parser.add_argument("--column", default="", help="the platform's column for the grades")
    given = parser.parse_args()
    lab, folders = given.lab, Folders.configured()
    left = set()
    if (folders.solutions / lab).is_dir() and not is_known(lab, folders.gradebook):
        api().generate_assignment(lab, force=True)
    if given.places:
        left = collect_as_asked(parser, given)
        if left & TO_DECIDE and not given.go_on:
            print("", SAID["decide"].lines, sep="\n")
            return 1
    students = to_grade(lab, folders, given.again)
    print("", SAID["grading"].format(n=len(students)).lines, sep="\n")
    reasons = grade_all(lab, students, given.jobs, again=True) if students else {}
    keep_reasons(lab, folders, students, reasons)
    try:
        work = class_work(lab, folders)
    except FileNotFoundError as error:
        parser.error(str(error))
    outdated = [each.student for each in give_back.outdated(work, folders.feedback)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbconvert warns about widgets, which the page replaces.
        for student in outdated:
            api().generate_feedback(lab, student, force=True)
    archive, _ = give_back.pack(work, folders.feedback)
    written = [archive, *give_back.fill_tables(work, folders, given.column), write_grades(folders)]
    for projector in (False, True):
        written += write([lab], folders, projector, Path("overview"))
    print("", SAID["done"].lines, *written, sep="\n")
    hands = sum(map(len, overview_of(work).hands.values()))
    print("", SAID["check"].format(n=hands, page=f"overview/{lab}.html").lines, sep="\n")
    is_open = any(each.problem in FAILED and not each.by_hand for each in work.submissions)
    return 1 if left & TO_DECIDE or is_open else 0


if __name__ == "__main__":
    sys.exit(main())
