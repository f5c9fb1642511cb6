"""What lesson 08 says holds at other sizes, bases and seeds than those on the page."""

import math
import re
from functools import partial
from itertools import product
from pathlib import Path

import nbformat
import numpy as np
import pytest

from course_utils import shift_matrix, sinusoidal_encoding
from course_utils.explorers import score_explorer, scores
from course_utils.relative import alibi_bias, rotate

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
CELLS = {
    cell.id: cell
    for cell in nbformat.read(NOTEBOOKS / "08_beyond_sinusoids.ipynb", as_version=4).cells
}
SETTINGS = [(4, 30, 10, 1), (16, 200, 500_000, 2), (128, 40, 10_000, 3)]


def run(ids: list[str], d_model: int, length: int, base: float, seed: int) -> dict:
    """Cells of the lesson at other settings: what they leave."""
    exec(CELLS["switch"].source.replace("language_switch()", ""), values := {})
    for function in (sinusoidal_encoding, shift_matrix, rotate):
        values[function.__name__] = partial(function, base=base)
    values |= {"rng": np.random.default_rng(seed), "show_table": lambda name, rows, **_: rows}
    for name in ids:
        source = CELLS[name].source.replace("default_rng(0)", f"default_rng({seed})")
        for old, new in {"64": d_model, "50": length, "1050": length + 1000}.items():
            source = re.sub(rf"\b{old}\b", str(new), source)
        shown = source.rfind("\nshow_table(")
        if shown >= 0:
            source = f"{source[:shown]}\n{name.replace('-', '_')} = {source[shown + 1 :]}"
        exec(source.replace("base=10_000", f"base={base}"), values)
    return values


@pytest.mark.parametrize(("d_model", "length", "base", "seed"), SETTINGS)
def test_a_score_is_the_sum_of_its_four_parts_and_rope_sees_offsets_alone(
    d_model, length, base, seed
):
    values = run(["measure-parts", "write-rope", "measure-rope"], d_model, length, base, seed)
    dogs, men, table = (values[name] for name in ("dogs", "men", "table"))
    W = values["w_q"] @ values["w_k"].T
    parts = [query @ W @ key.T for query in (dogs, table) for key in (men, table)]
    for i, j in ((0, 20), (length - 1, 3)):
        whole = math.fsum(np.outer(dogs[i] + table[i], men[j] + table[j]).ravel() * W.ravel())
        assert sum(part[i, j] for part in parts) == pytest.approx(whole)
    after, before, added = np.array(values["measure_rope"])[:, 0]
    assert after < 1e-9 and min(before, added) > 0.1


def test_alibi_on_the_page_is_that_of_the_package_for_any_number_of_heads():
    alibi = run(["write-alibi"], 64, 50, 10_000, 0)["alibi"]
    for length, n_heads in product((1, 7, 300), (1, 2, 16)):
        assert np.array_equal(alibi(length, n_heads), alibi_bias(length, n_heads))


# The explorer of scores against steps back


def slow_scores(scheme: str, query: int, head: int, base: float) -> list[float]:
    """The scores of some keys, one by one, from the same random numbers."""
    rng, d_model = np.random.default_rng(head), scores.D_MODEL
    numbers = rng.normal(size=scores.N_BUCKETS)
    rng = np.random.default_rng(head)
    words = rng.normal(size=(2, d_model))
    rng = np.random.default_rng(head)
    between = rng.normal(scale=(2 / d_model) ** 0.5, size=(2, d_model, d_model))
    frequencies = [base ** (-2 * k / d_model) for k in range(d_model // 2)]

    def row(position: int) -> list[float]:
        return [wave(position * w) for w in frequencies for wave in (math.sin, math.cos)]

    def score(key: int) -> float:
        back = query - key
        if scheme == "alibi":
            return -back * 2.0**-head
        if scheme == "t5-encoder":
            return numbers[sum(back >= at for at in [*range(1, 9), 12, 16, 23, 32, 46, 64, 91])]
        if scheme == "t5-decoder":
            return numbers[min(back, 16) if back < 19 else 31 if back >= 113 else -1]
        if scheme == "rope":
            pairs = words[:, 0::2] + 1j * words[:, 1::2]
            angles = [back * w for w in frequencies]
            turned = pairs[0] * np.conj(pairs[1]) * np.exp(1j * np.array(angles))
            return turned.real.sum() / math.sqrt(d_model)
        first, second = row(query), row(key)
        if scheme == "sinusoidal-projected":
            first, second = first @ between[0], second @ between[1]
        return sum(a * b for a, b in zip(first, second, strict=True)) / math.sqrt(d_model)

    return [score(query - back) for back in (0, 1, 7, 18, 113, 160)]


@pytest.mark.parametrize("scheme", scores.SCHEMES)
def test_the_scores_are_those_of_the_formula_and_move_with_the_query_only_behind_matrices(scheme):
    for head, base in product((1, 4, 8), (2, 10_000)):
        of_all = [scores.scores_back(scheme, i, head=head, base=base) for i in (160, 300, 1111)]
        for query, back in zip((160, 300, 1111), of_all, strict=True):
            chosen = back[[0, 1, 7, 18, 113, 160]]
            np.testing.assert_allclose(chosen, slow_scores(scheme, query, head, base), atol=1e-9)
        stands_still = np.ptp(of_all, axis=0).max() < 1e-9
        assert stands_still is np.bool_(scheme != "sinusoidal-projected")


def test_the_axes_of_scores_stay_where_they_are_and_an_unknown_scheme_is_refused():
    with pytest.raises(ValueError, match="selected must be one of sinusoidal, .*; got 'rop'"):
        score_explorer("rop")
    explorer = score_explorer()
    (first,) = explorer.scene.panels
    for scheme in scores.SCHEMES:
        explorer.apply({"scheme": scheme, "head": 1, "base": 2})
        (panel,) = explorer.scene.panels
        assert (panel.x, panel.y) == (first.x, first.y)
