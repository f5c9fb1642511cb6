"""Tests that platforms accept the returned tables, according to their public source code.

The two importers below follow GradebookImporter of Canvas (instructure/canvas-lms,
lib/gradebook_importer.rb) and assignfeedback_offline_grade_importer of Moodle (moodle/moodle,
mod/assign/feedback/offline/importgradeslib.php, and process_import_grades in its locallib.php).
"""

import csv
import io
import re
from pathlib import Path

import pytest

from classroom.tables import Table

FOLDER = Path(__file__).parent
NOT_ASSIGNMENTS = (
    "Current Score|Current Points|Current Grade|Final Score|Final Points|Final Grade"
    "|Override Score|Override Grade|Override Status"
)


def canvas_grades(content: bytes) -> dict[int, dict[int, str]]:
    """Return the grades that Canvas would import, keyed by student and assignment."""
    text = content.decode("utf-8")
    lines = text.splitlines()[:3]
    counts = {
        separator: {len(next(csv.reader([line], delimiter=separator))) for line in lines}
        for separator in ",;"
    }
    fields = {each: max(found) if len(found) == 1 else 0 for each, found in counts.items()}
    delimiter = ";" if fields[";"] > fields[","] else ","
    head, *rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    assert len(head) > 3 and "Student" in head[0] and "ID" in head[1], "InvalidHeaderRow"
    columns = 3
    if re.search(r"SIS\s+User\s+ID", head[2]) and re.search(r"SIS\s+Login\s+ID", head[3]):
        columns += 2
    assert "Section" in head[columns - 1], "InvalidHeaderRow"
    assignments = {
        index: int(re.search(r"\((\d+)\)\s*$", name)[1])
        for index, name in enumerate(head)
        if index >= columns and not re.search(NOT_ASSIGNMENTS, name)
    }
    grades = {}
    for row in rows:
        if "Points Possible" not in row[0]:
            grades[int(row[1])] = {id: row[index].strip() for index, id in assignments.items()}
    return grades


def moodle_grades(content: bytes, maximum: float, words: dict[str, str]) -> dict[int, float]:
    """Return the grades that Moodle would store, keyed by participant."""
    head, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")))
    place = {name: head.index(words[name]) for name in ("grade", "recordid", "lastmodifiedgrade")}
    grades = {}
    for row in rows:
        id = int(row[place["recordid"]][len(words["hiddenuser"]) :])
        written = row[place["grade"]]
        grade = float(written.replace(words["decsep"], ".")) if written else None
        if grade is not None and 0 <= grade <= maximum:
            grades[id] = grade
    return grades


ENGLISH = {
    "grade": "Grade",
    "recordid": "Identifier",
    "lastmodifiedgrade": "Last modified (grade)",
    "hiddenuser": "Participant ",
    "decsep": ".",
}
SPANISH = {
    "grade": "Calificación",
    "recordid": "Identificador",
    "lastmodifiedgrade": "Última modificación (calificación)",
    "hiddenuser": "Participante ",
    "decsep": ",",
}


def spanish_sheet() -> bytes:
    return (
        "Identificador,Nombre completo,Dirección de correo,Calificación,Calificación máxima,"
        "Última modificación (entrega),Última modificación (calificación)\n"
        'Participante 1,Ana,ana@x.org,,"100,00","viernes, 20 de noviembre de 2026, 23:59",-\n'
        'Participante 2,Bo,bo@x.org,"50,00","100,00",-,-\n'
    ).encode("utf-8-sig")


@pytest.mark.parametrize(
    ("content", "words", "others"),
    [((FOLDER / "worksheet.csv").read_bytes(), ENGLISH, {}), (spanish_sheet(), SPANISH, {2: 50})],
)
def test_moodle_accepts_worksheet(content, words, others):
    table = Table.read("worksheet.csv", content)
    table.fill({"1": 7.5, "77": 9}, 9, "03_sinusoidal")
    assert moodle_grades(table.written(), 100, words) == {1: 83.33} | others
    assert table.factor == pytest.approx(100 / 9) and table.filled == 1
    before, after = (
        list(csv.reader(io.StringIO(each.decode("utf-8-sig"))))
        for each in (content, table.written())
    )
    changed = [
        (new[0], new[n])
        for old, new in zip(before, after, strict=True)
        for n in range(len(new))
        if old[n] != new[n]
    ]
    assert [row for row, _ in changed] == [f"{words['hiddenuser']}1"]


@pytest.mark.parametrize("separator", [",", ";"])
def test_canvas_accepts_gradebook(separator):
    rows = list(csv.reader(io.StringIO((FOLDER / "gradebook.csv").read_text("utf-8"))))
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows(rows)
    table = Table.read("gradebook.csv", text.getvalue().encode())
    table.fill({"71": 7.5, "2": 9}, 9, "03_sinusoidal")
    grades = canvas_grades(table.written())
    assert grades[71] == {311: "5.00", 312: "7.5", 313: ""}
    assert grades[72] == {311: "4.00", 312: "", 313: ""}  # 2 is in a name, not a student number
    assert [each.number for each in table.people()] == ["71", "72"]
    assert [each.address for each in table.people()] == ["ana@x.org", "cai@x.org"]


def test_ambiguous_column_is_not_filled():
    content = (FOLDER / "gradebook.csv").read_bytes()
    table = Table.read("gradebook.csv", content)
    with pytest.raises(ValueError, match="Lab 02: bits"):
        table.fill({"71": 5}, 6, "07_longer")
    table.fill({"71": 5}, 20, "07_longer", "Final essay (313)")
    assert canvas_grades(table.written())[71][313] == "5"
    renamed = Table.read("gradebook.csv", content.replace(b"Lab 03: waves", b"Final Score 03"))
    with pytest.raises(ValueError, match="Final Score 03"):  # Canvas ignores such a column
        renamed.fill({"71": 5}, 9, "03_sinusoidal")
