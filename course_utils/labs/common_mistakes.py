"""Mistakes that can occur in any exercise: changes of a result or of an argument.

Each mistake is a formula, which the feedback shows, and the corresponding function. The most
frequent mistakes come first.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from .exercise import Answer
from .running import Attempt, Outcome, outcome_of

Change = Callable[[NDArray], NDArray]

FORMULAS: dict[str, Change] = {
    "-x": np.negative,
    "2 * x": lambda x: 2 * x,
    "x / 2": lambda x: x / 2,
    "x + 1": lambda x: x + 1,
    "x - 1": lambda x: x - 1,
    "1 / x": np.reciprocal,
    "2 * np.pi * x": lambda x: math.tau * x,
    "x / (2 * np.pi)": lambda x: x / math.tau,
    "np.pi * x": lambda x: math.pi * x,
    "x / np.pi": lambda x: x / math.pi,
    "np.radians(x)": np.radians,
    "np.degrees(x)": np.degrees,
    "4 * x": lambda x: 4 * x,
    "x / 4": lambda x: x / 4,
    "100 * x": lambda x: 100 * x,
    "x.T": np.transpose,
    "1 - x": lambda x: 1 - x,
    "abs(x)": np.abs,
    "x ** 2": np.square,
    "np.sqrt(x)": np.sqrt,
    "np.exp(x)": np.exp,
    "2 ** x": np.exp2,
    "np.log(x)": np.log,
    "np.log2(x)": np.log2,
    "np.cos(x)": np.cos,
    "np.sin(x)": np.sin,
    "np.arccos(x)": np.arccos,
    "np.sign(x)": np.sign,
    "x % 1": lambda x: x % 1,
    "x % 2": lambda x: x % 2,
    "x // 2": lambda x: x // 2,
    "x == 0": lambda x: x == 0,
    "x > 0": lambda x: x > 0,
    "x > 0.5": lambda x: x > 0.5,
    "np.clip(x, 0, 1)": lambda x: np.clip(x, 0, 1),
    "np.maximum(x, 0)": lambda x: np.maximum(x, 0),
    "x[::-1]": lambda x: x[::-1],
    "x[:, ::-1]": lambda x: x[:, ::-1],
    "x[::-1, ::-1]": lambda x: x[::-1, ::-1],
    "np.roll(x, 1, axis=0)": lambda x: np.roll(x, 1, axis=0),
    "np.roll(x, -1, axis=0)": lambda x: np.roll(x, -1, axis=0),
    "np.roll(x, 1, axis=1)": lambda x: np.roll(x, 1, axis=1),
    "np.roll(x, -1, axis=1)": lambda x: np.roll(x, -1, axis=1),
    "np.sort(x)": np.sort,
    "np.sort(x, axis=0)": lambda x: np.sort(x, axis=0),
    "np.cumsum(x, axis=0)": lambda x: np.cumsum(x, axis=0),
    "np.cumsum(x, axis=1)": lambda x: np.cumsum(x, axis=1),
    "np.tril(x)": np.tril,
    "np.triu(x)": np.triu,
    "x / x.sum()": lambda x: x / x.sum(),
    "x / x.max()": lambda x: x / x.max(),
    "x - x[0]": lambda x: x - x[0],
    "x - x.mean()": lambda x: x - x.mean(),
    "x / np.linalg.norm(x, axis=-1, keepdims=True)": lambda x: (
        x / np.linalg.norm(x, axis=-1, keepdims=True)
    ),
    "softmax(x)": lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True),
    "x[0]": lambda x: x[0],
    "x[:1]": lambda x: x[:1],
    "x[-1]": lambda x: x[-1],
    "x[:, 0]": lambda x: x[:, 0],
    "x[:, 1]": lambda x: x[:, 1],
    "x[:, -1]": lambda x: x[:, -1],
    "x[1:]": lambda x: x[1:],
    "x[:-1]": lambda x: x[:-1],
    "x[:, 1:]": lambda x: x[:, 1:],
    "x[:, :-1]": lambda x: x[:, :-1],
    "x[:, ::2]": lambda x: x[:, ::2],
    "x.sum()": np.sum,
    "x.mean()": np.mean,
    "x.max()": np.max,
    "x.argmax()": np.argmax,
    "x.sum(axis=0)": lambda x: x.sum(axis=0),
    "x.sum(axis=1)": lambda x: x.sum(axis=1),
    "x.mean(axis=0)": lambda x: x.mean(axis=0),
    "x.mean(axis=1)": lambda x: x.mean(axis=1),
    "np.argsort(x)": np.argsort,
}
"""Mistaken changes of a result ``x``."""

WITH_NAME = {
    "x[0]": "only-first-returned",
    "x[:1]": "only-first-returned",
    "x[:, 0]": "one-column",
    "x[:, 1]": "one-column",
    "x[:, -1]": "one-column",
}
"""Formulas with their own sentence."""

WITH_SIZE: dict[str, Callable[[NDArray, float], NDArray]] = {
    "x * {}": np.multiply,
    "x / {}": np.divide,
    "x + {}": np.add,
    "x - {}": np.subtract,
    "{} - x": lambda x, size: size - x,
    "x * np.sqrt({})": lambda x, size: x * np.sqrt(size),
    "x / np.sqrt({})": lambda x, size: x / np.sqrt(size),
    "x % {}": np.mod,
    "{} - 1 - x": lambda x, size: size - 1 - x,
    "x * ({} - 1)": lambda x, size: x * (size - 1),
    "x / ({} - 1)": lambda x, size: x / (size - 1),
}
"""Changes of a result ``x`` by a number or a size among the arguments."""

OF_NUMBER: dict[str, Callable[[float], float]] = {
    "{} + 1": lambda number: number + 1,
    "{} - 1": lambda number: number - 1,
    "-{}": lambda number: -number,
    "2 * {}": lambda number: 2 * number,
    "abs({})": abs,
    "{} + 2": lambda number: number + 2,
    "{} // 2": lambda number: number // 2,
    "{} / 2": lambda number: number / 2,
    "{} ** 2": lambda number: number**2,
    "1 / {}": lambda number: 1 / number,
    "1 - {}": lambda number: 1 - number,
    "np.sqrt({})": np.sqrt,
    "2 * np.pi * {}": lambda number: math.tau * number,
    "np.pi * {}": lambda number: math.pi * number,
    "np.radians({})": np.radians,
    "np.degrees({})": np.degrees,
}
"""Replacements for a number among the arguments, the most frequent first."""

OF_ARRAY: dict[str, Change] = {
    "{}[::-1]": lambda array: array[::-1],
    "{}[:, ::-1]": lambda array: array[:, ::-1],
    "{}.T": np.transpose,
    "{} + 1": lambda array: array + 1,
    "-{}": np.negative,
    "2 * {}": lambda array: 2 * array,
    "{} - 1": lambda array: array - 1,
    "{} / 2": lambda array: array / 2,
    "{} // 2": lambda array: array // 2,
    "abs({})": np.abs,
    "{} ** 2": np.square,
    "1 - {}": lambda array: 1 - array,
    "np.floor({})": np.floor,
    "np.round({})": np.round,
    "np.sign({})": np.sign,
    "np.sort({})": np.sort,
    "np.sort({}, axis=0)": lambda array: np.sort(array, axis=0),
    "np.arange(len({}))": lambda array: np.arange(len(array)),
    "np.float16({})": lambda array: array.astype(np.float16),
    "{}[1:]": lambda array: array[1:],
    "{}[:-1]": lambda array: array[:-1],
    "{}[:, 1:]": lambda array: array[:, 1:],
    "{}[:, :-1]": lambda array: array[:, :-1],
    "{}[:1]": lambda array: array[:1],
    "{0} - {0}[0]": lambda array: array - array[0],
    "{0} / np.linalg.norm({0})": lambda array: array / np.linalg.norm(array),
    "np.cumsum({})": np.cumsum,
    "2 * np.pi * {}": lambda array: math.tau * array,
    "np.radians({})": np.radians,
    "np.degrees({})": np.degrees,
}
"""Replacements for an array among the arguments, the most frequent first."""

USUAL_NUMBERS = (*range(9), 10, 100, 1_000, 10_000)
"""Numbers that code may contain in place of an argument."""


def _on_axis(axis: int, holds: Callable[[NDArray, int], NDArray]) -> Change:
    return lambda x: holds(np.indices(x.shape)[axis], x.shape[axis])


LINES: dict[str, Callable[[NDArray, int], NDArray]] = {
    "first": lambda line, n_lines: line == 0,
    "last": lambda line, n_lines: line == n_lines - 1,
    "first-half": lambda line, n_lines: line < n_lines // 2,
    "second-half": lambda line, n_lines: line >= n_lines // 2,
    "not-first": lambda line, n_lines: line > 0,
    "not-last": lambda line, n_lines: line < n_lines - 1,
    "even": lambda line, n_lines: line % 2 == 0,
    "odd": lambda line, n_lines: line % 2 == 1,
}
"""Conditions on the index of a line, and on the number of lines, of a table or list."""

PLACES: dict[tuple[str, str], Change] = {
    **{("1", name): _on_axis(0, holds) for name, holds in LINES.items()},
    **{("2", f"{name}-row"): _on_axis(0, holds) for name, holds in LINES.items()},
    **{("2", f"{name}-column"): _on_axis(1, holds) for name, holds in LINES.items()},
    ("square", "diagonal"): lambda x: np.eye(*x.shape, dtype=bool),
    ("square", "off-diagonal"): lambda x: ~np.eye(*x.shape, dtype=bool),
    ("square", "above-diagonal"): lambda x: ~np.tri(*x.shape, dtype=bool),
    ("square", "below-diagonal"): lambda x: np.tri(*x.shape, k=-1, dtype=bool),
    ("any", "zero"): lambda x: x == 0,
    ("any", "negative"): lambda x: x < 0,
    ("any", "positive"): lambda x: x > 0,
}
"""Places of wrong numbers in an output with 1 or 2 axes, in a square table, or in any output."""

MOST_FREQUENT = 4
"""Number of replacements that are also tried in combination with a known mistake."""

LARGEST_RATIO = 1_000
"""Maximum ratio of a replacement to the argument; larger numbers would take seconds."""

Rerun = Callable[[Answer, int], Outcome]
"""Function that returns the outcome of an answer in a case if the mistake is made."""

Mistake = tuple[dict[str, str], Rerun]
"""Details for the sentence about a mistake, and the function that makes it."""


def changed_results(attempt: Attempt, combined: bool) -> Iterator[Mistake]:
    """Yield mistakes that change a result ``x``."""

    def mistake(formula: str, change: Callable[[NDArray, tuple], NDArray]) -> Mistake:
        def rerun(answer: Answer, case: int) -> Outcome:
            outcome = attempt.outcome(answer, case)
            if outcome.numbers is None:
                return outcome
            changed = change(outcome.numbers, attempt.cases[case])
            return Outcome(np.asarray(changed, np.float64))

        name = {"pattern": WITH_NAME[formula]} if formula in WITH_NAME and not combined else {}
        return {"formula": formula} | name, rerun

    for text, change in FORMULAS.items():
        yield mistake(text, lambda x, case, change=change: change(x))
    for (name, size), (text, change) in product(_sizes_in(attempt), WITH_SIZE.items()):
        yield mistake(text.format(name), lambda x, case, f=change, size=size: f(x, size(case)))


def replaced_arguments(attempt: Attempt, combined: bool) -> Iterator[Mistake]:
    """Yield mistakes that replace an argument or exchange two.

    In combination with a known mistake, only the most frequent replacements are tried.
    """
    names = attempt.exercise.parameters

    def mistake(name: str, instead: str, change: Callable[[list], list]) -> Mistake:
        def rerun(answer: Answer, case: int) -> Outcome:
            return outcome_of(attempt.exercise, answer, tuple(change([*attempt.cases[case]])))

        return {"input": name, "instead": instead}, rerun

    def put(place: int, value: Callable[[list], object]) -> Callable[[list], list]:
        return lambda case: [*case[:place], value(case), *case[place + 1 :]]

    for place, name in enumerate(names):
        given = [case[place] for case in attempt.cases]
        changes = OF_NUMBER if _is_number(given[0]) else OF_ARRAY
        if _is_number(given[0]) or isinstance(given[0], np.ndarray):
            for text, f in [*changes.items()][: MOST_FREQUENT if combined else None]:
                yield mistake(name, text.format(name), put(place, lambda c, f=f, p=place: f(c[p])))
        if _is_number(given[0]) and not combined:
            usual = (number for number in USUAL_NUMBERS if number <= max(*given, 8))
            for number in dict.fromkeys((*given, *usual)):
                yield mistake(name, f"{number}", put(place, lambda c, number=number: number))
            for text, size in _sizes_in(attempt):
                if max(map(size, attempt.cases)) <= LARGEST_RATIO * max(given):
                    yield mistake(name, text, put(place, size))
    for i, j in combinations(range(len(names)), 2):
        if type(attempt.cases[0][i]) is type(attempt.cases[0][j]):
            exchanged = f"{names[j]}, {names[i]}"
            yield mistake(
                f"{names[i]}, {names[j]}",
                exchanged,
                lambda c, i=i, j=j: [*c[:i], c[j], *c[i + 1 : j], c[i], *c[j + 1 :]],
            )


def _is_number(argument: object) -> bool:
    return isinstance(argument, Real) and not isinstance(argument, bool)


def _sizes_in(attempt: Attempt) -> Iterator[tuple[str, Callable[[Sequence], float]]]:
    """Yield each number and each size among the arguments, as text and as a function of a case."""
    for p, (name, argument) in enumerate(
        zip(attempt.exercise.parameters, attempt.cases[0], strict=False)
    ):
        if _is_number(argument):
            yield name, lambda case, p=p: case[p]
        elif isinstance(argument, np.ndarray):
            yield f"len({name})", lambda case, p=p: len(case[p])
            if argument.ndim > 1:
                yield f"{name}.shape[1]", lambda case, p=p: case[p].shape[1]
