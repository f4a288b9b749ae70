"""A row for each single game in a Parquet file: a row group a chunk, so memory does not grow with their number."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from reports.play.identity import identity
from reports.studies.study import Study
from sim.files.atomic import atomic_file, claimed
from sim.files.errors import InputError
from sim.files.wording import plural
from sim.kernels.loop import ROW_DECISIONS, ROW_REASON, ROW_TURNS, ROW_WINNER
from sim.run import Chunk, Runner

STUDY_KEY = b"komi_study"  # in the file's metadata: a digest of what it has the games of
PART_CHUNKS = 64  # that are kept together in a file of their own until the whole is there


class GamesFile:
    """A Parquet file of single games that grows by parts and takes its name when it is complete.

    Parameters
    ----------
    path : Path
        The file.
    study : Study
        What is played.
    runner : Runner
        What plays it, in order.
    parts : Path, optional
        The folder in which finished parts are kept; by default one that is removed at the end, whatever happens.

    Raises
    ------
    InputError
        If pyarrow is not installed or the file cannot be written.
    """

    def __init__(self, path: Path, study: Study, runner: Runner, parts: Path | None = None):
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ModuleNotFoundError:
            raise InputError("--games-file needs pyarrow: pip install 'komi[parquet]'") from None
        self.pa, self.pq, self.path, self.runner = pa, pq, path, runner
        words = pa.dictionary(pa.int32(), pa.string())
        self.schema = pa.schema(
            [
                ("game_number", pa.int64()), ("matchup", pa.int32()), ("pair", pa.int64()), ("order", pa.int8()),
                ("deck_first", words), ("deck_second", words), ("strategy_first", words), ("strategy_second", words),
                ("winner", pa.int8()), ("reason", words), ("turns", pa.int32()), ("decisions", pa.int32()),
            ],
            metadata={STUDY_KEY: _study_digest(study)},
        )  # fmt: skip
        self._starts = [study.game_number(place, 0) for place in range(len(runner.matchups))]
        self._waiting: list[Any] = []
        self._claim = ExitStack()
        place = self._claim.enter_context(claimed(path, within=False))
        self.parts = place / "parts" if parts is None else parts
        try:
            self.parts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._claim.close()
            raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None

    def __enter__(self) -> GamesFile:
        return self

    def __exit__(self, *_: object) -> None:
        """Let another run have the file; parts that nobody goes on with are removed."""
        self._claim.close()

    def _files(self) -> list[Path]:
        return sorted(self.parts.glob("*.parquet"))

    def go_on(self, pairs: int) -> None:
        """Keep the parts that hold the first pairs, and drop those after them.

        Raises
        ------
        InputError
            If they do not hold just so many.
        """
        games = 0
        for file in self._files():
            if games >= 2 * pairs:
                file.unlink()
                continue
            try:
                games += self.pq.ParquetFile(file).metadata.num_rows
            except (OSError, self.pa.ArrowException) as error:
                raise InputError(f"{file}: is damaged ({error}); --force begins anew") from None
        if games != 2 * pairs:
            raise InputError(
                f"{self.parts}: found {plural(games, 'game')}, expected {2 * pairs:,}; --force begins anew"
            )

    def add(self, chunk: Chunk) -> bool:
        """Take the games of a chunk; tells whether all games so far are in finished parts."""
        assert chunk.rows is not None
        pa, rows, matchup = self.pa, chunk.rows, self.runner.matchups[chunk.matchup]
        n = len(rows)
        order = (np.arange(n) % 2).astype(np.int8)
        number = self._starts[chunk.matchup] + 2 * chunk.first_pair + np.arange(n, dtype=np.int64)

        def words(values: list[str], index: np.ndarray) -> Any:
            return pa.DictionaryArray.from_arrays(pa.array(index, pa.int32()), pa.array(values, pa.string()))

        sides = (matchup.a, matchup.b)
        columns = [
            pa.array(number), pa.array(np.full(n, chunk.matchup, np.int32)),
            pa.array(chunk.first_pair + np.arange(n) // 2, pa.int64()), pa.array(order),
            words([side.deck_label for side in sides], order), words([side.deck_label for side in sides], 1 - order),
            words([side.strategy_label for side in sides], order),
            words([side.strategy_label for side in sides], 1 - order), pa.array(rows[:, ROW_WINNER].astype(np.int8)),
            words(list(self.runner.game.reasons), rows[:, ROW_REASON]), pa.array(rows[:, ROW_TURNS]),
            pa.array(rows[:, ROW_DECISIONS]),
        ]  # fmt: skip
        self._waiting.append(pa.Table.from_arrays(columns, schema=self.schema))
        if len(self._waiting) == PART_CHUNKS:
            self._write_part()
        return not self._waiting

    def _write_part(self) -> None:
        part = self.parts / f"{len(self._files()):08d}.parquet"
        partial = part.with_suffix(".partial")
        try:
            with self.pq.ParquetWriter(partial, self.schema, compression="zstd") as writer:
                for table in self._waiting:
                    writer.write_table(table)
            os.replace(partial, part)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written ({error})") from None
        self._waiting = []

    def finish(self) -> None:
        """Put the parts together, one row group after the other, and give the complete file its name."""
        if self._waiting:
            self._write_part()
        with atomic_file(self.path) as target, self.pq.ParquetWriter(target, self.schema, compression="zstd") as writer:
            for file in self._files():
                part = self.pq.ParquetFile(file)
                for group in range(part.num_row_groups):
                    writer.write_table(part.read_row_group(group))


def is_games_of(path: Path, study: Study) -> bool:
    """Tell whether a file has the single games of just this study."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        return False
    try:
        found = pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowException):
        return False
    return bool(found.get(STUDY_KEY) == _study_digest(study))


def _study_digest(study: Study) -> bytes:
    return hashlib.sha256(json.dumps(identity(study), sort_keys=True).encode()).hexdigest().encode()
