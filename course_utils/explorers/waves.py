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
from ..language import Text
from .controls import base_slider, slider
from .explorer import Explorer, Scene
from .marks import columns, dots, hands


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
    n_positions = 64

    def draw(base: int) -> Scene:
        d_model = 8
        frequencies = angular_frequencies(d_model, base=base)
        table = sinusoidal_encoding(n_positions, d_model, base=base)
        figure = figures.clock_dials(frequencies)
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
