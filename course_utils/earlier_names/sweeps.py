"""Name under which second-edition notebooks import ``course_utils.lessons.look_back_runs``."""

from course_utils.announced import announce

from course_utils.lessons.look_back_runs import *  # noqa: F403

announce("course_utils.sweeps", "course_utils.lessons.look_back_runs")
