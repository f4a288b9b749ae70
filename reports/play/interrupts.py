"""Ctrl-C and its likes, held back where something must be done whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # what asks a process to end in an orderly way


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back what asks this process to end, as long as this lasts; then it comes at once."""
    if threading.current_thread() is not threading.main_thread():  # which alone is interrupted
        yield
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    changed = [number for number, handler in before.items() if handler not in (signal.SIG_IGN, None)]
    for number in changed:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, before[number])
        for number in came[:1]:
            signal.raise_signal(number)
