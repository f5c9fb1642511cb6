"""Mutation tests, in which ``check`` must reject solutions with a small change."""

import ast
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise
from types import CodeType

import pytest
from checks.labs import by_exercise, cell, lab_of, read
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from course_utils.labs.exercise import Exercise
from course_utils.labs.running import alike, outcome_of
from course_utils.labs.tasks import EXERCISES, LABS

ANSWERS = by_exercise("answers", "ANSWERS")
OPERATORS = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
    **{ast.FloorDiv: ast.Div, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.MatMult: ast.Mult},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr},
    **{ast.LShift: ast.RShift, ast.RShift: ast.LShift},
}
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
ALIKE = [
    set(names.split())
    for names in (
        *("sin cos", "min max", "minimum maximum", "argmin argmax", "floor ceil round"),
        *("sum mean max", "all any", "log log2 log10", "zeros ones", "float16 float32 float64"),
    )
]
"""Sets of functions that are easily confused."""


# Single changes to the source ---------------------------------------------------------------------


def changes_of(tree: ast.Module) -> Iterator[tuple[str, CodeType]]:
    """Yield every single change in the source, with the changed code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            node.exc = node.exc.func  # error messages are not checked
        if isinstance(node, ast.While):
            node.body.insert(0, ast.parse("count_round()").body[0])
    parameters = {argument.arg for argument in ast.walk(tree) if isinstance(argument, ast.arg)}
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            places = value if isinstance(value, list) else vars(parent)
            keys = range(len(value)) if isinstance(value, list) else [name]
            for key in keys:
                node = places[key]
                if not isinstance(node, ast.AST):
                    continue
                for other in (*others(node, parameters), *beside(node, parent, name)):
                    change = f"{ast.unparse(node)} -> {ast.unparse(other)}"
                    places[key] = other
                    code = compile(ast.fix_missing_locations(tree), change, "exec")
                    places[key] = node
                    yield change, code


def others(node: ast.AST, parameters: set[str]) -> Iterator[ast.AST]:
    """Yield replacements for a part of the source."""
    match node:
        case ast.BinOp(left, op, right):
            yield from (ast.BinOp(left, OPERATORS[type(op)](), right), left, right)
            if not isinstance(op, ast.Add | ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor):
                yield ast.BinOp(right, op, left)
        case ast.UnaryOp(_, operand):
            yield operand
        case ast.Compare(left, [op], right):
            for other in COMPARISONS:
                if not isinstance(op, other | ast.In | ast.NotIn):
                    yield ast.Compare(left, [other()], right)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            yield from values
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            near = {value + 1, value - 1, 2 * value, -value} - {value}
            yield from map(ast.Constant, sorted(near))
        case ast.Slice(lower, upper, step):
            if not (isinstance(lower, ast.Constant) and lower.value == 0):
                yield ast.Slice(None if lower else ast.Constant(1), upper, step)
            yield ast.Slice(lower, None if upper else ast.Constant(-1), step)
            if step:
                yield ast.Slice(lower, upper)
        case ast.Call(function, arguments, keywords):
            yield from calls(function, arguments, keywords)
        case ast.Attribute(value, name, context):
            yield from (ast.Attribute(value, other, context) for other in taken_for(name))
        case ast.Name(name, ast.Load()):
            swapped = sorted(parameters - {name}) if name in parameters else taken_for(name)
            yield from (ast.Name(other, ast.Load()) for other in swapped)


def taken_for(name: str) -> list[str]:
    return sorted(set().union(*(names for names in ALIKE if name in names)) - {name})


def calls(function: ast.expr, arguments: list, keywords: list) -> Iterator[ast.AST]:
    """Yield a call's function or argument alone, and the call with swapped arguments."""
    if isinstance(function, ast.Attribute) and not isinstance(function.value, ast.Name | ast.Call):
        yield function.value
    elif arguments:
        yield arguments[0]
    for one, other in pairwise(range(len(arguments))):
        swapped = list(arguments)
        swapped[one], swapped[other] = arguments[other], arguments[one]
        yield ast.Call(function, swapped, keywords)


def beside(node: ast.AST, parent: ast.AST, name: str) -> Iterator[ast.AST]:
    """Yield replacements that depend on the context of a part."""
    ends = isinstance(parent, ast.Slice) or (
        isinstance(parent, ast.Call) and ast.unparse(parent.func) in ("range", "np.arange")
    )
    if ends and isinstance(node, ast.expr) and not isinstance(node, ast.Constant):
        yield from (ast.BinOp(node, op(), ast.Constant(1)) for op in (ast.Add, ast.Sub))
    if isinstance(parent, ast.If | ast.IfExp | ast.While) and name == "test":
        yield from (ast.Constant(False), ast.Constant(True))


# Checks reject mutants ----------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # raised by the mutants
@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_mutants_of_solution_are_rejected(exercise_id):
    exercise = EXERCISES[exercise_id]
    check = judge(exercise, exercise.cases)
    everything = cache(lambda: judge(exercise, drawn(ANSWERS[exercise_id].asked)))
    n_refused, equal, let_pass = 0, set(), []
    for change, mutant in solution_changed(exercise):
        if not check(mutant):
            n_refused += 1
        elif everything()(mutant):
            equal.add(change)
        else:
            let_pass.append(change)
    assert n_refused and not let_pass
    assert equal == ANSWERS[exercise_id].equal_changes.keys()


def judge(exercise: Exercise, cases: list[tuple]) -> Callable[[Callable[..., object]], bool]:
    """Return True if a mutant agrees with the reference solution in these cases."""
    expected = [(case, outcome_of(exercise, exercise.reference, case)) for case in cases]
    return lambda mutant: all(
        alike(outcome, outcome_of(exercise, mutant, case), exercise.tolerance)
        for case, outcome in expected
    )


def drawn(strategy: SearchStrategy[tuple]) -> list[tuple]:
    """Return reproducible samples."""
    samples = []
    note = given(strategy)(lambda arguments: samples.append(arguments))
    settings(
        max_examples=30,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )(note)()
    return samples


def solution_changed(exercise: Exercise) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield changes of the solution's cell, and the resulting answers."""
    lab = lab_of(exercise)
    notebook = read("solutions", lab)
    names: dict[str, object] = {}
    for earlier in ("switch", *(one.id for one in LABS[lab][: LABS[lab].index(exercise)])):
        exec(cell(notebook, earlier).source, names)

    def answer_of(code: CodeType, *arguments: object) -> object:
        # An endless loop in a mutant ends in an error.
        defined = names | {"count_round": iter(range(20_000)).__next__}
        exec(code, defined)
        answer = defined[exercise.name]
        return answer(*arguments) if exercise.parameters else answer

    for change, code in changes_of(ast.parse(cell(notebook, exercise.id).source)):
        yield change, partial(answer_of, code)
