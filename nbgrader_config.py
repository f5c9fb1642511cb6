"""Settings of nbgrader for this folder; classroom/grading.md explains how a class uses them."""

import sys
import warnings
from pathlib import Path

from sqlalchemy.exc import SAWarning

# nbgrader's own queries raise this warning, but nothing is wrong.
warnings.filterwarnings("ignore", category=SAWarning)

# The package classroom is in the folder next to this file and is not installed.
sys.path.append(str(Path(__file__).parent))

c = get_config()  # noqa: F821  nbgrader gives this name to its configuration files

c.CourseDirectory.course_id = "positional-encodings"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "labs"

# Grades are stored in gradebook.db, next to this file. For a big class, use your own PostgreSQL:
# c.CourseDirectory.db_url = "postgresql+psycopg://user:password@host:5432/gradebook"

# With these stubs, functions stay valid and an empty lab runs from top to bottom.
c.ClearSolutions.code_stub = {"python": "# Your code here. Aquí va tu código.\npass"}

# check stops an endless answer in Python after ten seconds, and other answers lose nothing. Code
# that check cannot stop, such as an endless function of NumPy, takes this many seconds. check may
# stop three times in one cell, because earlier answers are also tried.
c.ExecuteFairly.timeout = 45
# A busy machine may need more than nbgrader's four seconds to report that a loop was stopped.
c.ExecuteFairly.iopub_timeout = 30
# Each kernel would warn about its sockets, which nobody else can reach on a personal machine.
c.ExecuteFairly.extra_arguments = [
    "--HistoryManager.hist_file=:memory:",
    "--IPKernelApp.log_level=ERROR",
]

# Changed tests are restored with a warning; honest notebooks raise no alarm.
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
# An exercise counts as a whole. To give half of its points if one known mistake is the only fault:
# c.SavePoints.half_points = True

# Late work has no penalty. To subtract a point for each started day after the due date:
c.AssignLatePenalties.plugin_class = "classroom.points.LatePenalty"
# c.LatePenalty.points_per_day = 1

# In grades.csv: the platform's number, the address, what is late, and what could not be graded.
c.ExportApp.plugin_class = "classroom.grades.Grades"

# If the disk of the exchange is full, a truncated submission does not replace a complete one.
c.ExchangeFactory.collect = "classroom.exchange.CollectWhole"

# The page for a student. It omits the hidden tests and opens in English.
c.GenerateFeedback.exporter_class = "classroom.pages.FeedbackPage"
# To show the hidden tests, and what they found:
# c.FeedbackPage.hidden_tests = True
# To open in Spanish (or "both"):
# c.FeedbackPage.language = "es"
