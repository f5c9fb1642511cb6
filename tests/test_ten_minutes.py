"""What the idea in ten minutes says of the model that reads, on texts that were held out."""

import numpy as np
import pytest

from course_utils.text_model import TRAINED_LENGTH, held_out_texts, read
from course_utils.words.text import LANGUAGES

LENGTH = 150
N_TEXTS = 6


@pytest.fixture(scope="module")
def surprise() -> dict[str, np.ndarray]:
    """Bits at each character, by encoding, a mean over texts in both languages."""
    texts = [
        text[: LENGTH + 1]
        for language in LANGUAGES
        for text in held_out_texts(language)
        if len(text) > LENGTH
    ]
    chosen = texts[:N_TEXTS] + texts[-N_TEXTS:]
    return {
        encoding: np.mean([read(text, encoding).bits[:LENGTH] for text in chosen], axis=0)
        for encoding in ("sinusoidal", "rope")
    }


def test_sinusoids_lose_their_way_at_once_and_rope_later(surprise) -> None:
    within = slice(20, TRAINED_LENGTH - 1)
    right_behind = slice(TRAINED_LENGTH, TRAINED_LENGTH + 20)
    far_behind = slice(2 * TRAINED_LENGTH - 14, LENGTH)
    trained = {encoding: bits[within].mean() for encoding, bits in surprise.items()}
    assert surprise["sinusoidal"][right_behind].mean() > trained["sinusoidal"] + 1.5
    assert surprise["rope"][right_behind].mean() < trained["rope"] + 0.7
    assert surprise["rope"][far_behind].mean() > trained["rope"] + 1.5
