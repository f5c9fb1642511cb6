"""What a function alone refuses: each with the argument, the rule and what was given."""

import math
from functools import partial

import numpy as np
import pytest
from checks.refusals import assert_refused
from test_refusals import PAIR, TABLE, WEIGHTS

from course_utils import (
    attention,
    frequencies,
    precision,
    properties,
    relative,
    stretching,
    text_model,
)

# A function with all arguments but one, its name, what it must be, and values that are refused.
ONES, NULL, ADD = np.ones((3, 4)), [0, 0], attention.PositionalEncoding(6, 4)
SEE_AT_MOST_2 = "be at most 2 in a sequence of 3 positions; got {}."
ALONE = [
    (partial(properties.dot_products_at_distance, TABLE), "distance", "be from 0 to 2", [3]),
    (partial(properties.largest_change, None, 5, d_model=2), "longer", "be at least n_pos", [4]),
    (partial(properties.cosine_similarity, PAIR), "second", "not be zero vectors", [NULL]),
    (partial(properties.cosine_similarity, second=PAIR), "first", "not be zero vectors", [NULL]),
    (partial(properties.word_share, NULL), "position", "not both be zero vectors", [NULL]),
    (frequencies.wavelengths, "frequencies", "not be 0", [[0], [1.0, 0.0], [-0.0]]),
    (
        partial(frequencies.exact_angles, d_model=4),
        "positions",
        "be one row of whole numbers from -10**12 to 10**12",
        [3, [[1, 2]], [0.5], [1, -1e-9], [10**12 + 1], [-(10**12) - 1]],
    ),
    (
        partial(precision.rounded_to, values=[1]),
        "number_format",
        "be one of float16, bfloat16, float32; got {!r}.",
        ["float64", "", None, 16, ["float16"]],
    ),
    (partial(precision.rounded_to, "float16"), "values", "hold real", [["a"], None, 1j, [True]]),
    (partial(relative.learned_encoding, d_model=2), "n_positions", "be at most max_length", [65]),
    (
        partial(relative.shaw_scores, [[1]], [[1]]),
        "relative_keys",
        "have an odd number of rows",
        [np.ones((2, 1)), np.ones((4, 1))],
    ),
    (partial(relative.t5_buckets, 1), "n_buckets", "be a multiple of 4; got {}.", [5, 6, 33]),
    (partial(relative.t5_buckets, 1), "max_distance", "be a finite number", [10**400]),
    (
        partial(relative.t5_buckets, 1, bidirectional=False),
        "max_distance",
        "be a whole number of at least 17; got {}.",
        [7, 16],
    ),
    (relative.t5_buckets, "offsets", "be whole numbers; got", [0.5, [1, 1.25], [[-1e-9]]]),
    (partial(relative.t5_bias, 3), "bucket_values", "hold a multiple of 4", [np.zeros(6)]),
    (relative.alibi_slopes, "n_heads", "be a power of two; got {}.", [3, 12, 10**12]),
    (partial(relative.rotate, ONES), "positions", "fit the (3,) vectors", [PAIR, [[1], [2]], []]),
    (
        partial(relative.rotate, PAIR, 1),
        "layout",
        "be one of neighbours, halves; got {!r}.",
        ["", "Halves", "half", None, 2, ["halves"]],
    ),
    (partial(relative.rotate, PAIR, 1), "frequencies", "have the shape (1,)", [PAIR, [], 1]),
    (partial(relative.rotate, PAIR, 1), "frequencies", "hold", [["a"], [math.inf]]),
    (ADD, "word_vectors", "have at most max_length = 6 words", [np.zeros((2, 7, 4))]),
    (partial(attention.look_back_loss, WEIGHTS, TABLE), "steps_back", SEE_AT_MOST_2, [3, 10**12]),
    (partial(attention.train_look_back, TABLE), "steps_back", SEE_AT_MOST_2, [3]),
    (partial(attention.look_back_accuracy, TABLE, WEIGHTS), "steps_back", SEE_AT_MOST_2, [3]),
    (partial(attention.train_look_back, TABLE, 1), "start", "have the shape (2, 2)", [np.eye(3)]),
    *(
        (function, "factor", "be at least 1; got {}.", [0.5, 0, -2])
        for function in (
            partial(stretching.interpolated_frequencies, 8),
            partial(stretching.ntk_frequencies, 8),
            partial(stretching.yarn_frequencies, 8, trained_length=64),
            stretching.yarn_scale,
            partial(text_model.read, "a", stretch="ntk"),
        )
    ),
    (stretching.yarn_scale, "factor", "be a finite number; got {!r}.", [math.nan, "2", None]),
    (partial(stretching.ntk_frequencies, factor=2), "d_model", "be a whole number of", [2, 3]),
    (
        partial(stretching.yarn_frequencies, 8, 2, 64),
        "limits",
        "be two numbers of turns above 0, the lower one first; got {}.",
        [(4, 1), (2, 2), (0, 1)],
    ),
    (partial(stretching.turns_in_training, 8), "trained_length", "be a whole number of", [0]),
    (
        partial(stretching.stretched_frequencies, d_model=8, factor=2, trained_length=64),
        "way",
        "be one of trained, interpolation, ntk, yarn; got {!r}.",
        ["pi", None],
    ),
    (stretching.smooth_scores, "n_distances", "be a whole number of at least 2; got {}.", [1]),
    (partial(stretching.fit_waves, [[1]], [1]), "penalty", "be a finite number above 0", [0]),
    (partial(stretching.fit_waves, [[1]], penalty=1), "scores", "have the shape (1,)", [PAIR]),
    (text_model.read, "text", "hold at least one character that the model", ["", "☃☃"]),
    (text_model.read, "text", "be a string; got {!r}.", [5, None, b"a"]),
    (text_model.read, "text", "have at most 512 characters for the encoding rope; ", ["a" * 513]),
    (partial(text_model.read, encoding="learned"), "text", "have at most 64", ["a" * 65]),
    (partial(text_model.read, encoding="learned"), "text", "because no vector", ["a" * 65]),
    (partial(text_model.read, "a"), "encoding", "be one of none, learned,", ["Rope", ["rope"]]),
    (partial(text_model.read, "a"), "stretch", "be one of interpolation, ntk, yarn", ["trained"]),
    (partial(text_model.read, "a", "alibi"), "stretch", "be None for the encoding alibi", ["ntk"]),
    (partial(text_model.read, "a"), "factor", "be None without a stretch; got {}.", [2]),
    (partial(text_model.read, "a"), "start", "be a whole number of at least 0", [-1]),
    (partial(text_model.read, "a"), "start", "be at most 1000000; got {}.", [10**6 + 1]),
    (partial(text_model.read, "a", "learned"), "start", "be at most 63 for the encoding", [64]),
    (partial(text_model.read, "a"), "window", "be a whole number of at least 1", [0, -1]),
    (
        partial(text_model.read, "a"),
        "held",
        "be a collection of pairs, such as (3,); got",
        ["3", 3],
    ),
    (
        partial(text_model.read, "a"),
        "held",
        "hold pairs from 0 to 7 only; got",
        [[0, 8], [-1], [1.5], ["1"]],
    ),
    (partial(text_model.read, "a", "none"), "held", "be empty for the encoding none", [[1]]),
    (partial(text_model.read, "a"), "limit", "be None without held pairs; got {}.", [62]),
    (partial(text_model.read, "a", held=(3,)), "limit", "be a whole number of at least 0", [-1]),
    (text_model.read("ab").expected, "position", "at ", [0, 3]),
    (text_model.indices, "text", "hold only what the model knows; got '☃'.", ["a☃"]),
    (text_model.held_out_texts, "language", "be one of en, es; got {!r}.", ["fr", None]),
    (partial(text_model.measured_bits, "rope"), "language", "be one of en, es", ["fr"]),
    (partial(text_model.measured_curve, "rope", "en"), "length", "be one of 256, 512", [100]),
    (partial(text_model.measured_curve, language="en"), "encoding", "go beyond 64", ["learned"]),
    (partial(text_model.look_back_shares, "rope"), "length", "be at most 512; got {}.", [1000]),
    (partial(text_model.shares_before, np.ones((1, 1, 3, 3))), "first", "be at most n - 1", [3]),
]


@pytest.mark.parametrize(("function", "name", "said", "refused"), ALONE)
def test_what_a_function_alone_refuses(function, name, said, refused):
    for value in refused:
        assert_refused(partial(function, **{name: value}), name, " must ", said.format(value))
