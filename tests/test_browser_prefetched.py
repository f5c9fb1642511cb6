"""Prefetched scenes, shown without asking the kernel again, in a real JupyterLab."""

from checks.lesson_pages import light_only, write_notebook

from course_utils.explorers import wave_explorer

try:
    from playwright.sync_api import expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser"]


@light_only
def test_scenes_seen_before_and_the_next_one_ahead_are_shown_without_the_kernel(own_copy, tmp_path):
    imports = "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()"
    lesson = own_copy(write_notebook(tmp_path, imports, "wave_explorer()"))
    lesson.run("all")
    explorer = lesson.explorer(0)
    alt = explorer.box.locator(".course-unseen")
    step = explorer.box.get_by_role("slider").first
    python = wave_explorer()

    def seen(place: int) -> str:
        python.parameters["step"].value = place
        return python.scene.alt["en"]

    expect(alt).to_contain_text(seen(0))
    for place in (1, 2):
        step.focus()
        lesson.page.keyboard.press("ArrowRight")
        expect(alt).to_contain_text(seen(place))
    lesson.page.wait_for_timeout(500)  # for what lies ahead
    lesson.end_kernel()
    for key, place in [("ArrowRight", 3), *(("ArrowLeft", place) for place in (2, 1, 0))]:
        step.focus()
        lesson.page.keyboard.press(key)
        expect(alt).to_contain_text(seen(place))
