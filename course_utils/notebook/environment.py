"""Checks that the packages required by the lessons are installed."""

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

TEXTS = words(Path(__file__).with_suffix(".toml"))
DISTRIBUTION = "positional-encodings-course"


def check_installation() -> Shown:
    """Report packages that are missing, too old, too new or from another edition."""
    if problems := ", ".join(missing_packages()):
        message = TEXTS["missing"].format(problems=problems)
    elif editions := two_editions():
        message = TEXTS["two-editions"].format(lessons=editions[0], package=editions[1])
    else:
        message = TEXTS["complete"]
    return Shown(html=message.blocks(), plain=message.lines)


class MissingPackageError(ImportError):
    """Exception raised if an optional package, such as PyTorch, is missing."""

    def _render_traceback_(self) -> list[str]:
        """Return the message without a traceback, as Jupyter should show it."""
        return [str(self)]


def require_torch() -> ModuleType:
    """Return the module ``torch``.

    Raises:
        MissingPackageError: If PyTorch is not installed.
    """
    try:
        return importlib.import_module("torch")
    except ImportError:
        raise MissingPackageError(TEXTS["no-torch"].lines) from None


def missing_packages() -> list[str]:
    """Return the course's requirements that are not satisfied, as ``name>=version``."""
    try:
        declared = [Requirement(line) for line in requires(DISTRIBUTION) or ()]
    except PackageNotFoundError:
        return [DISTRIBUTION]
    needed = [entry for entry in declared if entry.marker is None or entry.marker.evaluate()]
    return [str(requirement) for requirement in needed if not _is_met(requirement)]


def two_editions() -> tuple[str, str] | None:
    """Return the versions of the lessons and of the package if they differ.

    The versions can differ if the lessons are distributed separately, for example on a class
    server.
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
