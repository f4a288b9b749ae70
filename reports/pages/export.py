"""Reports and files of games for other programs: CSV, Parquet, JSON (docs/schema.md says what the columns are)."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pandas as pd

from reports.formats.folder import output_file, write_folder
from reports.formats.marks import marked
from reports.formats.tables import write_csv
from reports.pages.summary import SCHEMA, summary_json
from reports.play.results import Results
from reports.play.store import load_results
from reports.sections import sections
from reports.studies.study import as_run
from reports.tables import all_tables
from sim.files.atomic import atomic_file, write_atomic
from sim.files.errors import InputError, unknown

FORMATS = ("csv", "parquet", "json")
VERSION_KEY = b"komi_schema"  # in the metadata of Parquet files
GAMES_COLUMNS = {"game_number", "matchup", "pair", "order", "winner", "reason", "turns", "decisions"}


def export(source: Path, to: str, out: Path | None = None, *, force: bool = False) -> tuple[Path, str]:
    """Write a report or a file of games in another format.

    Parameters
    ----------
    source : Path
        A report's folder, or a Parquet file of games.
    to : str
        ``csv`` or ``parquet``: a folder with a file for each table, made again from the report's counts; of a file of
        games one file. ``json``: the summary of a report in one document.
    out : Path, optional
        The folder or file to write; by default beside the source.
    force : bool
        Replace what komi wrote there before.

    Returns
    -------
    out : Path
        What was written.
    said : str
        What it holds, in words.

    Raises
    ------
    InputError
        If the source is neither, the format does not fit it, a library is missing, or it cannot be written.
    """
    if to not in FORMATS:
        raise InputError(f"--to: {unknown('format', to, FORMATS)}")
    if source.is_dir():
        return _export_report(source, to, out, force=force)
    if source.suffix != ".parquet":
        raise InputError(
            f"{source}: found {'a file' if source.exists() else 'nothing'}, expected a report's folder or a .parquet "
            "of games"
        )
    if to != "csv":
        raise InputError(
            f"--to: found {to} with a file of games, expected csv{'; it is Parquet already' if to == 'parquet' else ''}"
        )
    target = source.with_suffix(".csv") if out is None else out
    if not target.name.endswith((".csv", ".csv.gz")):
        raise InputError(f"--out: found {target}, expected a name that ends in .csv or .csv.gz")
    with output_file(target, force=force):
        return target, f"{export_games(source, target):,} games"


def _export_report(folder: Path, to: str, out: Path | None, *, force: bool) -> tuple[Path, str]:
    real = folder.resolve()
    target = out if out is not None else folder.parent / (f"{real.name}.json" if to == "json" else f"{real.name}-{to}")
    if target.resolve().is_relative_to(real):
        raise InputError(
            f"--out: {target} is inside the report's folder, which is replaced whole; name a place beside it"
        )
    if to == "parquet":
        pyarrow("--to parquet")
    results = load_results(folder)
    if to == "json":
        if target.suffix != ".json":
            raise InputError(f"--out: found {target}, expected a name that ends in .json")
        with output_file(target, force=force):
            write_atomic(target, summary_of(results))
        return target, "the summary"
    tables = all_tables(results)
    write = write_csv if to == "csv" else write_parquet

    def fill(partial: Path) -> None:
        for name, table in tables.items():
            write(table, partial / f"{name}.{to}")

    write_folder(target, fill, force=force)
    return target, f"{len(tables)} tables"


def summary_of(results: Results) -> str:
    """Write the summary of a study's results as JSON, as their report holds it."""
    tables = all_tables(results)
    return summary_json(as_run(results.study, results.versions), results.games, tables, sections(results, tables, []))


def write_parquet(table: pd.DataFrame, path: Path) -> None:
    """Write a table as Parquet: texts, 64-bit integers, doubles and truth values stay what they are; a missing number
    is null.
    """
    pa, pq = pyarrow("--to parquet")
    arrow = pa.Table.from_pandas(table, preserve_index=False)
    arrow = arrow.replace_schema_metadata({VERSION_KEY: str(SCHEMA).encode()})
    with path.open("wb") as file:  # since pyarrow knows paths in UTF-8 only
        pq.write_table(arrow, file, compression="zstd")


def export_games(source: Path, target: Path, progress: Callable[[int], object] | None = None) -> int:
    """Write a Parquet file of games as CSV, row group by row group, so that memory does not grow with the number of
    games.

    Parameters
    ----------
    source : Path
        The file, from ``komi run --games-file``.
    target : Path
        The file to write; compressed if its name ends in ``.gz``.
    progress : function, optional
        Called with the number of games of each row group that is written.

    Returns
    -------
    int
        How many games there are.

    Raises
    ------
    InputError
        If the file cannot be read or holds no games, or the other one cannot be written; then nothing is left
        half-written.
    """
    pa, pq = pyarrow("komi export of games")
    from pyarrow.csv import CSVWriter, WriteOptions

    with ExitStack() as stack:
        try:
            games = stack.enter_context(pq.ParquetFile(stack.enter_context(source.open("rb"))))
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"{source}: cannot be read ({_first_line(error)})") from None
        missing = sorted(GAMES_COLUMNS - set(games.schema_arrow.names))
        if missing:
            raise InputError(
                f"{source}: found no column {missing[0]!r}, expected a file of games (komi run --games-file)"
            )
        file: Any = stack.enter_context(atomic_file(target))
        if target.suffix == ".gz":
            file = stack.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0))
        plain = pa.schema([(field.name, _undictionaried(pa, field.type)) for field in games.schema_arrow])
        with CSVWriter(file, plain, write_options=WriteOptions(quoting_style="needed")) as writer:
            for group in range(games.num_row_groups):
                try:
                    table = games.read_row_group(group)
                except (OSError, pa.ArrowException) as error:
                    raise InputError(f"{source}: cannot be read ({_first_line(error)})") from None
                writer.write_table(_with_marks(pa, table).cast(plain))
                if progress is not None:
                    progress(table.num_rows)
        return int(games.metadata.num_rows)


def _with_marks(pa: Any, table: Any) -> Any:
    """Put a mark before the texts of games that a spreadsheet would take for formulas."""
    for place, field in enumerate(table.schema):
        if pa.types.is_string(_undictionaried(pa, field.type)):
            chunks = [
                pa.DictionaryArray.from_arrays(
                    chunk.indices, pa.array([marked(word) for word in chunk.dictionary.to_pylist()], pa.string())
                )
                for chunk in table.column(place).dictionary_encode().chunks
            ]
            table = table.set_column(
                place, field.name, pa.chunked_array(chunks, pa.dictionary(pa.int32(), pa.string()))
            )
    return table


def _undictionaried(pa: Any, kind: Any) -> Any:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def pyarrow(what: str) -> tuple[Any, Any]:
    """Import pyarrow and its Parquet.

    Raises
    ------
    InputError
        If it is not installed, with the extra that brings it.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        raise InputError(f"{what} needs pyarrow: pip install 'komi[parquet]'") from None
    return pa, pq
