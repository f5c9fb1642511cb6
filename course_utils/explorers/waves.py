"""Explorers of the waves that a sinusoidal table is made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import figures
from ..encodings import (
    angular_frequencies,
    sinusoidal_encoding,
)
from ..figures import COLORS
from ..frequencies import arithmetic_frequencies, normalized_dot_product
from ..language import Text
from .controls import base_slider, dropdown, slider
from .explorer import Explorer, Scene
from .marks import columns, dots, hands, two_hands


def wave_explorer() -> Explorer:
    """The columns of the binary table as square waves that the reader smooths into sinusoids."""
    n_positions, n_waves, points_per_position = 32, 4, 40

    def draw(smoothness: int) -> Scene:
        positions = np.arange(-0.5, n_positions - 0.5, 1 / points_per_position)
        waves = [_smoothed_bit(positions, bit, smoothness) for bit in range(n_waves)]
        figure = figures.wave_rows(positions, waves)
        at_positions = np.stack(
            [_smoothed_bit(np.arange(n_positions), bit, smoothness) for bit in range(n_waves)],
            axis=1,
        )
        readout = Text(
            "Position {i}, dimensions 0 to {last}: {values}.",
            "Posición {i}, dimensiones 0 a {last}: {values}.",
        )
        return Scene(
            figure,
            Text(
                "Four waves, one below the other, each with twice the period of the one above; "
                "smoothness {smoothness} %.",
                "Cuatro ondas, una debajo de otra, cada una con el doble de período que la de "
                "arriba; suavidad {smoothness} %.",
            ).format(smoothness=smoothness),
            [
                readout.format(i=i, last=n_waves - 1, values=", ".join(f"{v:.2f}" for v in row))
                for i, row in enumerate(at_positions)
            ],
            [columns(axes, n_positions) for axes in figure.axes]
            + [
                dots(axes, np.arange(n_positions), at_positions[:, bit], COLORS["orange"])
                for bit, axes in enumerate(figure.axes)
            ],
            figure.axes[0],
        )

    return Explorer(
        draw,
        {"smoothness": slider(Text("smoothness, %", "suavidad, %"), 0, 0, 100)},
        slider(Text("position", "posición"), 5, 0, n_positions - 1),
        Text(
            "The first four columns of the binary table, each as a wave over the positions. At 0 % "
            "they are bits, at 100 % sinusoids; the periods stay as they are.",
            "Las primeras cuatro columnas de la tabla binaria, cada una como una onda a lo largo "
            "de las posiciones. Con 0 % son bits, con 100 % sinusoides; los períodos no cambian.",
        ),
    )


def clock_explorer() -> Explorer:
    """A clock with a hand for each pair of dimensions: its tip is the pair (sine, cosine)."""
    n_positions, frame = 64, figures.clock_frame(4)

    def draw(base: int) -> Scene:
        d_model = 8
        frequencies = angular_frequencies(d_model, base=base)
        table = sinusoidal_encoding(n_positions, d_model, base=base)
        figure = figures.clock_dials(frequencies, frame)
        readout = Text(
            "Position {i}. Tips of the hands, pair by pair: {tips}.",
            "Posición {i}. Puntas de las agujas, par por par: {tips}.",
        )
        return Scene(
            figure,
            Text(
                "Four dials, each with one hand. The first hand turns by 1 radian at every "
                "position, the last by {slowest}.",
                "Cuatro esferas, cada una con una aguja. La primera aguja gira 1 radián en cada "
                "posición; la última, {slowest}.",
            ).format(slowest=f"{frequencies[-1]:.3g}"),
            [
                readout.format(
                    i=i,
                    tips=", ".join(
                        f"({sine:.2f}, {cosine:.2f})" for sine, cosine in row.reshape(-1, 2)
                    ),
                )
                for i, row in enumerate(table)
            ],
            [
                hands(axes, table[:, 2 * pair], table[:, 2 * pair + 1])
                for pair, axes in enumerate(figure.axes)
            ]
            + [
                dots(axes, table[:, 2 * pair], table[:, 2 * pair + 1], COLORS["orange"])
                for pair, axes in enumerate(figure.axes)
            ],
        )

    return Explorer(
        draw,
        {"base": base_slider(10_000)},
        slider(Text("position", "posición"), 3, 0, n_positions - 1),
        Text(
            "Each hand starts at twelve and turns clockwise by its own angle at every position. "
            "The tip’s two coordinates, right and up, are the sine and the cosine.",
            "Cada aguja empieza en las doce y gira, en cada posición, su propio ángulo en el "
            "sentido del reloj. Las dos coordenadas de la punta, a la derecha y hacia arriba, "
            "son el seno y el coseno.",
        ),
    )


def _smoothed_bit(positions: NDArray, bit: int, smoothness: int) -> NDArray[np.float64]:
    """A bit of the position as a wave from 0 to 1, from square (0) to sinusoidal (100)."""
    # Shifted by half a position, so that the square wave jumps between whole positions.
    wave = -np.sin(np.pi * (positions + 0.5) / 2**bit)
    sharpness = 200.0 * 0.0005 ** (smoothness / 100)
    return 0.5 + 0.5 * np.tanh(sharpness * wave) / np.tanh(sharpness)


def shift_explorer() -> Explorer:
    """Two hands on each dial, one at the position and one at the position plus an offset."""
    n_positions, n_offsets, frame = 64, 21, figures.clock_frame(4)

    def draw(base: int) -> Scene:
        d_model = 8
        frequencies = angular_frequencies(d_model, base=base)
        table = sinusoidal_encoding(n_positions + n_offsets - 1, d_model, base=base)
        figure = figures.clock_dials(frequencies, frame)
        marks = []
        for pair, axes in enumerate(figure.axes):
            tips = table[:, 2 * pair : 2 * pair + 2]
            marks += two_hands(axes, tips[:n_positions], tips)
        return Scene(
            figure,
            Text(
                "Four dials, each with two hands: a dark one at the position and an orange one "
                "that is ahead by the offset. In a step of one position, the hands turn by "
                "{frequencies} radians.",
                "Cuatro esferas, cada una con dos agujas: una oscura en la posición y otra naranja "
                "que va por delante según el desplazamiento. Al avanzar una posición, las agujas "
                "giran {frequencies} radianes.",
            ).format(frequencies=", ".join(f"{w:.3g}" for w in frequencies)),
            [Text("Position {i}.", "Posición {i}.").format(i=i) for i in range(n_positions)],
            marks,
            offset_readouts=[
                Text(
                    "Offset {offset}: from dark to orange, the hands turn by {angles} radians.",
                    "Desplazamiento {offset}: de la oscura a la naranja, las agujas giran {angles} "
                    "radianes.",
                ).format(offset=offset, angles=", ".join(f"{offset * w:.3g}" for w in frequencies))
                for offset in range(n_offsets)
            ],
        )

    return Explorer(
        draw,
        {"base": base_slider(10_000)},
        slider(Text("position", "posición"), 3, 0, n_positions - 1),
        Text(
            "The dark hand with the filled tip is at position <i>p</i>, the orange hand with the "
            "ring at position <i>p</i> + offset.",
            "La aguja oscura, con la punta rellena, está en la posición <i>p</i>; la naranja, con "
            "el anillo, en la posición <i>p</i> + desplazamiento.",
        ),
        offset=slider(Text("offset", "desplazamiento"), 5, 0, n_offsets - 1),
    )


SPACINGS = {
    "geometric": Text("geometric", "geométrica"),
    "arithmetic": Text("arithmetic", "aritmética"),
}


def spacing_explorer() -> Explorer:
    """How alike two positions are against their distance, for two ways to space frequencies."""
    farthest, near = 500, 20
    distances = np.arange(farthest + 1)
    frame = figures.curve_frame(distances)

    def draw(spacing: str, base: int, d_model: int) -> Scene:
        if spacing == "geometric":
            frequencies = angular_frequencies(d_model, base=base)
        else:
            frequencies = arithmetic_frequencies(d_model)
        similarity = normalized_dot_product(distances, frequencies)
        (axes,) = frame.axes
        axes.lines[0].set_ydata(similarity)
        highest = near + 1 + int(similarity[near + 1 :].argmax())
        every_distance = Text(
            "Beyond distance {near}, the highest is {value}, at distance {highest}.",
            "Más allá de la distancia {near}, el más alto es {value}, a distancia {highest}.",
        ).format(near=near, value=f"{similarity[highest]:.4f}", highest=highest)
        if spacing == "arithmetic":
            every_distance += Text("The base plays no part here.", "Aquí la base no interviene.")
        readout = Text(
            "Distance {distance}: normalised dot product {value}.",
            "Distancia {distance}: producto escalar normalizado {value}.",
        )
        return Scene(
            frame,
            Text(
                "Curve of the normalised dot product against distance, from 0 to {farthest}, with "
                "{n_pairs} frequencies in {spacing} spacing. {every_distance}",
                "Curva del producto escalar normalizado según la distancia, de 0 a {farthest}, con "
                "{n_pairs} frecuencias en separación {spacing}. {every_distance}",
            ).format(
                farthest=farthest,
                n_pairs=len(frequencies),
                spacing=SPACINGS[spacing],
                every_distance=every_distance,
            ),
            [
                readout.format(distance=distance, value=f"{value:.4f}")
                for distance, value in enumerate(similarity)
            ],
            [
                columns(axes, len(distances), narrowest=0.003),
                dots(axes, distances, similarity, COLORS["orange"]),
            ],
            axes,
            note=every_distance,
        )

    return Explorer(
        draw,
        {
            "spacing": dropdown(Text("spacing", "separación"), SPACINGS, "geometric"),
            "base": base_slider(10_000),
            "d_model": slider(
                Text("<code>d_model</code>", "<code>d_model</code>"), 64, 2, 128, step=2
            ),
        },
        slider(Text("distance", "distancia"), 50, 0, farthest),
        Text(
            "How alike two positions are, by how far apart they are: 1 is the same vector.",
            "Cuánto se parecen dos posiciones según la distancia entre ellas: 1 es el mismo "
            "vector.",
        ),
    )
