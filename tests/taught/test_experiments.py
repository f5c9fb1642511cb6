"""Tests that the runs of experiments/ are stored once, and that parts of them are reproducible."""

import json
from itertools import product

import numpy as np
import pytest
from checks.experiment_scripts import EXPERIMENTS, model_that_reads, script

from course_utils import text_model
from course_utils.text_model import stored as stored_numbers

pytestmark = pytest.mark.slow


def stored(name: str) -> dict:
    return json.loads((EXPERIMENTS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a script in its smallest form and return the stored results."""

    def smallest(name: str) -> list[dict]:
        monkeypatch.setattr("sys.argv", [name, "--smallest", "--to", str(tmp_path)])
        script(name).main()
        return json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))["runs"]

    return smallest


# The step selects the runs that are checked; they include all tasks and all encodings.
@pytest.mark.parametrize(("name", "step"), [("recall", 7), ("text_model", 8), ("which_clock", 11)])
def test_runs_are_stored_once_first_steps_match(name, step):
    experiment, runs = script(name), stored(name)["runs"]
    if name == "which_clock":
        wanted = experiment.runs()
    else:
        wanted = [*experiment.main_runs(), *experiment.variations()]
    assert [experiment.key_of(each) for each in runs] == [*wanted]
    assert stored(name)["settings"] == experiment.SETTINGS
    for each in runs[::step]:
        key = experiment.key_of(each)
        texts = () if name == "recall" else experiment.split_text(key.text, key.held_out)[:1]
        _, losses = experiment.train(key, *texts, each["steps"], len(each["first_losses"]))
        # Other processors round differently.
        assert losses == pytest.approx(each["first_losses"], abs=2e-3), key


# The small model. ---------------------------------------------------------------------------------


def test_missing_run_of_small_model_is_reproduced(tmp_path, monkeypatch):
    """The test uses the shortest run; a few answers may differ on other processors."""
    small_model, before = script("small_model"), stored("small_model")
    assert before["settings"] == small_model.SETTINGS
    encodings = [*small_model.TRAINED, *list(small_model.ROPE)[1:]]
    by_key = {(each["task"], each["encoding"], each["seed"]): each for each in before["results"]}
    assert sorted(by_key) == sorted(product(small_model.TASKS, encodings, small_model.SEEDS))
    assert len(by_key) == len(before["results"])
    for key, each in [item for item in by_key.items() if "first_losses" in item[1]][::16]:
        _, losses = small_model.train(*key, len(each["first_losses"]))
        assert losses == pytest.approx(each["first_losses"], abs=2e-3), key
    missing = by_key.pop(("which-first", "none", 0))
    monkeypatch.setattr(small_model, "STORED", tmp_path / "small_model.json")
    small_model.write(before | {"results": [*by_key.values()]})
    small_model.main()
    made = json.loads(small_model.STORED.read_text())["results"]
    (again,) = (each for each in made if each not in by_key.values())
    assert len(made) == len(by_key) + 1
    assert again["accuracy"] == pytest.approx(missing["accuracy"], abs=0.05)


# Runs with --smallest. ----------------------------------------------------------------------------


def test_recall_stores_each_run_once(run, capsys):
    recall = script("recall")
    for n_lines in (10, 0):  # the second time, nothing is left to do
        kinds = [(each["task"], each["encoding"]) for each in run("recall")]
        assert kinds == [*product(recall.TASKS, recall.ENCODINGS)]
        assert len(capsys.readouterr().out.splitlines()) == n_lines


def test_which_clock_reproduces_stored_runs(run):
    (made,), usual = run("which_clock"), stored("which_clock")["runs"][0]
    assert {key: type(value) for key, value in made.items()} == {
        key: type(value) for key, value in usual.items()
    }
    assert made["turns"] == usual["turns"]
    bits = made["bits"]
    assert bits["held"][made["blamed"]] == min(bits["held"])
    assert bits["all"] != bits["beyond"] != bits["window"]


def test_numpy_reads_weights_of_character_model(run, tmp_path, monkeypatch):
    made = run("text_model")
    assert [each["encoding"] for each in made] == list(text_model.ENCODINGS)
    monkeypatch.setattr(stored_numbers, "WEIGHTS", tmp_path / "weights")
    for name in ("header", "weights", "_stored"):
        monkeypatch.setattr(stored_numbers, name, getattr(stored_numbers, name).__wrapped__)
    for each in made:
        assert stored_numbers.weights(each["encoding"])["characters"].any()
        bits = stored_numbers.measured_bits(each["encoding"], "es")
        assert bits[64] == [each["bits"]["es"]["64"]]


def test_tenth_of_each_text_is_held_out():
    experiment = script("text_model")

    def written(characters) -> str:
        return "".join(text_model.CHARACTERS[index] for index in characters.tolist())

    training, trial = experiment.split_text("both", 9)
    read, held_out = written(training), {"en": "", "es": ""}
    assert set(read) == set(text_model.CHARACTERS) and list(trial) == ["prose", "stories"]
    for text, by_language in trial.items():
        for language, characters in by_language.items():
            each = written(characters)
            assert 0.08 < len(each) / sum(map(len, experiment.pieces(text, language))) < 0.14
            assert not any(each[i : i + 64] in read for i in range(0, len(each) - 64, 256))
            held_out[language] += each
    for language, text in held_out.items():
        for passage in text_model.held_out_texts(language):
            assert text_model.plain(passage) in text


def test_stored_weights_reproduce_stored_run(tmp_path):
    """Storing weights in two bytes has no visible effect on the results."""
    experiment = script("text_model")
    _, trial = experiment.split_text("both", 9)
    texts = experiment.windows_of_both(trial, "es", 64, 512)
    for usual in stored("text_model")["runs"][: len(text_model.ENCODINGS)]:
        encoding = usual["encoding"]
        model = model_that_reads(encoding)
        experiment.store_weights(model, tmp_path)
        kept = (text_model.WEIGHTS / f"{encoding}.bin").read_bytes()
        assert (tmp_path / f"{encoding}.bin").read_bytes() == kept
        bits, _ = experiment.judged(model, texts)
        assert experiment.mean_bits(bits) == pytest.approx(usual["bits"]["es"]["64"], abs=2e-3)
        text = "".join(text_model.CHARACTERS[index] for index in texts[0].tolist())
        reading = text_model.read(text, encoding)
        np.testing.assert_allclose(bits[0], reading.bits, atol=1e-3)
        _, shares = experiment.judged(model, texts[:1])
        one_back = np.diagonal(reading.attention, -1, -2, -1)[..., 31:62]
        np.testing.assert_allclose(shares, one_back.mean(axis=-1), atol=1e-3)
