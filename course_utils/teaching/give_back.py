"""Pack the pages of a lab as the platform takes them back, in the folder of the course.

python -m course_utils.teaching.give_back 03_sinusoidal

Writes feedback/03_sinusoidal.zip, in which each page has the path of the file that was handed in,
with another ending. Moodle and Canvas sort such an archive to the students. Who could not be graded
gets a page that says why.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from ..words.text import words
from . import sheets
from .submissions import ClassWork, Folders, Submission, class_work

SAID = words(Path(__file__).with_suffix(".toml"))


def pages(work: ClassWork, feedback: Path) -> dict[str, Path]:
    """The page of each student, by the path that it has in the archive.

    Who could not be graded gets one here, which says why.
    """
    lab, found = work.lab, {}
    for submission in work.submissions:
        page = feedback / submission.student / lab / f"{lab}.html"
        if submission.problem:
            page.parent.mkdir(parents=True, exist_ok=True)
            said = sheets.page("ungraded", said=SAID, submission=submission, lab=lab)
            page.write_text(said, encoding="utf-8")
        if page.exists():
            found[path_back(submission, lab)] = page
    return found


def path_back(submission: Submission, lab: str) -> str:
    """The path of a page in the archive: that of the notebook, with the ending ``.html``."""
    path = submission.listed.get("file", "")
    # Of a path such as submissions.zip/Ana_1_assignsubmission_file_/lab.ipynb, what comes after
    # the archive; an archive that was itself handed in stands for the notebook in it.
    path = re.sub(r"^.*?\.zip/", "", path, count=1, flags=re.IGNORECASE)
    path = re.sub(r"\.zip/.*$", ".ipynb", path, flags=re.IGNORECASE)
    return re.sub(r"\.ipynb$", ".html", path) if path else f"{submission.student}/{lab}.html"


def main() -> int:
    """Do what the command line asks for, and return the exit code."""
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
    archive = folders.feedback / f"{lab}.zip"
    archive.parent.mkdir(exist_ok=True)
    with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
        for path, page in found.items():
            packed.write(page, path)
    print(SAID["packed"].format(n=len(found), archive=str(archive)).lines)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
