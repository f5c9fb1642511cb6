"""Configuration of pytest for notebooks: separate settings, and a comparison of pictures.

nbval compares all texts that cells print, but not pictures. Here, each stored picture is compared
with the picture that the cell draws now.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell, IPyNbFile

REPOSITORY = Path(__file__).resolve().parent

# Each core already runs a process, so additional threads would only compete with it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# No test may depend on the speed of the machine.
settings.register_profile("course", deadline=None)
settings.load_profile("course")

LONGEST = ("test_hub.py", "test_grading.py", "test_other_processors.py", "test_lite.py")
"""Test files that are run first, because they take longest and other tests run in the meantime."""

compare_texts = IPyNbCell.compare_outputs
start_kernel = IPyNbFile.setup


def compare_texts_and_pictures(cell: IPyNbCell, test: list, ref: list, **options: object) -> bool:
    """Return True if nbval's comparison succeeds and the pictures equal the stored ones."""
    # pytest adds tests/ to the path only after it has loaded this file.
    from checks.pictures import picture_problems

    same_texts = compare_texts(cell, test, ref, **options)
    problems = picture_problems(stored=ref, computed=test)
    cell.comparison_traceback.extend(problems)
    return same_texts and not problems


def start_kernel_with_nothing_solved(notebook: IPyNbFile) -> None:
    """Give each notebook its own data folder, so that it shows no exercises solved elsewhere."""
    os.environ["JUPYTER_DATA_DIR"] = tempfile.mkdtemp(dir=Path(os.environ["IPYTHONDIR"]).parent)
    start_kernel(notebook)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let .ci/run list the tests that README's command skips, to run them with all extras."""
    parser.addoption(
        "--skipped-to", metavar="FILE", help="write the names of skipped tests, one per line"
    )


def pytest_xdist_auto_num_workers() -> int:
    """Return one more than the number of cores, as tests often wait for a browser or a kernel."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give kernels and tests separate settings, so that personal settings are not touched."""
    from private_jupyter import leave_personal_settings

    config.option.nbval_sanitize_with = str(REPOSITORY / "tests" / "nbval_sanitize.cfg")
    folder = Path(tempfile.mkdtemp(prefix="course-settings-"))
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    leave_personal_settings(folder)
    IPyNbCell.compare_outputs = compare_texts_and_pictures
    IPyNbFile.setup = start_kernel_with_nothing_solved


@cache
def needs_torch(path: Path) -> bool:
    """Return True for a notebook that uses PyTorch."""
    return path.suffix == ".ipynb" and "require_torch" in path.read_text("utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest.

    Tests that need a missing optional package are skipped.
    """
    items.sort(key=lambda item: item.path.name not in LONGEST)
    if find_spec("torch") is not None:
        return
    from checks.extras import missing

    reason = missing("PyTorch", "torch")
    for item in items:
        if needs_torch(item.path):
            item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Summarise the skipped tests in one line, and store their names for another run."""
    from checks.extras import not_tested

    skipped = terminalreporter.stats.get("skipped", [])
    if not skipped:
        return
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    terminalreporter.write_line(not_tested(reasons))
    if names := config.getoption("skipped_to"):
        Path(names).write_text("".join(f"{report.nodeid}\n" for report in skipped), "utf-8")
