"""Name under which commands and settings of the third edition import ``classroom``."""

from course_utils.announced import announce

try:
    from classroom import __path__  # noqa: F401  its modules can be imported under this name
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "The commands for teachers are in the course's folder classroom, next to course_utils: "
        "run python -m classroom… in the folder of the course."
    ) from error

announce("course_utils.teaching", "classroom")
