"""Settings of nbgrader for this folder; classroom/grading.md explains how a class uses them."""

import sys
import warnings
from pathlib import Path

from sqlalchemy.exc import SAWarning

# nbgrader's own queries raise this warning, which can be ignored.
warnings.filterwarnings("ignore", category=SAWarning)

# The package classroom is in the folder next to this file and is not installed.
sys.path.append(str(Path(__file__).parent))

c = get_config()  # noqa: F821  nbgrader defines this name in configuration files

c.CourseDirectory.course_id = "positional-encodings"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "labs"

# Grades are stored in gradebook.db, next to this file. To use a PostgreSQL database instead:
# c.CourseDirectory.db_url = "postgresql+psycopg://user:password@host:5432/gradebook"

# With these stubs, functions are valid, and an empty lab runs from top to bottom.
c.ClearSolutions.code_stub = {"python": "# Your code here. Aquí va tu código.\npass"}

# check stops endless Python code after ten seconds, without affecting other answers. Code that it
# cannot stop, such as an endless NumPy function, is stopped after this many seconds. check may stop
# code three times in a cell, because it also runs earlier answers.
c.ExecuteFairly.timeout = 45
# A busy machine may need longer than nbgrader's four seconds to report that a loop was stopped.
c.ExecuteFairly.iopub_timeout = 30
# Kernels would otherwise warn about their sockets, which are safe on a personal machine.
c.ExecuteFairly.extra_arguments = [
    "--HistoryManager.hist_file=:memory:",
    "--IPKernelApp.log_level=ERROR",
]

# Changed tests are restored; the class overview lists them.
c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "classroom.restoring.RestoreTests",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# These are nbgrader's defaults, except for the classes that run the cells and store the points.
c.Autograde.autograde_preprocessors = [
    "classroom.executing.ExecuteFairly",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "classroom.points.SavePoints",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
# Exercises are graded all or nothing. To give half points for a single known mistake:
# c.SavePoints.half_points = True

# Late submissions have no penalty. To subtract a point for each day or part of a day:
c.AssignLatePenalties.plugin_class = "classroom.points.LatePenalty"
# c.LatePenalty.points_per_day = 1

# grades.csv contains the platform's number, the address, lateness, and reasons for missing grades.
c.ExportApp.plugin_class = "classroom.grades.Grades"

# If the exchange's disk is full, a truncated submission does not replace a complete one.
c.ExchangeFactory.collect = "classroom.exchange.CollectWhole"

# The page for students omits the hidden tests and opens in English.
c.GenerateFeedback.exporter_class = "classroom.pages.FeedbackPage"
# To show the hidden tests and their output:
# c.FeedbackPage.hidden_tests = True
# To open in Spanish (or "both"):
# c.FeedbackPage.language = "es"
