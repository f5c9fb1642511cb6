"""What a reader chooses before the answer shows: in questions, and on claims."""

import pytest
from checks.bare_page import showing

from course_utils import question
from course_utils.lessons.verdicts import CLAIMS, right_guesses, verdict
from course_utils.notebook.storage import first_guesses, store_guesses_from_now_on

try:
    from playwright.sync_api import expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser"]


def test_of_each_claim_the_first_choice_that_is_opened_is_counted(browser):
    claims = (
        verdict("unique", holds=[True, True], nearest=1),
        verdict("sines", holds=[True, True], wide=0, narrow=0),
    )
    with showing(browser, *claims, right_guesses()) as page:
        page.choose("en")
        *claims, score = page.notebook.locator(".course-question").all()
        score.locator("summary").click()
        nuances_wrong, then_right, right = (claims[0], 1), (claims[0], 0), (claims[1], 0)
        for (claim, choice), count in ((nuances_wrong, 0), (then_right, 0), (right, 1)):
            answer = claim.locator("div.course-en", has_text="The verdict: true").nth(choice)
            expect(answer).to_be_hidden()
            claim.locator("summary").nth(choice).click()
            expect(answer).to_be_visible()
            counted = f"You guessed {count} of {len(CLAIMS)}."
            expect(score).to_contain_text(counted, use_inner_text=True)


def test_the_first_choice_of_a_question_is_kept_from_when_a_reader_wants_it(
    browser, tmp_path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    with showing(browser, question("swap-words"), question("add-positions")) as page:
        page.choose("es")
        swap, add = page.notebook.locator(".course-question").all()
        swap.locator(".course-right summary").click()  # before it is wanted: not kept
        page.settle()
        store_guesses_from_now_on(True)
        swap.locator(":not(.course-right) > summary").first.click()
        add.locator(".course-right summary").click()
        add.locator(":not(.course-right) > summary").first.click()
        page.settle()
    assert first_guesses() == {"swap-words": False, "add-positions": True}
