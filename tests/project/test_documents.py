"""What documents tell people to type: code runs, commands and calls name what there is."""

import ast
import builtins
import inspect
import math
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import answers
import numpy as np
import pytest
from hypothesis import strategies as st
from test_packaging import PROJECT, REPOSITORY

import course_utils
from course_utils import explorers, labs
from course_utils.lessons import verdicts

DOCUMENTS = sorted(
    path.relative_to(REPOSITORY).as_posix()
    for pattern in ("*.md", "classroom/**/*.md")
    for path in REPOSITORY.glob(pattern)
)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
COMMAND = re.compile(r"^(?:sudo )?(?:python|pytest|nbgrader|jupyter|classroom/\S+\.sh)\b.*$", re.M)
KNOWN = {
    name: getattr(module, name)
    for module in (builtins, explorers, labs, verdicts, answers)
    for name in dir(module)
} | {name: getattr(course_utils, name) for name in course_utils.__all__}
MODULES = {"np": np, "math": math, "st": st}
"""What examples have by these names without an import."""
PLACEHOLDERS = {"draw"}
"""Functions of examples that readers write themselves."""


# Commands. ----------------------------------------------------------------------------------------


def command_problems(line: str) -> list[str]:
    """What a command names that is not there: extras, modules, files, options, subcommands."""
    found = [f"extra {each}" for each in extras_in(line) if each not in EXTRAS]
    for command in line.split(" && "):
        words = [word for word in shlex.split(command, comments=True) if word != "sudo"]
        if words[:2] == ["python", "-m"]:
            found += module_problems(words[2], words[3:])
        elif words[0] == "python" and words[1:]:
            found += script_problems(words[1], words[2:])
        elif words[0] == "nbgrader" and words[1:]:
            found += (
                [] if (NBGRADER / f"{words[1].replace('_', '')}app.py").exists() else words[1:2]
            )
        elif words[0].startswith("classroom/"):
            found += script_problems(words[0], words[1:])
    return [f"{line!r} names {each}, which is not there" for each in found]


EXTRAS = PROJECT["optional-dependencies"]
NBGRADER = Path(find_spec("nbgrader").origin).parent / "apps"


def extras_in(line: str) -> list[str]:
    return [each for names in re.findall(r'"\.\[(.+?)\]"', line) for each in names.split(",")]


def module_problems(name: str, arguments: list[str]) -> list[str]:
    spec = find_spec(name)
    if spec is None:
        return [name]
    if name.startswith(("course_utils", "classroom")):
        main = find_spec(f"{name}.__main__") if spec.submodule_search_locations else spec
        return script_problems(main.origin, arguments)
    if name == "pytest":
        return [each for each in arguments if "tests/" in each and not exists(each)]
    return []


def script_problems(name: str, arguments: list[str]) -> list[str]:
    if not exists(name):
        return [name]
    source = (REPOSITORY / name).read_text("utf-8")
    options = [each.split("=")[0] for each in arguments if each.startswith("--")]
    paths = [each for each in arguments if re.match(r"(notebooks|solutions|labs)/", each)]
    return [each for each in options if each not in source] + [
        each for each in paths if not exists(each)
    ]


def exists(name: str) -> bool:
    return (REPOSITORY / name.lstrip("@").split("::")[0]).exists()


# Code. --------------------------------------------------------------------------------------------


def call_problems(tree: ast.AST) -> Iterator[str]:
    """The calls in code whose function is not there or does not take what it is given."""
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        match call.func:
            case ast.Name(id=name) if name not in own | PLACEHOLDERS:
                if name not in KNOWN or not takes(KNOWN[name], call):
                    yield f"{ast.unparse(call)}: the course has no {name} that takes this"
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in MODULES:
                if not hasattr(MODULES[module], name):
                    yield f"{ast.unparse(call)}: {module} has no {name}"


def takes(function: Callable, call: ast.Call) -> bool:
    if function in vars(builtins).values():  # not all of them have a signature
        return True
    try:
        inspect.signature(function).bind(*call.args, **{each.arg: each for each in call.keywords})
    except TypeError:
        return False
    return True


def import_problems(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = import_module(node.module)
            for each in node.names:
                if not hasattr(module, each.name):
                    yield f"{node.module} has no {each.name}"


def as_code(text: str) -> ast.AST | None:
    """Code, or entries of a dictionary; None if the text is neither."""
    for wrapped in (text, f"{{\n{text}\n}}"):
        try:
            return ast.parse(wrapped.replace("…", "..."))
        except SyntaxError:
            continue
    return None


def code_problems(text: str) -> list[str]:
    tree = as_code(text)
    return [] if tree is None else [*import_problems(tree), *call_problems(tree)]


VALUE = re.compile(r"^(\S.*?)  # (.+)$", re.M)


def with_values_asserted(code: str) -> str:
    """A line ``expression  # value`` says what comes out: so it has to."""
    lines = []
    for line in code.splitlines():
        found = VALUE.match(line)
        try:
            expression, value = (ast.parse(each, mode="eval") for each in found.groups())
            ast.literal_eval(value)
        except (AttributeError, SyntaxError, ValueError):
            lines.append(line)
        else:
            shown = ast.unparse(expression)
            lines.append(f"assert {shown} == {ast.unparse(value)}, {shown}")
    return "\n".join(lines)


# Documents. ---------------------------------------------------------------------------------------


def document_problems(text: str, folder: Path) -> list[str]:
    """What in a document is stale: what it tells to type, and what it has in its code."""
    found, script = [], []
    for language, block in BLOCK.findall(text):
        if language == "python":
            script.append(with_values_asserted(block))
        elif language == "toml":
            tomllib.loads(block)
        else:
            commands = COMMAND.findall(block)
            found += [problem for line in commands for problem in command_problems(line)]
            found += [] if commands else code_problems(block)
    if script:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        command = [sys.executable, "-c", "\n".join(script)]
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        found += [run.stderr] if run.returncode else []
    for code in INLINE.findall(BLOCK.sub("", text)):
        if COMMAND.match(code):
            found += command_problems(code)
        elif code.endswith(")"):
            found += code_problems(code)
    return found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_a_document_tells_to_type_is_there(name, tmp_path):
    assert document_problems((REPOSITORY / name).read_text("utf-8"), tmp_path) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('```\npython -m pip install -e ".[nothing]"\n```', "names extra nothing"),
        ("`python tools/execute.py notebooks/none.ipynb`", "names notebooks/none.ipynb"),
        ("`nbgrader gradeall 03_sinusoidal`", "names gradeall"),
        ('`verdict("its-name", usually=…, always=…)`', "no verdict that takes this"),
        ("```\nfrom course_utils.labs import judge\n\njudge(1)\n```", "no judge"),
        ("```python\n1 + 1  # 3\n```", "AssertionError: 2"),
    ],
)
def test_what_is_stale_in_a_document_is_found(text, said, tmp_path):
    (found,) = document_problems(text, tmp_path)[-1:]
    assert said in found
