"""What is said about installing the course, in five files, fits together."""

import json
import os
import re
import subprocess
import sys
import time
import tomllib
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from course_utils.notebook import environment

REPOSITORY = Path(__file__).resolve().parent.parent
COMMANDS = [
    "python -m pip install -c constraints.txt -e . "
    "&& jupyter lab --notebook-dir=. notebooks/00_start_here.ipynb",
    'python -m pip install -c constraints.txt -e ".[test]" && python -m pytest',
]
HALVES = ("## English", "## Español")


def read(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


# What is checked. Each function takes the text of a file and returns what is wrong with it.


def environment_problems(environment: str, pyproject: str) -> list[str]:
    """What environment.yml says beyond: Python, pip, and the package that lies beside it."""
    project = tomllib.loads(pyproject)["project"]
    content = yaml.safe_load(environment)
    problems = []
    if content["name"] != project["name"]:
        problems.append(f"named {content['name']!r}, not {project['name']!r}")
    if extra := set(content) - {"name", "channels", "dependencies"}:
        problems.append(f"also says {sorted(extra)}")
    # Binder takes the Python from a line "python=3.x"; any other spelling gets its own default.
    python = re.fullmatch(r"python=(3\.\d+)", str(content["dependencies"][0]))
    if python is None:
        problems.append(f"no Python in {content['dependencies'][0]!r}")
    elif f"Programming Language :: Python :: {python[1]}" not in project["classifiers"]:
        problems.append(f"Python {python[1]} is not in pyproject.toml")
    if content["dependencies"][1:] != ["pip", {"pip": ["-c constraints.txt", "-e ."]}]:
        problems.append(f"more or less than this package: {content['dependencies'][1:]}")
    return problems


def pins(constraints: str) -> list[Requirement]:
    lines = (line.split("#")[0].strip() for line in constraints.splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("-")]


def constraints_problems(constraints: str, pyproject: str) -> list[str]:
    """Dependencies without an exact version, versions outside the ranges, names of an index."""
    problems = [
        f"not an exact version: {pin}"
        for pin in pins(constraints)
        if not re.fullmatch(r"==[\w.+!]+", str(pin.specifier))
    ]
    problems += [
        f"names a place: {line!r}"
        for line in constraints.splitlines()
        if re.search(r"://|\bindex\b|find-links|^\s*-", line)
    ]
    exact = {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pins(constraints)
        if pin.marker is None
    }
    for requirement in declared(pyproject):
        version = exact.get(canonicalize_name(requirement.name))
        if version is None:
            problems.append(f"{requirement.name} has no exact version for every system")
        elif version not in requirement.specifier:
            problems.append(f"{requirement.name} {version} is outside {requirement.specifier}")
    return problems


def declared(pyproject: str) -> list[Requirement]:
    project = tomllib.loads(pyproject)["project"]
    extras = project.get("optional-dependencies", {}).values()
    needed = [Requirement(line) for line in sum(extras, project["dependencies"])]
    # An extra may name another of this package's own.
    return [requirement for requirement in needed if requirement.name != project["name"]]


def pyproject_problems(pyproject: str) -> list[str]:
    """Dependencies said twice or without a lower end, Pythons that differ."""
    project = tomllib.loads(pyproject)["project"]
    names = [canonicalize_name(requirement.name) for requirement in declared(pyproject)]
    problems = [f"{name} twice" for name in sorted({n for n in names if names.count(n) > 1})]
    problems += [
        f"{requirement.name} has no lower end"
        for requirement in declared(pyproject)
        if not any(part.operator == ">=" for part in requirement.specifier)
    ]
    listed = [c for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)]
    refused = [
        entry
        for entry in listed
        if entry.split()[-1] not in SpecifierSet(project["requires-python"])
    ]
    problems += [f"requires-python refuses {entry!r}" for entry in refused]
    return problems


def readme_problems(readme: str) -> list[str]:
    """Halves that are missing or differ in what they link to and tell to type."""
    if not all(f"\n{half}\n" in readme for half in HALVES):
        return [f"no heading {half!r}" for half in HALVES if f"\n{half}\n" not in readme]
    english, spanish = readme.split(f"\n{HALVES[0]}\n")[1].split(f"\n{HALVES[1]}\n")
    problems = []
    for name, half in (("English", english), ("Spanish", spanish)):
        blocks = re.findall(r"^```\n(.*?)\n```$", half, re.DOTALL | re.MULTILINE)
        if blocks != COMMANDS:
            problems.append(f"the commands of the {name} half are {blocks}")
    files = [re.findall(r"\]\(([^)#]+)\)", half) for half in (english, spanish)]
    without_pictures = [[f for f in half if not f.startswith("images/")] for half in files]
    if without_pictures[0] != without_pictures[1]:
        problems.append("the halves link to different files")
    spans = [re.findall(r"`([^`\n]+)`", half) for half in (english, spanish)]
    if spans[0] != spans[1]:
        problems.append(f"the halves differ in code: {set(spans[0]) ^ set(spans[1])}")
    problems += [f"empty alternative text: {match}" for match in re.findall(r"!\[\s*\]\S+", readme)]
    return problems + missing_files(readme)


def citation_problems(citation: str, pyproject: str, changelog: str) -> list[str]:
    """A version or a date that is not that of the newest entry in CHANGELOG.md."""
    cited = yaml.safe_load(citation)
    newest = re.search(r"^## (\S+) \((\S+)\)$", changelog, re.MULTILINE)
    said = [tomllib.loads(pyproject)["project"]["version"], newest[1]]
    problems = [
        f"{version}, not {cited['version']}" for version in said if version != cited["version"]
    ]
    return problems + [f"not {newest[2]}"] * (str(cited["date-released"]) != newest[2])


def missing_files(text: str) -> list[str]:
    linked = re.findall(r"\]\(([^)#\s]+)\)", text)
    typed = re.findall(
        r"(?<![\w/])((?:benchmarks|notebooks|tests|course_utils|tools)/[\w./]+)", text
    )
    names = {name for name in linked + typed if "://" not in name}
    return [f"no file {name}" for name in sorted(names) if not (REPOSITORY / name).exists()]


# That the files are right.


PYPROJECT = read("pyproject.toml")
CHECKS = {
    "environment.yml": lambda text: environment_problems(text, PYPROJECT),
    "constraints.txt": lambda text: constraints_problems(text, PYPROJECT),
    "pyproject.toml": pyproject_problems,
    "README.md": readme_problems,
    "CONTRIBUTING.md": missing_files,
    "TEACHING.md": missing_files,
    "CITATION.cff": lambda text: citation_problems(text, PYPROJECT, read("CHANGELOG.md")),
}


@pytest.mark.parametrize("name", CHECKS)
def test_the_file_says_what_the_others_say(name):
    assert CHECKS[name](read(name)) == []


def test_the_study_command_opens_lesson_00_with_the_labs_in_reach(tmp_path):
    """JupyterLab shows no file outside its own folder, which is by default the lesson's."""
    arguments = COMMANDS[0].split("jupyter lab ")[1].split()
    folders = {f"JUPYTER_{name}_DIR": str(tmp_path) for name in ("CONFIG", "DATA", "RUNTIME")}
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *arguments, "--no-browser", "--allow-root"],
        cwd=REPOSITORY,
        env={**os.environ, **folders},
        stderr=subprocess.DEVNULL,
    )
    lesson = "/lab/tree/notebooks/00_start_here.ipynb"
    try:
        for _ in range(300):
            time.sleep(0.1)
            # The page that leads to JupyterLab is written twice, the second time to the lesson.
            pages = tmp_path.glob("jpserver-*-open.html")
            if leads_to_lesson := any(lesson in page.read_text("utf-8") for page in pages):
                break
        assert leads_to_lesson
        (running,) = tmp_path.glob("jpserver-*.json")
        assert Path(json.loads(running.read_text("utf-8"))["root_dir"]).resolve() == REPOSITORY
    finally:
        server.kill()
        server.wait()


# That the package needs no more than it says where JupyterLab is missing, as in a browser.

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in {modules!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)

sys.meta_path.insert(0, Missing())
import course_utils, course_utils.notebook.environment
from course_utils.labs import check, progress
from course_utils.notebook.storage import store_language
from course_utils.notebook.switch import remembered_choice

store_language("es")
check("bits-needed", lambda n_positions: max(1, (n_positions - 1).bit_length()))
print(remembered_choice(), progress().html.count('value="1"'))
"""


def brought_by(names: set[str]) -> set[str]:
    """The installed distributions that come with these, and themselves."""
    found, new = set(), {canonicalize_name(name) for name in names}
    while new:
        found |= new
        lines = {line for name in new for line in distribution(name).requires or ()}
        needed = [Requirement(line) for line in lines]
        new = {
            canonicalize_name(entry.name)
            for entry in needed
            if entry.marker is None or entry.marker.evaluate()
        } - found
    return found


def test_without_jupyterlab_everything_imports_and_remembers(tmp_path):
    project = tomllib.loads(read("pyproject.toml"))["project"]
    needed = [Requirement(line) for line in project["dependencies"]]
    in_the_browser = {"sys_platform": "emscripten"}
    there = brought_by(
        {
            entry.name
            for entry in needed
            if not entry.marker or entry.marker.evaluate(in_the_browser)
        }
    )
    gone = brought_by({entry.name for entry in needed}) - there
    assert {"jupyterlab", "jupyter-core", "ipykernel"} <= gone
    modules = {
        module
        for module, names in packages_distributions().items()
        if {canonicalize_name(name) for name in names} <= gone
    }
    folders = ("HOME", "USERPROFILE", "IPYTHONDIR", "MPLCONFIGDIR")
    environment = {key: value for key, value in os.environ.items() if "JUPYTER" not in key}
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(modules=modules)],
        env=environment | dict.fromkeys(folders, str(tmp_path)) | {"PYTHONPATH": str(REPOSITORY)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.stdout.split() == ["es", "1"], run.stderr


def test_a_package_for_another_system_is_not_missing(monkeypatch):
    declared = [
        "never-made>=1 ; sys_platform == 'emscripten'",
        "never-made-either>=2 ; sys_platform != 'emscripten'",
        "nor-this>=3 ; extra == 'test'",
    ]
    monkeypatch.setattr(environment, "requires", lambda name: declared)
    missing = environment.missing_packages()
    assert [entry.split(">")[0] for entry in missing] == ["never-made-either"]


def test_lesson_00_says_that_the_course_itself_is_missing(monkeypatch):
    def not_found(name: str) -> None:
        raise environment.PackageNotFoundError(name)

    for asked in ("requires", "version"):
        monkeypatch.setattr(environment, asked, not_found)
    monkeypatch.chdir(REPOSITORY / "notebooks")
    assert environment.DISTRIBUTION in environment.check_installation().plain


@pytest.mark.parametrize(
    ("project", "said"),
    [
        ('name = "positional-encodings-course"\nversion = "9.8.7+gabc"', "edition 9.8.7+gabc"),
        ('name = "something-else"\nversion = "9.8.7"', "Nothing is missing"),
        ("not TOML [", "Nothing is missing"),
        (None, "Nothing is missing"),
    ],
)
def test_lesson_00_says_when_lessons_and_package_are_two_editions(
    project, said, tmp_path, monkeypatch
):
    (tmp_path / "notebooks").mkdir()
    if project is not None:
        (tmp_path / "pyproject.toml").write_text(f"[project]\n{project}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "notebooks")
    shown = environment.check_installation()
    assert said in shown.plain
    assert ("edición 9.8.7+gabc" in shown.html) == said.startswith("edition")
