"""A verdict follows from what was measured, and from nothing else."""

from __future__ import annotations

import pytest

from course_utils.folklore import verdict
from course_utils.language import Text

BECAUSE = Text("The error is 3.", "El error es 3.")


@pytest.mark.parametrize(
    ("always", "usually", "english", "spanish"),
    [
        (True, True, "True.", "Verdadero."),
        (False, True, "True within limits.", "Verdadero con límites."),
        (False, False, "False.", "Falso."),
    ],
)
def test_the_verdict_follows_the_measurements(always, usually, english, spanish):
    shown = verdict(always=always, usually=usually, because=BECAUSE)
    assert shown.plain == f"{english} {BECAUSE.en}\n{spanish} {BECAUSE.es}"
    assert f'<div lang="es" class="course-es"><b>{spanish}</b> {BECAUSE.es}</div>' in shown.html


def test_what_holds_always_must_hold_usually():
    with pytest.raises(ValueError, match="usually must be true"):
        verdict(always=True, usually=False, because=BECAUSE)
