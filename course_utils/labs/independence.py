"""Each exercise counts on its own: while one is judged, those before it are the right ones."""

from collections.abc import Iterator
from contextlib import contextmanager

from .exercise import Exercise
from .tasks import LABS


@contextmanager
def right_ones_before(exercise: Exercise, namespace: dict[str, object]) -> Iterator[None]:
    """Put right answers under the names of a lab's earlier exercises, then the learner's back."""
    lab = next(exercises for exercises in LABS.values() if exercise in exercises)
    right = {earlier.name: earlier.right_answer() for earlier in lab[: lab.index(exercise)]}
    learners = {name: namespace[name] for name in right if name in namespace}
    namespace.update(right)
    try:
        yield
    finally:
        for name in right:
            namespace.pop(name, None)
        namespace.update(learners)
