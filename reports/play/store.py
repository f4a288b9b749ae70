"""Counts in a file: what a report keeps, so that its statistics can be made again without playing.

The format is JSON with a version, a checksum (`reports.formats.sealed`) and all that the counts depend on
(`reports.play.identity`). An array is its shape, the places (row by row) at which it is not zero, and the
numbers there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.formats.sealed import seal, unseal
from reports.play.identity import difference, identity, variants_of
from reports.play.results import Results
from reports.stats.until import Decision
from reports.studies.study import Study, load_study
from sim.counts import Counts, PairedCounts
from sim.files.errors import InputError
from sim.files.text import MOST_OF_REPORT, read_text
from sim.files.wording import plural
from sim.run import Matchup, Runner

FORMAT = 2
FIRST_FORMAT = '{"format":1,'
COUNTS = "counts.json"
STUDY = "study.toml"
DAMAGES = (ValueError, KeyError, TypeError, IndexError, RecursionError, OverflowError, AttributeError)
RANKING = "ranking.csv"  # which only a knock-out's report has

Json = dict[str, Any]


def array_to_json(array: NDArray[np.int64]) -> Json:
    """Write an array down: its shape, where it is not zero, and the numbers there."""
    flat = array.ravel()
    at = flat.nonzero()[0]
    return {"shape": list(array.shape), "at": at.tolist(), "n": flat[at].tolist()}


def fill_from_json(array: NDArray[np.int64], content: Json) -> None:
    """Fill an array with what was written down of one of the same shape.

    Raises
    ------
    ValueError
        If the shapes differ, or the content is none of an array.
    """
    if content["shape"] != list(array.shape):
        raise ValueError(f"found an array of shape {content['shape']}, expected {list(array.shape)}")
    flat = np.zeros(array.size, np.int64)
    flat[np.array(content["at"], np.int64)] = np.array(content["n"], np.int64)
    array[...] = flat.reshape(array.shape)


def counts_to_json(counts: Counts) -> Json:
    """Write counts down."""
    return {name: array_to_json(array) for name, array in counts.arrays.items()}


def counts_from_json(empty: Counts, content: Json) -> Counts:
    """Fill empty counts with what was written down."""
    for name, array in empty.arrays.items():
        fill_from_json(array, content[name])
    return empty


def paired_to_json(paired: PairedCounts) -> Json:
    """Write down how pairs compare."""
    return {name: array_to_json(getattr(paired, name)) for name in ("strength", "first_seat", "turns", "products")}


def paired_from_json(content: Json, before: int) -> PairedCounts:
    """Read how pairs compare with a change before which the matchup has so many others."""
    paired = PairedCounts.empty()
    if content["products"]["shape"] == [before, 2]:  # otherwise nothing is counted yet
        paired.products = np.zeros((before, 2), np.int64)
    for name in ("strength", "first_seat", "turns", "products"):
        fill_from_json(getattr(paired, name), content[name])
    return paired


def others_to_json(others: Iterable[tuple[Counts, PairedCounts]]) -> list[Json]:
    """Write down how a matchup went with each of its changes, and beside those games without."""
    return [{"counts": counts_to_json(counts), "joint": paired_to_json(paired)} for counts, paired in others]


def others_from_json(empty: Sequence[Counts], content: Sequence[Json]) -> list[tuple[Counts, PairedCounts]]:
    """Read how a matchup went with each of its changes, and beside those games without."""
    return [
        (counts_from_json(counts, part["counts"]), paired_from_json(part["joint"], place))
        for place, (counts, part) in enumerate(zip(empty, content, strict=True))
    ]


def names_of(matchup: Matchup) -> Json:
    """Name a matchup by the labels of its sides."""
    sides = {"a": matchup.a, "b": matchup.b}
    return {
        f"{part}_{x}": label
        for x, side in sides.items()
        for part, label in zip(("deck", "strategy"), side.names, strict=True)
    }


def results_to_json(results: Results) -> str:
    """Write down all that was counted in a study, and what it depends on."""
    game = results.study.game
    matchups = []
    nothing: list[list[tuple[Counts, PairedCounts]]] = [[] for _ in results.matchups]
    for matchup, counts, stop, others in zip(
        results.matchups, results.counts, results.stops, results.others or nothing, strict=True
    ):
        told = None if stop is None else {"reached": stop.reached, "hypothesis": stop.hypothesis, "value": stop.value}
        matchups.append({**names_of(matchup), "stopped": told, "counts": counts_to_json(counts)})
        if others:
            matchups[-1]["others"] = others_to_json(others)
    content = {
        "format": FORMAT,
        "of": identity(results.study),
        "game": game.name,
        "reasons": list(game.reasons),
        "tallies": {"game": list(game.tallies.game), "turn": list(game.tallies.turn), "turns": game.tallies.turns},
        "versions": results.versions,
        **({} if results.study.sweep is None else {"sweep": variants_of(results.study.sweep)}),
        "matchups": matchups,
    }
    return seal(content)


def load_results(folder: Path, *, margin: float | None = None) -> Results:
    """Load what a report's folder has of its study and its counts; nothing is compiled or played.

    Parameters
    ----------
    folder : Path
        A report's folder.
    margin : float, optional
        Instead of the study's.

    Raises
    ------
    InputError
        If it is none, its counts are damaged, or the study, its cards, decks, rules or strategies are not those that
        were played, with all that differs.
    """
    if not (folder / STUDY).is_file() or not (folder / COUNTS).is_file():
        if (folder / RANKING).is_file():
            raise InputError(
                f"{folder}: is the report of a knock-out, which keeps no counts; expected the folder of a report of "
                "komi run"
            )
        missing = STUDY if not (folder / STUDY).is_file() else COUNTS
        raise InputError(f"{folder}: found no {missing} in it, expected the folder of a report")
    study = load_study(folder / STUDY, margin=margin, compiled=False)
    path = folder / COUNTS
    content = _content(path)
    _refuse_another(study, path, content)
    try:
        runner = study.runner()
        counts, stops, others = _counts(path, runner, content["matchups"])
        versions = {str(name): str(version) for name, version in content["versions"].items()}
    except DAMAGES as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: is damaged ({type(error).__name__}: {error})") from None
    return Results(study, list(runner.matchups), counts, stops, versions, others)


def check_counts(folder: Path, study: Study) -> None:
    """Refuse a report whose counts are not of the study that its folder has now (see `load_results`).

    Raises
    ------
    InputError
        If they are of another one, or damaged.
    """
    path = folder / COUNTS
    if path.is_file():
        _refuse_another(study, path, _content(path))


def is_report_of(folder: Path, study: Study) -> bool:
    """Tell whether a folder has the report of just this study, undamaged."""
    try:
        content = _content(folder / COUNTS)
    except InputError:
        return False
    return difference(content["of"], identity(study)) is None


def _content(path: Path) -> Json:
    """Read a file of counts."""
    again = "run the study again"
    try:
        text = read_text(path, MOST_OF_REPORT)
        if text.startswith(FIRST_FORMAT):
            raise InputError(f"{path}: found format 1, expected {FORMAT}: an earlier version of komi wrote it; {again}")
        content: Json = unseal(text)
        if content["format"] != FORMAT:
            raise InputError(
                f"{path}: found format {content['format']!r}, expected {FORMAT}: another version of komi wrote it; "
                f"{again}"
            )
        if not isinstance(content["of"], dict):
            raise ValueError("it does not say what it is of")
    except DAMAGES as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: is damaged ({error}); {again}") from None
    return content


def _refuse_another(study: Study, path: Path, content: Json) -> None:
    different = difference(content["of"], identity(study))
    if different is not None:
        raise InputError(f"{path}: is of another study than {STUDY} and the files beside it: {different}")


def _counts(
    path: Path, runner: Runner, entries: list[Json]
) -> tuple[list[Counts], list[Decision | None], list[list[tuple[Counts, PairedCounts]]]]:
    counts: list[Counts] = []
    stops: list[Decision | None] = []
    others: list[list[tuple[Counts, PairedCounts]]] = []
    if len(entries) != len(runner.matchups):
        raise InputError(
            f"{path}: found {plural(len(entries), 'matchup')}, expected the {len(runner.matchups)} of {STUDY} beside it"
        )
    for matchup, entry in zip(runner.matchups, entries, strict=True):
        names = names_of(matchup)
        if any(entry[key] != name for key, name in names.items()):
            raise InputError(
                f"{path}: found counts of {[entry[key] for key in names]}, expected of {list(names.values())}"
            )
        counts.append(counts_from_json(runner.empty(matchup), entry["counts"]))
        stops.append(None if entry["stopped"] is None else Decision(**entry["stopped"]))
        empty = [runner.empty(other) for other in matchup.others]
        others.append(others_from_json(empty, entry.get("others", ())))
        wrong = contradiction(counts[-1], others[-1])
        if wrong is not None or counts[-1].pairs < 1:
            raise InputError(
                f"{path}: is damaged: the counts of {list(names.values())} do not add up ({wrong or 'no pair'})"
            )
    return counts, stops, others


def contradiction(counts: Counts, others: Iterable[tuple[Counts, PairedCounts]] = ()) -> str | None:
    """Say what in the counts of a matchup, and of its changes, cannot be; None if all adds up."""
    wrong = counts.contradiction()
    for more, paired in others:
        wrong = wrong or more.contradiction() or paired.contradiction(counts.pairs)
        if more.pairs != counts.pairs:
            wrong = wrong or f"{plural(more.pairs, 'pair')} with a change, {counts.pairs} without"
    return wrong
