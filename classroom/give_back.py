"""Pack the feedback pages of a lab in an archive for the platform.

python -m classroom.give_back 03_sinusoidal

Run the command in the folder of the course. It writes feedback/03_sinusoidal.zip, in which each
page has the path of the submitted file, with another ending. Moodle and Canvas distribute such an
archive to the students. Students who could not be graded get a page that explains why. A page that
is older than its grade is not packed but listed, and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile

from course_utils.words.text import words

from . import sheets
from .submissions import ClassWork, Folders, Submission, class_work, graded_as

SAID = words(Path(__file__).with_suffix(".toml"))


def pages(work: ClassWork, feedback: Path) -> list[tuple[Submission, Path]]:
    """Return the page of each student; create one with the reason if grading failed."""
    lab, found = work.lab, []
    for submission in work.submissions:
        page = feedback / submission.student / lab / f"{lab}.html"
        if submission.problem:
            page.parent.mkdir(parents=True, exist_ok=True)
            file = PurePosixPath(submission.listed.get("file", "")).name
            shown = sheets.page("ungraded", said=SAID, submission=submission, lab=lab, file=file)
            page.write_text(shown, encoding="utf-8")
        if page.exists():
            found.append((submission, page))
    return found


def path_back(submission: Submission, lab: str) -> str:
    """Return the path of a page in the archive: the path of the file, with the ending ``.html``."""
    path = submission.listed.get("file") or f"{submission.student}/{lab}.ipynb"
    # In a path such as submissions.zip/Ana_1_assignsubmission_file_/lab.ipynb, the part after the
    # archive counts; a submitted archive replaces the notebook inside it.
    path = re.sub(r"^.*?\.zip/", "", path, count=1, flags=re.IGNORECASE)
    path = re.sub(r"\.zip/.*$", "", path, flags=re.IGNORECASE)
    return re.sub(r"(\.\w{1,8})?$", ".html", path, count=1)


def is_outdated(submission: Submission, page: Path) -> bool:
    """Return True if a page does not agree with the gradebook."""
    said = re.search(r'<meta[^>]* name="graded"[^>]*>', page.read_text("utf-8"))
    now = f'"{graded_as(submission.points)}"'
    return not submission.problem and (said is None or now not in said[0])


def main() -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lab")
    lab = parser.parse_args().lab
    folders = Folders.configured()
    try:
        found = pages(class_work(lab, folders), folders.feedback)
    except FileNotFoundError as error:
        parser.error(str(error))
    old = [submission.student for submission, page in found if is_outdated(submission, page)]
    archive = folders.feedback / f"{lab}.zip"
    archive.parent.mkdir(exist_ok=True)
    with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
        for submission, page in found:
            if submission.student not in old:
                packed.write(page, path_back(submission, lab))
    print(SAID["packed"].format(n=len(found) - len(old), archive=str(archive)).lines)
    if old:
        print("", SAID["outdated"].format(name=lab).lines, *old, sep="\n")
    return 0 if found and not old else 1


if __name__ == "__main__":
    sys.exit(main())
