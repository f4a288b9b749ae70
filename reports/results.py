"""Results of a study: counts by matchup, gathered as chunks come in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from numpy.typing import NDArray

from reports.games_file import GamesFile
from reports.progress import Progress
from reports.schedule import Schedule
from reports.study import Study, load_study, versions
from reports.until import Decision
from sim.counts import Counts, Joint, other_side
from sim.run import Matchup, StrategyError

if TYPE_CHECKING:
    import numpy as np

    from reports.checkpoint import Checkpoint


@dataclass(frozen=True, eq=False)
class Results:
    """What a study has found.

    Attributes
    ----------
    study : Study
        What was asked.
    matchups : list of Matchup
        What was played.
    counts : list of Counts
        How the games of each matchup went, in the same order.
    stops : list of Decision or None
        Why each matchup was stopped, in the same order; None if it was not.
    versions : dict of str to str
        What played: the versions of komi, Python and libraries.
    others : list of lists of (Counts, Joint)
        How the games of each matchup went with each variant of the study's sweep, in its order, and beside those without; empty
        lists without a sweep.
    """

    study: Study
    matchups: list[Matchup]
    counts: list[Counts]
    stops: list[Decision | None]
    versions: dict[str, str]
    others: list[list[tuple[Counts, Joint]]] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many games were played, those of variants included."""
        return sum(counts.games for counts in self.counts) + sum(counts.games for part in self.others for counts, _ in part)

    def played(self) -> Iterator[tuple[Matchup, Counts]]:
        """Go through the matchups that have been played, with their counts."""
        return ((matchup, counts) for matchup, counts in zip(self.matchups, self.counts, strict=True) if counts.scores.any())

    def deck_scores(self, strategy_label: str, deck: str) -> Iterator[tuple[str, NDArray[np.int64]]]:
        """Give the opponents of a deck, one strategy on both sides, with the nine counts from the deck's side."""
        for matchup, counts in self.played():
            if matchup.strategies == (strategy_label, strategy_label):
                if matchup.a.deck_label == deck:
                    yield matchup.b.deck_label, counts.scores
                elif matchup.b.deck_label == deck:
                    yield matchup.a.deck_label, other_side(counts.scores)

    def decks_met(self, strategy_label: str) -> dict[tuple[int, int], NDArray[np.int64]]:
        """Give the nine counts of each two different decks, by their places in the study, one strategy on both sides.

        The place of the deck whose side is counted is the smaller one. Empty if no two decks met.
        """
        decks = list(self.study.decks)
        return {
            (i, decks.index(opponent)): scores
            for i, deck in enumerate(decks)
            for opponent, scores in self.deck_scores(strategy_label, deck)
            if i < decks.index(opponent)
        }


def from_side_of(matchup: Matchup, counts: Counts, strategy_label: str) -> NDArray[np.int64]:
    """Turn the nine counts so that the named strategy is side A."""
    return counts.scores if matchup.a.strategy_label == strategy_label else other_side(counts.scores)


def run_study(
    study: Study | str | Path,
    *,
    jobs: int = -1,
    games_file: Path | None = None,
    progress: Callable[[Progress], object] | None = None,
    checkpoint: Checkpoint | None = None,
    resume: bool = False,
    backend: str = "threads",
    scheduler: str | None = None,
) -> Results:
    """Play a study.

    Parameters
    ----------
    study : Study, str or Path
        A study, the path of its file, or a game's name for its starter study.
    jobs : int
        Threads or processes; -1 for one a core. Changes no result.
    games_file : Path, optional
        Write a row for each single game to this Parquet file; of a sweep, those of the study as it stands.
    progress : function, optional
        Called with what has been played, whenever a chunk is done.
    checkpoint : Checkpoint, optional
        Where to save what has been played, now and then and when playing ends early.
    resume : bool
        Go on with what is saved there.
    backend : str
        Where to play: ``"threads"``, ``"processes"`` or ``"dask"``. Changes no result.
    scheduler : str, optional
        The address of Dask's scheduler, ``"tcp://10.0.0.1:8786"``.

    Returns
    -------
    Results
        The same for the same study and seed, on any machine, after any interruption.

    Raises
    ------
    InputError
        If the study cannot be used, a strategy makes an illegal choice, a file cannot be written, or the backend's workers cannot play.
    """
    from reports.backends import playing

    if not isinstance(study, Study):
        study = load_study(study)
    runner = study.runner(keep_rows=games_file is not None)
    schedule = Schedule(runner, study.until)
    played = Progress.nothing(runner, schedule.fresh_from)
    if resume and checkpoint is not None:
        played = checkpoint.load(runner, schedule.fresh_from)
    workers = ExitStack()
    play = workers.enter_context(playing(study, runner, jobs=jobs, backend=backend, scheduler=scheduler))
    rows = None
    try:
        if games_file is not None:
            rows = GamesFile(games_file, study, runner, None if checkpoint is None else checkpoint.games)
        if rows is not None and resume:
            rows.go_on(sum(part.pairs for part in played.reported))
        while blocks := schedule.next(played):
            played.total = played.games + sum(2 * block.pairs * (1 + len(runner.matchups[block.matchup].others)) for block in blocks)
            for chunk in play(blocks):
                if chunk.pairs == 0:  # it was stopped
                    continue
                played.add(chunk)
                whole = rows is None or not played.reports(chunk) or rows.add(chunk)
                if checkpoint is not None and whole:
                    checkpoint.save(played, now=False)
                if progress is not None:
                    progress(played)
        if rows is not None:
            rows.finish()
        if checkpoint is not None:
            checkpoint.save(played)
    except KeyboardInterrupt:
        if checkpoint is not None and rows is None and played.games:
            checkpoint.save(played)
        raise
    except StrategyError:  # nothing that can be gone on with
        if checkpoint is not None:
            checkpoint.forget()
        raise
    finally:
        if rows is not None:
            rows.discard()
        workers.close()
    counts, others = [part.counts for part in played.reported], [part.others for part in played.reported]
    return Results(study, list(runner.matchups), counts, schedule.stops, versions(), others)
