"""Tables of students and grades from learning platforms.

Moodle's grading worksheet and Canvas's gradebook are returned unchanged, except for one column.
Their importers (mod/assign/feedback/offline/importgradeslib.php and lib/gradebook_importer.rb)
identify students by the platform's own columns.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .platforms import GivenFileError, moment, without_signs

SUBMITTED = (
    "submission)",
    "(entrega)",
    "(envío)",
    "submitted",
    "submission time",
    "fecha de entrega",
)
"""Endings of column names for submission times, in English and Spanish."""

TEAMS = ("group", "team", "grupo", "equipo")

GRADES = ("grade", "calificación", "puntuación")
"""Names of the grade column in Moodle's worksheet."""

MAXIMUM = ("maximum grade", "calificación máxima")

NO_ASSIGNMENT = re.compile(
    r"(?:Current|Final) (?:Score|Points|Grade)|Override (?:Score|Grade|Status)"
)
"""Pattern of column names that Canvas ignores, even if the column is an assignment."""


@dataclass(frozen=True)
class Person:
    """A student's row in a platform's table."""

    name: str
    number: str
    address: str = ""
    time: str = ""
    team: str = ""


@dataclass
class Table:
    """A platform's table, with its rows, delimiter and encoding."""

    name: str
    rows: list[list[str]]
    delimiter: str = ","
    has_bom: bool = False
    filled: int = field(default=0, init=False)
    factor: float = field(default=1.0, init=False)
    """Ratio of the platform's points to the lab's points."""
    has_commas: bool = field(default=False, init=False)
    """True if the platform uses a decimal comma."""

    @classmethod
    def read(cls, name: str, content: bytes) -> Table:
        """Read a table that is separated by commas, semicolons or tabs.

        Raises:
            GivenFileError: If the file is a workbook instead of a text file.
        """
        wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
        if b"\0" in content and not wide:
            raise GivenFileError("workbook", name)
        try:
            text = content.decode("utf-16" if wide else "utf-8-sig")
        except UnicodeDecodeError:  # Excel saves CSV files in a Windows encoding.
            text = content.decode("cp1252", "replace")
        first = text.partition("\n")[0]
        delimiter = max(",;\t", key=first.count)
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        return cls(name, rows, delimiter, content.startswith(b"\xef\xbb\xbf"))

    @property
    def header(self) -> list[str]:
        """Names of the columns, in lower case."""
        return [each.strip().lower() for each in self.rows[0]] if self.rows else []

    @property
    def is_canvas(self) -> bool:
        """True if Canvas's importer would accept the header row."""
        head = self.header
        return len(head) > 3 and head[0] in ("student", "lastname") and "id" in head

    def people(self) -> list[Person]:
        """Return the students, identified by a number at the end of one of the first columns."""
        found = []
        time, team = self._column(SUBMITTED), self._column(TEAMS)
        for row in self.rows[1:] if self.is_canvas else self.rows:
            place = self._number_column(row)
            if place is None:
                continue
            name = ", ".join(each for each in row[:place]) if place else row[1]
            if name.strip() in ("Student, Test", "Points Possible"):
                continue
            address = next((cell for cell in row if re.fullmatch(r"\S+@\S+", cell)), "")
            written = moment(row[time]) if time is not None and time < len(row) else ""
            group = row[team] if team is not None and team < len(row) else ""
            found.append(
                Person(
                    without_signs(name), _digits(row[place]), address, written, without_signs(group)
                )
            )
        return found

    def _number_column(self, row: list[str]) -> int | None:
        """Return the index of the column with the platform's numbers."""
        columns = [self.header.index("id")] if self.is_canvas else [0, 1]
        if len(row) < 2:
            return None
        return next((n for n in columns if n < len(row) and _digits(row[n])), None)

    def fill(self, scores: Mapping[str, float], highest: float, lab: str, column: str = "") -> None:
        """Fill scores into the column of the lab.

        Raises:
            ValueError: If no column, or more than one, could belong to the lab; the message lists
                the candidates.
        """
        place = self._grade_column(lab, column)
        written = self._maximum(place)
        self.has_commas = "," in written
        try:
            most = float(written.replace(",", "."))
        except ValueError:
            most = highest
        self.factor = most / highest if highest else 1.0
        for row in self.rows[1:]:
            column_of_number = self._number_column(row)
            number = "" if column_of_number is None else _digits(row[column_of_number])
            if number in scores and place < len(row):
                shown = f"{round(scores[number] * self.factor, 2):g}"
                row[place] = shown.replace(".", ",") if self.has_commas else shown
                self.filled += 1

    def _grade_column(self, lab: str, column: str) -> int:
        names = self.rows[0] if self.rows else []
        if column:
            found = [n for n, name in enumerate(names) if name.strip() == column]
        elif self.is_canvas:
            graded = [
                n
                for n, name in enumerate(names)
                if re.search(r"\(\d+\)\s*$", name) and not NO_ASSIGNMENT.search(name)
            ]
            number = re.match(r"0*(\d*)", lab)[1] or "-"
            title = re.compile(rf"\b0?{number}\b|{re.escape(lab)}", re.IGNORECASE)
            found = graded if len(graded) == 1 else [n for n in graded if title.search(names[n])]
        else:
            found = [n for n, name in enumerate(self.header) if name in GRADES]
        if len(found) != 1:
            raise ValueError("; ".join(name for name in names if name))
        return found[0]

    def _maximum(self, place: int) -> str:
        if self.is_canvas:
            rows = [row for row in self.rows if row and "Points Possible" in row[0]]
        else:
            rows, place = self.rows[1:2], self._column(MAXIMUM)
        return next((row[place] for row in rows if place is not None and place < len(row)), "")

    def _column(self, ends: tuple[str, ...]) -> int | None:
        return next((n for n, name in enumerate(self.header) if name.endswith(ends)), None)

    def written(self) -> bytes:
        """Return the content of the table in its original format."""
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self.delimiter).writerows(self.rows)
        return text.getvalue().encode("utf-8-sig" if self.has_bom else "utf-8")


def _digits(cell: str) -> str:
    found = re.search(r"(\d+)\s*$", cell)
    return found[1] if found else ""
