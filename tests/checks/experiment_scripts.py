"""Modules for the scripts in experiments/."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from checks.extras import missing
from course_utils import text_model

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"


def pytorch() -> ModuleType:
    """The module ``torch``; the test is skipped if PyTorch is not installed."""
    return pytest.importorskip("torch", reason=missing("PyTorch", "torch"))


def script(name: str, *, needs_pytorch: bool = True) -> ModuleType:
    """Import a script for execution on one thread, like the stored runs."""
    if needs_pytorch:
        pytorch().set_num_threads(1)
    sys.path.insert(0, str(EXPERIMENTS))
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(EXPERIMENTS))


def model_that_reads(encoding: str) -> object:
    """Return the model of experiments/text_model.py with the stored weights."""
    experiment = script("text_model")
    model = experiment.Model(experiment.Run(encoding))
    for name, matrix in model.matrices().items():  # views of the parameters
        matrix.copy_(experiment.torch.tensor(text_model.weights(encoding)[name]))
    return model.requires_grad_(False)
