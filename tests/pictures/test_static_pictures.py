"""Tests that static pictures follow the language switch and are legible."""

import matplotlib as mpl
import numpy as np
import pytest
from bs4 import BeautifulSoup
from checks.outputs import html_problems, plain_problems
from checks.pictures import pictures_of, touches_an_edge
from matplotlib.colors import to_hex
from matplotlib.text import Text as Words

from course_utils import show
from course_utils.lessons.look_back_runs import heads_at_work, share_dots, share_maps
from course_utils.notebook.display import png
from course_utils.pictures import static
from course_utils.pictures.drawing import COLORS
from course_utils.pictures.learned import gears_along_table
from course_utils.pictures.long_texts import MARKS, recall_by_distance
from course_utils.words.text import LANGUAGES, Text

SMALLEST_LETTERS = 15
"""Minimum height of letters in pixels, which is nearly 11 on a phone 358 pixels wide."""
TABLE = np.sin(np.outer(np.arange(30), [1, 1, 0.1, 0.1]))
TWO_CURVES = {"a": np.linspace(0, 1, 8), "b": np.linspace(1, 0.1, 8)}
FACTORS = np.geomspace(1, 1e6, 8)
SHARES = np.array([[0.25, 1.0]])
RECALLED = [
    {"task": task, "encoding": each, "accuracy": [0.5, 0.1]}
    for task in ("mark", "place")
    for each in MARKS
]
NAME = Text("one", "uno", *["uno"] * (len(LANGUAGES) - 2))
PICTURES = {
    static.encoding_heatmap: (TABLE,),
    static.two_layouts: (TABLE, TABLE),
    static.dot_product_curve: (np.arange(-5, 6), np.cos(np.arange(-5, 6))),
    static.word_plus_position: (TABLE[5], TABLE[9]),
    static.similarity_by_base: (FACTORS, TWO_CURVES, TWO_CURVES),
    static.rounding_errors: (FACTORS, TWO_CURVES, TWO_CURVES),
    static.fading_similarity: (np.geomspace(1, 1e-4, 8),),
    static.comparison: (TABLE, TABLE * 1.1),
    static.two_curves: (TABLE[:, 2], TABLE[:, 2] * 1.1),
    recall_by_distance: (RECALLED, [1, 60], 1 / 16),
    heads_at_work: (),
    gears_along_table: ([0.5] * 512,),
    share_maps: ({"r = 1": SHARES}, [NAME], [32, 64]),
    share_dots: ({"r = 1": {NAME: [0.2, 0.4]}},),
}


@pytest.mark.parametrize("draw", PICTURES, ids=lambda draw: draw.__name__)
def test_picture_has_legible_text_in_its_language(draw):
    written = {}
    for language in LANGUAGES:
        figure = draw(*PICTURES[draw], language=language)
        assert not touches_an_edge(png(figure))
        texts = [each for each in figure.findobj(Words) if each.get_text().strip()]
        pixels = [each.get_size() * figure.dpi / 72 for each in texts]
        assert min(pixels) >= SMALLEST_LETTERS
        written[language] = [each.get_text() for each in texts]
    assert len(set(map(str, written.values()))) == len(LANGUAGES)
    assert "·" not in str(written)


def test_figure_drawn_per_language_follows_switch():
    """This includes pictures without words, because they may still differ between languages."""

    def stored(*given: object) -> list[bytes]:
        html = show("your-table", *given).html
        assert html_problems(html) == []
        return pictures_of([{"data": {"text/html": html}}])

    assert len(stored(static.encoding_heatmap(TABLE))) == 1
    wordless = stored(lambda language: static.maps_in_rows([[TABLE]], [["1"]]))
    assert len(wordless) == len(LANGUAGES)
    drawn = static.encoding_heatmap, TABLE
    shown, pictures = show("your-table", *drawn), stored(*drawn)
    assert plain_problems(shown.plain) == []
    halves = BeautifulSoup(shown.html, "html.parser").figure.find_all("img")
    assert [image.parent["lang"] for image in halves] == list(LANGUAGES)
    assert len({*pictures}) == len(LANGUAGES) and shown.png == pictures[0]


@mpl.rc_context({"font.size": 40, "image.cmap": "gray", "axes.facecolor": "black"})
def test_pictures_ignore_personal_matplotlib_settings():
    mine = png(static.encoding_heatmap(TABLE))
    with mpl.rc_context(mpl.rcParamsDefault):
        assert png(static.encoding_heatmap(TABLE)) == mine


def test_compared_tables_share_one_scale():
    panels = static.comparison(TABLE, 1.1 * TABLE).axes[:3]
    maps = [axes.images[0] for axes in panels]
    shown = [np.asarray(each.get_array()) for each in maps]
    np.testing.assert_allclose(shown, [TABLE, 1.1 * TABLE, 0.1 * TABLE], atol=1e-12)
    assert len({each.get_clim() for each in maps}) == 1
    assert [bool(axes.get_ylabel()) for axes in panels] == [True, False, False]


def test_lines_have_colours_of_course():
    figure = static.similarity_by_base(FACTORS, TWO_CURVES, TWO_CURVES)
    used = {to_hex(line.get_color()) for line in figure.axes[0].lines}
    assert used <= set(COLORS.values()) and len(used) == len(TWO_CURVES)
