"""How nbgrader finds its way in this folder. docs/grading.md says how it is used with a class."""

import warnings

from sqlalchemy.exc import SAWarning

# nbgrader's own queries raise it, and nothing is amiss.
warnings.filterwarnings("ignore", category=SAWarning)

c = get_config()  # noqa: F821  nbgrader gives this name to its configuration files

c.CourseDirectory.course_id = "positional-encodings"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "labs"

# Grades are kept in gradebook.db, beside this file. For a big class, in a PostgreSQL of your own:
# c.CourseDirectory.db_url = "postgresql+psycopg://user:password@host:5432/gradebook"

# A function stays a function and a lab runs from top to bottom before anything is filled in.
c.ClearSolutions.code_stub = {"python": "# Your code here. Aquí va tu código.\npass"}

# An endless loop costs its own exercise this many seconds and nobody else anything.
c.Execute.timeout = 10
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
    "course_utils.teaching.restoring.RestoreTests",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# In grades.csv: the platform's number, the address, what is late, and what could not be graded.
c.ExportApp.plugin_class = "course_utils.teaching.grades.Grades"

# When the disk of the exchange is full, a submission that arrived whole is not lost to a cut one.
c.ExchangeFactory.collect = "course_utils.teaching.exchange.CollectWhole"

# What a student gets back. It keeps the hidden tests to itself and opens in English.
c.GenerateFeedback.exporter_class = "course_utils.teaching.pages.FeedbackPage"
# To show the hidden tests, and what they found:
# c.FeedbackPage.hidden_tests = True
# To open in Spanish (or "both"):
# c.FeedbackPage.language = "es"
