"""What pytest needs to run the notebooks: settings of its own, and an eye for pictures.

nbval compares all that cells print, but no pictures; here each stored picture is compared with
the one that the cell makes now.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell, IPyNbFile

REPOSITORY = Path(__file__).resolve().parent

# Each core has a process already: more threads would only take turns.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# No test depends on how fast the machine is.
settings.register_profile("course", deadline=None)
settings.load_profile("course")

compare_texts = IPyNbCell.compare_outputs
start_kernel = IPyNbFile.setup


def compare_texts_and_pictures(cell: IPyNbCell, test: list, ref: list, **options: object) -> bool:
    """What nbval asks of each cell, and whether its pictures are the stored ones."""
    # tests/ is on the path only once pytest has read its settings, later than this file.
    from checks.pictures import picture_problems

    same_texts = compare_texts(cell, test, ref, **options)
    problems = picture_problems(stored=ref, computed=test)
    cell.comparison_traceback.extend(problems)
    return same_texts and not problems


def start_kernel_with_nothing_solved(notebook: IPyNbFile) -> None:
    """Give each notebook a data folder of its own: one shows the exercises that others solve."""
    os.environ["JUPYTER_DATA_DIR"] = tempfile.mkdtemp(dir=Path(os.environ["IPYTHONDIR"]).parent)
    start_kernel(notebook)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let .ci/run find out what README's command skips, to run it when all is installed."""
    parser.addoption(
        "--skipped-to", metavar="FILE", help="write the names of what was skipped, a line for each"
    )


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: half of its time a test waits for a browser or a kernel."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give kernels and tests settings of their own: a person's are neither read nor changed."""
    from private_jupyter import leave_personal_settings

    config.option.nbval_sanitize_with = str(REPOSITORY / "tests" / "nbval_sanitize.cfg")
    folder = Path(tempfile.mkdtemp(prefix="course-settings-"))
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    leave_personal_settings(folder)
    IPyNbCell.compare_outputs = compare_texts_and_pictures
    IPyNbFile.setup = start_kernel_with_nothing_solved


NEEDS_TORCH = "07_pytorch_appendix.ipynb"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the classes on a server, which take as long as all other slow tests together.

    What needs a package that a reader may do without is left out.
    """
    items.sort(key=lambda item: item.path.name != "test_hub.py")
    if find_spec("torch") is not None:
        return
    from checks.extras import missing

    reason = missing("PyTorch", "torch")
    for item in items:
        if item.path.name == NEEDS_TORCH:
            item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say in one line what was not tested, and keep the names of it for another run."""
    from checks.extras import not_tested

    skipped = terminalreporter.stats.get("skipped", [])
    if not skipped:
        return
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    terminalreporter.write_line(not_tested(reasons))
    if names := config.getoption("skipped_to"):
        Path(names).write_text("".join(f"{report.nodeid}\n" for report in skipped), "utf-8")
