"""Collect the submissions of a lab from a learning platform's downloads.

python -m classroom.collect 03_sinusoidal ~/Downloads/submissions.zip

Run the command in the folder of the course. It accepts downloaded zip files, notebooks, and folders
of both. The newest notebook of each student goes into ``submitted``, where nbgrader grades it. Next
to it, a list, 03_sinusoidal.csv, has a row for everybody who sent anything. It records the
platform's number, the time and the name of the file, so that pages can be returned. Addresses, and
the names of students who sent nothing, come from a table of the platform (.csv), given as one more
file. Files that could not be collected are listed, and the exit code is then 1. A file that was
edited in ``submitted`` is not overwritten.
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
"""Separator between a student's name and a file inside a submitted archive."""

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
"""Naming schemes of platforms: any file under a student's number belongs to this student."""

BY_NAME = (
    # Google Classroom, where each student was given a copy: Ana Pérez - LAB.ipynb.
    r"(?P<name>[^/]+?) - [^/]+",
    # Renamed by hand: perezana__LAB.ipynb.
    r"(?P<name>[^/]+)__[^/]+",
)
"""Schemes in which any name may occur: it is a student's name if the file belongs to the lab."""

COPY = r"[-_ ]*(?:copy|copia)?[-_ ]*\(?(\d*)\)?"
"""Suffix that browsers, JupyterLab and platforms add to the name of a second copy."""

RECEIPT = re.compile(r"_attempt_[\d-]+\.txt$")
"""The text file that Blackboard adds for each attempt."""

NOBODYS = re.compile(r"(^|/)(\._|\.DS_Store$|\.ipynb_checkpoints/|__MACOSX/|timestamp\.txt$)")
"""Files in archives that are nobody's work."""

LARGEST = 50_000_000
"""Largest size in bytes of a file that is read; a notebook with pictures has a tenth of it."""

COLUMNS = ("student", "number", "address", "time", "late", "state", "file", "sum")
"""Columns of the list of submissions; files of unknown origin have no name.

``sum`` is the checksum of the notebook when it was put into ``submitted``.
"""

STATES = ("", "markings", "damaged", "other-lab", "no-notebook")
"""States of a file, the best first: the lab, the lab without its cells' ids, ..."""

NOT_SENT = ("nothing", "unknown")
"""States of rows for students who sent nothing, and for files of unknown origin."""


@dataclass(frozen=True)
class HandedIn:
    """A submitted file, its student, and its state: one of ``STATES``."""

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
        """The key by which a student's newest file is chosen; a better state counts as newer."""
        return -STATES.index(self.state), self.time, self.copy, self.zipped

    @property
    def handed_in_at(self) -> str:
        """The time of submission from the platform or the archive; empty if neither has it."""
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
    """Return a file as a student's submission; None if the student is unknown.

    The student is found from the path, in the scheme of a platform, or else from ``taken_as``.
    """
    path = unicodedata.normalize("NFC", path)
    state, copy = _state_and_copy(lab, path, content, released)
    if state == "other-lab" and path in taken_as and not released["cells"]:
        state = ""  # the teacher identified it as the lab, and there is nothing to compare it with
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
    """Return a name that is valid for a folder."""
    return re.sub(r"[^\w .,'@+-]", "_", name).strip(" .")


def _state_and_copy(lab: str, path: str, content: bytes, released: dict) -> tuple[str, int]:
    """Return the state of a file, and the number that a platform or browser gave to its copy.

    A notebook with at least half of the lab's tests counts as this lab, whatever its name and
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
    """Return the newest file of each student, or the candidates if the newest is unknown.

    It is unknown if two different files were submitted at the same time. Students are identified by
    their names, or by the platform's number if two have the same name.
    """
    numbers, students = defaultdict(set), defaultdict(list)
    for each in sorted(found, key=lambda each: not each.number):
        if not each.number and len(numbers[each.name]) == 1:  # a file that a teacher named
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
    """Yield path, content and date of each file in a folder or archive; archives have dates."""
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
    except (BadZipFile, NotImplementedError, RuntimeError):  # broken, of another format, or locked
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
    """Put the newest notebook of each student into a folder, and report on each file.

    Args:
        lab: the name of the lab.
        places: archives, notebooks, folders of both, and tables with the students' addresses.
        submitted: the folder in which nbgrader looks for submissions.
        released: the lab as it was handed out, which identifies renamed notebooks.
        taken_as: the students of files whose paths do not identify them, by path.
        due: the due date; later files are marked.
        replace_changed: True to overwrite notebooks that were changed in the folder.

    Returns:
        True if every file could be collected.
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
    """Name the files that will not be graded, and the reasons."""
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
    """Return the row of a student in the list."""
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
    """Return True if a notebook was edited or added by hand after the list was written."""
    try:
        there = (folder / f"{folder.name}.ipynb").read_bytes()
    except FileNotFoundError:
        return False
    # A row without a checksum was not written by this command.
    return there != content and (row is None or row["sum"] != sha256(there).hexdigest())


def _sent_nothing(
    rows: Collection[Mapping[str, str]],
    before: Iterable[Mapping[str, str]],
    class_list: Mapping[str, tuple[str, str]],
) -> list[dict[str, str]]:
    """Return rows for students in the platform's table, now or earlier, without a submission."""
    listed = {row["number"]: row for row in before if row["state"] == "nothing"}
    for number, (name, address) in class_list.items():
        listed[number] = {"student": name, "number": number, "address": address, "state": "nothing"}
    sent = {row["number"] for row in rows} | {row["student"] for row in rows if not row["number"]}
    return [row for row in listed.values() if not sent & {row["number"], row["student"]}]


def _put(notebook: HandedIn, folder: Path) -> None:
    """Put a notebook where nbgrader looks for it; an unreadable notebook would stop nbgrader."""
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
    """Return name and address for each number in a platform's table, in any language.

    Moodle's grading worksheet has ``Participant 12345`` in its first column and the name in its
    second; Canvas' gradebook has them in reverse order.
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
    """Store the due date of a lab in the gradebook; without a date, return the stored date."""
    from nbgrader.api import Gradebook, MissingEntry

    address = Folders.configured().gradebook
    if given is None and not Path(address.removeprefix("sqlite:///")).exists():
        return None  # there is no gradebook yet; only nbgrader accesses a database server
    with Gradebook(address) as gradebook:
        if given is not None:
            given = given.astimezone().replace(tzinfo=None) if given.tzinfo else given
            gradebook.update_or_create_assignment(lab, duedate=given)
        try:
            return gradebook.find_assignment(lab).duedate
        except MissingEntry:
            return None


def main() -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lab")
    parser.add_argument("places", nargs="+", type=Path, metavar="file")
    parser.add_argument(
        "--due",
        type=datetime.fromisoformat,
        metavar="TIME",
        help='due date, as in "2026-11-20 23:59", which is stored; later files are marked',
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="also replace notebooks that were changed in submitted",
    )
    parser.add_argument(
        "--take", action="append", default=[], metavar="FILE=STUDENT", help="the student of a file"
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
