"""Known mistakes are named, alone and in pairs, and nothing is said that is not true."""

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from checks.labs import (
    CutsItsTable,
    Encoding,
    encoding,
    strange_table,
)

from course_utils.labs import check
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.exercise import Exercise, Misconception, WrongImplementation
from course_utils.labs.tasks import EXERCISES


def tried_ways(exercise: Exercise) -> Iterator[WrongImplementation]:
    """All wrong ways, but of the many other bases only the first."""
    for way in exercise.wrong_implementations():
        if way.choices.get("base", 1e3) in (1e3, 1e4):
            yield way


OF_FREQUENCIES = ("exponent-doubled", "exponent-halved", "frequencies-multiplied", "another-base")
# With one angle for all pairs, no frequency but the first, which is 1, comes in.
ONE_ANGLE = {("one-angle", name) for name in OF_FREQUENCIES}
# Without frequencies, nothing that belongs to them comes in.
ALL_ONE = {
    *((name, "one-angle") for name in ("base-ignored", "rounded-up-to-even")),
    *((name, "one-angle") for name in ("cosine-own-frequency", "frequencies-multiplied")),
    *(("one-angle", name) for name in ("integer-division", "pairs-from-one", "ends-at-base")),
}
# The fastest hand turns by 1, and an angle that is not divided has no frequency either.
FASTEST_READ = {
    ("fastest-hand-read", "angle-for-position"),
    ("angle-for-position", "frequency-of-another-hand"),
    *(
        (read, name)
        for read in ("fastest-hand-read", "angle-for-position")
        for name in ("base-ignored", "exponent-doubled")
    ),
}

HOW_SQUEEZED = ("pulled-apart", "squeezed-twice")
OTHER_RULES = (
    "last-positions-compared",
    "begun-again",
    "kept-at-the-end",
    "beginning-not-squeezed",
)

ALIKE = {
    # What counts up begins at 0, wherever counting down would begin.
    "countdown-encoding": {("counted-up", "dimensions-counted-down")},
    # A number is added to every column of the word.
    "first-drowned-position": {("one-column", "length-of-sum")},
    "repeating-encoding": {
        # The count is whole before it is divided.
        ("count-not-divided", "integer-division"),
        # What never begins again has no period, and within a whole sequence nothing does.
        ("period-too-short", "never-begins-again"),
        ("never-begins-again", "length-for-period"),
    },
    # From 0, over the last position: this is right, and not what is shown.
    "their-shares": {("zero-not-in-theirs", "beyond-one")},
    # How many ones there are does not depend on their order.
    "positions-from-bits": {("most-significant-first", "ones-counted")},
    # Stripes of bits, the first as wide as the others.
    "gray-encoding": {("first-stripe-whole", "stripes-too-narrow")},
    # A single difference without its sign is a flip.
    "flips-at-distance": {("sign-kept", "flips-not-summed")},
    # 10000 to the power of x / 2 is 100 to the power of x: another base, and a single mistake.
    "row-by-hand": {
        ("another-base", "exponent-halved"),
        # With 6 columns, a doubled exponent of one pair less is the number of the pair.
        ("exponent-doubled", "ends-at-base"),
    },
    "sinusoidal-rows": {
        *ALL_ONE,
        # Rounded down, an exponent between -1 and 0 is -1, whatever it was.
        ("exponent-halved", "integer-division"),
        ("integer-division", "ends-at-base"),
        ("rounded-up-to-even", "integer-division"),
        # Without its sign, it is 0.
        ("frequencies-multiplied", "integer-division"),
        # The last exponent of a wider table gets to 1, too, if one pair less counts.
        ("rounded-up-to-even", "ends-at-base"),
    },
    "position-from-row": {
        *FASTEST_READ,
        ("fastest-hand-read", "exponent-halved"),
        ("angle-for-position", "exponent-halved"),
        # The sine alone gives angles of both signs.
        ("angle-not-unique", "angle-negative"),
        ("angle-not-unique", "position-cut"),
    },
    "shift-back": {*ONE_ANGLE, ("exponent-doubled", "another-base")},
    "distance-by-offset": {
        *ONE_ANGLE,
        ("exponent-doubled", "another-base"),
        # The mean of equal cosines is one of them.
        ("mean-for-sum", "one-angle"),
        *(("first-pair-only", name) for name in OF_FREQUENCIES),
        ("product-once", "squares-miscounted"),
    },
    "offset-between": {*FASTEST_READ, ("longer-way-round", "angle-not-unique")},
    "strange-products": {
        ("exponent-doubled", "another-base"),
        # What depends on the offset alone is the same from wherever one counts.
        ("the-right-products", "positions-from-one"),
        ("waves-of-the-offset", "positions-from-one"),
        ("waves-of-the-offset", "degrees"),
    },
    # A step whose size is not used is not multiplied by either.
    "first-return": {
        ("step-forgotten", "step-multiplied"),
        # A single step is 1, multiplied or divided by.
        ("step-decides", "divisor-multiplied"),
    },
    "most-similar-distance": {
        # Where the first always wins, the others do not matter.
        *(
            ("first-stays", name)
            for name in ("sine-for-cosine", "sign-of-sum-lost", "one-hand-only", "degrees")
        ),
        ("last-left-out", "first-stays"),
        # In degrees the sum only falls, so the shortest distance wins.
        ("last-left-out", "degrees"),
        ("sign-of-sum-lost", "degrees"),
        ("one-hand-only", "degrees"),
    },
    "base-for-quarter-turn": {
        # The exponent 1 is its own reciprocal, and whole, and 4 is 4 with it or without;
        # 1 radian may multiply or divide.
        ("longest-wave-of-base", "exponent-inverted"),
        ("longest-wave-of-base", "whole-exponent"),
        ("quarter-of-the-base", "longest-wave-of-base"),
        ("turn-forgotten", "angle-multiplied"),
    },
    "their-frequencies": {
        # In equal steps no exponent has a sign, and in wavelengths the formula has its own.
        ("equal-steps-between", "frequencies-multiplied"),
        ("wavelengths-for-frequencies", "frequencies-multiplied"),
    },
    # Whatever is compared with ^, it is no power.
    "first-lost-position": {("one-digit-more", "caret-for-power")},
    "positional-encoding": {
        # The words are counted on the wrong axis: which wrong one does not matter any more.
        ("missing-batch-axis", "batch-axis-assumed"),
        # A single sentence is already too much for it when the table is still whole.
        ("batch-axis-assumed", "table-cut-for-good"),
        # What is not guarded refuses nothing.
        ("full-table-refused", "one-row-stretched"),
        # Begun one row later, a table of one row is empty, and that NumPy refuses.
        ("one-row-stretched", "positions-from-one"),
    },
    # Without a power there is no number of steps in it.
    "look-forward-weights": {
        ("one-step-only", "steps-off-by-one"),
        # The diagonal of a matrix is that of its transpose.
        ("still-looks-back", "entries-to-the-power"),
        # With a minus for the transpose, the head still looks back.
        ("still-looks-back", "scores-upside-down"),
    },
    "share-looking-at": {
        # Going round the end, every query is counted; and a count is divided by nothing.
        ("all-queries-counted", "begins-again-at-the-start"),
        ("all-queries-counted", "counted-for-share"),
        # A distance has no direction, and as many can look ahead as back.
        ("offset-turned-round", "distance-for-offset"),
        # One key is at no end, and a distance goes round none.
        ("offset-for-key", "begins-again-at-the-start"),
        ("distance-for-offset", "begins-again-at-the-start"),
    },
    "their-scores": {
        # Only the difference of the positions counts, wherever the counting begins.
        ("the-right-scores", "positions-from-one"),
        # What does not turn has no direction and no position.
        ("the-right-scores", "key-not-turned"),
        ("the-right-scores", "query-not-turned"),
        ("key-not-turned", "query-not-turned"),
        ("neither-turned", "degrees"),
        ("neither-turned", "positions-from-one"),
        # A cosine has no sign.
        ("both-the-other-way", "query-and-key-unused"),
    },
    # A single pair that turns has the frequency 1, which is 1 to any power.
    "move-keys": {
        ("exponent-halved", "one-pair-turned"),
        ("exponent-doubled", "one-pair-turned"),
    },
    # Where all columns turn, there are no others.
    "rotate-part": {
        ("frequencies-of-all", "all-columns-turned"),
        ("all-columns-turned", "rest-dropped"),
        ("all-columns-turned", "rest-zero"),
    },
    # Where nothing is squeezed, or by other rules, it does not matter how.
    "interpolated-angles": {
        *(("never-squeezed", how) for how in HOW_SQUEEZED),
        *((how, other) for how in HOW_SQUEEZED for other in OTHER_RULES),
        # Spread evenly up to the last position, they begin wherever the first one is.
        ("last-positions-compared", "positions-from-one"),
    },
    "slopes-for-any-heads": {
        # One row is in order already.
        ("formula-for-all", "slopes-in-order"),
        ("larger-row-only", "slopes-in-order"),
        # In order, a row that was completed from its half is whole.
        ("smaller-power-of-two", "slopes-in-order"),
        # Without the 8, all rows are the same one, shorter or longer.
        ("formula-for-all", "eight-forgotten"),
        ("last-of-larger-row", "eight-forgotten"),
        ("larger-row-only", "eight-forgotten"),
        ("slopes-in-order", "eight-forgotten"),
    },
    # With all buckets on each side, the last one of a side is the last of all.
    "bucket-of-offset": {
        ("all-buckets-each-side", "no-last-bucket"),
        ("sides-swapped", "past-unseen"),
        # Without far buckets, nothing is rounded, and the last is that of all.
        *(
            (name, "one-distance-per-bucket")
            for name in (
                "no-last-bucket",
                "rounded-to-nearest",
                "far-buckets-alike",
                "logarithm-of-distance",
            )
        ),
    },
}
"""Pairs of misconceptions with the same output as something simpler, which is then named."""


def gives_one_number(exercise: Exercise, way: WrongImplementation) -> bool:
    """Whether all that comes out, in all cases, is the same number."""
    numbers = []
    for arguments in exercise.cases:
        with contextlib.suppress(ValueError, IndexError, ZeroDivisionError):
            numbers.append(np.ravel(way.function(*arguments)))
    return np.unique(np.concatenate(numbers)).size <= 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the wrong ways themselves
@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_each_misconception_is_named_alone_and_with_each_other_one(exercise_id):
    exercise = EXERCISES[exercise_id]
    taken_for_others = {}
    for way in tried_ways(exercise):
        diagnosis = diagnose(exercise, exercise.as_answer(way.function))
        if len(way.misconceptions) > 1 and gives_one_number(exercise, way):
            assert len(diagnosis.misconceptions) <= 1
            continue
        assert diagnosis.misconceptions, f"{way.misconceptions} is not named"
        if set(diagnosis.misconceptions) != set(way.misconceptions):
            taken_for_others[way.misconceptions] = diagnosis.misconceptions
    assert set(taken_for_others) == ALIKE.get(exercise_id, set())
    for names, named in taken_for_others.items():
        assert len(named) < len(names)


def test_a_misconception_is_composed_with_others_and_not_written_out():
    mistakes = Misconception("a", {"first_position": 1}), Misconception("b", {"transposed": True})
    exercise = replace(EXERCISES["gray-encoding"], misconceptions=mistakes)
    ways = {
        way.misconceptions: way.function(2, 3).tolist() for way in exercise.wrong_implementations()
    }
    assert ways[("a", "b")] == [[1, 1], [0, 1], [0, 0]]


def test_a_mistake_that_is_too_small_to_count_is_not_named():
    tolerant = replace(EXERCISES["countdown-encoding"], tolerance=1)
    assert diagnose(tolerant, lambda n, d: np.indices((n, d))[0][::-1] + 2).misconceptions == ()


@pytest.mark.parametrize("base", [1000, 10, math.e, 1_000_000])
def test_another_base_is_named_with_the_base(base):
    feedback = check("strange-table", partial(strange_table, base=base))
    assert feedback.misconceptions == ("another-base",)
    shown = str(base) if isinstance(base, int) else f"{base:.5g}"
    assert f"base {shown}." in feedback.message("en") and shown in feedback.message("es")


def rows_of(frequencies: Callable[[int, float], np.ndarray]) -> Callable:
    def rows(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
        angles = np.outer(positions, frequencies(d_model, base))
        waves = np.stack([np.sin(angles), np.cos(angles)], axis=2)
        return waves.reshape(len(positions), -1)[:, :d_model]

    return rows


NAMED: list[tuple[str, Callable, str]] = [
    ("most-similar-distance", lambda f, a, b: 0, "begins-at-zero"),
    (
        "sinusoidal-rows",
        rows_of(lambda d, base: float(base) ** (-np.arange(0, d, 2) // d)),
        "integer-division",
    ),
    (
        "flips-at-distance",
        lambda t, r: [sum(a != b) for a, b in zip(t[:-r], t[r:], strict=False)],
        "minus-zero",
    ),
]


@pytest.mark.filterwarnings("error")  # the wrong ways it is compared with warn of nothing
@pytest.mark.parametrize(("exercise_id", "answer", "named"), NAMED)
def test_what_learners_wrote_is_named_for_what_it_is(exercise_id, answer, named):
    assert check(exercise_id, answer).misconceptions == (named,)


def test_a_table_of_one_row_that_is_stretched_is_named_and_its_call_shown():
    unguarded = diagnose(EXERCISES["positional-encoding"], encoding(lambda *_: False))
    assert unguarded.key == "does-not-raise" and "(1, 8)" in unguarded.details["call"]
    assert unguarded.misconceptions == ("one-row-stretched",)


@pytest.mark.parametrize(
    ("exercise_id", "answer"),
    [
        ("share-looking-at", lambda scores, offset: 0),
        ("repeating-encoding", lambda n, d, period: np.zeros((n, d))),
        ("first-lost-position", lambda n_digits: 2),
        ("bits-needed", lambda n: 7),
    ],
)
def test_two_mistakes_are_not_read_into_a_single_number(exercise_id, answer):
    assert len(check(exercise_id, answer).misconceptions) <= 1


def test_an_answer_that_changes_its_input_is_told_so_and_harms_no_later_check():
    class InPlace(Encoding):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            if word_vectors.shape[-2] > len(self.table):
                raise ValueError
            word_vectors += self.table[: word_vectors.shape[-2]]
            return word_vectors

    for _ in range(2):
        feedback = check("positional-encoding", InPlace)
        assert feedback.misconceptions == ("input-changed",)
        assert "a += b" in feedback.message("en") and "a += b" in feedback.message("es")
    assert check("positional-encoding", Encoding).solved


def test_an_input_changed_and_nothing_returned_is_named_too():
    class InPlace(Encoding):
        def __call__(self, word_vectors: np.ndarray) -> None:
            word_vectors += self.table[: word_vectors.shape[-2]]

    feedback = check("positional-encoding", InPlace)
    assert feedback.misconceptions == ("input-changed",) and not feedback.solved


def test_an_input_changed_beside_another_mistake_names_both():
    def in_place(key: np.ndarray, steps_back: int, frequency: float) -> np.ndarray:
        cosine, sine = np.cos(steps_back * frequency), np.sin(steps_back * frequency)
        key[0] = key[0] * cosine + key[1] * sine
        key[1] = key[1] * cosine - key[0] * sine
        return key

    feedback = check("query-looking-back", in_place)
    assert feedback.misconceptions == ("overwritten-too-soon", "input-changed")


# What is said is true -----------------------------------------------------------------------------


def first_distance_returned(frequencies: np.ndarray, shortest: int, longest: int) -> int:
    for distance in range(shortest, longest + 1):
        if np.cos(distance * frequencies).sum() > -math.inf:
            return distance


def turned_forwards_in_place(key: np.ndarray, steps_back: int, frequency: float) -> np.ndarray:
    cosine, sine = np.cos(steps_back * frequency), np.sin(steps_back * frequency)
    key[0] = key[0] * cosine - key[1] * sine
    key[1] = key[1] * cosine + key[0] * sine
    return key


def without_source(source: str) -> Callable:
    given: dict[str, Callable] = {}
    exec(source, given)
    return given["f"]


class OwnStop(BaseException):
    pass


def stops(n_positions: int) -> int:
    raise OwnStop


SHAPES = ("shapes that do not fit", "formas que no encajan")
DEGREES = ("degrees", "grados")

UNTRUE: dict[str, tuple[str, Callable, tuple[str, ...], tuple[str, str]]] = {
    "sum without an axis": (
        "most-similar-distance",
        lambda f, a, b: a + np.cos(np.outer(np.arange(a, b + 1), f)).sum().argmax(),
        ("first-stays",),
        DEGREES,
    ),
    "return inside the loop": (
        "most-similar-distance",
        first_distance_returned,
        ("first-stays",),
        DEGREES,
    ),
    "no frequencies": (
        "sinusoidal-rows",
        rows_of(lambda d, base: np.ones((d + 1) // 2)),
        ("one-angle",),
        ("division", "división"),
    ),
    "cosines of the offsets": (
        "distance-by-offset",
        lambda offsets, d: np.sqrt(d - 2 * np.cos(offsets)),
        ("first-pair-only",),
        ("averaged", "promedian"),
    ),
    "whole exponent": (
        "base-for-quarter-turn",
        lambda n, d: ((n - 1) * 2 / math.pi) ** (d // (d - 2)),
        ("whole-exponent",),
        ("longest wave", "onda más larga"),
    ),
    "rounded to the nearest": (
        "bits-needed",
        lambda n: round(math.log2(n + 1)),
        (),
        ("too few", "Falta un bit"),
    ),
    "an error of one's own": (
        "positional-encoding",
        encoding(lambda w, rows: w.shape[-2] >= rows),
        ("full-table-refused",),
        SHAPES,
    ),
    "a whole number to a negative power": (
        "sinusoidal-rows",
        rows_of(lambda d, base: base ** -np.arange(0, d, 2) / d),
        (),
        SHAPES,
    ),
    "three things": (
        "query-looking-back",
        turned_forwards_in_place,
        ("turned-forwards", "overwritten-too-soon", "input-changed"),
        ("Two things", "Dos cosas"),
    ),
    "a number that is none": ("bits-needed", lambda n: math.nan, (), ("[]", "[]")),
    "an error without a line": (
        "bits-needed",
        without_source("def f(n): return 1 / 0"),
        (),
        ("your line", "tu línea"),
    ),
    "a stop of one's own": ("bits-needed", stops, (), ("end Python", "cerrar Python")),
}


@pytest.mark.parametrize("name", UNTRUE)
def test_nothing_is_said_that_is_not_true_of_the_answer(name):
    exercise_id, answer, named, (english, spanish) = UNTRUE[name]
    feedback = check(exercise_id, answer)
    assert feedback.misconceptions == named
    assert english not in feedback.message("en") and spanish not in feedback.message("es")


@pytest.mark.parametrize(
    ("exercise_id", "answer", "english", "spanish"),
    [
        ("positional-encoding", CutsItsTable, "called before", "ya se había llamado"),
        (*UNTRUE["an error of one's own"][:2], "own raise", "propio raise"),
        (*UNTRUE["a whole number to a negative power"][:2], "negative power", "potencia negativa"),
        (*UNTRUE["three things"][:2], "More than one thing", "Más de una cosa"),
        (*UNTRUE["a number that is none"][:2], "should be 1 and is nan", "debería ser 1 y es nan"),
    ],
)
def test_what_it_really_is_is_said(exercise_id, answer, english, spanish):
    feedback = check(exercise_id, answer)
    assert english in feedback.message("en") and spanish in feedback.message("es")
