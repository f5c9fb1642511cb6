"""Conversion of formulas to MathML, which browsers display without scripts or network access."""

import html
import re

from latex2mathml.converter import convert

FUNCTION = re.compile(r"(<mrow>)?<mi>(sin|cos|tan|ln|log|exp|max|min|softmax)</mi>(<mo)?")
FORMULA = re.compile(r"<(pre|code)\b.*?</\1>|\$\$(.+?)\$\$|\$(?!\s)([^$<]+?)(?<!\s)\$", re.S)


def formula(latex: str, display: str = "inline") -> str:
    """Convert a LaTeX formula to MathML, with TeX's spacing around function names."""
    shown = convert(latex.replace("{aligned}", "{align*}"), display=display)
    shown = shown.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
    # A formula is already a row, so a row as its only element is redundant.
    shown = re.sub(r"(<math[^>]*>)<mrow>(.*)</mrow></math>", r"\1\2</math>", shown)
    shown = re.sub(r"<mrow>(<(m[ino])[^>]*>[^<]*</\2>)</mrow>", r"\1", shown)
    shown = re.sub(r"<mo[^>]*>(&#x02223;|&#x0007C;|\|)</mo>", '<mo stretchy="false">|</mo>', shown)
    # After a bracket, a comma or an equals sign, a minus is a sign, not an operator.
    shown = re.sub(r"(&#x000(?:28|3D|2C);</mo><mo)(>&#x02212;)", r'\1 form="prefix"\2', shown)
    return FUNCTION.sub(_spaced, shown)


def with_formulas(page: str) -> str:
    """Convert formulas between dollar signs in HTML to MathML, except in code."""
    return FORMULA.sub(_shown, page)


def _shown(found: re.Match[str]) -> str:
    block, inline = found[2], found[3]
    if not block and not inline:
        return found[0]
    try:
        return formula(html.unescape(block or inline), "block" if block else "inline")
    except Exception:  # Amounts in dollars are not formulas.
        return found[0]


def _spaced(found: re.Match[str]) -> str:
    before, name, after = found.groups(default="")
    spaces = f'lspace="{0 if before else 0.167}em" rspace="{0 if after else 0.167}em"'
    return f"{before}<mo {spaces}>{name}</mo>{after}"
