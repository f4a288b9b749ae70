"""Fairness in reports: families of verdicts, decks against themselves and the others, sentences, the margin."""

from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import pytest
import tomli_w

from reports import load_study, run_study
from reports.pages.page import write_report
from reports.plots import plot_first_player
from reports.plots.canvas import VERDICT_COLOURS
from reports.sections import sections
from reports.tables import all_tables, deck_fairness_table, fairness_table, pairs_table, skill_table
from sim import InputError

DECKS = ["rush", "trap", "ramp"]


def pairs(first, second=0, even=0):
    """Nine counts: pairs won by the first seat, by the second, and by side A twice and side B twice in turn."""
    return np.array([[even - even // 2, 0, second], [0, 0, 0], [first, 0, even // 2]], np.int64)


EVEN = pairs(5000, 5000, 10_000)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A study played in a pair each, whose counts tests replace."""
    path = tmp_path_factory.mktemp("study") / "s.toml"
    path.write_text(
        tomli_w.dumps({"game": "sea", "decks": DECKS, "strategies": ["random", "greedy"], "pairs": 1}), encoding="utf-8"
    )
    return run_study(path, jobs=1)


def with_scores(results, scores, default=EVEN):
    """The same results with other counts of pairs, by decks and strategies."""
    counts = [
        counts._replace(scores=scores.get((m.a.deck_label, m.b.deck_label, *m.strategies), default))
        for m, counts in results.played()
    ]
    return replace(results, counts=counts)


@pytest.fixture(scope="module")
def results(played):
    greedy = ("greedy", "greedy")
    unfair = {("rush", "rush", *greedy): pairs(2000, 8000), ("rush", "trap", *greedy): pairs(7000, 3000)}
    few = {(a, b, "random", "random"): pairs(100, 100, 200) for a, b in combinations_with_replacement(DECKS, 2)}
    slight = {("trap", "trap", "random", "random"): pairs(288, 212)}  # 57.6 %: outside two points, but only just
    return with_scores(played, {**unfair, **few, **slight})


def test_families_are_the_verdicts_that_are_read_together(results):
    table = pairs_table(results)
    assert table.groupby(["strategy_a", "strategy_b"])["family"].unique().map(list).to_dict() == {
        ("random", "random"): [6], ("greedy", "greedy"): [6], ("random", "greedy"): [9],
    }  # fmt: skip
    fairness = fairness_table(results)
    assert list(fairness["family"]) == [2, 1, 2, 1]
    assert list(skill_table(fairness)["family"]) == [2, 2]
    assert set(deck_fairness_table(results)["family"]) == {2 * len(DECKS)}


def test_verdicts_held_together_are_those_alone_or_none(results):
    for name in ("pairs", "fairness", "deck_fairness", "skill"):
        table = all_tables(results)[name]
        assert (table["p_holm"] >= table["p_value"]).all()
        assert ((table["verdict"] != "not decided") == (table["p_value"] <= 0.05)).all()
        kept = table["verdict_holm"] == table["verdict"]
        assert (kept | (table["verdict_holm"] == "not decided")).all()
        assert (kept == ((table["p_holm"] <= 0.05) | (table["verdict"] == "not decided"))).all()
        assert not table.drop(columns="variance_ratio").isna().any().any()


def test_what_is_only_just_unfair_is_not_decided_among_many(results):
    table = pairs_table(results).set_index(["deck_a", "deck_b", "strategy_a", "strategy_b"])
    slight = table.loc["trap", "trap", "random", "random"]
    assert (slight["verdict"], slight["verdict_holm"]) == ("favours first", "not decided")
    assert table.loc["rush", "rush", "greedy", "greedy"]["verdict_holm"] == "favours second"


def test_a_deck_is_judged_against_itself_and_against_the_others(results):
    matchups = pairs_table(results)
    matchups = matchups[(matchups["strategy_a"] == "greedy") & (matchups["strategy_b"] == "greedy")]
    table = deck_fairness_table(results)
    assert len(table) == 2 * 2 * len(DECKS)
    for row in table[table["strategy"] == "greedy"].to_dict("records"):
        a, b = (matchups[side] == row["deck"] for side in ("deck_a", "deck_b"))
        met = matchups[a & b] if row["scope"] == "mirror" else matchups[a ^ b]
        assert row["matchups"] == len(met) == (1 if row["scope"] == "mirror" else len(DECKS) - 1)
        assert row["games"] == 2 * met["pairs"].sum()
        assert row["first_win_rate"] == pytest.approx(met["first_win_rate"].mean())
    rush = table.set_index(["strategy", "deck", "scope"])["verdict_holm"]
    assert rush["greedy", "rush", "mirror"] == "favours second"
    assert rush["greedy", "rush", "field"] == "favours first"


def test_the_page_says_what_a_designer_would(results):
    fairness, decks = sections(results, all_tables(results), [])[:2]
    assert any(
        said.startswith("Over all games, those between unequal players too, the second seat wins 50.1 % (")
        for said in fairness.sentences
    )
    (counted,) = [
        said for said in fairness.sentences if said.startswith("Of the 6 matchups between two random players: ")
    ]
    assert "players: 6 not decided (margin 2 points; all 6 verdicts together hold at 95 %" in counted
    assert "Not fair" not in counted
    (counted,) = [
        said for said in fairness.sentences if said.startswith("Of the 6 matchups between two greedy players: ")
    ]
    assert (
        "Not fair: rush – rush: the second seat wins 80.0 % (79.2 to 80.8); rush – trap: the first seat wins 70.0 %"
        in counted
    )
    assert decks.sentences[1].startswith(
        "When both play greedy, 3 decks against themselves: 2 fair, 1 favours second; 3 decks against "
    )
    assert (
        "Not fair: rush against itself: the second seat wins 80.0 % (79.2 to 80.8); rush against the others: the first"
        in decks.sentences[1]
    )
    assert len(decks.rows) == 12


def test_the_page_tells_once_what_pairs_saved(played):
    def said(scores):
        results = with_scores(played, {}, scores)
        ratio = fairness_table(results)["variance_ratio"].iloc[-1]
        sentences = [s for part in sections(results, all_tables(results), []) for s in part.sentences]
        return ratio, [s for s in sentences if s.startswith("Playing each deal in both seats")]

    ratio, sentences = said(EVEN)  # half of the pairs are even, as if games were independent
    assert ratio == pytest.approx(1, abs=1e-3)
    assert len(sentences) == 1
    ratio, sentences = said(pairs(1000, 1000, 8000))
    assert ratio == pytest.approx(0.4, abs=1e-3)
    assert "saved 60.0 % of the games: independent games would have to be 2.50 times as many" in sentences[0]
    ratio, sentences = said(pairs(4000, 4000, 2000))
    assert ratio == pytest.approx(1.6, abs=1e-3)
    assert "saved no games here" in sentences[0]


@pytest.mark.parametrize(
    "scores", [np.diag([0, 50, 0]), pairs(50), np.diag([0, 1, 0]), pairs(0, 0, 50)], ids=["draws", "won", "one", "even"]
)
def test_results_without_variance_leave_a_cell_empty_and_no_nan(played, tmp_path, scores):
    results = with_scores(played, {}, scores.astype(np.int64))
    write_report(results, tmp_path / "out")
    for name in ("pairs", "fairness", "deck_fairness", "skill"):
        text = (tmp_path / "out" / f"{name}.csv").read_text(encoding="utf-8")
        assert "nan" not in text.lower()
        table = pd.read_csv(tmp_path / "out" / f"{name}.csv")
        assert list(table.columns[table.isna().any()]) == (["variance_ratio"] if np.count_nonzero(scores) == 1 else [])
    words = (tmp_path / "out" / "summary.md").read_text(encoding="utf-8").lower().replace("(", " ").split()
    assert "nan" not in words
    assert "playing" not in words


def test_one_deck_has_no_others(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text('game = "sea"\ndecks = ["rush"]\nstrategies = ["random"]\npairs = 2\n', encoding="utf-8")
    results = run_study(path, jobs=1)
    assert list(deck_fairness_table(results)["scope"]) == ["mirror"]
    parts = sections(results, all_tables(results), [])
    assert not any("which decks does a seat" in part.title for part in parts)
    assert any(
        said.startswith("The matchup between two random players: not decided (margin 2 points; pairs.csv)")
        for said in parts[0].sentences
    )


def test_two_decks_against_each_other_are_one_verdict(tmp_path):
    path = tmp_path / "s.toml"
    content = {"game": "sea", "decks": ["rush", "trap"], "strategies": ["random", "greedy"], "pairs": 1}
    path.write_text(tomli_w.dumps(content), encoding="utf-8")
    results = with_scores(run_study(path, jobs=1), {("rush", "trap", "greedy", "greedy"): pairs(5320, 4680)})  # 53.2 %
    table = deck_fairness_table(results)
    assert table["family"].unique().tolist() == [3]
    field = table[(table["strategy"] == "greedy") & (table["scope"] == "field")]
    assert field["p_value"].nunique() == 1
    p_values = table[table["strategy"] == "greedy"].drop_duplicates("p_value")["p_value"]
    assert field["p_holm"].tolist() == pytest.approx(
        [(p_values >= field["p_value"].iloc[0]).sum() * field["p_value"].iloc[0]] * 2
    )
    decks = sections(results, all_tables(results), [])[1]
    assert decks.sentences[1].count("rush – trap against each other: the first seat wins 53.2 %") == 1
    assert "; the two decks against each other: 1 favours first (margin" in decks.sentences[1]
    assert "all 3 verdicts together" in decks.sentences[1]
    assert len(decks.rows) == 6


def test_mirrors_alone_make_no_field(tmp_path):
    path = tmp_path / "s.toml"
    content = {"game": "sea", "decks": DECKS, "strategies": ["random"], "matchups": "same deck", "pairs": 1}
    path.write_text(tomli_w.dumps(content), encoding="utf-8")
    results = run_study(path, jobs=1)
    assert list(deck_fairness_table(results)["scope"]) == ["mirror"] * len(DECKS)
    said = sections(results, all_tables(results), [])[1].sentences[0]
    assert said.startswith(
        "When both play random, 3 decks against themselves: 3 not decided (margin 2 points; all 3 verdicts"
    )


def test_the_picture_has_the_colours_of_the_text(results):
    table = pairs_table(results)
    table = table[(table["strategy_a"] == "random") & (table["strategy_b"] == "random")]
    assert set(table["verdict"]) == {"not decided", "favours first"}
    ax = plot_first_player(table)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["not decided"]
    colours = [line.get_color() for line in ax.get_lines() if line.get_marker() == "o"]
    assert colours == [VERDICT_COLOURS[word] for word in table["verdict_holm"]]


def test_another_margin_judges_the_same_games_otherwise(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text('game = "sea"\ndecks = ["rush"]\nstrategies = ["random"]\nmargin = 3\n', encoding="utf-8")
    assert load_study(path).margin == 3
    assert load_study(path, margin=0.5).margin == 0.5
    assert load_study(path, margin=1).margin == 1
    for margin in (0, -1, 50, float("nan"), float("inf")):
        with pytest.raises(InputError, match=r"^--margin: found "):
            load_study(path, margin=margin)
