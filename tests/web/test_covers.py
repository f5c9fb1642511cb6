"""Comparison of the lessons' covers with the stored snapshot in ``covers.html``."""

from pathlib import Path

from checks.snapshots import assert_current

from web import build, covers


def snapshot() -> str:
    """Return the current content of ``covers.html``."""
    names = [*covers.COVERS, "any other"]
    drawn = "".join(f"<h2>{name}</h2>\n{covers.cover(name)}\n" for name in names)
    colors = build.colors((build.WEB / "site.css").read_text("utf-8") + drawn)
    return f'<link rel="stylesheet" href="../../web/site.css">\n<style>{colors}</style>\n{drawn}'


def test_covers_match_snapshot():
    assert_current(Path(__file__).with_name("covers.html"), snapshot())
