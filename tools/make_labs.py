"""Generate labs/ from solutions/, as nbgrader does for a class.

    python tools/make_labs.py            into labs/
    python tools/make_labs.py FOLDER     into FOLDER

It needs the extra `teach`. The gradebook is not changed.
"""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import PyFileConfigLoader

REPOSITORY = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=REPOSITORY / "labs")
    folder = parser.parse_args().folder.resolve()
    config = PyFileConfigLoader("nbgrader_config.py", path=str(REPOSITORY)).load_config()
    config.CourseDirectory.root = str(REPOSITORY)
    config.CourseDirectory.release_directory = str(folder)
    config.SaveCells.enabled = False
    for lab in sorted(path.name for path in (REPOSITORY / "solutions").iterdir() if path.is_dir()):
        GenerateAssignment(
            coursedir=CourseDirectory(config=config, assignment_id=lab),
            config=config,
            no_database=True,
            force=True,
            log=logging.getLogger("nbgrader"),
        ).start()
        print(folder / lab)
    return 0


if __name__ == "__main__":
    sys.exit(main())
