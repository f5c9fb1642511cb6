"""What one person may take together: the hub's configuration, read as the hub would read it."""

import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from checks.extras import missing
from checks.labs import REPOSITORY

HUB = REPOSITORY / "classroom" / "hub"


@pytest.fixture
def read(monkeypatch):
    """Read ``jupyterhub_config.py`` as on a machine with systemd or without; nothing is made."""
    pytest.importorskip("nativeauthenticator", reason=missing("JupyterHub", "hub"))
    from traitlets.config import Config

    def configuration(*, systemd: bool, **settings: str) -> Config:
        found = re.findall('^([A-Z_]+)="?(.*?)"?$', (HUB / "settings").read_text("utf-8"), re.M)
        ours = {"COURSE_SOFTWARE": str(REPOSITORY / "classroom"), "COURSE_GRADER": "root"}
        for name, value in (dict(found) | ours | settings).items():
            monkeypatch.setenv(name, value)
        for module, name in ((Path, "mkdir"), (Path, "chmod"), (shutil, "chown")):
            monkeypatch.setattr(module, name, lambda *path, **options: None)
        running = "/run/systemd/system" if systemd else None
        monkeypatch.setattr(Path, "is_dir", lambda path: str(path) == running)
        config = Config()
        exec((HUB / "jupyterhub_config.py").read_text("utf-8"), {"get_config": lambda: config})
        return config

    return configuration


def test_with_systemd_a_person_has_the_memory_of_the_settings_and_500_processes(read):
    config = read(systemd=True, COURSE_MEMORY="3")
    spawner = pytest.importorskip("systemdspawner").SystemdSpawner
    from jupyterhub.app import JupyterHub

    assert JupyterHub(config=config).spawner_class is spawner
    limits = spawner(config=config, user=SimpleNamespace(name="ana", id=1))
    assert limits.mem_limit == 3 << 30
    assert limits.unit_extra_properties == {"MemorySwapMax": "0", "TasksMax": "500"}
    assert "PATH" in limits.env_keep, "systemd would not find jupyterhub-singleuser"


def test_without_systemd_servers_are_plain_processes_and_these_have_their_limits(read):
    from jupyterhub.app import JupyterHub
    from jupyterhub.spawner import LocalProcessSpawner

    assert JupyterHub(config=read(systemd=False)).spawner_class is LocalProcessSpawner
    for systemd in (True, False):
        command = read(systemd=systemd, COURSE_MEMORY="3", COURSE_DISK="2").Spawner.cmd
        assert command[0] == "prlimit" and command[-1] == "jupyterhub-singleuser"
        assert {f"--as={3 << 30}", "--nproc=500", f"--fsize={2 << 30}"} == set(command[1:-1])


def test_a_slow_machine_has_time_to_start_the_formgrader(read):
    (grading,) = (s for s in read(systemd=True).JupyterHub.services if s["name"] == "grading")
    assert grading["timeout"] == 180, "the hub would end, and nobody could log in"
