"""Calls that show explorers, read from the code of cells without running it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256

from course_utils import explorers
from course_utils.explorers import ExplorerWidget

WORD = re.compile(r"[a-z]\w*(?:[-.]\w+)*", re.ASCII | re.IGNORECASE)
"""A word that a name can contain; two hyphens separate the words of a name."""

CALLS: dict[str, ExplorerCall] = {}
"""All calls that were read, keyed by name."""


@dataclass(frozen=True)
class ExplorerCall:
    """A call to a function of the course that returns an explorer, with its arguments."""

    function: str
    arguments: tuple[object, ...] = ()
    keywords: dict[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """A name for files and addresses, such as ``score_explorer-t5-encoder``.

        If an argument is not a word, the name ends with a hash, so that ``0`` and ``"0"`` differ.
        """
        if not (self.arguments or self.keywords):
            return self.function
        values = [*self.arguments, *self.keywords.values()]
        if all(isinstance(value, str) and WORD.fullmatch(value) for value in values):
            keywords = (f"{key}={word}" for key, word in self.keywords.items())
            return f"{self.function}-{'--'.join([*self.arguments, *keywords])}"
        call = repr((self.arguments, self.keywords))
        return f"{self.function}-{sha256(call.encode()).hexdigest()[:8]}"


def explorer_call(source: str) -> ExplorerCall | None:
    """Return the explorer call at the end of a cell if all its arguments are literals."""
    try:
        *_, last = ast.parse(source).body
        call = last.value
        if not (isinstance(last, ast.Expr) and call.func.id.endswith("_explorer")):
            return None
        arguments = tuple(ast.literal_eval(each) for each in call.args)
        keywords = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
    except (SyntaxError, ValueError, AttributeError, TypeError):
        return None  # a magic command, no expression, no call by name, or a variable argument
    found = ExplorerCall(call.func.id, arguments, keywords)
    return CALLS.setdefault(found.name, found)


@cache
def explorer_named(name: str) -> ExplorerWidget:
    """Return the explorer for the name of a call, or of a function called without arguments."""
    call = CALLS.get(name) or ExplorerCall(name)
    return getattr(explorers, call.function)(*call.arguments, **call.keywords)


def function_of(name: str) -> str:
    """Return the function's name, which is the first part of a call's name."""
    return name.partition("-")[0]
