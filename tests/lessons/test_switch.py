"""Tests that the switch selects one language and remembers the choice."""

import json
import os
import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from unittest.mock import Mock

import pytest
from bs4 import BeautifulSoup
from checks.javascript import running
from checks.samples import everywhere

from course_utils.notebook import switch
from course_utils.notebook.storage import store_language
from course_utils.notebook.switch import CHOICES, LanguageSwitch, remembered_choice
from course_utils.words.text import LANGUAGES

FIRST, *_, LAST = LANGUAGES


@pytest.fixture(autouse=True)
def settings_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "settings"
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(folder))
    return folder


def test_later_switch_keeps_its_language():
    with running((switch.FOLDER / "switch.js").read_text("utf-8")) as ask:
        rules = ask("hidingRules(given)", [*LANGUAGES])
    for chosen in combinations(LANGUAGES, 2):
        html = "".join(f'<i class="course-language course-only-{each}"></i>' for each in chosen)
        html = f'<div class="jp-Notebook">{html}{everywhere("{code}").blocks()}</div>'
        page = BeautifulSoup(html, "html.parser")
        for rule in rules.splitlines():
            for hidden in page.select(rule.removesuffix(" { display: none !important; }")):
                hidden.clear()
        assert list(page.stripped_strings) == [chosen[-1]]


def test_choice_of_language_reaches_next_notebook():
    assert CHOICES == (*LANGUAGES, "both")
    assert LanguageSwitch().choice == FIRST
    for choice in reversed(CHOICES):
        LanguageSwitch().choice = choice
        assert LanguageSwitch().choice == choice


def test_damaged_file_selects_first_language(settings_folder):
    for content in (b"{", b"[]", b"[" * 100_000, b'{"language": "qq"}', b'{"tongue": "es"}'):
        store_language(LAST)
        assert remembered_choice() == LAST
        (file,) = settings_folder.iterdir()
        file.write_bytes(content)
        assert remembered_choice() == FIRST
    file.unlink()
    file.mkdir()
    assert remembered_choice() == FIRST


@pytest.mark.parametrize("home", [True, False])
def test_choice_lasts_one_notebook_without_writable_folder(home, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "file"))
    if not home:
        for variable in ("JUPYTER_CONFIG_DIR", "JUPYTER_PLATFORM_DIRS", "JUPYTER_NO_CONFIG"):
            monkeypatch.delenv(variable, raising=False)
        monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    shown = LanguageSwitch()
    shown.choice = LAST
    assert shown.choice == LAST and remembered_choice() == FIRST


@pytest.mark.parametrize("broken", ["open", "replace"])
def test_choice_file_is_replaced_atomically(settings_folder, monkeypatch, broken):
    store_language(LAST)
    with monkeypatch.context() as disk:
        disk.setattr(os, broken, Mock(side_effect=OSError("disk full")))
        store_language("both")
    (file,) = settings_folder.iterdir()
    assert json.loads(file.read_text()) == {"language": LAST}


def test_still_offers_every_language_without_kernel():
    for choice in (FIRST, LAST):
        store_language(choice)
        shown = LanguageSwitch().as_shown()
        buttons = re.findall(r'<input [^>]*value="(\w+)"[^>]*?( checked)?>', shown.html)
        assert [code for code, _ in buttons] == [*CHOICES]
        assert [code for code, checked in buttons if checked] == [choice]
        for language, name in LANGUAGES.items():
            assert switch.TEXTS["invitation"][language].split("{")[0] in shown.html
            assert shown.plain.count(name) == len(LANGUAGES)


def test_requested_language_overrides_stored_choice(tmp_path):
    """A switch that hides the only language would leave an empty page."""
    (tmp_path / "positional-encodings-course.json").write_text('{"language": "en"}', "utf-8")
    code = (
        "from course_utils import language_switch, question;"
        "switch, html = language_switch(), question('one-sine').html;"
        "print(switch.choice, *switch.languages, html.count('<details'), html.count('lang=\"en\"'))"
    )
    environment = os.environ | {"COURSE_LANGUAGE": "es", "JUPYTER_CONFIG_DIR": str(tmp_path)}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert run.stdout.split() == ["es", "es", "3", "0"], run.stderr
