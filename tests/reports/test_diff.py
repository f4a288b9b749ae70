"""Two reports compared: what is told to differ, by how much, how sure, and what cannot be compared."""

import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from reports import run_study
from reports.cli import main
from reports.experiments.changes import changes
from reports.experiments.comparison import compare
from reports.pages.comparison import lines
from reports.pages.page import write_report
from reports.sections.comparison import comparison_sections
from reports.stats.estimates import FIRST_SEAT, STRENGTH, Mean
from reports.stats.unpaired import change, student
from reports.tables import deck_fairness_table, fairness_table
from reports.tables.comparison import comparison_tables
from sim import InputError, load_game, load_set
from sim.counts import other_side
from sim.files.text import read_text
from sim.kernels.jit import ENABLED

REEF = Path(__file__).parents[2] / "examples" / "reef"
PAIRS = 40 if ENABLED else 4
SETTINGS = f'game = "sea"\nset = "cards.toml"\ndecks = ["one.toml", "two.toml"]\nstrategies = ["random", "greedy"]\npairs = {PAIRS}\n'
SHARK = 'id = "shark"\nname = "サメ"\nen = "Shark"\npower = {power}\n'


def project(folder, settings=SETTINGS, change=lambda text: text):
    """Write a study with cards and decks of its own, which are those of the example, the cards changed."""
    folder.mkdir(parents=True)
    (folder / "cards.toml").write_text(change(read_text(REEF / "reef.toml")), encoding="utf-8")
    for name, deck in (("one", "shoal"), ("two", "wall")):
        shutil.copyfile(REEF / "decks" / f"{deck}.toml", folder / f"{name}.toml")
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    return folder / "study.toml"


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    write_report(run_study(project(folder / "project"), jobs=1), folder / "out")
    return folder / "out"


@pytest.fixture(scope="module")
def second(tmp_path_factory):
    """The same with a rule, a card, a deck and the seed changed, a deck more and a strategy less."""
    folder = tmp_path_factory.mktemp("second")
    settings = (
        SETTINGS.replace('"two.toml"', '"two.toml", "three.toml"').replace('"random", ', "")
        + "seed = 2\n[rules]\ndraw_count = 2\n"
    )
    study = project(
        folder / "project", settings, lambda text: text.replace("power = 5", "power = 6").replace("n = 2", "n = 3")
    )
    two = study.parent / "two.toml"
    shutil.copyfile(two, two.with_name("three.toml"))
    one = study.parent / "one.toml"
    one.write_text(
        one.read_text(encoding="utf-8").replace("goby = 3", "goby = 2").replace("shrimp = 2", "shrimp = 3"),
        encoding="utf-8",
    )
    write_report(run_study(study, jobs=1), folder / "out")
    return folder / "out"


def scores(**n):
    """The nine counts of pairs, by name: n_20 = 7."""
    array = np.zeros((3, 3), np.int64)
    for name, number in n.items():
        array[int(name[2]), int(name[3])] = number
    return array


MANY, MORE = (
    scores(n_20=300, n_02=200, n_22=100, n_00=150, n_11=50),
    scores(n_20=500, n_02=100, n_22=50, n_00=120, n_10=7),
)
FEW, UNEVEN = scores(n_22=50, n_20=3), scores(n_22=20, n_20=9, n_00=4)


def test_a_change_is_what_welchs_test_says_of_the_pairs():
    found = change(Mean.of([MANY], FIRST_SEAT), Mean.of([MORE], FIRST_SEAT))
    pairs = [np.repeat(FIRST_SEAT.ravel(), sample.ravel()) for sample in (MANY, MORE)]
    expected = stats.ttest_ind(pairs[1], pairs[0], equal_var=False)
    interval = expected.confidence_interval(0.95)
    assert found.by == pytest.approx(pairs[1].mean() - pairs[0].mean())
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    assert found.p_value == pytest.approx(expected.pvalue)
    assert not found.exact


def test_over_matchups_the_errors_add_up_as_squares():
    before, after = Mean.of([MANY, MORE], FIRST_SEAT), Mean.of([MORE, MORE], FIRST_SEAT)
    found = change(before, after)
    error = math.sqrt(before.error**2 + after.error**2)
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.01)
    assert found.low + found.high == pytest.approx(2 * found.by)


@pytest.mark.parametrize("after", [MANY, UNEVEN, FEW], ids=["one is exact", "both are exact", "no change"])
def test_few_pairs_that_differ_give_an_interval_and_a_p_value_of_the_same_test(after):
    before, then = Mean.of([FEW], STRENGTH), Mean.of([after], STRENGTH)
    found = change(before, then)
    assert found.exact
    assert found.low < found.by < found.high
    for level in (0.05, found.p_value * 0.999, min(found.p_value * 1.001, 0.999)):
        at = change(before, then, level)
        assert (found.p_value <= level) == (at.low > 0 or at.high < 0)
    turned = change(then, before)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))
    if after is FEW:
        assert found.p_value == 1


def test_exact_intervals_of_a_change_hold_it_as_often_as_they_say():
    random = np.random.default_rng(4)
    kinds = [np.array([0.5, 0, 0.02, 0, 0, 0, 0.03, 0, 0.45]), np.array([0.5, 0, 0.1, 0, 0, 0, 0.03, 0, 0.37])]
    truth = float(kinds[1] @ FIRST_SEAT.ravel() - kinds[0] @ FIRST_SEAT.ravel())
    found = [change(*(Mean.of([random.multinomial(n, p).reshape(3, 3)], FIRST_SEAT) for n, p in zip((60, 300), kinds, strict=True)))
             for _ in range(300)]  # fmt: skip
    assert all(one.exact for one in found)
    assert np.mean([one.low <= truth <= one.high for one in found]) >= 0.95


def test_intervals_of_a_change_hold_it_as_often_as_they_say():
    random = np.random.default_rng(3)
    kinds = [np.array([0.2, 0, 0.3, 0, 0.02, 0, 0.25, 0, 0.23]), np.array([0.15, 0, 0.2, 0, 0.05, 0, 0.4, 0, 0.2])]
    truth = float(kinds[1] @ FIRST_SEAT.ravel() - kinds[0] @ FIRST_SEAT.ravel())
    held = 0
    for _ in range(400):
        drawn = [random.multinomial(200, shares).reshape(3, 3) for shares in kinds]
        found = change(*(Mean.of([sample], FIRST_SEAT) for sample in drawn))
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_means_without_any_spread_differ_by_what_they_differ():
    assert student(3, 0, math.nan, 3, 0, math.nan).p_value == 1
    found = student(3, 0, math.nan, 4, 0, math.nan)
    assert (found.by, found.low, found.high, found.p_value) == (1, 1, 1, 0)
    assert student(3, 0, math.nan, 4, 0.5, 10).low == pytest.approx(1 - stats.t.isf(0.025, 10) * 0.5)


def test_what_differs_is_told_field_by_field(first, second):
    compared = compare(first, second)
    told = {
        (setting.part, setting.what): (setting.before, setting.after)
        for setting in changes(compared.before, compared.after)
    }
    assert told.pop(("rules", "draw_count")) == ("1", "2")
    assert told.pop(("cards", "card 'shark', power")) == ("5", "6")
    assert told.pop(("cards", "card 'shark', ability 1, n")) == ("2", "3")
    assert told.pop(("decks", "deck 'one', cards, goby")) == ("3", "2")
    assert told.pop(("decks", "deck 'one', cards, shrimp")) == ("2", "3")
    assert told.pop(("decks", "deck 'three'")) == ("none", "played")
    assert told.pop(("strategies", "strategy 'random'")) == ("played", "none")
    assert told.pop(("study", "seed")) == ("1", "2")
    assert {part for part, _ in told} <= {"cards"}
    assert all(before != after for before, after in told.values())


def test_cards_and_abilities_that_are_new_or_gone_are_named(first, tmp_path):
    study = project(
        tmp_path / "p",
        SETTINGS,
        lambda text: text[: text.rindex("[[card]]")] + "[[card]]\n" + SHARK.format(power=4).replace("shark", "whale"),
    )
    before = compare(first, first).before
    after = replace(
        before, study=replace(before.study, card_set=load_set(load_game("sea"), study.parent / "cards.toml"))
    )
    told = {setting.what: (setting.before, setting.after) for setting in changes(before, after)}
    gone = before.study.card_set.card[-1].id
    assert told[f"card {gone!r}"][1] == "none"
    assert told["card 'whale'"] == ("none", "id = 'whale', name = 'サメ', en = 'Shark', power = 4")
    turned = replace(
        before.study, card_set=before.study.card_set.model_copy(update={"card": before.study.card_set.card[::-1]})
    )
    (order,) = changes(before, replace(before, study=turned))
    assert order.what == "order, card 1 of those in both"


def test_only_what_both_have_is_compared_and_the_rest_is_named(first, second):
    compared = compare(first, second)
    assert [(one.a, one.b) for one in compared.met] == [
        (("one", "greedy"), ("one", "greedy")),
        (("one", "greedy"), ("two", "greedy")),
        (("two", "greedy"), ("two", "greedy")),
    ]
    text = "\n".join(lines(compared))
    assert f"Only {first} has the strategy random: not compared." in text
    assert f"Only {second} has the deck three: not compared." in text
    assert "share their deals" not in text
    assert "rules: draw_count: 1 -> 2" in text


def test_rates_and_verdicts_are_those_of_both_reports(first):
    compared = compare(first, first)
    tables = comparison_tables(compared)
    fairness, own = tables["fairness_changes"], fairness_table(compared.before)
    for end in ("before", "after"):
        assert list(fairness[f"first_win_{end}"]) == pytest.approx(list(own["first_win_rate"]))
        assert list(fairness[f"verdict_{end}"]) == list(own["verdict"])
        decks = tables["deck_changes"].set_index(["strategy", "deck"])[f"win_{end}"]
        assert decks["greedy", "one"] + decks["greedy", "two"] == pytest.approx(1)
    assert len(deck_fairness_table(compared.before)) == 8
    assert (tables["fairness_changes"]["change"] == 0).all()
    assert not tables["matchup_changes"]["changed"].any()
    text = "\n".join(lines(compared))
    assert "Every game that both have went alike in both." in text
    assert "The settings are the same." in text
    assert "share their deals" in text


def test_a_verdict_that_has_changed_comes_first(first):
    compared = compare(first, first)
    fair, unfair = (
        scores(n_20=5000, n_02=5000, n_22=4000, n_00=4000),
        scores(n_20=9000, n_02=2000, n_22=4000, n_00=4000),
    )
    met = []
    for one in compared.met:
        after = unfair if one.strategies == ("greedy", "greedy") else fair
        met.append(one._replace(counts=(one.counts[0], one.counts[1]._replace(scores=after)), scores=(fair, after)))
    told = list(lines(replace(compared, met=met)))
    assert told[3].startswith(
        "  When both play greedy: fair -> favours first; the first seat wins 50.0 % -> 68.4 %, +18.4 points (+18.0 to "
        "+18.8)."
    )
    assert any(line.startswith("  When both play random: fair, as before; ") for line in told[4:7])
    assert (
        "  The first seat's win rate has changed in 3 of 10 matchups (all 10 together hold at 95 %, by Holm's "
        "correction)." in told
    )


def test_changes_are_held_together(first):
    compared = compare(first, first)
    a, b = scores(n_20=500, n_02=500), scores(n_20=546, n_02=454)
    met = [one._replace(scores=(a, b if i == 0 else a)) for i, one in enumerate(compared.met)]
    table = comparison_tables(replace(compared, met=met))["matchup_changes"]
    assert table["p_value"][0] < 0.05
    assert table["p_holm"][0] == pytest.approx(10 * table["p_value"][0])
    assert not table["changed"].any()


def test_two_decks_change_against_each_other_and_are_told_of_once(first):
    compared = compare(first, first)
    fair, more = scores(n_22=500, n_00=500), scores(n_22=570, n_00=430)
    met = [
        one._replace(scores=(fair, more if one.strategies == ("greedy", "greedy") else fair)) for one in compared.met
    ]
    changed = replace(compared, met=met)
    tables = comparison_tables(changed)
    table = tables["deck_changes"]
    assert len(table) == 4
    own = table[table["strategy"] == "greedy"]
    assert own["change"].sum() == pytest.approx(0)
    assert own["p_holm"].tolist() == pytest.approx(
        [2 * own["p_value"].iloc[0]] * 2
    )  # one test for each of two strategies
    said = "\n".join(sentence for part in comparison_sections(changed, tables) for sentence in part.sentences)
    assert "1 of 2 win rates of decks has changed" in said
    assert said.count("is stronger") + said.count("is weaker") == 1


def test_sides_are_matched_whichever_comes_first(first, tmp_path):
    turned = SETTINGS.replace('"one.toml", "two.toml"', '"two.toml", "one.toml"').replace(
        '"random", "greedy"', '"greedy", "random"'
    )
    results = run_study(project(tmp_path / "p", turned), jobs=1)
    write_report(results, tmp_path / "out")
    compared = compare(first, tmp_path / "out")
    assert len(compared.met) == 10
    played = {(matchup.a.names, matchup.b.names): counts.scores for matchup, counts in results.played()}
    for one in compared.met:
        expected = played[one.a, one.b] if (one.a, one.b) in played else other_side(played[one.b, one.a])
        assert np.array_equal(one.scores[1], expected)
    assert any((one.b, one.a) in played and one.a != one.b for one in compared.met)
    decks = comparison_tables(compared)["deck_changes"]
    assert list(decks["opponents"]) == [1] * 4


def test_lengths_and_ends_are_compared(first, second):
    compared = compare(first, second)
    tables = comparison_tables(compared)
    one, two = ([counts.turns.sum(axis=0) for counts in (m.counts[i] for m in compared.met)] for i in (0, 1))
    means = [np.mean([(x.sum(axis=0) * np.arange(x.shape[1])).sum() / x.sum() for x in turns]) for turns in (one, two)]
    (row,) = tables["length_changes"].to_dict("records")
    assert (row["turns_before"], row["turns_after"]) == pytest.approx(means)
    assert row["change_low"] < row["change"] < row["change_high"]
    ends = tables["end_changes"]
    assert ends["share_after"].sum() == pytest.approx(1)
    assert (ends["change_low"] < ends["change_high"]).all()
    assert ends["change"].sum() == pytest.approx(0, abs=1e-9)


def test_the_command_prints_it_and_writes_a_report(first, second, tmp_path, capsys):
    assert main(["diff", str(first), str(second), "--out", str(tmp_path / "d")]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{first} -> {second}: ")
    assert "margin 2 points" in out
    summary = read_text(tmp_path / "d" / "summary.md")
    page = read_text(tmp_path / "d" / "report.html")
    for line in out.splitlines()[3:4]:
        assert f"- {line.strip()}\n" in summary
    assert "<h2>In which matchups?</h2>" in page
    assert "card &#39;shark&#39;, power: 5 -&gt; 6" in page
    assert {path.stem for path in (tmp_path / "d").glob("*.csv")} == set(comparison_tables(compare(first, second)))
    assert main(["diff", str(first), str(second), "--out", str(tmp_path / "d")]) == 2
    assert "has a report already" in capsys.readouterr().err
    assert main(["diff", str(first), str(second), "--out", str(tmp_path / "d"), "--force", "--margin", "40"]) == 0
    out = capsys.readouterr().out
    assert "margin 40 points" in out
    assert "study: margin" not in out
    assert main(["diff", str(first), str(tmp_path / "d")]) == 2
    assert "found no study.toml in it, expected the folder of a report" in capsys.readouterr().err


def test_what_cannot_be_compared_is_refused(first, tmp_path, capsys):
    for name, text in (("dino", 'game = "dino"\ndecks = ["rush"]'), ("sea", 'game = "sea"\ndecks = ["rush"]')):
        (tmp_path / "s.toml").write_text(text + '\nstrategies = ["random"]\npairs = 1\n', encoding="utf-8")
        write_report(run_study(tmp_path / "s.toml", jobs=1), tmp_path / name)
    assert main(["diff", str(first), str(tmp_path / "dino")]) == 2
    assert f"found a report of dino, expected one of sea, as {first} is" in capsys.readouterr().err
    assert main(["diff", str(first), str(tmp_path / "sea")]) == 2
    assert "found no matchup that" in capsys.readouterr().err
    assert main(["diff", str(first), str(tmp_path)]) == 2
    assert main(["diff", str(first), str(first), "--margin", "50"]) == 2
    assert "--margin" in capsys.readouterr().err
    with pytest.raises(InputError, match="found no study"):
        compare(tmp_path / "nothing", first)
