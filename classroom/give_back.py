"""Create an archive of the feedback pages for a lab, and fill in the platform's table of grades.

python -m classroom.give_back 03_sinusoidal

Run the command in the course folder. It writes feedback/03_sinusoidal.zip, in which each page has
the path of the submitted file but a different extension. Moodle and Canvas distribute the pages in
such an archive to the students. If a submission could not be graded, the page explains why. Pages
that are older than their grades are omitted and listed, and the exit code is then 1. The tables
that were passed to ``collect`` are written next to the archive, with the grades filled in.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile

from course_utils.words.text import words

from . import sheets
from .submissions import ClassWork, Folders, Submission, class_work, graded_as, tables_folder
from .tables import Table

SAID = words(Path(__file__).with_suffix(".toml"))


def pages(work: ClassWork, feedback: Path) -> list[tuple[Submission, Path]]:
    """Return each student's page; if grading failed, create a page that explains why."""
    lab, found = work.lab, []
    for submission in work.submissions:
        page = feedback / submission.student / lab / f"{lab}.html"
        if submission.problem:
            page.parent.mkdir(parents=True, exist_ok=True)
            file = PurePosixPath(submission.listed.get("file", "")).name
            known = submission.listed.get("reason", "")
            reason = SAID["reason"].get(known) or SAID["problem"][submission.problem]
            told = {"reason": reason, "tasks": work.tasks, "file": file, "lab": lab}
            shown = sheets.page("ungraded", said=SAID, submission=submission, **told)
            page.write_text(shown, encoding="utf-8")
        if page.exists():
            found.append((submission, page))
    return found


def path_back(submission: Submission, lab: str) -> str:
    """Return the path of a page in the archive: the submitted file's path with suffix ``.html``."""
    path = submission.listed.get("file") or f"{submission.student}/{lab}.ipynb"
    # In a path such as submissions.zip/Ana_1_assignsubmission_file_/lab.ipynb, only the part after
    # the archive matters. If a student submitted an archive, its path replaces the notebook's path.
    path = re.sub(r"^.*?\.zip/", "", path, count=1, flags=re.IGNORECASE)
    path = re.sub(r"\.zip/.*$", "", path, flags=re.IGNORECASE)
    # Moodle identifies each team member by an individual number.
    number = submission.listed.get("number", "")
    team = re.match(r"[^/]*?(?:_(\d+))?(?=_assignsubmission_)", path)
    if team and number and team[1] != number:
        path = f"{submission.student}_{number}{path[team.end() :]}"
    return re.sub(r"(\.\w{1,8})?$", ".html", path, count=1)


def is_outdated(submission: Submission, page: Path) -> bool:
    """Return True if a page does not match the gradebook."""
    said = re.search(r'<meta[^>]* name="graded"[^>]*>', page.read_text("utf-8"))
    now = f'"{graded_as(submission.points)}"'
    return not submission.problem and (said is None or now not in said[0])


def outdated(work: ClassWork, feedback: Path) -> list[Submission]:
    """Return the graded submissions whose pages are missing or do not match the gradebook."""
    old = []
    for submission in work.submissions:
        page = feedback / submission.student / work.lab / f"{work.lab}.html"
        if not submission.problem and (not page.exists() or is_outdated(submission, page)):
            old.append(submission)
    return old


def pack(work: ClassWork, feedback: Path) -> tuple[Path, list[str]]:
    """Write the archive; return its path and the students whose pages are outdated."""
    found = pages(work, feedback)
    old = [submission.student for submission, page in found if is_outdated(submission, page)]
    archive = feedback / f"{work.lab}.zip"
    archive.parent.mkdir(exist_ok=True)
    with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
        for submission, page in found:
            if submission.student not in old:
                packed.write(page, path_back(submission, work.lab))
    return archive, old


def fill_tables(work: ClassWork, folders: Folders, column: str = "") -> list[Path]:
    """Fill the grades into the platform's tables, write them, and explain how to upload them.

    Rows are found only by the platform's number, so that no student can receive another's grade.
    """
    scores = {
        each.listed["number"]: each.score
        for each in work.submissions
        if each.has_score and each.listed.get("number")
    }
    highest = sum(task.points for task in work.tasks)
    written = []
    for path in sorted(tables_folder(work.lab, folders.submitted).glob("*")):
        table, place = Table.read(path.name, path.read_bytes()), folders.feedback / path.name
        try:
            table.fill(scores, highest, work.lab, column)
        except ValueError as error:
            print("", SAID["column"].format(file=path.name, names=str(error)).lines, sep="\n")
            continue
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(table.written())
        written.append(place)
        how = SAID["how"]["canvas" if table.is_canvas else "moodle"]
        print("", SAID["filled"].format(n=table.filled, file=place, how=how).lines, sep="\n")
        if table.factor != 1:
            scaled = {"factor": f"{table.factor:.4g}", "highest": f"{highest:g}"}
            print(SAID["scaled"].format(file=path.name, **scaled).lines)
        there = {person.number for person in table.people()}
        rest = [
            e.student
            for e in work.submissions
            if e.has_score and e.listed.get("number") not in there
        ]
        if rest:
            print("", SAID["without"].format(file=path.name).lines, *rest, sep="\n")
    return written


def main() -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lab")
    parser.add_argument("--column", default="", help="the platform's column for the grades")
    given = parser.parse_args()
    folders = Folders.configured()
    try:
        work = class_work(given.lab, folders)
    except FileNotFoundError as error:
        parser.error(str(error))
    archive, old = pack(work, folders.feedback)
    n = len(pages(work, folders.feedback)) - len(old)
    print(SAID["packed"].format(n=n, archive=str(archive)).lines)
    fill_tables(work, folders, given.column)
    if old:
        print("", SAID["outdated"].format(name=given.lab).lines, *old, sep="\n")
    return 0 if n and not old else 1


if __name__ == "__main__":
    sys.exit(main())
