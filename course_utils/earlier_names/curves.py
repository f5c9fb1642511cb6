"""The name that notebooks of the second edition have for course_utils.pictures.static."""

from course_utils.announced import announce

from course_utils.pictures.static import *  # noqa: F403

announce("course_utils.curves", "course_utils.pictures.static")
