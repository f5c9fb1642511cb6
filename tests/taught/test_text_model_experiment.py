"""How the model that reads was trained and tried, and what its stored numbers say."""

import json
import math

import numpy as np
import pytest
from checks.experiment_scripts import EXPERIMENTS, model_that_reads, script

from course_utils import text_model


@pytest.fixture(scope="module")
def experiment():
    return script("text_model")


@pytest.fixture(scope="module")
def stored():
    return json.loads((EXPERIMENTS / "text_model.json").read_text(encoding="utf-8"))


def main_runs(stored: dict, encoding: str) -> list[dict]:
    """The five runs of one encoding, in the order of their seeds."""
    usual = {"text": "both", "held_out": 9, "trained_length": 64, "d_head": 16}
    runs = [each for each in stored["runs"] if each["encoding"] == encoding]
    return [each for each in runs if usual.items() <= each.items()]


def mean_bits(result: dict, length: int) -> float:
    """Of both languages."""
    return float(np.mean([by_length[str(length)] for by_length in result["bits"].values()]))


# The text. ----------------------------------------------------------------------------------------


def test_the_text_says_the_same_in_both_languages_and_names_its_license():
    both = [
        (EXPERIMENTS / f"text_model_{language}.txt").read_text(encoding="utf-8").splitlines()
        for language in ("en", "es")
    ]
    heads = [[line for line in lines if line.startswith("#")] for lines in both]
    assert all("creativecommons.org/licenses/by/4.0/" in " ".join(head) for head in heads)
    paragraphs = [lines[len(head) :] for lines, head in zip(both, heads, strict=True)]
    assert len(paragraphs[0]) == len(paragraphs[1]) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_stories_stand_each_by_itself_and_name_their_license(experiment, language):
    head = (EXPERIMENTS / f"stories_{language}.txt").read_text(encoding="utf-8").split("\n\n")[0]
    assert "creativecommons.org/licenses/by/4.0/" in head
    stories = experiment.pieces("stories", language)
    assert sum(map(len, stories)) > 150_000 and len(set(stories)) == len(stories) > 250
    assert 300 < min(map(len, stories)) and max(map(len, stories)) < 1000
    assert set(text_model.plain(" ".join(stories))) <= set(text_model.CHARACTERS)


@pytest.mark.slow
@pytest.mark.parametrize(("held_out", "repeated"), [(9, 0), (4, 0.03)])
def test_a_tenth_of_each_text_is_held_out_and_not_trained_on(experiment, held_out, repeated):
    """Tenth 4 has the beginnings of two labs, and all labs begin with the same few sentences."""
    training, trial = experiment.split_text("both", held_out)
    read = written(training)
    assert set(read) == set(text_model.CHARACTERS) and list(trial) == ["prose", "stories"]
    away = {language: "" for language in ("en", "es")}
    for by_language in trial.values():
        assert list(by_language) == ["en", "es"]
        for language, characters in by_language.items():
            away[language] += written(characters)
    for text, by_language in trial.items():
        for language, characters in by_language.items():
            whole = sum(map(len, experiment.pieces(text, language)))
            assert 0.08 < len(characters) / whole < 0.14
            each = written(characters)
            parts = [each[start : start + 64] for start in range(0, len(each) - 64, 64)]
            assert np.mean([part in read for part in parts]) <= repeated
    for language, held in away.items():
        for passage in text_model.held_out_texts(language) if held_out == 9 else ():
            assert text_model.plain(passage) in held


@pytest.mark.slow
def test_one_language_is_split_as_both_are(experiment):
    both, trial = experiment.split_text("both", 9)
    training, alone = experiment.split_text("es", 9)
    assert 0.4 < len(training) / len(both) < 0.6
    for text, by_language in alone.items():
        assert list(by_language) == ["es"]
        assert written(by_language["es"]) == written(trial[text]["es"])


def written(characters) -> str:
    return "".join(text_model.CHARACTERS[index] for index in characters.tolist())


# Training and trial. ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_training_text_has_64_characters_of_which_63_are_read_and_63_guessed(experiment):
    """So that character 65 of a text is the first that nobody trained the model to guess."""
    torch = experiment.torch
    run = experiment.Run("learned")
    model = experiment.Model(run)
    seen = []
    forward = model.forward
    model.forward = lambda indices, **stretch: seen.append(indices) or forward(indices, **stretch)
    text = torch.arange(2000) % len(text_model.CHARACTERS)
    optimizer = experiment.optimizer_of(model, 0.01)
    experiment.step(model, optimizer, text, torch.tensor([0, 7]), run.trained_length)
    (read,) = seen
    assert read.shape == (2, 63) and read[1].tolist() == text[7:70].tolist()
    gradient = model.positions.grad.abs().sum(dim=1)
    assert (gradient[:63] > 0).all() and gradient[63] == 0


@pytest.mark.slow
def test_further_steps_are_made_with_the_stretch_that_is_tried(experiment):
    """With interpolation by 4, the loss of the first step is that of the model so stretched."""
    torch = experiment.torch
    torch.manual_seed(0)
    text = torch.randint(0, 61, (300,))
    stretch = {"way": "interpolation", "factor": 4}
    losses = []
    for given in (stretch, {}):
        model = experiment.Model(experiment.Run("rope", seed=0))
        with torch.no_grad():
            for matrix in model.matrices().values():  # so large that positions matter
                matrix *= 3
        bits, _ = experiment.judged(model, text[None, :256], **stretch)
        optimizer = experiment.optimizer_of(model, 0.01)
        loss = experiment.step(model, optimizer, text, torch.tensor([0]), 256, **given)
        losses.append(loss / math.log(2) == pytest.approx(bits.mean().item(), abs=1e-4))
    assert losses == [True, False]


@pytest.mark.slow
@pytest.mark.parametrize("longest", [256, 512])
def test_every_length_is_tried_on_the_same_characters(experiment, longest):
    text = experiment.torch.arange(5000)
    judged = {
        tuple(experiment.windows(text, length, longest)[:, length // 2 :].flatten().tolist())
        for length in (32, 64, 128, 256)
    }
    (once,) = judged
    assert once == tuple(range(longest // 2, longest // 2 + len(once)))
    assert len(once) > 5000 - longest


@pytest.mark.slow
def test_bits_and_shares_are_what_a_plain_loop_finds(experiment):
    torch = experiment.torch
    model = experiment.Model(experiment.Run("alibi", seed=1))
    texts = torch.randint(0, 61, (3, 8), generator=torch.Generator().manual_seed(0))
    bits, shares = experiment.judged(model, texts)
    mean = 0.0
    found = np.zeros((2, 4))
    for row in range(3):
        attention = []
        with torch.no_grad():
            scores = model(texts[row : row + 1, :7], attention=attention)[0].double()
        for place in range(7):
            probability = scores[place].softmax(0)[texts[row, place + 1]].item()
            assert bits[row, place].item() == pytest.approx(-math.log2(probability), abs=1e-4)
            mean += -math.log2(probability) / 12 if place >= 3 else 0
        for layer, weights in enumerate(attention):
            found[layer] += weights[0, :, [4, 5, 6], [3, 4, 5]].mean(dim=-1).numpy() / 3
    assert experiment.mean_bits(bits) == pytest.approx(mean, abs=1e-3)
    np.testing.assert_allclose(shares, found, atol=1e-6)


@pytest.mark.slow
def test_the_smallest_form_leaves_numbers_and_weights_that_numpy_reads(
    experiment, tmp_path, monkeypatch
):
    monkeypatch.setattr("sys.argv", ["text_model.py", "--smallest", "--to", str(tmp_path)])
    experiment.main()
    made = json.loads((tmp_path / "text_model.json").read_text(encoding="utf-8"))
    assert [run["encoding"] for run in made["runs"]] == list(text_model.ENCODINGS)
    monkeypatch.setattr(text_model, "WEIGHTS", tmp_path / "weights")
    for name in ("header", "weights", "_stored"):
        monkeypatch.setattr(text_model, name, getattr(text_model, name).__wrapped__)
    text, trial = experiment.split_text("both", 9)
    short = {text: {"es": each["es"][:512]} for text, each in trial.items()}
    texts = experiment.windows_of_both(short, "es", 64, experiment.SMALLEST["lengths"][-1])
    for run in made["runs"]:
        model, losses = experiment.train(experiment.Run(run["encoding"]), text, run["steps"])
        assert losses == pytest.approx(run["first_losses"], abs=2e-3)
        kept = text_model.weights(run["encoding"])
        for name, matrix in model.matrices().items():
            largest = matrix.abs().max().item()
            np.testing.assert_allclose(kept[name], matrix.numpy(), atol=largest / 32767)
        measured = text_model.measured_bits(run["encoding"], "es")
        bits, _ = experiment.judged(model, texts)
        assert measured[64] == [run["bits"]["es"]["64"]]
        assert measured[64] == [pytest.approx(experiment.mean_bits(bits), abs=2e-4)]


@pytest.mark.slow
def test_the_smallest_form_cannot_overwrite_what_is_stored(experiment, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["text_model.py", "--smallest"])
    with pytest.raises(SystemExit):
        experiment.main()
    assert "--to" in capsys.readouterr().err


# The stored runs. ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_run_of_the_script_is_stored_once(experiment, stored):
    wanted = [*experiment.main_runs(), *experiment.variations()]
    assert [experiment.key_of(run) for run in stored["runs"]] == wanted
    assert stored["settings"] == experiment.SETTINGS


@pytest.mark.slow
@pytest.mark.slow
def test_the_first_steps_of_every_training_are_the_stored_ones(experiment, stored):
    """Those of one seed, and of every variation of RoPE; another processor may round otherwise."""
    for each in stored["runs"]:
        run = experiment.key_of(each)
        if run.seed == 3 or (run.encoding == "rope" and run != experiment.Run("rope", run.seed)):
            text, _ = experiment.split_text(run.text, run.held_out)
            n_steps, stop = each["steps"], len(each["first_losses"])
            _, losses = experiment.train(run, text, n_steps, stop)
            assert losses == pytest.approx(each["first_losses"], abs=2e-3), run


def with_whole_numbers(pairs: dict) -> dict:
    """Lengths and steps are whole numbers again, which JSON writes as strings."""
    return {int(key) if key.isdigit() else key: value for key, value in pairs.items()}


@pytest.mark.slow
def test_which_sentences_hold_is_what_the_numbers_say(experiment):
    text = (EXPERIMENTS / "text_model.json").read_text(encoding="utf-8")
    for run in json.loads(text, object_hook=with_whole_numbers)["runs"]:
        assert run["holds"] == experiment.holds(run), experiment.key_of(run)


def test_what_the_package_holds_is_what_the_runs_say(stored):
    for encoding in text_model.ENCODINGS:
        runs = main_runs(stored, encoding)
        assert [run["seed"] for run in runs] == [0, 1, 2, 3, 4]
        results = {None: runs}
        for stretch in text_model.STRETCHES if encoding == "rope" else ():
            results[stretch] = [run["stretched"][stretch] for run in runs]
        for stretch, of_seeds in results.items():
            for language in ("en", "es"):
                bits = text_model.measured_bits(encoding, language, stretch)
                by_length = of_seeds[0]["bits"][language]
                assert list(bits) == list(map(int, by_length))
                for length, seeds in bits.items():
                    assert seeds == [each["bits"][language][str(length)] for each in of_seeds]
                for length in (256, 512) if encoding != "learned" else ():
                    curve = text_model.measured_curve(encoding, language, stretch, length=length)
                    curves = [each["curves"][language][str(length)] for each in of_seeds]
                    np.testing.assert_allclose(curve, np.mean(curves, axis=0), atol=1e-3)


@pytest.mark.slow
def test_the_weights_that_are_kept_read_as_the_stored_run_did(experiment, stored):
    """Two bytes a number cost nothing that one sees."""
    _, trial = experiment.split_text("both", 9)
    for encoding in text_model.ENCODINGS:
        texts = experiment.windows_of_both(trial, "es", 64, 512)
        bits, _ = experiment.judged(model_that_reads(encoding), texts)
        before = main_runs(stored, encoding)[0]["bits"]["es"]["64"]
        assert experiment.mean_bits(bits) == pytest.approx(before, abs=2e-3)


# What the numbers say. ----------------------------------------------------------------------------

FALSE_IN = {
    "rope seed=1": ["50 steps leave RoPE as trained much to lose at 4 L"],
    "rope seed=4": ["50 steps leave RoPE as trained much to lose at 4 L"],
    "rope trained_length=32": [
        "loses less than much at 2 L",
        "NTK loses little at 2 L",
        "YaRN loses little at 2 L",
        "interpolation makes 2 L worse",
        "at 4 L NTK and YaRN lose less than the other two",
        "10 steps leave YaRN little to lose at 4 L",
    ],
    "rope trained_length=128": [
        "loses less than much at 2 L",
        "NTK loses little at 2 L",
        "10 steps leave YaRN little to lose at 4 L",
        "50 steps leave RoPE as trained much to lose at 4 L",
    ],
    "rope d_head=14": [
        "loses less than much at 2 L",
        "NTK loses little at 2 L",
        "YaRN loses little at 2 L",
        "interpolation makes 2 L worse",
        "at 4 L NTK and YaRN lose less than the other two",
        "10 steps leave YaRN little to lose at 4 L",
        "50 steps leave RoPE as trained much to lose at 4 L",
    ],
    "rope d_head=18": [
        "loses less than much at 2 L",
        "NTK loses little at 2 L",
        "50 steps leave RoPE as trained much to lose at 4 L",
    ],
}
"""The sentences of ``holds`` that are false of a run; all others are true of all runs."""


def label(experiment, run: dict) -> str:
    """The encoding, and what differs from the run with seed 0."""
    usual = experiment.Run(run["encoding"])._asdict()
    changed = [f"{name}={run[name]}" for name in usual if run[name] != usual[name]]
    return " ".join([run["encoding"], *changed])


@pytest.mark.slow
def test_the_sentences_hold_in_all_runs_but_those_that_are_named(experiment, stored):
    wrong = {
        label(experiment, run): [sentence for sentence, true in run["holds"].items() if not true]
        for run in stored["runs"]
    }
    assert len(wrong) == len(stored["runs"])
    assert {name: sentences for name, sentences in wrong.items() if sentences} == FALSE_IN


def test_within_the_trained_length_rope_reads_best_and_no_encoding_worst_with_every_seed(stored):
    at_64 = {
        encoding: [mean_bits(run, 64) for run in main_runs(stored, encoding)]
        for encoding in text_model.ENCODINGS
    }
    others = at_64["learned"] + at_64["sinusoidal"] + at_64["alibi"]
    assert max(at_64["rope"]) < min(others) and max(others) < min(at_64["none"])


@pytest.mark.parametrize(
    ("length", "order"),
    [
        (128, ["alibi", "rope", "none", "sinusoidal"]),
        (256, ["alibi", "none", "rope"]),
        (512, ["alibi", "none", "sinusoidal", "rope"]),
    ],
)
def test_beyond_it_alibi_reads_best_and_from_4_times_on_none_beats_rope(stored, length, order):
    """With every seed; a model without positions is lost nowhere, and good nowhere."""
    bits = [[mean_bits(run, length) for run in main_runs(stored, each)] for each in order]
    for better, worse in zip(bits, bits[1:], strict=False):
        assert max(better) < min(worse)


@pytest.mark.parametrize(("length", "order"), [(128, ["ntk", "yarn"]), (512, ["yarn", "ntk"])])
def test_ntk_is_best_at_twice_the_length_and_yarn_at_eight_times(stored, length, order):
    for run in main_runs(stored, "rope"):
        bits = {way: mean_bits(result, length) for way, result in run["stretched"].items()}
        bits["trained"] = mean_bits(run, length)
        assert sorted(bits, key=bits.get)[:2] == order, run["seed"]
