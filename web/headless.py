"""Headless Chromium, which prints pages as PDF and takes screenshots."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

SHARED_SIZE = 1200, 630
"""Size in pixels of the picture for a shared link (Open Graph's og:image)."""


def print_page(browser: str, page: Path, target: Path) -> None:
    """Write a page as a PDF file, without the browser's header and footer."""
    _run(browser, page, "--no-pdf-header-footer", f"--print-to-pdf={target}")


def picture_page(browser: str, page: Path, target: Path, n_pictures: int) -> None:
    """Write a page of pictures for sharing, one below another, as a PNG file."""
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
