"""The labs answer: right in any form is right, known mistakes are named, nothing raises."""

from __future__ import annotations

import ast
import contextlib
import math
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from bs4 import BeautifulSoup
from course_utils.labs.catalogue import EXERCISES, LABS
from course_utils.labs.judging import ERROR_KINDS, judge
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies
from net.outputs import html_problems, plain_problems
from net.parity import texts_problems
from net.pictures import touches_an_edge

import course_utils.labs
from course_utils import sinusoidal_encoding
from course_utils.labs import check, exercises, grade, hint
from course_utils.labs.exercise import Exercise, Misconception, WrongWay

TEXTS = tomllib.loads(
    (Path(course_utils.labs.__file__).parent / "texts.toml").read_text(encoding="utf-8")
)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the progress of this test alone."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    return tmp_path


# Right answers, as different people write them ---------------------------------------------------


def by_loops(n_positions: int, d_model: int) -> list[list[float]]:
    table = []
    for p in range(n_positions):
        row = []
        for k in range(d_model // 2):
            row.append(math.sin(p / 10_000 ** (2 * k / d_model)))
            row.append(math.cos(p / 10_000 ** (2 * k / d_model)))
        table.append(row)
    return table


def by_exp_and_log(n_positions: int, d_model: int) -> np.ndarray:
    frequencies = np.exp(-math.log(10_000) * np.arange(0, d_model, 2) / d_model)
    angles = np.arange(n_positions)[:, None] * frequencies
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(n_positions, d_model)


def in_float32(n_positions: int, d_model: int) -> np.ndarray:
    exponents = np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model)
    angles = np.arange(n_positions, dtype=np.float32)[:, None] / np.float32(10_000) ** exponents
    table = np.zeros((n_positions, d_model), np.float32)
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    assert table.dtype == np.float32
    return table


def by_complex_numbers(n_positions: int, d_model: int) -> np.ndarray:
    frequencies = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    turned = np.exp(1j * np.outer(np.arange(n_positions), frequencies))
    return np.dstack([turned.imag, turned.real]).reshape(n_positions, d_model)


def by_shifting_bits(n_positions: int, d_model: int) -> np.ndarray:
    return np.array(
        [[position >> bit & 1 for bit in range(d_model)] for position in range(n_positions)]
    )


def by_text(n_positions: int, d_model: int) -> list[list[int]]:
    return [
        [int(digit) for digit in reversed(format(position, f"0{d_model}b"))]
        for position in range(n_positions)
    ]


def by_counting_up(n_positions: int) -> int:
    d_model = 0
    while 2**d_model < n_positions:
        d_model += 1
    return d_model


def share_in_fractions(n_positions: int, d_model: int) -> list[list[Fraction]]:
    last = max(n_positions - 1, 1)
    return [[Fraction(position, last)] * d_model for position in range(n_positions)]


def shift_by_kron(offset: int, d_model: int) -> np.ndarray:
    matrix = np.zeros((d_model, d_model))
    for k in range(d_model // 2):
        angle = offset * 10_000 ** (-2 * k / d_model)
        place = np.diag(np.eye(d_model // 2)[k])
        rotation = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        matrix += np.kron(place, rotation)
    return matrix


def closed_form_by_table(offsets: np.ndarray, d_model: int) -> list[float]:
    start = 200
    rows = np.array(by_loops(401, d_model))
    return [rows[start + offset] @ rows[start] for offset in offsets]


class WithEinsum:
    def __init__(self, max_length: int, d_model: int) -> None:
        self.positions = np.array(by_loops(max_length, d_model))

    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        if word_vectors.shape[-2] > len(self.positions):
            raise ValueError
        return np.einsum("...ij->...ij", word_vectors) + self.positions[: word_vectors.shape[-2]]


def rotate_as_complex(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    turned = (vectors[:, 0] + 1j * vectors[:, 1]) * np.exp(1j * positions)
    return np.column_stack([turned.real, turned.imag])


def rotate_one_by_one(vectors: np.ndarray, positions: np.ndarray) -> list[tuple[float, float]]:
    return [
        (x * math.cos(p) - y * math.sin(p), x * math.sin(p) + y * math.cos(p))
        for (x, y), p in zip(vectors, positions, strict=True)
    ]


RIGHT: list[tuple[str, object]] = [
    ("row-by-hand", [0.1411, -0.9900, 0.2955, 0.9553, 0.0300, 0.9996, 0.0030, 1.0000]),
    ("row-by-hand", np.array(by_loops(4, 8))[3].astype(np.float32)),
    (
        "angular-frequencies",
        lambda d_model: [10_000 ** (-2 * k / d_model) for k in range(d_model // 2)],
    ),
    ("angular-frequencies", lambda d: np.geomspace(1, 10_000 ** (2 / d - 1), d // 2)),
    (
        "angular-frequencies",
        lambda d: 1 / np.power(10_000, np.arange(0, d, 2) / d, dtype=np.float32),
    ),
    (
        "angular-frequencies",
        lambda *sizes: tuple(1e4 ** -(j / sizes[0]) for j in range(0, sizes[0], 2)),
    ),
    ("sinusoidal-encoding", by_loops),
    ("sinusoidal-encoding", by_exp_and_log),
    ("sinusoidal-encoding", in_float32),
    ("sinusoidal-encoding", by_complex_numbers),
    ("sinusoidal-encoding", lambda n, d: np.asfortranarray(by_exp_and_log(n, d)).astype(">f8")),
    ("sinusoidal-encoding", lambda n_positions, d_model=16: by_loops(n_positions, d_model)),
    ("index-encoding", lambda n, d: [[i] * d for i in range(n)]),
    ("index-encoding", lambda n, d: np.indices((n, d))[0].astype(np.uint8)),
    ("index-encoding", lambda n, d: np.arange(n).repeat(d).reshape(n, d)),
    (
        "word-share",
        lambda word, position: math.hypot(*word) / (math.hypot(*word) + math.hypot(*position)),
    ),
    ("word-share", lambda w, p: [np.linalg.norm(w) / (np.linalg.norm(w) + np.linalg.norm(p))][0]),
    ("normalized-encoding", share_in_fractions),
    ("normalized-encoding", lambda n, d: np.tile(np.linspace(0, 1, n)[:, None], d)),
    ("largest-change", lambda e, n, m, d: max(abs(e(m, d)[:n] - e(n, d)).flatten())),
    ("bits-needed", by_counting_up),
    ("bits-needed", lambda n_positions: (n_positions - 1).bit_length()),
    ("bits-needed", lambda n: float(np.ceil(np.log2(n)))),
    ("binary-encoding", by_shifting_bits),
    ("binary-encoding", by_text),
    ("binary-encoding", lambda n, d: (np.arange(n)[:, None] & (1 << np.arange(d))) > 0),
    ("flips-per-step", lambda table: np.abs(np.diff(table, axis=0)).sum(1)),
    ("flips-per-step", lambda t: [sum(a != b for a, b in zip(x, y)) for x, y in zip(t, t[1:])]),  # noqa: B905
    ("dot-products-at-distance", lambda t, k: np.diag(t @ t.T, k)),
    ("dot-products-at-distance", lambda t, k: [t[i] @ t[i + k] for i in range(len(t) - k)]),
    ("shift-matrix", shift_by_kron),
    ("shift-matrix", lambda offset, d: shift_by_kron(-offset, d).T.tolist()),
    ("dot-product-by-offset", closed_form_by_table),
    ("similarity", lambda t, p: np.array([row @ t[p] for row in t]) / np.square(t[p]).sum()),
    ("arithmetic-frequencies", lambda d: np.linspace(1, 2 / d, d // 2)),
    ("arithmetic-frequencies", lambda d: [1 - 2 * k / d for k in range(d // 2)]),
    (
        "most-similar-distance",
        lambda f, a, b: max(range(a, b + 1), key=lambda s: np.cos(s * f).sum()),
    ),
    ("base-for-length", lambda n, d: math.exp(math.log(n / math.tau) * d / (d - 2))),
    ("distinct-positions", lambda n: len({float(np.float16(i)) for i in range(n)})),
    ("positional-encoding", WithEinsum),
    ("look-back-scores", lambda table, weights: [[q @ weights @ k for k in table] for q in table]),
    ("look-back-weights", shift_by_kron),
    (
        "share-looking-back",
        lambda s, k: sum(s[i].argmax() == i - k for i in range(k, len(s))) / (len(s) - k),
    ),
    ("rotate-pair", rotate_as_complex),
    ("rotate-pair", rotate_one_by_one),
]


@pytest.mark.parametrize(("exercise_id", "answer"), RIGHT)
def test_a_right_answer_is_right_in_any_honest_form(exercise_id: str, answer: object) -> None:
    feedback = check(exercise_id, answer)
    assert feedback.solved, feedback.message("en")
    assert feedback.misconceptions == ()


def test_every_exercise_is_solved_in_some_way_above() -> None:
    others = {"angle-error"}  # whose one way is in its solution
    assert {exercise_id for exercise_id, _ in RIGHT} | others == set(exercises())


# What learners wrote that was taken for right, or for wrong --------------------------------------


@pytest.mark.parametrize(
    ("exercise_id", "answer"),
    [
        ("largest-change", lambda e, n, m, d: (e(n, d) - e(m, d)[:n]).max()),
        ("largest-change", lambda e, n, m, d: (e(m, d)[:n] - e(n, d)).max()),
        ("largest-change", lambda e, n, m, d: abs((e(m, d)[:n] - e(n, d)).max())),
        ("angle-error", lambda p, d: (exact_angles(p, d) - rounded_angles(p, d)).max()),
        ("angle-error", lambda p, d: (rounded_angles(p, d) - exact_angles(p, d)).max()),
    ],
)
def test_a_difference_that_keeps_its_sign_is_not_accepted(
    exercise_id: str, answer: Callable
) -> None:
    assert not check(exercise_id, answer).solved


@pytest.mark.parametrize("first", [False, True])
def test_a_sign_that_is_kept_is_named_whichever_is_subtracted(first: bool) -> None:
    def change(encoding: Callable, n_positions: int, longer: int, d_model: int) -> float:
        rows = encoding(longer, d_model)[:n_positions] - encoding(n_positions, d_model)
        return (-rows if first else rows).max()

    feedback = check("largest-change", change)
    assert feedback.misconceptions == ("sign-kept-in-maximum",)


def exact_angles(position: int, d_model: int) -> np.ndarray:
    return position * 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)


def rounded_angles(position: int, d_model: int) -> np.ndarray:
    return np.float32(position) * exact_angles(1, d_model).astype(np.float32)


def encoding_class(refuse: Callable[[int, int], bool]) -> type:
    class Encoding(WithEinsum):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            n_words = word_vectors.shape[-2]
            if refuse(n_words, len(self.positions)):
                raise ValueError
            return word_vectors + self.positions[:n_words]

    return Encoding


def test_a_class_has_to_refuse_what_numpy_would_stretch_and_no_more() -> None:
    assert check("positional-encoding", encoding_class(lambda n, rows: n > rows)).solved
    unguarded = judge(EXERCISES["positional-encoding"], encoding_class(lambda n, rows: False))
    assert unguarded.key == "does-not-raise" and "(1, 8)" in unguarded.details["call"]
    assert unguarded.misconceptions == ("one-row-stretched",)
    assert not check("positional-encoding", encoding_class(lambda n, rows: n >= rows)).solved


def test_distance_zero_is_tried_where_everybody_can_see_it() -> None:
    feedback = check("dot-products-at-distance", lambda t, k: (t[:-k] * t[k:]).sum(1))
    assert feedback.misconceptions == ("minus-zero",)
    feedback = check(
        "dot-products-at-distance",
        lambda t, k: [a @ b for a, b in zip(t[:-k], t[k:], strict=False)],
    )
    assert feedback.misconceptions == ("minus-zero",)


def test_bits_are_whole_numbers_so_their_operators_work() -> None:
    assert check("flips-per-step", lambda table: (table[1:] ^ table[:-1]).sum(1)).solved


@pytest.mark.parametrize(
    ("exercise_id", "answer"),
    [
        ("share-looking-back", lambda scores, k: 0),
        ("normalized-encoding", lambda n, d: np.zeros((n, d))),
        ("distinct-positions", lambda n: 0),
        ("bits-needed", lambda n: 7),
    ],
)
def test_two_mistakes_are_not_read_into_a_single_number(exercise_id: str, answer: object) -> None:
    assert len(check(exercise_id, answer).misconceptions) <= 1


NAMED: list[tuple[str, Callable, str]] = [
    ("most-similar-distance", lambda f, a, b: 0, "begins-at-zero"),
    ("distinct-positions", lambda n: n, "float32-for-float16"),
    ("binary-encoding", lambda n, d: by_shifting_bits(n, d - 1), "column-missing"),
    ("look-back-weights", lambda k, d: shift_by_kron(-k, d), "weights-look-ahead"),
    ("rotate-pair", lambda v, p: rotate_as_complex(v, -p), "turned-backwards"),
    ("bits-needed", lambda n: round(math.log2(n)), "one-bit-too-few"),
    (
        "angular-frequencies",
        lambda d: [10_000.0 ** (-2 * k // d) for k in range(d // 2)],
        "integer-division",
    ),
]


@pytest.mark.parametrize(("exercise_id", "answer", "named"), NAMED)
def test_what_learners_wrote_is_named_for_what_it_is(
    exercise_id: str, answer: Callable, named: str
) -> None:
    assert check(exercise_id, answer).misconceptions == (named,)


def test_printing_without_returning_is_told_apart_from_nothing() -> None:
    def printing(n_positions: int, d_model: int) -> None:
        print(by_loops(n_positions, d_model))

    def warning(n_positions: int, d_model: int) -> None:
        print("careful", file=sys.stderr)

    assert judge(EXERCISES["sinusoidal-encoding"], printing).key == "prints-only"
    assert judge(EXERCISES["sinusoidal-encoding"], warning).key == "not-attempted"
    assert judge(EXERCISES["row-by-hand"], None).key == "empty-value"


def test_a_single_number_and_an_array_are_told_apart() -> None:
    verdict = judge(EXERCISES["word-share"], lambda word, position: word)
    assert verdict.key == "number-expected"
    feedback = check("word-share", lambda word, position: word)
    assert "should be a single number, and its shape is (2,)" in feedback.message("en")


def test_another_exception_than_the_one_asked_for_is_named() -> None:
    class Asserting(WithEinsum):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            assert word_vectors.shape[-2] <= len(self.positions)
            return word_vectors + self.positions[: word_vectors.shape[-2]]

    feedback = check("positional-encoding", Asserting)
    assert "should raise ValueError, and raises AssertionError" in feedback.message("en")
    assert "assert word_vectors" in feedback.code


def test_an_object_instead_of_its_class_is_told_so() -> None:
    verdict = judge(EXERCISES["positional-encoding"], WithEinsum(10, 8))
    assert verdict.key == "not-a-class"


def test_the_row_by_hand_is_not_given_away() -> None:
    feedback = check("row-by-hand", [0.5] * 8)
    assert "entry [0] is not right yet; it is 0.5" in feedback.message("en")
    assert "0.1411" not in feedback.shown().html and feedback.picture is None


def test_a_call_can_be_repeated_where_that_is_simple() -> None:
    feedback = check("flips-per-step", lambda table: table[1:, 0])
    assert "flips_per_step(binary_encoding(8, 4))" in feedback.message("en")
    feedback = check("look-back-scores", lambda table, weights: table)
    assert "Aquí weights es un array de forma (4, 4)" in feedback.message("es")


# Misconceptions ----------------------------------------------------------------------------------


def as_answer(exercise: Exercise, implementation: Callable) -> object:
    """What somebody would hand in whose implementation this is."""
    if not exercise.parameters:
        return implementation(*exercise.cases[0])
    if exercise.called_with:
        return lambda *made_with: lambda *called_with: implementation(*made_with, *called_with)
    return implementation


def tried_ways(exercise: Exercise) -> Iterator[WrongWay]:
    """All wrong ways, but of the many other bases only the first."""
    for way in exercise.wrong_ways():
        if way.choices.get("base", 1e3) == 1e3:
            yield way


ALIKE = {
    # The divisor of a sentence of one word is its length, 1, so nothing is left to guard.
    "normalized-encoding": {("divided-by-length", "one-word")},
    # What stays the same has no sign.
    "flips-per-step": {("sign-kept", "unchanged-counted")},
    # 1000 to the power of 2 x is 1000000 to the power of x: another base, and a single mistake.
    "angular-frequencies": {
        ("exponent-doubled", "another-base"),
        # Twice as many pairs have twice the exponents.
        ("exponent-doubled", "frequency-per-column"),
        # Rounded down, half of an exponent is the same whole number.
        ("exponent-halved", "integer-division"),
        # With a frequency for each column there are no pairs to count.
        ("frequency-per-column", "pairs-from-one"),
    },
    "sinusoidal-encoding": {
        ("exponent-doubled", "another-base"),
        ("exponent-halved", "integer-division"),
        ("frequencies-multiplied", "integer-division"),
    },
    # With one angle for all pairs, no frequency but the first, which is 1, comes in.
    "shift-matrix": {
        ("one-angle", "exponent-doubled"),
        ("one-angle", "exponent-halved"),
        ("one-angle", "frequencies-multiplied"),
        ("one-angle", "another-base"),
        ("exponent-doubled", "another-base"),
    },
    "dot-product-by-offset": {
        ("one-angle", "exponent-doubled"),
        ("one-angle", "exponent-halved"),
        ("one-angle", "frequencies-multiplied"),
        ("one-angle", "another-base"),
        ("exponent-doubled", "another-base"),
        # The mean of equal cosines is one of them.
        ("mean-for-sum", "one-angle"),
        *(
            ("first-pair-only", without_frequencies)
            for without_frequencies in (
                "exponent-doubled",
                "exponent-halved",
                "frequencies-multiplied",
                "another-base",
            )
        ),
    },
    # A frequency for each column already divides by the number of columns.
    "arithmetic-frequencies": {("frequency-per-column", "divided-by-dimensions")},
    # In degrees the most similar distance is the shortest; the longest does not matter.
    "most-similar-distance": {("last-left-out", "degrees")},
    # With the exponent 1 there is nothing to turn upside down.
    "base-for-length": {("longest-wave-of-base", "exponent-inverted")},
    # float32 loses no position, wherever the counting begins.
    "distinct-positions": {("float32-for-float16", "positions-from-one")},
    # The words are counted on the wrong axis: which wrong one does not matter any more.
    "positional-encoding": {
        ("missing-batch-axis", "batch-axis-assumed"),
        # Begun one row later, a table of one row is empty, and that NumPy refuses.
        ("one-row-stretched", "positions-from-one"),
    },
    # Without weights, scores are symmetric.
    "look-back-scores": {("queries-keys-swapped", "weights-unused")},
    # All are turned by one angle, wherever the counting begins.
    "rotate-pair": {("position-ignored", "positions-from-one")},
}
"""Pairs of misconceptions with the same output as something simpler, which is then named."""


def gives_one_number(exercise: Exercise, way: WrongWay) -> bool:
    """Whether all that comes out, in all cases, is the same number."""
    numbers = []
    for arguments in exercise.cases:
        with contextlib.suppress(ValueError, IndexError):
            numbers.append(np.ravel(way.function(*arguments)))
    return np.unique(np.concatenate(numbers)).size <= 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the wrong ways themselves
@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_each_misconception_is_named_alone_and_with_each_other_one(exercise_id: str) -> None:
    exercise = EXERCISES[exercise_id]
    taken_for_others = {}
    for way in tried_ways(exercise):
        verdict = judge(exercise, as_answer(exercise, way.function))
        if len(way.misconceptions) > 1 and gives_one_number(exercise, way):
            assert len(verdict.misconceptions) <= 1
            continue
        assert verdict.misconceptions, f"{way.misconceptions} is not named"
        if verdict.misconceptions != way.misconceptions:
            taken_for_others[way.misconceptions] = verdict.misconceptions
    assert set(taken_for_others) == ALIKE.get(exercise_id, set())
    for names, named in taken_for_others.items():
        assert len(named) < len(names)


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_the_reference_is_its_own_solution(exercise_id: str) -> None:
    exercise = EXERCISES[exercise_id]
    assert judge(exercise, as_answer(exercise, exercise.reference)).solved


@pytest.mark.parametrize("base", [1000, 10, math.e, 1_000_000])
def test_another_base_is_named_with_the_base(base: float) -> None:
    feedback = check("angular-frequencies", lambda d: base ** (-np.arange(0, d, 2) / d))
    assert feedback.misconceptions == ("another-base",)
    shown = str(base) if isinstance(base, int) else f"{base:.5g}"
    assert f"base {shown}." in feedback.message("en") and shown in feedback.message("es")


def test_a_mistake_that_nobody_foresaw_shows_where_it_parts() -> None:
    def off(n_positions: int, d_model: int) -> np.ndarray:
        table = by_exp_and_log(n_positions, d_model)
        table[2:, 3] += 0.5
        return table

    feedback = check("sinusoidal-encoding", off)
    assert not feedback.solved and feedback.misconceptions == ()
    for language in ("en", "es"):
        for shown in ("sinusoidal_encoding(5, 4)", "[2, 3]", "0.9998", "1.4998"):
            assert shown in feedback.message(language)
    shown = feedback.shown()
    assert shown.png is not None and 'alt="' in shown.html
    assert html_problems(shown.html) == [] and plain_problems(shown.plain) == []


def test_a_misconception_that_shows_as_an_error_keeps_the_learners_line() -> None:
    class ForBatches(WithEinsum):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            return word_vectors + self.positions[: word_vectors.shape[1]]

    feedback = check("positional-encoding", ForBatches)
    assert feedback.misconceptions == ("batch-axis-assumed", "one-row-stretched")
    assert "PositionalEncoding(10, 8)(word_vectors)" in feedback.message("en")
    assert "Here word_vectors is an array of shape (5, 8)" in feedback.message("en")
    assert "return word_vectors + self.positions" in feedback.code


def test_feedback_writes_out_what_a_function_was_called_with() -> None:
    feedback = check("word-share", lambda word, position: 0.5)
    assert "word_share(np.array([3.0, 4.0]), np.array([5.0, 12.0]))" in feedback.message("en")


def test_feedback_shows_the_learners_own_numbers() -> None:
    feedback = check("sinusoidal-encoding", lambda n, d: by_exp_and_log(n + 1, d)[1:])
    assert feedback.misconceptions == ("positions-from-one",)
    assert "should be 0 and is 0.84147" in feedback.message("en")
    assert "debería ser 0 y es 0.84147" in feedback.message("es")


# Whatever comes back -----------------------------------------------------------------------------


class Quarrelsome:
    """Raises whatever one does with it."""

    def _refuse(self, *args: object, **kwargs: object) -> None:
        raise RuntimeError("leave me alone")

    __eq__ = __len__ = __iter__ = __array__ = __float__ = __bool__ = __repr__ = __str__ = _refuse
    __hash__ = __getitem__ = __class_getitem__ = __index__ = __getattr__ = _refuse


class QuarrelsomeError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Leaving:
    """Raises what is no Exception, whatever one does with it."""

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def _leave(self, *args: object, **kwargs: object) -> None:
        raise self.error

    __len__ = __iter__ = __array__ = __float__ = __repr__ = __str__ = __getitem__ = _leave


class LeavingError(Exception):
    def __str__(self) -> str:
        raise SystemExit


class Mirrors:
    """A sequence of two of itself, so that there is always more to look at."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: object) -> Mirrors:
        return self


MIRRORS: list = []
MIRRORS += [MIRRORS, MIRRORS]


def raise_leaving(n: int, d: int) -> None:
    raise LeavingError


def close_stdout(n: int, d: int) -> object:
    print("closed next")
    sys.stdout.close()
    sys.stderr.close()
    return by_loops(n, d)[::-1]


def raise_quarrel(n: int, d: int) -> None:
    raise QuarrelsomeError


def recurse(n: int, d: int) -> object:
    return recurse(n, d)


def stop(n: int, d: int) -> None:
    raise KeyboardInterrupt


def endless(n: int, d: int) -> Iterator[int]:
    while True:
        yield n


def filled(value: object) -> Callable:
    return lambda n, d: np.full((n, d), value)


ANYTHING: dict[str, tuple[object, str]] = {
    "nothing": (None, "not-attempted"),
    "an ellipsis": (..., "not-attempted"),
    "a function that returns nothing": (lambda n, d: None, "not-attempted"),
    "a function for later": (
        lambda n, d: (_ for _ in ()).throw(NotImplementedError),
        "not-attempted",
    ),
    "a number": (3, "not-a-function"),
    "a table": (by_exp_and_log(5, 4), "not-a-function"),
    "text": ("sinusoidal_encoding", "not-a-function"),
    "a quarrelsome object": (Quarrelsome(), "not-a-function"),
    "one parameter": (lambda n: n, "wrong-parameters"),
    "three parameters": (lambda n, d, base: n, "wrong-parameters"),
    "only keywords": (lambda *, n_positions, d_model: 1, "wrong-parameters"),
    "sometimes nothing": (lambda n, d: by_loops(n, d) if n < 50 else None, "nothing"),
    "words": (lambda n, d: "sin", "text"),
    "bytes": (lambda n, d: b"sin", "text"),
    "numbers as text": (lambda n, d: [["0"] * d] * n, "text"),
    "a generator": (endless, "generator"),
    "a map": (lambda n, d: map(abs, range(n)), "generator"),
    "ragged rows": (lambda n, d: [[0.0] * i for i in range(n)], "ragged"),
    "a dictionary": (lambda n, d: {0: 1}, "not-numbers"),
    "a set": (lambda n, d: {0.0, 1.0}, "not-numbers"),
    "complex numbers": (filled(1j), "not-numbers"),
    "dates": (lambda n, d: np.zeros((n, d), "datetime64[s]"), "not-numbers"),
    "a function": (lambda n, d: math.sin, "not-numbers"),
    "an object that raises": (lambda n, d: Quarrelsome(), "not-numbers"),
    "objects that raise": (lambda n, d: [[Quarrelsome()] * d] * n, "not-numbers"),
    "an object without end": (lambda n, d: Mirrors(), "not-numbers"),
    "objects without end": (lambda n, d: [[0.0] * d, Mirrors()], "not-numbers"),
    "a list that holds itself": (lambda n, d: MIRRORS, "too-large"),
    "an object that leaves": (lambda n, d: Leaving(SystemExit), "exits"),
    "an object that presses Stop": (lambda n, d: [Leaving(KeyboardInterrupt)], "stopped"),
    "an object for a function": (Leaving(SystemExit), "not-a-function"),
    "the end of all printing": (close_stdout, "differs"),
    "4 GB": (lambda n, d: np.zeros(500_000_000), "too-large"),
    "a long range": (lambda n, d: range(10**12), "too-large"),
    "one number": (lambda n, d: 0.5, "number-given"),
    "an empty list": (lambda n, d: [], "wrong-shape"),
    "one row too many": (lambda n, d: by_loops(n + 1, d), "wrong-shape"),
    "a batch of one": (lambda n, d: [by_loops(n, d)], "wrong-shape"),
    "NaN": (filled(np.nan), "not-finite"),
    "infinity": (filled(np.inf), "not-finite"),
    "integers": (lambda n, d: np.array(by_loops(n, d)).astype(int), "differs"),
    "truth values": (filled(True), "differs"),
    "too large an integer": (lambda n, d: [[10**400] * d] * n, "not-numbers"),
    "an error": (lambda n, d: 1 / 0, "raised"),
    "an error without words": (raise_quarrel, "raised"),
    "an error whose words leave": (raise_leaving, "raised"),
    "a recursion": (recurse, "raised"),
    "an exit": (lambda n, d: sys.exit(), "exits"),
    "the Stop button": (stop, "stopped"),
}


@pytest.mark.parametrize("name", ANYTHING)
def test_whatever_comes_back_gets_a_sentence_in_both_languages(name: str) -> None:
    answer, key = ANYTHING[name]
    assert judge(EXERCISES["sinusoidal-encoding"], answer).key == key
    feedback = check("sinusoidal-encoding", answer)
    assert not feedback.solved
    assert feedback.message("en").strip() and feedback.message("es").strip()
    assert html_problems(feedback.shown().html) == []


@pytest.mark.parametrize("kind", [*ERROR_KINDS, AssertionError])
def test_every_kind_of_error_gets_its_own_sentence(kind: type[Exception]) -> None:
    def failing(n_positions: int, d_model: int) -> object:
        if n_positions < 50:
            return by_loops(n_positions, d_model)
        return (_ for _ in ()).throw(kind)  # as a library does; an own raise is another matter

    texts = TEXTS["message"][f"error-{kind.__name__ if kind in ERROR_KINDS else 'other'}"]
    feedback = check("sinusoidal-encoding", failing)
    for language in ("en", "es"):
        sentence = BeautifulSoup(texts[language], "html.parser").get_text()
        assert feedback.message(language).startswith(sentence)


def keys_of_messages() -> set[str]:
    """The keys that the code of the labs can ask for: of its own, of verdicts, of errors."""
    keys = {f"error-{kind.__name__}" for kind in ERROR_KINDS} | {"error-other"}
    keys |= {"value-differs", "value-not-finite"}
    for path in Path(course_utils.labs.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name("message" | "Verdict"), args=[key, *_]):
                    keys |= texts_of_code(key)
                case ast.keyword("key" | "not_numbers", key):
                    keys |= texts_of_code(key)
                case ast.Assign([ast.Name("key")], key):
                    keys |= texts_of_code(key)
                case ast.Assign([ast.Name("kind")], ast.Constant(kind)):
                    keys.add(f"error-{kind}")
    return keys - {""}


def texts_of_code(node: ast.AST) -> set[str]:
    match node:
        case ast.Constant(str(text)):
            return {text}
        case ast.Subscript() | ast.JoinedStr():  # no key: it looks something up, or is made of one
            return set()
    return set().union(*map(texts_of_code, ast.iter_child_nodes(node)))


def test_the_messages_are_those_that_the_code_asks_for() -> None:
    assert set(TEXTS["message"]) == keys_of_messages()


@pytest.mark.parametrize("make_id", [type(None), int, str, list, Quarrelsome])
def test_an_unknown_exercise_is_answered_with_the_names_that_exist(make_id: type) -> None:
    exercise_id = make_id()
    feedback = check(exercise_id, by_loops)
    assert not feedback.solved
    assert "sinusoidal-encoding" in feedback.message("es")


def test_a_value_is_asked_for_where_a_function_comes() -> None:
    assert judge(EXERCISES["row-by-hand"], by_loops).key == "not-a-value"
    assert judge(EXERCISES["row-by-hand"], [0.0] * 8).key == "entry-differs"
    assert judge(EXERCISES["row-by-hand"], Quarrelsome()).key == "not-numbers"
    assert judge(EXERCISES["row-by-hand"], Leaving(KeyboardInterrupt)).key == "stopped"
    assert judge(EXERCISES["bits-needed"], lambda n: 77).key == "value-differs"


def test_a_sentence_that_is_too_long_has_to_be_refused() -> None:
    class Repeating(WithEinsum):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            rows = np.arange(word_vectors.shape[-2]) % len(self.positions)
            return word_vectors + self.positions[rows]

    verdict = judge(EXERCISES["positional-encoding"], Repeating)
    assert (verdict.key, verdict.details["error"]) == ("does-not-raise", "ValueError")


numbers = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers())
anything = st.one_of(
    st.recursive(
        st.one_of(numbers, st.text(max_size=5), st.binary(max_size=5)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.tuples(inner, inner),
            st.dictionaries(st.text(max_size=3), inner, max_size=2),
            st.builds(iter, st.lists(inner, max_size=2)),
        ),
        max_leaves=8,
    ),
    numpy_strategies.arrays(
        st.one_of(numpy_strategies.scalar_dtypes(), numpy_strategies.array_dtypes(max_size=2)),
        numpy_strategies.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
    ),
    st.builds(Quarrelsome),
)


@given(answer=anything)
def test_check_never_raises_whatever_a_function_returns(answer: object) -> None:
    for exercise_id in ("sinusoidal-encoding", "bits-needed"):
        feedback = check(exercise_id, lambda *arguments: answer)
        assert feedback.message("en") and feedback.message("es")


@given(answer=anything)
def test_check_never_raises_whatever_it_is_given(answer: object) -> None:
    for exercise_id in ("row-by-hand", "positional-encoding"):
        feedback = check(exercise_id, answer)
        assert feedback.message("en") and feedback.shown().html


# How an answer is run ----------------------------------------------------------------------------


def test_an_answer_is_run_once_for_each_case() -> None:
    calls = []

    def counted(n_positions: int, d_model: int) -> object:
        calls.append((n_positions, d_model))
        return by_loops(n_positions, d_model)

    check("sinusoidal-encoding", counted)
    assert tuple(calls) == EXERCISES["sinusoidal-encoding"].cases


def test_an_answer_that_changes_its_input_is_told_so_and_harms_no_later_check() -> None:
    class InPlace(WithEinsum):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            if word_vectors.shape[-2] > len(self.positions):
                raise ValueError
            word_vectors += self.positions[: word_vectors.shape[-2]]
            return word_vectors

    for _ in range(2):
        feedback = check("positional-encoding", InPlace)
        assert feedback.misconceptions == ("input-changed",)
        assert "a += b" in feedback.message("en") and "a += b" in feedback.message("es")
    assert check("positional-encoding", WithEinsum).solved


def test_an_input_changed_and_nothing_returned_is_named_too() -> None:
    class InPlace(WithEinsum):
        def __call__(self, word_vectors: np.ndarray) -> None:
            word_vectors += self.positions[: word_vectors.shape[-2]]

    feedback = check("positional-encoding", InPlace)
    assert feedback.misconceptions == ("input-changed",) and not feedback.solved


def test_an_input_changed_beside_another_mistake_names_both() -> None:
    def in_place(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
        vectors[:, 0] = vectors[:, 0] * np.cos(positions) - vectors[:, 1] * np.sin(positions)
        vectors[:, 1] = vectors[:, 0] * np.sin(positions) + vectors[:, 1] * np.cos(positions)
        return vectors

    feedback = check("rotate-pair", in_place)
    assert feedback.misconceptions == ("overwritten-too-soon", "input-changed")


def test_what_an_answer_prints_is_shown_below_its_feedback(capsys: pytest.CaptureFixture) -> None:
    def talkative(n_positions: int, d_model: int) -> object:
        print("<b>", n_positions)
        return by_loops(n_positions, d_model)

    feedback = check("sinusoidal-encoding", talkative)
    assert feedback.solved
    assert "&lt;b&gt; 50" in feedback.shown().html
    assert capsys.readouterr() == ("", "")


def test_what_an_answer_prints_without_end_is_cut() -> None:
    feedback = check("sinusoidal-encoding", lambda n, d: print("x" * 10_000_000))
    assert len(feedback.code) <= 2000


def test_an_error_is_shown_with_the_learners_own_line() -> None:
    def misspelt(n_positions: int, d_model: int) -> object:
        return np.sin(angles)  # noqa: F821

    feedback = check("sinusoidal-encoding", misspelt)
    assert "return np.sin(angles)" in feedback.code and "NameError" in feedback.code
    assert "judging.py" not in feedback.shown().html
    assert "does not know one of the names" in feedback.message("en")
    assert "no conoce uno de los nombres" in feedback.message("es")


def test_an_error_inside_numpy_is_shown_at_the_learners_line() -> None:
    def unfitting(n_positions: int, d_model: int) -> object:
        return np.concatenate([np.zeros((2, 3)), np.zeros((4, 5))])

    feedback = check("sinusoidal-encoding", unfitting)
    assert "return np.concatenate" in feedback.code and "ValueError" in feedback.code


def test_an_error_inside_the_course_is_shown_at_the_learners_line() -> None:
    def odd(n_positions: int, d_model: int) -> object:
        return sinusoidal_encoding(n_positions, d_model + 1)

    feedback = check("sinusoidal-encoding", odd)
    assert "return sinusoidal_encoding(n_positions, d_model + 1)" in feedback.code
    assert "d_model must be even" in feedback.code


@pytest.mark.parametrize("value", [1.7e308, -1.7e308, 1e99, 5e-324])
@pytest.mark.filterwarnings("error")
def test_numbers_at_the_ends_of_what_a_float_holds_are_drawn_too(value: float) -> None:
    feedback = check("sinusoidal-encoding", filled(value))
    assert f"{value:.5g}" in feedback.message("es") and feedback.picture


@pytest.mark.parametrize("value", [1e-4, -12345.6, 177060, 1e9])
def test_the_picture_of_an_answer_has_room_for_its_numbers(value: float) -> None:
    assert not touches_an_edge(check("sinusoidal-encoding", filled(value)).picture)


def test_a_picture_needs_no_latex_whatever_the_learner_has_set() -> None:
    plain = check("sinusoidal-encoding", filled(0.5))
    with matplotlib.rc_context({"text.usetex": True, "font.size": 40, "axes.linewidth": 9}):
        assert check("sinusoidal-encoding", filled(0.5)).picture == plain.picture
        assert matplotlib.rcParams["text.usetex"]


# Hidden tests, hints -----------------------------------------------------------------------------


def test_grading_uses_other_cases() -> None:
    known = {case: by_loops(*case) for case in EXERCISES["sinusoidal-encoding"].cases}

    def learned_by_heart(n_positions: int, d_model: int) -> object:
        return known.get((n_positions, d_model), np.zeros((n_positions, d_model)))

    assert check("sinusoidal-encoding", learned_by_heart).solved
    with pytest.raises(AssertionError, match=r"sinusoidal_encoding\(7, 10\)"):
        grade("sinusoidal-encoding", learned_by_heart, [(7, 10)])
    grade("sinusoidal-encoding", by_loops, [(7, 10)])
    with pytest.raises(ValueError, match="cases must hold at least one"):
        grade("sinusoidal-encoding", by_loops, [])


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_hints_open_one_after_the_other(exercise_id: str) -> None:
    page = hint(exercise_id).html
    hints = TEXTS["exercise"][exercise_id]["hints"]
    assert len(hints) >= 3
    folded = BeautifulSoup(page, "html.parser").find_all("details")
    assert len(folded) == len(hints)
    for outer, inner in pairwise(folded):
        assert outer in inner.parents
    for disclosure, text in zip(folded, hints, strict=True):
        own = BeautifulSoup(text["es"], "html.parser").get_text()
        assert own in disclosure.get_text()
        assert own not in disclosure.summary.get_text()
    assert html_problems(page) == []
    assert all(text["en"] not in hint(exercise_id).plain for text in hints)


def test_an_unknown_exercise_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(ValueError, match="exercise_id must be one of .*row-by-hand.*; got 'row'"):
        hint("row")
    with pytest.raises(ValueError, match="exercise_id must be one of .*row-by-hand.*; got 'row'"):
        grade("row", [0.0] * 8)


# Texts -------------------------------------------------------------------------------------------


def test_texts_say_the_same_in_both_languages() -> None:
    assert list(texts_problems("texts", TEXTS)) == []


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w*)\}", text))


def test_both_languages_have_the_same_placeholders() -> None:
    for group in ("message", "misconception", "exercise"):
        for name, entry in TEXTS[group].items():
            for halves in texts_in(entry):
                assert placeholders(halves["en"]) == placeholders(halves["es"]), name


def texts_in(entry: object) -> Iterator[dict[str, str]]:
    if isinstance(entry, list):
        for item in entry:
            yield from texts_in(item)
    elif "en" in entry or "es" in entry:
        yield entry
    else:
        for item in entry.values():
            yield from texts_in(item)


def test_every_misconception_and_exercise_has_its_texts_and_no_others_are_left() -> None:
    named = {m.id for exercise in EXERCISES.values() for m in exercise.misconceptions}
    assert set(TEXTS["misconception"]) == named | {"input-changed"}
    assert set(TEXTS["exercise"]) == set(EXERCISES)
    assert set(TEXTS["lab"]) == set(LABS)


def test_a_misconception_is_composed_with_others_and_not_written_out() -> None:
    exercise = Exercise(
        "x",
        "x",
        ("n_positions", "d_model"),
        EXERCISES["index-encoding"].reference,
        ((2, 3),),
        (Misconception("a", {"first_position": 1}), Misconception("b", {"transposed": True})),
    )
    ways = {way.misconceptions: way.function(2, 3).tolist() for way in exercise.wrong_ways()}
    assert ways[("a", "b")] == [[1, 2], [1, 2], [1, 2]]
