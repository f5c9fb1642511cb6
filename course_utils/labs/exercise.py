"""What an exercise is: something to write, cases to try it on, and wrong answers to know again."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

LARGEST_TYPED_ARRAY = 4
"""Numbers of an array that is written out in a call; a larger one goes by its name."""

Answer = Callable[..., object]
"""What is to be written: a function, or a class whose objects are called."""


Steps = dict[str, object]
"""How one number is worked by hand: what goes into the words, among it the ``result``."""


@dataclass(frozen=True)
class WrongAnswer:
    """An answer that is known to be wrong, and the ids of the misconceptions that it shows."""

    misconceptions: tuple[str, ...]
    answer: Answer

    @property
    def choices(self) -> dict[str, object]:
        """What was chosen of a family: the base of ``partial(rows, base=100)``."""
        return getattr(self.answer, "keywords", {})


@dataclass(frozen=True, eq=False)
class Exercise:
    """One thing to write.

    Attributes:
        id: what ``check`` and ``hint`` call it; its words stand beside its lab under this id.
        reference: the right answer, under the name that is to be written, with the parameters that
            are to be taken; what it takes after a ``*`` is for wrong answers. Where a value is
            asked for, it takes nothing and gives the value.
        cases: the arguments to try. An object of a class is called with what is left of them, once
            with each, and the last answer counts.
        by_hand: how a single number comes about: takes its place in the output, a tuple, and the
            arguments of a case, and gives what goes into the words of that name. ``result`` is the
            number, made by the steps that the words tell of.
        misconceptions: a wrong answer for each misconception, under its id, or a list of them if
            it shows in several ways; two ids with a space between them if they show together. The
            commonest first, because the first that fits is named.
        tolerance: how far a number may be off, besides one part in 100,000; the rounding of
            float32 is below it.
        typed: the arguments of the first cases as a learner would type them, where they are no
            plain numbers.
        given: if the lab gives broken code to be mended, that code.
        shows_wrong_output: whether the lab shows a wrong output, which is that of the reference,
            and asks for the code that makes it.
    """

    id: str
    reference: Answer
    cases: tuple[tuple, ...]
    by_hand: Callable[..., Steps]
    misconceptions: Mapping[str, Answer | Sequence[Answer]]
    tolerance: float = 1e-5
    typed: tuple[str, ...] = ()
    given: Answer | None = None
    shows_wrong_output: bool = False

    @property
    def name(self) -> str:
        return self.reference.__name__

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The arguments of the function or class to write, as the reference has them."""
        return _parameters(self.reference)

    @cached_property
    def called_with(self) -> str:
        """For a class, the argument with which an object of it is called."""
        return _parameters(self.reference.__call__)[-1] if isinstance(self.reference, type) else ""

    def call(self, answer: Answer, *arguments: object) -> object:
        """What an answer makes of the arguments of a case."""
        n_parameters = len(self.parameters)
        made = answer(*arguments[:n_parameters])
        if not self.called_with:
            return made
        return [made(argument) for argument in arguments[n_parameters:]][-1]

    def right_answer(self) -> object:
        """The reference as an answer: a function, a class or a value."""
        return self.reference if self.parameters else self.reference()

    def wrong_answers(self) -> Iterator[WrongAnswer]:
        """Those of the first misconception, then those of the next."""
        for ids, answers in self.misconceptions.items():
            for answer in answers if isinstance(answers, Sequence) else (answers,):
                yield WrongAnswer(tuple(ids.split()), answer)

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

    def last_call(self, arguments: tuple) -> dict[str, object]:
        """The arguments by their names; of several calls of an object, those of the last."""
        by_name = dict(zip(self.parameters, arguments, strict=False))
        return by_name | ({self.called_with: arguments[-1]} if self.called_with else {})

    def _typed_arguments(self, arguments: tuple) -> str:
        cases = zip(self.cases, self.typed, strict=False)
        return next((typed for case, typed in cases if case is arguments), "")


def _parameters(function: Answer) -> tuple[str, ...]:
    given = inspect.signature(function).parameters.values()
    return tuple(one.name for one in given if one.kind is one.POSITIONAL_OR_KEYWORD)


def _goes_by_its_name(argument: object) -> bool:
    too_large = isinstance(argument, np.ndarray) and argument.size > LARGEST_TYPED_ARRAY
    return too_large or callable(argument)


def _source(argument: object) -> str:
    is_array = isinstance(argument, np.ndarray)
    return f"np.array({argument.tolist()})" if is_array else repr(argument)
