"""Scripts as pages load them: classic, since modules do not work from a folder on disk."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

IMPORT = re.compile(r'^import {([^}]*)} from "./(\w+).js";', re.M)
EXPORTED = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.M)


def compact(data: object) -> str:
    """Data as JavaScript, without spaces."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def as_module(name: str, source: str) -> str:
    """A module as a constant with what it exports; its default export is called ``render``.

    What it imports from a module beside it is taken from a constant of that name.

    Modules and requests do not work from a folder on disk.
    """
    exported = EXPORTED.findall(source) + ["render"] * ("export default" in source)
    inside = re.sub(r"^export default .*|^export ", "", source, flags=re.M)
    inside = IMPORT.sub(r"const {\1} = \2;", inside)
    return f"const {name} = (() => {{\n{inside}\nreturn {{ {', '.join(exported)} }};\n}})();\n"


def as_addition(whole: str, sources: Sequence[str]) -> str:
    """Modules that add to a module which is a constant, and take from it what they import.

    Each may import from those before it, too.
    """
    own = {name for source in sources for name in EXPORTED.findall(source)}
    taken = {
        name
        for source in sources
        for names, _ in IMPORT.findall(source)
        for name in re.findall(r"\w+", names)
    }
    inside = "\n".join(re.sub("^export ", "", IMPORT.sub("", each), flags=re.M) for each in sources)
    names = ", ".join(sorted(taken - own))
    return f"(() => {{\nconst {{ {names} }} = {whole};\n{inside}\n}})();\n"
