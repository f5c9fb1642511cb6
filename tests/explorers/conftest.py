"""Fixtures for pages with all explorers or with a single explorer."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from checks.bare_page import Page, showing
from checks.every_explorer import COMPUTING, EXPLORERS, in_python
from checks.lesson_pages import Explorer

from course_utils import explorers, show
from course_utils.pictures.static import dot_product_curve


@pytest.fixture(scope="module")
def all_of_them(browser) -> Iterator[Page]:
    """Page with every explorer and a picture, but without a kernel."""
    views = [in_python(name) for name in EXPLORERS] + [make() for make in COMPUTING]
    drawn = show("around-position-10", dot_product_curve([0, 1], [1.0, 0.5]), value="0.5")
    with showing(browser, *views, drawn) as page:
        page.settle()
        page.give_guesses()
        page.notebook.locator(".course-more").evaluate_all("all => all.forEach(e => e.open = true)")
        page.has_kernel = False
        yield page


@pytest.fixture
def gallery(all_of_them) -> Iterator[Page]:
    all_of_them.choose("en")
    yield all_of_them
    all_of_them.page.set_viewport_size({"width": 1280, "height": 900})
    assert all_of_them.complaints() == []


@pytest.fixture
def alone(browser) -> Iterator[Callable[[explorers.Explorer], Explorer]]:
    """Function that shows an explorer on a separate page with Python as the kernel."""
    with ExitStack() as pages:

        def show(explorer: explorers.Explorer) -> Explorer:
            page = pages.enter_context(showing(browser, explorer))
            page.choose("en")
            shown = page.explorer(0)
            shown.lesson = page
            return shown

        yield show
