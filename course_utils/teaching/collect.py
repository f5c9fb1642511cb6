"""Collect a lab from what a learning platform hands out, in the folder of the course.

python -m course_utils.teaching.collect 03_sinusoidal ~/Downloads/submissions.zip

Takes zip files as they were downloaded, notebooks, and folders of both. The newest notebook of each
student goes into ``submitted``, where nbgrader grades it. A list beside it, 03_sinusoidal.csv,
keeps the platform's number, the address and the time of each student, and the name of the file, so
that pages find their way back. Addresses come from a table of the platform (.csv), given as one
more file. What was not taken is named, and the exit code is then 1.
"""

import argparse
import csv
import io
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from ..words.text import words
from .submissions import by_grade_id, handed_in_list, parsed_notebook, read_notebook

SAID = words(Path(__file__).with_suffix(".toml"))

PLATFORMS = (
    # Moodle: Ana Pérez_12345_assignsubmission_file_/LAB.ipynb, or without the folder.
    r"(?P<name>[^/]+)_(?P<number>\d+)_assignsubmission_file_?/?(?:.*/)?(?P<file>[^/]+)",
    # Canvas: perezana_LATE_123_456_LAB-1.ipynb.
    r"(?P<name>[^/_]+)(?P<late>_LATE)?_(?P<number>\d+)_\d+_(?P<file>[^/]+)",
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


COLUMNS = ("student", "number", "address", "time", "late", "state", "file")
"""What the list beside the notebooks keeps of each student."""


@dataclass(frozen=True, order=True)
class HandedIn:
    """A notebook that was handed in. Sorted, a student's newest one comes last.

    A notebook that can be read counts as newer than any that cannot.
    """

    readable: bool
    time: str
    copy: int
    zipped: tuple[int, ...]
    path: str
    content: bytes
    name: str
    number: str
    late: bool

    @property
    def age(self) -> tuple[object, ...]:
        """What says which of a student's notebooks is newer."""
        return self.readable, self.time, self.copy, self.zipped

    @property
    def handed_in_at(self) -> str:
        """When it was handed in, as the platform or the archive says; empty if neither does."""
        if self.time:
            return datetime.strptime(self.time, "%Y-%m-%d-%H-%M-%S").isoformat(" ")
        return datetime(*self.zipped).isoformat(" ") if self.zipped > (1980, 1, 2) else ""


def handed_in(
    lab: str,
    path: str,
    content: bytes,
    zipped: tuple[int, ...] = (),
    tests: Collection[str] = (),
    taken_as: Mapping[str, str] | None = None,
) -> HandedIn | None:
    """A file as a notebook of this lab; None if it is another file, or if nobody knows whose.

    The path says whose it is, in the way of one of the platforms; where it does not, ``taken_as``
    does. A notebook that has at least half of the lab's ``tests`` is this lab, whatever its name.
    """
    path = unicodedata.normalize("NFC", path)
    notebook = parsed_notebook(content)
    shared = by_grade_id(notebook).keys() & set(tests) if notebook else ()
    is_lab = bool(tests) and 2 * len(shared) >= len(tests)
    if name := (taken_as or {}).get(path):
        return HandedIn(notebook is not None, "", 0, zipped, path, content, name, "", False)
    for platform in PLATFORMS:
        found = re.search(rf"(?:^|/){platform}$", path)
        part = found.groupdict() if found else {"file": ""}
        named = re.fullmatch(rf"{re.escape(lab)}{COPY}\.ipynb", part["file"], re.IGNORECASE)
        renamed = re.fullmatch(r".*?(?:-(?P<copy>\d+))?\.ipynb", part["file"], re.IGNORECASE)
        same_lab = named or (renamed if is_lab else None)
        name = part.get("name") or part.get("column", "").rpartition("_")[2]
        name = re.sub(r"[^\w .,'@+-]", "_", name).strip(" .")
        if same_lab and name and name != lab:
            return HandedIn(
                readable=notebook is not None,
                time=part.get("time", ""),
                copy=int(same_lab["copy"] or 0),
                zipped=zipped,
                path=path,
                content=content,
                name=name,
                number=part.get("number") or part.get("column", ""),
                late=bool(part.get("late")),
            )
    return None


def newest(found: Iterable[HandedIn]) -> tuple[dict[str, HandedIn], list[HandedIn]]:
    """The newest notebook of each student, and the notebooks among which the newest is not known.

    It is not known where two different ones were handed in at the same time. Students are told
    apart by their names; where two have the same name, by the platform's number.
    """
    found = list(found)
    numbers = defaultdict(set)
    students = defaultdict(list)
    for each in found:
        if each.number:
            numbers[each.name].add(each.number)
    for each in found:
        if not each.number and len(numbers[each.name]) == 1:  # a file that a teacher gave a name
            each = replace(each, number=min(numbers[each.name]))
        numbers[each.name].add(each.number)
        students[each.name, each.number].append(each)
    taken, undecided = {}, []
    for (name, number), notebooks in students.items():
        *_, last = sorted(notebooks)
        rivals = [each for each in notebooks if each.age == last.age]
        if len({each.content for each in rivals}) > 1:
            undecided += rivals
        else:
            taken[name if len(numbers[name]) == 1 else f"{name} {number}"] = last
    return taken, undecided


def files(place: Path) -> Iterator[tuple[str, bytes, tuple[int, ...]]]:
    """Path, content and date of each file in a folder or an archive; outside one, no date."""
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


def collect(
    lab: str,
    places: Iterable[Path],
    submitted: Path,
    *,
    tests: Collection[str] = (),
    taken_as: Mapping[str, str] | None = None,
    due: datetime | None = None,
) -> bool:
    """Put the newest notebook of each student into a folder, and print what became of each file.

    Args:
        lab: its name.
        places: archives, notebooks, folders of both, and tables with the students' addresses.
        submitted: the folder in which nbgrader looks for what was handed in.
        tests: the names of the lab's tests, by which a renamed notebook is known.
        taken_as: whose a file is, by its path, where the path does not say.
        due: until when it was due; what is later is marked.

    Returns:
        Whether every file could be taken.
    """
    unknown, found, addresses = [], [], {}
    for place in places:
        for path, content, date in files(place):
            if path.lower().endswith(".csv"):
                addresses |= addresses_in(content)
            elif not NOBODYS.search(path):
                notebook = handed_in(lab, path, content, date, tests, taken_as)
                found.append(notebook) if notebook else unknown.append(path)
    taken, undecided = newest(found)
    listed = {row["student"]: row for row in handed_in_list(lab, submitted)}
    damaged = set()
    for student, notebook in sorted(taken.items()):
        time = notebook.handed_in_at
        late = notebook.late or bool(due and time and datetime.fromisoformat(time) > due)
        _put(notebook, submitted / student / lab)
        if not notebook.readable:
            damaged.add(notebook.path)
        listed[student] = {
            "student": student,
            "number": notebook.number,
            "address": addresses.get(notebook.number, ""),
            "time": time,
            "late": "late" if late else "",
            "state": "" if notebook.readable else "damaged",
            "file": notebook.path,
        }
        print(f"{student}: {notebook.path}", *[f"({SAID['late'].one_line})"] * late)
    for row in listed.values():
        row["address"] = row["address"] or addresses.get(row["number"], "")
    _write_list(listed.values(), submitted / f"{lab}.csv")
    older = {each.path for each in found} - {each.path for each in [*taken.values(), *undecided]}
    not_taken = {
        "older": older,
        "damaged": damaged,
        "undecided": {each.path for each in undecided},
        "unknown": unknown,
    }
    for reason, paths in not_taken.items():
        if paths:
            print("", SAID[reason].format(name=lab).lines, *sorted(paths), sep="\n")
    return bool(taken) and not undecided and not unknown and not damaged


def _put(notebook: HandedIn, folder: Path) -> None:
    """Put a notebook where nbgrader looks for it; one that cannot be read would only stop it."""
    if not notebook.readable:
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{folder.name}.ipynb").write_bytes(notebook.content)
    if notebook.handed_in_at:
        (folder / "timestamp.txt").write_text(notebook.handed_in_at, encoding="utf-8")


def _write_list(rows: Iterable[Mapping[str, str]], path: Path) -> None:
    rows = sorted(rows, key=lambda row: row["student"])
    if rows:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS)
            table.writeheader()
            table.writerows(rows)


def addresses_in(table: bytes) -> dict[str, str]:
    """The address of each number in a platform's table, whatever the language of its head.

    Moodle's grading worksheet has ``Participant 12345`` in its first column; Canvas' gradebook has
    the number in its second.
    """
    found = {}
    for row in csv.reader(io.StringIO(table.decode("utf-8-sig", "replace"))):
        number = next((hit for cell in row[:2] if (hit := re.search(r"(\d+)\s*$", cell))), None)
        address = next((cell for cell in row if re.fullmatch(r"\S+@\S+", cell)), None)
        if number and address:
            found[number[1]] = address
    return found


def main() -> int:
    """Do what the command line asks for, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lab")
    parser.add_argument("places", nargs="+", type=Path, metavar="file")
    parser.add_argument(
        "--due",
        type=datetime.fromisoformat,
        metavar="TIME",
        help='"2026-11-20 23:59": what is later is marked',
    )
    parser.add_argument(
        "--take", action="append", default=[], metavar="FILE=STUDENT", help="whose a file is"
    )
    arguments = parser.parse_args()
    if missing := [str(place) for place in arguments.places if not place.exists()]:
        parser.error(SAID["missing"].format(places=", ".join(missing)).one_line)
    solution = Path("solutions", arguments.lab)
    if not solution.is_dir():
        parser.error(SAID["elsewhere"].format(folder=solution.as_posix()).one_line)
    notebook = read_notebook(solution / f"{arguments.lab}.ipynb")
    tests = [name for name in by_grade_id(notebook or {"cells": []}) if name.startswith("check-")]
    complete = collect(
        arguments.lab,
        arguments.places,
        Path("submitted"),
        tests=tests,
        taken_as=dict(each.rpartition("=")[::2] for each in arguments.take),
        due=arguments.due,
    )
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
