"""Replacement of earlier answers by reference solutions while an exercise is tested."""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType

import numpy as np

from .exercise import Exercise
from .tasks import LABS

WRAPPED = {
    functools.partial: "func",
    np.vectorize: "pyfunc",
    type(functools.cache(abs)): "__wrapped__",
}
"""Name of the attribute that contains the wrapped function, keyed by the type of wrapper."""


def namespace_of(answer: object) -> dict[str, object]:
    """Return the global namespace of an answer, which is the notebook's namespace.

    The namespace is empty for values and for functions that are not written in Python.
    """
    # Only types are compared, because accessing an attribute of an answer may run code.
    while type(answer) in WRAPPED:
        answer = getattr(answer, WRAPPED[type(answer)])
    functions = vars(answer).values() if issubclass(type(answer), type) else (answer,)
    return next((each.__globals__ for each in functions if type(each) is FunctionType), {})


@contextmanager
def right_ones_before(exercise: Exercise, namespace: dict[str, object]) -> Iterator[None]:
    """Replace the answers to earlier exercises by reference solutions, and restore them on exit."""
    right = {earlier.name: earlier.right_answer() for earlier in before(exercise)}
    learners = {name: namespace[name] for name in right if name in namespace}
    namespace.update(right)
    try:
        yield
    finally:
        for name in right:
            namespace.pop(name, None)
        namespace.update(learners)


def earlier_called(
    exercise: Exercise, answer: object, namespace: dict[str, object]
) -> list[Exercise]:
    """Return the earlier exercises of a lab that an answer uses, directly or indirectly."""
    names: set[str] = set()
    to_read = [answer]
    while to_read:
        new = names_in(to_read.pop()) - names
        names |= new
        to_read += [namespace.get(name) for name in new]
    return [earlier for earlier in before(exercise) if earlier.name in names]


def before(exercise: Exercise) -> tuple[Exercise, ...]:
    """Return the earlier exercises of a lab."""
    lab = next((exercises for exercises in LABS.values() if exercise in exercises), (exercise,))
    return lab[: lab.index(exercise)]


def names_in(value: object) -> set[str]:
    """Return the names used in a function or in the methods of a class."""
    functions = vars(value).values() if isinstance(value, type) else (value,)
    codes = [each.__code__ for each in functions if type(each) is FunctionType]
    names: set[str] = set()
    for code in codes:
        names.update(code.co_names)
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    return names
