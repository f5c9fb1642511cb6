"""Tests that a student's other code does not affect the points for an answer.

Discussions of such problems include a missing module in the first line
(https://github.com/ucbds-infra/otter-grader/issues/906), and warnings on the error stream
(https://github.com/jupyter/nbgrader/pull/1904, https://github.com/sagemathinc/cocalc/pull/5028).
"""

import os
import warnings

import numpy as np
import pytest
from checks.labs import cell, needs_nbgrader, read

pytestmark = needs_nbgrader

TEST = """from math import tau as turn

result = [round(math.cos(answer * turn)), len(str(answer)), np.arange(2).tolist()]
"""


def test_test_runs_with_names_of_course():
    from classroom.executing import imports_in, with_course_names

    first = "import math\nimport numpy as np\nfrom os.path import join"
    taken = {"math": 1, "np": 2, "round": 3, "len": 4, "str": 5, "turn": 6, "answer": 1}
    code = with_course_names(TEST, imports_in(first))
    with warnings.catch_warnings():
        exec(code, taken)
    assert taken["result"] == [1, 1, [0, 1]]
    assert (taken["math"], taken["round"], taken["turn"]) == (1, 3, 6)  # the student's values stay
    reset = {"answer": 1}
    exec(code, reset)
    assert reset["np"] is np and reset["join"] is os.path.join  # answers need them


def test_strict_settings_end_before_test():
    from classroom.executing import with_course_names

    with np.errstate(all="raise"), warnings.catch_warnings(record=True):
        warnings.simplefilter("error")
        names = {"np": np}
        exec(with_course_names("result = np.float64(1) / 0 * 1e-320", []), names)
    assert names["result"] == np.inf


@pytest.mark.parametrize("lab", ["01_naive", "02_binary", "05_relative", "07_longer"])
def test_hidden_tests_use_only_known_names(lab):
    from classroom.executing import PREFIX, imports_in, with_course_names
    from classroom.putting_back import released_exercises, tree_of

    folder = next(each for each in labs() if each.startswith(lab[:2]))
    notebook = read("solutions", folder)
    imports = imports_in(cell(notebook, "switch").source)
    for each in released_exercises(notebook):
        code = with_course_names(each.test["source"], imports)
        assert f"{PREFIX}check(" in code and f"{PREFIX}grade(" in code and tree_of(code).body


def labs() -> list[str]:
    from checks.labs import REPOSITORY

    return sorted(path.name for path in (REPOSITORY / "solutions").iterdir() if path.is_dir())


def test_missing_module_is_reported_after_other_cells():
    from classroom.executing import with_imports_last

    names = {}
    code = (
        "import math, no_such\nfrom no_such.too import *\nfrom os import no_such_name\nx = math.pi"
    )
    with pytest.raises(ModuleNotFoundError, match="no_such"):
        exec(with_imports_last(code), names)
    assert names["x"] == np.pi
    with pytest.raises(NameError, match="get_ipython"):  # a magic, without IPython
        exec(with_imports_last("%matplotlib widget\nx = 3"), names)
    assert names["x"] == 3
    exec(with_imports_last("from __future__ import annotations\nimport math\ny = 2"), names)
    assert names["y"] == 2
