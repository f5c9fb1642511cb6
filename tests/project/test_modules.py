"""Tests of the package's imports, public names and docstring examples."""

import ast
import doctest
import inspect
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.util import find_spec, resolve_name
from pathlib import Path

import pytest

import course_utils

WITH_EXAMPLES = (
    "encodings long_tables properties frequencies precision relative attention fitting stretching "
    "text_model.characters text_model.reading text_model.heads text_model.stored training "
    "learned_positions coordinates fields configurations.reading configurations.released"
).split()
PACKAGE = Path(course_utils.__file__).parent
CLASSROOM = PACKAGE.parent / "classroom"
HEAVY = {"anywidget", "ipywidgets", "traitlets", "IPython", "matplotlib", "torch", "socket"}


def test_computing_modules_load_no_widgets():
    names = [f"course_utils.{name}" for name in (*WITH_EXAMPLES, "refusals", "schemes", "labs")]
    code = f"import sys, {', '.join(names)}; course_utils.text_model.read('a text')"
    code += f"; print(*({HEAVY} & sys.modules.keys()))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (loaded.returncode, loaded.stdout.split()) == (0, []), loaded.stderr


def test_course_opens_no_connection():
    way_out = re.compile(
        r"\b(socket\b|urllib|http\.client|(import|from) requests|fetch\(|XMLHttpRequest)"
    )
    for path in (*PACKAGE.rglob("*"), *CLASSROOM.glob("*"), *CLASSROOM.glob("templates/*")):
        if path.suffix in (".py", ".js", ".j2"):
            assert not way_out.search(path.read_text(encoding="utf-8")), path


MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (*PACKAGE.rglob("*.py"), *CLASSROOM.glob("*.py"))
}


def imported_by(module: str) -> set[str]:
    """Return all modules of the course that a module imports."""
    path, found = MODULES[module], set()
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        if isinstance(node, ast.ImportFrom):
            start = resolve_name("." * node.level + (node.module or ""), package)
            names = {f"{start}.{name.name}" for name in node.names}
            found |= names & MODULES.keys() or {start}
    return found & MODULES.keys()


# course_utils itself is left out because it loads its modules only on request.
IMPORTS = {module: imported_by(module) for module in MODULES if module != "course_utils"}


def floor_of(module: str) -> int:
    """Return the row for a module in CONTRIBUTING.md's table of packages."""
    table = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8").partition("| Package |")[2]
    lines = table.partition("\n\n")[0].splitlines()[2:]
    rows = [set(re.findall(r"`([^`]+)`", row.split("|")[1])) for row in lines]
    package, _, rest = module.partition(".")
    folder = rest.split(".")[0]
    named = {f"{package}/", folder, f"course_utils/{folder}.py", f"course_utils/{folder}/"}
    floors = [number for number, row in enumerate(rows) if row & named]
    assert len(floors) == 1, f"CONTRIBUTING.md's table of packages must list {module} once"
    return floors[0]


def test_imports_follow_table_of_packages():
    floors = {module: floor_of(module) for module in IMPORTS}
    down = [
        (module, other)
        for module, others in IMPORTS.items()
        for other in others
        if floors[other] > floors[module]
    ]
    assert not down
    assert set(TopologicalSorter(IMPORTS).static_order()) == IMPORTS.keys()  # no cycles


def test_package_exports_exactly_its_names():
    """A module with the name of a function would replace the function when it is imported."""
    for name in course_utils.__all__:
        assert find_spec(f"course_utils.{name}") is None
        assert name in dir(course_utils) and getattr(course_utils, name).__name__ == name
    with pytest.raises(AttributeError, match="'course_utils' has no attribute 'no_encoding'"):
        _ = course_utils.no_encoding


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_every_public_function_has_correct_example(name):
    module = import_module(f"course_utils.{name}")
    assert doctest.testmod(module).failed == 0
    for key in module.__all__:
        value = getattr(module, key)
        if inspect.isfunction(value):
            assert ">>> " in value.__doc__, f"{key} has no example"
