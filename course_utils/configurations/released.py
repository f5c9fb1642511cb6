"""Stored configurations of released models, with their sources."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..refusals import one_of
from .positions import ModelPositions
from .reading import read_configuration

__all__ = ["ReleasedModel", "released_model", "released_models"]

FOLDER = Path(__file__).parent / "released"


@dataclass(frozen=True, eq=False)
class ReleasedModel:
    """A released model with its positional settings.

    Attributes:
        id: Name of the model's file.
        name: Name of the model.
        year: Year of the release.
        source: Public file that states the settings.
        configuration: Settings with the names that this file uses.
    """

    id: str
    name: str
    year: int
    source: str
    configuration: Mapping

    def positions(self, *, length: int | None = None) -> ModelPositions:
        """Return the model's positional settings for texts of this length."""
        return read_configuration(self.configuration, length=length)


@cache
def released_models() -> tuple[ReleasedModel, ...]:
    """Return all stored models, sorted by year and name.

    Example:
        >>> released_models()[0].name
        'Transformer (base)'
    """
    stored = (
        ReleasedModel(path.stem, **json.loads(path.read_text(encoding="utf-8")))
        for path in FOLDER.glob("*.json")
    )
    return tuple(sorted(stored, key=lambda model: (model.year, model.name.lower())))


def released_model(model_id: str) -> ReleasedModel:
    """Return the stored model with this id.

    Example:
        >>> released_model("llama-2-7b").positions().kinds[0].training_length
        4096
    """
    models = {model.id: model for model in released_models()}
    return models[one_of("model_id", model_id, models)]
