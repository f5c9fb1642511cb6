"""Every explorer, moved over the whole range of every control."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

import nbformat.v4
import pytest
from net.controls import label_problems, sweep, values_of
from net.outputs import output_problems, picture_rules

from course_utils import explorers

NAMES = sorted(
    name
    for name, member in inspect.getmembers(explorers, inspect.isfunction)
    if name.endswith("_explorer") and not name.startswith("_")
)


def sweep_by_name(name: str) -> list[str]:
    return sweep(getattr(explorers, name)())


def collect_garbage_rarely() -> None:
    """Thousands of axes come and go in a sweep; looking for them after each takes half the time."""
    gc.freeze()
    gc.set_threshold(50_000)


def n_settings(name: str) -> int:
    return sum(len(values_of(control)) for control in getattr(explorers, name)().controls[:-1])


@pytest.fixture(scope="module")
def sweeps() -> Iterator[dict[str, Future]]:
    """All sweeps at once, one on each core, the longest first."""
    with ProcessPoolExecutor(
        mp_context=get_context("spawn"), initializer=collect_garbage_rarely
    ) as pool:
        longest_first = sorted(NAMES, key=n_settings, reverse=True)
        yield {name: pool.submit(sweep_by_name, name) for name in longest_first}


@pytest.mark.parametrize("name", NAMES)
def test_no_control_breaks_the_explorer_at_any_value(name: str, sweeps: dict[str, Future]) -> None:
    assert sweeps[name].result() == []


@pytest.mark.parametrize("name", NAMES)
def test_controls_and_outputs_speak_both_languages(name: str) -> None:
    explorer = getattr(explorers, name)()
    output = nbformat.v4.new_output("display_data", explorer._repr_mimebundle_())
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(f"{name}()", outputs=[output], id="explorer")]
    )
    assert label_problems(explorer) + output_problems(notebook) + picture_rules(notebook) == []


def test_there_are_explorers() -> None:
    assert NAMES
