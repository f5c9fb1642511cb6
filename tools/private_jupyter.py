"""An isolated Jupyter server with separate settings, and a browser for it."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

ONLY_FOR_REOPENING = re.compile(r'<style>.*?</style>|<form class="course-choose".*?</form>', re.S)
"""Pattern of style sheets and buttons that are needed only in reopened notebooks.

They are removed from the notebooks in the repository, because otherwise a change in the style sheet
would change all notebooks. JupyterLab does not use them in untrusted notebooks.
"""

REPOSITORY = Path(__file__).resolve().parent.parent

FOLDERS = (
    "IPYTHONDIR",
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
)

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
)
# Chromium's own downloads fail without network access.
BROWSER_ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # The first two features open an extra page for the address bar with every page of a test. The
    # others are in Playwright's default list, which this argument replaces.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    "HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding,PreconnectToSearch",
]


def notebooks_with_outputs() -> list[Path]:
    """Return the notebooks that are stored with outputs: lessons and solutions."""
    patterns = ("notebooks/*.ipynb", "notebooks/deeper/*.ipynb", "solutions/*/*.ipynb")
    return [path for pattern in patterns for path in sorted(REPOSITORY.glob(pattern))]


def leave_personal_settings(folder: Path) -> None:
    """Use separate settings in ``folder`` for this process and its child processes.

    Personal settings are neither read nor changed. The course stores its language in Jupyter's
    folder, and IPython's start-up files or a matplotlibrc file could change outputs.
    """
    os.environ.pop("MPLBACKEND", None)
    os.environ.update(_private_settings(folder))


def _private_settings(folder: Path) -> dict[str, str]:
    settings = {variable: str(folder / variable) for variable in FOLDERS}
    for path in settings.values():
        Path(path).mkdir(parents=True)
    matplotlibrc = folder / "matplotlibrc"
    matplotlibrc.touch()
    return {**settings, "MATPLOTLIBRC": str(matplotlibrc)}


class Server:
    """A JupyterLab server on a free port, with its own folder of notebooks.

    The server starts in the background. Call ``wait`` before opening the first page.
    """

    def __init__(self, folder: Path) -> None:
        self.notebooks = folder / "notebooks"
        self.notebooks.mkdir()
        self.token = secrets.token_hex(16)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        environment = {**os.environ, **_private_settings(folder / "settings")}
        environment.pop("MPLBACKEND", None)
        paths = (str(REPOSITORY), environment.get("PYTHONPATH"))
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        self._settings = Path(environment["JUPYTERLAB_SETTINGS_DIR"])
        self.configuration = Path(environment["JUPYTER_CONFIG_DIR"])
        # A notebook saved during a test would refer to widgets that do not exist in the next
        # window.
        self.set("docmanager-extension/plugin", autosave=False)
        self.set("apputils-extension/notification", fetchNews="false", checkForUpdates=False)
        self._log = folder / "log"
        with open(self._log, "w") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
                    f"--ServerApp.root_dir={self.notebooks}",
                    f"--ServerApp.port={port}",
                    "--ServerApp.port_retries=0",
                    f"--IdentityProvider.token={self.token}",
                    "--LabApp.expose_app_in_browser=True",
                ],
                stdout=log,
                stderr=log,
                env=environment,
            )

    def set(self, plugin: str, **values: object) -> None:
        """Change settings of a JupyterLab plugin for windows that are opened later."""
        file = self._settings / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))

    def wait(self) -> None:
        """Wait until the server answers.

        Raises:
            TimeoutError: If the server does not answer in time. The message contains its log.
            RuntimeError: If the server has stopped. The message contains its log.
        """
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/api?token={self.token}", timeout=5).close()
                return
            except OSError:
                if self._process.poll() is not None:
                    raise RuntimeError(self._log.read_text()) from None
                time.sleep(0.1)
        raise TimeoutError(self._log.read_text())

    def stop(self) -> None:
        """Stop the server and its kernels, and kill processes that do not stop in time."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()


class MissingBrowserError(LookupError):
    """Exception raised if there is no browser that Playwright can control."""


def find_browser() -> str:
    """Return the path of a browser that Playwright can control.

    Raises:
        MissingBrowserError: If there is no browser. The message explains what to install.
    """
    named = os.environ.get("COURSE_BROWSER")
    for candidate in [named] if named else BROWSERS:
        if found := shutil.which(candidate):
            return found
    raise MissingBrowserError(
        f"COURSE_BROWSER must be the name or path of a browser; got {named!r}."
        if named
        else "No browser: install Chromium, Chrome or Edge, or name one in the environment "
        "variable COURSE_BROWSER."
    )


def open_browser(playwright: Playwright) -> Browser:
    """Open the browser found by ``find_browser`` in headless mode."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return playwright.chromium.launch(
        executable_path=find_browser(),
        args=BROWSER_ARGUMENTS,
        # Chromium's sandbox does not work for the root user.
        chromium_sandbox=not as_root and sys.platform != "linux",
    )
