"""Name under which second-edition notebooks import ``course_utils.notebook.environment``."""

from course_utils.announced import announce

from course_utils.notebook.environment import *  # noqa: F403

announce("course_utils.installation", "course_utils.notebook.environment")
