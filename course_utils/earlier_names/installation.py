"""The name that notebooks of the second edition have for course_utils.notebook.environment."""

from course_utils.announced import announce

from course_utils.notebook.environment import *  # noqa: F403

announce("course_utils.installation", "course_utils.notebook.environment")
