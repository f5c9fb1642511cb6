"""Components shared by many scenes: ticks, axes, dials, and maps with colour scales."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..words.text import Text
from .scenes import (
    Axis,
    Box,
    Cursor,
    Curve,
    Dots,
    Hands,
    Map,
    Panel,
    Points,
    Ribbons,
    ValueBars,
    Wedge,
)

SCALE_WIDTH = 86
"""Width in pixels of a colour scale and its numbers."""


def numeral(number: float) -> str:
    """Format a number for an axis label."""
    return f"{number:.6g}".replace("-", "\N{MINUS SIGN}")


def round_ticks(low: float, high: float, most: int = 7) -> tuple[tuple[float, str], ...]:
    """Return up to ``most`` evenly spaced round numbers from ``low`` to ``high``, with labels."""
    span = high - low
    power = 10.0 ** np.floor(np.log10(span / most))
    step = next(k * power for k in (1, 2, 5, 10, 20) if span / (k * power) < most)
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    return tuple((float(n * step), numeral(float(n * step))) for n in range(first, last + 1))


def counting(
    count: int, quantity: Text | None = None, *, first: int = 0, down: bool = False, most: int = 7
) -> Axis:
    """Create an axis for ``count`` cells, which are numbered from ``first``."""
    ticks = round_ticks(0, count - 1, most) if count > 1 else ((0.0, ""),)
    whole = tuple((at, numeral(first + at)) for at, _ in ticks if at == int(at))
    ends = {"low": count - 0.5, "high": -0.5} if down else {"low": -0.5, "high": count - 0.5}
    return Axis(**ends, quantity=quantity, ticks=whole)


def one_curve(lines: list[NDArray]) -> Curve:
    """Join faint lines that start at x = 0 into one curve, which is much faster to draw."""
    gap = [np.nan]
    x = np.concatenate([np.append(np.arange(len(line)), gap) for line in lines])
    return Curve(x, np.concatenate([np.append(line, gap) for line in lines]), "faint")


MAP_BOX = Box(before=44, after=SCALE_WIDTH)
"""Default box of a map and its colour scale."""


def map_panels(
    shown: Map,
    *,
    x: Text,
    y: Text,
    box: Box = MAP_BOX,
    first: int = 0,
    moving: Sequence[Cursor | Dots] = (),
) -> tuple[Panel, Panel]:
    """Create a panel for a map and a panel for its colour scale.

    Columns run from left to right and count the quantity ``x``. Rows run from top to bottom and
    count the quantity ``y``. The columns are numbered from ``first``, and so are the rows of a
    square map. Both panels fit into ``box``.
    """
    n_rows, n_columns = shown.values.shape
    heat = Panel(
        box=box,
        x=counting(n_columns, x, first=first),
        y=counting(n_rows, y, first=first if n_rows == n_columns else 0, down=True),
        layers=(shown,),
        moving=tuple(moving),
        track=bool(moving),
    )
    return heat, color_scale(shown, heat.box)


def map_over_curve(
    shown: Map,
    *,
    split: float,
    x: Axis,
    y: tuple[Text, Axis],
    curves: Sequence[Curve | Points],
    dots: Sequence[Dots] = (),
    waves: Ribbons | None = None,
) -> tuple[Panel, ...]:
    """Create panels for a map, its colour scale, and curves below the map.

    Args:
        shown: Map to draw.
        split: Top of the curves as a fraction of the height.
        x: Horizontal axis of the map and the curves.
        y: Quantity that the rows count, and the vertical axis of the curves.
        curves: Layers below the map, from back to front.
        dots: Marks that move along the curves. A cursor moves with them over the map and behind the
            curves.
        waves: Layer that replaces the cells of the map.
    """
    rows, upright = y
    columns = np.arange(shown.values.shape[1])
    heat, scale = map_panels(
        shown,
        x=rows,
        y=rows,
        box=replace(MAP_BOX, lower=split, bottom=8),
        moving=[Cursor(x=columns, framed=True)] if dots else (),
    )
    below = Panel(
        box=replace(MAP_BOX, upper=split),
        x=x,
        y=upright,
        layers=tuple(curves),
        moving=(Cursor(x=columns), *dots) if dots else (),
        track=bool(dots),
    )
    layers = heat.layers if waves is None else (waves,)
    above = replace(heat, layers=layers, x=replace(x, quantity=None, ticks=()), track=False)
    return above, scale, below


def maps_in_a_row(
    shown: Sequence[Map], x: Text, names: Sequence[Text], moving: Sequence[Cursor] = ()
) -> tuple[Panel, ...]:
    """Create panels for three named maps and for the colour scale of the last map."""
    panels = []
    for number, (each, name) in enumerate(zip(shown, names, strict=True)):
        n_rows, n_columns = each.values.shape
        ends = {"left": number * 0.305, "right": number * 0.305 + 0.39}
        panels.append(
            Panel(
                # All maps are as wide as the last map, so that their columns are aligned on a
                # phone.
                box=Box(**ends, before=36, after=SCALE_WIDTH, narrow_row=number),
                x=counting(n_columns, x, most=4),
                y=counting(n_rows, name, down=True, most=5),
                layers=(each,),
                moving=tuple(moving),
                track=bool(moving) and number == 0,
            )
        )
    return (*panels, color_scale(shown[-1], panels[-1].box))


def map_with_bars(
    shown: Map, *, split: float, x: Text, y: Text, values: Axis, changed: NDArray | None = None
) -> tuple[Panel, ...]:
    """Create panels for a map, bars for one of its columns, and its colour scale.

    Args:
        shown: Map to draw.
        split: Left edge of the bars as a fraction of the width; on a narrow page, the bars are
            below the map.
        x: Quantity that the columns count.
        y: Quantity that the rows count.
        values: Axis along which the bars are drawn.
        changed: Mask of the bars drawn in the position's colour, with shape ``(n_positions,
            n_rows)``.
    """
    n_rows, n_positions = shown.values.shape
    column = Cursor(x=np.arange(n_positions), framed=True)
    heat, scale = map_panels(shown, x=x, y=y, box=replace(MAP_BOX, right=split), moving=[column])
    bars = ValueBars(values=shown.values.T, colors=("grey",) * n_rows, changed=changed)
    beside = Panel(
        box=replace(heat.box, left=split, right=1.0, before=12, after=12, narrow_row=1),
        x=values,
        y=Axis(low=heat.y.low, high=heat.y.high),
        moving=(bars,),
    )
    return heat, beside, scale


def color_scale(shown: Map, beside: Box) -> Panel:
    """Create the colour scale of a map, on the right of its box."""
    ramp = np.linspace(shown.low, shown.high, 64)[:, np.newaxis]
    share = 63 / (shown.high - shown.low)
    ticks = sorted({shown.low, 0.0, shown.high})
    room = {"left": beside.right, "before": 12 - beside.after, "after": beside.after - 24}
    numbers = tuple(((tick - shown.low) * share, _short(tick)) for tick in ticks)
    return Panel(
        box=replace(beside, **room),
        x=Axis(low=-0.5, high=0.5),
        y=Axis(low=-0.5, high=63.5, ticks=numbers, at_end=True),
        layers=(Map(ramp, shown.low, shown.high, shown.ramp),),
    )


def _short(number: float) -> str:
    """Format a number with at most six characters, such as 0.25, −38.4, 1234 or −1.8e5."""
    if number and not 0.001 <= abs(number) < 1e4:
        mantissa, exponent = f"{number:.1e}".split("e")
        return numeral(float(mantissa)) + f"e{int(exponent)}"
    return numeral(round(number) if abs(number) >= 100 else float(f"{number:.3g}"))


def dials(names: Sequence[str], here: NDArray, ahead: NDArray | None = None) -> tuple[Panel, ...]:
    """Create clocks side by side, one for each pair of columns.

    Each pair contains the coordinates of the tip of the hand. ``here`` contains the coordinates
    (right and up) of the tips at each position, with shape ``(n_positions, 2 * n_pairs)``. The
    distance of each tip from the centre is at most 1. ``ahead`` contains the tips at each moved
    position, if any.
    """
    panels = []
    for pair, name in enumerate(names):
        x, y = here[:, 2 * pair], here[:, 2 * pair + 1]
        moving = [Hands(x=x, y=y), Dots(x=x, y=y)]
        if ahead is not None:
            x, y = ahead[:, 2 * pair], ahead[:, 2 * pair + 1]
            moved = {"x": x, "y": y, "color": "ink", "follows": "moved"}
            moving = [Wedge(), Hands(**moved), Dots(**moved, filled=False), *moving]
        ends = {"left": pair / len(names), "right": (pair + 1) / len(names)}
        box = Box(**ends, top=4, bottom=28, before=4, after=4, narrow_row=pair // 2)
        room = Axis(low=-1.1, high=1.1)
        panels.append(Panel(box=box, x=room, y=room, moving=tuple(moving), dial=True, title=name))
    return tuple(panels)


EDGE = 4  # pixels between the edge of the box and the baseline of the bars
BARS_LEFT = 0.955
"""Right edge of the dials as a fraction of the width, which leaves space for the bars' labels."""


def dials_with_sum(
    names: Sequence[str],
    here: NDArray,
    ahead: NDArray,
    products: NDArray,
    marks: Sequence[str],
    quantity: Text,
    total: Text,
) -> tuple[Panel, ...]:
    """Create dials with two hands, bars for the products of the hands, and a bar for their sum.

    Args:
        names: Labels below the dials.
        here: Tips at each position, as in :func:`dials`.
        ahead: Tips at each moved position.
        products: Array of shape ``(n_offsets, n_dials)``.
        marks: Labels below the bars.
        quantity: Quantity that the bars measure.
        total: Name of the sum.
    """
    n_dials = len(names)
    share = BARS_LEFT * n_dials / (n_dials + 1)
    above = [
        replace(
            dial,
            box=replace(
                dial.box,
                left=share * dial.box.left,
                right=share * dial.box.right,
                lower=0.57,
                before=dial.box.before + EDGE,
                after=dial.box.after - EDGE,
            ),
        )
        for dial in dials(names, here, ahead)
    ]
    values = np.hstack([products, products.sum(axis=1, keepdims=True)])
    low, high = min(0.0, float(values.min())), float(values.max())
    margin = 0.08 * (high - low)
    last_row = max(dial.box.narrow_row for dial in above) + 1
    bars = Panel(
        box=Box(upper=0.57, top=30, bottom=24, before=EDGE, after=40, narrow_row=last_row),
        x=Axis(low=-0.5, high=n_dials + 0.5, ticks=tuple(enumerate((*marks, total)))),
        y=Axis(
            low=low - margin,
            high=high + margin,
            quantity=quantity,
            ticks=round_ticks(low, high, 4),
            at_end=True,
        ),
        moving=(
            ValueBars(
                values=values, colors=("grey",) * n_dials + ("sum",), upright=True, follows="offset"
            ),
        ),
        frame=False,
    )
    return (*above, bars)
