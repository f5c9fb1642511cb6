"""Tests of recognising explorer calls in cells."""

import ast
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from web.explorer_calls import ExplorerCall, explorer_call, explorer_named

WITH_SCHEME = ExplorerCall("score_explorer", ("t5-encoder",))
WITH_KEYWORD = ExplorerCall("score_explorer", (), {"selected": "t5-encoder"})


@pytest.mark.parametrize(
    ("source", "call"),
    [
        ("clock_explorer()", ExplorerCall("clock_explorer")),
        ('score_explorer("t5-encoder")', WITH_SCHEME),
        ("score_explorer('t5-encoder')", WITH_SCHEME),
        ('score_explorer("t5-encoder",)', WITH_SCHEME),
        ('score_explorer(\n    "t5-encoder",\n)', WITH_SCHEME),
        ('score_explorer(selected="t5-encoder")', WITH_KEYWORD),
        ("score_explorer( selected = 't5-encoder' )  # a scheme", WITH_KEYWORD),
        (
            "n = 3\nfields_explorer(2, picture='rings')\n",
            ExplorerCall("fields_explorer", (2,), {"picture": "rings"}),
        ),
        ("sinusoidal_explorer(encoding=my_encoding)", None),
        ("%matplotlib inline\nclock_explorer()", None),
        ("clock_explorer", None),
        ("explorer = clock_explorer()", None),
        ("clock_explorer().observe(print)", None),
        ("print('clock_explorer()')", None),
        ("", None),
    ],
)
def test_explorer_call_at_end_of_cell(source, call) -> None:
    assert explorer_call(source) == call


@example(["0"])
@example([0])
@example(["a", "b"])
@example(["a-b"])
@given(st.lists(st.text() | st.integers() | st.booleans(), max_size=3))
def test_safe_name_identifies_call(arguments) -> None:
    source = f"clock_explorer({', '.join(map(repr, arguments))})"
    found = explorer_call(source)
    assert found.arguments == tuple(ast.literal_eval(f"[{', '.join(map(repr, arguments))}]"))
    assert re.fullmatch(r"[\w=.-]+", found.name, re.ASCII)


def test_named_explorer_has_arguments_of_its_call() -> None:
    call = explorer_call('score_explorer(selected="t5-encoder")')
    assert explorer_named(call.name).values["scheme"] == "t5-encoder"
    assert explorer_named("clock_explorer").values["base"] == 10_000
