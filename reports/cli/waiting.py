"""What a user sees while komi compiles and plays, and what happens at Ctrl-C."""

from __future__ import annotations

import os
import shlex
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from reports.cli.app import INTERRUPTED, command, left, notes
from sim.files.errors import InputError

if TYPE_CHECKING:
    from reports.play.checkpoint import Checkpoint
    from sim.game import Game

GRACE_SECONDS = 1.5  # that an orderly end may take after Ctrl-C


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """Say after a Ctrl-C what is left (mostly nothing), and exit."""
    try:
        yield
    except KeyboardInterrupt:
        notes.print(f"komi: interrupted; {left[0]}")
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def going_on_later(checkpoint: Checkpoint) -> Iterator[None]:
    """Say after a Ctrl-C, or where a file cannot be written, how to go on, and exit."""
    try:
        yield
    except KeyboardInterrupt:
        notes.print(f"komi: interrupted; {_kept(checkpoint)}")
        raise typer.Exit(INTERRUPTED) from None
    except InputError as error:
        if checkpoint.has_something:
            raise InputError([*error.problems, _kept(checkpoint)]) from None
        raise


def _kept(checkpoint: Checkpoint) -> str:
    """Say what there is to go on with after an interruption."""
    return f"what was played is kept; {go_on()}" if checkpoint.has_something else left[0]


def go_on() -> str:
    """Say with which command to go on."""
    words = [word for word in command if word != "--resume"]
    return f"go on with: {shlex.join(['komi', *words, '--resume'])}"


@contextmanager
def compiling(game: Game, compiled: bool) -> Iterator[None]:
    """Announce a compilation that takes long, and end at once on Ctrl-C, which the compiler may swallow; nothing is
    written yet.
    """
    if not compiled:
        notes.print(f"komi: compiling {game.name} for this machine: once, about half a minute …")

    with _on_interrupt(_leave):
        yield


def _leave(*_: object) -> None:
    """End the process at once."""
    os.write(2, f"\nkomi: interrupted; {left[0]}\n".encode())
    os._exit(INTERRUPTED)


@contextmanager
def _on_interrupt(handler: Callable[..., None]) -> Iterator[None]:
    """Handle Ctrl-C in another way than Python does, as long as this lasts."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt, and end the process if that is swallowed or a strategy does not come back."""
    watchdog = threading.Timer(GRACE_SECONDS, _leave)
    watchdog.daemon = True

    def interrupt(*_: object) -> None:
        if not watchdog.is_alive():
            watchdog.start()
        raise KeyboardInterrupt

    try:
        with _on_interrupt(interrupt):
            yield
    finally:
        watchdog.cancel()
