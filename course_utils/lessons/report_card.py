"""The report card, which compares encodings by measuring a list of requirements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..notebook.display import KEEPS_KEYS, Shown, disclosure
from ..properties import largest_change, largest_step_share, smallest_distance
from ..refusals import one_of
from ..schemes import N_LANDMARKS, Scheme, scheme_named
from ..words.encoding_names import ENCODING_NAMES
from ..words.text import Text, typeset, words

__all__ = ["REQUIREMENTS", "Judged", "Measured", "judge", "report_card"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
VERDICTS = words(Path(__file__).with_name("verdicts.toml"))

SIZES = ((64, 6), (200, 6), (64, 64))
"""Sizes ``(n_positions, d_model)`` of the measured tables."""

N_TABLES = 100
"""Number of random tables that represent a learned encoding."""

EQUAL = 1e-9
"""Tolerance for rounding errors; all actual differences are larger than 0.001."""

NEAR, FAR = 1, 10
"""Distances at which the scores of a distance-aware encoding must differ."""

LATER = 500
"""A large position, as in lesson 02."""

# The card states that these thresholds are our choice; other thresholds can change a cell.

LEAST_WORD = 0.25
"""Minimum word share that an encoding with bounded values must preserve."""

LONGEST_STEP = 0.5
"""Maximum step of a smooth encoding, relative to the largest distance in the table."""

MOST_LEARNED = 100
"""Maximum number of learned parameters of a cheap encoding."""


@dataclass(frozen=True)
class Measured:
    """Result of measuring one requirement on one table, with the measured numbers.

    ``met`` is None if the requirement does not apply. ``sentence`` is the key of a sentence in
    report_card.toml, which contains placeholders for the numbers.
    """

    met: bool | None
    sentence: str
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Judged:
    """A cell of the card: ``met``, ``unmet``, ``depends`` or ``inapplicable``, with the reason."""

    state: str
    how: Text


def measure_unique(scheme: Scheme, n_positions: int, d_model: int) -> Measured:
    """Check that all rows are different."""
    table = scheme.vectors(n_positions, d_model)
    _, first_seen = np.unique(table.round(9), axis=0, return_index=True)
    if len(first_seen) < n_positions:
        repeated = np.setdiff1d(np.arange(n_positions), first_seen)[0]
        return Measured(False, "repeats", {"first": int(repeated)})
    return Measured(True, "unique", {"nearest": smallest_distance(table)})


def measure_consistent(scheme: Scheme, n_positions: int, d_model: int) -> Measured:
    """Check that the rows do not change when the sequence becomes twice as long."""
    shorter = n_positions // 2
    change = largest_change(scheme.vectors, shorter, n_positions, d_model)
    numbers = {"shorter": shorter, "longer": n_positions, "change": change}
    return Measured(change < EQUAL, "consistent", numbers)


def measure_bounded(scheme: Scheme, n_positions: int, d_model: int) -> Measured:
    """Check that the word share of an average word with values from -1 to 1 is large enough."""
    if not scheme.is_added:
        return Measured(None, "nothing-added")
    word = np.sqrt(d_model / 3)
    longest = np.linalg.norm(scheme.vectors(n_positions, d_model), axis=1).max()
    share = float(word / (word + longest))
    numbers = {"share": round(100 * share, 1), "limit": 100 * LEAST_WORD}
    return Measured(share >= LEAST_WORD, "bounded", numbers)


def measure_distance_aware(scheme: Scheme, n_positions: int, d_model: int) -> Measured:
    """Check that scores depend only on distance and differ between near and far pairs."""
    scores = scheme.scores(n_positions, d_model)
    spread = max(float(np.ptp(np.diagonal(scores, -r))) for r in range(1, n_positions))
    near, far = float(scores[NEAR, 0]), float(scores[FAR, 0])
    numbers = {"spread": spread, "near": near, "far": far}
    return Measured(spread < EQUAL < abs(near - far), "distance-aware", numbers)


def measure_smooth(scheme: Scheme, n_positions: int, d_model: int) -> Measured:
    """Check that every step is small compared with the largest distance in the table."""
    share = largest_step_share(scheme.vectors(n_positions, d_model))
    if share == 0:
        return Measured(None, "no-step")
    numbers = {"share": round(100 * share), "limit": 100 * LONGEST_STEP}
    return Measured(share <= LONGEST_STEP, "smooth", numbers)


def measure_beyond(scheme: Scheme, n_positions: int, d_model: int) -> Measured:
    """Check that the encoding is defined at a large position, such as 500."""
    try:
        scheme.vectors(max(n_positions, LATER + 1), d_model)
    except ValueError:
        return Measured(False, "refused", {"later": LATER})
    return Measured(True, "beyond", {"later": LATER})


def measure_cheap(scheme: Scheme, n_positions: int, d_model: int) -> Measured:
    """Check that a row is computed only from its position, with few learned parameters."""
    n_learned = scheme.n_learned(d_model)
    change = largest_change(scheme.vectors, n_positions // 2, n_positions, d_model)
    numbers = {"n_learned": n_learned, "limit": MOST_LEARNED, "change": change}
    return Measured(n_learned <= MOST_LEARNED and change < EQUAL, "cheap", numbers)


REQUIREMENTS: dict[str, Callable[[Scheme, int, int], Measured]] = {
    "unique": measure_unique,
    "bounded": measure_bounded,
    "consistent": measure_consistent,
    "cheap": measure_cheap,
    "beyond": measure_beyond,
    "smooth": measure_smooth,
    "distance-aware": measure_distance_aware,
}
"""Functions that measure the requirements, keyed by their names in report_card.toml."""


def judge(scheme: Scheme, requirement: str) -> Judged:
    """Measure a requirement at every size of the card.

    Sizes that an encoding does not allow are skipped. If the results for different sizes or tables
    differ, the state is ``depends``, and the cell explains the conditions.
    """
    tables = [scheme] if scheme.drawn is None else [scheme.drawn(i) for i in range(N_TABLES)]
    by_size = {}
    for size in SIZES:
        try:
            by_size[size] = [REQUIREMENTS[requirement](table, *size) for table in tables]
        except ValueError:
            continue
    states = {size: _state(measured) for size, measured in by_size.items()}
    usual = states[SIZES[0]]
    how = _said(by_size[SIZES[0]], scheme)
    for size, state in states.items():
        if state != usual:
            there = TEXTS["at-size"].format(n_positions=size[0], d_model=size[1])
            how = how + there + VERDICTS[state].map("{}.".format) + _said(by_size[size], scheme)
    return Judged(usual if set(states.values()) == {usual} else "depends", how)


def report_card(*schemes: str, requirements: Iterable[str] | None = None) -> Shown:
    """Measure encodings and return the report card.

    Args:
        schemes: One or more keys of ``SCHEMES``, in the order of the columns.
        requirements: Keys of ``REQUIREMENTS``, in the order of the rows. By default, all
            requirements are shown.

    Raises:
        ValueError: If no encoding or no requirement is passed, or if a name is unknown.
    """
    columns = [scheme_named(name) for name in schemes or (None,)]  # scheme_named rejects None.
    names = [ENCODING_NAMES[name] for name in schemes]
    header = "".join(f'<th scope="col">{name.inline()}</th>' for name in names)
    rows, lines = [], []
    for name in _requirements(requirements):
        requirement, definition = TEXTS["requirement"][name], TEXTS["definition"][name]
        lines.append((requirement.map("{}:".format) + definition).lines)
        cells = []
        for called, scheme in zip(names, columns, strict=True):
            judged = judge(scheme, name)
            verdict = VERDICTS[judged.state]
            cells.append(
                f'<td class="course-{judged.state}">{disclosure(verdict, judged.how.blocks())}</td>'
            )
            lines.append((called + requirement + verdict + judged.how).lines)
        row_header = f'<th scope="row">{disclosure(requirement, definition.blocks())}</th>'
        rows.append(f"<tr>{row_header}{''.join(cells)}</tr>")
    note = _note(columns)
    return Shown(
        html=f'<table class="course-report-card {KEEPS_KEYS}">'
        f"<thead><tr><td></td>{header}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"{note.blocks()}",
        plain="\n".join([*lines, note.lines]),
    )


def _note(schemes: list[Scheme]) -> Text:
    note = TEXTS["note"]
    if any(scheme.drawn for scheme in schemes):
        note = note + TEXTS["note-tables"].format(n_tables=N_TABLES)
    if not all(scheme.is_added for scheme in schemes):
        note = note + TEXTS["note-scores"].format(n_landmarks=N_LANDMARKS)
    return note


def _requirements(names: Iterable[str] | None) -> list[str]:
    if names is None:
        return list(REQUIREMENTS)
    # If no name is passed, one_of rejects None.
    return [one_of("a requirement", name, REQUIREMENTS) for name in tuple(names) or (None,)]


def _state(measured: list[Measured]) -> str:
    answers = {each.met for each in measured}
    names = {True: "met", False: "unmet", None: "inapplicable"}
    return names[answers.pop()] if len(answers) == 1 else "depends"


def _said(measured: list[Measured], scheme: Scheme) -> Text:
    """Return a sentence with the numbers, or with their ranges if many tables were measured."""
    first = measured[0]
    ranges = {
        name: _range([each.numbers[name] for each in measured if each.sentence == first.sentence])
        for name in first.numbers
    }
    scores = TEXTS["scores"]["dot-products" if scheme.is_added else "scores"]
    how = TEXTS["measured"][first.sentence].format(scores=scores, **ranges)
    if len(measured) > 1 and first.met is not None:
        n_met = sum(bool(each.met) for each in measured)
        how = how + TEXTS["of-tables"].format(n_met=n_met, n_tables=len(measured))
    return how


def _range(numbers: list[float]) -> str:
    low, high = _number(min(numbers)), _number(max(numbers))
    return typeset(low if low == high else f"{low} … {high}")


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) > EQUAL else "0"
