"""What documents tell people to type: code runs, commands and calls name what there is."""

import builtins
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import answers
import pytest
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
CALL = re.compile(r"(?<![\w.])(\w+)\(")
KNOWN = {*course_utils.__all__, "draw"}.union(
    *map(dir, (builtins, explorers, labs, verdicts, answers))
)
"""What examples call without an import; ``draw`` is a reader's own."""
EXTRAS = PROJECT["optional-dependencies"]
NBGRADER = Path(find_spec("nbgrader").origin).parent / "apps"


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


def call_problems(code: str) -> list[str]:
    there = KNOWN.union(re.findall(r"\b(?:def|class) (\w+)", code))
    return [f"the course has no {name}" for name in CALL.findall(code) if name not in there]


VALUE = re.compile(r"^(\S.*?)  # (.+)$", re.M)
"""A line ``expression  # value`` says what comes out: so it has to."""


def document_problems(text: str, folder: Path) -> list[str]:
    """What in a document is stale: what it tells to type, and what it has in its code."""
    found, script = [], []
    for language, block in BLOCK.findall(text):
        if language == "python":
            script.append(VALUE.sub(r"assert \1 == \2, \1", block))
        elif language == "toml":
            tomllib.loads(block)
        else:
            commands = COMMAND.findall(block)
            found += [problem for line in commands for problem in command_problems(line)]
            found += [] if commands else call_problems(block)
    if script:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        command = [sys.executable, "-c", "\n".join(script)]
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        found += [run.stderr] if run.returncode else []
    for code in INLINE.findall(BLOCK.sub("", text)):
        if COMMAND.match(code):
            found += command_problems(code)
        elif code.endswith(")"):
            found += call_problems(code)
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
        ("```\nfrom course_utils.labs import judge\n\njudge(1)\n```", "no judge"),
        ("```python\n1 + 1  # 3\n```", "AssertionError: 2"),
    ],
)
def test_what_is_stale_in_a_document_is_found(text, said, tmp_path):
    (found,) = document_problems(text, tmp_path)[-1:]
    assert said in found
