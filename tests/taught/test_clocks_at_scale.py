"""Tests of the experiment with held clocks in heads with 32 clocks."""

import json
import math
import statistics
from itertools import pairwise

import numpy as np
import pytest
from checks.experiment_scripts import EXPERIMENTS, script
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.pictures.clock_to_blame import gain_by_turns, mean_difference, share_of_gain

STORED = json.loads((EXPERIMENTS / "clocks_at_scale.json").read_text(encoding="utf-8"))
N_LETTERS, N_MARKS = 10, 4


@pytest.fixture(scope="module")
def clocks():
    return script("clocks_at_scale")


# The script. --------------------------------------------------------------------------------------


def by_hand(query, key, distance, held, limit):
    """Compute a score with held clocks, pair by pair, with complex numbers."""
    score = 0.0
    for pair in range(len(query) // 2):
        q = complex(query[2 * pair], query[2 * pair + 1])
        k = complex(key[2 * pair], key[2 * pair + 1])
        steps = min(distance, limit) if pair in held else distance
        angle = steps * 10_000 ** (-2 * pair / len(query))
        score += (q * k.conjugate() * complex(math.cos(angle), math.sin(angle))).real
    return score / math.sqrt(len(query))


@pytest.mark.parametrize("held", [(), (8, 9, 10), tuple(range(32))])
def test_held_attention_equals_loop(clocks, held):
    torch = clocks.torch
    torch.manual_seed(1)
    model = clocks.Model(clocks.Run("rope", d_head=64))
    symbols = torch.randint(0, 61, (1, 12))
    collected = []
    with torch.no_grad():
        model(symbols, held=held, limit=5, attention=collected)
        x = model.norm(model.characters[symbols] * math.sqrt(model.d_model))
        queries, keys, _ = model.layers[0].project(x).view(12, 3, 4, 64).double().unbind(dim=1)
    for head, query in np.ndindex(4, 12):
        scores = [
            by_hand(queries[query, head].tolist(), keys[key, head].tolist(), query - key, held, 5)
            for key in range(query + 1)
        ]
        weights = np.exp(scores) / np.exp(scores).sum()
        attention = collected[0][0, head, query].numpy()
        np.testing.assert_allclose(attention[: query + 1], weights, atol=2e-5)
        assert (attention[query + 1 :] == 0).all()


@pytest.mark.parametrize(("d_head", "length"), [(64, 64), (128, 64), (64, 128)])
def test_band_holds_clocks_of_its_turns(clocks, d_head, length):
    run = clocks.Run("rope", trained_length=length, d_head=d_head)
    turns = [
        (length - 2) * 10_000 ** (-2 * pair / d_head) / (2 * math.pi) for pair in range(d_head // 2)
    ]
    wanted = tuple(pair for pair, each in enumerate(turns) if 0.2 <= each < 1)
    ways = clocks.ways(run, 4)
    assert ways["band at half"] == {"held": wanted, "limit": (length - 2) // 2}
    parts = [ways[f"{part} at half"]["held"] for part in ("faster", "band", "slower")]
    assert sum(parts, ()) == tuple(range(d_head // 2)) == ways["all"]["held"]


@given(seed=st.integers(0, 10**6), length=st.integers(12, 200), two=st.booleans())
@settings(max_examples=40, deadline=None)
def test_questions_have_letter_found_by_scan(clocks, seed, length, two):
    torch = clocks.torch
    generator = torch.Generator().manual_seed(seed)
    near = int(torch.randint(1, length - 1, (), generator=generator))
    far = int(torch.randint(near + 1, length, (), generator=generator)) if two else 0
    texts = clocks.marked(length, torch.tensor([near]), torch.tensor([far]), generator)
    (symbols,), (answer,), (other,) = (each.tolist() for each in texts)
    mark = symbols[-1] - N_LETTERS * (1 + N_MARKS)
    assert 0 <= mark < N_MARKS and max(symbols[:-1]) < N_LETTERS * (1 + N_MARKS)
    marked = [divmod(symbol, N_LETTERS) for symbol in reversed(symbols[:-1])]
    found = [(steps, letter) for steps, (by, letter) in enumerate(marked, 1) if by == mark + 1]
    assert found == [(near, answer), (far, other)][: 1 + two]
    for each in range(N_MARKS):
        assert each == mark or sum(by == each + 1 for by, _ in marked) == 1


def test_training_questions_have_two_marks_half_time(clocks):
    generator = clocks.torch.Generator().manual_seed(3)
    texts = clocks.drawn(2000, 64, generator)
    asked = texts.symbols[:, -1:] - N_LETTERS * (1 + N_MARKS)
    n_found = (texts.symbols[:, :-1] // N_LETTERS == asked + 1).sum(dim=1)
    assert set(n_found.tolist()) == {1, 2}
    assert abs(n_found.double().mean() - 1.5) < 0.04


def test_held_out_texts_do_not_overlap(clocks):
    run = clocks.Run("rope", d_head=64)
    training, texts = clocks.texts_of(run, 64)
    assert texts.shape == (64, 512)
    corpus = training.numpy().astype("u1").tobytes()
    rows = [text.numpy().astype("u1").tobytes() for text in texts]
    assert not any(row[:256] in corpus for row in rows)
    held_out = [
        part.numpy().astype("u1").tobytes()
        for each in clocks.split_text("both", 9)[1].values()
        for part in each.values()
    ]
    places = sorted(
        (number, part.index(row))
        for row in rows
        for number, part in enumerate(held_out)
        if row in part
    )
    assert len(places) == 64
    assert all(a[0] != b[0] or b[1] - a[1] >= 512 for a, b in pairwise(places))


@pytest.mark.slow
def test_smallest_run_stores_same_keys_as_full_runs(clocks, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["clocks", "--smallest", "--to", str(tmp_path)])
    clocks.main()
    made = json.loads((tmp_path / "clocks_at_scale.json").read_text(encoding="utf-8"))
    for kind in ("reading", "recall"):
        (run,), usual = made[kind], STORED[kind][0]
        assert run.keys() == usual.keys()
        same = {*clocks.Run._fields, "turns", "band"} & run.keys()
        assert {key: run[key] for key in same} == {key: usual[key] for key in same}
        assert run["first_losses"][0] == pytest.approx(usual["first_losses"][0], abs=2e-3)
    read, usual = made["reading"][0], STORED["reading"][0]
    assert {at: [*each] for at, each in read["bits"].items()} == {
        at: [*each] for at, each in usual["bits"].items()
    }
    asked = [
        {**case, "counts": [*case["counts"]], "n_texts": 0} for case in made["recall"][0]["cases"]
    ]
    assert asked == [
        {**case, "counts": [*case["counts"]], "n_texts": 0} for case in STORED["recall"][0]["cases"]
    ]


@pytest.mark.slow
def test_first_steps_match_stored_runs(clocks):
    reading, recall = STORED["reading"], STORED["recall"]
    assert [clocks.key_of(each) for each in reading] == clocks.reading_runs()
    assert [clocks.key_of(each) for each in recall] == clocks.recall_runs()
    assert STORED["settings"] == clocks.SETTINGS
    for each in (reading[1], recall[-1]):
        run = clocks.key_of(each)
        if each is reading[1]:
            text = clocks.split_text(run.text, run.held_out)[0]
            losses = clocks.train(run, text, each["steps"], 3)[1]
        else:
            losses = clocks.train_to_recall(run, STORED["settings"]["recall"], 3)[1]
        assert losses == pytest.approx(each["first_losses"], abs=2e-3)


# Statistics. --------------------------------------------------------------------------------------

BITS = st.lists(
    st.tuples(st.floats(3, 6), st.floats(1.5, 4), st.floats(1, 2)), min_size=3, max_size=30
)


@given(texts=BITS)
def test_share_of_gain_equals_loop(texts):
    free, bits, window = zip(*texts, strict=True)

    def share(some):
        return sum(texts[i][0] - texts[i][1] for i in some) / sum(
            texts[i][0] - texts[i][2] for i in some
        )

    n_texts = len(texts)
    without = [share([i for i in range(n_texts) if i != out]) for out in range(n_texts)]
    error = math.sqrt((n_texts - 1) ** 2 / n_texts * np.var(without, ddof=1))
    assert share_of_gain(free, bits, window) == pytest.approx((share(range(n_texts)), error))


@given(texts=BITS)
def test_mean_difference_has_error_of_standard_library(texts):
    free, bits, _ = zip(*texts, strict=True)
    differences = [one - other for one, other in zip(free, bits, strict=True)]
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    wanted = (statistics.mean(differences), error)
    assert mean_difference(free, bits) == pytest.approx(wanted, abs=1e-12)


# Statements of lesson 09 and its deeper notebook. -------------------------------------------------

WIDE = [run for run in STORED["reading"] if (run["d_head"], run["trained_length"]) == (64, 64)]


def share(run, way, factor):
    """Return the gain of a method as a proportion of the window's gain."""
    free, bits, window = (
        statistics.mean(run["bits"][factor][each]) for each in ("free", way, "window")
    )
    return (free - bits) / (free - window)


def price(run, way):
    """Return the cost of a method in bits within the training length."""
    return statistics.mean(run["bits"]["1"][way]) - statistics.mean(run["bits"]["1"]["free"])


@pytest.mark.parametrize("run", STORED["reading"], ids=lambda run: f"{run['d_head']}-{run['seed']}")
def test_clocks_held_at_half_distance_match_window(run):
    for factor in ("4", "8"):
        assert share(run, "all at half", factor) == pytest.approx(1, abs=0.015)
        assert share(run, "slower at half", factor) < 0.1
    for way in ("all at half", "band at half", "slower at half"):
        assert abs(price(run, way)) < 0.005
    assert price(run, "all") == price(run, "band") == price(run, "window") == 0
    for share_of_62, held in run["limits"].items():
        if 0.25 <= float(share_of_62) <= 0.75:
            free, window = (statistics.mean(run["bits"]["4"][way]) for way in ("free", "window"))
            undone = (free - statistics.mean(held["all"])) / (free - window)
            assert undone == pytest.approx(1, abs=0.015)


@pytest.mark.parametrize("run", WIDE, ids=lambda run: str(run["seed"]))
def test_several_clocks_contribute_to_error(run):
    free, window = (statistics.mean(run["bits"]["4"][way]) for way in ("free", "window"))
    singles = [(free - statistics.mean(each)) / (free - window) for each in run["singles at half"]]
    assert len(singles) == 32 and max(singles) < 0.7
    assert max(singles) + 0.2 < share(run, "band at half", "4")
    assert all(
        abs(each) < 0.05 for each, turns in zip(singles, run["turns"], strict=True) if turns < 0.2
    )
    assert 0.3 < share(run, "faster at half", "4") < 0.8
    assert share(run, "band", "4") < share(run, "band at half", "4") - 0.2


@pytest.mark.parametrize("run", WIDE, ids=lambda run: str(run["seed"]))
def test_yarn_is_worse_than_band_at_higher_cost(run):
    for factor in ("4", "8"):
        assert share(run, "yarn", factor) < share(run, "band at half", factor) - 0.1
    assert price(run, "yarn") > 0.1


@pytest.mark.parametrize("run", WIDE, ids=lambda run: str(run["seed"]))
def test_band_scores_rise_before_last_distance(run):
    added = []
    for distance in range(63):
        of_heads = [
            sum(
                (complex(*head[pair]) * np.exp(1j * distance * 10_000 ** (-pair / 32))).real
                for pair in run["band"]
            )
            for layer in run["mean_products"]
            for head in layer
        ]
        added.append(statistics.mean(of_heads))
    lowest = min(range(63), key=added.__getitem__)
    assert 31 < lowest < 58
    assert added[62] > added[lowest] + 2 and added[31] < added[0] - 5


def test_picture_draws_stored_shares():
    panels = gain_by_turns(WIDE, language="en").axes
    for axes, held in zip(panels, ("singles", "neighbours"), strict=True):
        drawn = {line.get_label(): line for line in axes.lines}
        for run in WIDE:
            free, window = (statistics.mean(run["bits"]["4"][way]) for way in ("free", "window"))
            wanted = [
                100 * (free - statistics.mean(each)) / (free - window)
                for each in run[f"{held} at half"]
            ]
            line = drawn[f"seed {run['seed']}"]
            np.testing.assert_allclose(line.get_ydata(), wanted, atol=1e-9)
            last = run["turns"][len(run["band"]) - 1] if held == "neighbours" else run["turns"][0]
            assert line.get_xdata()[0] == pytest.approx(math.sqrt(run["turns"][0] * last))


def recalled(case, way):
    """Return the proportions of correct answers and of letters further back."""
    found = [run["cases"][case] for run in STORED["recall"]]
    n_texts = sum(each["n_texts"] for each in found)
    return [
        sum(each["counts"][way][i] for each in found) / n_texts
        for i in range(len(found[0]["counts"][way]))
    ]


def test_held_clocks_find_far_mark_unlike_window():
    for case in (3, 4, 8):
        assert recalled(case, "window")[0] < 0.2
        for way in ("all at half", "band at half", "yarn"):
            assert recalled(case, way)[0] > 0.95


def test_held_clocks_cannot_order_two_marks():
    right, other = recalled(7, "all at half")
    assert abs(right - other) < 0.15
    for way in ("band at half", "yarn"):
        assert recalled(7, way)[0] > 0.8
    assert recalled(7, "free")[0] < recalled(7, "free")[1]
    assert recalled(1, "all at half")[0] < recalled(1, "free")[0] - 0.04
    n_texts = sum(run["cases"][0]["n_texts"] for run in STORED["recall"])
    assert 100 * math.sqrt(0.25 / n_texts) < 3.3


def test_lesson_claims_about_larger_models_hold():
    for run in STORED["earlier"]:
        nats = run["nats"]["4"]
        assert abs(nats["band at half"] - nats["window"]) < 0.0075
        assert abs(nats["all at half"] - nats["window"]) < 0.0075
        assert nats["band"] - nats["window"] > 0.1
        turns = [
            (run["trained_length"] - 2) * run["base"] ** (-pair / 32) / (2 * math.pi)
            for pair in range(32)
        ]
        assert run["band"] == [pair for pair, each in enumerate(turns) if 0.2 <= each < 1]
