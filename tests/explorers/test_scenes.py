"""Comparison of all explorers with their stored snapshots.

``scenes.json`` contains the texts of each explorer and the sums of the numbers that it draws, for
the initial parameters and for each parameter at the ends of its range. To update the file, run
``python tools/generate.py snapshots``.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from checks.every_explorer import EXPLORERS, in_python
from checks.snapshots import assert_current

from course_utils.explorers import Explorer
from course_utils.pictures.scenes import Scene, as_data


def settings(explorer: Explorer) -> Iterator[dict[str, object]]:
    """Return the initial parameters, and variants with each parameter at its ends."""
    start = explorer.values
    yield start
    for name, control in explorer.parameters.items():
        first, *_, last = control.stops
        yield from (start | {name: end} for end in (first, last) if end != control.start)


def words_of(scene: Scene) -> list[str]:
    """Return the description, and the sentences at three positions."""
    texts = [scene.alt]
    for readout in scene.readouts:
        n_places = scene.n_positions if readout.follows == "position" else scene.n_offsets
        texts += [
            readout.sentence(place) for place in sorted({0, min(1, n_places - 1), n_places - 1})
        ]
    return [text.plain["en"] for text in texts if text is not None]


def numbers_in(data: object) -> Iterator[tuple[bool, np.ndarray]]:
    """Yield the numbers in a scene or a part of it, and True if they are in a table."""
    if isinstance(data, dict) and "numbers" in data:
        yield True, np.frombuffer(data["numbers"], "<f4")
    elif isinstance(data, (dict, list)):
        for each in data.values() if isinstance(data, dict) else data:
            yield from numbers_in(each)
    elif isinstance(data, (int, float)):
        yield False, np.array([data])


def sums_of(scene: Scene) -> dict[str, list[float]]:
    """Return plain and weighted sums of the numbers in tables and of all other numbers."""
    numbers, sums = [*numbers_in(as_data(scene))], {}
    for name, of_tables in (("tables", True), ("others", False)):
        found = [each for is_table, each in numbers if is_table == of_tables]
        all_numbers = np.nan_to_num(np.concatenate([[0.0], *found]), posinf=1e3, neginf=-1e3)
        by_place = all_numbers @ np.linspace(1, 2, len(all_numbers))
        sums[name] = [float(f"{each:.10g}") for each in (all_numbers.sum(), by_place)]
    return sums


def scenes_of(explorer: Explorer) -> dict[str, dict]:
    scenes = {str(values): explorer.scene_for(**values) for values in settings(explorer)}
    return {name: {"said": words_of(scene)} | sums_of(scene) for name, scene in scenes.items()}


def snapshot() -> str:
    """Return the current content of ``scenes.json``."""
    now = {name: scenes_of(in_python(name)) for name in EXPLORERS}
    return json.dumps(now, ensure_ascii=False, indent=1) + "\n"


def test_explorer_scenes_match_snapshot():
    stored = Path(__file__).with_name("scenes.json")
    assert_current(stored, snapshot())
