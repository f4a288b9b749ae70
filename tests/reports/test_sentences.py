"""What reports say rests on what was found: stopped games, players that differ, pairs that were played, plurals and
signs.
"""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import tomli_w

from reports import load_study, run_study
from reports.cli import main
from reports.experiments.comparison import compare
from reports.experiments.planning import Goal, lines, planning
from reports.pages.batch import Entry, write_index
from reports.pages.comparison import lines as differences
from reports.pages.export import write_parquet
from reports.pages.page import write_report
from reports.play.store import load_results
from reports.plots import draw_all, plot_leads, plot_lengths, png
from reports.plots.knockout import plot_ranking
from reports.plots.labels import can_write, named
from reports.sections import sections
from reports.sections.headline import headline
from reports.sections.knockout import lines as ranked
from reports.sections.sample_size import sample_size
from reports.sections.sweep import points
from reports.studies.strongest import by_ladder, strongest
from reports.tables import all_tables
from sim.files.wording import number

DECKS = ["rush", "trap"]
GOAL = Goal(half_width=1, margin=2, power=0.9)


def study(folder, name="s", **keys):
    """Write a study's file."""
    path = folder / f"{name}.toml"
    path.write_text(
        tomli_w.dumps({"game": "sea", "decks": DECKS, "strategies": ["random"], "pairs": 2, **keys}), encoding="utf-8"
    )
    return path


def said(results, tables=None):
    tables = all_tables(results) if tables is None else tables
    return [sentence for part in sections(results, tables, []) for sentence in part.sentences]


def pairs(first, second=0, even=0):
    """Nine counts: pairs won by the first seat, by the second, and by side A twice and side B twice in turn."""
    return np.array([[even - even // 2, 0, second], [0, 0, 0], [first, 0, even // 2]], np.int64)


def with_scores(results, scores):
    """The same results with other counts of pairs, by strategies."""
    counts = [counts._replace(scores=scores.get(m.strategies, pairs(0, 0, 100))) for m, counts in results.played()]
    return replace(results, counts=counts)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A study whose games are all stopped."""
    return run_study(study(tmp_path_factory.mktemp("stopped"), rules={"max_turns": 1}, pairs=60, margin=10), jobs=1)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A study of three players in a pair each, whose counts tests replace."""
    return run_study(
        study(tmp_path_factory.mktemp("played"), strategies=["random", "greedy", "value"], pairs=1), jobs=1
    )


@pytest.mark.parametrize(
    ("value", "keys", "text"),
    [
        (-0.04, {"places": 1}, "0.0"), (-0.4, {}, "0"), (-1.06, {"places": 1}, "−1.1"), (2, {"sign": True}, "+2"),
        (0.0, {"sign": True, "places": 2}, "0.00"), (-12.5, {"places": 1, "sign": True}, "−12.5"),
    ],
)  # fmt: skip
def test_numbers_have_true_signs_or_none(value, keys, text):
    assert number(value, **keys) == text


# ------------------------------------------------------------------------------------------------------------ stopped
# games


def test_a_median_that_is_not_reached_is_no_number(stopped, tmp_path):
    tables = all_tables(stopped)
    assert tables["matchups"][["turns_p5", "turns_median", "turns_p95"]].isna().all(axis=None)
    assert any(
        "random – random: more than half of the games last longer than the limit of 1 turn" in one
        for one in said(stopped)
    )
    (legend,) = plot_lengths(tables["lengths"]).get_legend().get_texts()
    assert legend.get_text() == "random – random\n(median > 1, 100.0 % stopped)"
    write_report(stopped, tmp_path / "out")
    text = (tmp_path / "out" / "matchups.csv").read_text(encoding="utf-8")
    assert pd.read_csv(tmp_path / "out" / "matchups.csv")["turns_median"].isna().all()
    assert "NA" not in text
    summary = (tmp_path / "out" / "summary.json").read_text("utf-8")
    assert "NaN" not in summary
    assert "matchups" not in json.loads(summary)["tables"]  # a row for each is too long for a summary
    write_parquet(tables["matchups"], tmp_path / "m.parquet")
    assert pd.read_parquet(tmp_path / "m.parquet")["turns_median"].isna().all()


def test_a_median_that_is_reached_is_a_whole_number(played, tmp_path):
    write_report(played, tmp_path / "out")
    header, row, *_ = (tmp_path / "out" / "matchups.csv").read_text(encoding="utf-8").splitlines()
    assert row.split(",")[header.split(",").index("turns_median")].isdigit()


def test_no_verdict_stands_without_the_games_that_were_stopped(stopped, tmp_path):
    tables = all_tables(stopped)
    warning = "fair, but only as games were counted: 100.0 % of them were stopped at the limit and count as draws."
    assert headline(tables, 10).endswith(warning)
    verdicts = [
        one for one in said(stopped, tables) if one.startswith("When both play random, the ") and "margin" in one
    ]
    assert len(verdicts) == 1
    assert verdicts[0].endswith(warning)
    (decks,) = [one for one in said(stopped, tables) if "decks against themselves" in one]
    assert decks.endswith("Beware: 100.0 % of these games were stopped at the limit and count as draws.")
    write_report(stopped, tmp_path / "out")
    assert json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))["headline"].endswith(warning)
    write_index([Entry("s.toml", stopped.study, tmp_path / "out", done=True)], tmp_path)
    assert warning in (tmp_path / "index.html").read_text(encoding="utf-8")
    told = list(differences(compare(tmp_path / "out", tmp_path / "out")))
    assert any(
        "fair, as before;" in one and "100.0 % -> 100.0 % of these games were stopped at the limit" in one
        for one in told
    )


def test_players_whose_games_were_stopped_are_named(tmp_path):
    results = run_study(study(tmp_path, strategies=["random", "greedy"], rules={"max_turns": 1}), jobs=1)
    assert (
        "Beware: of the games, 100.0 % with random and 100.0 % with greedy were stopped at the limit and count as "
        "draws." in said(results)
    )


def test_variants_of_a_sweep_tell_of_games_that_were_stopped(tmp_path):
    results = run_study(
        study(tmp_path, sweep={"rules": {"max_turns": [1, 100]}}, decks=["rush"], pairs=60, margin=10), jobs=1
    )
    table = all_tables(results)["sweep"].set_index("rules.max_turns")
    assert table.loc[1, "stopped_share"] == 1.0
    sentences = said(results)
    (about,) = [one for one in sentences if "of this study (" in one]
    assert "all values of max_turns" in about
    (variant,) = [one for one in sentences if one.startswith("With max_turns = 1 ")]
    assert re.search("100.0 % of .* were stopped at the limit and count as draws; that is ", variant)
    (fair,) = [one for one in sentences if "found fair" in one]
    assert "max_turns = 1 (100.0 % stopped at the limit)" in fair


# ------------------------------------------------------------------------------------------------------------ who plays
# best


def test_the_headline_is_told_of_the_best_rated_player(played):
    even = with_scores(played, {})
    wins = {"greedy": (2, 2), "value": (0, 0)}  # of side A in both seats, when greedy meets value
    counts = []
    for matchup, one in zip(even.matchups, even.counts, strict=True):
        scores = one.scores.copy()
        if matchup.strategies == ("greedy", "value"):
            scores[...] = 0
            scores[wins["greedy"]], scores[wins["value"]] = 90, 10
        counts.append(one._replace(scores=scores))
    tables = all_tables(replace(even, counts=counts))
    assert list(tables["skill"]["strategy"])[-1] == "value"
    assert strongest(tables, ["random", "greedy", "value"]) == "greedy"
    assert headline(tables, 2).startswith("When both play greedy, ")


def test_players_that_did_not_meet_are_told_apart_by_the_ladder(tmp_path):
    results = run_study(study(tmp_path, strategies=["greedy", "random"], matchups="same strategy", pairs=1), jobs=1)
    tables = all_tables(results)
    assert "ratings" not in tables
    assert headline(tables, 2).startswith("When both play greedy, ")
    assert any(
        "told of greedy, the strongest by the game's ladder (they did not meet)" in one for one in said(results, tables)
    )


@pytest.mark.parametrize(
    ("labels", "best", "able"),
    [
        (["random", "greedy", "face.py"], "greedy", "greedy"),
        (["tuned", "greedy", "ismcts:20", "montecarlo:50"], "ismcts:20", "tuned"),
        (["ismcts:20", "ismcts:50", "random"], "ismcts:50", "ismcts:50"),
        (["random", "face.py"], "face.py", "face.py"),
        (["weighted:mine.toml", "greedy"], "greedy", "greedy"),
        (["random"], "random", "random"),
    ],
)
def test_the_ladder_tells_who_plays_best(labels, best, able):
    assert by_ladder("sea", labels) == best
    assert by_ladder("sea", labels, searching=False) == able


def test_what_is_not_decided_agrees_with_nothing(played):
    few, apart = pairs(5, 5), {("random", "random"): pairs(55, 45, 200), ("greedy", "greedy"): pairs(45, 55, 200)}
    same = {(name, name): few for name in ("random", "greedy", "value")}
    text = "\n".join(said(with_scores(played, same)))
    assert "Whoever plays, so many games find no verdict (margin 2 points)." in text
    assert "the same whoever plays" not in text
    assert "make a difference" not in text
    text = "\n".join(
        said(
            with_scores(
                played, {**same, **apart, ("random", "random"): pairs(520, 480), ("greedy", "greedy"): pairs(440, 560)}
            )
        )
    )
    assert "Whoever plays, so many games find no verdict" not in text
    assert re.search(
        r"The players make a difference: the first seat wins 44.0 % \(.*\) when both play greedy and 52.0 % \(.*\) "
        r"when",
        text,
    )
    text = "\n".join(said(with_scores(played, {**same, ("greedy", "greedy"): pairs(0, 0, 9000)})))
    assert (
        "The verdict is fair when both play greedy, and not decided when both play random and value (margin 2 points)."
        in text
    )
    fair = {(name, name): pairs(0, 0, 9000) for name in ("random", "greedy", "value")}
    assert "The verdict is the same whoever plays: fair (margin 2 points)." in said(with_scores(played, fair))


# ------------------------------------------------------------------------------------------------------------ what was
# asked


def test_a_study_that_plays_until_something_tells_the_pairs_that_it_played(tmp_path, capsys):
    until = {"half_width": 1, "max_pairs": 3}
    path = study(tmp_path, decks=["rush"], until=until, pairs=10_000)
    assert main(["validate", str(path)]) == 0
    assert "1 matchup of at most 3 pairs" in capsys.readouterr().out
    write_report(run_study(path, jobs=1), tmp_path / "out")
    for name in ("summary.md", "report.html"):
        head = (tmp_path / "out" / name).read_text(encoding="utf-8").split("first player win")[0]
        assert (
            "(until an interval of ±1 point for the first seat's win rate, at most 3 pairs a matchup: 3 pairs; seed 1)"
            in head.replace("&#39;", "'")
        )
        assert "10,000" not in head
    settings = json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))["settings"]
    assert "pairs" not in settings
    assert settings["until"] == until


def test_pairs_are_told_in_words(tmp_path):
    path = study(tmp_path, strategies=["random", "ismcts:20"], pairs=10_000, search_pairs=100)
    loaded = load_study(path, compiled=False)
    assert sample_size(loaded) == "10,000 pairs a matchup, 100 where a strategy searches"
    assert sample_size(replace(loaded, search_pairs=None)) == "10,000 pairs a matchup"
    until = load_study(study(tmp_path, until={"sprt": [50, 52], "max_pairs": 9000})).until
    told = sample_size(replace(loaded, until=until), [1500, 500, 9000])
    assert told.endswith(
        "wins 50 % or 52 % (errors of 0.05 and 0.05), at most 9,000 pairs a matchup: 500 to 9,000 pairs"
    )


# ------------------------------------------------------------------------------------------------------------
# knock-outs


def row(en, effect, **keys):
    numbers = {
        "effect_low": effect - 0.01,
        "effect_high": effect + 0.01,
        "p_holm": 1.0,
        "pairs": 9,
        "differing_pairs": 1,
        "decks": 1,
    }
    return {"strategy": "greedy", "name": "海", "en": en, "effect": effect, **numbers, **keys}


def test_cards_that_are_worth_exactly_nothing_are_no_weakest(played):
    ranking = pd.DataFrame(
        [row("Orca", 0.05), row("Crab", 0.02), *(row(name, 0.0) for name in ("Shark", "Eel", "Cod"))]
    )
    told = list(ranked(ranking))
    assert told[0].startswith("Played by greedy, the strongest: Orca +5.0 points")
    assert "Shark" not in told[0]
    assert told[1:] == ["Played by greedy, 3 cards are worth exactly 0.0 points: Shark, Eel, Cod."]
    assert headline({"ranking": ranking}, 2) == " ".join(told)
    assert headline({"ranking": ranking.iloc[:0]}, 2) == "No card could be measured."


def test_a_knock_outs_folder_says_what_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = study(tmp_path, decks=["rush"], strategies=["greedy", "random"], pairs=1)
    assert main(["knockout", str(path), "--jobs", "1", "--out", "k"]) == 0
    summary = json.loads((tmp_path / "k" / "summary.json").read_text("utf-8"))
    assert summary["headline"].startswith("Played by greedy, ")
    assert any(
        "Both sides are played by greedy; " in one and "--strategies" in one
        for one in summary["sections"][0]["sentences"]
    )
    for words in (["stats", "k"], ["export", "k", "--to", "csv"], ["plan", "k"], ["diff", "k", "k"]):
        capsys.readouterr()
        assert main(words) == 2
        assert (
            "k: is the report of a knock-out, which keeps no counts; expected the folder of a report of komi run"
            in capsys.readouterr().err
        )


# ------------------------------------------------------------------------------------------------------------ plurals,
# nothing


def test_no_win_is_no_win_from_behind(stopped):
    (course,) = [part for part in sections(stopped, all_tables(stopped), []) if part.title == "How does a game go?"]
    assert [(one["wins from behind"], one["from far behind"]) for one in course.rows] == [("–", "–"), ("–", "–")]


def test_no_change_is_not_so_many_points_more():
    change = {"x": 0.0, "x_low": 0.0, "x_high": 0.0}
    assert points(change, "x") == "the same as now"
    assert points({**change, "x_low": -0.01, "x_high": 0.02}, "x") == "about the same as now (−1.0 to 2.0)"
    assert points({"x": 0.03, "x_low": -0.01, "x_high": 0.07}, "x") == "3.0 points more than now (−1.0 to 7.0)"
    assert points({"x": -0.03, "x_low": -0.07, "x_high": 0.01}, "x") == "3.0 points less than now (−1.0 to 7.0)"


def test_texts_have_one_kind_of_minus(played, tmp_path):
    write_report(played, tmp_path / "out")
    text = (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")
    assert not re.findall(r"(?<![\w-])-\d[\d.]*", text)
    assert "−" in text
    assert "−" not in (tmp_path / "out" / "deck_ratings.csv").read_text(encoding="utf-8")


def test_a_margin_of_one_is_one_point(tmp_path, capsys):
    write_report(run_study(study(tmp_path, margin=1.0), jobs=1), tmp_path / "out")
    assert main(["diff", str(tmp_path / "out"), str(tmp_path / "out")]) == 0
    assert "margin 1 point\n" in capsys.readouterr().out
    assert "1 points" not in (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")


def test_a_star_is_explained_where_one_is_seen(played):
    """A matchup that rests on few pairs that differ stands behind ten others that need more pairs."""
    few = pairs(5, 5)
    few[1, 1] = 100_000
    scores = [few, *[pairs(600, 400, 500)] * (len(played.counts) - 1)]
    results = replace(
        played, counts=[counts._replace(scores=one) for counts, one in zip(played.counts, scores, strict=True)]
    )
    plan = planning(results, GOAL)
    assert [need.seat.exact for need in plan.matchups].count(True) == 1
    told = "\n".join(lines(plan, results))
    assert "*" not in told
    assert "In 1 of 21 matchups fewer than 30 pairs of the pilot differ: the numbers are rough." in told
    alone = replace(results, matchups=results.matchups[:1], counts=results.counts[:1])
    told = "\n".join(lines(planning(alone, GOAL), alone))
    assert told.count("*") == 2
    assert "pairs of the pilot differ (*): the numbers are rough." in told


def test_mistakes_of_a_set_are_told_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "mine", "--game", "sea"]) == 0
    cards = tmp_path / "mine" / "cards.toml"
    cards.write_text(
        re.sub(r"^power = \d+", 'power = "x"', cards.read_text("utf-8"), count=1, flags=re.MULTILINE), encoding="utf-8"
    )
    decks = [str(path.relative_to(tmp_path)) for path in (tmp_path / "mine" / "decks").iterdir()]
    capsys.readouterr()
    assert main(["validate", "mine/cards.toml", *decks, "mine/study.toml"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 4
    assert sum("expected an integer" in line for line in told) == 1
    assert told[-1] == "komi: mine/study.toml: cannot be checked before that is mended"


# ------------------------------------------------------------------------------------------------------------ pictures


def test_pictures_write_per_cent_as_texts_do_and_whole_turns(stopped, played):
    tables = all_tables(played)
    for ax in (plot_leads(tables["leads"]), plot_lengths(tables["lengths"])):
        ax.figure.canvas.draw()
        assert all(re.fullmatch(r"−?[\d.]+ %", label.get_text()) for label in ax.get_yticklabels())
        assert all(float(tick).is_integer() for tick in ax.get_xticks())
        assert ax.get_ylim()[0] < 0
    assert "zigzag" in plot_leads(tables["leads"], unit="turn").get_xlabel()
    assert plot_leads(tables["leads"], unit="round").get_xlabel() == "after round"


def test_no_title_is_cut(played):
    for name, ax in draw_all(played, all_tables(played)).items():
        png(ax)
        figure = ax.figure
        box, whole = ax.title.get_window_extent(), figure.bbox
        assert box.x0 >= whole.x0, name
        assert box.x1 <= whole.x1, name


def test_the_picture_of_matchups_says_what_its_lines_are(played):
    pictures = draw_all(played, all_tables(played))
    (ax,) = [ax for name, ax in pictures.items() if name == "first_player_greedy_against_greedy"]
    assert ax.get_legend().get_title().get_text() == "colour: all verdicts together\nline: this matchup alone"


def test_names_that_no_font_has_are_left_out(monkeypatch):
    from reports.plots import labels

    monkeypatch.setattr(labels, "CJK_FONTS", ())
    assert can_write("Reef shark ±é")
    assert not can_write("サメ")
    ranking = pd.DataFrame(
        [row("Shark", 0.1, card="s", name="サメ", median=0.0, verdict="too strong", verdict_holm="too strong")]
    )
    ranking.loc[1] = {**ranking.loc[0].to_dict(), "name": "Hai", "en": "Eel"}
    cards = pd.DataFrame({"card": ["s"], "effect": [0.1]})
    assert [label.get_text() for label in plot_ranking(ranking, cards).get_yticklabels()] == ["Shark", "Hai Eel"]
    assert named("Hai", "Eel") == "Hai Eel"


def test_a_report_is_told_alike_when_it_is_made_again(stopped, tmp_path):
    write_report(stopped, tmp_path / "out")
    assert said(load_results(tmp_path / "out")) == said(stopped)
