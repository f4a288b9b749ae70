"""What a user sees while komi compiles and plays, and what happens at Ctrl-C."""

from __future__ import annotations

import os
import re
import shlex
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from reports.cli.app import INTERRUPTED, command, handled, left, notes
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
    words = ["komi", *(word for word in command if word != "--resume"), "--resume"]
    return f"go on with: {' '.join(map(_quoted, words))}"


def _quoted(word: str) -> str:
    """Write a word so that it can be pasted into a shell, whatever bytes its name has."""
    if word.isprintable():
        return shlex.quote(word)
    return "$'" + re.sub(rb"[^ -&(-\[\]-~]", lambda byte: b"\\x%02x" % byte[0][0], os.fsencode(word)).decode() + "'"


@contextmanager
def compiling(game: Game, compiled: bool) -> Iterator[None]:
    """Announce a compilation that takes long, and end at once on Ctrl-C, which the compiler may swallow; nothing is
    written yet.
    """
    if not compiled:
        from sim.kernels.cache import can_keep

        often = "once, about" if can_keep() else "about"
        notes.print(f"komi: compiling {game.name} for this machine: {often} half a minute …")

    with handled(_leave):
        yield


def _leave(*_: object) -> None:
    """End the process at once."""
    os.write(2, f"\nkomi: interrupted; {left[0]}\n".encode())
    os._exit(INTERRUPTED)


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
        with handled(interrupt):
            yield
    finally:
        watchdog.cancel()
