"""The parts of an exercise: a task, cases to try an answer on, and known wrong answers."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

LARGEST_TYPED_ARRAY = 4
"""Number of values in an array that a call spells out; larger arrays get a name."""

Answer = Callable[..., object]
"""An answer: a function, or a class whose objects are called."""


Steps = dict[str, object]
"""The values in the worked example of one number, among them the ``result``."""


@dataclass(frozen=True)
class WrongAnswer:
    """A known wrong answer, and the ids of its misconceptions."""

    misconceptions: tuple[str, ...]
    answer: Answer

    @property
    def choices(self) -> dict[str, object]:
        """The choices within a family: the base of ``partial(rows, base=100)``."""
        return getattr(self.answer, "keywords", {})


@dataclass(frozen=True, eq=False)
class Exercise:
    """An exercise with a single task.

    Attributes:
        id: the name for ``check`` and ``hint``, and the key of its texts in the file of its lab.
        reference: the reference solution, with the name and the parameters of the task; parameters
            after a ``*`` are for wrong answers. If the task asks for a value, the reference takes
            no arguments and returns it.
        cases: the arguments to try. For a class, the remaining arguments are passed to an object
            one by one, and the last result counts.
        by_hand: a function that works a single number by hand. It takes the number's index in the
            output, a tuple, and the arguments of a case, and returns the values for the text of
            that name. ``result`` is the number, computed by the steps in the text.
        misconceptions: a wrong answer for each misconception, under its id, or a list of wrong
            answers if it has several forms; two ids separated by a space if they occur together.
            The most common is first, because the first match is named.
        tolerance: the allowed absolute error, in addition to one part in 100,000, which exceeds the
            rounding of float32.
        typed: the arguments of the first cases as a learner would type them, if they are not plain
            numbers.
        given: the broken code, if the lab asks learners to fix it.
        shows_wrong_output: True if the lab shows a wrong output, which the reference returns, and
            asks for code that reproduces it.
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
        """The parameters of the function or class to write, taken from the reference."""
        return _parameters(self.reference)

    @cached_property
    def called_with(self) -> str:
        """The argument with which an object of a class is called."""
        return _parameters(self.reference.__call__)[-1] if isinstance(self.reference, type) else ""

    def call(self, answer: Answer, *arguments: object) -> object:
        """Call an answer with the arguments of a case and return its result."""
        n_parameters = len(self.parameters)
        made = answer(*arguments[:n_parameters])
        if not self.called_with:
            return made
        return [made(argument) for argument in arguments[n_parameters:]][-1]

    def right_answer(self) -> object:
        """Return the reference as an answer: a function, a class or a value."""
        return self.reference if self.parameters else self.reference()

    def wrong_answers(self) -> Iterator[WrongAnswer]:
        """Yield the wrong answers, misconception by misconception."""
        for ids, answers in self.misconceptions.items():
            for answer in answers if isinstance(answers, Sequence) else (answers,):
                yield WrongAnswer(tuple(ids.split()), answer)

    def typed_call(self, arguments: tuple) -> str:
        """Return the last call of a case as a learner would type it, with names for long values."""
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
        """Return the shapes of the values that the typed call only names; None for a function."""
        if not self.parameters or self._typed_arguments(arguments):
            return {}
        return {
            name: getattr(argument, "shape", None)
            for name, argument in self.last_call(arguments).items()
            if _goes_by_its_name(argument)
        }

    def earlier_shapes(self, arguments: tuple) -> tuple[tuple[int, ...], ...]:
        """Return the shapes of the same object's earlier calls in a case."""
        earlier = arguments[len(self.parameters) : -1] if self.called_with else ()
        return tuple(map(np.shape, earlier))

    def last_call(self, arguments: tuple) -> dict[str, object]:
        """Return the arguments by name; for an object, in its last call."""
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
