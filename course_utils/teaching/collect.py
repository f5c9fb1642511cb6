"""Collect a lab from what a learning platform hands out, in the folder of the course.

python -m course_utils.teaching.collect 03_sinusoidal ~/Downloads/submissions.zip

Takes zip files as they were downloaded, notebooks, and folders of both. The newest notebook of each
student goes into ``submitted``, where nbgrader grades it. What was not taken is named, and the exit
code is then 1.
"""

import argparse
import io
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from ..words.text import words

SAID = words(Path(__file__).with_suffix(".toml"))

PLATFORMS = (
    # Moodle: Ana Pérez_12345_assignsubmission_file_/LAB.ipynb, or without the folder.
    r"(?P<name>[^/]+)_(?P<number>\d+)_assignsubmission_file_?/?(?:.*/)?(?P<file>[^/]+)",
    # Canvas: perezana_LATE_123_456_LAB-1.ipynb.
    r"(?P<name>[^/_]+)(?:_LATE)?_(?P<number>\d+)_\d+_(?P<file>[^/]+)",
    # Blackboard: Lab 03_perezana_attempt_2026-11-21-18-30-00_LAB.ipynb.
    r"(?P<column>[^/]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})_(?P<file>[^/]+)",
    # Google Classroom, where each student was given a copy: Ana Pérez - LAB.ipynb.
    r"(?P<name>[^/]+?) - (?P<file>[^/]+)",
    # Renamed by hand: perezana__LAB.ipynb.
    r"(?P<name>[^/]+)__(?P<file>[^/]+)",
)
COPY = r"[-_ ]*(?:copy|copia)?[-_ ]*\(?(?P<copy>\d*)\)?"
"""What browsers, JupyterLab and platforms add to the name of a file that was there before."""

NOBODYS = re.compile(
    r"(^|/)(\._|\.DS_Store$|\.ipynb_checkpoints/|__MACOSX/|timestamp\.txt$)|_attempt_[\d-]+\.txt$"
)
"""What comes along in an archive and is nobody's work."""

LARGEST = 50_000_000
"""Bytes of a file that is still read: a notebook with pictures has a tenth of it."""


@dataclass(frozen=True, order=True)
class HandedIn:
    """A notebook; of two from the same student, the larger is newer."""

    time: str
    copy: int
    zipped: tuple[int, ...]
    path: str
    content: bytes
    name: str
    number: str


def handed_in(lab: str, path: str, content: bytes, zipped: tuple[int, ...]) -> HandedIn | None:
    """A file as a notebook of this lab; None if its path does not say whose it is, or not that."""
    path = unicodedata.normalize("NFC", path)
    for platform in PLATFORMS:
        part = re.search(rf"(?:^|/){platform}$", path)
        part = part.groupdict() if part else {"file": ""}
        same_lab = re.fullmatch(rf"{re.escape(lab)}{COPY}\.ipynb", part["file"], re.IGNORECASE)
        name = part.get("name") or part.get("column", "").rpartition("_")[2]
        name = re.sub(r"[^\w .,'@+-]", "_", name).strip(" .")
        if same_lab and name:
            copy, number = int(same_lab["copy"] or 0), part.get("number") or part.get("column", "")
            return HandedIn(part.get("time", ""), copy, zipped, path, content, name, number)
    return None


def newest(found: Iterable[HandedIn]) -> tuple[dict[str, HandedIn], list[HandedIn]]:
    """The newest notebook of each student, and those of which none is newer.

    A student goes by the name, and with the platform's number where two have the same name.
    """
    numbers = defaultdict(set)
    students = defaultdict(list)
    for each in found:
        numbers[each.name].add(each.number)
        students[each.name, each.number].append(each)
    taken, undecided = {}, []
    for (name, number), notebooks in students.items():
        *_, last = sorted(notebooks)
        age = (last.time, last.copy, last.zipped)
        rivals = [each for each in notebooks if (each.time, each.copy, each.zipped) == age]
        if len({each.content for each in rivals}) > 1:
            undecided += rivals
        else:
            taken[name if len(numbers[name]) == 1 else f"{name} {number}"] = last
    return taken, undecided


def files(place: Path) -> Iterator[tuple[str, bytes, tuple[int, ...]]]:
    """Path, content and date of each file in a folder or an archive; of no date, an empty one."""
    paths = sorted(place.rglob("*")) if place.is_dir() else [place]
    for path in paths:
        if path.is_file():
            yield from _opened(path.relative_to(place.parent).as_posix(), path.read_bytes(), ())


def _opened(
    path: str, content: bytes, date: tuple[int, ...]
) -> Iterator[tuple[str, bytes, tuple[int, ...]]]:
    if not path.lower().endswith(".zip"):
        yield path, content, date
        return
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                if not entry.is_dir():
                    inside = archive.read(entry) if entry.file_size <= LARGEST else b""
                    yield from _opened(f"{path}/{entry.filename}", inside, entry.date_time)
    except (BadZipFile, NotImplementedError, RuntimeError):  # broken, of another kind, locked
        yield path, content, date


def collect(lab: str, places: Iterable[Path], submitted: Path) -> bool:
    """Sort the notebooks by student, say what became of each file, and whether all were taken."""
    unknown, found = [], []
    for place in places:
        for path, content, date in files(place):
            if not NOBODYS.search(path):
                notebook = handed_in(lab, path, content, date) if content else None
                found.append(notebook) if notebook else unknown.append(path)
    taken, undecided = newest(found)
    for student, notebook in sorted(taken.items()):
        folder = submitted / student / lab
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{lab}.ipynb").write_bytes(notebook.content)
        print(f"{student}: {notebook.path}")
    older = {each.path for each in found} - {each.path for each in [*taken.values(), *undecided]}
    not_taken = {"older": older, "undecided": {each.path for each in undecided}, "unknown": unknown}
    for reason, paths in not_taken.items():
        if paths:
            print("", SAID[reason].format(name=lab).lines, *sorted(paths), sep="\n")
    return bool(taken) and not undecided and not unknown


def main() -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lab")
    parser.add_argument("places", nargs="+", type=Path, metavar="file")
    arguments = parser.parse_args()
    if missing := [str(place) for place in arguments.places if not place.exists()]:
        parser.error(SAID["missing"].format(places=", ".join(missing)).one_line)
    solution = Path("solutions", arguments.lab)
    if not solution.is_dir():
        parser.error(SAID["elsewhere"].format(folder=solution.as_posix()).one_line)
    return 0 if collect(arguments.lab, arguments.places, Path("submitted")) else 1


if __name__ == "__main__":
    sys.exit(main())
