"""Create the typefaces of the pages: Atkinson Hyperlegible Next, and Noto Sans Math for formulas.

    npm pack @fontsource-variable/atkinson-hyperlegible-next @fontsource/noto-sans-math
    python -m pip install fonttools brotli
    python -m web.typeface FOLDER

The folder holds the two packages as npm downloads them. Each face is reduced to the characters that
the pages use: letters of both languages, upright and slanted letters of mathematics, signs, and
brackets that grow. Both are under the SIL Open Font License, which is copied with them.
"""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).with_name("fonts")
LARGEST = 60_000
TEXT = [*range(0x20, 0x7F), *map(ord, "¡¿«»·±×ÁÉÍÓÚÜÑáéíóúüñ–—‘’“”…‹›−→↩✓✗ ")]
UPRIGHT = "0123456789()[]{}*+,./:=|·×…′∂∑∏−≈≠≤≥<>⊤⋱⋮⋯⌊⌋‖√∞∈°  "
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzαβγδεθλμπρσφω"
# Slanted mathematical letters are consecutive from here on, except h.
SLANTED = [*range(0x1D434, 0x1D468), 0x210E, *map(lambda n: 0x1D6FC + n, range(25))]
MATH = [*map(ord, UPRIGHT + LETTERS), *SLANTED]


def packed(folder: Path, package: str, file: str) -> bytes:
    """Return a file of an npm package."""
    (archive,) = folder.glob(f"fontsource*{package}*.tgz")
    with tarfile.open(archive) as package_files:
        return package_files.extractfile(f"package/{file}").read()


def write(font: TTFont, characters: list[int], features: list[str], target: Path) -> None:
    """Write the part of a typeface that the pages use."""
    options = Options(flavor="woff2", hinting=False, desubroutinize=True)
    options.layout_features = features
    options.drop_tables += ["STAT", "MVAR", "DSIG"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


def main() -> None:
    """Write both typefaces and their licences."""
    folder = Path(sys.argv[1])
    FONTS.mkdir(exist_ok=True)
    name = "atkinson-hyperlegible-next"
    file = f"files/{name}-latin-wght-normal.woff2"
    text = TTFont(io.BytesIO(packed(folder, f"variable-{name}", file)))
    text = instantiateVariableFont(text, {"wght": (400, 700)})
    write(text, TEXT, ["kern", "ccmp", "locl", "tnum"], FONTS / "text.woff2")
    file = "files/noto-sans-math-latin-400-normal.woff2"
    math = TTFont(io.BytesIO(packed(folder, "noto-sans-math", file)))
    write(math, MATH, ["ccmp", "ssty"], FONTS / "math.woff2")
    for package, licence in ((f"variable-{name}", "text"), ("noto-sans-math", "math")):
        (FONTS / f"{licence}-OFL.txt").write_bytes(packed(folder, package, "LICENSE"))
    size = sum(each.stat().st_size for each in FONTS.glob("*.woff2"))
    if size > LARGEST:
        sys.exit(f"The typefaces may have {LARGEST} bytes; they have {size}.")


if __name__ == "__main__":
    main()
