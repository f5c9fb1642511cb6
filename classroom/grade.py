"""Collect and grade a lab on a hub, distribute the feedback, and summarise the class.

``course-grade 03_sinusoidal``

Several processes grade submissions in parallel, each in a sandboxed kernel. Submissions that have
already been graded are skipped unless they have changed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import nbformat

from .cleaning import UnreadableError, cleaned, parsed
from .overview import write
from .submissions import Folders, failures_in, read_notebook

SHORT = "/tmp" if os.path.isdir("/tmp") else None
"""Folder for sockets, whose paths are limited to about a hundred characters."""


def api() -> Any:
    """Return nbgrader's API with the configuration of the class.

    The import is inside the function because it takes a second.
    """
    from nbgrader.apps import NbGrader, NbGraderAPI

    app = NbGrader()
    app.load_config_file()
    app.log.setLevel(logging.CRITICAL)  # The results contain the logged messages.
    return NbGraderAPI(config=app.config)


def own_runtime_folder(sockets: str) -> None:
    """Use a separate folder with a short path for the sockets of kernels.

    The kernels' own messages go to the log.
    """
    log = os.open("grading.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for stream in (1, 2):
        os.dup2(log, stream)
    warnings.simplefilter("ignore")  # nbconvert warns about widgets, which the page replaces.
    os.environ["JUPYTER_RUNTIME_DIR"] = tempfile.mkdtemp(dir=sockets)


def make_valid(lab: str, student: str, folders: Folders) -> None:
    """Clean a submission that nbformat would reject, such as a file sent by email."""
    path = folders.submitted / student / lab / f"{lab}.ipynb"
    try:
        nbformat.validate(nbformat.read(path, as_version=4))
    except Exception:  # nbformat raises many kinds of errors.
        released = read_notebook(folders.labs / lab / f"{lab}.ipynb")
        with contextlib.suppress(UnreadableError, OSError):
            notebook = cleaned(parsed(path.read_bytes()), released or {"cells": []})
            path.write_text(nbformat.writes(notebook), encoding="utf-8")


def grade(lab: str, student: str, again: bool) -> dict[str, object]:
    """Grade one submission, write the feedback page, and return nbgrader's result."""
    make_valid(lab, student, Folders.configured())
    grader = api()
    result = grader.autograde(lab, student, force=again)
    page = grader.generate_feedback(lab, student, force=True) if result["success"] else {}
    log = "\n".join(str(each.get("log", "")) for each in (result, page))
    return result | page | {"log": log}


def reason_of(result: dict[str, object]) -> str:
    """Return the reason for a failure, or an empty string if there was none."""
    if result["success"]:
        return ""
    log = f"{result.get('error')}{result.get('log')}"
    dead = ("DeadKernelError", "Kernel died", "UnresponsiveKernelError")
    return "kernel" if any(each in log for each in dead) else "error"


def grade_all(lab: str, students: list[str], jobs: int, again: bool) -> dict[str, str]:
    """Grade the submissions of these students, and return the reasons for failures.

    Failed submissions get a second attempt, because a busy machine or database can cause failures.
    nbgrader's messages are appended to the file ``grading.log``.
    """
    reasons, pending = {}, students
    chunk = max(1, min(10, len(students) // (2 * jobs)))
    with (
        tempfile.TemporaryDirectory(prefix="g", dir=SHORT) as sockets,
        ProcessPoolExecutor(jobs, get_context("spawn"), own_runtime_folder, (sockets,)) as pool,
        open("grading.log", "a", encoding="utf-8") as log,
    ):
        for _ in range(2):
            results = pool.map(partial(grade, lab, again=again), pending, chunksize=chunk)
            for student, result in zip(pending, results, strict=True):
                log.write(f"{student}\n{result.get('error') or ''}{result.get('log') or ''}\n")
                reasons[student] = reason_of(result)
            pending = [student for student in pending if reasons[student]]
    return {student: reasons[student] for student in pending}


def keep_reasons(
    lab: str, folders: Folders, students: Iterable[str], reasons: dict[str, str]
) -> None:
    """Store the reasons for failures, which appear in the tables and on the pages."""
    known = failures_in(lab, folders)
    updated_reasons = {
        student: known[student] for student in known if student not in {*students}
    } | reasons
    folders.autograded.mkdir(exist_ok=True)
    (folders.autograded / f"{lab}.json").write_text(json.dumps(updated_reasons), encoding="utf-8")


def done(what: str, result: dict[str, object]) -> None:
    if not result["success"]:
        sys.exit(f"The lab was not {what}: {result.get('error') or result.get('log')}")


def processors() -> int:
    """Return the number of processors available to this process."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lab")
    parser.add_argument("--jobs", type=int, default=processors())
    parser.add_argument("--part", default="0/1", help="2/8 only grades the third of eight parts")
    parser.add_argument("--again", action="store_true", help="also grade again")
    arguments = parser.parse_args()
    place = Path(os.environ["COURSE_DATA"], "class")
    os.chdir(place)
    nbgrader = api()
    part, parts = map(int, arguments.part.split("/"))
    if parts == 1:
        done("collected", nbgrader.collect(arguments.lab, update=True))
    students = sorted(path.parent.name for path in place.glob(f"submitted/*/{arguments.lab}"))[
        part::parts
    ]
    failed = grade_all(arguments.lab, students, arguments.jobs, arguments.again)
    folders = Folders.configured()
    if parts == 1:
        keep_reasons(arguments.lab, folders, students, failed)
        done("given back", nbgrader.release_feedback(arguments.lab))
        subprocess.run(["nbgrader", "export"], check=True)
        write([arguments.lab], folders, Path("overview"))
    print(f"{len(students) - len(failed)} of {len(students)} graded.")
    if failed:
        print("Look at these by hand (the reasons are in grading.log):", *failed)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
