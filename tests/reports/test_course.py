"""The course of games, their lengths, games worth a look, matchups that stop early; and a report made again from its
counts.
"""

import json
import re

import numpy as np
import pytest
from scipy import stats

from reports import load_study, run_study
from reports.cli import main
from reports.formats.sealed import seal
from reports.play.store import load_results
from reports.sections import sections
from reports.stats.until import looks
from reports.tables import all_tables, course_table, examples_table, leads_table, matchups_table, quantile
from sim import InputError, game_names
from sim.kernels.course import COMEBACK, FINE_DEFICITS, LONGEST, NUMBER, TURNS_APART, VALUE
from sim.kernels.jit import ENABLED


@pytest.fixture(scope="module", params=game_names())
def results(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "s.toml"
    path.write_text(
        f'game = "{request.param}"\ndecks = ["rush", "control"]\npairs = {10 if ENABLED else 3}\n', encoding="utf-8"
    )
    return run_study(path, jobs=1)


def test_a_row_per_seat_tells_what_its_player_goes_through(results):
    table, matchups = course_table(results), matchups_table(results)
    assert len(table) == 2 * len(matchups)
    assert (table.groupby("seat")["wins"].sum() == matchups[["first_wins", "second_wins"]].sum().to_numpy()).all()
    assert (table["great_comebacks"] <= table["comebacks"]).all()
    assert (table["comebacks"] <= table["wins"]).all()
    assert table["forced"].between(0, 1).all()
    assert (table["actions"] > 1).all()
    both = table.groupby(list(table.columns[:5]), sort=False)["decisions"].sum().to_numpy()
    assert both == pytest.approx(matchups["decisions_mean"].to_numpy())
    assert table["decided_share"].dropna().between(0, 1).all()


def test_leads_count_the_games_that_go_on(results):
    leads, matchups = leads_table(results), matchups_table(results)
    assert (leads[["first_leads", "second_leads", "level"]].sum(axis=1) == leads["games"]).all()
    assert (leads["leader_wins"] <= leads["first_leads"] + leads["second_leads"]).all()
    games = matchups.groupby(["strategy_first", "strategy_second"], sort=False)["games"].sum()
    assert leads.loc[leads["turn"] == 0, "games"].tolist() == games.tolist()
    lasted = leads.groupby(["strategy_first", "strategy_second"], sort=False)["games"].sum()
    turns = matchups.assign(turns=matchups["turns_mean"] * matchups["games"])
    turns = turns.groupby(["strategy_first", "strategy_second"], sort=False)["turns"].sum()
    assert lasted.tolist() == pytest.approx(turns.tolist())


def test_examples_are_games_that_can_be_played_again(results, tmp_path, capsys):
    from reports.pages.page import write_report

    write_report(results, tmp_path / "out")
    table = examples_table(results)
    assert {"longest", "comeback"} <= set(table["kind"])
    longest = table[table["kind"] == "longest"].iloc[0]
    assert longest["value"] == max(
        counts.examples[LONGEST, VALUE]
        for matchup, counts in results.played()
        if matchup.strategies == ("random", "random")
    )
    assert main(["play", "--study", str(tmp_path / "out"), "--game", str(longest["game_number"])]) == 0
    log = capsys.readouterr().out
    assert re.search(
        rf"(Turn|Round) {longest['value']:.0f}: (the (first|second) seat wins|a draw)", log.splitlines()[-1]
    )
    assert log.splitlines()[0].endswith(f"played by {longest['strategy_first']}")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--study", "s.toml"], "--study: found no --game"),
        (["--study", "s.toml", "--game", "12"], "found the game number 12, expected 0 to 11"),
        (["--study", "s.toml", "--game", "-1"], "found the game number -1"),
        (["--study", "nothing", "--game", "1"], "nothing: cannot be read"),
        (["--study", "s.toml", "--game", "1", "--seed", "2"], "--study: found --seed with it"),
        (["sea", "rush", "trap", "--game", "1"], "--game: goes with --study"),
        (["sea", "rush"], "expected them, as komi play sea rush trap"),
    ],
)
def test_a_game_that_is_none_of_a_study_is_refused(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(
        'game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["random"]\npairs = 2\n', encoding="utf-8"
    )
    assert main(["play", *words]) == 2
    assert message in capsys.readouterr().err


def test_every_game_of_a_study_has_a_number(tmp_path):
    (tmp_path / "s.toml").write_text(
        'game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["random"]\npairs = 2\n', encoding="utf-8"
    )
    study = load_study(tmp_path / "s.toml")
    found = [study.find_game(n) for n in range(12)]
    assert [(m.a.deck_label, m.b.deck_label, pair, order) for m, pair, order in found[2:6]] == [
        ("rush", "rush", 1, 0), ("rush", "rush", 1, 1), ("rush", "trap", 0, 0), ("rush", "trap", 0, 1),
    ]  # fmt: skip
    assert [study.game_number(n // 4, n % 4) for n in range(12)] == list(range(12))
    with pytest.raises(InputError, match="found the game number 12"):
        study.find_game(12)


@pytest.mark.parametrize("seed", range(5))
def test_quantiles_take_stopped_games_for_longer(seed):
    """Product-limit quantiles, as scipy has them for single games."""
    random = np.random.default_rng(seed)
    lengths, stopped = random.integers(1, 12, 60), random.random(60) < 0.3
    every, cut = (np.bincount(values, minlength=12) for values in (lengths, lengths[stopped]))
    expected = stats.ecdf(stats.CensoredData.right_censored(lengths, stopped)).cdf
    for q in (0.05, 0.5, 0.95):
        reached = expected.quantiles[expected.probabilities >= q - 1e-12]
        assert quantile(every, q, cut) == (reached[0] if len(reached) else None)
    assert quantile(every, 0.5) == np.sort(lengths)[29]


def test_a_report_is_made_again_from_its_counts(results, tmp_path, capsys):
    from reports.pages.page import write_report

    write_report(results, tmp_path / "out")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    again = load_results(tmp_path / "out")
    for mine, theirs in zip(again.counts, results.counts, strict=True):
        assert all((array == theirs.arrays[name]).all() for name, array in mine.arrays.items())
    assert main(["stats", str(tmp_path / "out")]) == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    capsys.readouterr()
    assert main(["stats", str(tmp_path / "out"), "--margin", "45", "--out", str(tmp_path / "wide")]) == 0
    said = capsys.readouterr().out
    assert "inside your margin of 45 points: fair" in said
    assert said == (tmp_path / "wide" / "summary.md").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "summary.md").read_bytes() == before["summary.md"]


def test_a_folder_without_counts_or_with_foreign_ones_is_refused(results, tmp_path, capsys):
    from reports.pages.page import write_report

    assert main(["stats", str(tmp_path)]) == 2
    assert "found no study.toml in it, expected the folder of a report" in capsys.readouterr().err
    write_report(results, tmp_path / "out")
    counts = tmp_path / "out" / "counts.json"
    text = counts.read_text(encoding="utf-8")
    for old, new, message in (
        ('"deck_a":"rush"', '"deck_a":"other"', "found counts of"),
        ('"format":2', '"format":99', "found format 99, expected 2"),
        ('"matchups":[{', '"matchups":[{},{', "found 11 matchups, expected the 10"),
        ('"n":[', '"n":[9', "do not add up"),
    ):
        _, body = text.split("\n", 1)
        content = json.loads("{" + body.replace(old, new, 1))
        assert content != json.loads("{" + body)
        counts.write_text(seal(content), encoding="utf-8")
        assert main(["stats", str(tmp_path / "out")]) == 2
        assert message in capsys.readouterr().err
    counts.write_text(text.replace("{", "", 1), encoding="utf-8")
    assert main(["stats", str(tmp_path / "out")]) == 2
    assert "is damaged" in capsys.readouterr().err


def test_own_strategies_are_not_run_for_their_counts_but_compared(tmp_path):
    from reports.pages.page import write_report

    code = "open('imported', 'w').close()\ndef choose(state, table, legal, n):\n    return 0\n"
    (tmp_path / "mine.py").write_text(code.replace("imported", str(tmp_path / "imported")), encoding="utf-8")
    (tmp_path / "s.toml").write_text(
        'game = "sea"\ndecks = ["rush"]\nstrategies = ["mine.py"]\npairs = 1\n', encoding="utf-8"
    )
    write_report(run_study(tmp_path / "s.toml", jobs=1), tmp_path / "out")
    (tmp_path / "imported").unlink()
    assert list(load_results(tmp_path / "out").study.strategies) == ["mine.py"]
    assert not (tmp_path / "imported").exists()
    kept = tmp_path / "out" / "inputs" / "strategies" / "mine.py"
    kept.write_text("1 / 0\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"strategy files, inputs/strategies/mine.py: has changed since it was played"):
        load_results(tmp_path / "out")
    kept.unlink()
    with pytest.raises(InputError, match=r"strategy files, inputs/strategies/mine.py: has changed since it was played"):
        load_results(tmp_path / "out")


RULES = {
    "until = {half_width = 4, max_pairs = 2000}": ({"half-width"}, "until an interval of ±4 points"),
    "until = {sprt = [20, 50], max_pairs = 2000}": ({"50 %"}, "whether the first seat wins 20 % or 50 %"),
    "until = {elo = [0, 300], max_pairs = 600}": (
        {"0 nElo", "300 nElo", "max_pairs"},
        "whether side A is worth 0 or 300",
    ),
    "until = {half_width = 0.1, max_pairs = 501}": ({"max_pairs"}, "0 of 3 matchups got there"),
}


@pytest.mark.compiled
@pytest.mark.parametrize("rule", RULES)
def test_matchups_stop_early_and_are_told_by_fresh_pairs(tmp_path, rule):
    path = tmp_path / "s.toml"
    path.write_text(f'game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["greedy"]\n{rule}\n', encoding="utf-8")
    study = load_study(path)
    results = run_study(study)
    tables = all_tables(results)
    reached, sentence = RULES[rule]
    assert set(tables["stops"]["reached"]) <= reached
    (part,) = [part for part in sections(results, tables, []) if part.title == "When did matchups stop?"]
    assert sentence in part.sentences[0]
    for counts, stop in zip(results.counts, results.stops, strict=True):
        assert counts.pairs in looks(study.until.max_pairs)
        assert stop is not None or counts.pairs == study.until.max_pairs
        assert (counts.examples[[LONGEST, COMEBACK], NUMBER] >= 2 * study.until.max_pairs).all()  # fresh pairs
        assert counts.examples[COMEBACK, VALUE] // TURNS_APART <= FINE_DEFICITS
    again = run_study(study, jobs=1)
    assert [c.scores.tolist() for c in again.counts] == [c.scores.tolist() for c in results.counts]


@pytest.mark.compiled
def test_a_search_looks_at_no_more_than_its_pairs(tmp_path):
    path = tmp_path / "s.toml"
    rule = "until = {half_width = 0.1, max_pairs = 1000}\nsearch_pairs = 2"
    path.write_text(f'game = "sea"\ndecks = ["rush"]\nstrategies = ["greedy", "ismcts:2"]\n{rule}\n', encoding="utf-8")
    results = run_study(path)
    assert [counts.pairs for counts in results.counts] == [1000, 2, 2]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("until = {half_width = 0, max_pairs = 5}", r"s.toml:2: until, half_width: found 0, expected more than 0"),
        ("until = {half_with = 1}", r"until, half_with: unknown key; did you mean 'half_width'"),
        ("until = {sprt = [50, 50]}", r"until, sprt: found \[50, 50\], expected two different numbers"),
        ("until = {}", r"until: found none of them, expected exactly one of half_width, sprt and elo"),
        ("until = 5", r"until: found 5"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(tmp_path, rule, message):
    (tmp_path / "s.toml").write_text(f'game = "sea"\n{rule}\n', encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load_study(tmp_path / "s.toml")
