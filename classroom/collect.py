"""Collect a lab from what a learning platform hands out, in the folder of the course.

python -m classroom.collect 03_sinusoidal ~/Downloads/submissions.zip

Takes zip files as they were downloaded, notebooks, and folders of both. The newest notebook of each
student goes into ``submitted``, where nbgrader grades it. A list beside it, 03_sinusoidal.csv, has
a row for everybody who sent anything, with the platform's number, the time and the name of the
file, so that pages find their way back. Addresses, and the names of those who sent nothing, come
from a table of the platform (.csv), given as one more file. What was not taken is named, and the
exit code is then 1. A file that was changed in ``submitted`` stays as it is.
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
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from zipfile import BadZipFile, ZipFile

from course_utils.words.text import words

from .putting_back import by_grade_id, is_certain, tests_in
from .submissions import Folders, handed_in_list, parsed_notebook, read_notebook

SAID = words(Path(__file__).with_suffix(".toml"))

IN_A_ZIP = r"(?:[^/]+\.[Zz][Ii][Pp]/(?:.*/)?)?"
"""Between a student's name and a file, where what was handed in is itself an archive."""

BY_NUMBER = (
    # Moodle: Ana Pérez_12345_assignsubmission_file_/LAB.ipynb, or without the folder.
    r"(?P<name>[^/]+)_(?P<number>\d+)_assignsubmission_[a-z]+_?/?(?:.*/)?[^/]+",
    # Canvas: perezana_LATE_123_456_LAB-1.ipynb.
    r"(?P<name>[^/_]+)(?P<late>_LATE)?_(?P<number>\d+)_\d+_" + IN_A_ZIP + "[^/]+",
    # Blackboard: Lab 03_perezana_attempt_2026-11-21-18-30-00_LAB.ipynb, and a text of each attempt.
    r"(?P<number>(?:[^/]+_)?(?P<name>[^/_]+))_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_|(?=\.txt))"
    + IN_A_ZIP
    + "[^/]+",
)
"""How platforms name what was handed in: any file under a student's number is hers."""

BY_NAME = (
    # Google Classroom, where each student was given a copy: Ana Pérez - LAB.ipynb.
    r"(?P<name>[^/]+?) - [^/]+",
    # Renamed by hand: perezana__LAB.ipynb.
    r"(?P<name>[^/]+)__[^/]+",
)
"""What may be anything: it is a student's name if the file is one of the lab."""

COPY = r"[-_ ]*(?:copy|copia)?[-_ ]*\(?(\d*)\)?"
"""What browsers, JupyterLab and platforms add to the name of a file that was there before."""

RECEIPT = re.compile(r"_attempt_[\d-]+\.txt$")
"""What Blackboard writes of an attempt, beside the files."""

NOBODYS = re.compile(r"(^|/)(\._|\.DS_Store$|\.ipynb_checkpoints/|__MACOSX/|timestamp\.txt$)")
"""What comes along in an archive and is nobody's work."""

LARGEST = 50_000_000
"""Bytes of a file that is still read: a notebook with pictures has a tenth of it."""

COLUMNS = ("student", "number", "address", "time", "late", "state", "file", "sum")
"""What the list beside the notebooks keeps of each student; of a file that is nobody's, no name.

``sum`` is that of the notebook as it was put into ``submitted``.
"""

STATES = ("", "markings", "damaged", "other-lab", "no-notebook")
"""What a file is, the best first: the lab, the lab without what its cells are known by, ..."""

NOT_SENT = ("nothing", "unknown")
"""States of rows of those who sent nothing, and of files of which nobody knows whose they are."""


@dataclass(frozen=True)
class HandedIn:
    """A file that was handed in, whose it is, and what it is: one of ``STATES``."""

    state: str
    time: str
    copy: int
    zipped: tuple[int, ...]
    path: str
    content: bytes
    name: str
    number: str
    late: bool

    @property
    def readable(self) -> bool:
        return self.state == ""

    @property
    def age(self) -> tuple[object, ...]:
        """What says which of a student's files counts; a better one counts as newer."""
        return -STATES.index(self.state), self.time, self.copy, self.zipped

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
    zipped: tuple[int, ...],
    released: dict,
    taken_as: Mapping[str, str],
) -> HandedIn | None:
    """A file as something of a student's; None if nobody knows whose it is.

    The path says whose it is, in the way of one of the platforms, or else ``taken_as`` does.
    """
    path = unicodedata.normalize("NFC", path)
    state, copy = _state_and_copy(lab, path, content, released)
    if state == "other-lab" and path in taken_as and not released["cells"]:
        state = ""  # a teacher says that it is the lab, and nothing is known that it should have
    patterns = BY_NUMBER if state in ("other-lab", "no-notebook") else BY_NUMBER + BY_NAME
    found = filter(None, (re.search(rf"(?:^|/){pattern}$", path) for pattern in patterns))
    part = next((match.groupdict() for match in found), {})
    name = taken_as.get(path) or _without_signs(part.get("name", ""))
    if name in ("", lab):
        return None
    return HandedIn(
        state=state,
        time=part.get("time", ""),
        copy=copy,
        zipped=zipped,
        path=path,
        content=content,
        name=name,
        number=part.get("number", ""),
        late=bool(part.get("late")),
    )


def _without_signs(name: str) -> str:
    """A name that can be that of a folder."""
    return re.sub(r"[^\w .,'@+-]", "_", name).strip(" .")


def _state_and_copy(lab: str, path: str, content: bytes, released: dict) -> tuple[str, int]:
    """What a file is, and the number that a platform or a browser gave to its copy.

    A notebook that has at least half of the tests of the lab is this lab, whatever its name and
    ending.
    """
    notebook = parsed_notebook(content)
    is_named = path.lower().endswith(".ipynb")
    as_the_lab = re.search(rf"(?:^|[/_ -]){re.escape(lab)}{COPY}\.ipynb$", path, re.IGNORECASE)
    numbered = as_the_lab or re.search(r"-(\d+)\.ipynb$", path, re.IGNORECASE)
    copy = int(numbered[1] or 0) if numbered else 0
    if notebook is None or not notebook["cells"]:
        return "damaged" if is_named else "no-notebook", copy
    tests = {name for name in by_grade_id(released) if name.startswith("check-")}
    has_tests = tests and 2 * len(tests_in(notebook) & tests) >= len(tests)
    if not (as_the_lab or has_tests):
        return "other-lab" if is_named else "no-notebook", copy
    return "" if is_certain(notebook, released) else "markings", copy


def newest(found: Iterable[HandedIn]) -> tuple[dict[str, HandedIn], dict[str, list[HandedIn]]]:
    """The newest file of each student, and of others those among which the newest is not known.

    It is not known where two different ones were handed in at the same time. Students are told
    apart by their names; where two have the same name, by the platform's number.
    """
    numbers, students = defaultdict(set), defaultdict(list)
    for each in sorted(found, key=lambda each: not each.number):
        if not each.number and len(numbers[each.name]) == 1:  # a file that a teacher gave a name
            each = replace(each, number=min(numbers[each.name]))
        numbers[each.name].add(each.number)
        students[each.name, each.number].append(each)
    taken, undecided = {}, {}
    for (name, number), notebooks in students.items():
        student = name if len(numbers[name]) == 1 else f"{name} {number}"
        last = max(notebooks, key=lambda each: (each.age, each.path))
        rivals = [each for each in notebooks if each.age == last.age]
        if last.readable and len({each.content for each in rivals}) > 1:
            undecided[student] = rivals
        else:
            taken[student] = last
    return taken, undecided


def files(place: Path) -> Iterator[tuple[str, bytes, tuple[int, ...]]]:
    """Path, content and date of each file in a folder or an archive; outside one, no date."""
    paths = sorted(place.rglob("*")) if place.is_dir() else [place]
    for path in paths:
        if path.is_file():
            name = path.relative_to(place.parent).as_posix()
            for file in _opened(name, path.read_bytes(), ()):
                if not NOBODYS.search(file[0]):
                    yield file


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
    released: dict,
    *,
    taken_as: Mapping[str, str] = MappingProxyType({}),
    due: datetime | None = None,
    replace_changed: bool = False,
) -> bool:
    """Put the newest notebook of each student into a folder, and print what became of each file.

    Args:
        lab: its name.
        places: archives, notebooks, folders of both, and tables with the students' addresses.
        submitted: the folder in which nbgrader looks for what was handed in.
        released: the lab as it was handed out, by which a renamed notebook is known.
        taken_as: whose a file is, by its path, where the path does not say.
        due: until when it was due; what is later is marked.
        replace_changed: whether a notebook that was changed in the folder is overwritten.

    Returns:
        Whether every file could be taken.
    """
    found, unknown, class_list = [], [], {}
    for path, content, date in (file for place in places for file in files(place)):
        if given := handed_in(lab, path, content, date, released, taken_as):
            found.append(given)
        elif path.lower().endswith(".csv"):
            class_list |= class_list_in(content)
        else:
            unknown.append(path)
    taken, undecided = newest(found)
    before = handed_in_list(lab, submitted)
    rows = {row["student"]: row for row in before if row["state"] not in NOT_SENT}
    changed = []
    for student, given in sorted(taken.items()):
        folder = submitted / student / lab
        if not replace_changed and _was_changed(folder, rows.get(student), given.content):
            changed.append(f"{student}: {given.path}")
        elif given.readable or student not in rows or rows[student]["state"]:
            rows[student] = _row(student, given, due)
            _put(given, folder)
            late = f"({SAID['late'].one_line})" if rows[student]["late"] else ""
            print(f"{student}: {given.path}", late)
    for student, (first, *_) in undecided.items():
        rows.setdefault(student, _row(student, replace(first, state="undecided"), due))
    for row in rows.values():
        _, address = class_list.get(row["number"], ("", ""))
        row["address"] = address or row.get("address", "")
    nothing = _sent_nothing(rows.values(), before, class_list)
    nobodys = {row["file"] for row in before if row["state"] == "unknown"} | {*unknown}
    nobodys -= {each.path for each in found}
    files_of_nobody = [{"state": "unknown", "file": path} for path in nobodys]
    _write_list([*rows.values(), *nothing, *files_of_nobody], submitted / f"{lab}.csv")
    rivals = [each for several in undecided.values() for each in several]
    _say_what_was_left(lab, found, taken.values(), rivals)
    _say(lab, "changed", changed)
    _say(lab, "unknown", unknown)
    _say(lab, "nothing", [row["student"] for row in nothing])
    whole = bool(taken) and all(each.readable for each in taken.values())
    return whole and not rivals and not unknown


def _say_what_was_left(
    lab: str, found: list[HandedIn], taken: Collection[HandedIn], rivals: list[HandedIn]
) -> None:
    """Name the files that will not be graded, and why."""
    apart = {each.path for each in [*taken, *rivals]}
    left = [each for each in found if each.path not in apart]
    worse = [each.path for each in left if not each.readable]
    _say(lab, "older", [each.path for each in left if each.readable])
    _say(lab, "extra", [path for path in worse if not RECEIPT.search(path)])
    for state in STATES[1:]:
        _say(lab, state, [each.path for each in taken if each.state == state])
    _say(lab, "undecided", [each.path for each in rivals])


def _say(lab: str, reason: str, paths: Collection[str]) -> None:
    if paths:
        print("", SAID[reason].format(name=lab).lines, *sorted(paths), sep="\n")


def _row(student: str, given: HandedIn, due: datetime | None) -> dict[str, str]:
    """What the list keeps of a student."""
    time = given.handed_in_at
    late = given.late or bool(due and time and datetime.fromisoformat(time) > due)
    return {
        "student": student,
        "number": given.number,
        "time": time,
        "late": "late" if late else "",
        "state": given.state,
        "file": given.path,
        "sum": sha256(given.content).hexdigest() if given.readable else "",
    }


def _was_changed(folder: Path, row: Mapping[str, str] | None, content: bytes) -> bool:
    """Whether a notebook was mended, or put there, by hand since the list was written."""
    try:
        there = (folder / f"{folder.name}.ipynb").read_bytes()
    except FileNotFoundError:
        return False
    # Where a row has no sum, nothing was put there by this command.
    return there != content and (row is None or row["sum"] != sha256(there).hexdigest())


def _sent_nothing(
    rows: Collection[Mapping[str, str]],
    before: Iterable[Mapping[str, str]],
    class_list: Mapping[str, tuple[str, str]],
) -> list[dict[str, str]]:
    """A row for everybody who is in the platform's table, now or earlier, and not among these."""
    listed = {row["number"]: row for row in before if row["state"] == "nothing"}
    for number, (name, address) in class_list.items():
        listed[number] = {"student": name, "number": number, "address": address, "state": "nothing"}
    sent = {row["number"] for row in rows} | {row["student"] for row in rows if not row["number"]}
    return [row for row in listed.values() if not sent & {row["number"], row["student"]}]


def _put(notebook: HandedIn, folder: Path) -> None:
    """Put a notebook where nbgrader looks for it; one that cannot be read would only stop it."""
    if not notebook.readable:
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{folder.name}.ipynb").write_bytes(notebook.content)
    if notebook.handed_in_at:
        (folder / "timestamp.txt").write_text(notebook.handed_in_at, encoding="utf-8")


def _write_list(rows: Iterable[Mapping[str, str]], path: Path) -> None:
    rows = sorted(rows, key=lambda row: (row.get("student", ""), row.get("file", "")))
    if rows:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS)
            table.writeheader()
            table.writerows(rows)


def class_list_in(table: bytes) -> dict[str, tuple[str, str]]:
    """Name and address for each number in a platform's table, whatever the language of its head.

    Moodle's grading worksheet has ``Participant 12345`` in its first column and the name in its
    second; Canvas' gradebook has them the other way round.
    """
    found = {}
    for row in csv.reader(io.StringIO(table.decode("utf-8-sig", "replace"))):
        numbers = [re.search(r"(\d+)\s*$", cell) for cell in row[:2]]
        address = next((cell for cell in row if re.fullmatch(r"\S+@\S+", cell)), "")
        if any(numbers) and len(row) > 1:
            first = 0 if numbers[0] else 1
            found[numbers[first][1]] = _without_signs(row[1 - first]), address
    return found


def due_date(lab: str, given: datetime | None) -> datetime | None:
    """Write into the gradebook when a lab is due; without a date, the one that stands there."""
    from nbgrader.api import Gradebook, MissingEntry

    address = Folders.configured().gradebook
    if given is None and not Path(address.removeprefix("sqlite:///")).exists():
        return None  # nothing is known yet, and a database of a server is asked by nbgrader only
    with Gradebook(address) as gradebook:
        if given is not None:
            given = given.astimezone().replace(tzinfo=None) if given.tzinfo else given
            gradebook.update_or_create_assignment(lab, duedate=given)
        try:
            return gradebook.find_assignment(lab).duedate
        except MissingEntry:
            return None


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
        help='"2026-11-20 23:59": what is later is marked; it is kept for the next time',
    )
    parser.add_argument(
        "--replace", action="store_true", help="also notebooks that were changed in submitted"
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
    name = f"{arguments.lab}.ipynb"
    complete = collect(
        arguments.lab,
        arguments.places,
        Path("submitted"),
        read_notebook(Path("labs", arguments.lab, name))
        or read_notebook(solution / name)
        or {"cells": []},
        taken_as=dict(each.rpartition("=")[::2] for each in arguments.take),
        due=due_date(arguments.lab, arguments.due),
        replace_changed=arguments.replace,
    )
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
