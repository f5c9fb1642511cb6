"""Generate all derived files in the repository.

    python tools/generate.py                 write everything that is out of date
    python tools/generate.py labs glossary   only these steps
    python tools/generate.py --check         write nothing; fail if something is out of date
    python tools/generate.py --list          list the steps, and the files that each generates

Running the command again does not change any files, even on another machine. The steps heights and
animation open the web edition in a browser. They are skipped if there is no browser, or if you pass
--no-browser.
"""

from __future__ import annotations

import argparse
import difflib
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path

from private_jupyter import REPOSITORY, MissingBrowserError, find_browser

MOST_LINES = 30
"""Maximum number of lines shown from a diff."""

Files = Mapping[Path, str | bytes]
"""Contents of generated files (text, or bytes of pictures), keyed by path."""


@dataclass(frozen=True)
class Step:
    """A group of files that are generated together.

    Attributes:
        module: Module in ``tools/generators`` whose function ``files`` returns the contents.
        writes: Description of the generated files.
        sources: Description of the source files.
        in_browser: True if the step needs a browser.
    """

    module: str
    writes: str
    sources: str
    in_browser: bool = False


STEPS = {
    "bundles": Step("bundles", "course_utils/explorers/dist", "the JavaScript of the explorers"),
    "labs": Step("labs", "labs/", "solutions/"),
    "glossary": Step("glossary", "notebooks/glossary.ipynb", "course_utils/words/glossary.toml"),
    "teaching": Step(
        "teaching",
        "the tables in TEACHING.md and classroom/mistakes.md; the minutes in lesson 00",
        "notebooks, labs and questions",
    ),
    "title-pictures": Step(
        "title_pictures", "the picture next to each lesson’s title", "web/covers.py"
    ),
    "snapshots": Step(
        "snapshots",
        "tests/explorers/scenes.json, tests/labs/by_hand.json, tests/web/covers.html",
        "the function snapshot() of the test module next to each",
    ),
    "heights": Step("heights", "web/heights.toml", "the explorers on the pages", in_browser=True),
    "animation": Step(
        "animation",
        "course_utils/explorers/stills, images/scene-*.gif",
        "the opening animation on the pages",
        in_browser=True,
    ),
}
"""All steps, ordered so that no step depends on a later step.

Add new steps here.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the requested steps and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"any of {', '.join(STEPS)}")
    parser.add_argument("--check", action="store_true", help="write nothing, and report")
    parser.add_argument("--list", action="store_true", help="list the steps")
    parser.add_argument("--no-browser", action="store_true", help="leave out what needs a browser")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.steps) - STEPS.keys():
        parser.error(f"STEP must be one of {', '.join(STEPS)}; got {', '.join(sorted(unknown))}.")
    if asked.list:
        for name, step in STEPS.items():
            print(f"{name}: {step.writes}, from {step.sources}")
        return 0
    chosen = asked.steps or [
        name for name, step in STEPS.items() if not (step.in_browser and asked.no_browser)
    ]
    n_outdated = n_failed = 0
    for name in chosen:
        if STEPS[name].in_browser and not has_browser():
            print(f"{name}: left out, because there is no browser")
            continue
        try:
            outdated = outdated_files(name)
        except (ModuleNotFoundError, ValueError) as error:
            n_failed += 1
            print(f"{name}: FAILED, nothing written: {error}")
            if isinstance(error, ModuleNotFoundError):
                print('Run: python -m pip install -c constraints.txt -e ".[test]"')
            continue
        n_outdated += len(outdated)
        print(f"{name}: {len(outdated)} files {'are out of date' if asked.check else 'written'}")
        for path, content in outdated.items():
            print(f"  {path.relative_to(REPOSITORY)}")
            if asked.check:
                print(difference(path, content))
            else:
                write(path, content)
    if asked.check and n_outdated:
        print("If these changes are intended, run: python tools/generate.py")
    return 1 if n_failed or asked.check and n_outdated else 0


def outdated_files(name: str) -> Files:
    """Return the new contents of a step's files that differ from the stored files.

    The content of a file that is no longer generated is ``b""``.
    """
    # Each step is imported only when it runs, because it may need packages that other steps do not
    # need. Steps also import the package `web`.
    if str(REPOSITORY) not in sys.path:
        sys.path.append(str(REPOSITORY))
    module = import_module(f"generators.{STEPS[name].module}")
    files: Files = module.files()
    is_same: Callable[[bytes, bytes], bool] = getattr(module, "is_same", _is_equal)
    outdated = {
        path: content
        for path, content in files.items()
        if not path.exists() or not is_same(path.read_bytes(), as_bytes(content))
    }
    former = getattr(module, "stored_files", list)()
    return outdated | {path: b"" for path in former if path not in files}


def as_bytes(content: str | bytes) -> bytes:
    """Encode the content of a file as UTF-8 with line feeds, unless it is binary."""
    return content.encode() if isinstance(content, str) else content


def write(path: Path, content: str | bytes) -> None:
    """Write a file, or delete it if the content is empty."""
    if content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_bytes(content))
    else:
        path.unlink()


def difference(path: Path, content: str | bytes) -> str:
    """Return the first lines of the diff between a stored file and its new content."""
    if not content:
        return "    it is no longer generated"
    if not path.exists():
        return "    it is missing"
    if isinstance(content, bytes):
        return "    the picture differs"
    before, after = path.read_text("utf-8").splitlines(), content.splitlines()
    lines = difflib.unified_diff(before, after, "stored", "now", n=0, lineterm="")
    return "\n".join(f"    {line[:300]}" for line in islice(lines, MOST_LINES))


def has_browser() -> bool:
    """Return True if there is a browser that Playwright can control."""
    try:
        find_browser()
    except MissingBrowserError:
        return False
    return True


def _is_equal(stored: bytes, now: bytes) -> bool:
    return stored == now


def same_numbers(stored: bytes, now: bytes) -> bool:
    """Return True if two JSON files are equal, except for the last digits of numbers."""
    return _close(json.loads(stored), json.loads(now))


def _close(first: object, second: object) -> bool:
    match first, second:
        case dict(), dict():
            return [*first] == [*second] and all(_close(first[key], second[key]) for key in first)
        case list(), list():
            return len(first) == len(second) and all(map(_close, first, second))
        case float(), float():
            return math.isclose(first, second, rel_tol=1e-6, abs_tol=1e-12)
    return first == second


if __name__ == "__main__":
    sys.exit(main())
