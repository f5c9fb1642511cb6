"""Scripts for pages: classic scripts, because modules do not work from a folder on disk."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

IMPORT = re.compile(r'^import {([^}]*)} from "[./\w]*?(\w+)\.js";', re.M)
EXPORTED = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.M)


def compact(data: object) -> str:
    """Write data as JavaScript, without spaces."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def as_module(name: str, source: str) -> str:
    """Wrap a module as a constant with its exports; its default export is called ``render``.

    Imports from a neighbouring module are read from a constant of its name. Modules and requests do
    not work from a folder on disk.
    """
    exported = EXPORTED.findall(source) + ["render"] * ("export default" in source)
    inside = re.sub(r"^export default .*|^export ", "", source, flags=re.M)
    inside = IMPORT.sub(r"const {\1} = \2;", inside)
    return f"const {name} = (() => {{\n{inside}\nreturn {{ {', '.join(exported)} }};\n}})();\n"


def as_addition(whole: str, sources: Sequence[str]) -> str:
    """Wrap modules that add to a constant of another module and import from it.

    Each may also import from the modules before it.
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
