"""Deprecation notices for earlier names, which will be removed after this edition."""

import warnings


def announce(earlier: str, name: str) -> None:
    """Announce the current name once, in both languages."""
    warnings.warn(
        f"{earlier} is now called {name}; the next edition removes the earlier name. · "
        f"{earlier} ahora se llama {name}; la próxima edición elimina el nombre anterior.",
        FutureWarning,
        stacklevel=3,
    )
