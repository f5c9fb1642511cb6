"""Write summary pages of a class, with its results, misconceptions, and suggested questions.

python -m classroom.overview 03_sinusoidal

Run the command in the course folder. It writes overview/03_sinusoidal.html from the gradebook and
the graded notebooks. Another page has questions for the projector, based on the class's mistakes.
If you do not name a lab, the command writes the pages of each graded lab and a page with all
exercises.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from course_utils.labs.tasks import LABS
from course_utils.words.text import words

from . import sheets
from .findings import FEWEST, Overview, overview_of
from .projector import projector_page
from .submissions import STATES, Folders, class_work
from .tomorrow import Topic, topics_of

TEXTS = words(Path(__file__).with_suffix(".toml"))


def page_of(overview: Overview, topics: tuple[Topic, ...] = ()) -> str:
    """Return the page about one lab, with questions for the next lesson."""
    minutes = sum(topic.minutes for topic in topics)
    context = {"texts": TEXTS, "overview": overview, "states": STATES, "fewest": FEWEST}
    return sheets.page("overview", topics=topics, minutes=minutes, **context)


def page_of_all(overviews: list[Overview]) -> str:
    """Return the page with one row for each exercise in all graded labs."""
    return sheets.page("course", texts=TEXTS, overviews=overviews, states=STATES, fewest=FEWEST)


def write(labs: list[str], folders: Folders, place: Path) -> list[Path]:
    """Write two pages for each lab and, if there are several labs, the page with all exercises."""
    place.mkdir(exist_ok=True)
    overviews = [overview_of(class_work(lab, folders)) for lab in labs]
    written = {}
    for overview in overviews:
        lab = overview.work.lab
        written[f"{lab}.html"] = page_of(overview, topics_of(overview, folders))
        written[f"{lab}-projector.html"] = projector_page(overview)
    if len(overviews) > 1:
        written["index.html"] = page_of_all(overviews)
    for name, page in written.items():
        (place / name).write_text(page, encoding="utf-8")
    return [place / name for name in written]


def graded_labs(folders: Folders) -> list[str]:
    """Return the labs with submissions, in the order of the course."""
    names = {path.name for path in folders.submitted.glob("*/*") if path.is_dir()}
    names &= {path.parent.name for path in folders.labs.glob("*/*.ipynb")}
    return sorted(names, key=lambda name: ([*LABS, name].index(name), name))


def main() -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lab", nargs="?")
    arguments = parser.parse_args()
    folders = Folders.configured()
    labs = [arguments.lab] if arguments.lab else graded_labs(folders)
    if not labs:
        parser.error(TEXTS["nothing"].format(folder=str(folders.submitted)).one_line)
    try:
        written = write(labs, folders, Path("overview"))
    except FileNotFoundError:
        parser.error(TEXTS["unknown-lab"].format(name=arguments.lab).one_line)
    print(*written, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
