"""Deprecation notices for earlier names, which will be removed after this edition."""

import warnings


def announce(earlier: str, name: str) -> None:
    """Announce the current name once, in both languages."""
    warnings.warn(
        f"{earlier} is {name} now, and after this edition only that. · "
        f"{earlier} se llama ahora {name}; después de esta edición, solo así.",
        FutureWarning,
        stacklevel=3,
    )
