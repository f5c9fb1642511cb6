"""The hub's own pages say everything in every language of the course."""

import re
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from checks.extras import missing
from checks.labs import REPOSITORY

from course_utils.words.text import LANGUAGES, words

TEMPLATES = REPOSITORY / "classroom" / "hub" / "templates"
JUPYTERHUB = Path(sys.prefix, "share", "jupyterhub", "templates")
SAID = words(TEMPLATES / "pages.toml")

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
    """A page as JupyterHub renders it, without a user."""
    from jinja2 import ChainableUndefined, ChoiceLoader, Environment, FileSystemLoader, PrefixLoader

    loader = FileSystemLoader([TEMPLATES, JUPYTERHUB])
    loaders = ChoiceLoader([PrefixLoader({"templates": FileSystemLoader(JUPYTERHUB)}), loader])
    environment = Environment(loader=loaders, autoescape=True, undefined=ChainableUndefined)
    common = {"said": SAID, "base_url": "/hub/", "logout_url": "/logout"}
    common["static_url"] = lambda path, **options: path
    shown = environment.get_template(name).render(**common, **values)
    return BeautifulSoup(shown, "html.parser")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_hub_says_everything_in_every_language(name):
    shown = page(name, **PAGES[name])
    main = shown.select_one("#login-main") or shown.select_one("div.container, div.error")
    for unseen in main(["script", "style"]):
        unseen.decompose()
    said = {language: len(main.find_all(lang=language)) for language in LANGUAGES}
    assert set(said.values()) == {len(main.find_all(lang="en"))} and said["en"] > 0
    for half in main.find_all(lang=True):
        half.decompose()
    left = re.sub(r"[·\s\d%:]+|refresh", "", main.get_text())
    assert left in ("", "Toomany"), f"only in one language: {main.get_text().strip()}"


def test_what_stands_above_every_page_says_everything_in_every_language():
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


# What NativeAuthenticator 1.3 says of a change, in English only; the page goes by it.
BECAME = {
    "changed": "Your password has been changed successfully!",
    "wrong-old": "Your current password was incorrect. Please try again.",
    "differ": "Your new password didn't match the confirmation. Please try again.",
    "too-easy": "Something went wrong!\nBe sure your new password has at least 8 ",
}


@pytest.mark.parametrize("became", BECAME)
def test_what_became_of_a_new_password_is_said_in_every_language(became):
    message = BECAME[became]
    alert = "alert-success" if became == "changed" else "alert-danger"
    shown = page("change-password.html", user_name="ana", alert=alert, result_message=message)
    told = shown.select_one("[role=alert]")
    assert {half["lang"]: half.get_text() for half in told.select("[lang]")} == dict(
        SAID[became].as_dict()
    )
    handlers = pytest.importorskip("nativeauthenticator.handlers")
    source = re.sub(r'"\s+f?"', "", Path(handlers.__file__).read_text(encoding="utf-8"))
    assert message.split("\n")[0] in source


def test_what_the_hub_needs_of_its_pages_is_there():
    def asked(shown: BeautifulSoup) -> set[str]:
        return {each["name"] for each in shown.select("form input[name]")}

    login, changing = page("login.html"), page("change-password.html", user_name="ana")
    assert asked(login) == {"_xsrf", "username", "password"}
    passwords = {"old_password", "new_password", "new_password_confirmation"}
    assert asked(changing) == {"_xsrf", *passwords}
    assert login.select_one("form [type=submit]")
    waiting = page("spawn_pending.html", progress_url="/p")
    for id in ("progress-bar", "sr-progress", "progress-message", "progress-log"):
        assert waiting.find(id=id), id
    assert page("home.html").find(id="start") and not page("home.html").find(id="stop")
    assert page("429.html", status_code=429).find("meta", {"http-equiv": "refresh"})
