"""List sentences that break the course's style rules.

    python tools/prose.py                        all texts
    python tools/prose.py web README.md          the texts of some files or folders
    python tools/prose.py --count                how often each habit occurs, in each kind of text
    python tools/prose.py --since origin/main    only the lines changed since a revision

With --since, the exit code is 1 if any sentence should be changed. ``prose.toml`` lists the habits
with suggested replacements, and phrases that are allowed as exceptions.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from passages import READERS, numbered, sentences

REPOSITORY = Path(__file__).resolve().parent.parent
RULES = tomllib.loads(Path(__file__).with_name("prose.toml").read_text("utf-8"))
WORDS = tomllib.loads((REPOSITORY / "tests/checks/languages.toml").read_text("utf-8"))
FUNCTION_WORDS = {code: set(words.split()) for code, words in WORDS["function-words"].items()}
HABITS = {
    code: [(habit, re.compile(habit["pattern"], re.IGNORECASE)) for habit in RULES[code]]
    for code in FUNCTION_WORDS
}
KINDS = ("documents", "notebooks", "texts", "docstrings", "comments", "tests")


class Fault(NamedTuple):
    """A sentence with its line numbers and the habit that it shows."""

    kind: str
    where: range
    sentence: str
    habit: str
    repair: str


def faults(path: Path) -> Iterator[Fault]:
    """Yield the sentences in a file that show a habit, and test names that are too long."""
    language = "en"
    for kind, marked, lines, opening in READERS[path.suffix](numbered(path.read_text("utf-8"))):
        if marked in HABITS:
            language = marked
        else:  # Documents do not mark their languages.
            words = re.findall(r"\w+", " ".join(line for _, line in lines).lower())
            votes = {code: sum(word in FUNCTION_WORDS[code] for word in words) for code in HABITS}
            language = max([language, *HABITS], key=votes.__getitem__)
        for position, (where, sentence) in enumerate(sentences(lines)):
            if any(phrase in sentence for phrase in RULES["allowed"]):
                continue
            if kind == "tests":
                if len(sentence) > RULES["longest_test_name"]:
                    yield Fault(kind, where, sentence, "long name", "say it in 60 characters")
                continue
            if len(re.findall(r"[^\W_]\S*", sentence)) > RULES["longest_sentence"]:
                yield Fault(kind, where, sentence, "long sentence", "make two sentences")
            for habit, pattern in HABITS[language]:
                if habit.get("opening") and not (opening and position == 0):
                    continue
                if kind in habit.get("kinds", KINDS) and pattern.search(sentence):
                    yield Fault(kind, where, sentence, habit["habit"], habit["repair"])


def git(*command: str) -> str:
    command = ("git", "-c", "core.quotepath=off", *command)
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, encoding="utf-8")
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def changed_lines(diff: str) -> dict[str, set[int]]:
    """Return the numbers of new lines in each file from the output of ``git diff -U0``."""
    changed: dict[str, set[int]] = {}
    for path, first, count in re.findall(
        r"^\+\+\+ b/(.*?)\t?$|^@@ -\S+ \+(\d+)(?:,(\d+))? @@", diff, re.MULTILINE
    ):
        if path:
            numbers = changed.setdefault(path, set())
        else:
            numbers.update(range(int(first), int(first) + int(count or 1)))
    return changed


def print_counts(found: Iterable[Fault]) -> None:
    """Print a table of the number of occurrences of each habit in each kind of text."""
    counts = Counter((fault.habit, fault.kind) for fault in found)
    totals = Counter(habit for habit, _ in counts.elements())
    print(f"{'habit':40}{'total':>7}", *(f"{kind:>10}" for kind in KINDS))
    for habit, total in totals.most_common():
        print(f"{habit:40}{total:>7}", *(f"{counts[habit, kind] or '':>10}" for kind in KINDS))
    sums = (sum(n for (_, each), n in counts.items() if each == kind) for kind in KINDS)
    print(f"{'total':40}{totals.total():>7}", *(f"{each or '':>10}" for each in sums))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*", help="default: all texts except generated files")
    parser.add_argument("--count", action="store_true", help="count the habits")
    parser.add_argument("--since", metavar="REV", help="only lines changed since this revision")
    chosen = parser.parse_args(arguments)
    paths = chosen.paths or [".", *(f":!{path}" for path in RULES["generated"])]
    names = git("ls-files", "-z", "--", *paths).split("\0")
    changed = None
    if chosen.since:
        changed = changed_lines(git("diff", "-U0", "--no-prefix", "--dst-prefix=b/", chosen.since))
        names = [name for name in names if name in changed]
    found = [
        (name, fault)
        for name in names
        if Path(name).suffix in READERS and (REPOSITORY / name).exists()
        for fault in faults(REPOSITORY / name)
        if changed is None or changed[name].intersection(fault.where)
    ]
    if chosen.count:
        print_counts(fault for _, fault in found)
    else:
        for name, fault in found:
            print(f"{name}:{fault.where.start}: {fault.sentence} … {fault.habit} → {fault.repair}")
    return bool(chosen.since and found)


if __name__ == "__main__":
    sys.exit(main())
