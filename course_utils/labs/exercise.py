"""What is asked: something to write, cases to try it on, and the known ways to get it wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

__all__ = ["Exercise", "Misconception", "WrongWay"]

FEW = 4
"""Numbers of an array that are written out in a call."""


class Misconception:
    """A wrong implementation with a message.

    The right implementation is a dataclass whose fields are the choices in it. A misconception
    replaces one of them, for instance ``{"base": 1000}``; if it can be met in several forms, there
    is a variant for each. Its message is in texts.toml, under its id.
    """

    def __init__(self, id: str, *variants: dict[str, object]) -> None:
        self.id = id
        self.variants = variants


@dataclass(frozen=True)
class WrongWay:
    """One misconception or two together, as an implementation to compare an answer with."""

    misconceptions: tuple[str, ...]
    choices: dict[str, object]
    function: Callable[..., object]


@dataclass(frozen=True)
class Exercise:
    """One thing to write.

    Attributes:
        id: what ``check`` and ``hint`` call it; its texts are in texts.toml under this id.
        name: the name that the lab gives to what is written.
        parameters: the arguments of the function; none if a value is asked for.
        called_with: for a class, the arguments with which an object of it is called.
        reference: the right implementation, a dataclass whose fields misconceptions replace. It
            takes all arguments of a case at once.
        cases: the arguments to try, those of ``called_with`` last; if they stand there more than
            once, the same object is called with each in turn, and the last answer counts.
        misconceptions: the commonest first, because the first that fits is named.
        tolerance: how far a number may be off, besides one part in 100,000; the rounding of
            float32 is below it.
        written: the arguments of the cases as a learner would type them, where they are no plain
            numbers; for some cases it may be empty.
    """

    id: str
    name: str
    parameters: tuple[str, ...]
    reference: Callable[..., object]
    cases: tuple[tuple, ...]
    misconceptions: tuple[Misconception, ...]
    called_with: tuple[str, ...] = ()
    tolerance: float = 1e-5
    written: tuple[tuple[str, ...], ...] = ()

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"

    def call(self, answer: Callable[..., object], arguments: tuple) -> object:
        """What the answer makes of the arguments of a case."""
        split, step = len(self.parameters), len(self.called_with)
        made = answer(*arguments[:split])
        if not self.called_with:
            return made
        for start in range(split, len(arguments), step):
            value = made(*arguments[start : start + step])
        return value

    def call_shown(self, arguments: tuple) -> str:
        """The call as one would type it; what is too long to write out goes by its name."""
        if not self.parameters:
            return self.name
        written = self._written(arguments) or [
            name if _goes_by_its_name(argument) else _typed(argument)
            for name, argument in self._named(arguments)
        ]
        split = len(self.parameters)
        call = f"{self.name}({', '.join(written[:split])})"
        if self.called_with:
            call += f"({', '.join(written[split:])})"
        return call

    def not_shown(self, arguments: tuple) -> dict[str, tuple[int, ...] | None]:
        """What the call shows by its name only, with its shape; None for a function."""
        if not self.parameters or self._written(arguments):
            return {}
        return {
            name: getattr(argument, "shape", None)
            for name, argument in self._named(arguments)
            if _goes_by_its_name(argument)
        }

    def called_before(self, arguments: tuple) -> tuple[tuple[int, ...], ...]:
        """The shapes of what the same object was called with earlier in a case."""
        earlier = arguments[len(self.parameters) : len(arguments) - len(self.called_with)]
        return tuple(np.shape(argument) for argument in earlier)

    def _named(self, arguments: tuple) -> Iterator[tuple[str, object]]:
        last_call = arguments[len(arguments) - len(self.called_with) :]
        shown = arguments[: len(self.parameters)] + last_call
        return zip(self.parameters + self.called_with, shown, strict=True)

    def _written(self, arguments: tuple) -> tuple[str, ...]:
        for case, written in zip(self.cases, self.written, strict=False):
            if case is arguments:
                return written
        return ()

    def wrong_ways(self) -> Iterator[WrongWay]:
        """Each misconception alone, then each two of them that change different choices."""
        for misconception in self.misconceptions:
            for choices in misconception.variants:
                yield self._wrong_way((misconception.id,), choices)
        for one, other in combinations(self.misconceptions, 2):
            for first in one.variants:
                for second in other.variants:
                    if not first.keys() & second.keys():
                        yield self._wrong_way((one.id, other.id), {**first, **second})

    def _wrong_way(self, names: tuple[str, ...], choices: dict[str, object]) -> WrongWay:
        return WrongWay(names, choices, replace(self.reference, **choices))


def _goes_by_its_name(argument: object) -> bool:
    return callable(argument) or (isinstance(argument, np.ndarray) and argument.size > FEW)


def _typed(argument: object) -> str:
    if isinstance(argument, np.ndarray):
        return f"np.array({argument.tolist()})"
    return repr(argument)
