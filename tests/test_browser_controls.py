"""What moves an explorer in its lesson: keys, drags, sliders and buttons, as a reader uses them."""

import math

import pytest
from checks.lesson_pages import light_only

try:
    from playwright.sync_api import expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser"]


def position_in_bits(position: int) -> str:
    return f"{position} is {position:06b} in binary."


def position_in_waves(position: int) -> str:
    values = [
        wave(position / 10_000 ** (2 * pair / 16))
        for pair in range(3)
        for wave in (math.sin, math.cos)
    ]
    written = ", ".join(f"{value:.3f}" for value in values)
    return f"Position {position}, dimensions 0 to 5: {written}."


# In each lesson the explorer whose picture runs over positions, and what it says of one.
TABLES = {"03": (0, position_in_bits), "04": (2, position_in_waves)}


@pytest.fixture(params=TABLES)
def table(window, request):
    number, words = TABLES[request.param]
    lesson = window.shared_lesson(request.param)
    lesson.choose("en")
    return lesson, lesson.explorer(number), words


def test_keys_move_the_mark_and_the_read_out_and_nothing_of_jupyterlab(table):
    lesson, explorer, words = table
    explorer.press("End")
    last = explorer.mark_at()
    explorer.says(words(49))
    explorer.press("Home")
    first = explorer.mark_at()
    explorer.says(words(0))
    before = lesson.state()
    for key, position in [
        ("ArrowRight", 1),
        ("ArrowUp", 2),
        ("PageUp", 7),
        ("ArrowLeft", 6),
        ("ArrowDown", 5),
    ]:
        explorer.press(key)
        explorer.says(words(position))
        assert explorer.mark_at() == pytest.approx(first + (last - first) * position / 49, abs=1)
    assert lesson.state() == before
    expect(explorer.handle).to_be_focused()


def test_dragging_the_slider_moves_the_mark_and_the_read_out(table):
    lesson, explorer, words = table
    explorer.press("Home")
    before = explorer.mark_at()
    box = explorer.handle.bounding_box()
    x, y = box["x"] + 8, box["y"] + box["height"] / 2
    explorer.page.mouse.move(x, y)
    explorer.page.mouse.down()
    explorer.page.mouse.move(x + 90, y, steps=6)
    explorer.page.mouse.up()
    position = int(explorer.handle.input_value())
    assert position > 2
    explorer.says(words(position))
    assert explorer.mark_at() > before


def test_dragging_in_the_picture_moves_the_position_and_keys_go_on_from_there(table):
    lesson, explorer, words = table
    explorer.press("End")
    last = explorer.mark_at()
    explorer.press("Home")
    first = explorer.mark_at()
    box = explorer.picture.bounding_box()
    y = box["y"] + box["height"] / 3
    mouse = explorer.page.mouse
    mouse.move(first + (last - first) * 10 / 49, y)
    mouse.down()
    explorer.says(words(10))
    mouse.move(first + (last - first) * 40 / 49, y, steps=5)
    explorer.says(words(40))
    mouse.move(last + 2000, y)
    explorer.says(words(49))
    mouse.move(first + (last - first) * 30 / 49, y)
    mouse.up()
    mouse.move(first, y)
    explorer.says(words(30))
    expect(explorer.handle).to_have_value("30")
    explorer.page.keyboard.press("ArrowRight")
    explorer.says(words(31))


WATCH = """stage => {
    const output = stage.closest('.jp-OutputArea-output');
    const scroller = stage.closest('.jp-WindowedPanel-outer');
    const seen = window.seen = {heights: [], scrolls: [], unpainted: 0, pictures: [], stop: false};
    const look = () => {
        const map = stage.querySelector('canvas');
        const pixels = map?.getContext('2d').getImageData(0, 0, map.width, 1).data;
        if (!pixels?.some((part, i) => i % 4 === 3 && part)) seen.unpainted += 1;
        for (const [list, value] of [
            [seen.heights, output.offsetHeight],
            [seen.scrolls, scroller.scrollTop],
            [seen.pictures, map?.width],
        ]) if (!list.includes(value)) list.push(value);
        if (!seen.stop) requestAnimationFrame(look);
    };
    look();
}"""


def test_a_parameter_changes_the_picture_without_flicker_or_jump(window):
    lesson = window.shared_lesson("04")
    lesson.choose("en")
    explorer = lesson.explorer(2)
    picture = explorer.box.locator(".course-unseen")
    explorer.open()
    positions = explorer.box.locator(".course-n_positions input")
    positions.focus()
    before = lesson.state()
    explorer.picture.evaluate(WATCH)
    for key, number in [("ArrowRight", 51), ("PageDown", 38), ("End", 128), ("Home", 2)]:
        explorer.page.keyboard.press(key)
        expect(picture).to_contain_text(f"{number} positions by the first 16 of 16 dimensions")
    seen = explorer.page.evaluate("window.seen.stop = true, window.seen")
    assert lesson.state() == before
    assert len(seen["pictures"]) >= 5
    assert len(seen["heights"]) == len(seen["scrolls"]) == 1, seen
    assert seen["unpainted"] == 0
    explorer.says("Position 1, dimensions 0 to 5: 0.841, 0.540,")

    explorer.box.get_by_role("button", name="50 × 16").click()
    expect(picture).to_contain_text("50 positions by the first 16 of 16 dimensions")
    expect(explorer.handle).to_have_attribute("max", "49")


@light_only
def test_end_goes_to_the_last_position_also_after_there_are_more(window):
    lesson = window.shared_lesson("04")
    lesson.choose("en")
    explorer = lesson.explorer(2)
    explorer.open()
    explorer.box.locator(".course-n_positions input").focus()
    explorer.page.keyboard.press("End")
    expect(explorer.handle).to_have_attribute("max", "127")
    explorer.press("End")
    explorer.says("Position 127, dimensions 0 to 5")
    expect(explorer.handle).to_have_value("127")
    explorer.box.locator(".course-presets button").first.click()
    explorer.says("Position 49, dimensions 0 to 5")


@light_only
def test_pictures_are_painted_after_scrolling_away_and_back(lesson):
    boxes = lesson.notebook.locator(".course-explorer-box")
    explorers = [lesson.explorer(i) for i in range(boxes.count())]
    for explorer in [*explorers, *reversed(explorers)]:
        explorer.box.scroll_into_view_if_needed()
        assert explorer.is_painted()


@light_only
def test_the_head_that_looks_back_follows_encoding_and_k(later_lesson):
    lesson = later_lesson("07")
    lesson.choose("en")
    explorer = lesson.explorer(1)
    explorer.says("it should look at 19. Right for 100 % of the queries.")
    explorer.open()
    explorer.box.get_by_role("combobox").first.select_option(label="binary")
    explorer.says("Right for 38 % of the queries.")
    explorer.box.get_by_role("slider", name="steps back").focus()
    explorer.page.keyboard.press("ArrowRight")
    explorer.says("it should look at 18. Right for 39 % of the queries.")
    explorer.press("ArrowRight")
    explorer.says("Query 21 looks at")
