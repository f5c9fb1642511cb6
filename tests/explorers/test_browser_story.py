"""Browser tests of the opening animation with mouse, touch and keyboard."""

import math

import pytest
from checks.fingers import swipe
from checks.lesson_pages import FRAMES_ASKED_FOR, TWO_FRAMES

pytest_plugins = ["checks.browser", "checks.visits"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCENE = "document.querySelector('.course-story').courseStory"
AT_REST = f"() => {SCENE}?.place && {SCENE}.intro === 0 && !{SCENE}.frame && !{SCENE}.journey"
ORDER = f"""{SCENE}.words.toSorted((a, b) => a.slot - b.slot)
    .map((each) => each.text).join(' ')"""
STAND = f"""{SCENE}.words.map((word) => word.button.getBoundingClientRect())
    .map(({{ x, y }}) => [Math.round(x), Math.round(y)])"""


class Scene:
    """The opening animation on a page."""

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

    def letter(self, number: int) -> tuple[float, float]:
        box = self.page.locator(".story-grip").bounding_box()
        x, y = self.get(f"place.letterAt({number})")
        return box["x"] + x, box["y"] + y

    @property
    def caption(self) -> str:
        return self.page.locator(".story-caption").inner_text()

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=8)
        self.page.mouse.up()
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


@pytest.fixture(scope="module")
def phone(long_visit):
    return Scene(long_visit("en/index.html", **PHONE).page)


def test_dragged_word_leaves_ghost(scene):
    stand = scene.page.evaluate(STAND)
    x, y = middle(scene.word(1).bounding_box())
    scene.drag((x, y), (x - 80, y - 40))
    after = scene.page.evaluate(STAND)
    assert after[1] == [stand[1][0] - 80, stand[1][1] - 40]
    assert after[:1] + after[2:] == stand[:1] + stand[2:]
    assert scene.get("ghost.word.text") == "dog"
    assert "as thick as before" in scene.caption


FALLING = f"() => {SCENE}?.place && {SCENE}.intro > 0.5"


def test_falling_word_follows_pointer_immediately(visit):
    page = visit("en/index.html").page
    page.wait_for_function(FALLING)
    page.evaluate(f"Object.defineProperty({SCENE}, 'intro', {{get: () => 0.6, set: () => {{}}}})")
    word = page.locator(".story-words button").nth(1)
    x, y = middle(word.bounding_box())
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 30, steps=4)
    page.evaluate(TWO_FRAMES)
    assert middle(word.bounding_box()) == pytest.approx((x + 60, y + 30), abs=1)


def test_moved_word_leaves_position_mark(scene):
    scene.go(2)
    one, two = (middle(scene.word(number).bounding_box()) for number in (1, 4))
    scene.drag(one, two)
    assert scene.page.evaluate(ORDER) == "the bit the man dog and he bit it back"
    assert scene.get("first") == 27
    assert "another position" in scene.caption


def test_keys_control_words_chapters_timeline(scene):
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


def test_dragged_timeline_rests_on_chapter(scene):
    box = scene.page.locator(".story-line").bounding_box()
    y = box["y"] + 10
    scene.drag((box["x"] + box["width"] / 18, y), (box["x"] + box["width"] * 7.1 / 18, y))
    scene.page.wait_for_function(f"() => {SCENE}.t === 3")
    assert "waves" in scene.caption
    scene.page.get_by_role("button", name="Next").click()
    scene.page.wait_for_function(f"() => {SCENE}.t === 4")


def test_model_marks_untrained_angles_of_clock_4(scene):
    scene.go(6)
    scene.word(1).focus()
    scene.page.keyboard.press("ArrowRight")
    assert scene.page.evaluate(ORDER).startswith("the bit dog")
    scene.go(7)
    assert scene.get("reading.text").startswith("the dog bit the man")
    marked = scene.get("marked")
    assert marked > 64 and scene.get(f"reading.text[{marked}]") != " "
    assert marked * 10**-1.5 % math.tau > 62 * 10**-1.5 + 0.5


def test_letter_is_marked_by_pointer_click_or_key(scene):
    scene.go(7)
    grip, mouse = scene.page.locator(".story-grip"), scene.page.mouse
    mouse.click(*scene.letter(100))
    mouse.move(*scene.letter(200))
    assert scene.get("marked") == 200
    mouse.move(2, 2)
    assert scene.get("marked") == 100
    grip.focus()
    scene.page.keyboard.press("ArrowRight")
    assert scene.get("marked") == 101


def test_tapped_letter_stays_marked(phone):
    scene = phone
    scene.go(7)
    first = scene.get("marked")
    for letter in (100, 20):
        scene.page.touchscreen.tap(*scene.letter(letter))
        scene.rest()
        assert scene.get("marked") == letter
    box = scene.page.locator(".story-grip").bounding_box()
    scene.page.touchscreen.tap(box["x"] + 5, box["y"] + 2)  # next to the text
    assert scene.get("marked") == first


def test_holding_blamed_clock_repairs_predictions(scene):
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


def test_idle_animation_stops_drawing(scene):
    for chapter in (3, 8):
        scene.page.evaluate(f"() => {{ {SCENE}.last = performance.now() + 300; }}")
        scene.go(chapter)
        scene.page.wait_for_timeout(300)
        assert scene.page.evaluate(FRAMES_ASKED_FOR) == 0


def test_reduced_motion_shows_stills_of_chapters(visit):
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


def test_phone_animation_leaves_scrolling_alone(phone):
    scene = phone
    scene.go(1)
    box = scene.page.locator(".story-grip").bounding_box()
    y = box["y"] + box["height"] * 0.6
    scene.drag((box["x"] + box["width"] - 12, y), (box["x"] + 12, y))
    assert scene.get("first") >= 7

    scene.go(4)
    x, y = middle(scene.page.locator(".story-grip").bounding_box())
    first, end = scene.get("first"), scene.get("place.content") / 2
    for side, wanted in ((1, first + 1), (-1, first)):
        # Click the triangle at one end of the line.
        scene.page.mouse.click(x + side * end, box["y"] + scene.get("place.rule") + 20)
        scene.rest()
        assert scene.get("first") == wanted

    swipe(scene.page, x + 120, y + 90, -180, 2)
    scene.rest()
    drawn = scene.get("first")
    assert drawn > first + 2 and scene.page.evaluate("scrollY") == 0
    swipe(scene.page, x, y + 90, 2, -250)
    scene.rest()
    assert scene.page.evaluate("scrollY") > 100 and scene.get("first") == drawn


FADING = """new Promise((done) => new MutationObserver(() => setTimeout(() =>
    done(document.querySelector('.course-story').getAnimations({ subtree: true }).length)
)).observe(document.documentElement, { attributeFilter: ["data-theme"] }))"""


def test_animation_colours_follow_theme(scene):
    """During a change of the theme, letters could otherwise become illegible."""
    page = scene.page
    light = scene.get("pen.colors.word")
    turned = f"() => {SCENE}.pen.colors.word !== '{light}'"
    page.evaluate(f"() => {{ window.fading = {FADING} }}")  # do not await the promise
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("fading") == 0
    page.wait_for_function(turned)
    page.emulate_media(color_scheme="light", forced_colors="active")
    page.wait_for_function(turned)
    page.emulate_media(forced_colors="none")
    page.wait_for_function(f"() => {SCENE}.pen.colors.word === '{light}'")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "phone"])
def test_scrolling_turns_chapter(visit, options):
    scene = Scene(visit("es/ten_minutes.html", **options).page)
    sections = scene.page.locator("[data-chapter]")
    assert sections.count() == 9
    for chapter in (3, 8):
        scene.go(chapter)
        top = sections.nth(chapter).locator("h2").bounding_box()["y"]
        assert 0 < top < scene.page.viewport_size["height"] * 0.8
        box = scene.page.locator(".scene").bounding_box()
        assert box["y"] < scene.page.viewport_size["height"] / 2


def test_each_chapter_has_still_image_without_scripts(browser, site) -> None:
    context = browser.new_context(java_script_enabled=False, **PHONE)
    page = context.new_page()
    page.goto((site / "es" / "ten_minutes.html").as_uri())
    stills = page.locator(".still img").all()
    assert len(stills) == len({each.get_attribute("alt") for each in stills}) == 9
    assert all(each.is_visible() for each in stills)
    assert not page.locator(".scene").is_visible()
    context.close()
