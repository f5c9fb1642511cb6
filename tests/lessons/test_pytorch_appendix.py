"""Tests of the cells in the appendix to lesson 07, with other sizes and seeds."""

from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from checks.experiment_scripts import pytorch

from course_utils.relative import rotate

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "07_pytorch_appendix.ipynb"
DEFINING = "switch turned attention halves cached masked".split()


@pytest.fixture(scope="module")
def cells() -> SimpleNamespace:
    """Names defined in the appendix."""
    names = {"torch": pytorch()}  # slow to import: not during collection
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        if cell.id in DEFINING:
            exec(cell.source, names)
    return SimpleNamespace(**names)


@pytest.fixture(params=[(8, 2), (96, 3)], ids=str)
def attention_and_text(cells, request):
    d_model, n_heads = request.param
    cells.torch.manual_seed(0)
    attention = cells.RotaryAttention(d_model, n_heads, cells.turned).double()
    attention.frequencies = attention.frequencies.double()
    return attention, cells.torch.randn(2, 20, d_model, dtype=cells.torch.float64)


@pytest.mark.parametrize(("d_model", "first"), [(2, 0), (128, 5000)])
def test_both_layouts_match_rotate(cells, d_model, first):
    vectors = np.random.default_rng(d_model).normal(size=(30, d_model))
    place = np.arange(first, first + 30)
    given = cells.torch.tensor(vectors), cells.torch.tensor(place)
    frequencies = cells.torch.tensor(cells.angular_frequencies(d_model))
    expected = rotate(vectors, place)
    assert np.abs(cells.turned(*given, frequencies).numpy() - expected).max() < 2e-3
    rounded = cells.turned(given[0].bfloat16(), given[1], frequencies.float())
    assert rounded.dtype == cells.torch.bfloat16
    assert np.abs(rounded.double().numpy() - expected).max() < 0.05
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    by_halves = cells.turned_by_halves(given[0][:, order], given[1], frequencies).numpy()
    assert np.abs(by_halves - expected[:, order]).max() < 2e-3


def test_cache_agrees_only_with_continued_positions(cells, attention_and_text):
    attention, text = attention_and_text
    for n_words in (2, 20):
        part = text[:, :n_words]
        whole = attention(part, cells.torch.arange(n_words))[:, -1:]
        goes_on = cells.last_output(attention, part, lambda n_in_cache: n_in_cache)
        restarts = cells.last_output(attention, part, lambda n_in_cache: 0)
        assert (goes_on - whole).abs().max() < 1e-6
        assert (restarts - whole).abs().max() > 1e-5


def test_packed_text_needs_mask_without_new_positions(cells, attention_and_text):
    attention, text = attention_and_text
    place = cells.torch.arange(20)
    for n_before in (1, 7, 18):
        alone = attention(text[:, n_before:], place[: 20 - n_before])
        own = cells.masked(attention, text, place, place >= n_before)
        assert (own[:, n_before:] - alone).abs().max() < 1e-6
        other = cells.masked(attention, text, place, place >= 0)
        assert (other[:, n_before:] - alone).abs().max() > 1e-5
