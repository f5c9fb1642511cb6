"""The name that notebooks of the second edition have for course_utils.lessons.task_runs."""

from course_utils.lessons.task_runs import *  # noqa: F403
