"""Edits of a function, each in one place that learners often get wrong.

An edit replaces an operator, a number, a name or a bound, exchanges two parts, or deletes, adds or
moves a step. The lists follow mutation operators of testing tools and mistakes in public code.
"""

import ast
import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

OPERATORS: dict[type[ast.AST], str] = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"},
    **{ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"},
    **{ast.LShift: "<<", ast.RShift: ">>", ast.And: "and", ast.Or: "or"},
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="},
}
"""Operators as they are written."""

TAKEN_FOR: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add, ast.Mult, ast.Div),
    ast.Mult: (ast.Div, ast.Add, ast.Sub, ast.MatMult, ast.FloorDiv, ast.Mod),
    ast.Div: (ast.Mult, ast.FloorDiv, ast.Mod, ast.Sub),
    ast.FloorDiv: (ast.Div, ast.Mod, ast.Mult),
    ast.Mod: (ast.FloorDiv, ast.Div),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr, ast.BitXor),
    ast.BitOr: (ast.BitAnd, ast.BitXor, ast.Add),
    ast.BitXor: (ast.Pow, ast.BitOr, ast.BitAnd),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
"""Operators that learners may have meant, keyed by the operator in their code."""

COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq),
    ast.LtE: (ast.Lt, ast.GtE, ast.Gt, ast.Eq, ast.NotEq),
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE, ast.Eq, ast.NotEq),
    ast.GtE: (ast.Gt, ast.LtE, ast.Lt, ast.Eq, ast.NotEq),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq,),
}

ALIKE = [
    names.split()
    for names in (
        *("sin cos tan", "arcsin arccos arctan", "min max", "minimum maximum"),
        *("argmin argmax argsort", "sum mean max min prod std cumsum", "all any"),
        *("log log2 log10", "exp exp2", "sqrt square abs", "floor ceil round rint trunc int"),
        *("zeros ones", "float16 float32 float64", "int float bool", "int8 uint8 int64"),
        *("radians degrees", "hstack vstack", "tile repeat", "triu tril", "sort argsort"),
    )
]
"""Sets of functions that are easily confused."""

OF_RANGES = ("range", "arange", "linspace")
REDUCTIONS = ("sum", "mean", "max", "min", "argmax", "argmin", "all", "any", "prod", "norm")
REDUCTIONS += ("argsort", "sort", "cumsum", "std", "diff", "roll", "flip", "concatenate", "stack")

KINDS = (
    *("extra", "comparison", "bound", "return", "order", "axis", "function", "sign", "place"),
    *("operator", "number", "name", "hard-coded", "missing", "with-argument"),
)
"""Kinds of edits, from most to least plausible. Each has a question in messages.toml."""

MODULES = ("__numpy__", "__math__")
"""Names of modules in the namespace of a variant."""

STEPS = ("abs", "round", "floor", "ceil", "sqrt")
"""Functions that may be missing around an expression."""

NOT_EDITED = ("args", "decorator_list", "returns", "annotation", "type_params")
"""Fields of definitions that have no effect on the results."""

DEFINITIONS = (ast.FunctionDef, ast.Lambda, ast.AnnAssign)

DELETED = (ast.AugAssign, ast.Break, ast.Continue, ast.Expr, ast.If)
"""Statements that may be superfluous."""

UNQUOTED = (ast.UnaryOp, ast.keyword, ast.Slice, ast.Tuple, ast.comprehension)
"""Nodes that are not quoted on their own."""

Definition = ast.FunctionDef | ast.Lambda
New = tuple[str, ast.AST, ast.AST | str]
"""Type of an edit of a node: its kind, the replacement and the part in question."""


@dataclass(frozen=True)
class Edit:
    """A new value for a field of a node, or for an entry of the field's list.

    ``about`` is the expression or statement to quote, and ``part`` is the part in question.
    """

    kind: str
    parent: ast.AST
    name: str
    index: int | None
    new: object
    about: ast.AST
    part: ast.AST | str

    @contextmanager
    def made(self) -> Iterator[None]:
        """Make the edit, and undo it on exit."""
        old = getattr(self.parent, self.name)
        new = self.new
        if self.index is not None:
            new = [*old[: self.index], self.new, *old[self.index + 1 :]]
        setattr(self.parent, self.name, new)
        try:
            yield
        finally:
            setattr(self.parent, self.name, old)


class Edits:
    """All edits of a function, in the order of its source."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.around = {
            child: node for node in ast.walk(definition) for child in ast.iter_child_nodes(node)
        }
        nodes = [*ast.walk(definition)]
        self.parameters = [node.arg for node in nodes if isinstance(node, ast.arg)]
        stored = [
            node.id
            for node in nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        self.names = [*dict.fromkeys((*self.parameters, *stored))]

    def __iter__(self) -> Iterator[Edit]:
        return self._inside(self.definition)

    def _inside(self, parent: ast.AST) -> Iterator[Edit]:
        for field, value in ast.iter_fields(parent):
            nodes = value if isinstance(value, list) else [value]
            is_header = isinstance(parent, DEFINITIONS) and field in NOT_EDITED
            if is_header or not any(isinstance(node, ast.AST) for node in nodes):
                continue
            if isinstance(nodes[0], ast.stmt):
                for kind, block, about, part in self._of_block(value):
                    for line in block:
                        _located(line, about)
                    yield Edit(kind, parent, field, None, block, about, part)
            for index, node in enumerate(nodes):
                place = index if isinstance(value, list) else None
                if isinstance(node, ast.expr):
                    about = self._quotable(node)
                    for kind, new, part in self._of_expression(node, parent, field):
                        yield Edit(kind, parent, field, place, _located(new, node), about, part)
                if isinstance(node, ast.AST):
                    yield from self._inside(node)

    def _quotable(self, node: ast.AST) -> ast.AST:
        """Return an expression, or the expression around it if it is a single name or number."""
        if not isinstance(node, ast.Constant | ast.Name | ast.Attribute):
            return node
        around = self.around[node]
        while isinstance(around, UNQUOTED):
            around = self.around[around]
        return node if isinstance(around, DEFINITIONS) else around

    # Expressions ---------------------------------------------------------------------------------

    def _of_expression(self, node: ast.expr, parent: ast.AST, field: str) -> Iterator[New]:
        """Yield the kind, the replacement and the part in question for each edit."""
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            if isinstance(node, ast.Subscript):
                yield from self._of_subscript(node)
            return
        match node:
            case ast.BinOp():
                yield from self._of_operation(node)
            case ast.UnaryOp(op, operand):
                yield "extra" if isinstance(op, ast.Not) else "sign", operand, node
            case ast.Compare(left, [op], [right]) if type(op) in COMPARISONS:
                for other in COMPARISONS[type(op)]:
                    yield "comparison", ast.Compare(left, [other()], [right]), _sign_of(op)
            case ast.BoolOp(op, values):
                other = ast.Or() if isinstance(op, ast.And) else ast.And()
                yield "operator", ast.BoolOp(other, values), _sign_of(op)
                for value in values:
                    yield "extra", value, node
            case ast.IfExp(test, body, orelse):
                yield "order", ast.IfExp(test, orelse, body), node
                yield "extra", body, node
                yield "extra", orelse, node
            case ast.Constant():
                yield from self._of_constant(node, parent)
            case ast.Name(name):
                for other in self.names if name in self.names else ():
                    if other != name:
                        yield "name", ast.Name(other, ast.Load()), node
                if name in self.names and name not in self.parameters:  # row for positions[row]
                    for other in self.parameters:
                        entry = ast.Subscript(ast.Name(other, ast.Load()), node, ast.Load())
                        yield "name", entry, node
                for other in _taken_for(name):
                    yield "function", ast.Name(other, ast.Load()), node
                    yield "function", ast.Attribute(ast.Name(MODULES[0]), other), node
            case ast.Attribute(value, name):
                for other in _taken_for(name):
                    yield "function", ast.Attribute(value, other, ast.Load()), node
                if name == "T":
                    yield "extra", value, node
            case ast.Call():
                yield from self._of_call(node)
            case ast.Subscript():
                yield from self._of_subscript(node)
            case ast.Tuple(values, ctx) | ast.List(values, ctx):
                for swapped in _exchanged(values):
                    yield "order", type(node)(swapped, ctx), node
            case ast.ListComp(element, [loop]) | ast.GeneratorExp(element, [loop]) if loop.ifs:
                all_rounds = ast.comprehension(loop.target, loop.iter, [], 0)
                yield "extra", type(node)(element, [all_rounds]), node
        if self._is_value(node, parent, field):
            yield from self._with_a_step_more(node)

    def _of_operation(self, node: ast.BinOp) -> Iterator[New]:
        left, op, right = node.left, node.op, node.right
        others = TAKEN_FOR[type(op)]
        if isinstance(op, ast.Mult) and ast.Constant in (type(left), type(right)):
            others = (*others, ast.Pow)
        for other in others:
            if not _is_neutral(other, right):  # x * 1 is the same as x, which comes later
                yield "operator", ast.BinOp(left, other(), right), _sign_of(op)
        if isinstance(left, ast.BinOp):  # a / b * c for a / (b * c)
            inner = ast.BinOp(left.right, op, right)
            yield "order", ast.BinOp(left.left, left.op, inner), node
        if isinstance(right, ast.BinOp):
            inner = ast.BinOp(left, op, right.left)
            yield "order", ast.BinOp(inner, right.op, right.right), node
        if not isinstance(op, ast.Add | ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor):
            yield "order", ast.BinOp(right, op, left), node
        yield "extra", left, node
        yield "extra", right, node

    def _of_constant(self, node: ast.Constant, parent: ast.AST) -> Iterator[New]:
        value = node.value
        if isinstance(value, bool):
            yield "number", ast.Constant(not value), node
        elif isinstance(value, int | float):
            kind = "number"
            if isinstance(parent, ast.keyword) and parent.arg == "axis":
                kind = "axis"
            elif isinstance(parent, ast.Slice) or _is_range(parent):
                kind = "bound"
            half = value // 2 if value % 2 == 0 else value / 2
            operation = type(getattr(parent, "op", None))
            part = parent if isinstance(parent, ast.UnaryOp) else node
            for other in dict.fromkeys((value + 1, value - 1, 2 * value, half, -value, 0, 1, 2)):
                if other != value and not _is_neutral(operation, ast.Constant(other)):
                    yield kind, _number(other), part
            for name in self.names:
                yield "hard-coded", ast.Name(name, ast.Load()), part

    def _of_call(self, node: ast.Call) -> Iterator[New]:
        function, arguments, keywords = node.func, node.args, node.keywords

        def with_arguments(*others: ast.expr) -> ast.Call:
            return ast.Call(function, [*others], keywords)

        def with_keyword(name: str, value: object) -> ast.Call:
            rest = [each for each in keywords if each.arg != name]
            return ast.Call(function, arguments, [*rest, ast.keyword(name, _number(value))])

        if _is_range(node):
            for index, bound in enumerate(arguments):
                for op in (ast.Add(), ast.Sub()):
                    changed = ast.BinOp(bound, op, ast.Constant(1))
                    others = [*arguments[:index], changed, *arguments[index + 1 :]]
                    yield "bound", with_arguments(*others), node
            if len(arguments) == 1:
                [end] = arguments
                after = ast.BinOp(end, ast.Add(), ast.Constant(1))
                yield "bound", with_arguments(ast.Constant(1), end), node
                yield "bound", with_arguments(ast.Constant(1), after), node
        if _called(node) == "linspace":
            yield "bound", with_keyword("endpoint", False), node
        if _called(node) in REDUCTIONS and not any(each.arg == "axis" for each in keywords):
            for axis in (0, 1, -1):
                yield "axis", with_keyword("axis", axis), node
        if _called(node) == "len" and len(arguments) == 1:
            shape = ast.Attribute(arguments[0], "shape", ast.Load())
            for axis in (1, -1):
                yield "axis", ast.Subscript(shape, _number(axis), ast.Load()), node
        for swapped in _exchanged(arguments):
            yield "order", with_arguments(*swapped), node
        for keyword in keywords:
            kind = keyword.arg if keyword.arg == "axis" else "extra"
            rest = [each for each in keywords if each is not keyword]
            yield kind, ast.Call(function, arguments, rest), node
        if isinstance(function, ast.Attribute) and not self._is_module(function.value):
            yield "extra", function.value, node
        elif arguments:
            yield "extra", arguments[0], node

    def _of_subscript(self, node: ast.Subscript) -> Iterator[New]:
        if isinstance(node.ctx, ast.Load):
            yield "extra", node.value, node
        several = isinstance(node.slice, ast.Tuple)
        steps = node.slice.elts if several else [node.slice]

        def with_steps(*others: ast.expr) -> ast.Subscript:
            chosen = ast.Tuple([*others], ast.Load()) if several else others[0]
            return ast.Subscript(node.value, chosen, node.ctx)

        for swapped in _exchanged(steps):
            yield "order", with_steps(*swapped), node
        for index, step in enumerate(steps):
            for kind, changed in self._other_steps(step):
                yield kind, with_steps(*steps[:index], changed, *steps[index + 1 :]), node

    def _other_steps(self, step: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        one = ast.Constant(1)
        match step:
            case ast.Slice(lower, upper, stride):
                for op in (ast.Add(), ast.Sub()):
                    if lower is not None and not isinstance(lower, ast.Constant):
                        yield "bound", ast.Slice(ast.BinOp(lower, op, one), upper, stride)
                    if upper is not None and not isinstance(upper, ast.Constant):
                        yield "bound", ast.Slice(lower, ast.BinOp(upper, op, one), stride)
                yield "bound", ast.Slice(None if lower else one, upper, stride)
                yield "bound", ast.Slice(lower, None if upper else _number(-1), stride)
                yield "order", ast.Slice(lower, upper, None if stride else _number(-1))
            case ast.Name() | ast.BinOp():
                for op in (ast.Add(), ast.Sub()):
                    yield "bound", ast.BinOp(step, op, one)

    def _with_a_step_more(self, node: ast.expr) -> Iterator[New]:
        """Yield edits that add a common step after an expression."""
        if not isinstance(node, ast.UnaryOp):
            yield "sign", ast.UnaryOp(ast.USub(), node), node
        one, two = ast.Constant(1), ast.Constant(2)
        operations = ((ast.Add, one), (ast.Sub, one), (ast.Mult, two), (ast.Div, two))
        for op, value in (*operations, (ast.FloorDiv, two), (ast.Pow, two)):
            yield "missing", ast.BinOp(node, op(), value), node
        for name in STEPS:
            step = ast.Attribute(ast.Name(MODULES[0], ast.Load()), name, ast.Load())
            yield "missing", ast.Call(step, [node], []), node
        back = ast.Slice(None, None, _number(-1))
        yield "missing", ast.Subscript(node, back, ast.Load()), node
        yield "missing", ast.Attribute(node, "T", ast.Load()), node
        yield "missing", ast.BinOp(one, ast.Div(), node), node
        for name in self.parameters:
            if not (isinstance(node, ast.Name) and node.id == name):
                for op in (ast.Mult, ast.Div):
                    value = ast.Name(name, ast.Load())
                    yield "with-argument", ast.BinOp(node, op(), value), node

    def _is_value(self, node: ast.expr, parent: ast.AST, field: str) -> bool:
        """Return True if another step can follow an expression."""
        if isinstance(parent, ast.Attribute) or field in ("func", "test", "slice", "ifs"):
            return False
        if isinstance(node, ast.Name | ast.Attribute) and self._is_module(node):
            return False
        return isinstance(
            node, ast.BinOp | ast.Call | ast.Name | ast.Subscript | ast.Attribute | ast.UnaryOp
        )

    def _is_module(self, node: ast.expr) -> bool:
        """Return True if an expression is a name from outside the function, such as np.linalg."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id not in self.names

    # Statements ----------------------------------------------------------------------------------

    def _of_block(self, block: list[ast.stmt]) -> Iterator[tuple]:
        """Yield the kind, the new block, and the line in question for each edit."""
        for index, line in enumerate(block):
            before, after = block[:index], block[index + 1 :]
            for kind, new, part in self._of_line(line):
                yield kind, [*before, new, *after], line, part
            if isinstance(line, ast.For | ast.While):
                for kind, lines, about in self._of_loop(line):
                    yield kind, [*before, *lines, *after], about, about
            if after:
                yield "place", [*before, after[0], line, *after[1:]], line, line
            in_place = isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Subscript)
            if in_place or isinstance(line, DELETED):
                rest = [*before, *after] or [ast.copy_location(ast.Pass(), line)]
                yield "extra", rest, line, line

    def _of_line(self, line: ast.stmt) -> Iterator[New]:
        match line:
            case ast.AugAssign(target, op, value):
                for other in TAKEN_FOR[type(op)]:
                    yield "operator", ast.AugAssign(target, other(), value), f"{_sign_of(op)}="
                yield "operator", ast.Assign([target], value), f"{_sign_of(op)}="
            case ast.Assign([ast.Name() | ast.Subscript() as target], value):
                for op in (ast.Add, ast.Mult):
                    yield "operator", ast.AugAssign(target, op(), value), "="
            case ast.If(test, body, orelse):
                if not isinstance(test, ast.Compare):
                    opposite = ast.UnaryOp(ast.Not(), test)
                    yield "comparison", ast.If(opposite, body, orelse), test

    def _of_loop(self, loop: ast.For | ast.While) -> Iterator[tuple]:
        """Yield edits that move the last line of a loop after the loop."""
        *others, last = loop.body
        if isinstance(last, ast.Return):
            yield "return", [_with_body(loop, others), last], last
        elif isinstance(last, ast.If) and [*map(type, last.orelse)] == [ast.Return]:
            [result] = last.orelse
            shorter = ast.copy_location(ast.If(last.test, last.body, []), last)
            yield "return", [_with_body(loop, [*others, shorter]), result], result
        elif isinstance(last, ast.Assign | ast.AugAssign | ast.Expr):
            yield "place", [_with_body(loop, others), last], last


def _with_body(loop: ast.For | ast.While, body: list[ast.stmt]) -> ast.For | ast.While:
    new = copy.copy(loop)
    new.body = body or [ast.copy_location(ast.Pass(), loop)]
    return new


def _is_neutral(operation: type[ast.AST], right: ast.expr) -> bool:
    """Return True if an operation with a constant has no effect."""
    return isinstance(right, ast.Constant) and (
        (operation in (ast.Add, ast.Sub) and right.value == 0)
        or (operation in (ast.Mult, ast.Div, ast.FloorDiv, ast.Pow) and right.value == 1)
    )


def _sign_of(operator: ast.AST) -> str:
    return OPERATORS[type(operator)]


def _taken_for(name: str) -> list[str]:
    return [other for names in ALIKE if name in names for other in names if other != name]


def _number(value: float) -> ast.expr:
    if isinstance(value, bool) or value >= 0:
        return ast.Constant(value)
    return ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _called(node: ast.AST) -> str:
    """Return the name of the function that an expression calls."""
    function = getattr(node, "func", None)
    return getattr(function, "id", getattr(function, "attr", ""))


def _is_range(node: ast.AST) -> bool:
    return _called(node) in OF_RANGES


def _exchanged(nodes: Sequence[ast.expr]) -> Iterator[list[ast.expr]]:
    """Yield the expressions with two neighbours exchanged."""
    for index in range(len(nodes) - 1):
        yield [*nodes[:index], nodes[index + 1], nodes[index], *nodes[index + 2 :]]


def _located(new: ast.AST, old: ast.AST) -> ast.AST:
    """Give nodes the location of an old node, unless they already have a location."""
    if not hasattr(new, "lineno"):
        if "lineno" in new._attributes:
            ast.copy_location(new, old)
        for child in ast.iter_child_nodes(new):
            _located(child, old)
    return new
