"""What the tests need comes with the extra ``test``; what is skipped all the same is said."""

import ast
import sys
from collections import Counter
from importlib.metadata import packages_distributions

import pytest
from checks.extras import missing, not_tested
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from test_packaging import NEEDED, PROJECT, REPOSITORY, brought_by

IMPORTED_BY_TESTS = (
    "conftest.py",
    "tests/**/*.py",
    "tools/*.py",
    "web/*.py",
    "course_utils/**/*.py",
    "classroom/*.py",
)


def named_in(extra: str) -> list[str]:
    """The packages of an extra, and of those that it names."""
    lines = [Requirement(line) for line in PROJECT["optional-dependencies"][extra]]
    others = [name for line in lines for other in line.extras for name in named_in(other)]
    own = [line.name for line in lines if line.name != PROJECT["name"]]
    return own + [name for name in others if name != PROJECT["name"]]


def imported(source: str) -> set[str]:
    """The packages that a module cannot do without: not those in functions or after ``try``."""
    names = set()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import):
            names |= {each.name for each in statement.names}
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            names.add(statement.module)
    return {name.split(".")[0] for name in names} - sys.stdlib_module_names


def test_whatever_a_test_imports_comes_with_the_extra_test():
    comes = brought_by([each.name for each in NEEDED] + named_in("test"))
    homes = packages_distributions()
    lacking = set()
    for path in (path for each in IMPORTED_BY_TESTS for path in REPOSITORY.glob(each)):
        for package in imported(path.read_text("utf-8")) & homes.keys():
            if not {canonicalize_name(name) for name in homes[package]} & comes:
                lacking.add(f"{path.relative_to(REPOSITORY)} imports {package}")
    assert sorted(lacking) == []


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        (
            {missing("PyTorch", "torch"): 26, missing("psycopg", "hub"): 1},
            "Not tested: what needs PyTorch (26 cases); what needs psycopg (1 case). To test that "
            'too: python -m pip install -c constraints.txt -e ".[hub,torch]" && python -m pytest',
        ),
        ({"Node is missing: install nodejs": 3}, "Not tested: 3 cases, since Node is missing"),
    ],
)
def test_what_was_not_tested_is_said_in_one_line_with_the_command_that_tests_it(reasons, said):
    line = not_tested(Counter(reasons))
    assert line.startswith(said) and "\n" not in line
