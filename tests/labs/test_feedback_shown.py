"""Tests of displayed feedback, with printed text, lines of code and pictures."""

import json
import tomllib
from itertools import chain, pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from bs4 import BeautifulSoup
from checks.labs import Encoding, filled, misconceptions_of, strange_table
from checks.outputs import html_problems, plain_problems
from checks.pictures import touches_an_edge

from course_utils import sandbox
from course_utils.labs import check, grade, hint
from course_utils.labs.feedback import RECORD
from course_utils.labs.messages import FILES, TEXTS
from course_utils.labs.tasks import EXERCISES, LABS
from course_utils.notebook import display
from course_utils.pictures import static
from course_utils.sandbox import CAUSES, ERROR_KINDS

# The learner's own output, code lines and picture -------------------------------------------------


def test_printed_output_is_shown_below_feedback(capsys):
    def talkative(n_positions: int, d_model: int) -> object:
        print("<b>", n_positions)
        return strange_table(n_positions, d_model)

    feedback = check("strange-table", talkative)
    assert feedback.solved and "&lt;b&gt; 50" in feedback.shown().html
    assert capsys.readouterr() == ("", "")
    nothing = check("bits-needed", lambda n: print())
    assert "Below" not in nothing.message("en") and nothing.code == ""


def test_misconception_shown_as_error_keeps_line():
    class ForBatches(Encoding):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            return word_vectors + self.table[: word_vectors.shape[1]]

    feedback = check("positional-encoding", ForBatches)
    assert feedback.misconceptions == ("batch-axis-assumed", "one-row-stretched")
    assert "PositionalEncoding(10, 8)(word_vectors)" in feedback.message("en")
    assert "Here word_vectors is an array of shape (5, 8)" in feedback.message("en")
    assert "return word_vectors + self.table" in feedback.code


@pytest.mark.filterwarnings("error")
def test_table_of_any_numbers_is_drawn_as_maps():
    feedback = check("strange-table", filled(-1.7e308))
    assert "-1.7e+308" in feedback.message("es")
    assert not any(map(touches_an_edge, feedback.picture.values()))
    shown = feedback.shown()
    assert shown.png is not None and 'alt="' in shown.html
    assert html_problems(shown.html) == [] and plain_problems(shown.plain) == []


def test_list_of_numbers_is_drawn_as_curve(
    monkeypatch,
):
    for name in ("two_curves", "comparison"):
        monkeypatch.setattr(static, name, lambda *given, language, name=name: name)
    monkeypatch.setattr(display, "png", lambda drawn: drawn)
    curves = check("surprise-along", lambda bits, *_: np.full(len(bits) - 1, 2.5))
    maps = check("strange-table", filled(2.5))
    for feedback, drawn, opening in (
        (curves, "two_curves", "Two curves"),
        (maps, "comparison", "Three heatmaps"),
    ):
        assert {*feedback.picture.values()} == {drawn}
        assert feedback.alt.plain["en"].startswith(opening)


# Texts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_hints_open_in_order(exercise_id):
    page = hint(exercise_id).html
    hints = TEXTS["exercise"][exercise_id]["hints"]
    assert len(hints) >= 3
    folded = BeautifulSoup(page, "html.parser").find_all("details")
    assert len(folded) == len(hints)
    for outer, inner in pairwise(folded):
        assert outer in inner.parents
    for disclosure, text in zip(folded, hints, strict=True):
        own = text.plain["es"]
        assert own in disclosure.get_text() and own not in disclosure.summary.get_text()
    assert html_problems(page) == []
    assert all(text["en"] not in hint(exercise_id).plain for text in hints)


MODULES = {"08_your_model": ("your_model", "beyond_words")}
"""Modules of tasks in labs that have several modules."""


def test_each_lab_has_texts_of_its_own_misconceptions():
    """Texts must not be duplicated or unused."""
    known, n_files = {"input-changed"}, 1
    for lab, asked in LABS.items():
        files = [file for file in FILES if file.stem in MODULES.get(lab, (lab[3:],))]
        by_lab = [tomllib.loads(file.read_text("utf-8")) for file in files]
        named = set().union(*map(misconceptions_of, asked))
        assert sorted(chain(*(texts["misconception"] for texts in by_lab))) == sorted(named - known)
        assert set(chain(*(texts["exercise"] for texts in by_lab))) == {each.id for each in asked}
        assert list(chain(*(texts.get("lab", {}) for texts in by_lab))) == [lab]
        known |= named
        n_files += len(files)
    assert len(EXERCISES) == sum(map(len, LABS.values()))
    assert set(TEXTS["misconception"]) == known and len(FILES) == n_files


def test_each_kind_of_error_has_one_sentence():
    kinds = {kind.__name__ for kind in ERROR_KINDS}
    assert set(sandbox.TEXTS["error"]) == kinds | set(CAUSES.values()) | {"own", "other"}


# The record for class statistics -----------------------------------------------------------------


def test_record_has_only_ids_of_course():
    feedback = check("strange-table", lambda n, d: strange_table(n + 1, d)[1:])
    assert json.loads(json.dumps(feedback._repr_mimebundle_()[RECORD])) == {
        "version": 1,
        "exercise": "strange-table",
        "judged": "check",
        "solved": False,
        "found": "differs",
        "misconceptions": ["positions-from-one"],
        "pattern": "",
    }
    assert check("strange-table", strange_table).record["solved"]
    assert check("strange-table", strange_table(5, 4)).record["found"] == "not-a-function"
    opposite = check("strange-table", lambda n, d: -strange_table(n, d))
    assert opposite.record["pattern"] == "opposite-sign"
    assert RECORD not in check("no-such-exercise", None)._repr_mimebundle_()


def test_hidden_test_leaves_its_own_record(monkeypatch):
    published = []
    shell = SimpleNamespace(display_pub=SimpleNamespace(publish=published.append))
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    with pytest.raises(AssertionError, match="should be 6"):
        grade("bits-needed", lambda n: 1, [(730,)])
    grade("bits-needed", lambda n: (n - 1).bit_length(), [(730,)])
    (output,) = published
    assert output["text/plain"] == ""
    assert output[RECORD]["judged"] == "grading" and output[RECORD]["found"] == "value-differs"
    assert output[RECORD]["exercise"] == "bits-needed"
