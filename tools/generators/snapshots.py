"""Generator for the snapshots that tests compare with the current state of the course.

Each snapshot is in the same folder as the test module whose function ``snapshot`` computes it. Read
the diff before you store a new snapshot.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from generate import same_numbers
from private_jupyter import REPOSITORY

SNAPSHOTS = {
    "tests/explorers/scenes.json": "test_scenes",
    "tests/labs/by_hand.json": "test_by_hand",
    "tests/web/covers.html": "test_covers",
}
"""Test modules that compute the snapshots, keyed by path."""


def files() -> dict[Path, str]:
    """Return the current content of all snapshots."""
    tests = REPOSITORY / "tests"
    for folder in (tests, *(path for path in tests.iterdir() if path.is_dir())):
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
    return {REPOSITORY / path: import_module(test).snapshot() for path, test in SNAPSHOTS.items()}


def is_same(stored: bytes, now: bytes) -> bool:
    """Return True if two snapshots are equal, except for the last digits of numbers."""
    if stored.startswith(b"{"):
        return same_numbers(stored, now)
    return stored == now
