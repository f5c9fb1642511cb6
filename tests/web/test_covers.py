"""Comparison of the lessons' covers with the stored snapshot in ``covers.html``."""

from pathlib import Path

from checks.snapshots import assert_current

from web import build, covers


def snapshot() -> str:
    """Return the current content of ``covers.html``."""
    names = [*covers.COVERS, "any other"]
    head = f'<link rel="stylesheet" href="../../web/site.css">\n<style>{build.colors()}</style>\n'
    return head + "".join(f"<h2>{name}</h2>\n{covers.cover(name)}\n" for name in names)


def test_covers_match_snapshot():
    assert_current(Path(__file__).with_name("covers.html"), snapshot())
