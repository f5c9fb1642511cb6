"""What is said to those who use an earlier name: it goes after this edition."""

import warnings


def announce(earlier: str, name: str) -> None:
    """Say once, in both languages, what a name is now."""
    warnings.warn(
        f"{earlier} is {name} now, and after this edition only that. · "
        f"{earlier} se llama ahora {name}; después de esta edición, solo así.",
        FutureWarning,
        stacklevel=3,
    )
