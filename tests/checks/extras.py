"""Optional requirements of tests, and a summary of the tests that were skipped."""

from __future__ import annotations

import re
from collections import Counter

COMMAND = 'python -m pip install -c constraints.txt -e ".[{}]"'
MISSING = re.compile(r'(.+) is missing: .+\[([a-z]+)\]"')


def missing(name: str, extra: str) -> str:
    """Return the reason for skipping a test if an extra is not installed."""
    return f"{name} is missing: {COMMAND.format(extra)}"


def not_tested(reasons: Counter[str]) -> str:
    """Return a line that summarises skipped tests, with the command for running them."""
    parts, extras = [], set()
    for reason, count in reasons.most_common():
        cases = f"{count} case{'s' * (count > 1)}"
        if found := MISSING.fullmatch(reason):
            parts.append(f"what needs {found[1]} ({cases})")
            extras.add(found[2])
        else:
            parts.append(f"{cases}, since {reason}")
    line = f"Not tested: {'; '.join(parts)}."
    if extras:
        line += f" To test that too: {COMMAND.format(','.join(sorted(extras)))} && python -m pytest"
    return line
