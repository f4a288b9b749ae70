"""What a card is worth: the difference of pairs, the verdicts, counted cards against games stepped through, the
command.
"""

import math

import numpy as np
import pandas as pd
import pytest
import tomli_w
from scipy import stats

from reports.cli import main
from reports.experiments.knockout import IS_PLAIN, NO_PLAIN, PLAYED, REFUSED, Knockout, knockout_study
from reports.sections.knockout import p_value, points
from reports.stats.estimates import holm
from reports.stats.paired import Difference, p_of_place, paired_difference
from reports.tables.knockout import (
    IN_LINE,
    NOT_DECIDED,
    TOO_STRONG,
    TOO_WEAK,
    _holm_of_tests,
    cards_table,
    ranking_table,
    verdict,
)
from sim import InputError, Match, Matchup, Runner, Setup, Side, load_deck, load_set, side_keys
from sim.card_usage import DRAWN, DRAWN_POINTS, PLAYED_POINTS, count_card_usage
from sim.card_usage import PLAYED as PLAYED_GAMES
from sim.kernels.legal import parts
from strategies import load_strategy


def joint(**pairs):
    """Count pairs by quarter points with the card and without: ``_42=3`` for three with 4 and 2."""
    counts = np.zeros((5, 5), np.int64)
    for name, n in pairs.items():
        counts[int(name[1]), int(name[2])] = n
    return counts


# ------------------------------------------------------------------------------------------------------------
# statistics


def test_the_difference_is_students_of_the_pairs():
    counts = joint(_22=500, _42=60, _24=30, _20=20, _40=10)
    samples = np.repeat([(i - j) / 4 for i in range(5) for j in range(5)], counts.ravel())
    found, expected = paired_difference([counts]), stats.ttest_1samp(samples, 0.0)
    assert found.effect == pytest.approx(samples.mean())
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval()))
    assert found.p_value == pytest.approx(expected.pvalue)
    assert (found.pairs, found.differing, found.exact) == (620, 120, False)


def test_every_opponent_weighs_the_same():
    one, other = joint(_22=50, _42=50), joint(_22=500, _24=500)
    assert paired_difference([one, other]).effect == pytest.approx(0.0)
    assert paired_difference([one, one]).effect == pytest.approx(0.25)


def test_pairs_that_never_differ_have_no_effect():
    found = paired_difference([joint(_22=40, _44=10, _00=10)])
    assert (found.effect, found.p_value, found.differing, found.exact) == (0.0, 1.0, 0, True)
    assert found.low < 0.0 < found.high


@pytest.mark.parametrize(
    "counts", [joint(_22=2000, _42=18, _24=2), joint(_22=2000, _42=3, _43=2, _23=1), joint(_43=50), joint(_22=9, _04=1)]
)
def test_few_pairs_that_differ_have_an_interval_and_a_p_value_of_the_same_test(counts):
    found = paired_difference([counts])
    assert found.exact
    assert found.low < found.effect < found.high
    for level in (0.2, 0.05, min(found.p_value * 1.001, 0.999), found.p_value * 0.999):
        at = paired_difference([counts], level)
        assert (found.p_value <= level) == (at.low > 0 or at.high < 0)


def test_verdicts_on_cards_are_held_together_by_holm():
    p = [0.04, math.nan, 0.01, 0.03]
    assert _holm_of_tests(p) == pytest.approx([0.06, math.nan, 0.03, 0.06], nan_ok=True)
    joints = [joint(_22=900, _42=90, _24=10)]  # +4 points
    sure = p_of_place(joints, -0.02, 0.02)
    assert paired_difference(joints, sure * 0.999).low < 0.02 < paired_difference(joints, sure * 1.001).low


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.031, 0.05, TOO_STRONG),
        (0.029, 0.05, NOT_DECIDED),
        (-0.009, 0.029, IN_LINE),
        (-0.05, -0.011, TOO_WEAK),
        (-0.05, 0.05, NOT_DECIDED),
    ],
)
def test_a_verdict_compares_the_whole_interval_with_the_middle_and_the_margin(low, high, expected):
    assert verdict(Difference((low + high) / 2, low, high, 0.5, 100, 9, False), 0.01, 0.02) == expected


def test_numbers_are_written_in_points():
    assert [points(x) for x in (0.0312, -0.0312, -0.0001, float("nan"))] == ["+3.1", "−3.1", "0.0", "–"]
    assert [p_value(x) for x in (0.0002, 0.0204, float("nan"))] == ["< 0.001", "0.020", "–"]


# ------------------------------------------------------------------------------------------------------------ counted
# cards


def noted(match, choose, seen):
    """Step through a dealt game; note by seat what has been in hand and what was played from it."""
    ids = match.setup.ids
    while True:
        for seat, zones in enumerate(match.position):
            seen[seat][0].update(zones["hand"])
        if match.is_over:
            return match.result["winner"]
        if match.waits_for_chance:
            match.let_happen()
            continue
        place, seat = match.ask(choose), match.decider
        kind, _, last = parts(int(match.legal_codes[place]))
        if kind in match.game.plays:
            names = {number: id for id, number in match.game.numbers(match.table, seat, ids).items()}
            seen[seat][1].add(names[last])
        match.act(place)


def test_cards_counted_are_those_of_the_games_stepped_through(game):
    pairs, cards, rules, strategy = 2, load_set(game), game.rules(), load_strategy(game, "random")
    decks = [load_deck(game, name, cards) for name in ("rush", "control")]
    sides = [Side(name, deck, "random", strategy.choose) for name, deck in zip(("rush", "control"), decks, strict=True)]
    runner = Runner(game, cards, rules, [Matchup(*sides)], pairs, 7)
    expected = [{id: [0, 0, 0, 0] for id in deck.cards} for deck in decks]
    keys = side_keys(7, game.name, (sides[0].names, sides[1].names))
    for pair in range(pairs):
        for order in range(2):
            seated = [decks[order], decks[1 - order]]
            match = Match(Setup(game, cards, tuple(seated), rules))
            match.deal(keys[::-1].copy() if order else keys, pair)
            seen = [(set(), set()), (set(), set())]
            winner = noted(match, strategy.choose, seen)
            for seat in range(2):
                points = 1 if winner is None else 2 * (winner == seat)
                for what, games, won in ((0, DRAWN, DRAWN_POINTS), (1, PLAYED_GAMES, PLAYED_POINTS)):
                    for id in seen[seat][what]:
                        expected[seat ^ order][id][games] += 1
                        expected[seat ^ order][id][won] += points
    parts_played = list(count_card_usage(runner, 100, 1))
    assert sum(part.games for part in parts_played) == 2 * pairs
    found = sum(part.counts for part in parts_played)
    table = runner.tables(runner.matchups[0])[0]
    for side, counts in enumerate(expected):
        numbers = game.numbers(table, side, cards.ids)
        assert {id: found[side, numbers[id]].tolist() for id in counts} == counts


# ---------------------------------------------------------------------------------------------------------- knock-outs

PLAIN = [{"id": f"p{n}", "name": f"P{n}", "en": f"plain {n}", "power": n} for n in range(1, 7)]
KRAKEN = {
    "id": "kraken", "name": "K", "en": "Kraken", "power": 1,
    "ability": [{"when": "active", "do": "sink"}, {"when": "active", "do": "draw", "n": 2}],
}  # fmt: skip
LEAK = {
    "id": "leak",
    "name": "L",
    "en": "Leaking boat",
    "power": 1,
    "ability": [{"when": "active", "do": "support", "n": 6}],
}
MINNOW = {"id": "minnow", "name": "M", "en": "Minnow", "power": 1, "keywords": ["guard"]}
UNUSED = {"id": "unused", "name": "U", "en": "Nobody's card", "power": 3, "keywords": ["pierce"]}
COUNTS = {"p1": 2, "p2": 2, "p3": 2, "p4": 2, "p5": 2, "kraken": 2, "leak": 2, "minnow": 2}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decks").mkdir()
    cards = {"game": "sea", "set": "mine", "version": 1, "card": [*PLAIN, KRAKEN, LEAK, MINNOW, UNUSED]}
    (tmp_path / "mine.toml").write_text(tomli_w.dumps(cards), encoding="utf-8")
    for name, counts in (("one", COUNTS), ("two", {"p6": 1, "p1": 3, "p2": 3, "p3": 3, "p4": 3, "p5": 3})):
        content = {"game": "sea", "set": "mine", "name": f"deck {name}", "cards": counts}
        (tmp_path / "decks" / f"{name}.toml").write_text(tomli_w.dumps(content), encoding="utf-8")
    study = {"game": "sea", "set": "mine.toml", "decks": ["one", "two"], "strategies": ["greedy", "random"], "pairs": 3}
    (tmp_path / "study.toml").write_text(tomli_w.dumps(study), encoding="utf-8")
    return tmp_path


def test_the_strongest_strategy_that_does_not_search_plays():
    study = knockout_study("study.toml")
    assert (list(study.strategies), study.names["strategies"]) == (["greedy"], ["greedy"])
    assert list(knockout_study("study.toml", ["value", "random"]).strategies) == ["value", "random"]


def test_each_deck_meets_the_field_and_its_own_original(folder):
    to_play = Knockout(knockout_study("study.toml"))
    met = [(matchup.a.deck_label, matchup.b.deck_label) for matchup in to_play.runner.matchups]
    assert met == [("one", "one"), ("one", "two"), ("two", "one"), ("two", "two")]
    for matchup in to_play.runner.matchups:
        for other in matchup.others:
            assert other.b.deck is matchup.b.deck is to_play.study.decks[matchup.b.deck_label]
            assert other.a.names == matchup.a.names
            assert other.a.deck.size == matchup.a.deck.size
    assert [len(matchup.others) for matchup in to_play.runner.matchups] == [3, 3, 0, 0]
    assert to_play.games == 2 * 3 * (4 + 4 + 1 + 1) + 2 * 3 * 4
    assert to_play.play(1).games == to_play.games


def test_plain_cards_are_worth_nothing_by_definition_and_are_not_tested():
    found = Knockout(knockout_study("study.toml")).play(1)
    cards, ranking = cards_table(found), ranking_table(found)
    plain = cards[cards["status"] == IS_PLAIN]
    assert set(plain["card"]) == {"p1", "p2", "p3", "p4", "p5", "p6"}
    assert plain[["effect", "effect_low", "effect_high"]].eq(0.0).all(axis=None)
    assert plain[["p_value", "p_holm"]].isna().all(axis=None)
    tested = cards[cards["status"] == PLAYED]
    assert tested["p_holm"].tolist() == holm(tested["p_value"]).tolist()
    assert (tested["effect"] - (tested["win_rate"] - tested["win_rate_plain"])).abs().max() < 1e-12
    assert set(ranking["card"]) == set(cards["card"])
    assert [card.id for card in found.in_no_deck] == ["unused"]
    one = cards[(cards["deck"] == "one") & (cards["card"] == "p1")].iloc[0]
    assert 0 < one["played_games"] <= one["drawn_games"] <= one["watched_games"] == 12


def test_knocking_out_what_only_one_deck_has_is_asked_of_that_deck():
    found = Knockout(knockout_study("study.toml"), ["two"]).play(1)
    assert {trial.deck for trial in found.trials} == {"two"}
    assert "kraken" in [card.id for card in found.in_no_deck]


def test_cards_without_a_measure_say_so(folder):
    body = {"kind": "dino", "direct": [1, 1, 1]}
    dinos = [
        {"id": f"d{n}", "name": f"D{n}", "en": f"dino {n}", "cost": n % 5, "fight": [n, n, n], **body}
        for n in range(64)
    ]
    spell = {
        "id": "roar",
        "name": "R",
        "en": "Roar",
        "kind": "spell",
        "cost": 1,
        "ability": [{"when": "spell", "do": "draw"}],
    }
    for name, cards, counts, expected in (
        (
            "full",
            dinos,
            {"d0": 2} | {f"d{n}": 1 for n in range(1, 64)},
            {"d0": REFUSED, "d63": PLAYED},
        ),  # the engine's limit of kinds
        ("spells", [spell], {"roar": 65}, {"roar": NO_PLAIN}),
    ):
        (folder / "decks" / f"{name}.toml").write_text(
            tomli_w.dumps({"game": "dino", "set": name, "name": name, "cards": counts}), encoding="utf-8"
        )
        (folder / f"{name}-set.toml").write_text(
            tomli_w.dumps({"game": "dino", "set": name, "version": 1, "card": cards}), encoding="utf-8"
        )
        study = {
            "game": "dino",
            "set": f"{name}-set.toml",
            "decks": [name],
            "strategies": ["random"],
            "rules": {"deck_size": 65, "copies": 65},
        }
        (folder / f"{name}.toml").write_text(tomli_w.dumps(study), encoding="utf-8")
        (variants,) = Knockout(knockout_study(f"{name}.toml")).variants.values()
        statuses = {variant.card.id: variant.status for variant in variants}
        assert {id: statuses[id] for id in expected} == expected


@pytest.mark.compiled
def test_a_card_far_too_strong_comes_out_on_top_and_a_harmful_one_last():
    found = Knockout(knockout_study("study.toml", pairs=400)).play()
    ranking = ranking_table(found).set_index("card")
    assert ranking.index[0] == "kraken"
    assert ranking.index[-1] == "leak"
    assert ranking.loc["kraken", "verdict"] == TOO_STRONG
    assert ranking.loc["leak", "verdict"] == TOO_WEAK
    assert ranking.loc["kraken", "effect_low"] > 0.0 > ranking.loc["leak", "effect_high"]
    assert ranking.loc[["kraken", "leak"], "p_holm"].max() < 0.01


# ----------------------------------------------------------------------------------------------------------- the
# command


def test_the_command_writes_a_report_that_is_the_same_with_any_number_of_jobs(folder, capsys):
    for jobs in ("1", "2"):
        assert main(["knockout", "study.toml", "--jobs", jobs, "--out", jobs]) == 0
    out = capsys.readouterr()
    assert "Played by greedy, the strongest: " in out.out
    assert "84 games" in out.err
    names = sorted(path.name for path in (folder / "1").iterdir())
    assert {"cards.csv", "ranking.csv", "ranking_greedy.png", "report.html", "study.toml", "summary.md", "inputs"} < {
        *names,
        "x",
    }
    for name in ("cards.csv", "ranking.csv", "summary.md", "report.html"):
        assert (folder / "1" / name).read_bytes() == (folder / "2" / name).read_bytes()
    summary = (folder / "1" / "summary.md").read_text(encoding="utf-8")
    for words in (
        "Plain cards themselves, worth 0 by definition and not played: plain 1, plain 2",
        "Not measured, since none of the decks has it among its cards: Nobody's card.",
        "3 differences were tested together: p-values are adjusted by Holm's method",
        "wins when drawn (observed)",
        "observed, not caused",
        "`komi knockout study.toml --strategies greedy` plays this again",
    ):
        assert words in summary
    assert len(pd.read_csv(folder / "1" / "ranking.csv")) == 9
    assert main(["knockout", "1/study.toml", "--jobs", "1", "--out", "again"]) == 0
    assert (folder / "again" / "cards.csv").read_bytes() == (folder / "1" / "cards.csv").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--decks", "onw"], "--decks: unknown deck of the study 'onw'; did you mean 'one'? (known: one, two)"),
        (["--strategies", "greedi"], "--strategies: unknown strategy"),
        (["--strategies", "greedy,greedy"], "--strategies: found 'greedy' twice"),
        (["--strategies", "own.py"], "--strategies: found 'own.py', expected strategies of komi"),
        (["--pairs", "0"], "--pairs"),
        (["--jobs", "0"], "--jobs: found 0"),
        (["--out", "."], "is the folder you are in"),
    ],
)
def test_bad_options_are_refused_before_anything_is_played(folder, capsys, options, message):
    assert main(["knockout", "study.toml", *options]) == 2
    assert message in capsys.readouterr().err
    assert not (folder / "out").exists()


def test_a_report_that_is_there_is_replaced_only_by_force(folder, capsys):
    words = ["knockout", "study.toml", "--pairs", "1", "--jobs", "1", "--decks", "two"]
    assert main(words) == 0
    assert main(words) == 2
    assert "out/study-knockout: has a report already" in capsys.readouterr().err
    assert main([*words, "--force", "--seed", "9"]) == 0
    assert "seed = 9" in (folder / "out" / "study-knockout" / "study.toml").read_text(encoding="utf-8")


def test_a_study_without_strategies_to_play_is_refused():
    with pytest.raises(InputError, match="--strategies: found none"):
        knockout_study("study.toml", [])
