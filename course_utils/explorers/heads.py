"""Explorers of attention heads: one that looks back, and one whose vectors turn."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from .. import figures
from ..attention import look_back_accuracy, look_back_scores, softmax, train_look_back
from ..encodings import angular_frequencies
from ..figures import COLORS
from ..language import Text
from ..relative import rotate
from ..schemes import LOOK_BACK_ENCODINGS, look_back_table
from .controls import base_slider, dropdown, slider
from .explorer import Explorer, Scene
from .marks import bars, columns, dots, two_hands

D_MODEL, TRAINED_LENGTH = 32, 64

STRETCHES = {
    "trained": (Text("0 to 63, as trained", "0 a 63, como en el entrenamiento"), 0, 64),
    "twice": (Text("0 to 127, twice the length", "0 a 127, el doble"), 0, 128),
    "far": (Text("far away, 1000 to 1063", "lejos, 1000 a 1063"), 1000, 64),
}


@cache
def _trained(encoding: str, k: int) -> NDArray[np.float64]:
    return train_look_back(look_back_table(encoding, TRAINED_LENGTH, D_MODEL), k)


def look_back_explorer(selected: str = "sinusoidal") -> Explorer:
    """A head trained to look ``k`` positions back: where it looks, and where it should.

    Args:
        selected: the encoding shown first, one of ``schemes.LOOK_BACK_ENCODINGS``.

    Raises:
        ValueError: there is no encoding of that name.
    """
    look_back_table(selected, 1, D_MODEL)
    frame = figures.attention_frame()

    def draw(encoding: str, k: int, stretch: str) -> Scene:
        name, first, length = STRETCHES[stretch]
        table = look_back_table(encoding, first + length, D_MODEL)[first:]
        weights = _trained(encoding, k)
        attention = softmax(look_back_scores(table, weights))
        # Rounded, so that of equally attractive keys the first is shown on every machine.
        looks_at = attention.round(9).argmax(axis=1)
        queries = np.arange(length)
        wanted = np.where(queries >= k, queries - k, np.nan)
        figure = figures.attention_map(attention, first, frame)
        grid, beside, _ = figure.axes
        total = Text(
            "Right for {share} % of the queries.", "Acierta en el {share} % de las consultas."
        ).format(share=f"{100 * look_back_accuracy(table, weights, k):.0f}")
        readout = Text(
            "Query {i} looks at {j} with {share} % of its attention; it should look at {wanted}.",
            "La consulta {i} mira a {j} con el {share} % de su atención; debería mirar a {wanted}.",
        )
        too_early = Text(
            "Query {i} looks at {j} with {share} % of its attention; there is nothing {k} back.",
            "La consulta {i} mira a {j} con el {share} % de su atención; no hay nada {k} atrás.",
        )
        return Scene(
            figure,
            Text(
                "Attention map of a head trained to look {k} back, with the encoding “{encoding}”, "
                "on positions {stretch}. {total}",
                "Mapa de atención de una cabeza entrenada para mirar {k} atrás, con la "
                "codificación «{encoding}», en las posiciones {stretch}. {total}",
            ).format(k=k, encoding=LOOK_BACK_ENCODINGS[encoding], stretch=name, total=total),
            [
                (readout if i >= k else too_early).format(
                    i=first + i,
                    j=first + looks_at[i],
                    share=f"{100 * attention[i, looks_at[i]]:.0f}",
                    wanted=first + i - k,
                    k=k,
                )
                for i in queries
            ],
            [
                columns(grid, length),
                dots(grid, queries, looks_at, COLORS["orange"]),
                dots(grid, queries, wanted, COLORS["ink"], filled=False),
                bars(beside, attention),
            ],
            grid,
            note=total,
        )

    return Explorer(
        draw,
        {
            "encoding": dropdown(Text("encoding", "codificación"), LOOK_BACK_ENCODINGS, selected),
            "k": slider(Text("look back by <i>k</i>", "mirar atrás <i>k</i>"), 1, 1, 8),
            "stretch": dropdown(
                Text("positions", "posiciones"),
                {key: name for key, (name, _, _) in STRETCHES.items()},
                "trained",
            ),
        },
        slider(Text("query", "consulta"), 20, 0, 63),
        Text(
            "Each column is a query and shows how its attention is spread over the keys. Filled "
            "dot: where the head looks most. Ring: where it should look. Where it looks at several "
            "keys alike, it is right in part.",
            "Cada columna es una consulta y muestra cómo se reparte su atención entre las claves. "
            "Punto relleno: adonde más mira la cabeza. Anillo: adonde debería mirar. Si mira por "
            "igual a varias claves, acierta en parte.",
        ),
    )


def rope_explorer() -> Explorer:
    """A query and a key turned by their positions: the score follows the offset only."""
    n_positions, n_offsets, d_model = 64, 21, 8
    frame = figures.clock_frame(d_model // 2)
    generator = np.random.default_rng(4)
    query, key = generator.normal(size=(2, d_model))

    def draw(base: int) -> Scene:
        positions = np.arange(n_positions + n_offsets - 1)
        queries, keys = (
            rotate(np.tile(vector, (len(positions), 1)), positions, base=base)
            for vector in (query, key)
        )
        longest = max(np.hypot(v[0::2], v[1::2]).max() for v in (query, key))
        figure = figures.clock_dials(angular_frequencies(d_model, base=base), frame)
        marks = []
        for pair, axes in enumerate(figure.axes):
            q, k = (vectors[:, 2 * pair : 2 * pair + 2] / longest for vectors in (queries, keys))
            marks += two_hands(axes, q[:n_positions], k)
        scores = np.array(
            [
                np.einsum("pd,pd->p", queries[:n_positions], keys[offset : offset + n_positions])
                for offset in range(n_offsets)
            ]
        )
        return Scene(
            figure,
            Text(
                "Four dials, each with a query hand, dark, and a key hand, orange. At offset 0 the "
                "score is {first}, at offset {last} it is {end}.",
                "Cuatro esferas, cada una con una aguja de la consulta, oscura, y otra de la "
                "clave, naranja. Con desplazamiento 0 la puntuación es {first}; con {last}, {end}.",
            ).format(first=f"{scores[0, 0]:.3f}", last=n_offsets - 1, end=f"{scores[-1, 0]:.3f}"),
            [
                Text("Query at position {i}.", "Consulta en la posición {i}.").format(i=i)
                for i in range(n_positions)
            ],
            marks,
            offset_readouts=[_score_readout(offset, row) for offset, row in enumerate(scores)],
        )

    return Explorer(
        draw,
        {"base": base_slider(10_000)},
        slider(Text("position", "posición"), 3, 0, n_positions - 1),
        Text(
            "A query and a key of 8 numbers are 4 arrows each. Dark with a filled tip: the query, "
            "turned by its position. Orange with a ring: the key, turned by position + offset. "
            "All arrows turn counter-clockwise.",
            "Una consulta y una clave de 8 números son 4 flechas cada una. Oscura y con la punta "
            "rellena: la consulta, girada según su posición. Naranja y con anillo: la clave, "
            "girada según posición + desplazamiento. Todas las flechas giran en sentido contrario "
            "al reloj.",
        ),
        offset=slider(Text("offset", "desplazamiento"), 5, 0, n_offsets - 1),
    )


def _score_readout(offset: int, scores: NDArray) -> Text:
    low, high = (f"{score:.6f}" for score in (scores.min(), scores.max()))
    if low == high:
        said = Text(
            "Key {offset} further on: at every position the score is {low}.",
            "Clave {offset} más adelante: en todas las posiciones la puntuación es {low}.",
        )
    else:
        said = Text(
            "Key {offset} further on: the score lies between {low} and {high}.",
            "Clave {offset} más adelante: la puntuación está entre {low} y {high}.",
        )
    return said.format(offset=offset, low=low, high=high)
