"""Generator for the explorers' JavaScript bundles, which are ES modules in ``dist``.

    python tools/generate.py bundles             write the bundles whose sources have changed
    python tools/generators/bundles.py --watch   write them after each change, with source maps

Each module ``course_utils/explorers/NAME/NAME.js`` is bundled with its imports in ``dist/NAME.js``.
A bundle begins with a checksum of its sources, so that the bundler is needed only if a source has
changed. The bundler is esbuild, which deno (in the extra ``style``) downloads once.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXPLORERS = Path(__file__).resolve().parents[2] / "course_utils" / "explorers"
DIST = EXPLORERS / "dist"
ESBUILD = "npm:esbuild@0.25.12"
OPTIONS = ("--bundle", "--format=esm", "--target=es2022", "--charset=utf8", "--log-level=warning")
SMALLER = ("--minify", "--line-limit=2000")
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.[^"]+)";', re.M)


def files() -> dict[Path, str]:
    """Return all bundles, and rebuild those whose sources have changed."""
    stored = {name: DIST / f"{name}.js" for name in entries()}
    if all(path.exists() and is_current(path) for path in stored.values()):
        return {path: path.read_text("utf-8") for path in stored.values()}
    return {stored[name]: text for name, text in bundled().items()}


def stored_files() -> list[Path]:
    """Return the stored bundles, including bundles whose sources no longer exist."""
    return sorted(DIST.glob("*.js"))


def is_current(bundle: Path) -> bool:
    """Return True if a stored bundle contains the current checksum of its sources."""
    with bundle.open(encoding="utf-8") as lines:
        return next(lines) == first_line(entries()[bundle.stem])


def entries() -> dict[str, Path]:
    """Return the entry modules, keyed by the name of the bundle."""
    modules = sorted(EXPLORERS.glob("*/*.js"))
    return {each.stem: each for each in modules if each.stem == each.parent.name}


def sources_of(entry: Path) -> list[Path]:
    """Return a module and all its direct and indirect imports, in a stable order."""
    found: list[Path] = []
    waiting = [entry]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.append(module)
            named = IMPORT.findall(module.read_text("utf-8"))
            waiting += [(module.parent / each).resolve() for each in named]
    return sorted(found)


def first_line(entry: Path) -> str:
    """Return the first line of a bundle, a comment with the checksum of its sources."""
    checksum = hashlib.sha256(repr((ESBUILD, OPTIONS, SMALLER)).encode())
    for source in sources_of(entry):
        name = source.relative_to(EXPLORERS).as_posix()
        checksum.update(f"{name}\0{source.read_text('utf-8')}\0".encode())
    name = entry.relative_to(EXPLORERS).as_posix()
    return f"// Generated from {name} by tools/generate.py; {checksum.hexdigest()[:16]}\n"


def bundled(*deno_options: str) -> dict[str, str]:
    """Build all bundles with esbuild, and return them keyed by name."""
    with tempfile.TemporaryDirectory() as folder:
        command = esbuild(deno_options, (*SMALLER, f"--outdir={folder}"))
        subprocess.run(command, check=True, cwd=EXPLORERS)
        return {
            name: first_line(entry) + Path(folder, f"{name}.js").read_text("utf-8")
            for name, entry in entries().items()
        }


def esbuild(deno_options: tuple[str, ...], options: tuple[str, ...]) -> list[str]:
    """Return the command that bundles all entry modules."""
    folders = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    deno = shutil.which("deno", path=folders)
    if deno is None:
        sys.exit('deno is missing: pip install -e ".[style]"')
    allowed = [f"--allow-{each}" for each in ("read", "write", "env", "run")]
    modules = [str(each) for each in entries().values()]
    command = [deno, "run", "--quiet", "--no-lock", *deno_options, *allowed, ESBUILD]
    return [*command, *OPTIONS, *options, *modules, "--entry-names=[name]"]


if __name__ == "__main__":
    if sys.argv[1:] != ["--watch"]:
        sys.exit(
            "The only option is --watch. To write the bundles: python tools/generate.py bundles"
        )
    # esbuild stops watching when its standard input is closed.
    watch = ("--watch", "--sourcemap=inline", f"--outdir={DIST}")
    subprocess.run(esbuild((), watch), cwd=EXPLORERS)
