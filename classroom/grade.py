"""Collect and grade a lab, return the feedback, and summarise the class.

``course-grade 03_sinusoidal``

Several processes share the submissions, a few students at a time, and a sandboxed kernel runs each.
Graded submissions are skipped unless a newer one was submitted.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from .overview import write
from .submissions import Folders

CLASS = Path(os.environ["COURSE_DATA"], "class")


def api() -> Any:
    """Return an nbgrader with the configuration of the class; its import takes a second."""
    from nbgrader.apps import NbGrader, NbGraderAPI

    app = NbGrader()
    app.load_config_file()
    return NbGraderAPI(config=app.config)


def own_runtime_folder() -> None:
    """Separate the kernels' sockets by process, in a folder with a short path."""
    os.environ["JUPYTER_RUNTIME_DIR"] = tempfile.mkdtemp(dir=os.environ["COURSE_SOCKETS"])


def grade(lab: str, student: str, again: bool) -> dict[str, object]:
    """Grade one student, write the feedback page, and return nbgrader's result."""
    result = api().autograde(lab, student, force=again)
    return result if not result["success"] else api().generate_feedback(lab, student, force=True)


def grade_all(lab: str, students: list[str], jobs: int, again: bool) -> list[str]:
    """Grade these students and return those for whom it failed, for any reason."""
    failed = []
    chunk = max(1, min(10, len(students) // (2 * jobs)))
    with ProcessPoolExecutor(jobs, get_context("spawn"), own_runtime_folder) as pool:
        results = pool.map(partial(grade, lab, again=again), students, chunksize=chunk)
        for student, result in zip(students, results, strict=True):
            if not result["success"]:
                failed.append(student)
                print(student, result.get("error") or result.get("log"), file=sys.stderr)
    return failed


def done(what: str, result: dict[str, object]) -> None:
    if not result["success"]:
        sys.exit(f"The lab was not {what}: {result.get('error') or result.get('log')}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lab")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--part", default="0/1", help="2/8 only grades the third of eight parts")
    parser.add_argument("--again", action="store_true", help="also grade again")
    arguments = parser.parse_args()
    os.chdir(CLASS)
    nbgrader = api()
    part, parts = map(int, arguments.part.split("/"))
    if parts == 1:
        done("collected", nbgrader.collect(arguments.lab, update=True))
    students = sorted(path.parent.name for path in CLASS.glob(f"submitted/*/{arguments.lab}"))[
        part::parts
    ]
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="g") as sockets:
        os.environ["COURSE_SOCKETS"] = sockets
        failed = grade_all(arguments.lab, students, arguments.jobs, arguments.again)
        if failed:  # retry: a database may have been unavailable for a moment
            failed = grade_all(arguments.lab, failed, arguments.jobs, arguments.again)
    if parts == 1:
        done("given back", nbgrader.release_feedback(arguments.lab))
        subprocess.run(["nbgrader", "export"], check=True)
        folders = Folders.configured()
        for projector in (False, True):
            write([arguments.lab], folders, projector, Path("overview"))
    print(f"{len(students) - len(failed)} of {len(students)} graded.")
    if failed:
        print("Look at these by hand:", *failed)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
