"""A figure, its controls and the live marks over it, put together for the reader to move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import anywidget
import ipywidgets
import numpy as np
import traitlets
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Ellipse, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Transform
from numpy.typing import ArrayLike, NDArray

from . import figures
from .attention import self_attention
from .encodings import (
    angular_frequencies,
    binary_encoding,
    index_encoding,
    normalized_encoding,
    sinusoidal_encoding,
)
from .figures import COLORS
from .language import MODULE_FOLDER, Text
from .page import Shown, picture_html, pixels, png
from .properties import dot_products_at_distance, flips_per_step, word_share

__all__ = [
    "Explorer",
    "binary_explorer",
    "clock_explorer",
    "dot_product_explorer",
    "sinusoidal_explorer",
    "two_lengths_explorer",
    "wave_explorer",
    "word_order_explorer",
    "word_share_explorer",
]


@dataclass(frozen=True)
class Marks:
    """What lies over the picture at each position.

    ``geometry`` has the shape ``(n_positions, n_marks, 4)``, in shares of the picture's width and
    height from its upper left corner: x, y, width, height of a ``rect``; centre and half-axes of
    a ``dot``; the two ends of a ``line``.
    """

    shape: Literal["rect", "dot", "line"]
    geometry: NDArray[np.float32]
    color: str
    filled: bool = True


@dataclass(frozen=True)
class Scene:
    """All that an explorer shows for one setting of its parameters.

    ``readouts`` holds one Text for each position; ``track`` names the axes whose x axis runs over
    the positions, so that the reader can also drag in the picture.
    """

    figure: Figure
    alt: Text
    readouts: Sequence[Text]
    marks: Sequence[Marks]
    track: Axes | None = None


class ExplorerView(anywidget.AnyWidget):
    """The picture in the browser, with the marks and the read-out of the current position."""

    _esm = MODULE_FOLDER / "explorer_view.js"
    _css = MODULE_FOLDER / "page.css"

    position = traitlets.Int(0).tag(sync=True)
    scene = traitlets.Dict().tag(sync=True)


class Explorer:
    """Controls above a picture that follows them.

    Args:
        draw: function from the values of ``parameters`` to a Scene.
        parameters: controls that change the picture, by the name under which ``draw`` takes them.
        position: slider that moves the marks; tied to the view in the browser, it needs no kernel.
        caption: what to look at.
        presets: settings worth a button, by the button's label.
    """

    def __init__(
        self,
        draw: Callable[..., Scene],
        parameters: Mapping[str, ipywidgets.ValueWidget],
        position: ipywidgets.IntSlider,
        caption: Text,
        presets: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self.parameters = dict(parameters)
        self.position = position
        self.caption = caption
        self.presets = dict(presets or {})
        self.view = ExplorerView()
        self._draw = draw
        self._redraw()
        for control in self.parameters.values():
            control.observe(self._redraw, names="value")
        link = ipywidgets.jslink((position, "value"), (self.view, "position"))
        self.widget = ipywidgets.VBox(
            [*self._preset_buttons(), *self.parameters.values(), position, self.view]
        )
        self.widget.add_class("course-explorer-box")
        self.widget.link = link  # lives as long as what it ties together

    @property
    def controls(self) -> tuple[ipywidgets.ValueWidget, ...]:
        """Everything the reader can move."""
        return (*self.parameters.values(), self.position)

    def apply(self, values: Mapping[str, int]) -> None:
        """Set several parameters and draw once."""
        for control in self.parameters.values():
            control.unobserve(self._redraw, names="value")
        try:
            for name, value in values.items():
                self.parameters[name].value = value
        finally:
            for control in self.parameters.values():
                control.observe(self._redraw, names="value")
        self._redraw()

    def as_shown(self) -> Shown:
        """The explorer as it stands, for readers without a kernel."""
        readout = self.scene.readouts[self.position.value]
        picture = _picture_with_marks(self.scene, self.position.value)
        return Shown(
            html=f'<figure class="course-figure">{picture_html(picture, self.scene.alt)}'
            f"{readout.blocks()}<figcaption>{self.caption.blocks()}</figcaption></figure>",
            plain=f"{self.scene.alt.lines}\n{readout.lines}",
            png=picture,
        )

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        return {**self.widget._repr_mimebundle_(**kwargs), **self.as_shown().bundle()}

    def _redraw(self, change: object = None) -> None:
        values = {name: control.value for name, control in self.parameters.items()}
        self.scene = self._draw(**values)
        # The view takes a position beyond the scene for its last one, in either order of arrival.
        self.view.scene = _for_the_browser(self.scene, self.caption)
        self.position.max = len(self.scene.readouts) - 1

    def _preset_buttons(self) -> list[ipywidgets.HBox]:
        buttons = []
        for label, values in self.presets.items():
            button = ipywidgets.Button(description=label, layout={"width": "auto"})
            button.on_click(lambda _, values=values: self.apply(values))
            buttons.append(button)
        return [ipywidgets.HBox(buttons)] if buttons else []


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
            [_columns(heatmap, n_words), _columns(below, n_words)],
            heatmap,
        )

    return Explorer(
        draw,
        {
            "shuffle": _slider(Text("shuffle", "mezcla"), 0, 0, len(orders) - 1),
            "positions": ipywidgets.Checkbox(
                value=False,
                description=Text("add positions", "sumar posiciones").inline(),
                description_allow_html=True,
                style={"description_width": LABEL_WIDTH},
            ),
        },
        _slider(Text("position", "posición"), 1, 0, n_words - 1),
        Text(
            "The table lies on its side. Shuffle 0 is the original sentence, shuffle 1 swaps its "
            "two nouns. Each column is the vector that comes out of attention for the word below "
            "it; the bars show how far it is from what the same word got in the original order.",
            "La tabla está tumbada. La mezcla 0 es la frase original; la 1 intercambia los dos "
            "sustantivos. Cada columna es el vector que sale de la atención para la palabra de "
            "abajo; las barras muestran cuánto se aleja del que recibió esa misma palabra en el "
            "orden original.",
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
                _columns(curve, n_positions, narrowest=0.002),
                _dots(curve, np.arange(n_positions), 100 * shares, COLORS["blue"]),
                _bars(beside, lengths),
            ],
            curve,
        )

    return Explorer(
        draw,
        {
            "n_positions": _slider(
                Text("sequence length", "longitud de la secuencia"), 600, 20, 600, step=20
            )
        },
        _slider(Text("position", "posición"), 500, 0, 599),
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
            "Position {i}: {first} in the sentence of {first_length} words, {second} in the one of "
            "{second_length}.",
            "Posición {i}: {first} en la frase de {first_length} palabras, {second} en la de "
            "{second_length}.",
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
            [_columns(axes, longest)],
            axes,
        )

    return Explorer(
        draw,
        {
            "first_length": _slider(
                Text("length of the first", "longitud de la primera"), 10, 1, 40
            ),
            "second_length": _slider(
                Text("length of the second", "longitud de la segunda"), 20, 1, 40
            ),
        },
        _slider(Text("position", "posición"), 5, 0, 39),
        Text(
            "Two sentences of different length. Blue circles: the first; orange squares: the "
            "second.",
            "Dos frases de distinta longitud. Círculos azules: la primera; cuadrados naranjas: "
            "la segunda.",
        ),
    )


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
                "{d_model} bits can write only {n_shown} numbers: {n_positions} positions do not "
                "fit.",
                "Con {d_model} bits solo se escriben {n_shown} números: {n_positions} posiciones "
                "no caben.",
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
            [_columns(heatmap, n_shown), _bars(values, table)],
            heatmap,
        )

    return Explorer(
        draw,
        {
            "n_positions": _slider(Text("positions", "posiciones"), 50, 2, 128),
            "d_model": _slider(Text("dimensions (bits)", "dimensiones (bits)"), 6, 1, 8),
        },
        _slider(Text("position", "posición"), 23, 0, 49),
        Text(
            "The table lies on its side: each column is a position, each row a bit. The row at the "
            "top, dimension 0, is the least significant bit; red is 1, white is 0.",
            "La tabla está tumbada: cada columna es una posición y cada fila, un bit. La fila de "
            "arriba, la dimensión 0, es el bit menos significativo; rojo es 1 y blanco es 0.",
        ),
    )


DOT_PRODUCT_ENCODINGS = {
    "index": ("index · índice", index_encoding),
    "normalized": ("normalized · normalizada", normalized_encoding),
    "binary": ("binary · binaria", binary_encoding),
    "sinusoidal": ("sinusoidal", sinusoidal_encoding),
}


def dot_product_explorer(selected: str = "binary") -> Explorer:
    """All dot products of pairs that are equally far apart: a flat line means distance-aware.

    Args:
        selected: the encoding shown first: ``index``, ``normalized``, ``binary`` or ``sinusoidal``.

    Raises:
        ValueError: there is no encoding of that name.
    """
    if selected not in DOT_PRODUCT_ENCODINGS:
        raise ValueError(
            f"selected must be one of {', '.join(DOT_PRODUCT_ENCODINGS)}; got {selected!r}."
        )
    n_positions, d_model = 50, 6

    def draw(encoding: str, distance: int) -> Scene:
        label, make_table = DOT_PRODUCT_ENCODINGS[encoding]
        dot_products = dot_products_at_distance(make_table(n_positions, d_model), distance)
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
        readout = pair + every_pair
        name = Text(*(label.split(" · ") * 2)[:2])
        return Scene(
            figure,
            Text(
                "Points: the dot product of each pair of positions {distance} apart in the "
                "encoding “{name}”, from {low} to {high}.",
                "Puntos: el producto escalar de cada par de posiciones a distancia {distance} en "
                "la codificación «{name}», de {low} a {high}.",
            ).format(distance=distance, name=name, low=low, high=high),
            [
                readout.format(
                    i=i,
                    j=i + distance,
                    product=_rounded(product),
                    distance=distance,
                    low=low,
                    high=high,
                )
                for i, product in enumerate(dot_products)
            ],
            [
                _columns(axes, len(dot_products)),
                _dots(axes, np.arange(len(dot_products)), dot_products, COLORS["orange"]),
            ],
            axes,
        )

    return Explorer(
        draw,
        {
            "encoding": ipywidgets.Dropdown(
                options=[(label, name) for name, (label, _) in DOT_PRODUCT_ENCODINGS.items()],
                value=selected,
                description=Text("encoding", "codificación").inline(),
                description_allow_html=True,
                layout={"width": CONTROL_WIDTH},
                style={"description_width": LABEL_WIDTH},
            ),
            "distance": _slider(Text("distance", "distancia"), 10, 1, 30),
        },
        _slider(Text("first position", "primera posición"), 10, 0, 39),
        Text(
            "Each point is a pair of positions, always the same distance apart. If only the "
            "distance counted, all points would lie on one flat line.",
            "Cada punto es un par de posiciones, siempre a la misma distancia. Si solo contara la "
            "distancia, todos los puntos caerían en una línea horizontal.",
        ),
    )


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
            [_columns(axes, n_positions) for axes in figure.axes]
            + [
                _dots(axes, np.arange(n_positions), at_positions[:, bit], COLORS["orange"])
                for bit, axes in enumerate(figure.axes)
            ],
            figure.axes[0],
        )

    return Explorer(
        draw,
        {"smoothness": _slider(Text("smoothness, %", "suavidad, %"), 0, 0, 100)},
        _slider(Text("position", "posición"), 5, 0, n_positions - 1),
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
                _hands(axes, table[:, 2 * pair], table[:, 2 * pair + 1])
                for pair, axes in enumerate(figure.axes)
            ]
            + [
                _dots(axes, table[:, 2 * pair], table[:, 2 * pair + 1], COLORS["orange"])
                for pair, axes in enumerate(figure.axes)
            ],
        )

    return Explorer(
        draw,
        {"base": _base_slider(10_000)},
        _slider(Text("position", "posición"), 3, 0, n_positions - 1),
        Text(
            "Each hand starts at twelve and turns clockwise by its own angle at every position. "
            "The tip’s two coordinates, right and up, are the sine and the cosine.",
            "Cada aguja empieza en las doce y gira, en cada posición, su propio ángulo en el "
            "sentido del reloj. Las dos coordenadas de la punta, a la derecha y hacia arriba, "
            "son el seno y el coseno.",
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
                "{n_dimensions} of {d_model} dimensions, base {base}: the first dimensions swing "
                "fast, the last ones slowly.",
                "Mapa de calor de la codificación sinusoidal, {n_positions} posiciones por las "
                "primeras {n_dimensions} de {d_model} dimensiones, base {base}: las primeras "
                "dimensiones oscilan rápido; las últimas, despacio.",
            ).format(
                n_positions=n_positions, n_dimensions=table.shape[1], d_model=d_model, base=base
            ),
            [
                readout.format(
                    i=i, last=n_read - 1, values=", ".join(f"{value:.3f}" for value in row[:n_read])
                )
                for i, row in enumerate(table)
            ],
            [_columns(heatmap, n_positions), _bars(values, table)],
            heatmap,
        )

    return Explorer(
        draw,
        {
            "n_positions": _slider(Text("positions", "posiciones"), 50, 2, 128),
            "d_model": _slider(
                Text("<code>d_model</code>", "<code>d_model</code>"), 16, 2, 128, step=2
            ),
            "n_dimensions": _slider(
                Text("dimensions shown, at most", "dimensiones visibles, como máximo"),
                128,
                2,
                128,
                step=2,
            ),
            "base": _base_slider(10_000),
        },
        _slider(Text("position", "posición"), 23, 0, 49),
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


LABEL_WIDTH = "14em"
CONTROL_WIDTH = "min(100%, 44em)"


def _slider(label: Text, value: int, low: int, high: int, step: int = 1) -> ipywidgets.IntSlider:
    return ipywidgets.IntSlider(
        value=value,
        min=low,
        max=high,
        step=step,
        description=label.inline(),
        description_allow_html=True,
        style={"description_width": LABEL_WIDTH},
        layout={"width": CONTROL_WIDTH},
    )


def _base_slider(value: int) -> ipywidgets.SelectionSlider:
    return ipywidgets.SelectionSlider(
        options=[2, 10, 100, 1_000, 10_000, 100_000],
        value=value,
        description=Text("base", "base").inline(),
        description_allow_html=True,
        style={"description_width": LABEL_WIDTH},
        layout={"width": CONTROL_WIDTH},
    )


def _smoothed_bit(positions: NDArray, bit: int, smoothness: int) -> NDArray[np.float64]:
    """A bit of the position as a wave from 0 to 1, from square (0) to sinusoidal (100)."""
    # Shifted by half a position, so that the square wave jumps between whole positions.
    wave = -np.sin(np.pi * (positions + 0.5) / 2**bit)
    sharpness = 200.0 * 0.0005 ** (smoothness / 100)
    return 0.5 + 0.5 * np.tanh(sharpness * wave) / np.tanh(sharpness)


def _rounded(value: float) -> str:
    """Whole numbers as such, others with three decimals."""
    return f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.3f}"


def _columns(axes: Axes, n_positions: int, narrowest: float = 0.0) -> Marks:
    """A frame around each position's column of a picture whose x axis runs over positions."""
    box = axes.get_position()
    width = max(box.width / n_positions, narrowest)
    centers = box.x0 + (np.arange(n_positions) + 0.5) * box.width / n_positions
    geometry = np.empty((n_positions, 1, 4), np.float32)
    geometry[:, 0, 0] = centers - width / 2
    geometry[:, 0, 1:] = 1 - box.y1, width, box.height
    return Marks("rect", geometry, COLORS["ink"], filled=False)


def _bars(axes: Axes, table: NDArray) -> Marks:
    """For each position, its values as bars from zero, one below the other."""
    rows = np.arange(table.shape[1])
    zeros, ends = _shares(axes, np.zeros_like(table), rows), _shares(axes, table, rows)
    height = axes.get_position().height / table.shape[1]
    geometry = np.empty((*table.shape, 4), np.float32)
    geometry[..., 0] = np.minimum(zeros[..., 0], ends[..., 0])
    geometry[..., 1] = ends[..., 1] - 0.4 * height
    geometry[..., 2] = np.abs(ends[..., 0] - zeros[..., 0])
    geometry[..., 3] = 0.8 * height
    return Marks("rect", geometry, COLORS["grey"])


def _dots(axes: Axes, x: NDArray, y: NDArray, color: str) -> Marks:
    """A dot of seven pixels' radius at one point for each position."""
    geometry = np.empty((len(x), 1, 4), np.float32)
    geometry[:, 0, :2] = _shares(axes, x, y)
    geometry[:, 0, 2:] = 7 / np.array(pixels(axes.figure))
    return Marks("dot", geometry, color)


def _hands(axes: Axes, x: NDArray, y: NDArray) -> Marks:
    """A line from the axes' origin to one point for each position."""
    tips = _shares(axes, x, y)
    origins = np.broadcast_to(_shares(axes, 0.0, 0.0), tips.shape)
    geometry = np.concatenate([origins, tips], axis=-1)[:, np.newaxis].astype(np.float32)
    return Marks("line", geometry, COLORS["ink"], filled=False)


def _shares(axes: Axes, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Points in data coordinates as shares of the picture from its upper left corner."""
    axes.apply_aspect()
    points = np.stack(np.broadcast_arrays(x, y), axis=-1).astype(np.float64)
    in_pixels = axes.transData.transform(points.reshape(-1, 2))
    shares = axes.figure.transFigure.inverted().transform(in_pixels)
    shares[:, 1] = 1 - shares[:, 1]
    return shares.reshape(points.shape)


def _for_the_browser(scene: Scene, caption: Text) -> dict[str, object]:
    width, height = pixels(scene.figure)
    box = scene.track.get_position() if scene.track is not None else None
    return {
        "picture": png(scene.figure, compress_level=1),
        "width": width,
        "height": height,
        "track": [box.x0, box.width] if box is not None else None,
        "alt": scene.alt.as_dict(),
        "caption": caption.as_dict(),
        "readouts": [readout.as_dict() for readout in scene.readouts],
        "marks": [
            {
                "shape": marks.shape,
                "color": marks.color,
                "filled": marks.filled,
                "per_position": marks.geometry.shape[1],
                "numbers": np.ascontiguousarray(marks.geometry, dtype="<f4").tobytes(),
            }
            for marks in scene.marks
        ],
    }


def _picture_with_marks(scene: Scene, position: int) -> bytes:
    """The scene's picture with the marks of one position, as the browser lays them over it."""
    figure = scene.figure
    painted = [
        figure.add_artist(_artist(marks, numbers, figure.transFigure))
        for marks in scene.marks
        for numbers in marks.geometry[position]
    ]
    picture = png(figure)
    for artist in painted:
        artist.remove()
    return picture


def _artist(marks: Marks, numbers: NDArray, transform: Transform) -> Artist:
    a, b, c, d = numbers
    style = {"color": marks.color, "transform": transform}
    if marks.shape == "line":
        return Line2D((a, c), (1 - b, 1 - d), linewidth=2, **style)
    if marks.shape == "dot":
        return Ellipse((a, 1 - b), 2 * c, 2 * d, fill=marks.filled, **style)
    frame = Rectangle((a, 1 - b - d), c, d, fill=marks.filled, linewidth=1.5, **style)
    frame.set_path_effects([withStroke(linewidth=4, foreground="white")])
    return frame
