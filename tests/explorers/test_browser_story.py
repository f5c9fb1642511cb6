"""The scene in a browser: taken hold of by mouse, finger and keys; on pages and in JupyterLab."""

import math

import pytest
from checks import web

pytest_plugins = ["checks.browser", "checks.visits"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCENE = "document.querySelector('.course-story').courseStory"
AT_REST = f"() => {SCENE}?.place && {SCENE}.intro === 0 && !{SCENE}.frame && !{SCENE}.journey"
ORDER = f"""{SCENE}.words.toSorted((a, b) => a.slot - b.slot)
    .map((each) => each.text).join(' ')"""
STAND = f"""{SCENE}.words.map((word) => word.button.getBoundingClientRect())
    .map(({{ x, y }}) => [Math.round(x), Math.round(y)])"""


class Scene:
    """The scene on a page that a test looks at."""

    def __init__(self, page) -> None:
        self.page = page
        page.wait_for_function(AT_REST)

    def get(self, what: str) -> object:
        return self.page.evaluate(f"{SCENE}.{what}")

    def go(self, chapter: float) -> None:
        self.page.evaluate(f"{SCENE}.travel({chapter}, 0)")
        self.page.wait_for_function(f"() => Math.abs({SCENE}.t - {chapter}) < 1e-3")
        self.rest()

    def rest(self) -> None:
        self.page.wait_for_function(AT_REST)

    def word(self, number: int):
        return self.page.locator(".story-words button").nth(number)

    @property
    def caption(self) -> str:
        return self.page.locator(".story-caption").inner_text()

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=8)
        self.page.mouse.up()
        self.rest()

    def swipe(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        client = self.page.context.new_cdp_session(self.page)
        steps = [[a + (b - a) * i / 12 for a, b in zip(start, end, strict=True)] for i in range(13)]
        for number, (x, y) in enumerate(steps):
            kind = "touchMove" if number else "touchStart"
            touched = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            client.send("Input.dispatchTouchEvent", touched)
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.rest()


def middle(box: dict[str, float]) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture(scope="module")
def wide(long_visit):
    return Scene(long_visit("en/index.html").page)


@pytest.fixture
def scene(wide):
    wide.page.evaluate(f"{SCENE}.speak('en')")
    wide.go(0)
    return wide


def test_a_word_dragged_in_the_bag_leaves_its_ghost_and_moves_no_other(scene):
    before = scene.page.evaluate(STAND)
    x, y = middle(scene.word(1).bounding_box())
    scene.drag((x, y), (x - 80, y - 40))
    after = scene.page.evaluate(STAND)
    assert after[1] == [before[1][0] - 80, before[1][1] - 40]
    assert after[:1] + after[2:] == before[:1] + before[2:]
    assert scene.get("ghost.word.text") == "dog"
    assert "as thick as before" in scene.caption


# Of each two words the thickness of their line as it is painted, and of those to the ghost.
LINES = f"""(() => {{
    const story = {SCENE}, {{ pen }} = story, {{ words, place: {{ bag }} }} = story, lines = {{}};
    const spots = words.map(({{ x, y }}) => [bag.left + x * bag.width, bag.top + y * bag.height]);
    const at = ([x, y]) => spots.findIndex(([a, b]) => Math.hypot(a - x, b - y) < 0.01);
    pen.line = (...points) => {{
        if (points.length === 2) lines[points.map(at).sort()] = pen.c.lineWidth;
        Object.getPrototypeOf(pen).line.apply(pen, points);
    }};
    story.paint();
    delete pen.line;
    return lines;
}})()"""


@pytest.mark.parametrize("number", [1, 4])
def test_in_the_bag_every_line_is_as_thick_while_a_word_is_held_and_afterwards(scene, number):
    page = scene.page
    page.evaluate(f"{SCENE}.speak('en')")
    page.mouse.move(2, 2)
    before = page.evaluate(LINES)
    assert len(before) == 45 and max(before.values()) > 5 * min(before.values())
    x, y = middle(scene.word(number).bounding_box())
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 40, steps=4)
    held = page.evaluate(LINES)
    page.mouse.up()
    ghost = {line: thick for line, thick in held.items() if "-1" in line}
    other = {line: thick for line, thick in held.items() if "-1" not in line}
    assert other == pytest.approx(before)
    its = [thick for line, thick in before.items() if str(number) in line.split(",")]
    assert sorted(ghost.values()) == pytest.approx(sorted(its))
    assert page.evaluate(LINES) == pytest.approx(held)


def test_in_the_row_a_word_takes_another_place_and_the_mark_stays(scene):
    scene.go(2)
    one, two = (middle(scene.word(number).bounding_box()) for number in (1, 4))
    scene.drag(one, two)
    assert scene.page.evaluate(ORDER) == "the bit the man dog and he bit it back"
    assert scene.get("first") == 27
    assert "another mark" in scene.caption


def test_keys_move_words_turn_chapters_and_draw_the_line(scene):
    page = scene.page
    scene.word(3).focus()
    page.keyboard.press("ArrowRight")
    assert scene.get("words[3].x") == pytest.approx(0.86)
    page.locator(".story-line").focus()
    page.keyboard.press("End")
    page.wait_for_function(f"() => {SCENE}.t === 8")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"() => {SCENE}.t === 7")
    scene.go(4)
    scene.word(3).focus()
    page.keyboard.press("ArrowLeft")
    assert scene.page.evaluate(ORDER).startswith("the dog the bit")
    page.locator(".story-grip").focus()
    for key in ("PageUp", "ArrowRight"):
        page.keyboard.press(key)
    page.wait_for_function(f"() => {SCENE}.first === 11")
    assert page.locator(".story-grip").get_attribute("aria-valuenow") == "11"


def test_the_timeline_is_dragged_and_rests_on_a_chapter(scene):
    box = scene.page.locator(".story-line").bounding_box()
    y = box["y"] + 10
    scene.drag((box["x"] + box["width"] / 18, y), (box["x"] + box["width"] * 7.1 / 18, y))
    scene.page.wait_for_function(f"() => {SCENE}.t === 3")
    assert "waves" in scene.caption
    scene.page.get_by_role("button", name="Next").click()
    scene.page.wait_for_function(f"() => {SCENE}.t === 4")


def test_drawing_the_line_turns_all_hands_and_no_sum(scene):
    scene.go(5)
    said = scene.page.locator(".story-unseen").first
    said.filter(has_text="sum 2.72").wait_for(state="attached")
    x, y = middle(scene.page.locator(".story-grip").bounding_box())
    scene.drag((x + 200, y + 60), (x - 200, y + 60))
    assert scene.get("first") >= 8
    scene.page.wait_for_timeout(500)
    assert "sum 2.72" in said.inner_text()


def test_the_marked_letter_is_one_at_which_clock_4_points_where_it_never_did(scene):
    scene.go(7)
    assert scene.get("marked") > 64
    angle = scene.get("marked") * 10**-1.5 % (2 * math.pi)
    assert angle > 62 * 10**-1.5 + 0.5
    assert scene.page.evaluate(f"{SCENE}.reading.text[{SCENE}.marked]") != " "


def test_a_letter_that_is_tapped_stays_marked_until_another_one_is(visit):
    scene = Scene(visit("en/index.html", **PHONE).page)
    scene.go(7)
    box = scene.page.locator(".story-grip").bounding_box()
    first = scene.get("marked")
    for letter in (100, 20):
        x, y = scene.get(f"place.letterAt({letter})")
        scene.page.touchscreen.tap(box["x"] + x, box["y"] + y)
        scene.rest()
        assert scene.get("marked") == letter
    scene.page.touchscreen.tap(box["x"] + 5, box["y"] + 2)  # beside the text
    assert scene.get("marked") == first


def test_a_mouse_looks_at_letters_and_a_click_stays(scene):
    scene.go(7)
    box, mouse = scene.page.locator(".story-grip").bounding_box(), scene.page.mouse
    (a, b), (x, y) = scene.get("place.letterAt(100)"), scene.get("place.letterAt(200)")
    mouse.move(box["x"] + a, box["y"] + b)
    assert scene.get("marked") == 100
    mouse.down()
    mouse.up()
    mouse.move(box["x"] + x, box["y"] + y)
    assert scene.get("marked") == 200
    mouse.move(2, 2)
    assert scene.get("marked") == 100
    scene.page.locator(".story-grip").focus()
    scene.page.keyboard.press("ArrowRight")
    assert scene.get("marked") == 101


def test_the_model_reads_the_words_in_their_own_order(scene):
    scene.go(6)
    scene.word(1).focus()
    scene.page.keyboard.press("ArrowRight")
    assert scene.page.evaluate(ORDER).startswith("the bit dog")
    scene.go(7)
    assert scene.get("reading.text").startswith("the dog bit the man")
    scene.page.evaluate(f"{SCENE}.speak('en')")


def test_of_eight_clocks_the_one_that_the_data_blame_heals_the_text(scene):
    scene.go(8)
    scene.page.wait_for_function(f"() => {SCENE}.blame")
    blamed = scene.get("blame.clock")
    other = (blamed + 3) % 8
    switches = scene.page.locator(".story-clocks button")
    switches.nth(other).click()
    assert "Which clock" in scene.caption and "Still" in scene.caption
    switches.nth(other).click()
    switches.nth(blamed).click()
    assert f"It was clock {blamed + 1}." in scene.caption
    scene.page.wait_for_function(f"() => !{SCENE}.before")
    beyond = float(scene.page.locator(".story-bits b").nth(1).inner_text())
    assert beyond == pytest.approx(scene.get("blame.left"), abs=0.06)


COUNT_FRAMES = """() => new Promise((done) => {
    let frames = 0;
    const ask = window.requestAnimationFrame;
    window.requestAnimationFrame = (draw) => { frames += 1; return ask(draw); };
    setTimeout(() => { window.requestAnimationFrame = ask; done(frames); }, 1000);
})"""


@pytest.mark.parametrize("chapter", [0, 3, 6, 8])
def test_nothing_moves_when_nobody_does(scene, chapter):
    scene.go(chapter)
    scene.page.wait_for_timeout(300)
    assert scene.page.evaluate(COUNT_FRAMES) == 0


def test_less_motion_makes_stills_of_the_chapters(visit):
    scene = Scene(visit("es/index.html", reduced_motion="reduce").page)
    seen = scene.page.evaluate(f"""async () => {{
        const story = {SCENE}, seen = new Set();
        story.travel(4, 1);
        for (let i = 0; i < 20; i++) {{
            seen.add(story.t);
            await new Promise(requestAnimationFrame);
        }}
        return [...seen];
    }}""")
    assert seen == [0, 4]


@pytest.mark.parametrize("width", [1280, 390])
def test_place_30_is_three_drags_away(visit, width):
    size = {"width": width, "height": 844}
    scene = Scene(visit("en/index.html", viewport=size).page)
    scene.go(1)
    box = scene.page.locator(".story-grip").bounding_box()
    y = box["y"] + box["height"] * 0.6
    for _ in range(3):
        scene.drag((box["x"] + box["width"] - 12, y), (box["x"] + 12, y))
    last = scene.get("first") + 9
    assert last >= 30


def test_a_frame_in_which_no_time_has_passed_does_not_stop_the_scene_on_its_way(scene):
    scene.page.evaluate(f"() => {{ {SCENE}.last = performance.now() + 300; }}")
    scene.go(3)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_tap_on_the_triangle_at_an_end_of_the_line_goes_one_place_on(visit, width):
    scene = Scene(visit("en/index.html", viewport={"width": width, "height": 844}).page)
    scene.go(4)
    box = scene.page.locator(".story-grip").bounding_box()
    content = scene.get("place.content")
    y = box["y"] + scene.get("place.rule") + 20
    first = scene.get("first")
    for side, wanted in ((1, first + 1), (1, first + 2), (-1, first + 1)):
        scene.page.mouse.click(middle(box)[0] + side * content / 2, y)
        scene.rest()
        assert scene.get("first") == wanted


def test_a_finger_draws_the_line_sideways_and_scrolls_the_page_up_and_down(visit):
    scene = Scene(visit("en/index.html", **PHONE).page)
    scene.go(4)
    x, y = middle(scene.page.locator(".story-grip").bounding_box())
    scene.swipe((x + 120, y + 90), (x - 60, y + 92))
    first = scene.get("first")
    assert first > 3 and scene.page.evaluate("scrollY") == 0
    scene.swipe((x, y + 90), (x + 2, y - 160))
    assert scene.page.evaluate("scrollY") > 100 and scene.get("first") == first


def test_its_colours_turn_with_the_theme_and_follow_forced_ones(scene):
    page = scene.page
    word = "() => document.querySelector('.course-story').courseStory.pen.colors.word"
    light = page.evaluate(word)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => ({word})() !== '{light}'")
    page.emulate_media(color_scheme="light", forced_colors="active")
    page.wait_for_function(f"() => ({word})() !== '{light}'")
    page.emulate_media(forced_colors="none")
    page.wait_for_function(f"() => ({word})() === '{light}'")


# Beside its paragraphs. ---------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "phone"])
def test_reading_on_turns_the_chapter_that_stands_beside_the_paragraph(visit, options):
    scene = Scene(visit("es/ten_minutes.html", **options).page)
    sections = scene.page.locator("[data-chapter]")
    assert sections.count() == 9
    for chapter in (0, 3, 8):
        scene.go(chapter)
        top = sections.nth(chapter).locator("h2").bounding_box()["y"]
        assert 0 < top < scene.page.viewport_size["height"] * 0.8
        box = scene.page.locator(".scene").bounding_box()
        assert box["y"] < scene.page.viewport_size["height"] / 2


def test_without_javascript_each_chapter_of_the_ten_minutes_is_a_picture(site):
    page = web.read(site / "es" / "ten_minutes.html")
    pictures = page.select("[data-chapter] img")
    assert len(pictures) == 9
    assert len({each["alt"] for each in pictures}) == 9


# In JupyterLab. -----------------------------------------------------------------------------------


def test_in_jupyterlab_the_model_reads_and_the_words_follow_the_switch(run_cells):
    lesson = run_cells('from course_utils import story_explorer\n\nstory_explorer("blame")')
    scene = lesson.notebook.locator(".course-story")
    numbers = scene.locator(".story-bits b")
    numbers.first.filter(has_text=".").wait_for()
    assert float(numbers.nth(0).inner_text()) < float(numbers.nth(1).inner_text())
    lesson.choose("es")
    scene.locator("h2").filter(has_text="reloj").wait_for()


FADING = """new Promise((done) => new MutationObserver(() => setTimeout(() =>
    done(document.querySelector('.course-story').getAnimations({ subtree: true }).length)
)).observe(document.documentElement, { attributeFilter: ["data-theme"] }))"""


def test_where_the_page_turns_dark_no_colour_is_on_its_way(scene) -> None:
    """Half way from one to the other, letters could not be told from their ground."""
    page = scene.page
    page.evaluate(f"() => {{ window.fading = {FADING} }}")  # without waiting for it
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("fading") == 0
    page.emulate_media(color_scheme="light")


def test_where_no_script_runs_each_chapter_has_its_still(browser, site) -> None:
    context = browser.new_context(java_script_enabled=False, **PHONE)
    page = context.new_page()
    page.goto((site / "en" / "ten_minutes.html").as_uri())
    stills = page.locator(".still img")
    assert stills.count() == 9 and all(each.is_visible() for each in stills.all())
    assert not page.locator(".scene").is_visible()
    context.close()
