"""Tests that generated files are current, and that the command reports outdated files."""

import io
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import generate
import pytest
from checks.extras import missing
from generators import animation
from PIL import Image, ImageDraw

STEPS = [name for name, step in generate.STEPS.items() if not step.in_browser]
NEEDS = {"labs": ("nbgrader", "teach"), "title-pictures": ("resvg_py", "test")}


@pytest.mark.parametrize("name", [each for each in STEPS if each != "snapshots"])
def test_generated_files_are_current(name):
    if name in NEEDS and find_spec(NEEDS[name][0]) is None:
        pytest.skip(missing(*NEEDS[name]))
    # Use a separate process because nbgrader needs setuptools before anything loads distutils.
    command = [sys.executable, generate.__file__, "--check", name]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_pictures_of_animation_are_current():
    notebook = "notebooks/ten_minutes.ipynb"
    advice = f"run: python tools/generate.py animation && python tools/execute.py {notebook}"
    assert animation.is_current(), advice


def test_changed_word_outdates_stored_pictures(monkeypatch):
    english, spanish = map(animation.story_page.story_words().get, ("en", "es"))
    changed = {**spanish, "words": spanish["words"].replace("gato", "pato")}
    assert changed != spanish
    monkeypatch.setattr(animation.story_page, "story_words", lambda: {"en": english, "es": changed})
    assert not animation.is_current()


def test_changed_drawing_is_different_picture():
    still = (animation.STILLS / "wedge-es.png").read_bytes()
    assert animation.show_same(still, still)
    changed, encoded = Image.open(io.BytesIO(still)).convert("RGB"), io.BytesIO()
    ImageDraw.Draw(changed).line((190, 141, 190, 121), "#b35900", 3)  # one hand of a clock
    changed.save(encoded, "PNG")
    assert not animation.show_same(still, encoded.getvalue())


def test_different_picture_outdates_stored_pictures(monkeypatch, tmp_path):
    monkeypatch.setattr(animation, "IMAGES", tmp_path)
    assert not animation.is_current()
    for path in (generate.REPOSITORY / "images").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert animation.is_current()
    with (tmp_path / "scene-en.gif").open("ab") as picture:
        picture.write(b"0")
    assert not animation.is_current()


@pytest.fixture
def step(monkeypatch, tmp_path):
    """Step with an outdated file, a current file, and a file that is no longer generated."""
    current, outdated, former = (tmp_path / name for name in ("current", "outdated", "former"))
    for path in (current, outdated, former):
        path.write_text("1\n2\n")
    made = {current: "1\n2\n", outdated: "1\n3\n"}
    module = SimpleNamespace(files=lambda: made, stored_files=lambda: [*tmp_path.glob("former")])
    monkeypatch.setattr(generate, "REPOSITORY", tmp_path)
    monkeypatch.setattr(generate, "STEPS", {"sample": generate.Step("sample", "two", "none")})
    monkeypatch.setattr(generate, "import_module", lambda name: module)
    return tmp_path


def run(*arguments: str) -> int:
    return generate.main([*arguments])


def test_check_reports_without_writing(step, capsys):
    assert run("--check") == 1
    shown = capsys.readouterr().out
    assert "-2" in shown and "+3" in shown and "run: python tools/generate.py" in shown
    assert (step / "outdated").read_text() == "1\n2\n" and (step / "former").exists()


def test_second_run_changes_nothing(step, capsys):
    assert run() == 0
    assert (step / "outdated").read_text() == "1\n3\n" and not (step / "former").exists()
    capsys.readouterr()
    assert run("--check") == 0 and "sample: 0 files" in capsys.readouterr().out


def test_failure_of_step_is_reported(step, monkeypatch, capsys):
    def fail(name):
        raise ValueError("13_new.ipynb: the first cell must state the minutes in 'en'.")

    monkeypatch.setattr(generate, "outdated_files", fail)
    assert run() == 1
    assert "sample: FAILED, nothing written: 13_new.ipynb" in capsys.readouterr().out


def test_unknown_step_is_rejected(capsys):
    with pytest.raises(SystemExit):
        run("labels")
    assert "STEP must be one of bundles, labs, glossary" in capsys.readouterr().err


def test_last_digits_of_numbers_are_no_difference():
    stored = b'{"a": [0.1, 1, "x"]}'
    assert generate.same_numbers(stored, b'{"a": [0.1000000001, 1, "x"]}')
    for other in (b'{"a": [0.1001, 1, "x"]}', b'{"a": [0.1, 1, "y"]}', b'{"a": [0.1, 1]}'):
        assert not generate.same_numbers(stored, other)
