"""Facts about the configurations of released models, each with its source."""

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
    """A released model: the settings of its configuration that matter for positions.

    Attributes:
        id: the name of its file.
        name: the name that its authors gave it.
        year: the year of its release.
        source: the public file that states the settings.
        configuration: the settings, in the spelling of that file.
    """

    id: str
    name: str
    year: int
    source: str
    configuration: Mapping

    def positions(self, *, length: int | None = None) -> ModelPositions:
        """Return the model's positions, for texts of this length."""
        return read_configuration(self.configuration, length=length)


@cache
def released_models() -> tuple[ReleasedModel, ...]:
    """Return all stored models, by year and name.

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
