"""Tests that each colour of the course is written only once, in ``course_utils/colors.toml``."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from private_jupyter import REPOSITORY

from course_utils.colors import COLORS, PAGE_COLORS, RAMPS, on_both, variables

FOLDERS = ("benchmarks", "classroom", "course_utils", "experiments", "tools", "web")
SUFFIXES = (".css", ".html", ".js", ".mplstyle", ".py", ".svg", ".toml", ".txt")
SOURCE = REPOSITORY / "course_utils" / "colors.toml"
BUNDLES = REPOSITORY / "course_utils" / "explorers" / "dist"

HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})\b", re.IGNORECASE)
BARE_HEX = re.compile(r"\b[0-9a-f]{6}\b", re.IGNORECASE)
DECIMAL = re.compile(r"\b(\d{1,3}),? (\d{1,3}),? (\d{1,3})\b")
BLACK_OR_WHITE = {(0, 0, 0), (255, 255, 255)}

Rgb = tuple[int, ...]


def rgb(digits: str) -> Rgb:
    doubled = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    return tuple(bytes.fromhex(doubled))


def written_colors(text: str, known: set[Rgb]) -> Iterator[Rgb]:
    """Yield the colours in a text; three decimal numbers count if they are a known colour."""
    yield from (rgb(digits) for digits in HEX.findall(text))
    yield from known & {tuple(map(int, numbers)) for numbers in DECIMAL.findall(text)}


def text_of(path: Path) -> str:
    """Return the text of a file, with a number sign before the colours of a Matplotlib style."""
    text = path.read_text("utf-8")
    return BARE_HEX.sub(r"#\g<0>", text) if path.suffix == ".mplstyle" else text


def course_colors() -> set[Rgb]:
    found = {rgb(digits) for digits in HEX.findall(SOURCE.read_text("utf-8"))}
    return found - BLACK_OR_WHITE


def files() -> list[Path]:
    found = [path for folder in FOLDERS for path in (REPOSITORY / folder).rglob("*")]
    ours = [path for path in found if path.suffix in SUFFIXES and path != SOURCE]
    return sorted(path for path in ours if BUNDLES not in path.parents)


def test_no_file_repeats_colour():
    known, first_file = course_colors(), {}
    for path in files():
        for color in {*written_colors(text_of(path), known)} - BLACK_OR_WHITE:
            name, shown = path.relative_to(REPOSITORY), f"#{bytes(color).hex()}"
            advice = (
                f"{name} repeats {shown}: use its name in colors.toml, or the variable --c-NAME"
            )
            assert color not in known, advice
            other = first_file.setdefault(color, name)
            assert other == name, f"{name} and {other} both have {shown}: add it to colors.toml"


@pytest.mark.parametrize("text", ["color: #{0}", "#{1};", "[{2}, {3}, {4}]", "rgb({2} {3} {4})"])
def test_repeated_colour_is_found(text):
    digits = COLORS["word"][0].removeprefix("#")
    written = text.format(digits, digits.upper(), *rgb(digits))
    assert [*written_colors(written, course_colors())] == [rgb(digits)]


def test_css_variables_have_colour_of_each_theme():
    for is_dark, color in enumerate(COLORS["word"]):
        assert f"--c-word:{color};" in variables(is_dark=bool(is_dark))


def test_colour_for_both_backgrounds_is_halfway():
    light, dark = (rgb(color.removeprefix("#")) for color in COLORS["grey"])
    middle = rgb(on_both("grey").removeprefix("#"))
    assert all(2 * m in (a + b, a + b - 1) for m, a, b in zip(middle, light, dark, strict=True))


def test_every_colour_has_value_in_both_themes():
    for name, colors in {**COLORS, **PAGE_COLORS}.items():
        assert len(colors) == 2 and all(HEX.fullmatch(color) for color in colors), name
    for name, (light, dark) in RAMPS.items():
        assert len(light) == len(dark), name
