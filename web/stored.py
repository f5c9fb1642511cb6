"""All scenes of an explorer over the stops of its parameters, small enough for a page."""

from __future__ import annotations

import base64
import json
import tomllib
import zlib
from collections.abc import Iterator
from functools import cached_property
from itertools import product
from pathlib import Path

import ipywidgets
import numpy as np
from numpy.typing import NDArray

from course_utils.explorers import Explorer
from course_utils.scenes import Scene, as_data

STOPS = tomllib.loads(Path(__file__).with_name("stops.toml").read_text("utf-8"))
STEPS = 65_535
"""Between the lowest and the highest number of a table."""


def stops_of(explorer: Explorer, name: str) -> dict[str, list]:
    """The values of each parameter that the page offers: all, or those named in stops.toml."""
    chosen = STOPS.get(name, {})
    return {each: chosen.get(each) or _values(c) for each, c in explorer.parameters.items()}


def _values(control: ipywidgets.ValueWidget) -> list:
    if isinstance(control, ipywidgets.IntSlider):
        return list(range(control.min, control.max + 1, control.step))
    if isinstance(control, ipywidgets.Checkbox):
        return [False, True]
    return [each[1] if isinstance(each, tuple) else each for each in control.options]


def scenes_of(explorer: Explorer, stops: dict[str, list]) -> Iterator[Scene]:
    """The scene of each setting, that of the last parameter changing fastest."""
    for values in product(*stops.values()):
        yield explorer.scene_for(**dict(zip(stops, values, strict=True)))


def packed(explorer: Explorer, stops: dict[str, list]) -> str:
    """All scenes as compressed text, in which nothing is said twice; site.js unpacks it.

    Node 0 lists the scenes. Within a node, ``[n]`` stands for node n. A list may be the beginning
    of a longer one, and a table a corner of a larger one, upright or lying.
    """
    scenes = [as_data(scene) for scene in scenes_of(explorer, stops)]
    leaves = dict.fromkeys(leaf for scene in scenes for leaf in _leaves(scene))
    nodes, known, numbers = [None], {}, bytearray()

    def add(key: object, node: object) -> int:
        known[key] = len(nodes)
        nodes.append(node)
        return known[key]

    hosts: dict[tuple, list] = {}
    for leaf in sorted(leaves, key=lambda leaf: -leaf.size):
        host, part = leaf.part_of(hosts.setdefault(leaf.kin, []))
        if host is None:
            hosts[leaf.kin].append(leaf)
        add(leaf, leaf.whole(numbers) if host is None else {"$of": known[host], **part})

    def refer(value: object) -> object:
        if not isinstance(value, (dict, list)):
            return value
        if leaf := _leaf(value):
            return [known[leaf]]
        if isinstance(value, dict):
            node = {name: refer(each) for name, each in value.items()}
        else:
            node = [refer(each) for each in value]
        key = json.dumps(node)
        return [known[key] if key in known else add(key, node)]

    nodes[0] = [refer(scene) for scene in scenes]
    text = json.dumps(nodes, ensure_ascii=False, separators=(",", ":")).encode()
    data = len(text).to_bytes(4, "little") + text + numbers
    return base64.b64encode(zlib.compress(data, 9)).decode()


def _leaves(value: object) -> Iterator[_List | _Table]:
    if isinstance(value, (dict, list)):
        if leaf := _leaf(value):
            yield leaf
        else:
            for each in value.values() if isinstance(value, dict) else value:
                yield from _leaves(each)


def _leaf(value: dict | list) -> _List | _Table | None:
    if isinstance(value, dict) and "numbers" in value:
        return _Table((tuple(value["shape"]), value["numbers"]))
    if isinstance(value, list) and len(value) > 3 and not {dict, list} & set(map(type, value)):
        return _List(int(v) if isinstance(v, bool) else v for v in value)
    return None


class _List(tuple):
    size = property(len)
    kin = property(lambda self: self[:2])

    def part_of(self, hosts: list[_List]) -> tuple[_List | None, dict]:
        host = next((each for each in hosts if each[: len(self)] == self), None)
        return host, {"$first": len(self)}

    def whole(self, numbers: bytearray) -> list:
        return list(self)


class _Table(tuple):
    shape = property(lambda self: self[0])
    size = property(lambda self: len(self[1]))
    kin = property(lambda self: len(self.shape))

    @cached_property
    def numbers(self) -> NDArray[np.float32]:
        return np.frombuffer(self[1], "<f4").reshape(self.shape)

    def part_of(self, hosts: list[_Table]) -> tuple[_Table | None, dict]:
        for turned in (False, True)[: len(self.shape)]:
            part = self.numbers.T if turned else self.numbers
            for host in hosts if part.ndim < 3 else ():
                corner = host.numbers[tuple(map(slice, part.shape))]
                if corner.shape == part.shape and corner.flat[-1] == part.flat[-1]:
                    if np.array_equal(corner, part, equal_nan=True):
                        return host, {"$shape": self.shape, "$turned": turned}
        return None, {}

    def whole(self, numbers: bytearray) -> dict[str, object]:
        """Counts of steps above the lowest number, each as what is added to the one before."""
        gaps = ~np.isfinite(self.numbers)
        known = self.numbers[~gaps] if (~gaps).any() else np.zeros(1)
        low, high = float(known.min()), float(known.max())
        counts = high - low < STEPS and (known == known.round()).all()
        step = 1.0 if counts else (high - low) / (STEPS - 1) or 1.0
        counted = np.round((np.where(gaps, low, self.numbers) - low) / step).astype(np.int64)
        counted[gaps] = STEPS
        added = np.diff(counted.ravel(), prepend=0)
        at = len(numbers)
        for shift in (0, 8):
            numbers += (added >> shift).astype(np.uint8).tobytes()
        return {"$at": at, "$shape": self.shape, "$low": low, "$step": step}
