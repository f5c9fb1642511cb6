"""Positional settings of released models, layer by layer."""

from .positions import LayerPositions, ModelPositions
from .reading import read_configuration
from .released import ReleasedModel, released_model, released_models

__all__ = [
    "LayerPositions",
    "ModelPositions",
    "ReleasedModel",
    "read_configuration",
    "released_model",
    "released_models",
]
