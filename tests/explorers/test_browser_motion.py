"""Browser tests of playing, animations and guesses."""

import pytest
from checks.every_explorer import EXPLORERS, moving, wait_until_idle
from checks.lesson_pages import FRAMES_ASKED_FOR, Explorer, expect

from course_utils import explorers

pytest_plugins = ["checks.browser"]

FRAMES = """([stage, ms]) => new Promise(done => {
    const seen = [];
    const start = performance.now();
    const look = now => {
        seen.push(stage.querySelector('svg').outerHTML);
        if (now - start < ms || seen.length < 6) requestAnimationFrame(look);
        else done([new Set(seen).size, seen.length]);
    };
    requestAnimationFrame(look);
})"""


def pictures_and_frames(explorer: Explorer, milliseconds: int) -> tuple[int, int]:
    """Return the numbers of different pictures and of frames within the given time."""
    stage = explorer.picture.element_handle()
    return tuple(explorer.page.evaluate(FRAMES, [stage, milliseconds]))


def is_playing(explorer: Explorer) -> bool:
    return "Pause" in explorer.play.inner_text()


STEPPED = """([input, frames]) => {
    input.value = input.max;
    const seen = eval(frames)([input.closest('figure').querySelector('.course-stage'), 500]);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    return seen;
}"""


def test_step_is_animated_then_rests(alone):
    """The test covers a step of the position, and a step of a parameter with a new scene."""
    explorer = alone(EXPLORERS["wave"]())
    explorer.open()
    for name in ("position", "step"):
        control = explorer.box.locator(f".course-{name} input")
        pictures = explorer.page.evaluate(STEPPED, [control.element_handle(), FRAMES])
        assert pictures[0] >= 3
        wait_until_idle(explorer)
        assert explorer.page.evaluate(FRAMES_ASKED_FOR) == 0
    explorer.page.emulate_media(reduced_motion="reduce")
    for name in ("position", "step"):
        before = moving(explorer)
        explorer.box.locator(f".course-{name} input").press("ArrowLeft")
        explorer.lesson.settle()
        assert pictures_and_frames(explorer, 250)[0] == 1 and moving(explorer) != before


def waves_at(per_second: int) -> explorers.Explorer:
    """Play the waves with a given number of steps per second."""
    waves = EXPLORERS["wave"]()
    play = waves.explorer["play"] | {"per_second": per_second}
    waves.explorer = waves.explorer | {"play": play}
    return waves


def test_waves_move_between_steps_of_playback(alone):
    explorer = alone(waves_at(1))
    explorer.play.click()
    assert is_playing(explorer)
    expect(explorer.box.locator(".course-step input")).to_have_value("1")
    pictures, frames = pictures_and_frames(explorer, 900)
    assert pictures > 0.7 * frames > 3


def test_playback_moves_every_frame_until_stopped(alone):
    explorer = alone(EXPLORERS["clock"]())
    keyboard, last = explorer.page.keyboard, explorer.handle.get_attribute("max")
    explorer.press("Home")
    explorer.play.press("Enter")
    pictures, frames = pictures_and_frames(explorer, 500)
    assert pictures > 0.8 * frames > 4 and is_playing(explorer)
    keyboard.press("Space")
    assert not is_playing(explorer)
    wait_until_idle(explorer)
    assert pictures_and_frames(explorer, 100)[0] == 1
    position = explorer.handle.input_value()
    assert 0 < int(position) < int(last)
    keyboard.press("Enter")
    explorer.press("PageUp")
    assert not is_playing(explorer)
    assert int(explorer.handle.input_value()) > int(position) + 1
    explorer.press("End", "ArrowLeft")
    explorer.play.click()
    expect(explorer.handle).to_have_value(last)
    expect(explorer.play).to_have_text("Play", use_inner_text=True)


def test_playback_stops_after_each_chapter(alone):
    explorer = alone(waves_at(40))
    box = explorer.box
    step, chapter = box.locator(".course-step input"), box.locator(".course-chapter")
    for end, name in [("10", "Round off"), ("20", "Slow down")]:
        explorer.play.click()
        expect(step).to_have_value(end)
        expect(explorer.play).to_have_text("Play", use_inner_text=True)
        expect(chapter).to_have_text(name, use_inner_text=True)
        explorer.page.wait_for_timeout(100)
        expect(step).to_have_value(end)
    explorer.page.emulate_media(reduced_motion="reduce")
    explorer.play.click()
    expect(step).to_have_value("30")
    explorer.says(
        "The factor from each wave to the next changes, 100% of the way; the factor is now 0.158"
    )
    box.locator(".course-reset").click()
    expect(step).to_have_value("0")


KEYED = ".course-labels > [data-key]"
IS_STILL = "labels => labels.every(label => label.getAnimations().length === 0)"


def test_words_move_on_arcs_unless_motion_is_reduced(alone):
    explorer = alone(EXPLORERS["attention_weights"]())
    page, words = explorer.page, explorer.box.locator(KEYED)
    expect(words).to_have_count(35)
    swapped = explorer.box.locator(".course-swapped input")
    swapped.check()
    page.wait_for_function(
        f"[...document.querySelectorAll('{KEYED}')].some(word => word.getAnimations().length)"
    )
    page.wait_for_function(f"({IS_STILL})([...document.querySelectorAll('{KEYED}')])")
    page.emulate_media(reduced_motion="reduce")
    swapped.uncheck()
    expect(explorer.box.locator(".course-unseen")).to_contain_text("the dog bit the man")
    assert words.evaluate_all(IS_STILL)


def test_known_scenes_need_no_kernel(alone):
    explorer, python = alone(EXPLORERS["wave"]()), EXPLORERS["wave"]()
    alt, step = explorer.box.locator(".course-unseen"), explorer.box.locator(".course-step input")

    def shows(place: int) -> None:
        python.apply({"step": place})
        expect(alt).to_contain_text(python.scene.alt["en"])

    shows(0)
    for place in (1, 2):
        step.press("ArrowRight")
        shows(place)
    explorer.lesson.has_kernel = False
    for key, place in [("ArrowRight", 3), *(("ArrowLeft", place) for place in (2, 1, 0))]:
        step.press(key)
        shows(place)


# A guess before the answer is shown. --------------------------------------------------------------


def line_at(explorer: Explorer) -> float:
    return float(explorer.box.locator("line[stroke-dasharray]").get_attribute("x1"))


def test_answer_is_hidden_until_guess_by_keyboard(alone):
    python = EXPLORERS["word_share"]()
    scene, explorer = python.scene, alone(python)
    box, keyboard = explorer.box, explorer.page.keyboard
    covered = box.locator("figure").inner_html()
    assert scene.sentence(5)["en"] not in covered and scene.alt["en"] not in covered
    assert "<path" not in covered and "<circle" not in covered
    slider = box.get_by_role("slider", name="At which position does the word’s norm")
    before = line_at(explorer)
    slider.press("ArrowLeft")
    expect(slider).to_have_value(str(scene.guess.start - 1))
    assert line_at(explorer) < before
    keyboard.press("Tab")
    keyboard.press("Enter")
    answer = box.locator(".course-guess")
    expect(answer).to_contain_text(f"Your guess was {scene.guess.start - 1}.")
    expect(answer).to_be_focused()
    explorer.says(scene.sentence(scene.guess.answer)["en"])
    shown = box.locator("figure").inner_html()
    assert "<path" in shown and scene.alt["en"] in shown
    assert line_at(explorer) < before


def on_axis(explorer: Explorer, value: int) -> float:
    """Return the pixel of a value, extrapolated from the first two labels of the axis."""
    numbers = explorer.box.locator(".course-below").evaluate_all(
        "all => all.map(({ textContent, style }) =>"
        " [Number(textContent), parseFloat(style.getPropertyValue('--x'))])"
    )
    (low, left), (high, right), *_ = numbers
    return left + (value - low) / (high - low) * (right - left)


def test_pointer_sets_guess_then_position(alone):
    python = EXPLORERS["word_share"]()
    explorer = alone(python)
    box = explorer.picture.bounding_box()
    explorer.picture.click(position={"x": box["width"] * 0.1, "y": box["height"] / 2})
    guessed = int(explorer.box.locator(".course-guess input").input_value())
    assert guessed < python.scene.guess.start
    explorer.box.locator(".course-guess button").click()
    explorer.picture.click(position={"x": box["width"] * 0.4, "y": box["height"] / 2})
    expect(explorer.box.locator(".course-guess")).to_contain_text(f"Your guess was {guessed}.")
    assert int(explorer.handle.input_value()) > guessed
    before = line_at(explorer)
    explorer.box.get_by_role("slider", name="sequence length").press("End")
    explorer.lesson.settle()
    wait_until_idle(explorer)
    assert line_at(explorer) == pytest.approx(on_axis(explorer, guessed))
    assert line_at(explorer) < before


def test_question_follows_parameters(alone):
    python = EXPLORERS["binary"]()
    explorer, asked = alone(python), []
    for d_model in (6, 7):
        explorer.box.evaluate("(box, d) => (box.courseExplorer.state = { d_model: d })", d_model)
        expect(explorer.box.locator(".course-d_model output")).to_have_text(str(d_model))
        asked.append(python.scene.guess.question["en"])
        expect(explorer.box.locator(".course-guess label")).to_contain_text(asked[-1])
    assert asked[0] != asked[1]
