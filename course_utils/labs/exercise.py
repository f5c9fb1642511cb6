"""What an exercise is: something to write, cases to try it on, and misconceptions to look for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, product

import numpy as np

LARGEST_TYPED_ARRAY = 4
"""Numbers of an array that is written out in a call; a larger one goes by its name."""


class Misconception:
    """A wrong idea of how to do an exercise, as changes to the right implementation.

    The right implementation is a dataclass whose fields are its choices. Each variant of a
    misconception gives some of them another value, for instance ``{"base": 1000}``. The words of a
    misconception stand beside the first lab that has it, under its id.
    """

    def __init__(self, id: str, *variants: dict[str, object]) -> None:
        self.id = id
        self.variants = variants


@dataclass(frozen=True)
class WrongImplementation:
    """One misconception or two together, as an implementation to compare an answer with."""

    misconceptions: tuple[str, ...]
    choices: dict[str, object]
    function: Callable[..., object]


@dataclass(frozen=True, eq=False)
class Exercise:
    """One thing to write.

    Attributes:
        id: what ``check`` and ``hint`` call it; its words stand beside its lab under this id.
        parameters: the arguments of the function; none if a value is asked for.
        called_with: for a class, the argument with which an object of it is called.
        reference: the right implementation, a dataclass whose fields misconceptions replace. It
            takes all arguments of a case at once.
        cases: the arguments to try, that of ``called_with`` last; if it stands there more than
            once, the same object is called with each in turn, and the last answer counts.
        misconceptions: the commonest first, because the first that fits is named.
        tolerance: how far a number may be off, besides one part in 100,000; the rounding of
            float32 is below it.
        typed: the arguments of the first cases as a learner would type them, where they are no
            plain numbers.
        named: the name of the function, class or variable to write, if it is not the id with
            underscores.
        given: if the lab gives broken code to be mended, the choices that are wrong in it.
        shows_wrong_output: whether the lab shows a wrong output, which is that of the reference,
            and asks for the code that makes it.
    """

    id: str
    parameters: tuple[str, ...]
    reference: Callable[..., object]
    cases: tuple[tuple, ...]
    misconceptions: tuple[Misconception, ...]
    called_with: str = ""
    tolerance: float = 1e-5
    typed: tuple[str, ...] = ()
    named: str = ""
    given: dict[str, object] = field(default_factory=dict)
    shows_wrong_output: bool = False

    @property
    def name(self) -> str:
        return self.named or self.id.replace("-", "_")

    def call(self, answer: Callable[..., object], arguments: tuple) -> object:
        """What the answer makes of the arguments of a case."""
        n_parameters = len(self.parameters)
        made = answer(*arguments[:n_parameters])
        if not self.called_with:
            return made
        return [made(argument) for argument in arguments[n_parameters:]][-1]

    def right_answer(self) -> object:
        """The reference as an answer: a function, a class or a value."""
        return self.as_answer(self.reference)

    def as_answer(self, implementation: Callable[..., object]) -> object:
        """An implementation, which takes all arguments of a case at once, as an answer."""
        if not self.parameters:
            return implementation(*self.cases[0])
        if not self.called_with:
            return implementation

        def made(*arguments: object) -> Callable[[object], object]:
            earlier: list[object] = []

            def called(argument: object) -> object:
                value = implementation(*arguments, *earlier, argument)
                earlier.append(argument)
                return value

            return called

        return made

    def typed_call(self, arguments: tuple) -> str:
        """The last call of a case as one would type it, with names for what is too long."""
        if not self.parameters:
            return self.name
        typed = [
            name if _goes_by_its_name(argument) else _source(argument)
            for name, argument in self.last_call(arguments).items()
        ]
        n_parameters = len(self.parameters)
        given = self._typed_arguments(arguments) or ", ".join(typed[:n_parameters])
        return self.name + "".join(f"({part})" for part in (given, *typed[n_parameters:]))

    def unseen_shapes(self, arguments: tuple) -> dict[str, tuple[int, ...] | None]:
        """The shapes of what the typed call has only names for; None for a function."""
        if not self.parameters or self._typed_arguments(arguments):
            return {}
        return {
            name: getattr(argument, "shape", None)
            for name, argument in self.last_call(arguments).items()
            if _goes_by_its_name(argument)
        }

    def earlier_shapes(self, arguments: tuple) -> tuple[tuple[int, ...], ...]:
        """The shapes of what the same object was called with earlier in a case."""
        earlier = arguments[len(self.parameters) : -1] if self.called_with else ()
        return tuple(map(np.shape, earlier))

    def wrong_implementations(self) -> Iterator[WrongImplementation]:
        """Each misconception alone, then each two of them that change different choices."""
        for misconception in self.misconceptions:
            for choices in misconception.variants:
                yield self._wrong_implementation((misconception.id,), choices)
        for one, other in combinations(self.misconceptions, 2):
            for first, second in product(one.variants, other.variants):
                if not first.keys() & second.keys():
                    yield self._wrong_implementation((one.id, other.id), {**first, **second})

    def _wrong_implementation(
        self, names: tuple[str, ...], choices: dict[str, object]
    ) -> WrongImplementation:
        return WrongImplementation(names, choices, replace(self.reference, **choices))

    def last_call(self, arguments: tuple) -> dict[str, object]:
        """The arguments by their names; of several calls of an object, those of the last."""
        by_name = dict(zip(self.parameters, arguments, strict=False))
        return by_name | ({self.called_with: arguments[-1]} if self.called_with else {})

    def _typed_arguments(self, arguments: tuple) -> str:
        cases = zip(self.cases, self.typed, strict=False)
        return next((typed for case, typed in cases if case is arguments), "")


def _goes_by_its_name(argument: object) -> bool:
    too_large = isinstance(argument, np.ndarray) and argument.size > LARGEST_TYPED_ARRAY
    return too_large or callable(argument)


def _source(argument: object) -> str:
    is_array = isinstance(argument, np.ndarray)
    return f"np.array({argument.tolist()})" if is_array else repr(argument)
