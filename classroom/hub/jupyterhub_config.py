"""A class on one server. The settings beside this file come as environment variables."""

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
c.JupyterHub.last_activity_interval = 15  # so soon does a new proxy know where everybody is
c.JupyterHub.hub_port = PORT + 1


class Accounts(NativeAuthenticator):
    """Passwords, and a page on which everybody changes their own."""

    def get_handlers(self, app):
        """Without its pages for signing up and logging in: version 1.3 knows no hub 6."""
        return [
            (path, page) for path, page in super().get_handlers(app) if path == "/change-password"
        ]


# Accounts and first passwords come from setup.sh, so nobody can sign up as somebody else. For the
# passwords of an institution, put oauthenticator's class here: its names must be accounts, too.
c.JupyterHub.authenticator_class = Accounts
c.NativeAuthenticator.enable_signup = False
c.NativeAuthenticator.minimum_password_length = 8
c.NativeAuthenticator.allowed_failed_logins = 10
c.NativeAuthenticator.seconds_before_next_try = 60
c.Authenticator.allow_all = True  # all who have a password here
native = Path(nativeauthenticator.__file__).parent / "templates"
templates = SOFTWARE / "hub" / "templates"
c.JupyterHub.template_paths = [str(templates), str(native)]
c.JupyterHub.template_vars = {"said": words(templates / "pages.toml")}

# Teachers open the grader's server, and start and stop servers. They do not enter learners' ones.
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
        "timeout": 180,  # seconds: the hub ends if it is not there by then, and starts again
        "environment": {
            "JUPYTERHUB_DEFAULT_URL": "/formgrader",
            "JUPYTER_PATH": str(SOFTWARE / "hub" / "grading"),  # each kernel is the sandbox
            "COURSE_SOFTWARE": str(SOFTWARE),
            "JUPYTER_RUNTIME_DIR": f"/run/course/{os.environ['COURSE_GRADER']}",
        },
    },
]

# Each login pulls the lessons, keeps what the learner wrote in them, and opens the first one.
c.Spawner.default_url = f"/git-pull?{urlencode({**PULL, 'urlpath': LESSON})}"
# A loop that fills the memory, forks or writes ends with an error and stops nobody else: a process
# gets as much as the person (a lesson takes 1 GiB), a person 500 processes and threads, and a file
# their whole disk.
memory, disk = (int(os.environ[f"COURSE_{name}"]) << 30 for name in ("MEMORY", "DISK"))
limits = [f"--as={memory}", "--nproc=500", f"--fsize={disk}"]
c.Spawner.cmd = ["prlimit", *limits, "jupyterhub-singleuser"]
# With systemd, each server is a service with a limit to what a person runs there together, and what
# they started ends with it, terminals included. Elsewhere servers are plain processes.
if Path("/run/systemd/system").is_dir():
    c.JupyterHub.spawner_class = "systemd"
    c.Spawner.mem_limit = memory
    c.SystemdSpawner.env_keep = ["PATH"]  # on which Jupyter's programs are
    c.SystemdSpawner.unit_extra_properties = {"MemorySwapMax": "0", "TasksMax": "500"}
c.Spawner.environment = {
    "OMP_NUM_THREADS": "1",  # or each kernel takes all cores for a moment
    "OPENBLAS_NUM_THREADS": "1",
    "JUPYTER_RUNTIME_DIR": lambda spawner: f"/run/course/{spawner.user.name}",
}
c.JupyterHub.concurrent_spawn_limit = int(os.environ["COURSE_STARTS"])
c.Spawner.start_timeout = c.Spawner.http_timeout = 180  # a whole class may be starting


def make_runtime_folder(name: str) -> None:
    """Kernels' sockets lie there: the path must be short, and nobody else may look in."""
    folder = Path("/run/course") / name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.parent.chmod(0o711)
    shutil.chown(folder, name, pwd.getpwnam(name).pw_gid)


c.Spawner.pre_spawn_hook = lambda spawner: make_runtime_folder(spawner.user.name)
make_runtime_folder(os.environ["COURSE_GRADER"])
