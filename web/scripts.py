"""Scripts for pages: classic scripts, because modules do not work from a folder on disk."""

from __future__ import annotations

import json
import re

EXPORTS = re.compile(r"export\{([^}]*)\};\s*$")


def compact(data: object) -> str:
    """Write data as JavaScript, without spaces."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def as_value(bundle: str) -> str:
    """Return an ES module without imports as an expression: an object with its exports.

    A bundle has one list of exports, at its end.
    """
    found = EXPORTS.search(bundle)
    if found is None:
        raise ValueError(
            "The bundle does not end with its exports: run `python tools/generate.py bundles`."
        )
    names = [each.strip().rpartition(" as ") for each in found[1].split(",")]
    exported = ",".join(f"{shown}:{name or shown}" for name, _, shown in names)
    return f"(() => {{\n{bundle[: found.start()]}\nreturn {{{exported}}};\n}})()"
