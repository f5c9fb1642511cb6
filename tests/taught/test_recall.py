"""What lesson 09 says of ALiBi's price is what experiments/recall.py measured."""

import json

import numpy as np
import pytest
from checks.experiment_scripts import EXPERIMENTS, script

STORED = json.loads((EXPERIMENTS / "recall.json").read_text(encoding="utf-8"))
LESSON = {"n_heads": 4, "d_model": 32, "n_layers": 1, "training": 1}
DISTANCES = np.array(STORED["distances"])
CHANCE = 1 / STORED["settings"]["n_letters"]


@pytest.fixture(scope="module")
def recall():
    return script("recall")


def accuracies(task: str, encoding: str, **change: int) -> np.ndarray:
    """Shape (seed, distance)."""
    wanted = {"task": task, "encoding": encoding, **LESSON, **change}
    found = [run["accuracy"] for run in STORED["runs"] if wanted.items() <= run.items()]
    assert len(found) == (1 if change else 5)
    return np.array(found)


# The task. ----------------------------------------------------------------------------------------


def drawn(recall, task: str) -> list[tuple[list[int], int, int]]:
    texts = recall.drawn(task, 500, recall.torch.Generator().manual_seed(3))
    return list(zip(*(each.tolist() for each in texts), strict=True))


@pytest.mark.slow
def test_by_place_the_answer_stands_as_far_back_as_the_question_says(recall):
    asked = {}
    for symbols, answer, distance in drawn(recall, "place"):
        assert len(symbols) == 63 and max(symbols[:-1]) < 16
        assert symbols[-1 - distance] == answer
        asked.setdefault(symbols[-1], set()).add(distance)
    assert sorted(asked.values(), key=min) == [{each} for each in recall.DISTANCES]


@pytest.mark.slow
def test_by_mark_one_letter_has_the_mark_of_the_question_and_three_have_others(recall):
    for symbols, answer, distance in drawn(recall, "mark"):
        marks = [divmod(symbol, 16) for symbol in symbols[:-1]]
        assert sorted(mark for mark, _ in marks if mark) == [1, 2, 3, 4]
        asked = 1 + symbols[-1] - 16 * 5
        (place,) = [place for place, (mark, _) in enumerate(marks) if mark == asked]
        assert (62 - place, marks[place][1]) == (distance, answer)


@pytest.mark.slow
def test_without_positions_the_order_of_the_letters_changes_nothing(recall):
    """And with each of the encodings it does: what they add reaches the answer."""
    torch = recall.torch
    texts = recall.drawn("mark", 4, torch.Generator().manual_seed(0)).symbols
    mixed = torch.cat([texts[:, :-1].flip(1), texts[:, -1:]], dim=1)
    for encoding in recall.ENCODINGS:
        torch.manual_seed(0)
        model = recall.Model(recall.Run("mark", encoding))
        same = torch.allclose(model(texts), model(mixed), atol=1e-4)
        assert same is (encoding == "none"), encoding


@pytest.mark.slow
@pytest.mark.parametrize("n_layers", [1, 2])
def test_rope_and_alibi_know_only_how_far_back_a_letter_stands(recall, monkeypatch, n_layers):
    """Seven places later, the same letters give the same answer: angles and penalties add up."""
    torch = recall.torch
    text = recall.drawn("place", 3, torch.Generator().manual_seed(0)).symbols[:, -40:]
    for encoding in ("rope", "alibi", "sinusoidal"):
        scores = []
        for first in (0, 7):
            torch.manual_seed(0)
            model = recall.Model(recall.Run("place", encoding, n_layers=n_layers))
            for layer in model.layers:
                layer.turns = layer.turns[first : first + 40]
                layer.bias = layer.bias[..., first : first + 40, first : first + 40]
            if model.positions is not None:
                model.positions = model.positions[first : first + 40]
            monkeypatch.setattr(recall, "N_READ", 40)
            scores.append(model(text))
            monkeypatch.undo()
        assert torch.allclose(*scores, atol=1e-4) is (encoding != "sinusoidal"), encoding


# The script. --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_run_of_the_script_is_stored_once(recall):
    wanted = [*recall.main_runs(), *recall.variations()]
    assert [recall.key_of(run) for run in STORED["runs"]] == wanted
    assert STORED["settings"] == recall.SETTINGS
    assert tuple(DISTANCES) == recall.DISTANCES


@pytest.mark.slow
def test_the_first_steps_of_every_training_are_the_stored_ones(recall):
    for each in STORED["runs"]:
        run = recall.key_of(each)
        _, losses = recall.train(run, each["steps"], len(each["first_losses"]))
        assert losses == pytest.approx(each["first_losses"], abs=2e-3), run


@pytest.mark.slow
def test_the_smallest_form_stores_a_run_of_each_kind_and_makes_none_twice(
    recall, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("sys.argv", ["recall.py", "--smallest", "--to", str(tmp_path)])
    for n_lines in (10, 0):  # the second time, nothing is left to do
        recall.main()
        assert len(capsys.readouterr().out.splitlines()) == n_lines
        made = json.loads((tmp_path / "recall.json").read_text(encoding="utf-8"))
        kinds = [(run["task"], run["encoding"]) for run in made["runs"]]
        assert kinds == [(task, each) for task in recall.TASKS for each in recall.ENCODINGS]
    for each in made["runs"]:
        run, n_texts = recall.key_of(each), recall.SMALLEST["tested_texts"]
        model, losses = recall.train(run, each["steps"])
        assert losses == pytest.approx(each["first_losses"], abs=2e-3)
        assert recall.accuracy(model, run, n_texts) == pytest.approx(each["accuracy"], abs=0.05)
        first = next(other for other in STORED["runs"] if recall.key_of(other) == run)
        assert losses[0] == pytest.approx(first["first_losses"][0], abs=2e-3)


@pytest.mark.slow
def test_the_smallest_form_cannot_overwrite_what_is_stored(recall, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["recall.py", "--smallest"])
    with pytest.raises(SystemExit):
        recall.main()
    assert "--to" in capsys.readouterr().err


# What the lesson says. ----------------------------------------------------------------------------


def test_by_mark_alibi_is_not_behind_and_alone_gets_worse_far_back():
    alibi = accuracies("mark", "alibi").mean(axis=0)
    for encoding in ("none", "learned", "sinusoidal", "rope"):
        other = accuracies("mark", encoding).mean(axis=0)
        assert alibi.mean() > other.mean() and alibi[-1] > other[-1] - 0.03
        assert abs(other[:4].mean() - other[-3:].mean()) < 0.05
    assert 0.05 < alibi[:4].mean() - alibi[-3:].mean() < 0.15
    assert np.ptp(accuracies("mark", "alibi", training=4)) < 0.03


@pytest.mark.parametrize("change", [{}, {"n_heads": 8}, {"n_layers": 2}])
def test_by_place_alibi_finds_near_letters_only_and_guesses_far_back(change):
    alibi = accuracies("place", "alibi", **change)
    assert (alibi[:, 0] > 0.3).all()
    assert (abs(alibi[:, DISTANCES >= 12] - CHANCE) < 0.06).all()


def test_by_place_the_encodings_that_know_positions_or_turn_find_far_letters_too():
    for encoding in ("learned", "sinusoidal", "rope"):
        assert accuracies("place", encoding)[:, -3:].mean() > 0.65
    assert accuracies("place", "none").max() < CHANCE + 0.06
