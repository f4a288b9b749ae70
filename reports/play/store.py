"""Counts in a file: what a report keeps, so that its statistics can be made again without playing.

The format is JSON with a version. An array is its shape, the places (row by row) at which it is not zero, and the
numbers there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.play.results import Results
from reports.stats.until import Decision
from reports.studies.study import load_study
from reports.studies.sweep import Sweep
from sim.counts import Counts, Joint
from sim.files.errors import InputError
from sim.files.text import read_text
from sim.files.wording import plural
from sim.kernels.course import NONE
from sim.run import Matchup, Runner

FORMAT = 1
COUNTS = "counts.json"
STUDY = "study.toml"
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


def joint_to_json(joint: Joint) -> Json:
    """Write down how pairs compare."""
    return {name: array_to_json(getattr(joint, name)) for name in ("strength", "first_seat", "turns", "products")}


def joint_from_json(content: Json) -> Joint:
    """Read how pairs compare."""
    joint = Joint.empty()
    for name in ("strength", "first_seat", "turns"):
        fill_from_json(getattr(joint, name), content[name])
    joint.products = np.zeros(content["products"]["shape"], np.int64)
    fill_from_json(joint.products, content["products"])
    return joint


def others_to_json(counts: Counts, joint: Joint) -> Json:
    """Write down how a matchup went with a change, and beside those games without."""
    return {"counts": counts_to_json(counts), "joint": joint_to_json(joint)}


def others_from_json(empty: Counts, content: Json) -> tuple[Counts, Joint]:
    """Read how a matchup went with a change, and beside those games without."""
    return counts_from_json(empty, content["counts"]), joint_from_json(content["joint"])


def variants_of(sweep: Sweep) -> Json:
    """Name what a sweep varies and the values of its variants, in order."""
    return {
        "parameters": [parameter.name for parameter in sweep.parameters],
        "variants": [list(one.values) for one in sweep.variants],
    }


def names_of(matchup: Matchup) -> Json:
    """Name a matchup by the labels of its sides."""
    sides = {"a": matchup.a, "b": matchup.b}
    return {
        f"{part}_{x}": label
        for x, side in sides.items()
        for part, label in zip(("deck", "strategy"), side.names, strict=True)
    }


def results_to_json(results: Results) -> str:
    """Write down all that was counted in a study."""
    game = results.study.game
    matchups = []
    nothing: list[list[tuple[Counts, Joint]]] = [[] for _ in results.matchups]
    for matchup, counts, stop, others in zip(
        results.matchups, results.counts, results.stops, results.others or nothing, strict=True
    ):
        told = None if stop is None else {"reached": stop.reached, "hypothesis": stop.hypothesis, "value": stop.value}
        matchups.append({**names_of(matchup), "stopped": told, "counts": counts_to_json(counts)})
        if others:
            matchups[-1]["others"] = [others_to_json(*other) for other in others]
    content = {
        "format": FORMAT,
        "game": game.name,
        "reasons": list(game.reasons),
        "tallies": {"game": list(game.tallies.game), "turn": list(game.tallies.turn), "turns": game.tallies.turns},
        "versions": results.versions,
        **({} if results.study.sweep is None else {"sweep": variants_of(results.study.sweep)}),
        "matchups": matchups,
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


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
        If it is none, or its files do not belong together.
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
    try:
        content = json.loads(read_text(path, most=None))
        if content["format"] != FORMAT:
            raise InputError(
                f"{path}: found format {content['format']!r}, expected {FORMAT}: another version of komi wrote it"
            )
        if content.get("sweep") != (None if study.sweep is None else variants_of(study.sweep)):
            raise InputError(f"{path}: has other variants than the sweep of {STUDY} beside it")
        runner = study.runner()
        counts, stops, others = _counts(path, runner, content["matchups"])
        return Results(study, list(runner.matchups), counts, stops, content["versions"], others)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: is damaged or of another study ({type(error).__name__}: {error})") from None


def _counts(
    path: Path, runner: Runner, entries: list[Json]
) -> tuple[list[Counts], list[Decision | None], list[list[tuple[Counts, Joint]]]]:
    counts: list[Counts] = []
    stops: list[Decision | None] = []
    others: list[list[tuple[Counts, Joint]]] = []
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
        changed = zip(matchup.others, entry.get("others", ()), strict=True)
        others.append([others_from_json(runner.empty(other), content) for other, content in changed])
        pairs = {
            n
            for more, joint in others[-1]
            for n in (more.pairs, more.games // 2, joint.strength.sum(), joint.first_seat.sum())
        }
        if (
            pairs - {counts[-1].pairs}
            or counts[-1].games != 2 * counts[-1].pairs
            or counts[-1].pairs < 1
            or (counts[-1].examples < NONE).any()
        ):
            raise InputError(f"{path}: the counts of {list(names.values())} do not add up")
    return counts, stops, others
