"""Results of a study: counts by matchup, gathered as chunks come in; rows of single games streamed to a file if asked for."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.study import Study, load_study
from sim.counts import Counts
from sim.errors import InputError
from sim.files import umask
from sim.loop import ROW_DECISIONS, ROW_REASON, ROW_TURNS, ROW_WINNER
from sim.run import Chunk, Matchup, Runner


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
        How the games of each matchup ended, in the same order.
    """

    study: Study
    matchups: list[Matchup]
    counts: list[Counts]

    def played(self) -> Iterator[tuple[Matchup, Counts]]:
        """Go through the matchups with their counts."""
        return zip(self.matchups, self.counts, strict=True)

    def deck_scores(self, strategy_label: str, deck: str) -> Iterator[tuple[str, NDArray[np.int64]]]:
        """Give the opponents of a deck, one strategy on both sides, with the nine counts from the deck's side."""
        for matchup, counts in self.played():
            if matchup.strategies == (strategy_label, strategy_label):
                if matchup.a.deck_label == deck:
                    yield matchup.b.deck_label, counts.scores
                elif matchup.b.deck_label == deck:
                    yield matchup.a.deck_label, other_side(counts.scores)


def from_side_of(matchup: Matchup, counts: Counts, strategy_label: str) -> NDArray[np.int64]:
    """Turn the nine counts so that the named strategy is side A."""
    return counts.scores if matchup.a.strategy_label == strategy_label else other_side(counts.scores)


def other_side(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Turn the nine counts to side B's half points as first and as second."""
    return scores[::-1, ::-1].T.copy()


def run_study(
    study: Study | str | Path,
    *,
    jobs: int = -1,
    games_file: Path | None = None,
    progress: Callable[[int], object] | None = None,
) -> Results:
    """Play a study.

    Parameters
    ----------
    study : Study, str or Path
        A study, the path of its file, or a game's name for its starter study.
    jobs : int
        Threads; -1 for one a core. Changes no result.
    games_file : Path, optional
        Write a row for each single game to this Parquet file.
    progress : function, optional
        Called with the number of games of each chunk that is done.

    Returns
    -------
    Results
        The same for the same study and seed, on any machine.

    Raises
    ------
    InputError
        If the study cannot be used, a strategy makes an illegal choice, or the file cannot be written.
    """
    if not isinstance(study, Study):
        study = load_study(study)
    runner = study.runner(keep_rows=games_file is not None)
    counts = [runner.empty(matchup) for matchup in runner.matchups]
    rows = _GamesFile(games_file, runner) if games_file is not None else None
    try:
        for chunk in runner.play(jobs):
            counts[chunk.matchup].add(chunk.counts)
            if rows is not None:
                rows.add(chunk)
            if progress is not None:
                progress(chunk.games)
        if rows is not None:
            rows.finish()
    finally:
        if rows is not None:
            rows.discard()
    return Results(study, list(runner.matchups), counts)


class _GamesFile:
    """A Parquet file of single games that grows by a row group a chunk, and takes its name when it is complete."""

    def __init__(self, path: Path, runner: Runner):
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ModuleNotFoundError:
            raise InputError("--games-file needs pyarrow: pip install 'komi[parquet]'") from None
        self.pa, self.path, self.runner = pa, path, runner
        self.before = [0, *accumulate(runner.pairs_of(matchup) for matchup in runner.matchups)]  # pairs before each matchup's
        words = pa.dictionary(pa.int32(), pa.string())
        self.schema = pa.schema(
            [
                ("game_number", pa.int64()), ("matchup", pa.int32()), ("pair", pa.int64()), ("order", pa.int8()),
                ("deck_first", words), ("deck_second", words), ("strategy_first", words), ("strategy_second", words),
                ("winner", pa.int8()), ("reason", words), ("turns", pa.int32()), ("decisions", pa.int32()),
            ]
        )  # fmt: skip
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, self.partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
            os.close(handle)
            os.chmod(self.partial, 0o666 & ~umask())
            self.writer: Any = pq.ParquetWriter(self.partial, self.schema, compression="zstd")
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror})") from None

    def add(self, chunk: Chunk) -> None:
        """Write the games of a chunk."""
        assert chunk.rows is not None
        pa, rows, matchup = self.pa, chunk.rows, self.runner.matchups[chunk.matchup]
        n = len(rows)
        order = (np.arange(n) % 2).astype(np.int8)
        number = 2 * (self.before[chunk.matchup] + chunk.first_pair) + np.arange(n, dtype=np.int64)

        def words(values: list[str], index: np.ndarray) -> Any:
            return pa.DictionaryArray.from_arrays(pa.array(index, pa.int32()), pa.array(values, pa.string()))

        sides = (matchup.a, matchup.b)
        columns = [
            pa.array(number), pa.array(np.full(n, chunk.matchup, np.int32)), pa.array(chunk.first_pair + np.arange(n) // 2, pa.int64()),
            pa.array(order), words([side.deck_label for side in sides], order), words([side.deck_label for side in sides], 1 - order),
            words([side.strategy_label for side in sides], order), words([side.strategy_label for side in sides], 1 - order),
            pa.array(rows[:, ROW_WINNER].astype(np.int8)), words(list(self.runner.game.reasons), rows[:, ROW_REASON]),
            pa.array(rows[:, ROW_TURNS]), pa.array(rows[:, ROW_DECISIONS]),
        ]  # fmt: skip
        try:
            self.writer.write_table(pa.Table.from_arrays(columns, schema=self.schema))
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written ({error})") from None

    def finish(self) -> None:
        """Give the complete file its name."""
        try:
            self.writer.close()
            os.replace(self.partial, self.path)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written ({error})") from None

    def discard(self) -> None:
        """Remove what is not complete."""
        self.writer.close()
        Path(self.partial).unlink(missing_ok=True)
