"""The hub's own pages say everything in every language of the course."""

import re
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from checks.labs import REPOSITORY

from course_utils.words.text import LANGUAGES, words

TEMPLATES = REPOSITORY / "deploy" / "hub" / "templates"
JUPYTERHUB = Path(sys.prefix, "share", "jupyterhub", "templates")
SAID = words(TEMPLATES / "pages.toml")
PAGES = {
    "login.html": {"login_error": "Invalid"},
    "429.html": {"status_code": 429, "status_message": "Too many"},
    "spawn_pending.html": {"progress_url": "/progress"},
    "not_running.html": {"failed": False, "spawn_url": "/spawn"},
    "stop_pending.html": {},
}
NAMES = {"JupyterHub logo", "Home", "Token", "Login", "Logout", "JupyterHub"}


def page(name: str, **values: object) -> BeautifulSoup:
    """A page as JupyterHub renders it, without a user."""
    from jinja2 import ChainableUndefined, ChoiceLoader, Environment, FileSystemLoader, PrefixLoader

    loader = FileSystemLoader([TEMPLATES, JUPYTERHUB])
    loaders = ChoiceLoader([PrefixLoader({"templates": FileSystemLoader(JUPYTERHUB)}), loader])
    environment = Environment(loader=loaders, autoescape=True, undefined=ChainableUndefined)
    common = {"said": SAID, "static_url": lambda path, **options: path, "base_url": "/hub/"}
    shown = environment.get_template(name).render(**common, **values)
    return BeautifulSoup(shown, "html.parser")


@pytest.mark.skipif(not JUPYTERHUB.exists(), reason="JupyterHub is missing: install .[hub]")
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


@pytest.mark.skipif(not JUPYTERHUB.exists(), reason="JupyterHub is missing: install .[hub]")
def test_what_the_hub_needs_of_its_pages_is_there():
    login = page("login.html")
    assert {each["name"] for each in login.select("form input[name]")} == {
        "_xsrf",
        "username",
        "password",
    }
    assert login.select_one("form [type=submit]")
    waiting = page("spawn_pending.html", progress_url="/p")
    for id in ("progress-bar", "sr-progress", "progress-message", "progress-log"):
        assert waiting.find(id=id), id
    assert page("429.html", status_code=429).find("meta", {"http-equiv": "refresh"})


def test_pages_and_tools_know_no_language_by_its_code():
    """One more is an entry in languages.toml, and words."""
    files = [*TEMPLATES.glob("*.html"), REPOSITORY / "tools" / "make_teaching.py"]
    files += (REPOSITORY / "course_utils" / "teaching").rglob("*.j2")
    files += (REPOSITORY / "course_utils" / "teaching").rglob("*.py")
    for path in files:
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"""["'](en|es)["']""", source), path
