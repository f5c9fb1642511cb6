"""The name that notebooks of the second edition have for course_utils.lessons.verdicts."""

from course_utils.lessons.verdicts import *  # noqa: F403
