"""Tests of the settings and pages in ``classroom/hub``."""

import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from checks.extras import missing
from checks.labs import REPOSITORY

from course_utils.words.text import LANGUAGES, words

HUB = REPOSITORY / "classroom" / "hub"
TEMPLATES = HUB / "templates"
JUPYTERHUB = Path(sys.prefix, "share", "jupyterhub", "templates")
TEXTS = words(TEMPLATES / "pages.toml")

pytestmark = pytest.mark.skipif(not JUPYTERHUB.exists(), reason=missing("JupyterHub", "hub"))
PAGES = {
    "login.html": {"login_error": "Invalid"},
    "429.html": {"status_code": 429, "status_message": "Too many"},
    "spawn_pending.html": {"progress_url": "/progress"},
    "not_running.html": {"failed": False, "spawn_url": "/spawn"},
    "stop_pending.html": {},
    "home.html": {"default_server": {"active": True}, "url": "/user/ana"},
    "logout.html": {},
    "change-password.html": {"user_name": "ana"},
}


def page(name: str, **values: object) -> BeautifulSoup:
    """Render a page as JupyterHub does, without a user."""
    from jinja2 import ChainableUndefined, ChoiceLoader, Environment, FileSystemLoader, PrefixLoader

    loader = FileSystemLoader([TEMPLATES, JUPYTERHUB])
    loaders = ChoiceLoader([PrefixLoader({"templates": FileSystemLoader(JUPYTERHUB)}), loader])
    environment = Environment(loader=loaders, autoescape=True, undefined=ChainableUndefined)
    environment.globals |= {"texts": TEXTS, "base_url": "/hub/", "logout_url": "/logout"}
    environment.globals["static_url"] = lambda path, **options: path
    return BeautifulSoup(environment.get_template(name).render(**values), "html.parser")


@pytest.mark.parametrize("name", PAGES)
def test_hub_page_has_every_language(name):
    shown = page(name, **PAGES[name])
    main = shown.select_one("#login-main") or shown.select_one("div.container, div.error")
    for unseen in main(["script", "style"]):
        unseen.decompose()
    n_texts = [len(main.find_all(lang=language)) for language in LANGUAGES]
    assert len({*n_texts}) == 1 and n_texts[0] > 0
    for half in main.find_all(lang=True):
        half.decompose()
    left = re.sub(r"[·\s\d%:]+|refresh", "", main.get_text())
    assert left in ("", "Toomany"), f"only in one language: {main.get_text().strip()}"


def test_hub_banner_is_in_every_language():
    someone = {"name": "ana"}
    services = [{"name": "grading", "href": "/services/grading/"}]
    shown = page("home.html", user=someone, services=services, parsed_scopes=["admin-ui"])
    links = shown.select("nav a[href]:has([lang])")
    paths = "/hub/home /hub/change-password /hub/admin /services/grading/ /logout".split()
    assert [link["href"] for link in links] == paths
    for each in links:
        assert [half["lang"] for half in each.select("[lang]")] == list(LANGUAGES)
    for half in shown.select("nav [lang]"):
        half.decompose()
    assert re.sub(r"[·\s]+", "", shown.nav.get_text()) == "ana"


# Messages of NativeAuthenticator 1.3 about a password change. They exist only in English, and the
# page recognises their text.
BECAME = {
    "changed": "Your password has been changed successfully!",
    "wrong-old": "Your current password was incorrect. Please try again.",
    "differ": "Your new password didn't match the confirmation. Please try again.",
    "too-easy": "Something went wrong!\nBe sure your new password has at least 8 ",
}


@pytest.mark.parametrize("became", BECAME)
def test_password_change_result_has_every_language(became):
    message = BECAME[became]
    alert = "alert-success" if became == "changed" else "alert-danger"
    shown = page("change-password.html", user_name="ana", alert=alert, result_message=message)
    announced = {half["lang"]: half.get_text() for half in shown.select("[role=alert] [lang]")}
    assert announced == dict(TEXTS[became].as_dict())
    handlers = pytest.importorskip("nativeauthenticator.handlers")
    source = re.sub(r'"\s+f?"', "", Path(handlers.__file__).read_text(encoding="utf-8"))
    assert message.split("\n")[0] in source


def test_hub_templates_contain_required_elements():
    def field_names(shown: BeautifulSoup) -> set[str]:
        return {each["name"] for each in shown.select("form input[name]")}

    login, changing = page("login.html"), page("change-password.html", user_name="ana")
    assert field_names(login) == {"_xsrf", "username", "password"}
    passwords = {"old_password", "new_password", "new_password_confirmation"}
    assert field_names(changing) == {"_xsrf", *passwords}
    assert login.select_one("form [type=submit]")
    waiting = page("spawn_pending.html", progress_url="/p")
    for id in ("progress-bar", "sr-progress", "progress-message", "progress-log"):
        assert waiting.find(id=id), id
    assert page("home.html").find(id="start") and not page("home.html").find(id="stop")
    assert page("429.html", status_code=429).find("meta", {"http-equiv": "refresh"})


@pytest.fixture
def read(monkeypatch):
    """Read ``jupyterhub_config.py`` as on a machine with or without systemd."""
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


def test_systemd_limits_memory_per_user(read):
    config = read(systemd=True, COURSE_MEMORY="3")
    spawner = pytest.importorskip("systemdspawner").SystemdSpawner
    from jupyterhub.app import JupyterHub

    assert JupyterHub(config=config).spawner_class is spawner
    limits = spawner(config=config, user=SimpleNamespace(name="ana", id=1))
    assert limits.mem_limit == 3 << 30
    assert limits.unit_extra_properties == {"MemorySwapMax": "0", "TasksMax": "500"}
    assert "PATH" in limits.env_keep, "systemd would not find jupyterhub-singleuser"


def test_plain_processes_have_limits_without_systemd(read):
    from jupyterhub.app import JupyterHub
    from jupyterhub.spawner import LocalProcessSpawner

    assert JupyterHub(config=read(systemd=False)).spawner_class is LocalProcessSpawner
    for systemd in (True, False):
        command = read(systemd=systemd, COURSE_MEMORY="3", COURSE_DISK="2").Spawner.cmd
        assert command[0] == "prlimit" and command[-1] == "jupyterhub-singleuser"
        assert {f"--as={3 << 30}", "--nproc=500", f"--fsize={2 << 30}"} == set(command[1:-1])


def test_formgrader_may_start_slowly(read):
    (grading,) = (s for s in read(systemd=True).JupyterHub.services if s["name"] == "grading")
    assert grading["timeout"] == 180, "the hub would end, and nobody could log in"


def test_restarted_hub_leaves_proxy_running(read):
    config = read(systemd=True)
    assert not config.ConfigurableHTTPProxy.should_start and not config.JupyterHub.cleanup_servers
