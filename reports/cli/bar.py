"""The bar: one line that tells how many games have been played, as long as they are."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.live import Live
from rich.text import Text

from reports.cli.app import notes

REDRAWN_SECONDS = 0.2
LINE_SECONDS, LINE_SHARE = 10.0, 0.1  # without a terminal, between two lines at least both
MOST_BAR, LEAST_BAR = 40, 8
SHORT_NAME = 12  # to which a name is shortened before what was found is left out
GAP = "  "

Words = str | Callable[[], str]
Share = float | None | Callable[[], float | None]


class Bar:
    """Tells how far playing is: in a terminal a line that is drawn anew, elsewhere (a log) a line now and then.

    Parameters
    ----------
    name : str
        What is played.
    console : Console
        Where it is told.
    clock : function
        Gives seconds.
    """

    def __init__(self, name: str, *, console: Console = notes, clock: Callable[[], float] = time.monotonic):
        self.name, self.console = name, console
        self._clock = clock
        self._started = self._told_at = clock()
        self._first: tuple[float, int] | None = None  # when the first games were there, and how many
        self._shown: tuple[int, int, Words, Share] = (0, 0, "", None)
        self._told_games = 0
        self._live: Live | None = None
        if console.is_terminal and not console.is_dumb_terminal:
            self._live = Live(console=console, auto_refresh=False)

    def __enter__(self) -> Bar:
        self._started = self._told_at = self._clock()
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._draw(self._live)
            self._live.stop()

    def advance(self, games: int, total: int, said: Words = "") -> None:
        """Tell that more games have been played, each of which takes about as long as another."""
        played = self._shown[0] + games
        self.show(played, total, said, min(played / total, 1.0))

    def show(self, games: int, total: int, said: Words = "", share: Share = None) -> None:
        """Tell how many games have been played.

        Parameters
        ----------
        games, total : int
            How many there are, and will be as far as is known.
        said : str, or function that gives it
            What has been found; asked for only where it is shown.
        share : float or None, or function that gives it
            The share of the work that is done, from 0 to 1, for the time left; None if it is not known.
        """
        self._shown, now = (games, total, said, share), self._clock()
        if self._first is None:
            self._first = (now, games)
            self._told_games = games
        if self._live is not None:
            if now - self._told_at >= REDRAWN_SECONDS:
                self._told_at = now
                self._draw(self._live)
        elif now - self._told_at >= LINE_SECONDS and games - self._told_games >= LINE_SHARE * total:
            self._told_at, self._told_games = now, games
            self.console.print(self._line(drawn=False), markup=False)

    def _draw(self, live: Live) -> None:
        if self._first is not None:
            live.update(self._line(drawn=True), refresh=True)

    def _line(self, *, drawn: bool) -> Text:
        games, total, said, share = self._shown
        now, found = self._clock(), share() if callable(share) else share
        assert self._first is not None
        since, before = self._first
        return line(
            self.console.width,
            self.name,
            games,
            total,
            said=said() if callable(said) else said,
            seconds_left=(now - self._started) * (1 - found) / found if found else None,
            speed=(games - before) / (now - since) if now > since and games > before else None,
            drawn=drawn,
        )


def line(
    width: int,
    name: str,
    games: int,
    total: int,
    *,
    said: str = "",
    seconds_left: float | None = None,
    speed: float | None = None,
    drawn: bool = True,
) -> Text:
    """Write one line that is no wider than it may be; numbers are never cut.

    Where there is little room, it does without the speed, the bar, the end of the name, what was found, the time left
    and the name, in this order.

    Parameters
    ----------
    width : int
        Columns.
    name : str
        What is played.
    games, total : int
        How many games there are, and will be.
    said : str
        What has been found.
    seconds_left, speed : float, optional
        Until the end; games a second.
    drawn : bool
        With a bar.
    """
    parts: dict[str, Any] = {
        "name": _plain(name),
        "said": _plain(said),
        "bar": "━" * LEAST_BAR if drawn else "",
        "games": f"{games:,}/{total:,}",
        "speed": f"{speed:,.{0 if speed >= 10 else 1}f} games/s" if speed is not None else "",
        "left": f"{timedelta(seconds=round(seconds_left))} left" if seconds_left is not None else "",
    }

    def room() -> int:
        """Count the columns that are still free."""
        return width - cell_len(GAP.join(filter(None, parts.values())))

    def shorten(least: int) -> None:
        short = Text(parts["name"])
        short.truncate(max(cell_len(parts["name"]) + min(room(), 0), least), overflow="ellipsis")
        parts["name"] = short.plain

    for name_of_part in ("speed", "bar"):
        if room() < 0:
            parts[name_of_part] = ""
    shorten(SHORT_NAME)
    for name_of_part in ("said", "left"):
        if room() < 0:
            parts[name_of_part], parts["name"] = "", _plain(name)
            shorten(1)
    if room() < 0:
        parts["name"] = ""
    told = Text(no_wrap=True, end="" if drawn else "\n")
    for part, words in parts.items():
        if not words:
            continue
        told.append(GAP if told else "")
        if part != "bar":
            told.append(words, style="cyan" if part == "speed" else "")
            continue
        columns = min(LEAST_BAR + max(room(), 0), MOST_BAR)
        full = columns * min(games, total) // max(total, 1)
        told.append("━" * full, style="green").append("━" * (columns - full), style="bright_black")
    return told


def _plain(text: str) -> str:
    """Leave out what moves the cursor."""
    return "".join(sign if sign.isprintable() else " " for sign in text)
