"""What an exercise is: something to write, cases to try it on, and misconceptions to look for."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np

LARGEST_TYPED_ARRAY = 4
"""Numbers of an array that is written out in a call; a larger one goes by its name."""


class Misconception:
    """A wrong idea of how to do an exercise: other choices than those of the right implementation.

    The right implementation is a dataclass, and its fields are its choices;
    ``Misconception("another-base", base=1000)`` gives one of them another value. An idea that
    shows in several ways is there several times, with the same id. Its words stand under the id,
    beside the first lab that has it.
    """

    def __init__(self, id: str, **choices: object) -> None:
        self.id = id
        self.choices = choices


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
        called_with: for a class, the argument with which an object of it is called.
        reference: the right implementation, a dataclass whose fields misconceptions replace. It
            takes all arguments of a case at once; none if a value is asked for.
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

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The arguments of the function or class to write, as the reference has them."""
        given = inspect.signature(self.reference).parameters.values()
        return tuple(one.name for one in given if one.kind is one.POSITIONAL_OR_KEYWORD)

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
        for one in self.misconceptions:
            yield self._wrong_implementation(one)
        for one, other in combinations(self.misconceptions, 2):
            if one.id != other.id and not one.choices.keys() & other.choices.keys():
                yield self._wrong_implementation(one, other)

    def _wrong_implementation(self, *held: Misconception) -> WrongImplementation:
        choices = {name: value for one in held for name, value in one.choices.items()}
        function = replace(self.reference, **choices)
        return WrongImplementation(tuple(one.id for one in held), choices, function)

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
