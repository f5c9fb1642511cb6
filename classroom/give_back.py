"""Return of feedback pages and grades to a learning platform.

Each page in the archive has the path of the submitted file with a different extension. Moodle and
Canvas distribute the pages in such an archive to the students. If a submission could not be graded,
its page explains the reason.
"""

from __future__ import annotations

import re
from os.path import relpath
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile

from course_utils.words.text import words

from . import sheets
from .submissions import ClassWork, Folders, Submission, graded_as, tables_folder
from .tables import Table

TEXTS = words(Path(__file__).with_suffix(".toml"))


def pages(work: ClassWork, feedback: Path) -> list[tuple[Submission, Path]]:
    """Return each student's page, and create a page if grading failed."""
    lab, found = work.lab, []
    for submission in work.submissions:
        page = feedback / submission.student / lab / f"{lab}.html"
        if submission.problem:
            page.parent.mkdir(parents=True, exist_ok=True)
            file = PurePosixPath(submission.listed.get("file", "")).name
            known = submission.listed.get("reason", "")
            reason = TEXTS["reason"].get(known) or TEXTS["problem"][submission.problem]
            context = {"reason": reason, "tasks": work.tasks, "file": file, "lab": lab}
            shown = sheets.page("ungraded", texts=TEXTS, submission=submission, **context)
            page.write_text(shown, encoding="utf-8")
        if page.exists():
            found.append((submission, page))
    return found


def path_back(submission: Submission, lab: str) -> str:
    """Return the path in the archive for a page, with the suffix ``.html``."""
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


def outdated(work: ClassWork, feedback: Path) -> list[str]:
    """Return the graded students whose pages are missing or do not match the gradebook."""
    old = []
    for submission in work.submissions:
        page = feedback / submission.student / work.lab / f"{work.lab}.html"
        text = page.read_text("utf-8") if page.exists() else ""
        shown = re.search(r'<meta[^>]* name="graded"[^>]*>', text)
        is_new = shown and f'"{graded_as(submission.points)}"' in shown[0]
        if not (submission.problem or is_new):
            old.append(submission.student)
    return old


def pack(work: ClassWork, feedback: Path) -> Path:
    """Write the archive of all pages except outdated pages, and return its path."""
    archive, old = feedback / f"{work.lab}.zip", outdated(work, feedback)
    archive.parent.mkdir(exist_ok=True)
    with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
        for submission, page in pages(work, feedback):
            if submission.student not in old:
                packed.write(page, path_back(submission, work.lab))
    if old:
        print("", TEXTS["outdated"].lines, *old, sep="\n")
    return archive


def fill_tables(work: ClassWork, folders: Folders, column: str = "") -> list[Path]:
    """Fill the grades into the platform's tables, write the files, and explain the upload.

    Rows are found only by the platform's number, so that students cannot receive wrong grades.
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
            print("", TEXTS["column"].format(file=path.name, names=str(error)).lines, sep="\n")
            continue
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(table.written())
        written.append(place)
        how = TEXTS["how"]["canvas" if table.is_canvas else "moodle"]
        print(
            "", TEXTS["filled"].format(n=table.filled, file=relpath(place), how=how).lines, sep="\n"
        )
        if table.factor != 1:
            scaled = {"factor": f"{table.factor:.4g}", "highest": f"{highest:g}"}
            print(TEXTS["scaled"].format(file=path.name, **scaled).lines)
        numbers = {person.number for person in table.people()}
        unlisted = [
            e.student
            for e in work.submissions
            if e.has_score and e.listed.get("number") not in numbers
        ]
        if unlisted:
            print("", TEXTS["without"].format(file=path.name).lines, *unlisted, sep="\n")
    return written
