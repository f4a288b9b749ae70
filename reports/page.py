"""The report of a study: a folder with a summary, a page, tables and pictures, written whole or not at all."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from reports.folder import SUMMARY, replace_folder
from reports.plots import draw_all, png
from reports.results import Results
from reports.study import as_run, versions
from reports.tables import SEATS, TURN_LIMIT, all_tables, players
from sim.game import Game

MANY_CUT_OFF = 0.02  # share of games stopped at the limit from which a report warns of it
Row = dict[str, str]


@dataclass(frozen=True)
class Section:
    """A part of a report: what it says, in sentences, a table and pictures by file name."""

    title: str
    sentences: list[str]
    columns: list[str]
    rows: list[Row]
    pictures: list[str]


def percent(rate: float) -> str:
    """Write a rate as per cent with one decimal."""
    return f"{100 * rate:.1f} %"


def interval(low: float, high: float) -> str:
    """Write an interval in per cent."""
    return f"{100 * low:.1f} to {100 * high:.1f}"


def sections(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> list[Section]:
    """Say what a study has found."""
    game = results.study.game
    found = [
        _fairness(results, tables, pictures),
        *([_skill(results, tables, pictures)] if len(tables["skill"]) > 1 else []),
        _decks(results, tables["decks"], pictures),
        _strategies(tables["strategies"]),
        _lengths(game, tables, pictures),
    ]
    return [*found, _course(game, tables, pictures)] if game.tallies.size else found


def _fairness(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section:
    margin = results.study.margin
    sentences, rows = [], []
    for row in tables["fairness"].to_dict("records"):
        if row["strategy_a"] == row["strategy_b"] and row["strategy_a"] != "all":
            sentences.append(_fairness_sentence(row, margin))
        rows.append(
            {
                "players": "all" if row["strategy_a"] == "all" else f"{row['strategy_a']} – {row['strategy_b']}",
                "matchups": f"{row['matchups']}",
                "games": f"{row['games']:,}",
                "decisive pairs": percent(2 * row["decisive_pairs"] / row["games"]),
                "first seat wins": percent(row["first_win_rate"]),
                "95 % interval": interval(row["first_win_low"], row["first_win_high"]),
                "verdict": row["verdict"],
            }
        )
    sentences += [_unfair_sentence(str(player), rows, margin) for player, rows in _among_equals(tables["pairs"])]
    sentences += _cut_off(results, tables["matchups"])
    return Section("Does the first player win too often?", sentences, list(rows[0]), rows, [p for p in pictures if p.startswith("first_")])


def _cut_off(results: Results, matchups: pd.DataFrame) -> Iterator[str]:
    """Warn of games that were stopped: they count as draws, which makes any game look fair."""
    equal = matchups[matchups["strategy_first"] == matchups["strategy_second"]]
    for player, rows in equal.groupby("strategy_first", sort=False):
        share = rows["turn_limit"].sum() / rows["games"].sum()
        if share > MANY_CUT_OFF:
            yield (
                f"Beware: {percent(share)} of the games between two {player} players were stopped at the limit of "
                f"{plural(results.study.rules.max_turns, results.study.game.turn_words[0])} and count as draws, "
                "which makes a game look fairer."
            )


def _among_equals(pairs: pd.DataFrame) -> Iterator[tuple[Any, pd.DataFrame]]:
    """Give the matchups in which one strategy plays both sides: between unequal players a seat hardly matters."""
    yield from pairs[pairs["strategy_a"] == pairs["strategy_b"]].groupby("strategy_a", sort=False)


def _unfair_sentence(player: str, pairs: pd.DataFrame, margin: float) -> str:
    """Count the verdicts of a strategy's matchups, and name those that are not fair."""
    counted = ", ".join(f"{n} {word}" for word, n in pairs["verdict"].value_counts().items())
    unfair = pairs[pairs["verdict"].str.startswith("favours")]
    far = unfair.loc[(unfair["first_win_rate"] - 0.5).abs().sort_values(ascending=False).index[:6]]
    named = "; ".join(
        f"{row['deck_a']} – {row['deck_b']} {row['verdict']} (first seat {percent(row['first_win_rate'])})"
        for row in far.to_dict("records")
    )
    rest = f" Not fair: {named}{' and more' if len(unfair) > len(far) else ''}." if named else ""
    return f"Of the {plural(len(pairs), 'matchup')} between two {player} players: {counted} (margin {margin:g} points; pairs.csv).{rest}"


def plural(n: int, word: str) -> str:
    """Count something in words."""
    return f"{n:,} {word if n == 1 else 'strategies' if word == 'strategy' else word + 's'}"


def _fairness_sentence(row: dict[Any, Any], margin: float) -> str:
    rate, low, high = row["first_win_rate"], row["first_win_low"], row["first_win_high"]
    seat, rate, low, high = ("First", rate, low, high) if rate >= 0.5 else ("Second", 1 - rate, 1 - high, 1 - low)
    judged = {
        "fair": f"inside your margin of {margin:g} points: fair",
        "favours first": f"outside your margin of {margin:g} points: it favours the first player",
        "favours second": f"outside your margin of {margin:g} points: it favours the second player",
        "not decided": f"too close to your margin of {margin:g} points to decide with so many games",
    }[row["verdict"]]
    return f"When both play {row['strategy_a']}, the {seat.lower()} seat wins {percent(rate)} ({interval(low, high)}): {judged}."


def _skill(results: Results, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section:
    """Tell whether the verdict holds from one strategy to the next."""
    skill = tables["skill"]
    judged = {str(word): ", ".join(group["strategy"]) for word, group in skill.groupby("verdict", sort=False)}
    if len(judged) == 1:
        (word,) = judged
        sentences = [f"The verdict is the same whoever plays: {word} (margin {results.study.margin:g} points)."]
    else:
        said = "; ".join(f"{word} when both play {names}" for word, names in judged.items())
        sentences = [f"The verdict depends on the players (margin {results.study.margin:g} points): {said}."]
    rated: dict[Any, Any] = tables["ratings"].set_index("strategy").to_dict("index") if "ratings" in tables else {}
    if rated:
        first = rated["first seat"]
        sentences.append(
            f"Between equals the first seat is worth {first['rating']:.0f} Elo points "
            f"({first['rating_low']:.0f} to {first['rating_high']:.0f}), over all players and decks."
        )
    rows = [
        {
            "both play": row["strategy"],
            "games": f"{row['games']:,}",
            "first seat wins": percent(row["first_win_rate"]),
            "95 % interval": interval(row["first_win_low"], row["first_win_high"]),
            "verdict": row["verdict"],
            **({"rating": _rating(rated[row["strategy"]])} if rated else {}),
        }
        for row in skill.to_dict("records")
    ]
    return Section("Does the answer hold when players play better?", sentences, list(rows[0]), rows, [p for p in pictures if p == "skill"])


def _rating(row: dict[Any, float]) -> str:
    """Write a rating with its interval."""
    return f"{row['rating']:.0f} ({row['rating_low']:.0f} to {row['rating_high']:.0f})"


def _decks(results: Results, decks: pd.DataFrame, pictures: list[str]) -> Section:
    sentences, rows = [], []
    if decks.empty:
        sentences.append("There is only one deck: no deck can be compared with another.")
    else:
        for strategy, group in decks.groupby("strategy", sort=False):
            ranked = group.sort_values("win_rate", ascending=False)
            sentences.append(_ranking_sentence(str(strategy), ranked))
            rows += [
                {
                    "strategy": str(strategy),
                    "deck": row["deck"],
                    "name": row["name"],
                    "games": f"{row['games']:,}",
                    "wins": percent(row["win_rate"]),
                    "95 % interval": interval(row["win_low"], row["win_high"]),
                }
                for row in ranked.to_dict("records")
            ]
    return Section(
        "Which decks are strong?", sentences, list(rows[0]) if rows else [], rows, [p for p in pictures if p.startswith("decks_")]
    )


def _ranking_sentence(strategy: str, ranked: pd.DataFrame) -> str:
    """Name the strongest and the weakest deck, where the intervals tell them from the next."""

    def said(deck: Any) -> str:
        return f"{deck['deck']} ({percent(deck['win_rate'])}, {interval(deck['win_low'], deck['win_high'])})"

    best, worst = ranked.iloc[0], ranked.iloc[-1]
    if len(ranked) > 1 and best["win_low"] <= ranked.iloc[1]["win_high"]:
        return f"Played by {strategy}, no deck is clearly the strongest; ahead is {said(best)}, last is {said(worst)}."
    return f"Played by {strategy}, {said(best)} is the strongest deck against the others; last is {said(worst)}."


def _strategies(strategies: pd.DataFrame) -> Section:
    rows = [
        {
            "strategy": row["strategy"],
            "opponent": row["opponent"],
            "games": f"{row['games']:,}",
            "wins": percent(row["win_rate"]),
            "95 % interval": interval(row["win_low"], row["win_high"]),
        }
        for row in strategies.to_dict("records")
        if row["strategy"] != row["opponent"]
    ]
    sentences = [] if rows else ["One strategy plays both sides: how much a verdict depends on the players is not shown."]
    for row in strategies.to_dict("records"):
        if row["win_low"] <= 0.5 <= row["win_high"] and row["strategy"] < row["opponent"]:
            sentences.append(f"{row['strategy']} and {row['opponent']} are not told apart by so many games.")
        elif row["win_low"] > 0.5:
            sentences.append(
                f"{row['strategy']} beats {row['opponent']} in {percent(row['win_rate'])} of the games "
                f"({interval(row['win_low'], row['win_high'])}), over all decks and both seats."
            )
    return Section("How much do the players matter?", sentences, list(rows[0]) if rows else [], rows, [])


def _lengths(game: Game, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section:
    reasons, unit = game.reasons, game.turn_words[1]
    matchups, seats = tables["matchups"], tables["seats"]
    sentences, rows = [], []
    for name, group in matchups.groupby(players(matchups), sort=False):
        games = group["games"].sum()
        lost = seats[players(seats) == name].groupby("seat")
        ends = {}
        for reason in reasons:
            ends[reason] = percent(group[f"end_{reason}"].sum() / games)
            if reason != TURN_LIMIT and group[f"end_{reason}"].sum():
                shares = [percent(lost.get_group(seat)[f"lost_{reason}"].sum() / games) for seat in SEATS]
                ends[reason] += f" ({' / '.join(shares)})"
        rows.append(
            {
                "players": str(name),
                "games": f"{games:,}",
                f"{unit} (mean)": f"{(group['turns_mean'] * group['games']).sum() / games:.1f}",
                "decisions (mean)": f"{(group['decisions_mean'] * group['games']).sum() / games:.1f}",
                "drawn": percent(group["draws"].sum() / games),
                **{f"end: {reason}" + (" (first / second loses)" if reason != TURN_LIMIT else ""): end for reason, end in ends.items()},
            }
        )
        sentences.append(f"{name}: a game lasts {rows[-1][f'{unit} (mean)']} {unit} on average.")
    return Section("How long do games last, and how do they end?", sentences, list(rows[0]), rows, [p for p in pictures if p == "lengths"])


def _course(game: Game, tables: dict[str, pd.DataFrame], pictures: list[str]) -> Section:
    """Say what happens in a game, by seat: what only this game counts."""
    seats, tallies, unit = tables["seats"], game.tallies, game.turn_words[0]
    sentences: list[str] = []
    rows: list[Row] = []
    for (first, second), group in seats.groupby(["strategy_first", "strategy_second"], sort=False):
        means: list[Row] = []
        for seat, player, opponent in zip(SEATS, (first, second), (second, first), strict=True):
            part = group[group["seat"] == seat]
            numbers = {said(tally): f"{_mean(part, tally, 'games'):.2f}" for tally in tallies.game if tally not in tallies.shares}
            for tally in tallies.shares:
                share = _mean(part, tally, "games") / max(_mean(part, tallies.whole, "games"), 1e-9)
                numbers[f"{said(tally)} (of {said(tallies.whole)})"] = percent(share)
            if tallies.turn:
                turns = tables["turns"]
                played = turns[(turns["strategy_first"] == first) & (turns["strategy_second"] == second) & (turns["seat"] == seat)]
                for tally in tallies.turn[1:]:
                    mean = _mean(played, tally, tallies.turn[0])
                    name = f"{said(tally)} (of {unit}s)" if tally in tallies.rates else f"{said(tally)} a {unit}"
                    numbers[name] = percent(mean) if tally in tallies.rates else f"{mean:.2f}"
            means.append(numbers)
            rows.append({"player": str(player), "against": str(opponent), "seat": seat, **means[-1]})
        if first == second:
            told = ", ".join(f"{name} {means[0][name]} / {means[1][name]}" for name in means[0])
            sentences.append(f"When both play {first}, a game has on average, for the first / second seat: {told}.")
    return Section("What happens in a game?", sentences, list(rows[0]), rows, [p for p in pictures if p.startswith("turns_")])


def said(name: str) -> str:
    """Write a column's name for people."""
    return name.replace("_", " ").replace("pp ", "PP ")


def _mean(table: pd.DataFrame, column: str, weight: str) -> float:
    return float((table[column] * table[weight]).sum() / max(table[weight].sum(), 1)) if len(table) else 0.0


def write_report(results: Results, folder: Path, *, force: bool = False) -> dict[str, pd.DataFrame]:
    """Write the report of a study.

    Parameters
    ----------
    results : Results
        What was found.
    folder : Path
        Where; made if it is not there.
    force : bool
        Replace a report that is there.

    Returns
    -------
    dict of str to DataFrame
        Its tables, by file name without its ending.

    Raises
    ------
    InputError
        If there is a report already (without ``force``) or the folder cannot be written. Then nothing is left half-written.
    """
    tables = all_tables(results)
    replace_folder(folder, lambda partial: _fill(partial, results, tables), force=force)
    return tables


def _fill(folder: Path, results: Results, tables: dict[str, pd.DataFrame]) -> None:
    study = results.study
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False, encoding="utf-8", lineterminator="\n")
    images = {name: png(ax) for name, ax in draw_all(results, tables).items()}
    for name, image in images.items():
        (folder / f"{name}.png").write_bytes(image)
    for kept_as, path in study.inputs.items():
        (folder / kept_as).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / kept_as)
    (folder / "study.toml").write_text(as_run(study), encoding="utf-8")
    context: dict[str, Any] = {
        "study": study,
        "games": int(sum(counts.scores.sum() for counts in results.counts)) * 2,
        "sections": sections(results, tables, list(images)),
        "settings": as_run(study),
        "versions": versions(),
        "images": {name: base64.b64encode(image).decode() for name, image in images.items()},
        "tables": list(tables),
        "plural": plural,
    }
    for name in (SUMMARY, "report.html"):
        (folder / name).write_text(_templates().get_template(f"{name}.j2").render(context), encoding="utf-8")


def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("reports"), autoescape=select_autoescape(["html.j2"]), undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
