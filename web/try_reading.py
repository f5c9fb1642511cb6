"""Build one page for each explorer whose numbers are computed in the page, to try them from disk.

The story is not among them: it has a script of its own.

python web/try_reading.py --out folder
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import build
from bs4 import BeautifulSoup
from lesson import Cell

from course_utils.explorers import WITHOUT_SCENES
from course_utils.words.text import LANGUAGES


def main() -> None:
    """Build what all languages share, then each language in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    out: Path = parser.parse_args().out
    if "COURSE_LANGUAGE" in os.environ:
        write_pages(out)
        return
    out.mkdir(parents=True, exist_ok=True)
    build.write_shared(out)
    for language in LANGUAGES:
        environment = {**os.environ, "COURSE_LANGUAGE": language}
        subprocess.run([sys.executable, *sys.argv], env=environment, check=True)


def write_pages(out: Path) -> None:
    """The pages of the one language that this process speaks."""
    edition = build.Edition(out, "", lite=False)
    (edition.folder / "scenes").mkdir(parents=True, exist_ok=True)
    for name in (each for each in WITHOUT_SCENES if not each.startswith(build.STORY)):
        body = f'<div data-scenes="{name}"><p>Still</p></div>'
        cell = Cell(name, BeautifulSoup(body, "html.parser"))
        edition.write_page(build.Page(f"{name}.html", name, [cell]), body)
        script = build.explorer_script(name)
        (edition.folder / "scenes" / f"{name}.js").write_text(script, "utf-8")


if __name__ == "__main__":
    main()
