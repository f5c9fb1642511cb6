"""A made-up class of a hundred, graded: whoever looks at its overview shares one."""

import pytest
from checks.class_of import GradedClass
from checks.hundred import LAB, a_hundred

from classroom.findings import Overview, overview_of
from classroom.submissions import class_work
from classroom.tomorrow import topics_of


@pytest.fixture(scope="session")
def hundred(tmp_path_factory: pytest.TempPathFactory) -> GradedClass:
    return a_hundred(tmp_path_factory.mktemp("hundred"))


@pytest.fixture(scope="session")
def overview(hundred: GradedClass) -> Overview:
    return overview_of(class_work(LAB, hundred.folders))


@pytest.fixture(scope="session")
def topics(overview: Overview, hundred: GradedClass) -> tuple:
    return topics_of(overview, hundred.folders)
