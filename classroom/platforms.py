"""Parser for the file names and archives that learning platforms create.

The naming schemes come from the source code of Moodle (mod/assign/classes/downloader.php) and
Canvas (lib/content_zipper.rb), and from the documentation of other platforms. Moodle and Canvas
assign the time of the download to every file in an archive, so these times are not submission
times.
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
"""Pattern of an optional archive in the path of a submitted file."""

CANVAS_FILE = rf"_(?:(?P<order>\d+)_{IN_A_ZIP}[^/]+|(?:text|link)\.html)"
"""Pattern of the end of a file name from Canvas."""

MOODLE = r"(?P<name>[^/]+?)(?:_(?P<number>\d+))?_assignsubmission_[a-z]+_?/?(?:.*/)?[^/]+"
"""Pattern of paths from Moodle.

An example is Ana Pérez_12345_assignsubmission_file_/LAB.ipynb; the folder is optional. The number
of a team is its group number, and students without a group have no number.
"""

SCHEMES = (
    # With anonymous grading: anon_Ab1x9_456_LAB.ipynb, or LATE_anon_Ab1x9_456_LAB.ipynb.
    rf"(?P<late>LATE_)?(?P<name>anon_(?P<number>[A-Za-z0-9]+)){CANVAS_FILE}",
    # Canvas: perezana_LATE_123_456_LAB-1.ipynb. Names are in lower case and may contain
    # underscores.
    rf"(?P<name>[^/A-Z]+?)_(?P<late>LATE_)?(?P<number>[1-9]\d*){CANVAS_FILE}",
    # Blackboard: Lab 03_perezana_attempt_2026-11-21-18-30-00_LAB.ipynb, and a text file per
    # attempt.
    r"(?P<number>(?:[^/]+_)?(?P<name>[^/_]+))_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_|(?=\.txt))"
    + IN_A_ZIP
    + "[^/]+",
    # Brightspace: 7001-301 - Ana Pérez - Nov 20, 2026 1159 PM/LAB.ipynb, or without the folder.
    r"(?P<number>\d+)-\d+ - (?P<name>[^/]+?) - (?P<time>\w+ \d{1,2}, \d{4} \d{3,4} [AP]M)(?:/| - )"
    ".+",
)

TEAM = re.compile(r"\b(?:group|team|grupo|equipo)\b", re.IGNORECASE)

RECEIPT = re.compile(r"_attempt_[\d-]+\.txt$")
"""Pattern of the text file that Blackboard adds to each attempt."""

IGNORED_FILES = re.compile(
    r"(^|/)(\._|\.DS_Store$|\.git/|\.ipynb_checkpoints/|__MACOSX/|timestamp\.txt$)"
    r"|^[^/]+/index\.html$"  # Brightspace’s list of submissions
)
"""Pattern of files in archives that are not submissions."""

NO_STUDENT = {"labs", "solutions", "submitted", "submissions", "source", "release"}
"""Names of folders that contain labs but do not identify a student."""

NO_NAMES = {"lab", "practica", "práctica", "hw", "homework", "tarea", "assignment", "final"}
"""First words of file names that students choose, as in lab_07_2026_final.ipynb."""

COPY = r"[-_ ]*(?:copy|copia)?[-_ ]*\(?(\d*)\)?"
"""Pattern of the suffix that browsers, JupyterLab and platforms add to the names of copies."""

LARGEST = 50_000_000
"""Maximum size of a file in bytes, about ten times the size of a notebook with pictures."""

ARCHIVES = (".zip", ".rar", ".7z", ".tar", ".gz", ".tgz")
"""File extensions of archives, of which only zip files without a password can be opened."""

TABLES = (".csv", ".tsv", ".xls", ".xlsx", ".ods")
"""File extensions of tables, including Blackboard’s text files with the extension .xls."""

UNREADABLE = (BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError)
"""Errors raised for archives that are damaged, encrypted or in another format."""

LONGEST_NAME = 200
"""Maximum length of a file name in bytes.

File systems allow 255 bytes, and a number may be added to the name.
"""

MONTHS = {
    name[:3]: 1 + number % 12
    for number, name in enumerate(
        "january february march april may june july august september october november december "
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
        "diciembre".split()
    )
}


class GivenFileError(ValueError):
    """Exception raised if a given file cannot be used."""


@dataclass(frozen=True)
class File:
    """A file in an archive or a folder."""

    path: str
    content: bytes
    archive: str = ""
    """Archive or folder that was passed to the command."""
    downloaded: tuple[int, ...] = ()
    """Newest date in the archive, which is the time of the download."""

    unread: str = ""
    """Reason for not reading the file, either ``"large"`` or ``"archive"``."""

    @property
    def is_table(self) -> bool:
        """True if the file is a table that was passed to the command, not a submission."""
        return self.path.lower().endswith(TABLES) and self.path == self.archive


@dataclass(frozen=True)
class Origin:
    """The student to whom a file belongs according to its path."""

    name: str
    number: str = ""
    late: bool = False
    time: str = ""
    """Time of the submission, if the platform includes it in the path."""
    order: int = 0
    """Canvas's upload number, which increases with time."""
    is_guess: bool = False
    """True if the part of the path that is used as the name could have another meaning."""
    is_team: bool = False


def origin_of(path: str, lab: str) -> Origin | None:
    """Return the student named in a path, or None if the path matches no naming scheme."""
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
    own = rf"(?P<name>[^/]+)/{re.escape(lab)}/{re.escape(lab)}\.ipynb"  # nbgrader's layout
    for pattern in (named, own):
        found = re.search(rf"(?:^|/){pattern}$", path, re.IGNORECASE)
        if found and found["name"].lower() not in NO_STUDENT:
            return Origin(without_signs(found["name"]), is_guess=True)
    return None


def by_folder(labs: Iterable[str], paths: Iterable[str]) -> dict[str, Origin]:
    """Return the student of each path in an archive that contains a folder for each student.

    ILIAS, Sakai, GitHub Classroom and nbgrader create such archives. The students' folders are at
    the first level at which the paths of the lab's notebooks differ. Folders with notebooks in
    several subfolders may belong to groups and are not assigned to a student.
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
    """Convert a name to a valid folder name."""
    short = name.encode()[:LONGEST_NAME].decode("utf-8", "ignore")
    return re.sub(r"[^\w .,'@+()-]", "_", short).strip(" .")


def files(place: Path) -> Iterator[File]:
    """Yield all files in a folder or archive, including files in nested archives.

    Raises:
        GivenFileError: If the given archive is damaged or cannot be opened.
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
            if is_given:  # The whole download is damaged, not one student's file.
                raise GivenFileError("archive", path) from None
            yield File(name, b"", archive, newest, "archive")
            continue
        yield from _opened(name, inside, archive, newest)


def _name_of(entry: ZipInfo) -> str:
    """Return the path of an archive entry.

    macOS writes paths in UTF-8 without declaring it, and Windows PowerShell uses backslashes.
    """
    name = entry.filename
    if not entry.flag_bits & 0x800:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name.replace("\\", "/"))


def moment(written: str) -> str:
    """Convert a time to YYYY-MM-DD HH:MM:SS, or to an empty string if it cannot be read.

    Moodle's format is “Friday, 20 November 2026, 11:59 PM” or “viernes, 20 de noviembre de 2026,
    23:59”.
    """
    text = re.sub(
        r"([a-z]+) (\d{1,2}), (\d{4})", r"\2 \1 \3", written.lower().replace("\u202f", " ")
    )
    pattern = (
        r"(\d{1,2})(?: de)? ([a-z]+)\.?(?: de)? (\d{4}),? (\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap])?"
    )
    found = re.search(pattern, text)
    if found and (month := MONTHS.get(found[2][:3])):
        hour = int(found[4]) % 12 + 12 * (found[7] == "p") if found[7] else int(found[4])
        day = f"{found[3]}-{month:02}-{int(found[1]):02}"
        written = f"{day} {hour:02}:{found[5]}:{found[6] or '00'}"
    try:
        time = datetime.fromisoformat(written.strip().replace("Z", ""))
    except ValueError:
        return ""
    return time.replace(tzinfo=None).isoformat(" ", "seconds")
