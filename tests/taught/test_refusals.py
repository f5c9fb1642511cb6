"""Tests of rejecting invalid sizes, bases, numbers and shapes."""

import inspect
import math
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from checks.refusals import assert_refused

from course_utils import (
    attention,
    encodings,
    fitting,
    frequencies,
    long_tables,
    precision,
    properties,
    relative,
    stretching,
    text_model,
)
from course_utils.refusals import refuse_oversize
from course_utils.training import LearningHead

TABLE, WEIGHTS, VALUES = [[1, 2], [3, 4], [5, 6]], [[1, 0], [0, 1]], np.zeros(32)
PAIR, ROW = [1, 2], [[1, 2]]

# Every function, with valid arguments.
TABLES = [encodings.index_encoding, encodings.normalized_encoding, encodings.binary_encoding]
WAVES = [encodings.sinusoidal_encoding, long_tables.table_by_turning]
OF_A_TABLE = [
    *(properties.smallest_distance, properties.largest_step_share, properties.flips_per_step),
    attention.self_attention,
]
GOOD = {
    **dict.fromkeys([*TABLES, *WAVES, attention.PositionalEncoding], (4, 4)),
    **dict.fromkeys(OF_A_TABLE, (TABLE,)),
    encodings.angular_frequencies: (4,),
    encodings.shift_matrix: (1, 4),
    encodings.dot_product_by_offset: (1, 4),
    frequencies.arithmetic_frequencies: (4,),
    frequencies.wave_encoding: (3, [1.0]),
    frequencies.arithmetic_encoding: (3, 4),
    frequencies.wavelengths: ([1.0],),
    frequencies.normalized_dot_product: ([1], [1]),
    frequencies.exact_angles: ([1], 4),
    properties.dot_products_at_distance: (TABLE, 0),
    properties.largest_change: (encodings.index_encoding, 5, 9, 2),
    properties.cosine_similarity: (PAIR, PAIR),
    properties.word_share: (PAIR, PAIR),
    relative.learned_encoding: (1, 4),
    relative.shaw_scores: (ROW, ROW, ROW),
    relative.transformer_xl_scores: (ROW, ROW, ROW, PAIR, PAIR),
    relative.t5_buckets: ([1],),
    relative.t5_bias: (3, VALUES),
    relative.alibi_slopes: (8,),
    relative.alibi_bias: (4, 8),
    relative.rotate: (PAIR, 1),
    attention.softmax: (PAIR,),
    attention.look_back_scores: (TABLE, WEIGHTS),
    attention.look_back_loss: (WEIGHTS, TABLE, 1),
    attention.train_look_back: (TABLE, 1),
    attention.look_back_accuracy: (TABLE, WEIGHTS, 1),
}


def of_one_argument(function, name, good):
    return lambda value: function(**{**good, name: value})


# For each argument and function: the function of only that argument.
CALLS = defaultdict(dict)
for function, arguments in GOOD.items():
    signature = inspect.signature(function)
    for name in signature.parameters:
        good = signature.bind(*arguments).arguments
        CALLS[name][function.__name__] = of_one_argument(function, name, good)
# These arguments are optional there; ALONE lists the values that are rejected.
del CALLS["frequencies"]["rotate"]
CALLS["word_vectors"]["PositionalEncoding"] = attention.PositionalEncoding(6, 4)

# Smallest valid value of each integer argument.
LOWEST = {
    **dict.fromkeys(["n_positions", "longer", "d_model", "max_length", "n_heads", "steps_back"], 1),
    **{"n_steps": 1, "distance": 0, "seed": 0, "n_buckets": 4, "max_distance": 9},
}
OTHERS = {"base", "bidirectional", "dtype", "encoding", "layout", "offset"}
ARRAYS = CALLS.keys() - LOWEST.keys() - OTHERS
PAIRED = CALLS["d_model"].keys() - {table.__name__ for table in TABLES}
PAIRED -= {"learned_encoding", "largest_change"}


def calls_with(names):
    return [(name, function) for name in sorted(names) for function in CALLS[name]]


def test_every_public_function_is_covered():
    modules = (encodings, long_tables, frequencies, properties, relative, attention)
    public = {getattr(module, name) for module in modules for name in module.__all__}
    assert set(GOOD) == set(filter(inspect.isfunction, public)) | {attention.PositionalEncoding}


# Rejected values, and how the error message quotes them.
NO_WHOLE_NUMBERS = [
    *((True, "got True."), (None, "got None."), (4.0, "got 4.0."), (Fraction(4), "Fraction(4, 1)")),
    *(("4" * 1000, "..."), (np.array(4), "array(4)"), (np.zeros((50, 50)), "array(")),
]
NO_NUMBERS = [(None, "None."), ("1", "'1'."), (True, "True."), (1j, "1j."), (Decimal(2), "Decimal")]
NOT_FINITE = [(math.nan, "nan."), (math.inf, "inf."), (-math.inf, "-inf."), (10**400, "1000")]
TOO_SMALL_BASES = [(1, "got 1."), (0.5, "got 0.5.")]
NO_ARRAYS = [
    *(("a", "got 'a'."), (None, "got None."), ([1j], "got [1j]."), ([10**400], "got [1")),
    *(([1, None], "got [1, None]."), ([[1, 2], [3]], "got [[1, 2], [3]].")),
    *((np.array([1, 2], dtype=object), "dtype=object"), (np.array([True]), "array([ True])")),
]
NO_FINITE_ARRAYS = [([1, math.nan], "got [1, nan]."), (np.full((50, 50), -math.inf), "...")]


@pytest.mark.parametrize(("name", "function"), calls_with(LOWEST))
def test_invalid_sizes_are_rejected(name, function):
    call, lowest = CALLS[name][function], LOWEST[name]
    rule = f"{name} must be a whole number of at least {lowest}"
    for value, quoted in NO_WHOLE_NUMBERS:
        assert_refused(partial(call, value), rule, quoted, kind=TypeError)
    for value in (lowest - 1, -(10**30)):
        assert_refused(partial(call, value), rule, f"got {value}.", kind=ValueError)


@pytest.mark.parametrize("function", sorted(PAIRED))
def test_pairs_need_even_number_of_dimensions(function):
    for d_model in (1, np.int64(7)):
        message = "d_model must be even", f"got {int(d_model)}."
        assert_refused(partial(CALLS["d_model"][function], d_model), *message, kind=ValueError)


@pytest.mark.parametrize(("name", "function"), calls_with(["base", "offset"]))
def test_nonfinite_numbers_or_small_bases_are_rejected(name, function):
    call, limit = CALLS[name][function], " above 1" if name == "base" else ""
    out_of_range = NOT_FINITE + (TOO_SMALL_BASES if limit else [])
    for bad, kind in ((NO_NUMBERS, TypeError), (out_of_range, ValueError)):
        for value, quoted in bad:
            message = f"{name} must be a finite number{limit}; got", quoted
            assert_refused(partial(call, value), *message, kind=kind)
    for value in (math.nextafter(1, 2), 2, 1e300, np.float16(3), Fraction(5, 4)):
        made = call(value)
        assert np.isfinite(getattr(made, "table", made)).all()


@pytest.mark.parametrize(("name", "function"), calls_with(ARRAYS))
def test_nonfinite_or_complex_arrays_are_rejected(name, function):
    call = CALLS[name][function]
    for values, quoted in NO_ARRAYS:
        if name == "start" and values is None:
            continue  # training then starts from zero
        rule = f"{name} must hold real numbers"
        assert_refused(partial(call, values), rule, quoted, kind=TypeError)
    for values, quoted in NO_FINITE_ARRAYS:
        rule = f"{name} must hold finite numbers"
        assert_refused(partial(call, values), rule, quoted, kind=ValueError)


FLAT, DEEP, EMPTY = np.ones(4), np.ones((2, 2, 2)), np.ones((0, 2))
# Argument, function (if functions differ), required shape, and rejected values.
SHAPES = [
    ("table", "", "", [1.5, [], PAIR, [[1.0]], ROW, [[], []], DEEP, EMPTY]),
    ("weights", "", "the shape (2, 2)", [1.0, PAIR, np.eye(3), np.ones((3, 2)), DEEP]),
    ("frequencies", "", "the shape (n_pairs,)", [1.0, [], np.ones((2, 2)), EMPTY]),
    ("scores", "", "at least one number", [1.0, [], [[], []]]),
    ("vectors", "self_attention", "the shape (n_words, d_model)", [1.0, PAIR, [[]], DEEP, EMPTY]),
    ("vectors", "rotate", "the shape (..., d_model), with d_model even", [1.0, [], [1, 2, 3]]),
    ("word_vectors", "", "the shape (..., n_words, 4)", [1.0, FLAT, [], np.ones((2, 5)), DEEP]),
    ("keys", "", "the shape (1, 2)", [1, PAIR, EMPTY, DEEP, [[1]], [[1, 2], [3, 4]]]),
    ("bucket_values", "", "the shape (n_buckets,)", [1.0, [], [[1, 2, 3, 4]]]),
]


@pytest.mark.parametrize(("name", "function", "rule", "arrays"), SHAPES)
def test_arrays_of_wrong_shape_are_rejected(name, function, rule, arrays):
    calls = [CALLS[name][function]] if function else CALLS[name].values()
    for call, array in product(calls, arrays):
        message = f"{name} must have {rule}", f"got shape {np.shape(array)}."
        assert_refused(partial(call, array), *message, kind=ValueError)


MANY, ROWS = np.ones(2**16), np.zeros((2**15 + 1, 2))
SQUARES = [call for name, call in CALLS["table"].items() if "look_back" in name]
TOO_LARGE = {
    "n_positions x d_model": [
        *(partial(t, *n) for t in [*TABLES, *WAVES] for n in ((10**12, 6), (2**16, 2**15))),
        partial(relative.learned_encoding, 10**12, 3, max_length=10**12),
    ],
    "d_model": [
        *(partial(CALLS["d_model"][name], 2**40) for name in PAIRED),
        partial(encodings.shift_matrix, 1, 2**16),
    ],
    "max_length x d_model": [
        partial(attention.PositionalEncoding, *size) for size in ((2**29, 4), (4, 2**29))
    ],
    "n_positions": [
        partial(frequencies.wave_encoding, 2**30, [1.0]),
        partial(frequencies.arithmetic_encoding, 2**30, 4),
        partial(relative.t5_bias, 2**15 + 1, VALUES),
        partial(relative.alibi_bias, 2**15 + 1, 1),
        partial(relative.shaw_scores, ROWS, ROWS, ROW),
        partial(relative.transformer_xl_scores, ROWS, ROWS, ROW, PAIR, PAIR),
    ],
    "n_heads": [partial(relative.alibi_slopes, 2**40), partial(relative.alibi_bias, 2**14, 8)],
    "n_buckets": [partial(relative.t5_buckets, [1], n_buckets=4 * 10**18)],
    "n_pairs": [partial(frequencies.wave_encoding, 2**14, MANY)],
    "offsets x": [
        partial(encodings.dot_product_by_offset, np.zeros(2**20), 2**12),
        partial(frequencies.normalized_dot_product, MANY, MANY),
    ],
    "positions x d_model": [partial(frequencies.exact_angles, MANY, 2**17)],
    "n_words": [partial(attention.self_attention, ROWS)],
    "table: n_positions": [partial(call, ROWS) for call in SQUARES],
    "table: d_model": [partial(call, ROWS.T) for call in SQUARES],
}


@pytest.mark.parametrize("sizes", TOO_LARGE)
def test_arrays_too_large_for_memory_are_rejected(sizes):
    for call in TOO_LARGE[sizes]:
        assert_refused(call, sizes, "too large for memory", "2**30", kind=ValueError)


def test_only_arrays_above_limit_are_rejected():
    refuse_oversize("rows x n", 2**15, 2**15)
    with pytest.raises(ValueError, match="too large for memory"):
        refuse_oversize("n", 2**30 + 1)


def test_memory_limit_follows_computer(monkeypatch):
    def no_memory(*arguments):
        raise MemoryError

    monkeypatch.setattr(np, "empty", no_memory)
    call = partial(encodings.index_encoding, 5, 4)
    assert_refused(call, "n_positions x d_model = 5 x 4", "not fit")


# Values that only one function rejects.

ONES, NULL, ADD = np.ones((3, 4)), [0, 0], attention.PositionalEncoding(6, 4)
SEE_AT_MOST_2 = "be at most 2 in a sequence of 3 positions; got {}."
PLACES = "be one row of whole numbers from -10**12 to 10**12"
NO_PLACES = [3, [[1]], [0.5], [10**12 + 1], [-(10**12) - 1]]
TURNS = "be two numbers of turns above 0, the lower one first; got {}."
yarn = partial(stretching.yarn_frequencies, 8, 2, 64)
stretched = partial(stretching.stretched_frequencies, d_model=8, factor=2, trained_length=64)
read, read_a = text_model.read, partial(text_model.read, "a")
# A function with all arguments but one, that argument's name, the rule, and rejected values.
ALONE = [
    (partial(properties.dot_products_at_distance, TABLE), "distance", "be from 0 to 2", [3]),
    (partial(properties.largest_change, None, 5, d_model=2), "longer", "be at least n_pos", [4]),
    (partial(properties.cosine_similarity, PAIR), "second", "not be zero vectors", [NULL]),
    (partial(properties.cosine_similarity, second=PAIR), "first", "not be zero vectors", [NULL]),
    (partial(properties.word_share, NULL), "position", "not both be zero vectors", [NULL]),
    (frequencies.wavelengths, "frequencies", "not contain 0", [[1.0, -0.0]]),
    (partial(frequencies.exact_angles, d_model=4), "positions", PLACES, NO_PLACES),
    (partial(precision.rounded_to, values=[1]), "number_format", "be one of float16,", ["f2", 16]),
    (partial(precision.rounded_to, "float16"), "values", "hold real", [["a"], None, 1j, [True]]),
    (partial(relative.learned_encoding, d_model=2), "n_positions", "be at most max_length", [65]),
    (partial(relative.shaw_scores, [[1]], [[1]]), "relative_keys", "have an odd", [[[1], [1]]]),
    (partial(relative.t5_buckets, 1), "n_buckets", "be a multiple of 4; got {}.", [5, 6]),
    (partial(relative.t5_buckets, 1, bidirectional=False), "max_distance", "of at least 17", [16]),
    (relative.t5_buckets, "offsets", "be whole numbers; got", [0.5, [[-1e-9]]]),
    (partial(relative.t5_bias, 3), "bucket_values", "hold a multiple of 4", [np.zeros(6)]),
    (relative.alibi_slopes, "n_heads", "be a power of two; got {}.", [3, 10**12]),
    (partial(relative.rotate, ONES), "positions", "fit the (3,) vectors", [PAIR, [[1], [2]], []]),
    (partial(relative.rotate, PAIR, 1), "layout", "be one of neighbours, halves", ["half", None]),
    (partial(relative.rotate, PAIR, 1), "frequencies", "have the shape (1,)", [PAIR, [], 1]),
    (partial(relative.rotate, PAIR, 1), "frequencies", "hold", [["a"], [math.inf]]),
    (ADD, "word_vectors", "have at most max_length = 6 words", [np.zeros((2, 7, 4))]),
    (partial(attention.look_back_accuracy, TABLE, WEIGHTS), "steps_back", SEE_AT_MOST_2, [3]),
    (partial(attention.train_look_back, TABLE, 1), "start", "have the shape (2, 2)", [np.eye(3)]),
    (stretching.yarn_scale, "factor", "be at least 1; got {}.", [0.5]),
    (partial(stretching.ntk_frequencies, factor=2), "d_model", "be a whole number of", [2, 3]),
    (yarn, "limits", TURNS, [(4, 1), (2, 2), (0, 1)]),
    (partial(stretching.turns_in_training, 8), "trained_length", "be a whole number of", [0]),
    (stretched, "way", "be one of trained, interpolation, ntk, yarn; got {!r}.", ["pi", None]),
    (fitting.smooth_scores, "n_distances", "be a whole number of at least 2; got {}.", [1]),
    (partial(fitting.fit_waves, [[1]], [1]), "penalty", "be a finite number above 0", [0]),
    (partial(fitting.fit_waves, [[1]], penalty=1), "scores", "have the shape (1,)", [PAIR]),
    (read, "text", "hold at least one character that the model", ["", "☃☃"]),
    (read, "text", "be a string; got {!r}.", [None, b"a"]),
    (read, "text", "have at most 512 characters for the encoding rope; ", ["a" * 513]),
    (partial(read, encoding="learned"), "text", "64 characters", ["a" * 65]),
    (read_a, "encoding", "be one of none, learned,", ["Rope", ["rope"]]),
    (read_a, "stretch", "be one of interpolation, ntk, yarn", ["trained"]),
    (partial(read, "a", "alibi"), "stretch", "be None for the encoding alibi", ["ntk"]),
    (partial(read, "a", stretch="ntk"), "factor", "be at least 1; got {}.", [0.5]),
    (read_a, "factor", "be None without a stretch; got {}.", [2]),
    (read_a, "start", "be a whole number of at least 0", [-1]),
    (read_a, "start", "be at most 1000000; got {}.", [10**6 + 1]),
    (partial(read, "a", "learned"), "start", "be at most 63 for the encoding", [64]),
    (read_a, "window", "be a whole number of at least 1", [0]),
    (read_a, "held", "be a collection of pairs, such as (3,); got", ["3", 3]),
    (read_a, "held", "hold pairs from 0 to 7 only; got", [[0, 8], [-1], [1.5], ["1"]]),
    (partial(read, "a", "none"), "held", "be empty for the encoding none", [[1]]),
    (read_a, "limit", "be None without held pairs; got {}.", [62]),
    (partial(read, "a", held=(3,)), "limit", "be a whole number of at least 0", [-1]),
    (read("ab").expected, "position", "at ", [0, 3]),
    (text_model.indices, "text", "hold only known characters; got '☃'.", ["a☃"]),
    (text_model.held_out_texts, "language", "be one of en, es; got {!r}.", ["fr", None]),
    (partial(text_model.measured_bits, "rope"), "language", "be one of en, es", ["fr"]),
    (partial(text_model.measured_curve, "rope", "en"), "length", "be one of 256, 512", [100]),
    (partial(text_model.measured_curve, language="en"), "encoding", "go beyond 64", ["learned"]),
    (partial(text_model.look_back_shares, "rope"), "length", "be at most 512; got {}.", [1000]),
    (partial(text_model.shares_before, np.ones((1, 1, 3, 3))), "first", "be at most n - 1", [3]),
    (LearningHead, "encoding", "be one of none, sinusoidal", ["alibi"]),
    (LearningHead, "steps_back", "be a whole number of at least 1", [0]),
    (LearningHead, "seed", "be a whole number of at least 1", [1.5]),
    (LearningHead, "length", "be a whole number of at least 2", [1]),
    (LearningHead, "d_model", "be even; got {}.", [7]),
    (LearningHead().read, "texts", "hold symbols from 0 to 15; got", [[[16]], [[-1]]]),
    (LearningHead().read, "texts", "the shape (n_texts, n) and not be empty", [[1, 2], [[]]]),
    (partial(LearningHead(steps_back=3).loss), "texts", "be below the length", [[[1, 2, 3]]]),
]


@pytest.mark.parametrize(("function", "name", "message", "refused"), ALONE)
def test_function_rejects_its_own_invalid_values(function, name, message, refused):
    for value in refused:
        assert_refused(partial(function, **{name: value}), name, " must ", message.format(value))
