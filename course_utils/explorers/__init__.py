"""Explorers: pictures that a reader moves. README.md in this folder describes them.

The package exports every function registered with ``@explorer``, such as ``clock_explorer``.
"""

from importlib import import_module
from pkgutil import walk_packages

from .base import REGISTERED, ExplorerWidget
from .scene.explorer import Explorer

for _module in walk_packages(__path__, f"{__name__}."):
    import_module(_module.name)

__all__ = ["REGISTERED", "Explorer", "ExplorerWidget", *sorted(REGISTERED)]


def __getattr__(name: str) -> object:
    if name not in REGISTERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return REGISTERED[name].function
