"""Name under which second-edition notebooks import ``course_utils.lessons.verdicts``."""

from course_utils.announced import announce

from course_utils.lessons.verdicts import *  # noqa: F403

announce("course_utils.claims", "course_utils.lessons.verdicts")
