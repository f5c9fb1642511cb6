"""Tests that tools/prose.py finds faults in every kind of text, and none in good sentences."""

import re
import subprocess

import nbformat
import prose
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

HABITS = [
    pytest.param(language, habit, pattern, id=f"{language}-{habit['habit']}")
    for language, habits in prose.HABITS.items()
    for habit, pattern in habits
]


@pytest.mark.parametrize(("language", "habit", "pattern"), HABITS)
def test_only_habit_is_found_not_its_correction(language, habit, pattern):
    for sentence in habit["wrong"]:
        assert pattern.search(sentence), f"{sentence!r} is not found"
    for sentence in habit["right"]:
        found = [
            each["habit"]
            for each, pattern in prose.HABITS[language]
            if pattern.search(sentence) and each.get("opening") == habit.get("opening")
        ]
        assert not found, f"{sentence!r} is taken for {found}"


def test_names_of_tests_have_at_most_60_characters():
    defined = re.compile(r"^ *def (test_\w{56,})", re.MULTILINE)
    long = [
        f"{path.relative_to(prose.REPOSITORY)}: {name}"
        for path in sorted(prose.REPOSITORY.glob("tests/**/*.py"))
        for name in defined.findall(path.read_text("utf-8"))
    ]
    assert not long, "shorten these names to at most 60 characters:\n" + "\n".join(long)


def found(path) -> list[tuple[str, int, str]]:
    return [(fault.kind, fault.where.start, fault.habit) for fault in prose.faults(path)]


def test_markdown_sentence_is_found_on_its_line(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(
        "# Title\n\nAll is well. The number\nstands in a row.\n\n```\nit stands\n```\n\n"
        "La celda dice que no.\n\n| `it stands` | It stands. |\n",
        encoding="utf-8",
    )
    assert found(path) == [
        ("documents", 3, "stands"),
        ("documents", 10, "celdas que hablan"),
        ("documents", 12, "stands"),
    ]


def test_line_break_ends_sentence(tmp_path):
    path = tmp_path / "page.md"
    half = " ".join(["word"] * 20)
    path.write_text(f"{half}\n{half}\n", encoding="utf-8")
    assert found(path) == [("documents", 1, "long sentence")]
    path.write_text(f"{half}  \n{half}\n", encoding="utf-8")
    assert found(path) == []


@pytest.mark.parametrize(
    "text", ["<b>{0}.</b> {0}.", "{0}. <b>{0}.</b>", "{0}. **{0}.**", "{0}. [{0}](a)."]
)
def test_markup_does_not_join_sentences(tmp_path, text):
    path = tmp_path / "page.md"
    path.write_text(text.format(" ".join(["Word"] * 20)), encoding="utf-8")
    assert found(path) == []


def test_notebook_cells_are_read_by_language(tmp_path):
    path = tmp_path / "lesson.ipynb"
    source = (
        '# <span lang="en">It stands</span> · <span lang="es">10%</span>\n\n<div lang="en">\n\n'
        'Keep 10%.\n\n</div>\n\n<div lang="es">\n\nDeja el 10%.\n\n</div>'
    )
    cells = [new_code_cell("# It stands here"), new_markdown_cell(source)]
    path.write_text(nbformat.writes(new_notebook(cells=cells)), encoding="utf-8")
    faults = list(prose.faults(path))
    assert [fault.habit for fault in faults] == ["stands", *["porcentaje sin espacio"] * 2]
    lines = path.read_text("utf-8").splitlines()
    assert "Deja el 10%" in lines[faults[-1].where.start - 1]


def test_toml_texts_are_read_by_key(tmp_path):
    path = tmp_path / "words.toml"
    path.write_text(
        '# It stands.\npattern = "stands"\na.en = "10% of it"\na.es = "el 10%"\n'
        'b = { en = "It stands", es = "It stands" }\nc.es = """\nuno\n\nel 20%"""\n',
        encoding="utf-8",
    )
    assert found(path) == [
        ("comments", 1, "stands"),
        ("texts", 4, "porcentaje sin espacio"),
        ("texts", 5, "stands"),
        ("texts", 8, "porcentaje sin espacio"),
    ]


def test_docstrings_comments_test_names_are_read(tmp_path):
    path = tmp_path / "code.py"
    path.write_text(
        f'''"""Whether it works.

    it stands = 1

Args:
    first: how it stands
        there.
    second: the row. What is it?
"""
TEXT = "it stands"  # 10 %
# It stands
def test_{"long_" * 12}():
    """Return it. Whether it works does not matter."""
''',
        encoding="utf-8",
    )
    question_word = "docstring begins with a question word"
    assert sorted(found(path)) == [
        ("comments", 10, "space before a percent sign"),
        ("comments", 11, "stands"),
        ("docstrings", 1, question_word),
        ("docstrings", 6, question_word),
        ("docstrings", 6, "stands"),
        ("tests", 12, "long name"),
    ]


@pytest.mark.parametrize("name", ["code.js", "style.css"])
def test_comments_of_scripts_are_read(tmp_path, name):
    path = tmp_path / name
    path.write_text('/* It\n   stands. */\nlet text = "// it stands";\n', encoding="utf-8")
    assert found(path) == [("comments", 1, "stands")]


def test_long_sentence_counts_formula_as_one_word(tmp_path):
    path = tmp_path / "page.md"
    for words, count in ((36, 1), (35, 0)):
        path.write_text("$a + b$ " + "word " * (words - 1), encoding="utf-8")
        assert len(found(path)) == count


def test_allowed_phrase_is_not_reported(tmp_path, monkeypatch):
    path = tmp_path / "page.md"
    path.write_text("It stands in the sun.", encoding="utf-8")
    monkeypatch.setitem(prose.RULES, "allowed", ["stands in the sun"])
    assert not found(path)


def test_since_reports_changed_lines_only(tmp_path, monkeypatch, capsys):
    def git(*command):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *command], cwd=tmp_path, check=True, capture_output=True)

    page = tmp_path / "página.md"
    page.write_text("It stands.\n\nAll is well.\n", encoding="utf-8")
    git("init")
    git("add", ".")
    git("commit", "-m", "Add a page")
    monkeypatch.setattr(prose, "REPOSITORY", tmp_path)
    assert prose.main(["--since", "HEAD"]) == 0
    page.write_text("It stands.\n\nAll stands.\n", encoding="utf-8")
    assert prose.main(["--since", "HEAD"]) == 1
    assert capsys.readouterr().out.startswith("página.md:3: All stands. … stands → ")
    assert prose.main([]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_count_lists_each_kind_of_text(capsys):
    assert prose.main(["--count", "tools/prose.toml"]) == 0
    assert capsys.readouterr().out.split()[:2] == ["habit", "total"]
