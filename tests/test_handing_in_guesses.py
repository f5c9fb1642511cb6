"""First guesses are handed in only by learners who ticked a box, on a hub that asks."""

import json
import re
from pathlib import Path

import pytest
from checks.labs import REPOSITORY, needs_nbgrader

from course_utils.lessons.kept_guesses import ASKS, keep_guesses
from course_utils.notebook.storage import (
    guesses_are_handed_in,
    hand_in_guesses_from_now_on,
    store_first_guess,
    store_guesses_from_now_on,
)

LAB = "03_sinusoidal"
SUBMIT = "course_utils.teaching.exchange.SubmitWithGuesses"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv(ASKS, raising=False)
    return tmp_path


def handed_in(home: Path, submit: str | None) -> dict[str, str]:
    """What arrives in the exchange, and is noted of it in the student's own folder, by name."""
    from nbgrader.auth import Authenticator
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.exchange.default import ExchangeSubmit
    from traitlets import import_item
    from traitlets.config import Config

    root = home / "exchange" / "course"
    for folder in ("inbound", f"outbound/{LAB}"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    lab = home / "labs" / LAB
    lab.mkdir(parents=True, exist_ok=True)
    (lab / f"{LAB}.ipynb").write_text("{}")
    if submit:
        (lab / "guesses.json").write_text("{}")  # of an earlier day
    config = Config()
    config.CourseDirectory.course_id = "course"
    config.CourseDirectory.assignment_id = LAB
    config.Exchange.root = str(home / "exchange")
    config.Exchange.cache = str(home / "cache")
    config.Exchange.assignment_dir = str(home / "labs")
    kind = import_item(submit) if submit else ExchangeSubmit
    course = CourseDirectory(config=config)
    kind(coursedir=course, authenticator=Authenticator(config=config), config=config).start()
    (arrived,) = (root / "inbound").iterdir()
    return {path.name: path.read_text() for path in arrived.iterdir()}


ALWAYS = {f"{LAB}.ipynb", "timestamp.txt", "submission_secret.txt"}


@needs_nbgrader
@pytest.mark.parametrize(
    ("stored", "ticked", "submit", "sent"),
    [
        (True, True, SUBMIT, True),
        (True, False, SUBMIT, False),
        (False, True, SUBMIT, False),
        (True, True, None, False),  # a hub that does not ask
    ],
)
def test_guesses_arrive_only_from_who_ticked_the_box(home, stored, ticked, submit, sent):
    store_guesses_from_now_on(True)
    store_first_guess("one-sine", True)
    store_first_guess("binary-dot", False)
    store_guesses_from_now_on(stored)
    hand_in_guesses_from_now_on(True)
    hand_in_guesses_from_now_on(ticked)  # a tick that is taken away counts
    found = handed_in(home, submit)
    assert found.keys() - ALWAYS == ({"guesses.json"} if sent else set())
    if sent:
        assert json.loads(found["guesses.json"]) == {"one-sine": True, "binary-dot": False}


@pytest.mark.parametrize("asks", [None, "", "no", "yes"])
def test_the_box_is_there_only_on_a_hub_that_asks_and_is_off(asks, monkeypatch):
    if asks is not None:
        monkeypatch.setenv(ASKS, asks)
    shown = keep_guesses()
    assert hasattr(shown, "handed_in") == (asks == "yes")
    assert not guesses_are_handed_in()
    if asks == "yes":
        assert shown.handed_in.value is False
        shown.handed_in.value = True
        assert guesses_are_handed_in() and shown.box.value
        shown.handed_in.value = False
        assert not guesses_are_handed_in()


def test_nothing_of_the_course_opens_a_connection():
    """Apart from nbgrader's exchange, which copies files, there is no way out."""
    ways_out = (
        "socket",
        "urllib",
        "http.client",
        "requests",
        "fetch(",
        "XMLHttpRequest",
    )
    for path in (REPOSITORY / "course_utils").rglob("*"):
        if path.suffix in (".py", ".js", ".j2"):
            source = path.read_text(encoding="utf-8")
            assert not [way for way in ways_out if re.search(rf"\b{re.escape(way)}", source)], path
