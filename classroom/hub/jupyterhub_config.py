"""JupyterHub configuration for a class on a single server.

Its values are read from environment variables.
"""

import os
import pwd
import shutil
from pathlib import Path
from urllib.parse import urlencode

import nativeauthenticator
from nativeauthenticator import NativeAuthenticator

from course_utils.words.text import words

c = get_config()  # noqa: F821  JupyterHub defines this name in configuration files

SOFTWARE, DATA = Path(os.environ["COURSE_SOFTWARE"]), Path(os.environ["COURSE_DATA"])
PORT = int(os.environ["COURSE_INSIDE"])
PULL = {"repo": f"file://{DATA}/positional-encodings", "branch": "main"}
LESSON = "lab/tree/positional-encodings/notebooks/00_start_here.ipynb"

# The proxy is a separate service, and learners' servers survive the hub. When the hub restarts,
# connections stay open and no variables are lost.
c.ConfigurableHTTPProxy.should_start = False
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{PORT}"
c.JupyterHub.cleanup_servers = False
c.JupyterHub.last_activity_interval = 15  # seconds until a new proxy has all routes
c.JupyterHub.hub_port = PORT + 1


class Accounts(NativeAuthenticator):
    """Password authenticator with a page on which users can change their passwords."""

    def get_handlers(self, app):
        """Return handlers without the sign-up and login pages, which fail in JupyterHub 6."""
        return [
            (path, page) for path, page in super().get_handlers(app) if path == "/change-password"
        ]


# The script setup.sh creates accounts and initial passwords, so nobody can sign up as somebody
# else. To use your institution's login, insert oauthenticator's class here; user names must match
# accounts.
c.JupyterHub.authenticator_class = Accounts
c.NativeAuthenticator.enable_signup = False
c.NativeAuthenticator.minimum_password_length = 8
c.NativeAuthenticator.allowed_failed_logins = 10
c.NativeAuthenticator.seconds_before_next_try = 60
c.Authenticator.allow_all = True  # admits every user with a password
native = Path(nativeauthenticator.__file__).parent / "templates"
templates = SOFTWARE / "hub" / "templates"
c.JupyterHub.template_paths = [str(templates), str(native)]
c.JupyterHub.template_vars = {"texts": words(templates / "pages.toml")}

# Teachers can open the grader's server, and start and stop all servers. They cannot access
# learners' servers.
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
        # The gradebook belongs to an account without a password. Only this account has formgrader.
        "name": "grading",
        "url": f"http://127.0.0.1:{PORT + 2}",
        "command": [
            "jupyterhub-singleuser",
            "--ServerApp.jpserver_extensions={'nbgrader.server_extensions.formgrader': True}",
        ],
        "user": os.environ["COURSE_GRADER"],
        "cwd": str(DATA / "class"),
        "oauth_no_confirm": True,
        "timeout": 180,  # seconds; if the service is not running by then, the hub restarts
        "environment": {
            "JUPYTERHUB_DEFAULT_URL": "/formgrader",
            "JUPYTER_PATH": str(SOFTWARE / "hub" / "grading"),  # makes every kernel sandboxed
            "COURSE_SOFTWARE": str(SOFTWARE),
            "JUPYTER_RUNTIME_DIR": f"/run/course/{os.environ['COURSE_GRADER']}",
        },
    },
]

# Each login fetches the lessons, preserves the learner's changes, and opens the first lesson.
c.Spawner.default_url = f"/git-pull?{urlencode({**PULL, 'urlpath': LESSON})}"
# An endless loop that allocates memory, forks or writes fails with an error and does not affect
# other users. A process can use all of its user's memory (a lesson needs 1 GiB), a user can have
# 500 processes and threads, and a file can fill the user's disk space.
memory, disk = (int(os.environ[f"COURSE_{name}"]) << 30 for name in ("MEMORY", "DISK"))
limits = [f"--as={memory}", "--nproc=500", f"--fsize={disk}"]
c.Spawner.cmd = ["prlimit", *limits, "jupyterhub-singleuser"]
# With systemd, each server is a service that limits the total resources of its user. Stopping the
# service ends all of the user's processes, including terminals. Without systemd, servers are plain
# processes.
if Path("/run/systemd/system").is_dir():
    c.JupyterHub.spawner_class = "systemd"
    c.Spawner.mem_limit = memory
    c.SystemdSpawner.env_keep = ["PATH"]  # contains Jupyter's programs
    c.SystemdSpawner.unit_extra_properties = {"MemorySwapMax": "0", "TasksMax": "500"}
c.Spawner.environment = {
    "OMP_NUM_THREADS": "1",  # prevents each kernel from using all cores
    "OPENBLAS_NUM_THREADS": "1",
    "JUPYTER_RUNTIME_DIR": lambda spawner: f"/run/course/{spawner.user.name}",
}
c.JupyterHub.concurrent_spawn_limit = int(os.environ["COURSE_STARTS"])
c.Spawner.start_timeout = c.Spawner.http_timeout = 180  # allows a whole class to start at once


def make_runtime_folder(name: str) -> None:
    """Create a private folder with a short path for the kernels' sockets."""
    folder = Path("/run/course") / name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.parent.chmod(0o711)
    shutil.chown(folder, name, pwd.getpwnam(name).pw_gid)


c.Spawner.pre_spawn_hook = lambda spawner: make_runtime_folder(spawner.user.name)
make_runtime_folder(os.environ["COURSE_GRADER"])
