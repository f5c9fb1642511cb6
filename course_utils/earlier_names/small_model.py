"""Name under which second-edition notebooks import ``course_utils.lessons.task_runs``."""

from course_utils.announced import announce

from course_utils.lessons.task_runs import *  # noqa: F403

announce("course_utils.small_model", "course_utils.lessons.task_runs")
