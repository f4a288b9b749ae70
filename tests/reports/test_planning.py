"""Planning: formulas against statsmodels, plans against simulated studies, the command."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from statsmodels.stats.power import normal_sample_size_one_tail
from statsmodels.stats.proportion import power_ztost_prop, samplesize_confint_proportion

from reports import load_study, run_study
from reports.cli import main
from reports.experiments.planning import (
    MOST_PAIRS,
    Goal,
    duration,
    fair_power,
    lines,
    need,
    pairs_for_fair,
    pairs_for_half_width,
    pairs_for_unfair,
    pilot_study,
    planning,
)
from reports.play.results import Results
from reports.stats.estimates import first_seat, pooled, verdict
from sim.files.errors import InputError

GOAL = Goal(half_width=1, margin=2, power=0.9)
CELLS = ((0, 0), (0, 2), (2, 0), (2, 2), (1, 1))


def nine(*pairs):
    """Counts of pairs that A loses, the second seat wins, the first seat wins, A wins, that are drawn."""
    table = np.zeros((3, 3), np.int64)
    for cell, n in zip(CELLS, pairs, strict=False):
        table[cell] = n
    return table


def simulated(sample, pairs, random):
    """Play as many pairs as planned, of the kinds of a sample."""
    return random.multinomial(pairs, sample.ravel() / sample.sum()).reshape(3, 3)


def test_a_half_width_needs_what_statsmodels_says():
    for half_width in (0.001, 0.005, 0.02):
        theirs = samplesize_confint_proportion(0.3, half_width)
        assert pairs_for_half_width(0.3 * 0.7, half_width) == pytest.approx(theirs, abs=4)


def test_a_verdict_beyond_the_margin_needs_what_statsmodels_says():
    theirs = normal_sample_size_one_tail(0.013, 0.9, 0.025, std_null=0.3)
    assert pairs_for_unfair(0.09, 0.02, 0.9, distance=0.033) == pytest.approx(theirs, abs=1)


@pytest.mark.parametrize("distance", [0.0, 0.007])
def test_the_power_to_find_it_fair_is_that_of_statsmodels(distance):
    p = 0.5 + distance
    theirs = [
        power_ztost_prop(0.48, 0.52, n, p, 0.025, variance_prop=p, discrete=False)[0] for n in (3_000, 9_000, 20_000)
    ]
    assert [fair_power(p * (1 - p), 0.02, n, distance) for n in (3_000, 9_000, 20_000)] == pytest.approx(
        theirs, abs=1e-9
    )
    pairs = pairs_for_fair(p * (1 - p), 0.02, 0.9, distance)
    assert fair_power(p * (1 - p), 0.02, pairs, distance) >= 0.9 > fair_power(p * (1 - p), 0.02, pairs - 1, distance)


@pytest.mark.parametrize("samples", [[nine(140, 100, 120, 130, 10)], [nine(240, 10, 20, 230), nine(50, 180, 220, 50)]])
def test_the_planned_pairs_reach_the_half_width(samples):
    pairs = need("m", samples, GOAL).half_width_pairs
    random = np.random.default_rng(1)
    estimates = [pooled([simulated(sample, pairs, random) for sample in samples]) for _ in range(200)]
    assert np.mean([100 * (e.high - e.low) / 2 for e in estimates]) == pytest.approx(GOAL.half_width, rel=0.01)


FAIR, FIRST, SECOND = (
    [nine(140, 111, 119, 130)],
    [nine(150, 80, 120, 150)],
    [nine(240, 16, 4, 240), nine(50, 260, 140, 50)],
)


@pytest.mark.parametrize(("samples", "word"), [(FAIR, "fair"), (FIRST, "favours first"), (SECOND, "favours second")])
def test_the_planned_pairs_find_the_verdict_with_its_power(samples, word):
    """Control: 1,500 simulated studies of the planned size, with the pilot's shares as the truth."""
    found = need("m", samples, GOAL)
    assert found.verdict == word
    random = np.random.default_rng(2)
    studies = [pooled([simulated(sample, found.verdict_pairs, random) for sample in samples]) for _ in range(1500)]
    assert np.mean([verdict(study, GOAL.margin) == word for study in studies]) == pytest.approx(GOAL.power, abs=0.025)


def test_the_planned_pairs_find_an_even_matchup_fair_with_their_power():
    pilot, even = nine(150, 80, 120, 150), nine(150, 100, 100, 150)
    pairs = need("m", [pilot], replace(GOAL, power=0.8)).even_pairs
    random = np.random.default_rng(3)
    found = [verdict(first_seat(simulated(even, pairs, random)), GOAL.margin) == "fair" for _ in range(1500)]
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)


def test_at_the_margin_no_number_of_pairs_finds_a_verdict():
    found = need("m", [nine(150, 92, 108, 150)], replace(GOAL, margin=1.6))
    assert found.seat.rate == pytest.approx(0.516)
    assert (found.verdict, found.verdict_pairs) == ("not decided", None)
    assert found.even_pairs > 2
    assert found.unsure


def test_whether_another_verdict_may_be_true_is_said():
    assert not need("m", [nine(25_000, 20_000, 20_000, 25_000)], GOAL).unsure
    assert need("m", [nine(150, 100, 100, 150)], GOAL).unsure


@pytest.mark.parametrize("sample", [nine(250, 0, 0, 250), nine(200, 3, 3, 294), nine(0, 0, 500), nine(0, 0, 0, 0, 20)])
def test_pairs_that_hardly_differ_need_what_makes_the_exact_interval_narrow(sample):
    found = need("m", [sample], GOAL)
    assert found.seat.exact
    assert 100 < found.half_width_pairs < 10_000
    share = sample / sample.sum()
    reached = first_seat(np.rint(share * found.half_width_pairs).astype(np.int64))
    assert 0.9 < 100 * max(reached.high - reached.rate, reached.rate - reached.low) <= 1.0001
    assert found.verdict_pairs is not None


def test_more_pairs_than_a_study_may_have_are_none():
    tiny = need("m", [nine(150, 80, 120, 150)], Goal(1e-9, 1e-9, 0.9))
    assert (tiny.half_width_pairs, tiny.even_pairs) == (None, None)
    assert tiny.verdict == "favours first"
    assert pairs_for_half_width(0.09, 1.96 * 0.3 / MOST_PAIRS**0.5 * 1.001) == pytest.approx(MOST_PAIRS, rel=0.01)


def results_of(*scores, strategies=("greedy",)):
    """Make results of matchups that nobody has played; of the study, only what a plan reads."""
    counts = [SimpleNamespace(scores=n, outcomes=2 * n.sum()) for n in scores]
    players = [
        SimpleNamespace(deck_label=f"d{i}", strategy_label=strategies[i % len(strategies)]) for i in range(len(scores))
    ]
    matchups = [SimpleNamespace(a=player, b=player, strategies=(player.strategy_label,) * 2) for player in players]
    return Results(
        SimpleNamespace(name="mine", strategies=dict.fromkeys(strategies)), matchups, counts, [None] * len(counts), {}
    )


def test_a_plan_pools_all_and_what_each_strategy_plays_on_both_sides():
    scores = [nine(20 * i + 50, 40, 60 + i, 50) for i in range(6)]
    plan = planning(results_of(*scores, strategies=("greedy", "random")), GOAL)
    assert [(n.name, n.matchups) for n in plan.pooled] == [("all", 6), ("both greedy", 3), ("both random", 3)]
    assert [n.name for n in plan.matchups[:2]] == ["d0 - d0, both greedy", "d1 - d1, both random"]
    assert plan.pooled[1] == need("both greedy", scores[::2], GOAL)
    alone = planning(results_of(*scores), GOAL)
    assert [n.name for n in alone.pooled] == ["all"]
    assert planning(results_of(scores[0]), GOAL).pooled == []


def test_the_worst_matchups_are_shown_and_the_rest_counted():
    scores = [nine(100 - i, 40, 40 + 2 * i, 100) for i in range(14)]
    results = results_of(*scores)
    said = list(lines(planning(results, GOAL), results, seconds=2.0))
    assert (
        said[0] == f"The pilot: {2 * sum(n.sum() for n in scores):,} games, {sum(n.sum() for n in scores):,} a second."
    )
    assert said[2].startswith("pairs a matchup for")
    assert said[3].startswith("all ")
    assert [line.split()[0] for line in said[4:14]] == [f"d{i}" for i in range(13, 3, -1)]
    assert said[14] == "and 4 more, of which none needs more for ± 1"
    assert len({line.index(" (") for line in said[3:14]}) == 1
    worst = max(n.half_width_pairs for n in planning(results, GOAL).matchups)
    (every,) = [line for line in said if line.startswith("± 1 point in every matchup")]
    assert f"{worst:,} pairs each, {28 * worst:,} games, about " in every
    assert "on this machine" not in "".join(lines(planning(results, GOAL), results))


def test_what_to_be_careful_with_is_said():
    results = results_of(nine(150, 100, 100, 150), nine(150, 92, 108, 150), nine(250, 0, 0, 250))
    said = "\n".join(lines(planning(results, replace(GOAL, margin=1.6)), results))
    assert "at the margin: none" in said
    assert (
        "In 1 of 3 matchups the estimate lies at the edge of the margin, where no number of pairs finds a verdict."
        in said
    )
    assert "In 2 of 3 matchups the pilot's interval reaches over an edge of the margin" in said
    assert "In 1 of 3 matchups fewer than 30 pairs of the pilot differ (*)" in said
    sure = results_of(nine(25_000, 20_000, 20_000, 25_000))
    assert "A longer pilot" not in "\n".join(lines(planning(sure, GOAL), sure))


@pytest.mark.parametrize("scores", [nine(), nine(1)])
def test_results_without_pairs_are_refused(scores):
    with pytest.raises(InputError, match=r"mine: d1 - d1, both greedy: pairs: found [01], expected at least 2"):
        planning(results_of(nine(5, 5), scores), GOAL)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 second"),
        (1.6, "2 seconds"),
        (119, "119 seconds"),
        (125, "2 minutes"),
        (1e5, "28 hours"),
        (1e12, "31,710 years"),
    ],
)
def test_times_in_words(seconds, words):
    assert duration(seconds) == words


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(
        'game = "sea"\ndecks = ["rush", "trap"]\npairs = 3\nmargin = 3\n', encoding="utf-8"
    )
    return "mine.toml"


def test_a_pilot_is_the_beginning_of_its_study(study):
    loaded = replace(load_study(study), search_pairs=20)
    assert [(pilot_study(loaded, n).pairs, pilot_study(loaded, n).search_pairs) for n in (2, 100)] == [
        (2, 2),
        (100, 20),
    ]
    three, pilot = run_study(loaded, jobs=1), run_study(pilot_study(loaded, 2), jobs=1)
    assert all((a.scores >= b.scores).all() for a, b in zip(three.counts, pilot.counts, strict=True))


def test_the_command_plans_a_study_or_that_of_a_report(study, capsys):
    assert main(["plan", study, "--pilot", "4", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("The pilot: 80 games, ")
    assert "margin ± 3, power 90 %" in out
    assert main(["run", study, "--jobs", "1", "--out", "report"]) == 0
    capsys.readouterr()
    assert (
        main(["plan", "report", "--pilot", "4", "--margin", "1", "--power", "0.8", "--half-width", "2", "--jobs", "1"])
        == 0
    )
    again = capsys.readouterr().out
    assert main(["plan", "report"]) == 0
    counted = capsys.readouterr().out
    assert counted.startswith("The pilot: 60 games.") or "a second" not in counted.splitlines()[0]
    assert main(["plan", "report", "--seed", "3"]) == 2
    assert "--seed: found it with a report's counts" in capsys.readouterr().err
    assert "± 2 points in every matchup" in again
    assert "margin ± 1, power 80 %" in again
    assert [line.split("*")[0] for line in out.splitlines()[3:7]] == [
        line.split("*")[0] for line in again.splitlines()[3:7]
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mine.toml", "--half-width", "0"], "--half-width: found 0, expected more than 0 and less than 50"),
        (["mine.toml", "--half-width", "nan"], "--half-width: found nan"),
        (["mine.toml", "--margin", "50"], "--margin: found 50, expected more than 0 and less than 50"),
        (["mine.toml", "--power", "1"], "--power: found 1, expected at least 0.5 and less than 1"),
        (["mine.toml", "--power", "0.4"], "--power: found 0.4"),
        (["mine.toml", "--pilot", "0"], "--pilot: found 0, expected at least 2"),
        (["mine.toml", "--jobs", "0"], "--jobs"),
        (["mine.toml", "--seed", str(2**63)], "--seed"),
        (["sae"], "did you mean 'sea'"),
        (["."], "found no study.toml in it, expected the folder of a report"),
    ],
)
@pytest.mark.usefixtures("study")
def test_a_plan_that_makes_no_sense_is_refused(capsys, words, message):
    assert main(["plan", *words]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
