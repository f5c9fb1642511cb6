"""Settings of JupyterHub for a class on one server, with values from environment variables."""

import os
import pwd
import shutil
from pathlib import Path
from urllib.parse import urlencode

import nativeauthenticator
from nativeauthenticator import NativeAuthenticator

from course_utils.words.text import words

c = get_config()  # noqa: F821  JupyterHub gives this name to its configuration files

SOFTWARE, DATA = Path(os.environ["COURSE_SOFTWARE"]), Path(os.environ["COURSE_DATA"])
PORT = int(os.environ["COURSE_INSIDE"])
PULL = {"repo": f"file://{DATA}/positional-encodings", "branch": "main"}
LESSON = "lab/tree/positional-encodings/notebooks/00_start_here.ipynb"

# The proxy is a service of its own and learners' servers outlive the hub: when the hub is started
# again, no websocket breaks and no variable is lost.
c.ConfigurableHTTPProxy.should_start = False
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{PORT}"
c.JupyterHub.cleanup_servers = False
c.JupyterHub.last_activity_interval = 15  # seconds until a new proxy knows all routes
c.JupyterHub.hub_port = PORT + 1


class Accounts(NativeAuthenticator):
    """Authenticator with passwords, and a page on which users change their own."""

    def get_handlers(self, app):
        """Return handlers without the pages for signing up and logging in, which break in hub 6."""
        return [
            (path, page) for path, page in super().get_handlers(app) if path == "/change-password"
        ]


# Accounts and first passwords come from setup.sh, so nobody can sign up as somebody else. For an
# institution's passwords, put oauthenticator's class here: its names must also be accounts.
c.JupyterHub.authenticator_class = Accounts
c.NativeAuthenticator.enable_signup = False
c.NativeAuthenticator.minimum_password_length = 8
c.NativeAuthenticator.allowed_failed_logins = 10
c.NativeAuthenticator.seconds_before_next_try = 60
c.Authenticator.allow_all = True  # all users with a password here
native = Path(nativeauthenticator.__file__).parent / "templates"
templates = SOFTWARE / "hub" / "templates"
c.JupyterHub.template_paths = [str(templates), str(native)]
c.JupyterHub.template_vars = {"said": words(templates / "pages.toml")}

# Teachers open the grader's server, and start and stop servers. They cannot enter learners'
# servers.
c.JupyterHub.load_roles = [
    {
        "name": "teacher",
        "users": os.environ["COURSE_TEACHERS"].split(),
        "scopes": ["access:services!service=grading", "admin-ui", "list:users", "servers"],
    },
    {
        "name": "culler",
        "services": ["culler"],
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
    },
]
c.JupyterHub.services = [
    {
        "name": "culler",
        "command": ["jupyterhub-idle-culler", f"--timeout={os.environ['COURSE_IDLE']}"],
    },
    {
        # The gradebook belongs to an account without a password. Only here is there a formgrader.
        "name": "grading",
        "url": f"http://127.0.0.1:{PORT + 2}",
        "command": [
            "jupyterhub-singleuser",
            "--ServerApp.jpserver_extensions={'nbgrader.server_extensions.formgrader': True}",
        ],
        "user": os.environ["COURSE_GRADER"],
        "cwd": str(DATA / "class"),
        "oauth_no_confirm": True,
        "timeout": 180,  # seconds: the hub exits and restarts if the service is not running by then
        "environment": {
            "JUPYTERHUB_DEFAULT_URL": "/formgrader",
            "JUPYTER_PATH": str(SOFTWARE / "hub" / "grading"),  # each kernel is the sandbox
            "COURSE_SOFTWARE": str(SOFTWARE),
            "JUPYTER_RUNTIME_DIR": f"/run/course/{os.environ['COURSE_GRADER']}",
        },
    },
]

# Each login pulls the lessons, keeps the learner's changes, and opens the first lesson.
c.Spawner.default_url = f"/git-pull?{urlencode({**PULL, 'urlpath': LESSON})}"
# A loop that fills the memory, forks or writes ends with an error and does not affect others. The
# limits are all of a user's memory for a process (a lesson takes 1 GiB), 500 processes and threads
# for a user, and all of a user's disk for a file.
memory, disk = (int(os.environ[f"COURSE_{name}"]) << 30 for name in ("MEMORY", "DISK"))
limits = [f"--as={memory}", "--nproc=500", f"--fsize={disk}"]
c.Spawner.cmd = ["prlimit", *limits, "jupyterhub-singleuser"]
# With systemd, each server is a service with a limit to what a person runs there together, and what
# they started ends with it, terminals included. Elsewhere servers are plain processes.
if Path("/run/systemd/system").is_dir():
    c.JupyterHub.spawner_class = "systemd"
    c.Spawner.mem_limit = memory
    c.SystemdSpawner.env_keep = ["PATH"]  # the path of Jupyter's programs
    c.SystemdSpawner.unit_extra_properties = {"MemorySwapMax": "0", "TasksMax": "500"}
c.Spawner.environment = {
    "OMP_NUM_THREADS": "1",  # otherwise each kernel uses all cores for a moment
    "OPENBLAS_NUM_THREADS": "1",
    "JUPYTER_RUNTIME_DIR": lambda spawner: f"/run/course/{spawner.user.name}",
}
c.JupyterHub.concurrent_spawn_limit = int(os.environ["COURSE_STARTS"])
c.Spawner.start_timeout = c.Spawner.http_timeout = 180  # a whole class may start at once


def make_runtime_folder(name: str) -> None:
    """Create a folder for kernels' sockets: short path, no access for others."""
    folder = Path("/run/course") / name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.parent.chmod(0o711)
    shutil.chown(folder, name, pwd.getpwnam(name).pw_gid)


c.Spawner.pre_spawn_hook = lambda spawner: make_runtime_folder(spawner.user.name)
make_runtime_folder(os.environ["COURSE_GRADER"])
