"""What every module refuses: no sizes, no bases, no numbers, no shapes, and too much of them."""

import math
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from refusals import assert_refused

from course_utils.attention import (
    PositionalEncoding,
    look_back_accuracy,
    look_back_loss,
    look_back_scores,
    self_attention,
    softmax,
    train_look_back,
)
from course_utils.encodings import (
    angular_frequencies,
    binary_encoding,
    dot_product_by_offset,
    index_encoding,
    normalized_encoding,
    shift_matrix,
    sinusoidal_encoding,
)
from course_utils.frequencies import (
    arithmetic_encoding,
    arithmetic_frequencies,
    exact_angles,
    normalized_dot_product,
    wave_encoding,
    wavelengths,
)
from course_utils.properties import (
    cosine_similarity,
    dot_products_at_distance,
    flips_per_step,
    largest_change,
    largest_step_share,
    smallest_distance,
    word_share,
)
from course_utils.relative import (
    alibi_bias,
    alibi_slopes,
    learned_encoding,
    rotate,
    shaw_scores,
    t5_bias,
    t5_buckets,
    transformer_xl_scores,
)

TABLE, WEIGHTS, VALUES = [[1, 2], [3, 4], [5, 6]], [[1, 0], [0, 1]], np.zeros(32)
ROW = [[1, 2]]

PAIRED = [
    angular_frequencies,
    lambda d_model: sinusoidal_encoding(4, d_model),
    lambda d_model: shift_matrix(1, d_model),
    lambda d_model: dot_product_by_offset(1, d_model),
    arithmetic_frequencies,
    lambda d_model: arithmetic_encoding(3, d_model),
    lambda d_model: exact_angles([1], d_model),
    lambda d_model: PositionalEncoding(4, d_model),
]

# The functions of one argument each, by the argument's name and the least that it may be.
SIZES = {
    ("n_positions", 1): [
        lambda n: index_encoding(n, 4),
        lambda n: normalized_encoding(n, 4),
        lambda n: binary_encoding(n, 4),
        lambda n: sinusoidal_encoding(n, 4),
        lambda n: wave_encoding(n, [1.0]),
        lambda n: arithmetic_encoding(n, 4),
        lambda n: learned_encoding(n, 4),
        lambda n: t5_bias(n, VALUES),
        lambda n: alibi_bias(n, 8),
        lambda n: largest_change(index_encoding, n, 9, 2),
    ],
    ("longer", 1): [lambda n: largest_change(index_encoding, 5, n, 2)],
    ("d_model", 1): [
        *PAIRED,
        lambda n: index_encoding(4, n),
        lambda n: normalized_encoding(4, n),
        lambda n: binary_encoding(4, n),
        lambda n: learned_encoding(4, n),
        lambda n: largest_change(index_encoding, 5, 9, n),
    ],
    ("max_length", 1): [
        lambda n: learned_encoding(1, 4, max_length=n),
        lambda n: PositionalEncoding(n, 4),
    ],
    ("n_heads", 1): [alibi_slopes, lambda n: alibi_bias(4, n)],
    ("steps_back", 1): [
        lambda k: look_back_loss(WEIGHTS, TABLE, k),
        lambda k: train_look_back(TABLE, k),
        lambda k: look_back_accuracy(TABLE, WEIGHTS, k),
    ],
    ("n_steps", 1): [lambda n: train_look_back(TABLE, 1, n_steps=n)],
    ("distance", 0): [lambda n: dot_products_at_distance(TABLE, n)],
    ("seed", 0): [lambda n: learned_encoding(3, 4, seed=n)],
    ("n_buckets", 4): [lambda n: t5_buckets([1], n_buckets=n)],
    ("max_distance", 9): [lambda n: t5_bias(3, VALUES, max_distance=n)],
}
BASES = [
    lambda base: angular_frequencies(4, base=base),
    lambda base: sinusoidal_encoding(4, 4, base=base),
    lambda base: shift_matrix(1, 4, base=base),
    lambda base: dot_product_by_offset(1, 4, base=base),
    lambda base: exact_angles([1], 4, base=base),
    lambda base: rotate([1, 2], 1, base=base),
    lambda base: PositionalEncoding(4, 4, base=base).table,
]
ARRAYS = {
    "offsets": [
        lambda x: dot_product_by_offset(x, 4),
        lambda x: normalized_dot_product(x, [1]),
        t5_buckets,
    ],
    "frequencies": [
        lambda x: wave_encoding(3, x),
        wavelengths,
        lambda x: normalized_dot_product([1], x),
    ],
    "positions": [lambda x: exact_angles(x, 4), lambda x: rotate([1, 2], x)],
    "table": [
        smallest_distance,
        largest_step_share,
        flips_per_step,
        lambda x: dot_products_at_distance(x, 0),
        lambda x: look_back_scores(x, WEIGHTS),
        lambda x: look_back_loss(WEIGHTS, x, 1),
        lambda x: train_look_back(x, 1),
        lambda x: look_back_accuracy(x, WEIGHTS, 1),
    ],
    "weights": [
        lambda x: look_back_scores(TABLE, x),
        lambda x: look_back_loss(x, TABLE, 1),
        lambda x: look_back_accuracy(TABLE, x, 1),
    ],
    "first": [lambda x: cosine_similarity(x, [1, 2])],
    "second": [lambda x: cosine_similarity([1, 2], x)],
    "word": [lambda x: word_share(x, [1, 2])],
    "position": [lambda x: word_share([1, 2], x)],
    "scores": [softmax],
    "vectors": [self_attention, lambda x: rotate(x, 1)],
    "word_vectors": [PositionalEncoding(6, 4)],
    "queries": [
        lambda x: shaw_scores(x, ROW, ROW),
        lambda x: transformer_xl_scores(x, ROW, ROW, [1, 2], [1, 2]),
    ],
    "keys": [
        lambda x: shaw_scores(ROW, x, ROW),
        lambda x: transformer_xl_scores(ROW, x, ROW, [1, 2], [1, 2]),
    ],
    "relative_keys": [lambda x: shaw_scores(ROW, ROW, x)],
    "position_keys": [lambda x: transformer_xl_scores(ROW, ROW, x, [1, 2], [1, 2])],
    "content_bias": [lambda x: transformer_xl_scores(ROW, ROW, ROW, x, [1, 2])],
    "position_bias": [lambda x: transformer_xl_scores(ROW, ROW, ROW, [1, 2], x)],
    "bucket_values": [lambda x: t5_bias(3, x)],
}

# What is refused, and how the message quotes it.
NO_WHOLE_NUMBERS = [
    *((True, "got True."), (False, "got False."), (np.True_, "True"), (None, "got None.")),
    *((4.0, "got 4.0."), (math.nan, "got nan."), (math.inf, "got inf."), (4j, "got 4j.")),
    *((np.float64(4), "4.0"), (Fraction(4), "Fraction(4, 1)"), (int, "int")),
    *(("4", "got '4'."), (b"4", "got b'4'."), ("4" * 1000, "..."), ([4], "got [4].")),
    *((np.array(4), "array(4)"), (np.array([4]), "array([4])"), (np.zeros((50, 50)), "array(")),
]
NO_NUMBERS = [
    *((None, "None."), ("1", "'1'."), (True, "True."), (np.True_, "True"), (1j, "1j.")),
    *(([1], "[1]."), (np.array(1.0), "array(1.)"), (Decimal(2), "Decimal")),
]
NOT_FINITE = [
    *((math.nan, "nan."), (math.inf, "inf."), (-math.inf, "-inf."), (np.float64("nan"), "nan")),
    (10**400, "1000"),
]
TOO_SMALL_BASES = [(1, "got 1."), (0, "got 0."), (-2, "got -2."), (0.5, "got 0.5.")]
NO_ARRAYS = [
    *(("a", "got 'a'."), (None, "got None."), (True, "got True."), (1j, "got 1j.")),
    *(({1: 2}, "got {1: 2}."), (object(), "object"), ([1j], "got [1j]."), ([10**400], "got [1")),
    *(([1, "two"], "got [1, 'two']."), ([1, None], "got [1, None]."), ([["a"], ["b"]], "'a'")),
    *(([[1, 2], [3]], "got [[1, 2], [3]]."), ([[True], [False]], "got [[True], [False]].")),
    *((np.array([1, 2], dtype=object), "dtype=object"), (np.array([True]), "array([ True])")),
    (np.array([["2026-11-21"]], dtype="M8[D]"), "datetime64"),
]
NO_FINITE_ARRAYS = [
    *((math.nan, "got nan."), ([1, math.nan], "got [1, nan]."), ([1, -math.inf], "got [1, -inf].")),
    *(([[math.nan, 1], [1, math.inf]], "got [[nan, 1], [1, inf]]."), ([[math.inf], [1]], "inf")),
    (np.full((50, 50), np.nan), "..."),
]


def each(calls: dict) -> list:
    return [
        pytest.param(name, call, id=f"{name}-{index}")
        for name, functions in calls.items()
        for index, call in enumerate(functions)
    ]


@pytest.mark.parametrize(("argument", "call"), each(SIZES))
def test_a_size_is_a_whole_number_and_not_too_small(argument, call):
    name, lowest = argument
    rule = f"{name} must be a whole number of at least {lowest}"
    for value, quoted in NO_WHOLE_NUMBERS:
        assert_refused(partial(call, value), rule, quoted, kind=TypeError)
    for value in (lowest - 1, lowest - 2, -(10**30)):
        assert_refused(partial(call, value), rule, f"got {value}.", kind=ValueError)


@pytest.mark.parametrize("call", PAIRED)
@pytest.mark.parametrize("d_model", [1, 3, 511, np.int64(7)])
def test_pairs_need_an_even_number_of_dimensions(call, d_model):
    said = "d_model must be even", f"got {int(d_model)}."
    assert_refused(lambda: call(d_model), *said, kind=ValueError)


@pytest.mark.parametrize("call", BASES)
def test_a_base_is_a_finite_number_above_1(call):
    for bad, kind in ((NO_NUMBERS, TypeError), (NOT_FINITE + TOO_SMALL_BASES, ValueError)):
        for value, quoted in bad:
            said = "base must be a finite number above 1; got", quoted
            assert_refused(partial(call, value), *said, kind=kind)
    for value in (math.nextafter(1, 2), 1.5, 2, 1e300, np.float16(3), Fraction(5, 4)):
        assert np.isfinite(call(value)).all()


def test_an_offset_is_one_finite_number():
    for bad, kind in ((NO_NUMBERS, TypeError), (NOT_FINITE, ValueError)):
        for value, quoted in bad:
            said = "offset must be a finite number; got", quoted
            assert_refused(partial(shift_matrix, value, 4), *said, kind=kind)


@pytest.mark.parametrize(("name", "call"), each(ARRAYS))
def test_an_array_holds_finite_real_numbers(name, call):
    for values, quoted in NO_ARRAYS:
        rule = f"{name} must hold real numbers"
        assert_refused(partial(call, values), rule, quoted, kind=TypeError)
    for values, quoted in NO_FINITE_ARRAYS:
        rule = f"{name} must hold finite numbers"
        assert_refused(partial(call, values), rule, quoted, kind=ValueError)


FLAT, DEEP, EMPTY = np.ones(4), np.ones((2, 2, 2)), np.ones((0, 2))
NO_PAIRS = [1.0, [1, 2, 3], [], [[1, 2]], np.ones((2, 2))]
SHAPES = {
    "table must have": (
        ARRAYS["table"],
        [1.5, [], [1, 2], [[1.0]], [[1, 2]], [[], []], DEEP, EMPTY],
    ),
    "weights must have the shape (2, 2)": (
        ARRAYS["weights"],
        [1.0, [], [1, 2], [[1, 2]], np.eye(3), np.ones((3, 2)), np.ones((1, 2, 2))],
    ),
    "frequencies must have the shape (n_pairs,)": (
        ARRAYS["frequencies"],
        [1.0, [], [[1.0]], np.ones((2, 2)), EMPTY],
    ),
    "scores must have at least one number": (ARRAYS["scores"], [1.0, [], [[], []]]),
    "vectors must have the shape (n_words, d_model)": (
        [self_attention],
        [1.0, [], [1, 2], [[]], DEEP, EMPTY],
    ),
    "vectors must have the shape (..., d_model), with d_model even": (
        [lambda x: rotate(x, 0)],
        [1.0, [], [1], [1, 2, 3], np.ones((4, 3)), np.ones((0, 4)), np.ones((4, 0))],
    ),
    "word_vectors must have the shape (..., n_words, 4)": (
        ARRAYS["word_vectors"],
        [1.0, FLAT, [], np.ones((4, 6)), np.ones((2, 5)), np.ones((3, 4, 1))],
    ),
    "relative_keys must have the shape (2 * reach + 1, 2)": (
        ARRAYS["relative_keys"],
        [1.0, [1, 2], np.ones((3, 3)), np.ones((5, 1)), np.ones((1, 5, 2))],
    ),
    "position_keys must have the shape (1, 2)": (
        ARRAYS["position_keys"],
        [1.0, [1, 2], [[1]], [[1, 2, 3]], *(np.ones((rows, 2)) for rows in (0, 2, 3)), DEEP],
    ),
    "content_bias must have the shape (2,)": (ARRAYS["content_bias"], NO_PAIRS),
    "position_bias must have the shape (2,)": (ARRAYS["position_bias"], NO_PAIRS),
    **{
        f"{first} must have the shape (d_model,)": (ARRAYS[first], [1, [], ROW])
        for first in ("first", "word")
    },
    **{
        f"{second} must have the shape (2,)": (ARRAYS[second], NO_PAIRS)
        for second in ("second", "position")
    },
    "queries must have the shape (n_positions, d_model)": (
        ARRAYS["queries"],
        [1, [], [1, 2], EMPTY, DEEP],
    ),
    "keys must have the shape (1, 2)": (
        ARRAYS["keys"],
        [1, [], [1, 2], EMPTY, DEEP, [[1]], [[1, 2], [3, 4]]],
    ),
    "bucket_values must have the shape (n_buckets,)": (
        ARRAYS["bucket_values"],
        [1.0, [], [[1, 2, 3, 4]], np.zeros((4, 4))],
    ),
}


@pytest.mark.parametrize("rule", SHAPES)
def test_an_array_has_its_shape(rule):
    calls, arrays = SHAPES[rule]
    for call, array in product(calls, arrays):
        shape = f"got shape {np.shape(array)}."
        assert_refused(partial(call, array), rule, shape, kind=ValueError)


MANY, ROWS = np.ones(2**16), np.zeros((2**15 + 1, 2))
TOO_LARGE = {
    "n_positions x d_model": [
        partial(table, *size)
        for table in (index_encoding, normalized_encoding, binary_encoding, sinusoidal_encoding)
        for size in ((10**12, 6), (6, 10**12), (2**16, 2**15))
    ]
    + [partial(learned_encoding, 3, 10**12)]
    + [partial(learned_encoding, 10**12, 3, max_length=10**12)],
    "d_model": [partial(call, d_model) for call in PAIRED for d_model in (10**12, 2**40)]
    + [partial(shift_matrix, 1, 2**16)],
    "max_length x d_model": [
        partial(PositionalEncoding, *size) for n in (2**29, 10**12) for size in ((n, 4), (4, n))
    ],
    "n_positions": [
        *(partial(wave_encoding, n, [1.0]) for n in (2**30, 10**12)),
        *(partial(arithmetic_encoding, n, 4) for n in (2**30, 10**12)),
        *(partial(t5_bias, n, VALUES) for n in (2**15 + 1, 10**12)),
        *(partial(alibi_bias, *size) for size in ((2**15 + 1, 1), (10**12, 1), (2**14, 8))),
        partial(shaw_scores, ROWS, ROWS, ROW),
        partial(transformer_xl_scores, ROWS, ROWS, ROW, [1, 2], [1, 2]),
    ],
    "n_heads": [partial(alibi_slopes, 2**40), partial(alibi_bias, 2**14, 8)],
    "n_buckets": [lambda: t5_buckets([1], n_buckets=4 * 10**18)],
    "n_pairs": [partial(wave_encoding, 2**14, MANY), partial(normalized_dot_product, MANY, MANY)],
    "offsets x": [
        partial(dot_product_by_offset, np.zeros(2**20), 2**12),
        partial(normalized_dot_product, MANY, MANY),
    ],
    "positions x d_model": [partial(exact_angles, MANY, 2**17)],
    "n_words": [partial(self_attention, ROWS)],
    "table: n_positions": [partial(call, ROWS) for call in ARRAYS["table"][4:]],
    "table: d_model": [partial(call, ROWS.T) for call in ARRAYS["table"][4:]],
}


@pytest.mark.parametrize(("sizes", "call"), each(TOO_LARGE))
def test_nothing_is_made_that_is_too_large_for_memory(sizes, call):
    assert_refused(call, sizes, "too large for memory", "2**30", kind=ValueError)


def test_a_computer_with_less_memory_is_told_too(monkeypatch):
    def no_memory(*arguments):
        raise MemoryError

    monkeypatch.setattr(np, "empty", no_memory)
    assert_refused(lambda: index_encoding(5, 4), "n_positions x d_model = 5 x 4", "not fit")
