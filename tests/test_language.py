"""Texts hold both languages, and the switch remembers the reader's choice whatever happens."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from course_utils.language import LanguageSwitch, Text, remember_choice, remembered_choice


@pytest.fixture(autouse=True)
def settings_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "settings"
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(folder))
    return folder


@pytest.mark.parametrize("halves", [("word", ""), ("", "palabra"), ("word", " \n"), ("word", None)])
def test_a_text_without_its_other_half_is_refused_where_it_is_made(halves: tuple) -> None:
    with pytest.raises(ValueError, match="both languages"):
        Text(*halves)


def test_both_halves_are_on_the_page_marked_with_their_language() -> None:
    text = Text("the <b>last</b> row", "la <b>última</b> fila")
    for page in (text.blocks(), text.inline()):
        assert 'lang="en" class="course-en">the <b>last</b> row<' in page
        assert 'lang="es" class="course-es">la <b>última</b> fila<' in page
        assert page.index("last") < page.index("última")
    assert text.lines == "the last row\nla última fila"


def test_values_put_into_a_text_are_escaped_and_texts_go_in_by_language() -> None:
    filled = Text("{word}: {value}", "{word}: {value}").format(
        word=Text("cat", "gato"), value="<script>"
    )
    assert filled == Text("cat: &lt;script&gt;", "gato: &lt;script&gt;")
    assert filled.plain == Text("cat: <script>", "gato: <script>")


@pytest.mark.parametrize("choice", ["en", "es", "both"])
def test_the_choice_is_there_in_the_next_notebook(choice: str) -> None:
    LanguageSwitch().choice = "es" if choice == "en" else "en"
    LanguageSwitch().choice = choice
    assert LanguageSwitch().choice == choice


def test_the_first_notebook_of_all_is_in_english() -> None:
    assert LanguageSwitch().choice == "en"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"es"',
        b'{"language": "fr"}',
        b'{"language": ["es"]}',
        b'{"tongue": "es"}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_means_english_and_no_error(settings_folder: Path, content: bytes) -> None:
    remember_choice("es")
    (file,) = settings_folder.iterdir()
    file.write_bytes(content)
    assert remembered_choice() == "en"
    remember_choice("es")
    assert remembered_choice() == "es"


def test_an_unreadable_file_means_english_and_no_error(settings_folder: Path) -> None:
    remember_choice("es")
    (file,) = settings_folder.iterdir()
    file.unlink()
    file.mkdir()
    assert remembered_choice() == "en"


def test_a_folder_that_cannot_be_written_costs_no_error(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "file"))
    switch = LanguageSwitch()
    switch.choice = "es"
    assert switch.choice == "es"
    assert remembered_choice() == "en"


def test_without_a_home_folder_the_choice_lasts_as_long_as_its_notebook(monkeypatch) -> None:
    for variable in ("JUPYTER_CONFIG_DIR", "JUPYTER_PLATFORM_DIRS", "JUPYTER_NO_CONFIG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    switch = LanguageSwitch()
    switch.choice = "es"
    assert switch.choice == "es" and remembered_choice() == "en"


def test_the_file_is_replaced_whole_or_not_at_all(settings_folder: Path, monkeypatch) -> None:
    remember_choice("es")

    def fail(*_: object, **__: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", fail)
        remember_choice("both")
        broken.setattr(os, "open", fail)
        remember_choice("both")
    (file,) = settings_folder.iterdir()
    assert json.loads(file.read_text()) == {"language": "es"}


def test_the_stored_output_of_the_switch_does_not_depend_on_the_choice() -> None:
    shown = [LanguageSwitch()._repr_mimebundle_()[0]]
    remember_choice("es")
    shown.append(LanguageSwitch()._repr_mimebundle_()[0])
    for kind in ("text/plain", "text/html"):
        assert shown[0][kind] == shown[1][kind]
        assert "Run this cell" in shown[0][kind] and "Ejecuta esta celda" in shown[0][kind]
