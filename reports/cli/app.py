"""The command ``komi``: what all its commands share, and how it ends."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import Annotated, Any

import typer
from rich.console import Console

from reports.play.interrupts import INTERRUPTS
from sim.files.errors import InputError

app = typer.Typer(
    help="A Monte Carlo balance simulator for two-player trading card games.", no_args_is_help=True,
    add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich",
)  # fmt: skip
NOTHING = "nothing was written"
command: list[str] = []  # the words after `komi`, to tell how to go on
left = [NOTHING]  # what to say of an end that keeps nothing of what was being played
notes = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)

DIFFERENT, UNUSABLE, INTERRUPTED = 1, 2, 130
MOST_JOBS = 1024

SetOption = Annotated[str, typer.Option("--set", help="The card set: its name or a TOML file.")]
JobsOption = Annotated[
    int, typer.Option(help="How many play at once; by default one a core. Changes no result.", show_default=False)
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace a report that is there.")]


def _refuse_code(given: bool) -> None:
    if given:
        from sim.library import RUNS_CODE

        RUNS_CODE.set(False)


NoCodeOption = Annotated[
    bool,
    typer.Option(
        "--no-code", callback=_refuse_code, help="Refuse strategies and games that are Python files: nothing is run."
    ),
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Another seed than the study's.")]


def main(argv: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : list of str, optional
        The words after ``komi``; by default the process's.

    Returns
    -------
    int
        Exit code: 0; 1 if `check` found a difference; 2 for what a user can mend; 130 after Ctrl-C, SIGTERM or SIGHUP.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace", **({} if _speaks_unicode(stream) else {"encoding": "utf-8"}))
    command[:] = sys.argv[1:] if argv is None else argv
    left[:] = [NOTHING]
    try:
        with as_interrupts():
            copy_context().run(app, args=argv, prog_name="komi")  # what a command sets is gone after it
    except SystemExit as stop:
        return int(stop.code or 0)
    except InputError as error:
        tell(error)
        return UNUSABLE
    except KeyboardInterrupt:
        notes.print("komi: interrupted")
        return INTERRUPTED
    except OSError as error:
        tell(InputError(f"{error.filename or 'output'}: {error.strerror or error}"))
        return UNUSABLE
    return 0


@contextmanager
def as_interrupts() -> Iterator[None]:
    """Take what asks a process to end (SIGTERM, SIGHUP) as Ctrl-C; nohup's wish not to be hung up on is kept."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with handled(interrupt):
        yield


@contextmanager
def handled(handler: Callable[..., None]) -> Iterator[None]:
    """Handle Ctrl-C and its likes in another way, as long as this lasts."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    for number, was in before.items():
        if number == signal.SIGINT or was is not signal.SIG_IGN:
            signal.signal(number, handler)
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)


def _speaks_unicode(stream: Any) -> bool:
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "").startswith("utf")


def tell(error: InputError) -> None:
    """Print what is wrong, a line a problem."""
    for problem in error.problems:
        print(f"komi: {problem}", file=sys.stderr)


def words(text: str | None) -> list[str] | None:
    """Split a list at its commas; None stays None."""
    return None if text is None else [word.strip() for word in text.split(",")]


def check_jobs(jobs: int) -> None:
    """Refuse a number of workers that cannot be."""
    if jobs != -1 and not 1 <= jobs <= MOST_JOBS:
        raise InputError(f"--jobs: found {jobs}, expected 1 to {MOST_JOBS}")
