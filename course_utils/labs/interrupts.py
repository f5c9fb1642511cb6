"""The Stop button, also for code that catches it: ``while True: try: ... except: pass``."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import dropwhile, takewhile
from pathlib import Path
from traceback import walk_stack
from types import FrameType

FOLDER = Path(__file__).parent
TraceFunction = Callable[[FrameType, str, object], object]


@contextmanager
def interrupts_caught_at_most_once() -> Iterator[None]:
    """While this lasts, an interrupt that some code catches is raised once more, in its next line.

    That leaves every loop but one that catches what is raised where it catches. As always, what
    runs inside a function of NumPy comes to its end first.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    traced_before = sys.gettrace()
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.settrace(traced_before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    frames = dropwhile(_is_ours, (frame for frame, _ in walk_stack(frame)))
    for frame in takewhile(lambda frame: not _is_ours(frame), frames):
        frame.f_trace = _interrupt_again
    sys.settrace(lambda *called: None)  # without which no frame is traced
    raise KeyboardInterrupt


def _is_ours(frame: FrameType) -> bool:
    """Whether it runs the answer, or takes what the answer prints."""
    return Path(frame.f_code.co_filename).parent == FOLDER


def _interrupt_again(frame: FrameType, event: str, argument: object) -> TraceFunction:
    if event == "line":
        raise KeyboardInterrupt
    return _interrupt_again
