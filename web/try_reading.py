"""Build one page for each explorer of the model that reads, to try them alone and from disk.

python web/try_reading.py --out folder
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import build
import reading

from course_utils.explorers.reading import __all__ as explorers
from course_utils.notebook.display import PAGE_STYLE
from course_utils.words.text import LANGUAGES


def main() -> None:
    """Build what both languages share, and each language in a process that speaks only this one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    out: Path = parser.parse_args().out
    if "COURSE_LANGUAGE" in os.environ:
        write_pages(out)
        return
    reading.write_weights(out / "weights")
    style = PAGE_STYLE.read_text("utf-8") + (build.WEB / "site.css").read_text("utf-8")
    (out / "site.css").write_text(style + reading.style(), "utf-8")
    (out / "site.js").write_text(build.script(), "utf-8")
    for language in LANGUAGES:
        environment = {**os.environ, "COURSE_LANGUAGE": language}
        subprocess.run([sys.executable, *sys.argv], env=environment, check=True)


def write_pages(out: Path) -> None:
    """The pages of the one language that this process speaks."""
    edition = build.Edition(out, "", lite=False)
    (edition.folder / "scenes").mkdir(parents=True, exist_ok=True)
    for name in explorers:
        body = f'<div data-scenes="{name}"></div>'
        edition.write_page(build.Page(f"{name}.html", name, body))
        script = build.explorer_script(name)
        (edition.folder / "scenes" / f"{name}.js").write_text(script, "utf-8")


if __name__ == "__main__":
    main()
