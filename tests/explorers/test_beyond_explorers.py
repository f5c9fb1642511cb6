"""Tests of the explorers of squares, fields and time, in a browser and against NumPy."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from checks.bare_page import Page, showing
from checks.fingers import swipe
from checks.if_installed import Locator, expect
from checks.javascript import running

from course_utils import fields_explorer, patches_explorer, time_explorer
from course_utils.explorers.fields import fields
from course_utils.explorers.patches import patches
from course_utils.explorers.time import time as moments
from course_utils.fields import NeuralField, drawn_picture, pixel_centres, seen_pixels
from course_utils.fields import typical_error as error

pytest_plugins = ["checks.browser"]

LONGEST_WAIT = 120_000  # milliseconds; other tests may be using the processor
SAYS = ".course-readout [lang=en]"

Ask = Callable[[str, object], object]


def module_of(package: object, name: str) -> str:
    (path,) = Path(package.__file__).parent.rglob(f"{name}.js")
    return f'import * as {name} from "{path.as_uri()}";\n'


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with running(module_of(patches, "grid") + module_of(fields, "fields") + "let kept;\n") as ask:
        yield ask


# Squares


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("grid", [patches.TRAINED, patches.LARGER])
@pytest.mark.parametrize("encoding", patches.ENCODINGS)
def test_squares_have_numpy_vectors(ask: Ask, encoding, grid, exchanged):
    given = [encoding, dict(zip(("rows", "columns"), grid, strict=True)), exchanged]
    vectors = patches.patch_vectors(encoding, grid, exchanged)
    np.testing.assert_allclose(ask("grid.patchVectors(...given)", given), vectors, atol=1e-9)
    low = (vectors @ vectors.T).min()
    assert ask("grid.lowest(grid.patchVectors(...given))", given) == pytest.approx(low)
    similar = vectors @ vectors.T - 2 * np.eye(len(vectors))
    for square in (0, 20, len(vectors) - 1):
        row, column = divmod(square, grid[1])
        call = f"grid.compared(grid.patchVectors(...given), given[1], {row}, {column})"
        found = ask(call, given)
        best = found["best"]["row"] * grid[1] + found["best"]["column"]
        assert similar[square, best] == pytest.approx(similar[square].max())
        assert found["beside"] == pytest.approx(similar[square, square + found["across"]])
        assert found["under"] == pytest.approx(similar[square, square + found["down"] * grid[1]])


def test_grids_of_both_languages_are_equal(ask: Ask):
    grids = [
        {"rows": rows, "columns": columns} for rows, columns in (patches.TRAINED, patches.LARGER)
    ]
    assert ask("[grid.TRAINED, grid.LARGER, grid.D_MODEL]", None) == [*grids, patches.D_MODEL]


def test_exchanged_squares_are_listed_down_columns():
    rows, columns = patches.TRAINED
    right = patches.patch_vectors("added", patches.TRAINED, False)
    wrong = patches.patch_vectors("added", patches.TRAINED, True)
    for square in range(rows * columns):
        column, row = divmod(square, rows)
        assert np.array_equal(wrong[square], right[row * columns + column])


# The field


def test_field_on_page_matches_numpy_training(ask: Ask):
    settings = {"waves": 5, "fastest": 8, "seed": 3}
    levels = drawn_picture("rings", fields.SIZE).ravel()
    measured = ask(
        """(kept = new fields.Lesson({ ...given[0], levels: given[1] }),
            Array.from({ length: 25 }, () => kept.step()),
            kept.change({ waves: 8, fastest: 4 }),
            Array.from({ length: 5 }, () => kept.step()),
            kept.measure(), kept.errors.at(-1))""",
        [settings, [*levels]],
    )
    points, seen = pixel_centres(fields.SIZE), seen_pixels(fields.SIZE)
    field = NeuralField(5, 8, seed=3)
    field.train(points[seen], levels[seen], 25)
    field.n_waves, field.fastest = 8, 4
    field.train(points[seen], levels[seen], 5)
    answers = field.predict(points)
    assert measured["step"] == 30
    assert measured["seen"] == pytest.approx(error(levels[seen], answers[seen]), rel=1e-6)
    assert measured["unseen"] == pytest.approx(error(levels[~seen], answers[~seen]), rel=1e-6)


# In a browser


@pytest.fixture(scope="module")
def page(browser) -> Iterator[Page]:
    views = [each().widget for each in (patches_explorer, fields_explorer, time_explorer)]
    with showing(browser, *views) as page:
        page.choose("en")
        yield page
        assert page.complaints() == []


@pytest.fixture
def squares(page: Page) -> "Locator":
    return page.notebook.locator(".course-patches")


@pytest.fixture
def field(page: Page) -> "Locator":
    box = page.notebook.locator(".course-fields")
    press(box, "Start over")
    expect(box.locator(SAYS)).to_contain_text("has learned nothing yet")
    return box


def press(box: "Locator", name: str) -> None:
    box.get_by_role("button", name=name, exact=True).click()


def test_squares_are_chosen_by_click_or_keys(page: Page, squares):
    squares.get_by_role("gridcell", name="row 4, column 2").click()
    expect(squares.locator(SAYS)).to_contain_text("in row 4, column 2")
    chosen = squares.get_by_role("gridcell", selected=True)
    expect(chosen).to_be_focused()
    for key in ("ArrowUp", "ArrowRight", "ArrowRight"):
        page.page.keyboard.press(key)
    expect(squares.locator(SAYS)).to_contain_text("in row 3, column 4")
    page.page.keyboard.press("End")
    expect(chosen).to_have_attribute("data-column", "8")
    expect(squares.locator(SAYS)).to_contain_text("on the left")
    page.settle()
    view = page._cells[1]
    assert (view.row, view.column) == (3, 8)


def test_finger_chooses_squares_unless_it_scrolls(page: Page, squares):
    def touched(name: str, *way: float) -> None:
        square = squares.get_by_role("gridcell", name=name)
        square.scroll_into_view_if_needed()
        place = square.bounding_box()
        swipe(page.page, place["x"] + place["width"] / 2, place["y"] + place["height"] / 2, *way)

    touched("row 1, column 1")
    expect(squares.locator(SAYS)).to_contain_text("in row 1, column 1")
    touched("row 4, column 6", 2, -90)
    expect(squares.locator(SAYS)).to_contain_text("in row 1, column 1")
    wide = squares.get_by_role("gridcell").first.bounding_box()["width"]
    touched("row 4, column 2", 3 * wide, 4)
    expect(squares.locator(SAYS)).to_contain_text("in row 4, column 5")


STATES = {
    ".course-patches": {
        "encoding": "rope", "larger": "true", "exchanged": "true", "row": "9", "column": "2",
    },
    ".course-fields": {"waves": "3", "fastest": "4", "picture": "rings", "drawing": ""},
}  # fmt: skip
HAS_STATE = "box => box.closest('.output').firstElementChild.courseExplorer.state"


@pytest.mark.parametrize("box", STATES)
def test_state_of_view_can_be_restored(page: Page, box):
    view = page.notebook.locator(box)
    before = view.evaluate(HAS_STATE)
    set_to = f"(box, state) => ({HAS_STATE.removeprefix('box => ')} = state)"
    view.evaluate(set_to, STATES[box])
    assert view.evaluate(HAS_STATE) == STATES[box]
    nonsense = {"encoding": "no", "picture": "no", "row": "x", "waves": "99"}
    view.evaluate(set_to, nonsense)
    assert view.evaluate(HAS_STATE) == STATES[box]
    view.evaluate(set_to, before)


def test_exchanged_axes_scatter_similar_squares(squares):
    squares.get_by_role("gridcell", name="row 2, column 3").click()
    box = squares.get_by_role("checkbox")
    box.check()
    expect(squares.locator(SAYS)).to_contain_text("0.74 with the square below")
    box.uncheck()
    expect(squares.locator(SAYS)).to_contain_text("0.97 with the square below")
    squares.get_by_role("combobox", name="picture").select_option("larger")
    expect(squares.get_by_role("gridcell")).to_have_count(150)
    squares.get_by_role("combobox", name="picture").select_option("trained")
    expect(squares.get_by_role("gridcell")).to_have_count(54)


def test_changing_waves_pauses_training(field):
    for step in (1, 2):
        press(field, "One step")
        expect(field.locator(SAYS)).to_contain_text(f"After {step} steps")
    press(field, "Start")
    field.get_by_role("slider", name="waves for each axis").fill("6")
    expect(field.get_by_role("button", name="Pause")).to_be_visible()
    expect(field.locator(SAYS)).to_contain_text("with 6 waves")
    field.get_by_role("slider", name="fastest wave").fill("5")
    expect(field.locator(SAYS)).to_contain_text("32 turns")
    press(field, "Pause")
    steps = int(re.search(r"After (\d+)", field.locator(SAYS).inner_text())[1])
    assert 2 < steps < fields.RUN
    field.get_by_role("slider", name="fastest wave").fill("3")
    field.get_by_role("slider", name="waves for each axis").fill("0")


def test_run_ends_with_numpy_errors(field):
    press(field, "Start")
    status = field.get_by_role("status")
    expect(status).to_contain_text(f"After {fields.RUN} steps", timeout=LONGEST_WAIT)
    points, seen = pixel_centres(fields.SIZE), seen_pixels(fields.SIZE)
    levels, network = drawn_picture("clock").ravel(), NeuralField(0, 8)
    network.train(points[seen], levels[seen], fields.RUN)
    answers = network.predict(points)
    shares = [f"{error(levels[each], answers[each]):.0%}" for each in (seen, ~seen)]
    expect(status).to_contain_text(f"is {shares[0]} of the way")
    expect(status).to_contain_text(f"between these pixels it is {shares[1]}")


def test_picture_is_drawn_by_pointer_or_keys(page: Page, field):
    field.get_by_role("combobox").select_option("own")
    easel = field.locator(".course-fields-easel")
    easel.click(position={"x": 40, "y": 40})
    page.settle()
    view = page._cells[2]
    by_pointer = view.drawing
    assert by_pointer.count("ff") > 3
    for key in (" ", "ArrowRight", "ArrowRight", "ArrowDown", " ", "ArrowDown"):
        page.page.keyboard.press(key)
    page.settle()
    assert view.drawing.count("ff") > by_pointer.count("ff") + 4
    press(field, "Clear")
    page.settle()
    assert view.drawing == ""
    field.get_by_role("combobox").select_option("clock")
    expect(field.get_by_role("button", name="Clear")).to_be_hidden()


def test_time_from_zero_to_one_moves_hands_little():
    explorer = time_explorer()
    similar = {
        name: explorer.scene_for(positions=name, base=10_000).panels[-2].layers[0].values
        for name in moments.MOMENTS
    }
    assert similar["unit"].min() > 0.85
    assert similar["thousand"].min() < 0
    # Pauses are visible only if the positions are times.
    evening, morning = 5, 6
    assert similar["stamps"][evening, morning] < 0.7
    assert similar["numbers"][evening, morning] > 0.85
