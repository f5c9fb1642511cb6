"""The package as a program sees it: what it loads, what it names, and the examples in its docs."""

import doctest
import inspect
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import course_utils

WITH_EXAMPLES = [
    "encodings",
    "properties",
    "frequencies",
    "precision",
    "relative",
    "attention",
    "stretching",
]
WITHOUT_WIDGETS = [*WITH_EXAMPLES, "refusals", "schemes", "labs"]
HEAVY = {"anywidget", "ipywidgets", "traitlets", "IPython", "matplotlib"}


@pytest.mark.parametrize("name", WITHOUT_WIDGETS)
def test_what_computes_or_judges_loads_no_widget_and_no_matplotlib(name):
    code = f"import sys, course_utils.{name}; print(*({HEAVY} & sys.modules.keys()))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (loaded.returncode, loaded.stdout.split()) == (0, []), loaded.stderr


def test_no_module_name_stands_twice():
    files = [path.stem for path in Path(course_utils.__file__).parent.rglob("[!_]*.py")]
    assert len(files) == len(set(files)) > 20


@pytest.mark.parametrize("name", course_utils.__all__)
def test_the_package_has_each_of_its_names(name):
    """A module of that name would stand in the place of the function as soon as it is loaded."""
    assert find_spec(f"course_utils.{name}") is None
    assert name in dir(course_utils) and getattr(course_utils, name).__name__ == name


def test_the_package_has_no_other_names():
    with pytest.raises(AttributeError, match="'course_utils' has no attribute 'no_encoding'"):
        _ = course_utils.no_encoding


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_every_public_function_has_an_example_that_is_right(name):
    module = import_module(f"course_utils.{name}")
    assert doctest.testmod(module).failed == 0
    for key in module.__all__:
        value = getattr(module, key)
        if inspect.isfunction(value) or inspect.isclass(value):
            assert ">>> " in value.__doc__, f"{key} has no example"
