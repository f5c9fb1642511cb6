"""Tests that the code and commands in documents work."""

import builtins
import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import answers
import pytest
from test_packaging import PROJECT, REPOSITORY

import course_utils
from course_utils import configurations, explorers, labs
from course_utils.lessons import verdicts
from course_utils.words import cells

DOCUMENTS = sorted(
    path.relative_to(REPOSITORY).as_posix()
    for pattern in ("*.md", "[a-z]*/**/*.md")
    for path in REPOSITORY.glob(pattern)
)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
COMMAND = re.compile(r"^(?:sudo )?(?:python|pytest|nbgrader|jupyter|classroom/\S+\.sh)\b.*$", re.M)
CODE = (".py", ".js")
CALLED = re.compile(r"\b(\w+)\(")
CALL = re.compile(r"(?<![\w.])(\w+)\(")
PATH = re.compile("@?(?:classroom|labs|notebooks|solutions|tests|tools|web)/")
KNOWN = {*course_utils.__all__, *explorers.__all__, "draw", "jslink"}.union(
    *map(dir, (answers, builtins, cells, configurations, explorers, labs, verdicts))
)
"""Names that documents use without importing them."""
EXTRAS = PROJECT["optional-dependencies"]
NBGRADER = Path(find_spec("nbgrader").origin).parent / "apps"


def command_problems(line: str) -> list[str]:
    """Return the extras, modules, files and options in a command that do not exist."""
    extras = ",".join(re.findall(r'"\.\[(.+?)\]"', line))
    found = [f"extra {each}" for each in re.findall(r"[^,]+", extras) if each not in EXTRAS]
    for command in line.split(" && "):
        words = [word for word in shlex.split(command, comments=True) if word != "sudo"]
        found += [word for word in words if PATH.match(word) and not exists(word)]
        match words:
            case ["python", "-m", name, *arguments]:
                found += module_problems(name, arguments)
            case ["nbgrader", name, *_]:
                app = NBGRADER / f"{name.replace('_', '')}app.py"
                found += [] if app.exists() else [name]
            case ["python", script, *arguments] | [script, *arguments] if PATH.match(script):
                found += option_problems(REPOSITORY / script, arguments)
    return [f"{line!r} names {each}, which is not there" for each in found]


def exists(name: str) -> bool:
    return (REPOSITORY / name.lstrip("@").split("::")[0]).exists()


def module_problems(name: str, arguments: list[str]) -> list[str]:
    if name == "pip":
        # find_spec("pip") would disable the distutils of setuptools, which nbgrader needs.
        return []
    spec = find_spec(name)
    if spec is None:
        return [name]
    if not name.startswith(("course_utils", "classroom")):
        return []
    main = find_spec(f"{name}.__main__") if spec.submodule_search_locations else spec
    return option_problems(Path(main.origin), arguments)


def option_problems(script: Path, arguments: list[str]) -> list[str]:
    source = script.read_text("utf-8") if script.exists() else ""
    options = [each.split("=")[0] for each in arguments if each.startswith("--")]
    return [each for each in options if each not in source]


@cache
def called_in(folder: Path) -> set[str]:
    """Return the names that a package defines or calls."""
    if folder == REPOSITORY:
        return set()
    sources = (path.read_text("utf-8") for path in folder.rglob("*.*") if path.suffix in CODE)
    return {name for source in sources for name in CALLED.findall(source)}


def call_problems(code: str, folder: Path) -> list[str]:
    known_names = KNOWN | called_in(folder) | {*re.findall(r"\b(?:def|class) (\w+)", code)}
    return [f"the course has no {name}" for name in CALL.findall(code) if name not in known_names]


VALUE = re.compile(r"^(\S.*?)  # (.+)$", re.M)
"""Pattern of lines such as ``expression  # value``, whose value is checked."""


def document_problems(text: str, folder: Path, package: Path = REPOSITORY) -> list[str]:
    """Return outdated commands and code in a document."""
    found, script = [], []
    for language, block in BLOCK.findall(text):
        if language == "python":
            script.append(VALUE.sub(r"assert \1 == \2, \1", block))
        elif language == "toml":
            tomllib.loads(block)
        else:
            commands = COMMAND.findall(block)
            found += [problem for line in commands for problem in command_problems(line)]
            found += [] if commands else call_problems(block, package)
    if script:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        command = [sys.executable, "-c", "\n".join(script)]
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        found += [run.stderr] if run.returncode else []
    for code in INLINE.findall(BLOCK.sub("", text)):
        if COMMAND.match(code):
            found += command_problems(code)
        elif code.endswith(")"):
            found += call_problems(code, package)
    return found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_in_documents_exist(name, tmp_path):
    path = REPOSITORY / name
    assert document_problems(path.read_text("utf-8"), tmp_path, path.parent) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('```\npython -m pip install -e ".[nothing]"\n```', "names extra nothing"),
        ("`python tools/execute.py notebooks/none.ipynb`", "names notebooks/none.ipynb"),
        ("`nbgrader gradeall 03_sinusoidal`", "names gradeall"),
        ("```\nfrom course_utils.labs import judge\n\njudge(1)\n```", "no judge"),
        ("```python\n1 + 1  # 3\n```", "AssertionError: 2"),
    ],
)
def test_outdated_command_in_document_is_found(text, problem, tmp_path):
    (found,) = document_problems(text, tmp_path)[-1:]
    assert problem in found
