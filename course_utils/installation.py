"""Is everything there that the lessons need?"""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, requires, version
from types import ModuleType

from packaging.requirements import Requirement

from .language import Text
from .page import Shown

__all__ = ["MissingPackageError", "check_installation", "require_torch"]

DISTRIBUTION = "positional-encodings-course"


def check_installation() -> Shown:
    """Say in one sentence whether a package that the course needs is missing or too old or new."""
    problems = ", ".join(missing_packages())
    if problems:
        message = Text(
            "Not ready: the course needs {problems}. Run the README’s study command again.",
            "Falta algo: el curso necesita {problems}. Ejecuta otra vez el comando de "
            "inicio del README.",
        ).format(problems=problems)
    else:
        message = Text(
            "Nothing is missing, and all versions are ones that we tried.",
            "No falta nada, y todas las versiones están probadas.",
        )
    return Shown(html=message.blocks(), plain=message.lines)


class MissingPackageError(ImportError):
    """A package that only some of the notebooks need is not there."""

    def _render_traceback_(self) -> list[str]:
        """What Jupyter shows: the sentence alone, without the way that led to it."""
        return [str(self)]


def require_torch() -> ModuleType:
    """The module ``torch``.

    Raises:
        MissingPackageError: PyTorch is not installed.
    """
    try:
        return importlib.import_module("torch")
    except ImportError:
        message = Text(
            'PyTorch is missing: give python -m pip install -c constraints.txt -e ".[torch]" in a '
            "terminal, in the folder of the course, and run this page from the top.",
            'Falta PyTorch: da python -m pip install -c constraints.txt -e ".[torch]" en una '
            "terminal, en la carpeta del curso, y ejecuta esta página desde el principio.",
        )
        raise MissingPackageError(message.lines) from None


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
