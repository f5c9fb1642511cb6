"""Definition of exercises by reference solutions, cases and known wrong answers."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

LARGEST_TYPED_ARRAY = 4
"""Maximum number of values in an array that a call shows in full."""

Answer = Callable[..., object]
"""Type of answers, which are functions or classes whose objects are called."""


Steps = dict[str, object]
"""Values in the worked example of one number, including the ``result``."""


@dataclass(frozen=True)
class WrongAnswer:
    """A known wrong answer with the ids of its misconceptions."""

    misconceptions: tuple[str, ...]
    answer: Answer

    @property
    def choices(self) -> dict[str, object]:
        """Parameters of the wrong answer, such as the base in ``partial(rows, base=100)``."""
        return getattr(self.answer, "keywords", {})


@dataclass(frozen=True, eq=False)
class Exercise:
    """An exercise with a single task.

    Attributes:
        id: Name of the exercise for ``check`` and ``hint``, and key of its texts.
        reference: Reference solution, with the name and parameters stated in the task. Parameters
            after ``*`` are used only by wrong answers. If the task asks for a value, the reference
            returns it and has no parameters.
        cases: Arguments of the test calls. For a class, the first arguments create an object, the
            remaining arguments are passed to it one by one, and the last result counts.
        by_hand: Function that computes a single number step by step. Its arguments are the number's
            index in the output (a tuple) and the arguments of a case. It returns the values for the
            text ``by-hand``; ``result`` is the number itself.
        misconceptions: Wrong answers, or lists of wrong answers, keyed by the id of the
            misconception. If two misconceptions occur together, their ids are separated by a space.
            The most common misconceptions should come first, because the first match is named.
        tolerance: Allowed absolute error. In addition, a relative error of 1/100,000, which is
            larger than the rounding error of float32, is always allowed.
        typed: Arguments of the first cases as a learner would type them, if they are not numbers.
        given: Broken code that learners should fix, if any.
        shows_wrong_output: True if the lab shows a wrong output and asks for code that reproduces
            it. The reference then returns the wrong output.
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
        """Parameters of the function or class that learners write."""
        return _parameters(self.reference)

    @cached_property
    def called_with(self) -> str:
        """Name of the argument with which an object of a class is called."""
        return _parameters(self.reference.__call__)[-1] if isinstance(self.reference, type) else ""

    def call(self, answer: Answer, *arguments: object) -> object:
        """Call an answer with the arguments of a case and return its result."""
        n_parameters = len(self.parameters)
        made = answer(*arguments[:n_parameters])
        if not self.called_with:
            return made
        return [made(argument) for argument in arguments[n_parameters:]][-1]

    def right_answer(self) -> object:
        """Return the reference solution as an answer, which is a function, a class or a value."""
        return self.reference if self.parameters else self.reference()

    def wrong_answers(self) -> Iterator[WrongAnswer]:
        """Yield the known wrong answers in order."""
        for ids, answers in self.misconceptions.items():
            for answer in answers if isinstance(answers, Sequence) else (answers,):
                yield WrongAnswer(tuple(ids.split()), answer)

    def typed_call(self, arguments: tuple) -> str:
        """Return the last call in a case as a learner would type it, with names for long values."""
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
        """Return the shapes of the values that the typed call shows only by name."""
        if not self.parameters or self._typed_arguments(arguments):
            return {}
        return {
            name: getattr(argument, "shape", None)
            for name, argument in self.last_call(arguments).items()
            if _goes_by_its_name(argument)
        }

    def earlier_shapes(self, arguments: tuple) -> tuple[tuple[int, ...], ...]:
        """Return the shapes of the arguments in a case's earlier calls to the same object."""
        earlier = arguments[len(self.parameters) : -1] if self.called_with else ()
        return tuple(map(np.shape, earlier))

    def last_call(self, arguments: tuple) -> dict[str, object]:
        """Return a dictionary of the arguments in the last call."""
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
