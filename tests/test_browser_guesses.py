"""A guess made in the picture before the answer shows, in a real JupyterLab."""

import pytest
from checks.lesson_pages import Explorer, light_only, write_notebook

from course_utils.explorers import binary_explorer, word_share_explorer

try:
    from playwright.sync_api import expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser"]


@pytest.fixture
def asked(own_copy, tmp_path) -> Explorer:
    imports = "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()"
    lesson = own_copy(write_notebook(tmp_path, imports, "word_share_explorer()"))
    lesson.run("all")
    explorer = lesson.explorer(0)
    expect(explorer.box.locator(".course-guess")).to_be_visible()
    lesson.end_kernel()
    return explorer


def what_it_shows(explorer: Explorer) -> str:
    return explorer.box.locator("figure").inner_html()


def line_at(explorer: Explorer) -> float:
    return float(explorer.box.locator("line[stroke-dasharray]").get_attribute("x1"))


def test_nothing_tells_until_a_guess_is_given_by_keys_alone(asked: Explorer) -> None:
    scene = word_share_explorer().scene
    readout, keyboard = scene.said(5)["en"], asked.page.keyboard
    covered = what_it_shows(asked)
    assert readout not in covered and "<path" not in covered and "<circle" not in covered
    assert scene.alt["en"] not in covered
    slider = asked.box.get_by_role("slider", name="At which position does the word’s length")
    slider.focus()
    before = line_at(asked)
    keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(scene.guess.start - 1))
    assert line_at(asked) < before
    keyboard.press("Tab")
    keyboard.press("Enter")
    told = asked.box.locator(".course-guess")
    expect(told).to_contain_text(f"You said {scene.guess.start - 1}.")
    expect(told).to_be_focused()
    asked.says(scene.said(scene.guess.answer)["en"])
    assert "<path" in what_it_shows(asked) and scene.alt["en"] in what_it_shows(asked)
    assert line_at(asked) < before


@light_only
def test_a_pointer_in_the_picture_sets_the_guess_and_afterwards_the_position(asked: Explorer):
    box = asked.picture.bounding_box()
    asked.picture.click(position={"x": box["width"] * 0.1, "y": box["height"] / 2})
    slider = asked.box.locator(".course-guess input")
    guessed = int(slider.input_value())
    assert guessed < word_share_explorer().scene.guess.start
    asked.box.locator(".course-guess button").click()
    asked.picture.click(position={"x": box["width"] * 0.4, "y": box["height"] / 2})
    expect(asked.box.locator(".course-guess")).to_contain_text(f"You said {guessed}.")
    assert int(asked.handle.input_value()) > guessed


@light_only
def test_the_question_is_that_of_the_parameters_as_they_are(own_copy, tmp_path) -> None:
    imports = "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()"
    later = "import asyncio\n\nasync def later():\n    await asyncio.sleep(3)\n    "
    later += "explorer.parameters['d_model'].value += 1\n\nasyncio.ensure_future(later());"
    cells = "explorer = binary_explorer()\nexplorer", later
    lesson = own_copy(write_notebook(tmp_path, imports, *cells))
    lesson.run("all")
    explorer, python = lesson.explorer(0), binary_explorer()
    asked = explorer.box.locator(".course-guess label")
    expect(asked).to_contain_text(python.scene.guess.question["en"])
    python.parameters["d_model"].value += 1
    expect(asked).to_contain_text(python.scene.guess.question["en"])
