"""All scenes of an explorer, for all stops of its parameters, compressed for a page."""

from __future__ import annotations

import base64
import json
import tomllib
import zlib
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from course_utils.explorers import Explorer
from course_utils.pictures.scenes import Scene, as_data
from course_utils.words.text import Text

STOPS = tomllib.loads(Path(__file__).with_name("stops.toml").read_text("utf-8"))
GAP = 4095
"""The code of NaN. Other codes count steps from the lowest number, which are finer than pixels."""


def stops_of(explorer: Explorer, name: str) -> dict[str, dict[object, Text | str]]:
    """Return the values that a page offers for each parameter, with their names."""
    chosen = STOPS.get(name, {})
    return {
        each: {value: control.stops[value] for value in chosen.get(each, control.stops)}
        for each, control in explorer.parameters.items()
    }


def scenes_of(explorer: Explorer, stops: dict[str, dict[object, Text | str]]) -> Iterator[Scene]:
    """Yield the scene for each setting; the last parameter changes fastest."""
    for values in product(*stops.values()):
        yield explorer.scene_for(**dict(zip(stops, values, strict=True)))


def packed(scenes: Sequence[Scene]) -> str:
    """Compress all scenes as text, in which equal parts are stored once.

    ``stored_scenes.js`` unpacks it.

    The text contains the length of a JSON list, the list, and then the numbers of all tables. The
    list holds nodes, in which ``[n]`` refers to node n; its last node lists the scenes. A table
    that is the upper left corner of a larger table, perhaps transposed, refers to the larger table.
    """
    nodes: list[object] = []
    known: dict[object, int] = {}
    hosts: list[tuple[int, NDArray]] = []
    numbers = bytearray()

    def refer(value: object) -> object:
        """Return a number or text unchanged, and a reference to the node for any other value."""
        if isinstance(value, list):
            node = [refer(each) for each in value]
        elif not isinstance(value, dict):
            return value
        elif "numbers" in value:
            key = tuple(value["shape"]), value["numbers"]
            if key not in known:
                known[key] = len(nodes)
                nodes.append(table(np.frombuffer(key[1], "<f4").reshape(key[0])))
            return [known[key]]
        else:
            node = {name: refer(each) for name, each in value.items()}
        key = repr(node)
        if key not in known:
            known[key] = len(nodes)
            nodes.append(node)
        return [known[key]]

    def table(whole: NDArray) -> dict[str, object]:
        for at, host in hosts:
            for turned in (False, True):
                if _is_corner(whole.T if turned else whole, host):
                    return {"$of": at, "$shape": whole.shape, "$turned": turned}
        hosts.append((len(nodes), whole))
        start = len(numbers) // 2
        low, step, counts = _counted(whole)
        numbers.extend(counts)
        return {"$at": start, "$shape": whole.shape, "$low": low, "$step": step}

    # Start with the last stop, because tables grow with the stops: a corner follows its larger
    # table.
    references = [refer(as_data(scene)) for scene in reversed(scenes)]
    nodes.append(references[::-1])
    text = json.dumps(nodes, ensure_ascii=False, separators=(",", ":")).encode()
    data = len(text).to_bytes(4, "little") + text + numbers
    return base64.b64encode(zlib.compress(data, 9)).decode()


def _is_corner(part: NDArray, whole: NDArray) -> bool:
    if part.ndim != whole.ndim or part.ndim > 2:
        return False
    corner = whole[tuple(map(slice, part.shape))]
    if corner.shape != part.shape or corner.flat[-1] != part.flat[-1]:
        return False
    # Steps for much larger numbers would be too coarse.
    fine = _largest(whole) <= 2 * _largest(part)
    return fine and np.array_equal(corner, part, equal_nan=True)


def _largest(table: NDArray) -> float:
    return np.nanmax(np.abs(table), initial=1)


def _counted(table: NDArray) -> tuple[float, float, bytes]:
    """Return the lowest number, the step, and each number as a count of steps above the lowest."""
    known = table[np.isfinite(table)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    whole = high - low < GAP and (known == known.round()).all()
    step = 1.0 if whole else (high - low) / (GAP - 1) or 1.0
    counts = np.where(np.isfinite(table), np.round((table - low) / step), GAP)
    return low, step, counts.astype("<u2").tobytes()
