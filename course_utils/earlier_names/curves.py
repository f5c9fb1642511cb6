"""The name that notebooks of the second edition have for course_utils.pictures.static."""

from course_utils.pictures.static import *  # noqa: F403
