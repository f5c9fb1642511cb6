"""Tests that the installation instructions in five files are consistent."""

import json
import os
import re
import subprocess
import sys
import time
import tomllib
from collections import Counter
from itertools import product
from pathlib import Path
from unittest.mock import Mock
from zipfile import ZipFile

import pytest
import yaml
from checks.extras import missing, not_tested
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from course_utils.notebook import environment
from course_utils.notebook.display import Shown
from course_utils.text_model import ENCODINGS

REPOSITORY = Path(__file__).resolve().parents[2]
COMMANDS = [
    "python -m pip install -c constraints.txt -e . "
    "&& jupyter lab --notebook-dir=. notebooks/00_start_here.ipynb",
    'python -m pip install -c constraints.txt -e ".[test]" && python -m pytest',
]


def read(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
EXTRAS = sum(PROJECT["optional-dependencies"].values(), [])
PYTHONS = [each.split()[-1] for each in PROJECT["classifiers"] if ":: Python :: 3." in each]
# An extra may include another extra of this package.
DECLARED = [
    each
    for each in map(Requirement, PROJECT["dependencies"] + EXTRAS)
    if each.name != PROJECT["name"]
]


def test_environment_yml_lists_only_python_pip_package():
    content = yaml.safe_load(read("environment.yml"))
    assert content["name"] == PROJECT["name"]
    assert content.keys() == {"name", "channels", "dependencies"}
    python, *rest = content["dependencies"]
    # Binder reads the Python version from a line "python=3.x" and otherwise uses its own default.
    assert python in [f"python={each}" for each in PYTHONS]
    assert rest == ["pip", {"pip": ["-c constraints.txt", "-e ."]}]


def test_dependencies_have_ranges_with_exact_versions():
    lines = [line.split("#")[0].strip() for line in read("constraints.txt").splitlines()]
    pins = [Requirement(line) for line in lines if line]
    assert all(re.fullmatch(r"==[\w.+!]+", str(pin.specifier)) for pin in pins)
    assert not re.search(r"://|\bindex\b|find-links", read("constraints.txt"))
    names = [canonicalize_name(each.name) for each in DECLARED]
    assert len(names) == len({*names})
    for declared, python in product(DECLARED, PYTHONS):
        assert ">=" in str(declared.specifier)
        here = {"python_full_version": f"{python}.1", "python_version": python}
        exact = [
            next(iter(pin.specifier)).version
            for pin in pins
            if canonicalize_name(pin.name) == canonicalize_name(declared.name)
            and (pin.marker is None or pin.marker.evaluate(here))
        ]
        assert len(exact) == 1 and exact[0] in declared.specifier, (declared, python)


def test_readme_languages_have_equal_commands_files_code():
    _, english, spanish = re.split("\n## (?:English|Español)\n", read("README.md"))
    for half in (english, spanish):
        assert re.findall(r"^```\n(.*?)\n```$", half, re.S | re.M) == COMMANDS
    for alike in (r"\]\((?!images/)([^)#]+)\)", r"`([^`\n]+)`"):
        assert re.findall(alike, english) == re.findall(alike, spanish)
    assert not re.search(r"!\[\s*\]\S+", english + spanish)


def test_wheel_holds_package_without_classroom(tmp_path):
    (built,) = WheelBuilder(str(REPOSITORY)).build(directory=str(tmp_path))
    names = {name for name in ZipFile(built).namelist() if ".dist-info/" not in name}
    settings = {name for name in names if ".data/data/share/jupyter/" in name}
    assert len(settings) == 1
    assert {name.split("/")[0] for name in names - settings} == {"course_utils"}
    weights = {f"{each}.{kind}" for each in ENCODINGS for kind in ("json", "bin")}
    weights |= {"held_out.json", "measured.json"}
    assert {f"course_utils/text_model/weights/{each}" for each in weights} <= names


def test_jupyterlab_knows_settings_of_course():
    folder = "share/jupyter/lab/schemas/@jupyterlab"
    changed = json.loads(read("course_utils/notebook/jupyterlab_settings.json"))
    for plugin, values in changed.items():
        extension, name = plugin.removeprefix("@jupyterlab/").split(":")
        schema = json.loads(Path(sys.prefix, folder, extension, f"{name}.json").read_text("utf-8"))
        assert values.keys() <= schema["properties"].keys(), plugin


READMES = [
    path.relative_to(REPOSITORY).as_posix()
    for path in REPOSITORY.glob("[a-z]*/**/README.md")
    if path.parent.parent != REPOSITORY / "classroom"
]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "TEACHING.md"])
def test_files_named_in_documents_exist(name):
    linked = re.findall(r"\]\(([^)#\s]+)\)", read(name))
    rooms = "benchmarks|notebooks|tests|course_utils|classroom|tools"
    typed = re.findall(rf"(?<![\w/])((?:{rooms})/[\w./]+)", read(name))
    named = {each for each in linked + typed if "://" not in each}
    assert [each for each in sorted(named) if not (REPOSITORY / each).exists()] == []


def test_version_agrees_with_changelog_citation():
    cited = yaml.safe_load(read("CITATION.cff"))
    version, date = re.search(r"^## \[(\d\S*)\] - (\S+)$", read("CHANGELOG.md"), re.M).groups()
    assert cited["version"] == PROJECT["version"] == version
    assert str(cited["date-released"]) == date


@pytest.mark.slow  # .ci/run also tests the rest of the command
def test_study_command_opens_lesson_00_near_labs(tmp_path):
    """JupyterLab shows only files in its own folder, which is the lesson's folder by default."""
    arguments = COMMANDS[0].split("jupyter lab ")[1].split()
    folders = {f"JUPYTER_{name}_DIR": str(tmp_path) for name in ("CONFIG", "DATA", "RUNTIME")}
    command = [sys.executable, "-m", "jupyterlab", *arguments, "--no-browser", "--allow-root"]
    environment = os.environ | folders
    server = subprocess.Popen(command, cwd=REPOSITORY, env=environment, stderr=subprocess.DEVNULL)
    lesson = "/lab/tree/notebooks/00_start_here.ipynb"
    try:
        for _ in range(1200):
            time.sleep(0.1)
            # JupyterLab writes its start page twice; the second version leads to the lesson.
            pages = tmp_path.glob("jpserver-*-open.html")
            if leads_to_lesson := any(lesson in page.read_text("utf-8") for page in pages):
                break
        assert leads_to_lesson
        (running,) = tmp_path.glob("jpserver-*.json")
        assert Path(json.loads(running.read_text("utf-8"))["root_dir"]).resolve() == REPOSITORY
    finally:
        server.kill()
        server.wait()


# Without JupyterLab, as in a browser, the package needs only its declared dependencies.

WITHOUT = """
import sys
sys.modules |= dict.fromkeys({modules})
import course_utils, course_utils.notebook.environment
from course_utils.labs import check, progress
from course_utils.notebook.storage import store_language
from course_utils.notebook.switch import remembered_choice

store_language("es")
check("bits-needed", lambda n_positions: max(1, (n_positions - 1).bit_length()))
print(remembered_choice(), progress().html.count('value="1"'))
"""


OF_JUPYTERLAB = """
    bs4 httpx ipykernel jinja2 jsonschema jupyter_client jupyter_core jupyter_server jupyterlab
    nbconvert nbformat notebook_shim psutil requests tornado yaml zmq
""".split()


def test_course_works_without_jupyterlab(tmp_path):
    folders = ("HOME", "USERPROFILE", "IPYTHONDIR", "MPLCONFIGDIR")
    environment = {key: value for key, value in os.environ.items() if "JUPYTER" not in key}
    environment |= dict.fromkeys(folders, str(tmp_path)) | {"PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-c", WITHOUT.format(modules=OF_JUPYTERLAB)]
    run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout.split() == ["es", "1"], run.stderr


def test_lesson_00_names_missing_or_old_packages(monkeypatch):
    other_systems = ("never-made>=1 ; sys_platform == 'emscripten'", "nor>=3 ; extra == 'test'")
    here = ("never-made-either>=2 ; sys_platform != 'emscripten'", "numpy>=2", "pytest>=1000")
    monkeypatch.setattr(environment, "requires", lambda name: [*other_systems, *here])
    missing = environment.missing_packages()
    assert [entry.split(">")[0] for entry in missing] == ["never-made-either", "pytest"]


def test_lesson_00_reports_missing_course(monkeypatch):
    not_found = Mock(side_effect=environment.PackageNotFoundError)
    monkeypatch.setattr(environment, "requires", not_found)
    monkeypatch.setattr(environment, "version", not_found)
    monkeypatch.chdir(REPOSITORY / "notebooks")
    assert environment.DISTRIBUTION in environment.check_installation().plain


def test_lesson_00_reports_two_editions(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")

    def said_beside(project: str) -> Shown:
        (tmp_path / "pyproject.toml").write_text(f"[project]\n{project}\n", encoding="utf-8")
        return environment.check_installation()

    shown = said_beside('name = "positional-encodings-course"\nversion = "9.8.7+gabc"')
    assert "edition 9.8.7+gabc" in shown.plain and "edición 9.8.7+gabc" in shown.html
    for other in ('name = "something-else"\nversion = "9.8.7"', "not TOML ["):
        assert "Nothing is missing" in said_beside(other).plain


def test_supported_pythons_agree_across_files():
    oldest, newest = PYTHONS[0], PYTHONS[-1]
    assert PYTHONS == [f"3.{n}" for n in range(int(oldest[2:]), int(newest[2:]) + 1)]
    assert PROJECT["requires-python"] == f">={oldest}"
    workflow = yaml.safe_load(read(".github/workflows/tests.yml"))
    assert workflow["jobs"]["tests"]["strategy"]["matrix"]["python"] == PYTHONS
    for name in ("README.md", "TEACHING.md"):
        versions = re.findall(r"\b(3\.\d\d) (?:to|a la|a) (3\.\d\d)\b", read(name))
        assert versions == 2 * [(oldest, newest)], name


def test_skipped_tests_are_summarised_with_command():
    reasons = {missing("PyTorch", "torch"): 26, missing("psycopg", "hub"): 1, "no Node": 3}
    assert not_tested(Counter(reasons)) == (
        "Not tested: what needs PyTorch (26 cases); 3 cases, since no Node; what needs psycopg (1 "
        'case). To test that too: python -m pip install -c constraints.txt -e ".[hub,torch]" '
        "&& python -m pytest"
    )


def test_contributing_has_at_most_1200_words():
    assert len(read("CONTRIBUTING.md").split()) <= 1_200, "move the rest into a package's README"


@pytest.mark.parametrize("name", READMES)
def test_package_readme_begins_with_numbered_steps(name):
    """At most two headings and one paragraph may precede the first step."""
    before = read(name).partition("\n1. ")[0]
    assert len(before.split("\n\n")) <= 4, f"{name} must begin with the steps of a change"
