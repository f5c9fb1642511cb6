"""A check that everything the lessons need is installed."""

from __future__ import annotations

import importlib
import tomllib
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from types import ModuleType

from packaging.requirements import Requirement

from ..words.text import words
from .display import Shown

__all__ = ["MissingPackageError", "check_installation", "require_torch"]

SAID = words(Path(__file__).with_suffix(".toml"))
DISTRIBUTION = "positional-encodings-course"


def check_installation() -> Shown:
    """Report packages that are missing, too old, too new or from another edition."""
    if problems := ", ".join(missing_packages()):
        message = SAID["missing"].format(problems=problems)
    elif editions := two_editions():
        message = SAID["two-editions"].format(lessons=editions[0], package=editions[1])
    else:
        message = SAID["complete"]
    return Shown(html=message.blocks(), plain=message.lines)


class MissingPackageError(ImportError):
    """Error for a missing package that only some notebooks need, such as PyTorch."""

    def _render_traceback_(self) -> list[str]:
        """Return the text that Jupyter shows: the sentence alone, without a traceback."""
        return [str(self)]


def require_torch() -> ModuleType:
    """Return the module ``torch``, or raise a MissingPackageError."""
    try:
        return importlib.import_module("torch")
    except ImportError:
        raise MissingPackageError(SAID["no-torch"].lines) from None


def missing_packages() -> list[str]:
    """Return the course's requirements that this Python does not meet, as ``name>=version``."""
    try:
        declared = [Requirement(line) for line in requires(DISTRIBUTION) or ()]
    except PackageNotFoundError:
        return [DISTRIBUTION]
    needed = [entry for entry in declared if entry.marker is None or entry.marker.evaluate()]
    return [str(requirement) for requirement in needed if not _is_met(requirement)]


def two_editions() -> tuple[str, str] | None:
    """Return the versions of the lessons in this folder and of the package if they differ.

    They can differ if lessons are distributed separately, as on a class server.
    """
    try:
        project = tomllib.loads(Path("../pyproject.toml").read_text(encoding="utf-8"))["project"]
    except (OSError, ValueError, KeyError):
        return None
    if project.get("name") != DISTRIBUTION:
        return None
    lessons, package = project.get("version", ""), version(DISTRIBUTION)
    return None if lessons == package else (lessons, package)


def _is_met(requirement: Requirement) -> bool:
    try:
        return requirement.specifier.contains(version(requirement.name), prereleases=True)
    except PackageNotFoundError:
        return False
