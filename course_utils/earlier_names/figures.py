"""Name under which second-edition notebooks import ``course_utils.pictures.static``."""

from course_utils.announced import announce

from course_utils.pictures.static import *  # noqa: F403

announce("course_utils.figures", "course_utils.pictures.static")
