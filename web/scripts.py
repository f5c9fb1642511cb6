"""Scripts and style sheets as pages load them: classic, from a folder on disk, and lean."""

from __future__ import annotations

import json
import re


def compact(data: object) -> str:
    """Data as JavaScript, without spaces."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def lean(script: str) -> str:
    """A script without comments and indentation."""
    script = re.sub(r"^(?:[ \t]*//.*\n|[ \t]+)", "", script, flags=re.M)
    # What has a quote may be part of a string.
    return re.sub(r"""[ \t]+// [^\n"'`]*$|^\n""", "", script, flags=re.M)


def lean_style(style: str) -> str:
    """A style sheet without comments and needless spaces."""
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.S)
    parts = re.split(r'("[^"]*")', style)  # every second one is a string, which stays as it is
    parts[::2] = (
        re.sub(r" ?([{};,]) ?|(:) ", r"\1\2", re.sub(r"\s+", " ", part)) for part in parts[::2]
    )
    return "".join(parts).strip() + "\n"


def as_module(name: str, source: str) -> str:
    """A module as a constant with what it exports; its default export is called ``render``.

    Modules and requests do not work from a folder on disk.
    """
    exported = re.findall(r"^export (?:function|const) (\w+)", source, re.M)
    exported += ["render"] * ("export default" in source)
    inside = re.sub(r"^export default .*|^export ", "", source, flags=re.M)
    return f"const {name} = (() => {{\n{inside}\nreturn {{ {', '.join(exported)} }};\n}})();\n"
