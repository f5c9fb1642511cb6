"""Explorers of whole tables: in bits, in waves, and by their dot products."""

from __future__ import annotations

import numpy as np

from .. import figures
from ..encodings import (
    angular_frequencies,
    binary_encoding,
    sinusoidal_encoding,
)
from ..figures import COLORS
from ..language import Text
from ..properties import dot_products_at_distance, flips_per_step
from ..schemes import scheme_named
from .controls import base_slider, dropdown, slider
from .explorer import Explorer, Scene
from .marks import bars, columns, dots


def binary_explorer() -> Explorer:
    """Binary encodings as a heatmap, with the bits of one position and how many of them flip."""
    frame = figures.heatmap_frame()

    def draw(n_positions: int, d_model: int) -> Scene:
        n_shown = min(n_positions, 2**d_model)
        table = binary_encoding(n_shown, d_model)
        figure = figures.encoding_heatmap(table, frame)
        heatmap, values = figure.axes[:2]
        flips = flips_per_step(table)
        first = Text("{i} is {bits} in binary.", "{i} es {bits} en binario.")
        others = first + Text(
            "Bits that changed from position {before}: {flips}.",
            "Bits que cambian desde la posición {before}: {flips}.",
        )
        if n_shown < n_positions:
            full = Text(
                "With d = {d_model} only {n_shown} numbers can be written: {n_positions} positions "
                "do not fit.",
                "Con d = {d_model} solo se escriben {n_shown} números: {n_positions} posiciones no "
                "caben.",
            ).format(d_model=d_model, n_shown=n_shown, n_positions=n_positions)
            first, others = first + full, others + full
        written = ["".join(str(int(bit)) for bit in row[::-1]) for row in table]
        return Scene(
            figure,
            Text(
                "Heatmap of the binary encoding, {n_shown} positions by {d_model} dimensions: "
                "dimension 0 changes at every position, each further one half as often.",
                "Mapa de calor de la codificación binaria, {n_shown} posiciones por {d_model} "
                "dimensiones: la dimensión 0 cambia en cada posición; cada una de las siguientes, "
                "la mitad de veces.",
            ).format(n_shown=n_shown, d_model=d_model),
            [first.format(i=0, bits=written[0])]
            + [
                others.format(i=i, bits=written[i], before=i - 1, flips=flips[i - 1])
                for i in range(1, n_shown)
            ],
            [columns(heatmap, n_shown), bars(values, table)],
            heatmap,
        )

    return Explorer(
        draw,
        {
            "n_positions": slider(Text("positions", "posiciones"), 50, 2, 128),
            "d_model": slider(Text("dimensions (bits)", "dimensiones (bits)"), 6, 1, 8),
        },
        slider(Text("position", "posición"), 23, 0, 49),
        Text(
            "Each column is a position, each row a bit. The row at the top, dimension 0, is the "
            "least significant bit; red is 1, white is 0.",
            "Cada columna es una posición y cada fila, un bit. La fila de arriba, la dimensión 0, "
            "es el bit menos significativo; rojo es 1 y blanco es 0.",
        ),
    )


DOT_PRODUCT_ENCODINGS = ("index", "normalized", "binary", "sinusoidal")


def dot_product_explorer(selected: str = "binary") -> Explorer:
    """All dot products of pairs that are equally far apart: a flat line means distance-aware.

    Args:
        selected: the encoding shown first: ``index``, ``normalized``, ``binary`` or ``sinusoidal``.

    Raises:
        ValueError: there is no encoding of that name.
    """
    scheme_named(selected, among=DOT_PRODUCT_ENCODINGS)
    n_positions, d_model = 50, 6

    def draw(encoding: str, distance: int) -> Scene:
        scheme = scheme_named(encoding)
        dot_products = dot_products_at_distance(scheme.vectors(n_positions, d_model), distance)
        figure = figures.dot_product_points(dot_products)
        (axes,) = figure.axes
        low, high = _rounded(dot_products.min()), _rounded(dot_products.max())
        pair = Text(
            "Positions {i} and {j}: dot product {product}.",
            "Posiciones {i} y {j}: producto escalar {product}.",
        )
        if low == high:
            every_pair = Text(
                "At distance {distance}, all dot products are {low}.",
                "A distancia {distance}, todos los productos escalares valen {low}.",
            )
        else:
            every_pair = Text(
                "At distance {distance}, the dot products lie between {low} and {high}.",
                "A distancia {distance}, los productos escalares están entre {low} y {high}.",
            )
        return Scene(
            figure,
            Text(
                "Points: the dot product of each pair of positions {distance} apart in the "
                "encoding “{name}”, from {low} to {high}.",
                "Puntos: el producto escalar de cada par de posiciones a distancia {distance} en "
                "la codificación «{name}», de {low} a {high}.",
            ).format(distance=distance, name=scheme.name, low=low, high=high),
            [
                pair.format(i=i, j=i + distance, product=_rounded(product))
                for i, product in enumerate(dot_products)
            ],
            [
                columns(axes, len(dot_products)),
                dots(axes, np.arange(len(dot_products)), dot_products, COLORS["orange"]),
            ],
            axes,
            note=every_pair.format(distance=distance, low=low, high=high),
        )

    return Explorer(
        draw,
        {
            "encoding": dropdown(
                Text("encoding", "codificación"),
                {name: scheme_named(name).name for name in DOT_PRODUCT_ENCODINGS},
                selected,
            ),
            "distance": slider(Text("distance", "distancia"), 10, 1, 30),
        },
        slider(Text("first position", "primera posición"), 10, 0, 39),
        Text(
            "Each point is a pair of positions, always the same distance apart. If only the "
            "distance counted, all points would lie on one flat line.",
            "Cada punto es un par de posiciones, siempre a la misma distancia. Si solo contara la "
            "distancia, todos los puntos caerían en una línea horizontal.",
        ),
    )


def sinusoidal_explorer() -> Explorer:
    """The sinusoidal table as a heatmap; its size and base can be changed."""
    frame = figures.heatmap_frame()

    def draw(n_positions: int, d_model: int, n_dimensions: int, base: int) -> Scene:
        table = sinusoidal_encoding(n_positions, d_model, base=base)[:, :n_dimensions]
        figure = figures.encoding_heatmap(table, frame)
        heatmap, values = figure.axes[:2]
        n_read = min(6, table.shape[1])
        readout = Text(
            "Position {i}, dimensions 0 to {last}: {values}.",
            "Posición {i}, dimensiones 0 a {last}: {values}.",
        )
        return Scene(
            figure,
            Text(
                "Heatmap of the sinusoidal encoding, {n_positions} positions by the first "
                "{n_dimensions} of {d_model} dimensions, base {base}: the first two dimensions "
                "turn by 1 radian a position, the last two shown by {slowest}.",
                "Mapa de calor de la codificación sinusoidal, {n_positions} posiciones por las "
                "primeras {n_dimensions} de {d_model} dimensiones, base {base}: las dos primeras "
                "dimensiones giran 1 radián por posición; las dos últimas que se ven, {slowest}.",
            ).format(
                n_positions=n_positions,
                n_dimensions=table.shape[1],
                d_model=d_model,
                base=base,
                slowest=np.format_float_positional(
                    angular_frequencies(d_model, base=base)[table.shape[1] // 2 - 1],
                    precision=2,
                    fractional=False,
                    trim="-",
                ),
            ),
            [
                readout.format(
                    i=i, last=n_read - 1, values=", ".join(f"{value:.3f}" for value in row[:n_read])
                )
                for i, row in enumerate(table)
            ],
            [columns(heatmap, n_positions), bars(values, table)],
            heatmap,
        )

    return Explorer(
        draw,
        {
            "n_positions": slider(Text("positions", "posiciones"), 50, 2, 128),
            "d_model": slider(
                Text("<code>d_model</code>", "<code>d_model</code>"), 16, 2, 128, step=2
            ),
            "n_dimensions": slider(
                Text("dimensions, up to", "dimensiones, hasta"),
                128,
                2,
                128,
                step=2,
            ),
            "base": base_slider(10_000),
        },
        slider(Text("position", "posición"), 23, 0, 49),
        Text(
            "Each column is a position, each row a dimension. Blue is negative, white zero, red "
            "positive; the bars are the values at the position you have chosen.",
            "Cada columna es una posición y cada fila, una dimensión. Azul es negativo, blanco "
            "cero, rojo positivo; las barras son los valores en la posición elegida.",
        ),
        presets={
            "50 × 16": {"n_positions": 50, "d_model": 16, "n_dimensions": 128, "base": 10_000},
            "64 × 32": {"n_positions": 64, "d_model": 32, "n_dimensions": 128, "base": 10_000},
            "30 × 6, d_model = 128": {
                "n_positions": 30,
                "d_model": 128,
                "n_dimensions": 6,
                "base": 10_000,
            },
        },
    )


def _rounded(value: float) -> str:
    """Whole numbers as such, others with three decimals."""
    return f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.3f}"
