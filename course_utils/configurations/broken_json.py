"""Explanations of errors in JSON text."""

from __future__ import annotations

import json
import re

__all__ = ["json_from"]

WORD = re.compile(r"[\w.+-]+|.", re.DOTALL)
CLOSED = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')


class _NotInJsonError(ValueError):
    """Exception raised for names such as NaN, which Python accepts but JSON does not."""


def json_from(text: str) -> object:
    """Parse JSON text.

    Invalid text raises ValueError with the location and a suggested correction.

    Example:
        >>> json_from('{"num_hidden_layers": 2,}')
        Traceback (most recent call last):
        ValueError: configuration must be valid JSON: in line 1, column 24, there is one comma \
too many; delete it.
    """

    def reject(name: str) -> None:
        raise _NotInJsonError(name)

    try:
        return json.loads(text, parse_constant=reject)
    except _NotInJsonError as error:
        at = text.index(str(error))
    except json.JSONDecodeError as error:
        at = error.pos
        if error.msg.startswith("Invalid control"):
            at = text.rindex('"', 0, at)
    raise ValueError(f"configuration must be valid JSON: {_problem(text, at)}.") from None


def _problem(text: str, at: int) -> str:
    """Describe and locate the error at the position where parsing stopped."""
    at += len(text[at:]) - len(text[at:].lstrip())
    before, found = text[:at].rstrip(), text[at : at + 1]
    if before.endswith(",") and found in ("}", "]", ","):
        at, found = len(before) - 1, ","
        before = text[:at].rstrip()
    line, start = text.count("\n", 0, at) + 1, text.rfind("\n", 0, at)
    place = f"in line {line}, column {at - start}"
    if not found:
        return f"the text ends in line {line} before all brackets are closed; paste the whole file"
    if found == ",":
        return f"{place}, there is one comma too many; delete it"
    if found in "'‘’“”":
        return f"{place}, names and strings need straight double quotes; replace any other quotes"
    if found in "/#":
        return f"{place}, there is a comment, but JSON has no comments; delete it"
    if found == '"' and not CLOSED.match(text, at):
        return f"{place}, a string is not closed; add the missing double quote"
    if before.endswith("}") and before.count("{") <= before.count("}"):
        return f"{place}, text follows the object; pass only one object"
    if re.search(r'["\w}\]]$', before) and re.match(r'["\w{\[-]', found):
        return f"{place}, a comma or a colon is missing; add it"
    if found in "}]":
        return f"{place}, {found!r} does not close the last open bracket; check the brackets"
    word = WORD.match(text, at)[0]
    return (
        f"{place}, {word!r} is not expected; write null, true, false, a number or a string in "
        "double quotes"
    )
