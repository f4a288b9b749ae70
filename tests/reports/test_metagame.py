"""Strength and the metagame: known games, simulated coverage, and studies that leave little or nothing to tell."""

import dataclasses
import math
import re

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import tomli_w
from statsmodels.stats.multitest import multipletests

from reports import load_study, run_study
from reports.pages.page import write_report
from reports.plots import draw_all, plot_metagame, plot_residuals
from reports.sections import sections
from reports.stats.estimates import STRENGTH, resampled, shown_together
from reports.stats.metagame import clear_wins, cycles, dominated, equilibria, equilibrium, metagame, win_rates
from reports.stats.ratings import bradley_terry, deviations, elo, normalized_elo
from reports.studies.strongest import strongest
from reports.tables import (
    all_tables,
    deck_matrix,
    deck_matrix_table,
    deck_ratings_table,
    metagame_table,
    residuals_table,
)
from sim.counts import other_side
from sim.files.wording import number


def nine(wins, pairs):
    """Nine counts of so many pairs of which one side wins so many, both games, and loses the others."""
    counts = np.zeros((3, 3), np.int64)
    counts[2, 2], counts[0, 0] = wins, pairs - wins
    return counts


def drawn(pairs):
    counts = np.zeros((3, 3), np.int64)
    counts[1, 1] = pairs
    return counts


def met(rates, pairs=1000):
    """Counts of decks that met, from the win rates above the diagonal."""
    n = len(rates)
    return {(i, j): nine(round(rates[i][j] * pairs), pairs) for i in range(n) for j in range(i + 1, n)}


ROCK_PAPER_SCISSORS = [[0.5, 0.4, 0.6], [0.6, 0.5, 0.4], [0.4, 0.6, 0.5]]
WITH_A_DUD = [
    [0.5, 0.4, 0.6, 0.7],
    [0.6, 0.5, 0.4, 0.8],
    [0.4, 0.6, 0.5, 0.55],
    [0.3, 0.2, 0.45, 0.5],
]  # worse than the first everywhere


def test_rock_paper_scissors_is_thirds():
    assert equilibrium(np.array(ROCK_PAPER_SCISSORS)) == pytest.approx([1 / 3] * 3)
    uneven = np.array(
        [[0.5, 0.4, 0.8], [0.6, 0.5, 0.3], [0.2, 0.7, 0.5]]
    )  # shares as the payoffs of the two others: 2, 3, 1
    assert equilibrium(uneven) == pytest.approx([2 / 6, 3 / 6, 1 / 6])


def test_the_better_of_two_decks_is_played_and_even_decks_share():
    assert equilibrium(np.array([[0.5, 0.51], [0.49, 0.5]])).tolist() == [1, 0]
    assert equilibrium(np.full((4, 4), 0.5)) == pytest.approx([0.25] * 4)
    assert equilibrium(np.array([[0.5]])).tolist() == [1]
    twins = np.array([[0.5, 0.5, 0.7], [0.5, 0.5, 0.7], [0.3, 0.3, 0.5]])
    assert equilibrium(twins) == pytest.approx([0.5, 0.5, 0])


def test_a_dominated_deck_is_not_played():
    found = metagame(4, met(WITH_A_DUD))
    assert found.shares == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert (found.worse_than[3], found.clearly[3]) == (0, True)
    assert found.worse_than[:3].tolist() == [-1] * 3
    assert found.win_rates[3] == pytest.approx((0.3 + 0.2 + 0.45) / 3)
    assert found.played[3] < 0.05
    worse_than, clearly = dominated(4, met(WITH_A_DUD, pairs=20))
    assert (worse_than[3], clearly[3]) == (0, False)  # so few pairs do not show it


@pytest.mark.parametrize(
    "rates", [[[0.5, 0.5], [0.4, 0.5]], [[0.5, math.nan], [0.5, 0.5]], [[0.5, 0.5]], np.zeros((0, 0))]
)
def test_rates_that_do_not_add_up_have_no_equilibrium(rates):
    with pytest.raises(ValueError, match="add up to 1"):
        equilibrium(np.array(rates))


def test_no_deck_wins_more_than_half_against_an_equilibrium():
    random = np.random.default_rng(1)
    for n in (2, 3, 5, 8):
        above = np.triu(random.integers(0, 9, size=(20, n, n)) / 8 if n < 8 else random.random((20, n, n)), 1)
        rates = above + np.tril(1 - above.transpose(0, 2, 1), -1) + 0.5 * np.eye(n)
        shares = equilibria(rates)
        assert shares.sum(axis=1) == pytest.approx(np.ones(20))
        assert (shares >= 0).all()
        assert ((rates @ shares[:, :, None])[:, :, 0] <= 0.5 + 1e-9).all()


def test_equilibria_are_those_found_one_by_one():
    random = np.random.default_rng(2)
    above = np.triu(random.random((60, 4, 4)), 1)
    rates = above + np.tril(1 - above.transpose(0, 2, 1), -1) + 0.5 * np.eye(4)
    assert equilibria(rates) == pytest.approx(np.array([equilibrium(r) for r in rates]), abs=1e-7)


def test_a_circle_is_shown_when_each_win_is_clear():
    rates = ROCK_PAPER_SCISSORS
    assert cycles(3, met(rates)) == [(0, 2, 1)]
    assert cycles(3, met(rates, pairs=30)) == []
    assert clear_wins(3, met(rates)).sum() == 3
    assert not clear_wins(3, {}).any()


def test_clear_wins_are_rarely_claimed_of_even_decks():
    """Control: four even decks, 150 studies; any claim at all in about 5 % of them."""
    random = np.random.default_rng(6)
    wrong = 0
    for _ in range(150):
        counts = {(i, j): nine(random.binomial(200, 0.5), 200) for i in range(4) for j in range(i + 1, 4)}
        wrong += bool(clear_wins(4, counts).any())
    assert 0 < wrong / 150 < 0.1


def test_shares_are_covered_by_their_intervals_as_often_as_they_say():
    """Control: 150 studies of an uneven rock, paper, scissors with 300 pairs a matchup."""
    truth = np.array([[0.5, 0.4, 0.7], [0.6, 0.5, 0.35], [0.3, 0.65, 0.5]])
    shares, random, covered = equilibrium(truth), np.random.default_rng(3), np.zeros(3)
    for _ in range(150):
        counts = {(i, j): nine(random.binomial(300, truth[i, j]), 300) for i in range(3) for j in range(i + 1, 3)}
        found = metagame(3, counts)
        covered += (found.share_low <= shares) & (shares <= found.share_high)
    assert (covered / 150 > 0.9).all()
    assert (covered / 150 < 1).any()


def test_one_pair_a_matchup_leaves_everything_open():
    found = metagame(3, met([[0.5, 1, 1], [0, 0.5, 1], [0, 0, 0.5]], pairs=1))
    assert found.shares.tolist() == [1, 0, 0]
    assert found.share_low[0] == 0
    assert found.share_high[1] == 1
    assert not found.clearly.any()


def test_the_same_counts_give_the_same_metagame():
    one, two = metagame(4, met(WITH_A_DUD)), metagame(4, met(WITH_A_DUD))
    assert all((getattr(one, field.name) == getattr(two, field.name)).all() for field in dataclasses.fields(one))


def test_elo_points_by_the_textbook_and_finite():
    assert elo(0.5, 10) == 0
    assert elo(0.75, 1000) == pytest.approx(400 * math.log10(3))
    assert elo(0.25, 1000) == pytest.approx(-400 * math.log10(3))
    assert elo(1.0, 100) == pytest.approx(400 * math.log10(199))
    assert elo(0.0, 1) == 0  # one game shows nothing


def test_normalized_elo_of_a_published_match():
    counts = np.zeros((3, 3), np.int64)  # by half points of both games: 379, 10170, 21828, 10640, 343
    counts[0, 0], counts[0, 1], counts[1, 1], counts[1, 2], counts[2, 2] = 379, 10170, 21828, 10640, 343
    assert normalized_elo(counts) == pytest.approx(3.05, abs=0.005)
    assert normalized_elo(other_side(counts)) == pytest.approx(-3.05, abs=0.005)
    assert normalized_elo(drawn(5)) == 0
    assert normalized_elo(nine(5, 5)) == pytest.approx(0.4 / math.sqrt(2 * 0.09) * 800 / math.log(10))
    assert normalized_elo(nine(0, 5)) == pytest.approx(-normalized_elo(nine(5, 5)))
    assert normalized_elo(nine(1, 1)) == 0  # one pair shows nothing


def test_what_is_claimed_together_is_what_statsmodels_claims():
    p = np.array([0.001, 0.0095, 0.012, 0.03, 0.04, 0.2])
    shown = shown_together(lambda confidence: p <= 1 - confidence, len(p))
    assert shown.tolist() == multipletests(p, alpha=0.05, method="holm")[0].tolist()
    assert shown.sum() == 3
    assert shown_together(lambda _: np.zeros(0, bool), 0).size == 0


def test_resampled_pairs_are_as_many_and_leave_doubt():
    again = resampled(nine(3, 3), 2000, np.random.default_rng(1))
    assert (again.sum(axis=(1, 2)) == 3).all()
    assert 0.5 < (again * STRENGTH).sum(axis=(1, 2)).mean() / 3 < 1


def test_residuals_are_what_one_scale_does_not_hold():
    names = ["a", "b", "c"]
    circle = [(names[i], names[j], scores) for (i, j), scores in met(ROCK_PAPER_SCISSORS, 2000).items()]
    found = {(d.a, d.b): d for d in deviations(names, circle)}
    assert [r[0] for r in bradley_terry(names, circle, centred=True)[0]] == pytest.approx([0, 0, 0], abs=1e-6)
    assert found["a", "b"].observed - found["a", "b"].fitted == pytest.approx(-0.1, abs=1e-3)
    assert all(abs(d.observed - d.fitted) > 5 * d.error for d in found.values())
    (alone,) = deviations(names[:2], [("a", "b", nine(90, 100))])
    assert alone.observed == pytest.approx(alone.fitted)


def test_what_ratings_say_is_what_statsmodels_fits():
    random = np.random.default_rng(7)
    counts = [
        ("a", "b", random.integers(1, 40, (3, 3))),
        ("b", "c", random.integers(1, 40, (3, 3))),
        ("c", "a", random.integers(1, 40, (3, 3))),
    ]
    rows, won, lost = [], [], []
    for a, b, scores in counts:
        for seat, marginal in ((1, scores.sum(axis=1)), (-1, scores.sum(axis=0))):
            rows.append([(a == name) - (b == name) for name in "bc"] + [seat])
            won.append(marginal @ [0, 0.5, 1] + 0.5)
            lost.append(marginal @ [1, 0.5, 0] + 0.5)
    fitted = (
        sm.GLM(np.column_stack([won, lost]), np.array(rows, float), family=sm.families.Binomial()).fit().fittedvalues
    )
    assert [d.fitted for d in deviations("abc", counts)] == pytest.approx(fitted.reshape(3, 2).mean(axis=1), abs=1e-6)
    observed = (np.array(won) / (np.array(won) + lost)).reshape(3, 2).mean(axis=1)
    assert [d.observed for d in deviations("abc", counts)] == pytest.approx(observed)


def test_residuals_of_a_deck_add_up_to_nothing():
    random = np.random.default_rng(4)
    names = list("abcd")
    counts = [
        (a, b, random.integers(1, 40, size=(3, 3)))
        for a, b in [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "a"), ("a", "a")]
    ]
    sums = dict.fromkeys(names, 0.0)
    games = {(a, b): scores.sum() + 1 for a, b, scores in counts}
    for d in deviations(names, counts):
        sums[d.a] += games[d.a, d.b] * (d.observed - d.fitted)
        sums[d.b] -= games[d.a, d.b] * (d.observed - d.fitted)
    assert list(sums.values()) == pytest.approx([0] * 4, abs=1e-6)


def test_errors_of_residuals_are_those_of_simulated_studies():
    """Control: decks on one scale; residuals in standard errors have a variance of one."""
    random, strengths, names = np.random.default_rng(5), np.array([0.0, 0.5, 1.0, -0.4]), list("abcd")
    z = []
    for _ in range(100):
        counts = []
        for i in range(4):
            for j in range(i + 1, 4):
                p = 1 / (1 + math.exp(strengths[j] - strengths[i]))
                wins = random.binomial(1, p, size=(200, 2))
                scores = np.zeros((3, 3), np.int64)
                np.add.at(scores, (2 * wins[:, 0], 2 * wins[:, 1]), 1)
                counts.append((names[i], names[j], scores))
        z += [(d.observed - d.fitted) / d.error for d in deviations(names, counts)]
    assert np.var(z) == pytest.approx(1, abs=0.2)


def test_two_that_met_in_either_order_are_one_meeting():
    one = bradley_terry(["a", "b"], [("a", "b", nine(70, 100)), ("b", "a", nine(40, 100))])
    assert one == bradley_terry(["a", "b"], [("a", "b", nine(70, 100)), ("a", "b", other_side(nine(40, 100)))])
    with pytest.raises(ValueError, match="at least one pair"):
        bradley_terry(["a", "b"], [("a", "b", nine(0, 0))])


@pytest.fixture(scope="module")
def one_pair(tmp_path_factory):
    """Results of one matchup that was played."""
    path = tmp_path_factory.mktemp("study") / "one.toml"
    path.write_text('game = "sea"\ndecks = ["rush"]\nstrategies = ["random"]\npairs = 1\n', encoding="utf-8")
    return run_study(path, jobs=1)


@pytest.fixture
def made(tmp_path, one_pair):
    """Results of a study of the sea game that was not played, with nine counts that a function gives each matchup."""

    def make(scores, **keys):
        path = tmp_path / "study.toml"
        keys = {"decks": ["rush", "trap", "ramp"], "strategies": ["random", "greedy"], "pairs": 1000, **keys}
        path.write_text(tomli_w.dumps({"game": "sea", **keys}), encoding="utf-8")
        study = load_study(path)
        matchups = study.matchups()
        counts = [one_pair.counts[0]._replace(scores=scores(matchup)) for matchup in matchups]
        return dataclasses.replace(
            one_pair, study=study, matchups=matchups, counts=counts, stops=[None] * len(matchups), others=[]
        )

    return make


RATES = pd.DataFrame(ROCK_PAPER_SCISSORS, index=["rush", "trap", "ramp"], columns=["rush", "trap", "ramp"])


def circle(pairs):
    """Decks that beat each other in a circle, and greedy that beats random."""

    def scores(matchup):
        if matchup.a.strategy_label != matchup.b.strategy_label:
            return nine(round(pairs * (0.1 if matchup.a.strategy_label == "random" else 0.9)), pairs)
        return nine(round(pairs * RATES.loc[matchup.a.deck_label, matchup.b.deck_label]), pairs)

    return scores


def test_tables_of_strength_are_complementary(made):
    tables = all_tables(made(circle(1000)))
    matrix = tables["deck_matrix"].set_index(["strategy", "deck", "opponent"])
    assert len(matrix) == 2 * 9
    for strategy, deck, opponent in matrix.index:
        one, other = matrix.loc[(strategy, deck, opponent)], matrix.loc[(strategy, opponent, deck)]
        assert one["win_rate"] + other["win_rate"] == pytest.approx(1)
        assert one["win_low"] + other["win_high"] == pytest.approx(1)
        assert one["elo"] + other["elo"] == pytest.approx(0)
        assert one["normalized_elo"] + other["normalized_elo"] == pytest.approx(0)
        assert one["elo_low"] <= one["elo"] <= one["elo_high"]
    mirrors = matrix[[deck == opponent for _, deck, opponent in matrix.index]]
    assert (mirrors[["win_rate", "win_low", "win_high"]] == 0.5).all().all()
    residuals = tables["residuals"].set_index(["strategy", "deck", "opponent"])["residual"]
    assert residuals["greedy", "trap", "rush"] == pytest.approx(-residuals["greedy", "rush", "trap"])
    assert residuals["greedy", "trap", "rush"] == pytest.approx(0.1, abs=1e-3)
    strategies = tables["strategies"].set_index(["strategy", "opponent"])
    assert strategies.loc[("greedy", "random"), "elo"] == pytest.approx(400 * math.log10(9))


def test_the_wide_and_the_long_matrix_agree(made):
    results = made(circle(1000))
    long = (
        deck_matrix_table(results)
        .query("strategy == 'greedy'")
        .pivot(index="deck", columns="opponent", values="win_rate")
    )
    wide = deck_matrix(results, "greedy")
    assert long.loc[wide.index, wide.columns].to_numpy() == pytest.approx(wide.to_numpy())
    assert wide.to_numpy() == pytest.approx(win_rates(3, results.decks_met("greedy")))


def test_the_page_tells_a_circle(made):
    results = made(circle(1000))
    tables = all_tables(results)
    assert strongest(tables, tables["metagame"]["strategy"]) == "greedy"
    assert len(tables["cycles"]) == 2
    part = next(s for s in sections(results, tables, ["metagame", "residuals"]) if "would be played" in s.title)
    text = " ".join(part.sentences)
    assert "told of greedy, the best rated strategy of this study" in text
    assert "33.3 %" in text
    assert "rush beats ramp (60.0 %), ramp beats trap (60.0 %), trap beats rush (60.0 %): a circle" in text
    assert "Played by random, it would be" in text
    assert part.pictures == ["metagame"]
    decks = next(s for s in sections(results, tables, ["metagame", "residuals"]) if "strong" in s.title)
    assert any("one scale does not tell all: 3 of 3 matchups" in sentence for sentence in decks.sentences)
    assert {"metagame", "residuals"} <= set(draw_all(results, tables))


def test_without_ratings_the_strongest_by_the_ladder_is_told(made):
    for keys in ({"matchups": "same strategy"}, {}):
        tables = all_tables(made(circle(100), strategies=["greedy", "random"], **keys))
        assert ("ratings" in tables) == (not keys)
        assert strongest(tables, tables["metagame"]["strategy"]) == "greedy"


def test_pictures_hold_what_the_tables_say(made):
    results = made(circle(1000))
    shares = metagame_table(results).query("strategy == 'greedy'")
    ax = plot_metagame(shares)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(list(shares["share"]))
    ends = shares[["share_low", "share_high"]].to_numpy()
    assert [list(line[:, 0]) for line in ax.collections[0].get_segments()] == ends.tolist()
    assert [list(line.get_xdata()) for line in ax.get_lines()] == ends.T.tolist()  # the marks at their ends
    rows = residuals_table(results).query("strategy == 'greedy'")
    ax = plot_residuals(rows)
    assert sorted(text.get_text() for text in ax.texts) == sorted(
        number(100 * r, 1, sign=True) for r in rows["residual"]
    )
    assert all(text.get_fontweight() == "bold" for text in ax.texts)


def some_cells(matchup):
    """Decks of which two did not meet, and some met once."""
    names = {matchup.a.deck_label, matchup.b.deck_label}
    return nine(0, 0) if names == {"rush", "trap"} else nine(1, 1)


ODD = {
    "one deck": (circle(5), {"decks": ["rush"]}, "only one deck"),
    "two decks": (lambda _: nine(40, 50), {"decks": ["rush", "trap"]}, "nothing but rush"),
    "all draws": (lambda _: drawn(100), {}, "33.3 %"),
    "one pair": (lambda _: nine(1, 1), {}, "nothing but rush (the games played leave room for trap up to 100.0 %"),
    "clean sweeps": (lambda m: nine(0 if m.is_mirror else 500, 500), {}, "nothing but rush"),
    "mirrors only": (circle(50), {"matchups": "same deck"}, "No two different decks met"),
    "some cells": (some_cells, {}, "1 pair of decks did not meet and count as even"),
    "one strategy": (circle(50), {"strategies": ["greedy"]}, "told of greedy, the only strategy"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_studies_are_told_in_words_without_holes(made, name):
    scores, keys, said = ODD[name]
    results = made(scores, **keys)
    tables = all_tables(results)
    for label, table in tables.items():
        numbers = table.drop(columns="variance_ratio", errors="ignore")
        assert not numbers.isna().any().any(), label
        assert np.isfinite(numbers.select_dtypes("number").to_numpy(float)).all(), label
    parts = sections(results, tables, [])
    text = "\n".join(
        line for part in parts for line in [*part.sentences, *(cell for row in part.rows for cell in row.values())]
    )
    assert said in text
    assert not re.search(r"\b(nan|inf)\b", text.lower())
    assert ("metagame" in tables) == (name not in ("one deck", "mirrors only"))


@pytest.mark.parametrize("name", ["some cells", "mirrors only"])
def test_odd_studies_have_a_page_too(made, tmp_path, name):
    scores, keys, said = ODD[name]
    tables = write_report(made(scores, **keys), tmp_path / "out")
    assert said in (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")
    for label in ("deck_matrix", "deck_ratings", "residuals", "metagame", "cycles"):
        assert (tmp_path / "out" / f"{label}.csv").exists() == (label in tables)
    assert (tmp_path / "out" / "metagame.png").exists() == ("metagame" in tables)


def test_ratings_of_decks_are_around_their_mean(made):
    table = deck_ratings_table(made(lambda m: nine(500 if m.is_mirror else 600, 1000))).query("strategy == 'greedy'")
    assert list(table["deck"]) == ["rush", "trap", "ramp", "first seat"]
    assert table["rating"].iloc[:3].sum() == pytest.approx(0, abs=1e-9)
    assert (table["rating_low"] <= table["rating"]).all()
    assert (table["rating"] <= table["rating_high"]).all()
