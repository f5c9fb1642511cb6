"""All scenes of an explorer over the stops of its parameters, small enough for a page."""

from __future__ import annotations

import base64
import json
import tomllib
import zlib
from itertools import product
from pathlib import Path

import ipywidgets
import numpy as np

from course_utils.explorers import Explorer
from course_utils.scenes import as_data

STOPS = tomllib.loads(Path(__file__).with_name("stops.toml").read_text("utf-8"))
COARSE, FINE = 255, 65_535
"""Steps between the lowest and the highest number: for colours and bars, and for lines."""

SHORT = 3
"""Lists of up to so many values are not worth a node of their own to be a part of."""


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


def scenes_of(explorer: Explorer, stops: dict[str, list]) -> list:
    """The scene of each setting, that of the last parameter changing fastest."""
    return [explorer._scene_for(**dict(zip(stops, at, strict=True))) for at in product(*stops.values())]


def packed(explorer: Explorer, name: str) -> str:
    """All scenes, compressed, as text for a script; site.js unpacks them."""
    scenes = [as_data(scene) for scene in scenes_of(explorer, stops_of(explorer, name))]
    store = _Store(scenes)
    nodes = json.dumps(store.nodes, ensure_ascii=False, separators=(",", ":")).encode()
    data = len(nodes).to_bytes(4, "little") + nodes + store.bytes
    return base64.b64encode(zlib.compress(data, 9)).decode()


class _Store:
    """Nodes that stand for lists, objects and tables, each said once; node 0 lists the scenes.

    Within a node, ``[n]`` stands for node n. A list may be the beginning of a longer one, and a
    table a corner of a larger one, upright or lying.
    """

    def __init__(self, scenes: list[dict]) -> None:
        self.nodes: list[object] = [None]
        self.bytes = b""
        self._known: dict[object, int] = {}
        tables, lists = {}, {}
        for scene in scenes:
            _collect(scene, "", tables, lists)
        self._keep_lists(lists)
        self._keep_tables(tables)
        self.nodes[0] = [self._ref(scene, "") for scene in scenes]

    def _keep_lists(self, lists: dict[tuple, None]) -> None:
        longest: dict[tuple, list[tuple]] = {}
        for each in sorted(lists, key=len, reverse=True):
            hosts = longest.setdefault(each[:2], [])
            host = next((h for h in hosts if h[: len(each)] == each), None)
            if host is None:
                hosts.append(each)
                self._node(each, list(each))
            else:
                self._node(each, {"$of": self._known[host], "$first": len(each)})

    def _keep_tables(self, tables: dict[tuple, np.ndarray]) -> None:
        hosts: list[tuple[tuple, np.ndarray]] = []
        for key, table in sorted(tables.items(), key=lambda item: -item[1].size):
            for turned in (False, True) if table.ndim == 2 else (False,):
                part = table.T if turned else table
                host = next((k for k, whole in hosts if k[0] == key[0] and _is_corner(part, whole)), None)
                if host is not None:
                    corner = {"$of": self._known[host], "$shape": table.shape, "$turned": turned}
                    self._node(key, corner)
                    break
            else:
                hosts.append((key, table))
                self._node(key, self._numbers(table, key[0]))

    def _numbers(self, table: np.ndarray, steps: int) -> dict[str, object]:
        """Whole steps above the lowest number, each as the difference from the one before."""
        known = table[np.isfinite(table)]
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
        whole = high - low < steps and (known == known.round()).all()
        step = 1.0 if whole else (high - low) / (steps - 1)
        gaps = ~np.isfinite(table)
        counted = np.where(gaps, 0, np.round((np.where(gaps, low, table) - low) / (step or 1)))
        counted[gaps] = steps
        changes = np.diff(counted.astype(np.int64).ravel(), prepend=0)
        if steps == COARSE:
            data = changes.astype(np.uint8).tobytes()
        else:
            two = changes.astype(np.uint16)
            data = (two & 255).astype(np.uint8).tobytes() + (two >> 8).astype(np.uint8).tobytes()
        node = {"$at": len(self.bytes), "$shape": table.shape, "$low": low, "$step": step, "$steps": steps}
        self.bytes += data
        return node

    def _node(self, key: object, content: object) -> int:
        self._known[key] = len(self.nodes)
        self.nodes.append(content)
        return self._known[key]

    def _ref(self, value: object, kind: str) -> object:
        if isinstance(value, dict):
            if "numbers" in value:
                return [self._known[_table(value, kind)[0]]]
            content = {name: self._ref(each, value.get("kind", "")) for name, each in value.items()}
        elif isinstance(value, list):
            if _is_long(value):
                return [self._known[tuple(value)]]
            content = [self._ref(each, kind) for each in value]
        else:
            return value
        key = json.dumps(content)
        return [self._known[key] if key in self._known else self._node(key, content)]


def _collect(value: object, kind: str, tables: dict, lists: dict) -> None:
    if isinstance(value, dict):
        if "numbers" in value:
            key, table = _table(value, kind)
            tables[key] = table
        else:
            for each in value.values():
                _collect(each, value.get("kind", ""), tables, lists)
    elif isinstance(value, list):
        if _is_long(value):
            lists[tuple(value)] = None
        else:
            for each in value:
                _collect(each, kind, tables, lists)


def _table(value: dict, kind: str) -> tuple[tuple, np.ndarray]:
    steps = COARSE if kind in ("Map", "Cells", "ValueBars") else FINE
    key = steps, tuple(value["shape"]), value["numbers"]
    return key, np.frombuffer(value["numbers"], "<f4").reshape(value["shape"])


def _is_long(value: list) -> bool:
    return len(value) > SHORT and all(isinstance(each, str | int | bool) for each in value)


def _is_corner(part: np.ndarray, whole: np.ndarray) -> bool:
    if part.ndim != whole.ndim or any(a > b for a, b in zip(part.shape, whole.shape, strict=True)):
        return False
    corner = whole[tuple(slice(n) for n in part.shape)]
    last = tuple(n - 1 for n in part.shape)
    return part[last] == corner[last] and np.array_equal(part, corner, equal_nan=True)
