"""Comparison of a stored snapshot with the current one."""

from pathlib import Path

from generate import difference
from generators.snapshots import is_same


def assert_current(path: Path, now: str) -> None:
    """Fail with the diff and the update command if a snapshot is outdated."""
    if path.exists() and is_same(path.read_bytes(), now.encode()):
        return
    command = "python tools/generate.py snapshots"
    lines = difference(path, now)
    raise AssertionError(f"{path.name} differs. If this is intended, run: {command}\n{lines}")
