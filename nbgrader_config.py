"""How nbgrader finds its way in this folder. classroom/grading.md says how a class uses it."""

import sys
import warnings
from pathlib import Path

from sqlalchemy.exc import SAWarning

# nbgrader's own queries raise it, and nothing is amiss.
warnings.filterwarnings("ignore", category=SAWarning)

# What is named below as classroom.… is in the folder beside this file, and in no installed package.
sys.path.append(str(Path(__file__).parent))

c = get_config()  # noqa: F821  nbgrader gives this name to its configuration files

c.CourseDirectory.course_id = "positional-encodings"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "labs"

# Grades are kept in gradebook.db, beside this file. For a big class, in a PostgreSQL of your own:
# c.CourseDirectory.db_url = "postgresql+psycopg://user:password@host:5432/gradebook"

# A function stays a function and a lab runs from top to bottom before anything is filled in.
c.ClearSolutions.code_stub = {"python": "# Your code here. Aquí va tu código.\npass"}

# An answer in Python that does not end is stopped by check after ten seconds, and costs nobody else
# anything. What check cannot stop, such as an endless function of NumPy, costs this many; check may
# stop three times in one cell, since earlier answers are tried as well.
c.Execute.timeout = 45
# A busy machine may take longer than nbgrader's four seconds to say that a loop was stopped.
c.Execute.iopub_timeout = 30
# Each kernel would warn of its sockets, which nobody else reaches on a machine of one's own.
c.Execute.extra_arguments = [
    "--HistoryManager.hist_file=:memory:",
    "--IPKernelApp.log_level=ERROR",
]

# Tests that were changed are put back, with a word about it; honest notebooks raise no alarm.
c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "classroom.restoring.RestoreTests",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# As nbgrader has them, but for who writes the points down.
c.Autograde.autograde_preprocessors = [
    "nbgrader.preprocessors.Execute",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "classroom.points.SavePoints",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
# An exercise counts as a whole. For half of its points where one known slip alone is wrong:
# c.SavePoints.half_points = True

# Late work loses nothing. To take off a point for each day that was begun after the due date:
c.AssignLatePenalties.plugin_class = "classroom.points.LatePenalty"
# c.LatePenalty.points_per_day = 1

# In grades.csv: the platform's number, the address, what is late, and what could not be graded.
c.ExportApp.plugin_class = "classroom.grades.Grades"

# When the disk of the exchange is full, a submission that arrived whole is not lost to a cut one.
c.ExchangeFactory.collect = "classroom.exchange.CollectWhole"

# What a student gets back. It keeps the hidden tests to itself and opens in English.
c.GenerateFeedback.exporter_class = "classroom.pages.FeedbackPage"
# To show the hidden tests, and what they found:
# c.FeedbackPage.hidden_tests = True
# To open in Spanish (or "both"):
# c.FeedbackPage.language = "es"
