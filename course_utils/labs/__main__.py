"""Copy a lab to my_labs/, where updates of the course do not change it.

    python -m course_utils.labs 03_sinusoidal

Copia una práctica en my_labs/, donde ninguna actualización del curso la toca.
"""

import argparse
import sys
from pathlib import Path

from .tasks import LABS

COURSE = Path(__file__).resolve().parents[2]


def main() -> int:
    """Copy the lab, unless a copy already exists, and print the path of the copy."""
    parser = argparse.ArgumentParser(
        prog="python -m course_utils.labs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("lab", choices=LABS)
    lab = parser.parse_args().lab
    copy = Path("my_labs", lab, f"{lab}.ipynb")
    try:
        content = (COURSE / "labs" / lab / f"{lab}.ipynb").read_bytes()
        (COURSE / copy).parent.mkdir(parents=True, exist_ok=True)
        with open(COURSE / copy, "xb") as file:  # never overwrite existing work
            file.write(content)
    except FileExistsError:
        print(f"{copy} is already there and stays as it is. · Ya existe y queda como está.")
        return 1
    except OSError as error:
        print(f"Not copied. · No se copió. {error}")
        return 1
    print(f"Your copy · Tu copia: {copy}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
