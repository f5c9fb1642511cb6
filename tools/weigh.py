"""Count the lines of Python in each room, content and machinery apart.

    python tools/weigh.py

What is taught, exercises, scenes of explorers and pictures of lessons are content, and may grow.
All else is machinery, which somebody inherits. CONTRIBUTING.md says how much there may be, and
the exit code is 1 where there is more.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGES = ("course_utils", "classroom", "web")
"""What has a budget; the others are only counted."""
OTHERS = ("tools", "benchmarks", "experiments", "tests")
PICTURES_THAT_ALL_SHARE = {"drawing", "on_paper", "panels", "scenes"}
RUNS = {"look_back_runs", "task_runs"}
"""In lessons/, what reads stored runs and draws them; the others serve every lesson."""


def is_content(path: Path) -> bool:
    """Whether a module is there for a lesson, an exercise, an explorer or a picture."""
    match path.parent.relative_to(REPOSITORY).parts:
        case ["course_utils"]:
            return path.stem != "__init__"
        case ["course_utils", "labs", "tasks"]:
            return True
        case ["course_utils", "explorers"]:
            return re.search(r"^def \w+_explorer\(", path.read_text("utf-8"), re.M) is not None
        case ["course_utils", "pictures"]:
            return path.stem not in PICTURES_THAT_ALL_SHARE
        case ["course_utils", "lessons"]:
            return path.stem in RUNS
        case ["web"]:
            return path.stem == "covers"  # the drawings on the cards of lessons
    return False


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def weights(package: str) -> dict[str, tuple[int, int]]:
    """The lines of content and of machinery in each room of a package or folder."""
    found: dict[str, tuple[int, int]] = {}
    for path in sorted((REPOSITORY / package).rglob("*.py")):
        room = "/".join(path.parent.relative_to(REPOSITORY).parts[:2])
        content, machinery = found.get(room, (0, 0))
        if is_content(path):
            content += lines(path)
        else:
            machinery += lines(path)
        found[room] = content, machinery
    return found


def budgets(page: str) -> dict[str, int]:
    """The most lines of machinery in each package, from the table in CONTRIBUTING.md."""
    rows = re.findall(r"^\| `(\w+)/` \| ([\d,]+) \|", page, re.MULTILINE)
    return {package: int(most.replace(",", "")) for package, most in rows}


def main() -> int:
    most = budgets((REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    too_heavy = []
    print(f"{'':24}{'content':>10}{'machinery':>11}{'at most':>10}")
    for package in (*PACKAGES, *OTHERS):
        rooms = weights(package)
        content, machinery = (sum(each) for each in zip(*rooms.values(), strict=True))
        allowed = f"{most[package]:,}" if package in PACKAGES else ""
        print(f"{package + '/':24}{content or '':>10}{machinery:>11,}{allowed:>10}")
        for room, (content, machinery) in rooms.items() if len(rooms) > 1 else ():
            print(f"  {room + '/':22}{content or '':>10}{machinery or '':>11}")
        if package in PACKAGES and sum(each[1] for each in rooms.values()) > most[package]:
            too_heavy.append(package)
    for package in too_heavy:
        print(f"{package}/ has more machinery than CONTRIBUTING.md allows.", file=sys.stderr)
    return bool(too_heavy)


if __name__ == "__main__":
    sys.exit(main())
