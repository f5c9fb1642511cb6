"""The pictures of the explorers, drawn as one would for ``interact``: Matplotlib and ``plt.show``.

Each function takes the values of the controls of the explorer of the same name.
"""

from functools import cache

import matplotlib.pyplot as plt
import numpy as np

from course_utils.attention import look_back_scores, self_attention, softmax, train_look_back
from course_utils.encodings import (
    angular_frequencies,
    binary_encoding,
    index_encoding,
    normalized_encoding,
    shift_matrix,
    sinusoidal_encoding,
)
from course_utils.explorers.encoding_tables import table_between
from course_utils.explorers.scores import FARTHEST, scores_back
from course_utils.frequencies import arithmetic_frequencies, normalized_dot_product, wave_encoding
from course_utils.properties import dot_products_at_distance
from course_utils.properties import word_share as share_of_word
from course_utils.relative import rotate
from course_utils.schemes import look_back_table, scheme_named
from course_utils.stretching import fit_waves, smooth_scores, stretched_frequencies


def show_map(table, position, largest=1.0, lowest=None):
    """Columns of positions, and the values of one of them as bars."""
    figure, (heatmap, bars) = plt.subplots(1, 2, figsize=(9, 3.7), width_ratios=(4, 1))
    lowest = -largest if lowest is None else lowest
    image = heatmap.imshow(table.T, aspect="auto", cmap="RdBu_r", vmin=lowest, vmax=largest)
    position = min(position, len(table) - 1)
    heatmap.axvline(position, color="black")
    heatmap.set(xlabel="position", ylabel="dimension")
    bars.barh(np.arange(table.shape[1]), table[position])
    bars.set(xlabel="value", xlim=(1.1 * lowest, 1.1 * largest), ylim=(table.shape[1] - 0.5, -0.5))
    figure.colorbar(image)
    plt.show()


def show_dials(frequencies, *vectors):
    """A dial for each pair, with a hand for each vector."""
    figure, dials = plt.subplots(1, len(frequencies), figsize=(9, 2.7))
    for pair, (dial, frequency) in enumerate(zip(dials, frequencies, strict=True)):
        dial.add_patch(plt.Circle((0, 0), 1, fill=False))
        for vector, color in zip(vectors, ("tab:orange", "black"), strict=False):
            x, y = vector[2 * pair : 2 * pair + 2]
            dial.plot([0, x], [0, y], color=color, marker="o")
        dial.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal", xlabel=f"{frequency:.3g}")
    plt.show()


def show_curve(values, position, **names):
    figure, axes = plt.subplots(figsize=(9, 3.4))
    axes.plot(values)
    axes.axvline(position, color="black")
    axes.set(**names)
    plt.show()


def binary(n_positions, d_model, position):
    show_map(binary_encoding(min(n_positions, 2**d_model), d_model), position, lowest=0)


def sinusoidal(n_positions, d_model, n_dimensions, base, position):
    table = sinusoidal_encoding(n_positions, d_model, base=base)
    show_map(table[:, :n_dimensions], position)


def similarity(encoding, position):
    table = scheme_named(encoding).vectors(50, 16)
    products = table @ table.T
    show_map(products, position, np.abs(products).max())


trained = cache(lambda encoding, r: train_look_back(look_back_table(encoding, 64, 32), r))


def look_back(encoding, steps_back, stretch, position):
    first, length = {"trained": (0, 64), "twice": (0, 128), "far": (1000, 64)}[stretch]
    table = look_back_table(encoding, first + length, 32)[first:]
    show_map(softmax(look_back_scores(table, trained(encoding, steps_back))), position, lowest=0)


def clock(base, position):
    show_dials(angular_frequencies(8, base=base), sinusoidal_encoding(64, 8, base=base)[position])


def shift(base, offset, position):
    table = sinusoidal_encoding(84, 8, base=base)
    show_dials(angular_frequencies(8, base=base), table[position], table[position + offset])


def rope(base, offset, position):
    query, key = np.random.default_rng(4).normal(size=(2, 1, 8)) / 3
    turned = rotate(query, [position], base=base), rotate(key, [position + offset], base=base)
    show_dials(angular_frequencies(8, base=base), *(vectors[0] for vectors in turned))


def spacing(spacing, base, d_model, position):
    frequencies = (
        angular_frequencies(d_model, base=base)
        if spacing == "geometric"
        else arithmetic_frequencies(d_model)
    )
    similarities = normalized_dot_product(np.arange(501), frequencies)
    show_curve(similarities, position, xlabel="distance", ylabel="normalised dot product")


def score(scheme, head, base, moved_on, position):
    scores = scores_back(scheme, FARTHEST + moved_on, head=head, base=base)
    show_curve(scores, position, xlabel="steps back", ylabel="score")


def stretched(way, trained_length, factor, seed, small, position):
    wanted = smooth_scores(trained_length, seed)
    trained = wave_encoding(trained_length, angular_frequencies(64))
    weights = fit_waves(trained, wanted, 1.0 if small else 1e-12)
    frequencies = stretched_frequencies(way, 64, factor, trained_length)
    scores = wave_encoding(factor * trained_length, frequencies) @ weights
    show_curve(scores, position, xlabel="distance", ylabel="score", ylim=(-3, 3))


def word_share(n_positions, position):
    word = np.random.default_rng(0).uniform(-1, 1, 64)
    table = index_encoding(n_positions, 64)
    figure, (curve, bars) = plt.subplots(1, 2, figsize=(9, 3.4), width_ratios=(2, 1))
    curve.plot([100 * share_of_word(word, row) for row in table])
    curve.axvline(position, color="black")
    curve.set(xlabel="position", ylabel="word, %", ylim=(0, 104))
    bars.barh([0, 1], [np.linalg.norm(word), np.linalg.norm(table[position])])
    bars.set(xlabel="length", xlim=(0, np.linalg.norm(table[-1])))
    plt.show()


def two_lengths(first_length, second_length, position):
    figure, axes = plt.subplots(figsize=(9, 3.3))
    for length, marker in ((first_length, "o"), (second_length, "s")):
        axes.plot(normalized_encoding(length, 1)[:, 0], marker=marker)
    axes.axvline(position, color="black")
    axes.set(xlabel="position", ylabel="value", xlim=(-0.5, 39.5))
    plt.show()


def dot_product(encoding, distance, position):
    table = scheme_named(encoding).vectors(50, 6)
    figure, axes = plt.subplots(figsize=(9, 3.4))
    for each in range(1, 31):
        axes.plot(dot_products_at_distance(table, each), color="lightgrey", linewidth=1)
    axes.plot(dot_products_at_distance(table, distance), color="black", marker="o")
    axes.axvline(position, color="tab:orange")
    axes.set(xlabel="first position", ylabel="dot product")
    plt.show()


def wave(step, position):
    table = np.nan_to_num(table_between(np.arange(32), step))
    figure, (heatmap, curve) = plt.subplots(2, 1, figsize=(9, 4.1))
    image = heatmap.imshow(table.T, aspect="auto", cmap="RdBu_r", vmin=-1, vmax=1)
    curve.plot(table[:, 4], color="black", marker="o")
    for axes in (heatmap, curve):
        axes.axvline(position, color="tab:orange")
    curve.set(xlabel="position", ylabel="dimension 4", ylim=(-1.15, 1.15))
    figure.colorbar(image)
    plt.show()


def matrix(base, offset, position):
    table = sinusoidal_encoding(position + offset + 1, 8, base=base)
    figure, (heatmap, *columns) = plt.subplots(1, 3, figsize=(9, 3.1), width_ratios=(3, 1, 1))
    turn = shift_matrix(offset, 8, base=base)
    image = heatmap.imshow(turn, aspect="auto", cmap="RdBu_r", vmin=-1, vmax=1)
    for axes, row in zip(columns, (table[position], table[-1]), strict=True):
        axes.barh(np.arange(8), row)
        axes.set(xlim=(-1.08, 1.08), ylim=(7.5, -0.5))
    figure.colorbar(image)
    plt.show()


def bump(n_waves, base, position):
    waves = np.cos(np.outer(angular_frequencies(32, base=base), np.arange(64) - 20))
    waves[: 16 - n_waves] = 0
    figure, (heatmap, curve) = plt.subplots(2, 1, figsize=(9, 4.3))
    image = heatmap.imshow(waves, aspect="auto", cmap="RdBu_r", vmin=-1, vmax=1)
    curve.plot(waves.sum(axis=0) / 16, color="black")
    for axes in (heatmap, curve):
        axes.axvline(position, color="tab:orange")
    figure.colorbar(image)
    plt.show()


def attention_weights(swapped, positions, position):
    words = np.random.default_rng(1).uniform(-1, 1, (4, 8))[[0, 1, 2, 0, 3]]
    order = [0, 4, 2, 3, 1] if swapped else [0, 1, 2, 3, 4]
    vectors = words[order] + sinusoidal_encoding(5, 8) * positions
    weights = softmax(vectors @ vectors.T / np.sqrt(8))
    plt.imshow(weights, cmap="Blues", vmin=0, vmax=0.7)
    for row, column in np.ndindex(5, 5):
        plt.text(column, row, f"{weights[row, column]:.2f}")
    plt.axhline(position, color="black")
    sentence = np.array(["the", "dog", "chased", "the", "cat"])[order]
    plt.xticks(range(5), labels=sentence)
    plt.yticks(range(5), labels=sentence)
    plt.show()


def word_order(shuffle, positions, position):
    words = np.random.default_rng(1).uniform(-1, 1, (4, 8))[[0, 1, 2, 0, 3]]
    order = np.random.default_rng(shuffle).permutation(5)
    added = sinusoidal_encoding(5, 8) * positions
    before, after = self_attention(words + added), self_attention(words[order] + added)
    figure, (heatmap, bars) = plt.subplots(2, 1, figsize=(9, 4.5), height_ratios=(2, 1))
    image = heatmap.imshow(after.T, aspect="auto", cmap="RdBu_r", vmin=-1.75, vmax=1.75)
    heatmap.axvline(position, color="black")
    sentence = np.array(["the", "dog", "chased", "the", "cat"])[order]
    heatmap.set_xticks(range(5), labels=sentence)
    bars.bar(range(5), np.linalg.norm(after - before[order], axis=1))
    bars.set(ylabel="change", ylim=(0, 1.9))
    figure.colorbar(image)
    plt.show()
