"""Names of submitted files, as learning platforms compose them, and their archives.

The schemes were read in the source of Moodle (mod/assign/classes/downloader.php) and Canvas
(lib/content_zipper.rb), and in the documentation of the others. Both write the time of the download
into every entry of an archive, so no time is taken from an archive.
"""

from __future__ import annotations

import io
import re
import unicodedata
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

IN_A_ZIP = r"(?:[^/]+\.[Zz][Ii][Pp]/(?:.*/)?)?"
"""Separator between a student's name and a file inside a submitted archive."""

CANVAS_FILE = rf"_(?:(?P<order>\d+)_{IN_A_ZIP}[^/]+|(?:text|link)\.html)"
"""The end of a name from Canvas: the number of the upload and the file, or a text or a link."""

MOODLE = r"(?P<name>[^/]+?)(?:_(?P<number>\d+))?_assignsubmission_[a-z]+_?/?(?:.*/)?[^/]+"
"""Ana Pérez_12345_assignsubmission_file_/LAB.ipynb, or without the folder. A team has the number of
its group, and students without a group have none."""

SCHEMES = (
    # With anonymous grading: anon_Ab1x9_456_LAB.ipynb, or LATE_anon_Ab1x9_456_LAB.ipynb.
    rf"(?P<late>LATE_)?(?P<name>anon_(?P<number>[A-Za-z0-9]+)){CANVAS_FILE}",
    # Canvas: perezana_LATE_123_456_LAB-1.ipynb; a name has no capitals, but may have underscores.
    rf"(?P<name>[^/A-Z]+?)_(?P<late>LATE_)?(?P<number>[1-9]\d*){CANVAS_FILE}",
    # Blackboard: Lab 03_perezana_attempt_2026-11-21-18-30-00_LAB.ipynb, and a text of each attempt.
    r"(?P<number>(?:[^/]+_)?(?P<name>[^/_]+))_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_|(?=\.txt))"
    + IN_A_ZIP
    + "[^/]+",
    # Brightspace: 7001-301 - Ana Pérez - Nov 20, 2026 1159 PM/LAB.ipynb, or without the folder.
    r"(?P<number>\d+)-\d+ - (?P<name>[^/]+?) - (?P<time>\w+ \d{1,2}, \d{4} \d{3,4} [AP]M)(?:/| - )"
    ".+",
)

TEAM = re.compile(r"\b(?:group|team|grupo|equipo)\b", re.IGNORECASE)

RECEIPT = re.compile(r"_attempt_[\d-]+\.txt$")
"""The text file that Blackboard adds for each attempt."""

IGNORED_FILES = re.compile(
    r"(^|/)(\._|\.DS_Store$|\.git/|\.ipynb_checkpoints/|__MACOSX/|timestamp\.txt$)"
    r"|^[^/]+/index\.html$"  # Brightspace’s list of submissions
)
"""Files in archives that are nobody's work."""

NO_STUDENT = {"labs", "solutions", "submitted", "submissions", "source", "release"}
"""Folders that contain a lab and are not named after a student."""

NO_NAMES = {"lab", "practica", "práctica", "hw", "homework", "tarea", "assignment", "final"}
"""First words of files that students name themselves, as in lab_07_2026_final.ipynb."""

COPY = r"[-_ ]*(?:copy|copia)?[-_ ]*\(?(\d*)\)?"
"""Suffix that browsers, JupyterLab and platforms add to the name of a second copy."""

LARGEST = 50_000_000
"""Largest size in bytes of a file that is read; a notebook with pictures has a tenth of it."""

ARCHIVES = (".zip", ".rar", ".7z", ".tar", ".gz", ".tgz")
"""Endings of archives; only zip archives without a password are opened."""

TABLES = (".csv", ".tsv", ".xls", ".xlsx", ".ods")
"""Endings of tables; Blackboard’s tables end with .xls, but are text."""

UNREADABLE = (BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError)
"""Errors for archives that are damaged, of another format, or locked."""

LONGEST_NAME = 200
"""Bytes of a name; file systems allow 255, and a number may follow."""

MONTHS = {
    name[:3]: 1 + number % 12
    for number, name in enumerate(
        "january february march april may june july august september october november december "
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
        "diciembre".split()
    )
}


class GivenFileError(ValueError):
    """A file given to a command that is of no use; the key of the message, and the file."""


@dataclass(frozen=True)
class File:
    """A file in an archive or folder."""

    path: str
    content: bytes
    archive: str = ""
    """The archive, or folder, that was given to the command."""
    downloaded: tuple[int, ...] = ()
    """The newest date in the archive: the time of its download, which dates no submission."""

    unread: str = ""
    """The reason why the file was not read: ``"large"`` or ``"archive"``."""

    @property
    def is_table(self) -> bool:
        """True if the file was given as a table, and is not in a student's name."""
        return self.path.lower().endswith(TABLES) and self.path == self.archive


@dataclass(frozen=True)
class Origin:
    """A student, as far as the path of a file identifies one."""

    name: str
    number: str = ""
    late: bool = False
    time: str = ""
    """The time of the submission, where the platform writes it into the path."""
    order: int = 0
    """Canvas numbers uploads; a later upload has a greater number."""
    is_guess: bool = False
    """True if any text may be in the position of the name."""
    is_team: bool = False


def origin_of(path: str, lab: str) -> Origin | None:
    """Return the student in whose name a platform stored a file; None if the path has no scheme."""
    if team := re.search(rf"(?:^|/){MOODLE}$", path):
        number = team["number"] or ""
        is_team = not number or bool(TEAM.search(team["name"]))
        return Origin(without_signs(team["name"]), number, is_team=is_team)
    for scheme in SCHEMES:
        found = re.search(rf"(?:^|/){scheme}$", path)
        if found and found["name"] not in NO_NAMES:
            part = found.groupdict()
            time = re.sub(r"-(\d\d)-(\d\d)-(\d\d)$", r" \1:\2:\3", part.get("time") or "")
            time = moment(re.sub(r"(\d\d) ([AP]M)$", r":\1 \2", time))
            late, order = bool(part.get("late")), int(part.get("order") or 0)
            return Origin(without_signs(part["name"]), part["number"], late, time, order)
    named = rf"(?P<name>[^/]+?)(?: - |__)(?:Copy of |Copia de )?{re.escape(lab)}{COPY}\.ipynb"
    own = rf"(?P<name>[^/]+)/{re.escape(lab)}/{re.escape(lab)}\.ipynb"  # as nbgrader stores it
    for pattern in (named, own):
        found = re.search(rf"(?:^|/){pattern}$", path, re.IGNORECASE)
        if found and found["name"].lower() not in NO_STUDENT:
            return Origin(without_signs(found["name"]), is_guess=True)
    return None


def by_folder(labs: Iterable[str], paths: Iterable[str]) -> dict[str, Origin]:
    """Return the student of each path in an archive with one folder for each student.

    ILIAS, Sakai, GitHub Classroom and nbgrader write such archives. The first folders that differ
    between the notebooks of the lab are the students', if there are two or more. A folder with
    notebooks in several folders inside it may be a group's, and has no student.
    """
    found = [path.split("/") for path in labs]
    depth = 0
    while found and len({tuple(path[: depth + 1]) for path in found}) == 1 and depth < 20:
        depth += 1
    places = defaultdict(set)
    for path in found:
        places[path[depth] if len(path) > depth + 1 else ""].add("/".join(path[:-1]))
    if len(places) < 2 or "" in places or any(name.lower().endswith(".zip") for name in places):
        return {}
    students = {}
    for path in paths:
        parts = path.split("/")
        folder = (
            parts[depth] if len(parts) > depth + 1 and parts[:depth] == found[0][:depth] else ""
        )
        if folder and len(places[folder]) < 2 and folder.lower() not in NO_STUDENT:
            number = re.search(r"_(\d+)$", folder)  # ILIAS: Pérez_Ana_login_12345
            students[path] = Origin(without_signs(folder), number[1] if number else "")
    return students


def without_signs(name: str) -> str:
    """Return a name that is valid for a folder."""
    short = name.encode()[:LONGEST_NAME].decode("utf-8", "ignore")
    return re.sub(r"[^\w .,'@+()-]", "_", short).strip(" .")


def files(place: Path) -> Iterator[File]:
    """Yield each file of a folder or archive, with those in archives inside it.

    Raises:
        GivenFileError: the given archive cannot be opened, or only in part.
    """
    paths = sorted(place.rglob("*")) if place.is_dir() else [place]
    for path in paths:
        if path.is_file():
            name = path.relative_to(place.parent).as_posix()
            if path.stat().st_size > LARGEST and not name.lower().endswith(".zip"):
                yield File(name, b"", place.name, unread="large")
                continue
            for file in _opened(name, path.read_bytes(), name if path == place else place.name):
                if not IGNORED_FILES.search(file.path):
                    yield file


def _opened(path: str, content: bytes, archive: str, date: tuple[int, ...] = ()) -> Iterator[File]:
    is_given = path == archive
    path = unicodedata.normalize("NFC", path)
    try:
        if not path.lower().endswith(".zip"):
            raise BadZipFile
        packed = ZipFile(io.BytesIO(content))
    except UNREADABLE:
        if is_given and path.lower().endswith(ARCHIVES):
            raise GivenFileError("archive", path) from None
        unread = "archive" if path.lower().endswith(ARCHIVES) else ""
        yield File(path, content, archive, date, unread)
        return
    entries = [entry for entry in packed.infolist() if not _name_of(entry).endswith("/")]
    newest = date or max((entry.date_time for entry in entries), default=())
    for entry in entries:
        name = f"{path}/{_name_of(entry)}"
        if entry.file_size > LARGEST:
            yield File(name, b"", archive, newest, "large")
            continue
        try:
            inside = packed.read(entry)
        except UNREADABLE:
            if is_given:  # the download is damaged, and whose work it is does not matter
                raise GivenFileError("archive", path) from None
            yield File(name, b"", archive, newest, "archive")
            continue
        yield from _opened(name, inside, archive, newest)


def _name_of(entry: ZipInfo) -> str:
    """Return the path of an entry, although macOS does not say that it writes UTF-8.

    Windows PowerShell separates folders by backslashes.
    """
    name = entry.filename
    if not entry.flag_bits & 0x800:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name.replace("\\", "/"))


def moment(said: str) -> str:
    """Return a time as YYYY-MM-DD HH:MM:SS; empty if it cannot be read.

    Moodle writes “Friday, 20 November 2026, 11:59 PM” or “viernes, 20 de noviembre de 2026, 23:59”.
    """
    try:
        return (
            datetime.fromisoformat(said.strip().replace("Z", ""))
            .replace(tzinfo=None)
            .isoformat(" ", "seconds")
        )
    except ValueError:
        pass
    said = re.sub(r"([a-z]+) (\d{1,2}), (\d{4})", r"\2 \1 \3", said.lower().replace("\u202f", " "))
    pattern = (
        r"(\d{1,2})(?: de)? ([a-z]+)\.?(?: de)? (\d{4}),? (\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap])?"
    )
    found = re.search(pattern, said)
    month = MONTHS.get(found[2][:3]) if found else None
    if not month:
        return ""
    hour = int(found[4]) % 12 + 12 * (found[7] == "p") if found[7] else int(found[4])
    day = datetime(int(found[3]), month, int(found[1]), hour, int(found[5]), int(found[6] or 0))
    return day.isoformat(" ")
