"""Is everything there that the lessons need?"""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, requires, version
from types import ModuleType

from packaging.requirements import Requirement

from .page import MODULE_FOLDER, Shown
from .text import words

__all__ = ["MissingPackageError", "check_installation", "require_torch"]

SAID = words(MODULE_FOLDER / "installation.toml")
DISTRIBUTION = "positional-encodings-course"


def check_installation() -> Shown:
    """Say in one sentence whether a package that the course needs is missing or too old or new."""
    problems = ", ".join(missing_packages())
    message = SAID["missing"].format(problems=problems) if problems else SAID["complete"]
    return Shown(html=message.blocks(), plain=message.lines)


class MissingPackageError(ImportError):
    """A package that only some of the notebooks need is not there."""

    def _render_traceback_(self) -> list[str]:
        """What Jupyter shows: the sentence alone, without the way that led to it."""
        return [str(self)]


def require_torch() -> ModuleType:
    """The module ``torch``, or a MissingPackageError."""
    try:
        return importlib.import_module("torch")
    except ImportError:
        raise MissingPackageError(SAID["no-torch"].lines) from None


def missing_packages() -> list[str]:
    """The requirements of the course that this Python does not meet, as ``name>=version``."""
    try:
        declared = [Requirement(line) for line in requires(DISTRIBUTION) or ()]
    except PackageNotFoundError:
        return [DISTRIBUTION]
    needed = [entry for entry in declared if entry.marker is None or entry.marker.evaluate()]
    return [str(requirement) for requirement in needed if not _is_met(requirement)]


def _is_met(requirement: Requirement) -> bool:
    try:
        return requirement.specifier.contains(version(requirement.name), prereleases=True)
    except PackageNotFoundError:
        return False
