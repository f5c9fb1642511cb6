"""Chromium without a window: pages as PDF, and as pictures."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

SHARED_SIZE = 1200, 630
"""Pixels, of a picture that stands beside a shared link (Open Graph's og:image)."""


def print_page(browser: str, page: Path, target: Path) -> None:
    """Write a page as PDF, without the browser's own lines above and below."""
    _run(browser, page, "--no-pdf-header-footer", f"--print-to-pdf={target}")


def picture_page(browser: str, page: Path, target: Path, n_pictures: int) -> None:
    """Write a page of so many pictures for sharing, one below the other, as PNG."""
    size = f"--window-size={SHARED_SIZE[0]},{n_pictures * SHARED_SIZE[1]}"
    waiting = "--virtual-time-budget=2000"
    _run(browser, page, "--hide-scrollbars", size, waiting, f"--screenshot={target}")


def _run(browser: str, page: Path, *options: str) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
        command += ["--disable-background-networking", f"--user-data-dir={profile}"]
        subprocess.run(
            [*command, *options, page.resolve().as_uri()], check=True, capture_output=True
        )
