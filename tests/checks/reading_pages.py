"""Web pages for the explorers of the character model."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from private_jupyter import REPOSITORY

from .if_installed import Browser, Locator, expect
from .visits import built_once, shared_folder, visits

BUILD = """
import pathlib, sys
from web import build, lesson
from course_utils.explorers import REGISTERED, Explorer

out = pathlib.Path(sys.argv[1])
out.mkdir()
build.write_shared(out)
edition = build.Edition(out, "", lite=False)
(edition.folder / "scenes").mkdir(parents=True)
for name in REGISTERED:
    if name == build.STORY or isinstance(build.explorer_named(name), Explorer):
        continue
    kind = build.explorer_named(name).module
    body = f'<div data-scenes="{name}" data-kind="{kind}"><p>Still</p></div>'
    page = build.Page(f"{name}.html", name, [lesson.Cell(name, lesson.parsed(body))])
    edition.write_page(page, body)
    script = build.explorer_script(name)
    (edition.folder / "scenes" / f"{name}.js").write_text(script, "utf-8")
"""


def build(folder: Path) -> None:
    environment = {**os.environ, "COURSE_LANGUAGE": "en"}
    command = [sys.executable, "-c", BUILD, folder]
    subprocess.run(command, check=True, timeout=120, env=environment, cwd=REPOSITORY)


@pytest.fixture(scope="session")
def explorer_pages(tmp_path_factory) -> Path:
    """Open an English page for each explorer from a folder on disk."""
    shared = shared_folder(tmp_path_factory)
    return built_once(shared / "pages", shared, build)


@pytest.fixture
def visit_explorer(browser: "Browser", explorer_pages: Path) -> Iterator[Callable]:
    with visits(browser, explorer_pages) as visit:

        def go(name: str, **options: object) -> "Locator":
            page = visit(f"en/{name}.html", **options).page
            expect(page.locator(".course-readout")).not_to_have_text("", timeout=20_000)
            return page.locator(".course-explorer-box")

        yield go
