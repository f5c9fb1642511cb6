"""The Stop button, also for code that catches everything: ``while True: try: ... except: ...``."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_caught_at_most_once() -> Iterator[None]:
    """While this lasts, an interrupt that is caught is raised once more, in the next line."""
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
    if frame is not None:
        frame.f_trace = _interrupt_again
        sys.settrace(lambda *called: None)
    raise KeyboardInterrupt


def _interrupt_again(frame: FrameType, event: str, argument: object) -> None:
    raise KeyboardInterrupt
