# Configuration of the exchange and the kernels in every image. It has not been tested in a cluster.
import os

from jupyter_core.paths import jupyter_runtime_dir

c = get_config()  # noqa: F821  nbgrader defines this name in configuration files
c.CourseDirectory.course_id = "positional-encodings"
c.Exchange.root = "/srv/exchange"
c.Exchange.assignment_dir = os.path.expanduser("~/positional-encodings/labs")
c.KernelManager.transport = "ipc"
c.KernelManager.connection_file = f"{jupyter_runtime_dir()}/nbgrader-{os.getpid()}.json"
if "COURSE_GRADEBOOK" in os.environ:  # only in pods for grading
    load_subconfig("/srv/course/nbgrader_config.py")  # noqa: F821
    c.CourseDirectory.root = "/srv/class"
    c.CourseDirectory.db_url = os.environ["COURSE_GRADEBOOK"]
