"""Search for a single small change that makes a learner's code right.

The search edits the syntax tree of the learner's own functions, in one place at a time, and runs
each variant on the cases of the exercise. If a variant is right in every case, the feedback names
the line, quotes the expression there and asks about it. It never shows the change.

Variants run in copies of the notebook's functions and values, so that they cannot affect the
notebook. Their number and the number of lines that they execute are limited, so the result does not
depend on the speed of the machine.
"""

import ast
import contextlib
import copy
import linecache
import math
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from types import CellType, CodeType, FrameType, FunctionType, MappingProxyType

import numpy as np

from ..sandbox import TooSlow, is_own, watched
from .edits import KINDS, MODULES, Definition, Edit, Edits
from .exercise import Answer
from .independence import before, names_in
from .running import Attempt, alike, outcome_of

MOST_VARIANTS = 400
"""Maximum number of variants that are tried."""

MOST_LINES = 50_000
"""Maximum number of lines that a variant may execute in a call."""

MOST_LINES_IN_ALL = 60_000
"""Maximum number of lines that all variants together may execute in the first call."""

PATIENCE = 3
"""Maximum ratio, in the first call, of the lines executed by a variant and by the answer."""

SECONDS = 1.5
"""Limit of processor time for the search, which matters only if the answer itself is slow."""

SECONDS_OF_A_CALL = 0.5
"""Limit of processor time for a call to a variant."""

LONGEST_QUOTED = 80
"""Maximum number of characters of a quoted expression."""

SURE = KINDS[: KINDS.index("name")]
"""Kinds of edits that are accepted even if only a single number shows the mistake."""

MUTABLE = (list, dict, set, bytearray, np.ndarray)
"""Types of values that are copied for each variant."""


@dataclass(frozen=True)
class Repair:
    """A line of a learner's code in which one change makes every call right.

    ``code`` is the expression as the learner wrote it, ``part`` is the part in question, and
    ``shown`` is the whole line.
    """

    kind: str
    line: int
    code: str
    part: str
    shown: str


class LineLimit:
    """A limit on the number of lines that the learner's functions execute.

    Unlike a time limit, it has the same effect on every machine.
    """

    def __init__(self) -> None:
        self.n_lines = self.total = 0
        self.most = MOST_LINES
        self.end = time.process_time() + SECONDS

    @property
    def reached(self) -> bool:
        return self.total > MOST_LINES_IN_ALL or time.process_time() > self.end

    @contextmanager
    def counting(self, most: int = MOST_LINES) -> Iterator[None]:
        """Count the lines that a call executes, and raise TooSlow in the call beyond the limit."""
        before, self.n_lines, self.most = sys.gettrace(), 0, most
        sys.settrace(self._trace)
        try:
            yield
        finally:
            sys.settrace(before)
            self.total += self.n_lines

    def _trace(self, frame: FrameType, event: str, _: object) -> Callable | None:
        if MODULES[0] not in frame.f_globals:
            return None
        self.n_lines += 1
        if self.n_lines > self.most:
            raise TooSlow
        return self._trace


def repair_of(attempt: Attempt) -> Repair | None:
    """Return the most plausible repair in a single place of an answer, or None."""
    first, *others = sorted(range(len(attempt.cases)), key=attempt.rank)
    limit = LineLimit()
    with watched():
        unchanged, _ = copied(attempt.answer)
        with limit.counting():
            _is_right(attempt, unchanged, first)
        most = PATIENCE * limit.n_lines + 1_000
        for variant, edit, code in _variants(attempt):
            with limit.counting(most):
                right = _is_right(attempt, variant, first)
            if right:
                with limit.counting(MOST_LINES * len(others)):
                    right = all(_is_right(attempt, variant, case) for case in others)
            if right:
                return _described(edit, code)
            if limit.reached:
                return None
    return None


def _is_right(attempt: Attempt, variant: Answer, case: int) -> bool:
    outcome = outcome_of(attempt.exercise, variant, attempt.cases[case], SECONDS_OF_A_CALL)
    if isinstance(outcome.error, KeyboardInterrupt):
        raise outcome.error  # the Stop button
    return alike(attempt.expected[case], outcome, attempt.exercise.tolerance)


def _variants(attempt: Attempt) -> Iterator[tuple[Answer, Edit, CodeType]]:
    """Yield variants with one edit each, in the answer's code or in a function that it calls."""
    skipped = {earlier.name for earlier in before(attempt.exercise)}
    _, reached = copied(attempt.answer)
    found = []
    for number, function in enumerate(reached):
        definition = definition_of(function)
        if definition is None or (function.__name__ in skipped and number):
            continue
        found += [(edit, function, definition) for edit in Edits(definition)]
    kinds = SURE if _shown_by_one_number(attempt) else KINDS
    found = [each for each in found if each[0].kind in kinds]
    found.sort(key=lambda each: (KINDS.index(each[0].kind), each[1] is not reached[0]))
    for edit, function, definition in found[:MOST_VARIANTS]:
        with edit.made():
            code = compiled(definition, function)
        if code is not None:
            yield copied(attempt.answer, {function: code})[0], edit, function.__code__


def _shown_by_one_number(attempt: Attempt) -> bool:
    """Return True if the wrong outputs contain only one number, which many changes may correct."""
    wrong = [case for case, right in enumerate(attempt.right) if not right]
    return sum(np.size(attempt.expected[case].numbers) for case in wrong) == 1


def _described(edit: Edit, code: CodeType) -> Repair:
    lines = linecache.getlines(code.co_filename)
    part = edit.part if isinstance(edit.part, str) else _source(lines, edit.part)
    line = edit.about.lineno
    shown = f"{line}: {lines[line - 1].strip()}"
    return Repair(edit.kind, line, _source(lines, edit.about), part, shown)


def _source(lines: Sequence[str], node: ast.AST) -> str:
    """Return the source of an expression, or of the first line of a statement, on one line."""
    source = ast.get_source_segment("".join(lines), node) or ""
    if isinstance(node, ast.stmt):
        source = source.partition("\n")[0]
    return textwrap.shorten(source, LONGEST_QUOTED, placeholder=" …")


# Copies of a learner's functions ------------------------------------------------------------------


def copied(
    answer: object, codes: Mapping[FunctionType, CodeType] = MappingProxyType({})
) -> tuple[object, list[FunctionType]]:
    """Copy an answer, with the functions and the mutable values of the notebook that it uses.

    Each function in ``codes`` is copied with its new code. The second result contains all functions
    of the notebook that the answer uses, directly or indirectly.
    """
    copies: dict[int, object] = {}
    namespaces: dict[int, dict[str, object]] = {}
    reached: list[FunctionType] = []

    def copy_of(value: object) -> object:
        if id(value) not in copies:
            copies[id(value)] = value
            if type(value) is FunctionType and is_own(value.__code__.co_filename):
                copies[id(value)] = function_copy(value)
            elif type(value) is partial:
                arguments = map(copy_of, value.args)
                copies[id(value)] = partial(copy_of(value.func), *arguments, **value.keywords)
            elif issubclass(type(value), type):
                copies[id(value)] = class_copy(value)
            elif issubclass(type(value), MUTABLE):
                with contextlib.suppress(Exception):  # raised if an object cannot be copied
                    copies[id(value)] = copy.deepcopy(value)
        return copies[id(value)]

    def function_copy(function: FunctionType) -> FunctionType:
        reached.append(function)
        code, names = codes.get(function, function.__code__), function.__globals__
        if id(names) not in namespaces:
            namespaces[id(names)] = {**names, **dict(zip(MODULES, (np, math), strict=True))}
        namespace = namespaces[id(names)]
        contents = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        closure = {name: CellType() for name in code.co_freevars}
        defaults = function.__defaults__ and tuple(map(copy_of, function.__defaults__))
        new = FunctionType(code, namespace, function.__name__, defaults, tuple(closure.values()))
        new.__kwdefaults__ = function.__kwdefaults__
        copies[id(function)] = new  # stored before the function looks up its own name
        for name, cell in closure.items():
            with contextlib.suppress(ValueError):  # raised if a variable has no value yet
                cell.cell_contents = copy_of(contents[name].cell_contents)
        for name in names_in(function) & names.keys():
            namespace[name] = copy_of(names[name])
        return new

    def class_copy(kind: type) -> type:
        methods = {
            name: method
            for each in reversed(kind.__mro__)
            for name, method in vars(each).items()
            if type(method) is FunctionType and is_own(method.__code__.co_filename)
        }
        if not methods:
            return kind
        copies_of_methods = {name: copy_of(method) for name, method in methods.items()}
        try:
            return type(kind)(kind.__name__, (kind,), copies_of_methods)
        except Exception:  # raised if a class does not allow subclasses
            return kind

    return copy_of(answer), reached


# The source of a function -------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _definitions(source: str) -> dict[int, list[Definition]]:
    """Return the functions in a source, keyed by the number of their first line."""
    definitions: dict[int, list[Definition]] = {}
    try:
        nodes = [*ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError):
        return {}
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            decorators = getattr(node, "decorator_list", [])
            first = min(each.lineno for each in (node, *decorators))
            definitions.setdefault(first, []).append(node)
    return definitions


def definition_of(function: FunctionType) -> Definition | None:
    """Return the syntax tree of a function, or None if its source is not available."""
    code = function.__code__
    source = "".join(linecache.getlines(code.co_filename))
    for node in _definitions(source).get(code.co_firstlineno, ()):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            return node
        # Several lambdas may begin in the same line.
        if isinstance(node, ast.Lambda) and code.co_name == "<lambda>":
            body = node.body
            place = body.lineno, body.end_lineno, body.col_offset, body.end_col_offset
            if place in code.co_positions():
                return node
    return None


def compiled(definition: Definition, function: FunctionType) -> CodeType | None:
    """Compile a changed definition with the free variables of its function."""
    module = ast.parse(f"def outer({', '.join(function.__code__.co_freevars)}): pass")
    inner = copy.copy(definition)
    if isinstance(inner, ast.FunctionDef):
        inner.decorator_list, inner.returns = [], None
    else:
        inner = ast.copy_location(ast.Return(inner), inner)
    module.body[0].body = [inner]
    try:
        code = compile(module, function.__code__.co_filename, "exec", 0, True)
    except (SyntaxError, ValueError, TypeError, RecursionError):
        return None
    [outer] = (each for each in code.co_consts if isinstance(each, CodeType))
    name = function.__code__.co_name
    inside = [each for each in outer.co_consts if isinstance(each, CodeType)]
    return next((each for each in reversed(inside) if each.co_name == name), None)
