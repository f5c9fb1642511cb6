"""Names of submitted files, as learning platforms compose them, and their archives.

The schemes were read in the source of Moodle (mod/assign/classes/downloader.php) and Canvas
(lib/content_zipper.rb), and in the documentation of the others. Both write the time of the download
into every entry of an archive, so no time is taken from an archive.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

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
)

TEAM = re.compile(r"\b(?:group|team|grupo|equipo)\b", re.IGNORECASE)

RECEIPT = re.compile(r"_attempt_[\d-]+\.txt$")
"""The text file that Blackboard adds for each attempt."""

IGNORED_FILES = re.compile(r"(^|/)(\._|\.DS_Store$|\.ipynb_checkpoints/|__MACOSX/|timestamp\.txt$)")
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


@dataclass(frozen=True)
class File:
    """A file in an archive or folder."""

    path: str
    content: bytes
    archive: str = ""
    """The archive, or folder, that was given to the command."""
    downloaded: tuple[int, ...] = ()
    """The newest date in the archive: the time of its download, which dates no submission."""

    is_too_large: bool = False
    """True if the file was not read."""

    @property
    def is_table(self) -> bool:
        """True if the file was given as a table, and is not in a student's name."""
        return self.path.lower().endswith((".csv", ".tsv")) and self.path == self.archive


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
    return re.sub(r"[^\w .,'@+()-]", "_", name).strip(" .")


def files(place: Path) -> Iterator[File]:
    """Yield each file of a folder or archive, with those in archives inside it."""
    paths = sorted(place.rglob("*")) if place.is_dir() else [place]
    for path in paths:
        if path.is_file():
            name = path.relative_to(place.parent).as_posix()
            for file in _opened(name, path.read_bytes(), name if path == place else place.name):
                if not IGNORED_FILES.search(file.path):
                    yield file


def _opened(path: str, content: bytes, archive: str, date: tuple[int, ...] = ()) -> Iterator[File]:
    path = unicodedata.normalize("NFC", path)
    if not path.lower().endswith(".zip"):
        yield File(path, content, archive, date)
        return
    try:
        with ZipFile(io.BytesIO(content)) as packed:
            entries = [each for each in packed.infolist() if not each.is_dir()]
            newest = date or max((each.date_time for each in entries), default=())
            for entry in entries:
                name = f"{path}/{entry.filename}"
                if entry.file_size <= LARGEST:
                    yield from _opened(name, packed.read(entry), archive, newest)
                else:
                    yield File(unicodedata.normalize("NFC", name), b"", archive, newest, True)
    except (BadZipFile, NotImplementedError, RuntimeError):  # broken, of another format, or locked
        yield File(path, content, archive, date)
