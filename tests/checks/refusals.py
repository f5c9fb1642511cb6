"""Check that invalid input is rejected with a clear error message."""

import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

import course_utils

PACKAGE = Path(course_utils.__file__).parent


def assert_refused(
    call: Callable[[], object], *words: str, kind: type[Exception] | None = None
) -> None:
    """Check that a call raises TypeError or ValueError with a one-sentence message.

    The package itself must raise the error, which must be of the given ``kind``. The message must
    contain all words in ``words``.
    """
    with pytest.raises((TypeError, ValueError)) as refused:
        call()
    error = refused.value
    assert type(error) in ((kind,) if kind else (TypeError, ValueError))
    innermost = traceback.extract_tb(error.__traceback__)[-1]
    assert PACKAGE in Path(innermost.filename).parents, f"raised inside {innermost.filename}"
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__, "a second traceback is shown"
    sentence = str(error)
    assert sentence.endswith(".") and "\n" not in sentence and len(sentence) < 250, sentence
    assert " must " in sentence or " too large " in sentence or " not fit " in sentence, sentence
    for word in words:
        assert word in sentence, f"{word!r} is not in {sentence!r}"
