"""Explorers of lessons 01 and 02: the order of words, and counting them."""

from __future__ import annotations

import numpy as np

from .. import figures
from ..attention import self_attention
from ..encodings import (
    index_encoding,
    normalized_encoding,
    sinusoidal_encoding,
)
from ..figures import COLORS
from ..language import Text
from ..properties import word_share
from .controls import checkbox, slider
from .explorer import Explorer, Scene
from .marks import bars, columns, dots


def word_order_explorer() -> Explorer:
    """A sentence in any order through self-attention, with and without positions."""
    words = [
        Text("the", "el"),
        Text("wind", "viento"),
        Text("moves", "mueve"),
        Text("the", "el"),
        Text("boat", "barco"),
    ]
    n_words, d_model = len(words), 8
    vocabulary = np.random.default_rng(1).uniform(-1, 1, (4, d_model))
    word_vectors = vocabulary[[0, 1, 2, 0, 3]]
    position_vectors = sinusoidal_encoding(n_words, d_model)
    nouns_swapped = [0, 4, 2, 3, 1]
    orders = [np.arange(n_words), np.array(nouns_swapped)]
    orders += [np.random.default_rng(seed).permutation(n_words) for seed in range(2, 21)]

    def draw(shuffle: int, positions: bool) -> Scene:
        order = orders[shuffle]
        added = position_vectors if positions else np.zeros_like(position_vectors)
        before = self_attention(word_vectors + added)
        after = self_attention(word_vectors[order] + added)
        changes = np.linalg.norm(after - before[order], axis=1)
        figure = figures.vectors_of_words(
            [f"{words[i].en} · {words[i].es}" for i in order], after, changes
        )
        sentence = Text(
            *(" ".join(getattr(words[i], half) for i in order) for half in ("en", "es"))
        )
        if positions:
            alt = Text(
                "Heatmap of the output vectors of “{sentence}”, one column a word, with positions. "
                "Largest change against the original order: {largest}.",
                "Mapa de calor de los vectores de salida de «{sentence}», una columna por palabra, "
                "con posiciones. Cambio máximo respecto del orden original: {largest}.",
            )
        else:
            alt = Text(
                "Heatmap of the output vectors of “{sentence}”, one column a word, without "
                "positions. Largest change against the original order: {largest}.",
                "Mapa de calor de los vectores de salida de «{sentence}», una columna por palabra, "
                "sin posiciones. Cambio máximo respecto del orden original: {largest}.",
            )
        readout = Text(
            "Position {place}, the word “{word}”: against the original order, its output vector "
            "has changed by {change}.",
            "Posición {place}, la palabra «{word}»: respecto del orden original, su vector de "
            "salida ha cambiado {change}.",
        )
        heatmap, below = figure.axes[:2]
        return Scene(
            figure,
            alt.format(sentence=sentence, largest=f"{changes.max():.3f}"),
            [
                readout.format(place=place, word=words[word], change=f"{changes[place]:.3f}")
                for place, word in enumerate(order)
            ],
            [columns(heatmap, n_words), columns(below, n_words)],
            heatmap,
        )

    return Explorer(
        draw,
        {
            "shuffle": slider(Text("shuffle", "mezcla"), 0, 0, len(orders) - 1),
            "positions": checkbox(Text("add positions", "sumar posiciones")),
        },
        slider(Text("position", "posición"), 1, 0, n_words - 1),
        Text(
            "Shuffle 0 is the original sentence, shuffle 1 swaps its two nouns. Each column is the "
            "vector that comes out of attention for the word below it; the bars show how far it is "
            "from what the same word got in the original order.",
            "La mezcla 0 es la frase original; la 1 intercambia los dos sustantivos. Cada columna "
            "es el vector que sale de la atención para la palabra de abajo; las barras muestran "
            "cuánto se aleja del que recibió esa misma palabra en el orden original.",
        ),
    )


def word_share_explorer() -> Explorer:
    """How little of a word is left once its bare index has been added to it."""
    d_model = 64
    word = np.random.default_rng(0).uniform(-1, 1, d_model)

    def draw(n_positions: int) -> Scene:
        table = index_encoding(n_positions, d_model)
        shares = np.array([word_share(word, row) for row in table])
        lengths = np.stack(
            [np.full(n_positions, np.linalg.norm(word)), np.linalg.norm(table, axis=1)], axis=1
        )
        figure = figures.curve_with_lengths(shares, lengths.max())
        curve, beside = figure.axes
        readout = Text(
            "Position {i}: the word vector is {word} long, the position vector {position}. The "
            "word’s share is {share} %.",
            "Posición {i}: el vector de palabra mide {word}; el de posición, {position}. La "
            "palabra aporta el {share} %.",
        )
        return Scene(
            figure,
            Text(
                "Curve of the word’s share against its position, from 100 % at position 0 to "
                "{share} % at position {last}.",
                "Curva de la parte de la palabra según su posición: del 100 % en la posición 0 al "
                "{share} % en la posición {last}.",
            ).format(share=f"{100 * shares[-1]:.2f}", last=n_positions - 1),
            [
                readout.format(
                    i=i,
                    word=f"{lengths[i, 0]:.2f}",
                    position=f"{lengths[i, 1]:.0f}",
                    share=f"{100 * share:.2f}",
                )
                for i, share in enumerate(shares)
            ],
            [
                columns(curve, n_positions, narrowest=0.002),
                dots(curve, np.arange(n_positions), 100 * shares, COLORS["blue"]),
                bars(beside, lengths),
            ],
            curve,
        )

    return Explorer(
        draw,
        {
            "n_positions": slider(
                Text("sequence length", "longitud de la secuencia"), 600, 20, 600, step=20
            )
        },
        slider(Text("position", "posición"), 500, 0, 599),
        Text(
            "Left: what share of the two lengths is the word’s. Right: the two lengths at the "
            "position you have chosen, <i>w</i> of the word and <i>p</i> of its position.",
            "Izquierda: qué parte de las dos longitudes corresponde a la palabra. Derecha: las dos "
            "longitudes en la posición elegida, <i>w</i> de la palabra y <i>p</i> de su posición.",
        ),
    )


def two_lengths_explorer() -> Explorer:
    """The same position in two sentences of different length, normalised."""

    def draw(first_length: int, second_length: int) -> Scene:
        lines = [normalized_encoding(length, 1)[:, 0] for length in (first_length, second_length)]
        longest = max(first_length, second_length)
        figure = figures.two_lines(*lines)
        (axes,) = figure.axes
        readout = Text(
            "Position {i}: {first} in the sentence of length {first_length}, {second} in the one "
            "of length {second_length}.",
            "Posición {i}: {first} en la frase de longitud {first_length}, {second} en la de "
            "longitud {second_length}.",
        )
        absent = Text("no such position", "esa posición no existe")
        return Scene(
            figure,
            Text(
                "Two rising lines of values from 0 to 1: one over {first} positions, the other "
                "over {second}.",
                "Dos líneas crecientes de valores entre 0 y 1: una sobre {first} posiciones, la "
                "otra sobre {second}.",
            ).format(first=first_length, second=second_length),
            [
                readout.format(
                    i=i,
                    first=f"{lines[0][i]:.3f}" if i < first_length else absent,
                    second=f"{lines[1][i]:.3f}" if i < second_length else absent,
                    first_length=first_length,
                    second_length=second_length,
                )
                for i in range(longest)
            ],
            [columns(axes, longest)],
            axes,
        )

    return Explorer(
        draw,
        {
            "first_length": slider(
                Text("length of the first", "longitud de la primera"), 10, 1, 40
            ),
            "second_length": slider(
                Text("length of the second", "longitud de la segunda"), 20, 1, 40
            ),
        },
        slider(Text("position", "posición"), 5, 0, 39),
        Text(
            "Two sentences of different length. Blue circles: the first; orange squares: the "
            "second.",
            "Dos frases de distinta longitud. Círculos azules: la primera; cuadrados naranjas: "
            "la segunda.",
        ),
    )
