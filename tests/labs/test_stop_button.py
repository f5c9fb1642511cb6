"""An answer without end is stopped, by a learner or after some seconds; nothing is lost."""

import os
from collections.abc import Callable
from threading import Timer

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies
from jupyter_client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel
from test_odd_answers import Quarrelsome

from course_utils.labs import check

# The Stop button ----------------------------------------------------------------------------------

ENDLESS = """
import numpy as np
from course_utils.labs import check, progress

kept = [1, 2, 3]

def computes(n_positions):
    while True:
        np.sin(np.arange(1000.0)).sum()

def calls_itself(n_positions):
    try:
        return calls_itself(n_positions + 1)
    except RecursionError:
        return calls_itself(n_positions)
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """A kernel that keeps its progress in a folder of its own."""
    folder = tmp_path_factory.mktemp("stopped")
    environment = {**os.environ, "JUPYTER_DATA_DIR": str(folder)}
    manager, client = start_new_kernel(kernel_name="python3", env=environment)
    client.execute(ENDLESS, reply=True)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def displayed(client: BlockingKernelClient, code: str, begun: Callable = lambda: None) -> str:
    """What a cell displays as text, with something done once it runs."""
    shown = []

    def keep(message: dict) -> None:
        content = message["content"]
        shown.append(content.get("data", {}).get("text/plain", ""))
        if content.get("text") == "begun\n":
            begun()

    reply = client.execute_interactive(code, timeout=30, output_hook=keep)
    assert reply["content"]["status"] == "ok", reply["content"]
    return "".join(shown)


def test_an_answer_without_end_is_stopped_and_nothing_is_lost(kernel):
    manager, client = kernel

    def stop_soon() -> None:
        Timer(0.3, manager.interrupt_kernel).start()

    solve = 'check("bits-needed", lambda n: int(np.ceil(np.log2(n)))).solved'
    assert displayed(client, solve) == "True"
    said = displayed(client, 'print("begun"); check("bits-needed", computes)', stop_soon)
    assert "was stopped before it came back" in said and "se detuvo antes de terminar" in said
    assert displayed(client, "kept, int(1 / 0.5)") == "([1, 2, 3], 2)"
    assert ": 1 " in displayed(client, "progress()")


@pytest.mark.parametrize("answer", ["computes", "calls_itself"])
def test_an_answer_without_end_is_stopped_after_some_seconds(kernel, answer):
    _, client = kernel
    limit = "from course_utils.labs import running; running.SECONDS = 1"
    said = displayed(client, f'{limit}; check("bits-needed", {answer})')
    assert "had not come back after" in said and "no había terminado" in said


numbers = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers())
anything = st.one_of(
    st.recursive(
        st.one_of(numbers, st.text(max_size=5), st.binary(max_size=5)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.tuples(inner, inner),
            st.dictionaries(st.text(max_size=3), inner, max_size=2),
            st.builds(iter, st.lists(inner, max_size=2)),
        ),
        max_leaves=8,
    ),
    numpy_strategies.arrays(
        st.one_of(numpy_strategies.scalar_dtypes(), numpy_strategies.array_dtypes(max_size=2)),
        numpy_strategies.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
    ),
    st.builds(Quarrelsome),
)


@given(answer=anything)
def test_check_never_raises_whatever_a_function_returns(answer):
    for exercise_id in ("strange-table", "bits-needed"):
        feedback = check(exercise_id, lambda *arguments: answer)
        assert feedback.message("en") and feedback.message("es")


@given(answer=anything)
def test_check_never_raises_whatever_it_is_given(answer):
    for exercise_id in ("row-by-hand", "positional-encoding"):
        feedback = check(exercise_id, answer)
        assert feedback.message("en") and feedback.shown().html
