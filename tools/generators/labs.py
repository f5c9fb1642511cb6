"""Generator for the labs, which nbgrader creates from the solutions.

The generator needs the extra ``teach``. It does not change the gradebook.
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from private_jupyter import REPOSITORY
from traitlets.config import PyFileConfigLoader

LABS = REPOSITORY / "labs"


def files() -> dict[Path, str]:
    """Return the lab notebooks, which contain neither answers nor hidden tests."""
    with tempfile.TemporaryDirectory() as scratch:
        config = PyFileConfigLoader("nbgrader_config.py", path=str(REPOSITORY)).load_config()
        config.CourseDirectory.root = str(REPOSITORY)
        config.CourseDirectory.release_directory = scratch
        config.SaveCells.enabled = False
        solutions = sorted(path for path in (REPOSITORY / "solutions").iterdir() if path.is_dir())
        for folder in solutions:
            GenerateAssignment(
                coursedir=CourseDirectory(config=config, assignment_id=folder.name),
                config=config,
                no_database=True,
                force=True,
                log=logging.getLogger("nbgrader"),
            ).start()
        released_paths = sorted(Path(scratch).rglob("*.ipynb"))
        return {
            LABS / path.relative_to(scratch): path.read_text("utf-8") for path in released_paths
        }


def stored_files() -> list[Path]:
    """Return the stored labs, including labs whose solutions no longer exist."""
    return sorted(LABS.glob("*/*.ipynb"))
