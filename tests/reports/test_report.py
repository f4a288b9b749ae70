"""Studies and reports: tables that add up, pictures that hold what they should, folders written whole or not at all."""

import os
import tomllib
from pathlib import Path

import pandas as pd
import pytest
import tomli_w

from reports import load_study, run_study
from reports.pages.page import write_report
from reports.plots import draw_all, plot_decks, plot_first_player, plot_lengths, plot_turns, png
from reports.sections import sections
from reports.studies.study import as_run
from reports.tables import all_tables, deck_matrix, matchups_table, pairs_table
from sim import InputError, game_names, load_game
from sim.library import deck_paths


@pytest.fixture(scope="module", params=game_names())
def results(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "small.toml"
    decks = list(deck_paths(load_game(request.param)))[:3]
    path.write_text(tomli_w.dumps({"game": request.param, "decks": decks, "pairs": 4}), encoding="utf-8")
    return run_study(path, jobs=1)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A study whose report is quickly written, for what is the same with every game."""
    path = tmp_path_factory.mktemp("study") / "tiny.toml"
    path.write_text('game = "sea"\ndecks = ["rush"]\nstrategies = ["random"]\npairs = 1\n', encoding="utf-8")
    return run_study(path, jobs=1)


def test_matchups_are_the_unordered_pairs_of_deck_and_strategy(results):
    assert len(results.matchups) == 6 * 7 // 2
    assert sum(matchup.is_mirror for matchup in results.matchups) == 6


def test_a_row_per_seat_order_and_columns_that_add_up(results):
    table = matchups_table(results)
    expected = [
        "game", "deck_first", "deck_second", "strategy_first", "strategy_second", "games", "first_wins", "second_wins",
        "draws", "turn_limit", "turns_mean", "decisions_mean", "first_win_rate", "first_win_low", "first_win_high",
    ]  # fmt: skip
    assert list(table.columns)[: len(expected)] == expected
    assert len(table) == 6 * 6
    assert not table.duplicated(["deck_first", "deck_second", "strategy_first", "strategy_second"]).any()
    assert (table[["first_wins", "second_wins", "draws", "turn_limit"]].sum(axis=1) == table["games"]).all()
    assert (table.filter(like="end_").sum(axis=1) == table["games"]).all()
    mirror = (table["deck_first"] == table["deck_second"]) & (table["strategy_first"] == table["strategy_second"])
    assert (table.loc[mirror, "games"] == 8).all()
    assert (table.loc[~mirror, "games"] == 4).all()
    assert table["first_win_rate"].between(table["first_win_low"], table["first_win_high"]).all()
    assert (table["turns_p5"] <= table["turns_median"]).all()
    assert (table["turns_median"] <= table["turns_p95"]).all()


def test_pairs_hold_the_nine_counts(results):
    table = pairs_table(results)
    assert (table[[f"n_{i}{j}" for i in range(3) for j in range(3)]].sum(axis=1) == 4).all()
    mirror = (table["deck_a"] == table["deck_b"]) & (table["strategy_a"] == table["strategy_b"])
    assert mirror.sum() == 6
    assert (table.loc[mirror, ["a_win_rate", "a_win_low", "a_win_high"]] == 0.5).all().all()
    assert table["first_win_rate"].between(table["first_win_low"], table["first_win_high"]).all()


def test_win_rates_are_complementary(results):
    for name in results.study.strategies:
        matrix = deck_matrix(results, name)
        assert ((matrix + matrix.T) == 1).all().all()
    strategies = all_tables(results)["strategies"].set_index(["strategy", "opponent"])["win_rate"]
    for a, b in strategies.index:
        assert strategies[a, b] + strategies[b, a] == pytest.approx(1)


def test_lengths_count_every_game(results):
    lengths = all_tables(results)["lengths"]
    assert lengths["games"].sum() == 2 * 4 * len(results.matchups)
    assert (lengths["games"] > 0).all()


def test_seats_say_who_lost_how_and_what_was_counted(results):
    table, tallies = all_tables(results)["seats"], results.study.game.tallies
    assert len(table) == 2 * 6 * 6
    lost = table.filter(like="lost_").sum(axis=1).groupby(table["seat"]).sum()
    wins = table.groupby("seat")["wins"].sum()
    assert (lost["first"], lost["second"]) == (wins["second"], wins["first"])
    assert (table["wins"] + table.filter(like="lost_").sum(axis=1) <= table["games"]).all()
    assert set(tallies.game) <= set(table.columns)
    assert (table[list(tallies.game)] >= 0).all().all()


def test_turns_count_what_the_game_counts_for_each_turn(results):
    tallies = results.study.game.tallies
    if not tallies.turn:
        assert "turns" not in all_tables(results)
        return
    table = all_tables(results)["turns"]
    games, *numbers = tallies.turn
    seat = ["strategy_first", "strategy_second", "seat"]
    early = table[table["turn"] < tallies.turns]  # the last row stands for all later turns
    assert (early.groupby(seat)[games].diff().dropna() <= 0).all()  # who has a second turn has had a first
    assert (table[numbers].sum() > 0).all()
    lines = plot_turns(table).get_lines()
    assert len(lines) == 2 * len(numbers)


def test_no_table_has_holes(results):
    for name, table in all_tables(results).items():
        holes = table.drop(columns="variance_ratio", errors="ignore").isna().any()
        assert not holes.any(), name


def test_plots_take_axes_and_return_them(results):
    ax = plot_decks(deck_matrix(results, "greedy"))
    assert [text.get_text() for text in ax.get_xticklabels()] == list(results.study.decks)
    assert len(ax.texts) == 9
    assert plot_decks(deck_matrix(results, "random"), ax=ax) is ax
    pairs = pairs_table(results)
    ax = plot_first_player(pairs, margin=2)
    assert len(ax.get_yticks()) == len(pairs)
    assert png(ax).startswith(b"\x89PNG")
    lines = plot_lengths(all_tables(results)["lengths"]).get_lines()
    assert len(lines) == 3
    assert [sum(line.get_ydata()) for line in lines] == pytest.approx([1, 1, 1])


def test_a_report_is_a_folder_that_stands_alone(results, tmp_path):
    folder = tmp_path / "out" / "small"
    write_report(results, folder)
    pictures = {f"{name}.png" for name in draw_all(results, all_tables(results))}
    tables = {f"{name}.csv" for name in all_tables(results)}
    assert {
        "matchups.csv",
        "pairs.csv",
        "fairness.csv",
        "decks.csv",
        "strategies.csv",
        "lengths.csv",
        "seats.csv",
    } <= tables
    assert {path.name for path in folder.iterdir()} == {
        ".komi",
        "summary.json",
        "summary.md",
        "report.html",
        "study.toml",
        "counts.json",
    } | pictures | tables
    assert os.listdir(folder.parent) == ["small"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == len(pictures)
    assert 'src="http' not in page
    assert str(tmp_path) not in page
    read_back = pd.read_csv(folder / "matchups.csv")
    pd.testing.assert_frame_equal(read_back, matchups_table(results), check_dtype=False)


def test_the_study_as_run_runs_again_with_the_same_results(results, tmp_path):
    write_report(results, tmp_path / "one")
    as_run = tomllib.loads((tmp_path / "one" / "study.toml").read_text(encoding="utf-8"))
    assert as_run["rules"] == results.study.rules.model_dump()
    assert as_run["versions"]["komi"]
    write_report(run_study(tmp_path / "one" / "study.toml", jobs=2), tmp_path / "two")
    for name in ("matchups.csv", "pairs.csv", "lengths.csv", "summary.md"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_report_that_is_there_is_kept_without_force(tiny, tmp_path):
    folder = tmp_path / "small"
    write_report(tiny, folder)
    before = (folder / "summary.md").stat().st_mtime_ns
    with pytest.raises(InputError, match="has a report already"):
        write_report(tiny, folder)
    assert (folder / "summary.md").stat().st_mtime_ns == before
    write_report(tiny, folder, force=True)
    assert os.listdir(tmp_path) == ["small"]
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds 'notes.txt'"):
        write_report(tiny, folder, force=True)
    assert (folder / "notes.txt").exists()


def test_force_does_not_replace_what_is_no_report(tiny, tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_bytes(b"cat")
    with pytest.raises(InputError, match=r"holds 'cat.png', which is no part of a report"):
        write_report(tiny, tmp_path / "photos", force=True)
    assert (tmp_path / "photos" / "cat.png").exists()


def test_a_failing_report_leaves_nothing_behind(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr("reports.pages.page.sections", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(tiny, tmp_path / "small")
    assert os.listdir(tmp_path) == []


def test_one_deck_and_one_strategy_make_a_report_too(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text('game = "sea"\ndecks = ["rush"]\nstrategies = ["greedy"]\npairs = 1\n', encoding="utf-8")
    write_report(run_study(path, jobs=1), tmp_path / "out")
    text = (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")
    assert "only one deck" in text
    assert "nan" not in text.lower().split()


@pytest.mark.parametrize("name", game_names())
def test_games_of_one_turn_make_a_report_too(tmp_path, name):
    deck = next(iter(deck_paths(load_game(name))))
    study = {"game": name, "decks": [deck], "strategies": ["random"], "pairs": 2, "rules": {"max_turns": 1}}
    (tmp_path / "short.toml").write_text(tomli_w.dumps(study), encoding="utf-8")
    write_report(run_study(tmp_path / "short.toml", jobs=1), tmp_path / "out")
    assert (tmp_path / "out" / "report.html").exists()


def test_own_files_are_kept_beside_the_report(tmp_path):
    deck = (Path(load_study("sea").game.folder) / "decks" / "rush.toml").read_text(encoding="utf-8")
    (tmp_path / "私の,deck '1' 🐟.toml").write_text(deck, encoding="utf-8")
    (tmp_path / "mine.py").write_text("def choose(state, table, legal, n):\n    return 0\n", encoding="utf-8")
    study = tmp_path / "own.toml"
    study.write_text(
        "game = 'sea'\nname = 'mine'\ndecks = [\"rush\", \"私の,deck '1' 🐟.toml\"]\nstrategies = ['mine.py']\npairs = "
        "2\n",
        encoding="utf-8",
    )
    folder = tmp_path / "out" / "mine"
    write_report(run_study(study, jobs=1), folder)
    assert list(pd.read_csv(folder / "matchups.csv")["deck_second"])[1] == "私の,deck '1' 🐟"
    again = run_study(folder / "study.toml", jobs=1)
    assert list(again.study.decks) == ["rush", "私の,deck '1' 🐟"]
    assert list(again.study.strategies) == ["mine.py"]
    pd.testing.assert_frame_equal(matchups_table(again), pd.read_csv(folder / "matchups.csv"), check_dtype=False)


def test_games_file_has_a_row_for_each_game(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text('game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["greedy"]\npairs = 3\n', encoding="utf-8")
    results = run_study(path, jobs=2, games_file=tmp_path / "games.parquet")
    games = pd.read_parquet(tmp_path / "games.parquet")
    assert len(games) == 2 * 3 * 3
    assert games["game_number"].tolist() == list(range(18))
    table = matchups_table(results).set_index(["deck_first", "deck_second"])
    for decks, rows in games.groupby(["deck_first", "deck_second"], observed=True):
        assert (rows["winner"] == 0).sum() == table.loc[decks, "first_wins"]
        assert rows["turns"].mean() == pytest.approx(table.loc[decks, "turns_mean"])
    assert set(os.listdir(tmp_path)) == {"s.toml", "games.parquet"}


BAD = {
    'game = "see"\n': r"game: unknown game 'see'; did you mean 'se",
    'game = "sea"\npears = 5\n': r"s.toml:2: pears: unknown key; did you mean 'pairs'",
    'game = "sea"\npairs = 0\n': r"s.toml:2: pairs: found 0, expected at least 1",
    'game = "sea"\npairs = "many"\n': r"s.toml:2: pairs: found 'many', expected an integer",
    'game = "sea"\nmargin = 0\n': r"s.toml:2: margin: found 0, expected more than 0",
    'game = "sea"\ndecks = ["rsuh"]\n': r"unknown deck of sea 'rsuh'; did you mean 'rush'",
    'game = "sea"\ndecks = []\n': r"decks: found none, expected at least one",
    'game = "sea"\nstrategies = []\n': r"strategies: found none, expected at least one",
    'game = "sea"\nstrategies = ["greedy", "greedy"]\n': r"two strategies with the label 'greedy'",
    'game = "sea"\ndecks = ["rush", "rush"]\n': r"two decks with the label 'rush'",
    'game = "sea"\ndecks = ["nothing.toml"]\n': r"nothing.toml: cannot be read \(No such file",
    'game = "sea"\nset = "beginner"\n': r"unknown set of sea 'beginner'",
    'game = "sea"\n[rules]\nguard_scope = "all"\n': (
        r"s.toml:3: rules, guard_scope: found 'all', expected 'life' or "
        r"'any'"
    ),
    'game = "sea"\n[rules]\ndraw_option = 1\n': r"draw_option: unknown key; did you mean 'draw_optional'",
    'game = "sea"\nname = "../up"\n': r"name: found '../up'",
    'game = "sea\n': r"s.toml:1: not TOML",
    "pairs = 3\n": r"game",
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_a_study_that_cannot_be_used_is_refused(tmp_path, text):
    path = tmp_path / "s.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=BAD[text]):
        load_study(path)


def test_several_problems_are_reported_together(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(
        'game = "sea"\ndecks = ["rsuh", "tarp"]\nstrategies = ["greddy"]\n[rules]\ncompel = "x"\n', encoding="utf-8"
    )
    with pytest.raises(InputError) as error:
        load_study(path)
    assert len(error.value.problems) == 4


def test_a_file_in_another_encoding_is_refused(tmp_path):
    path = tmp_path / "s.toml"
    path.write_bytes('game = "sea"\nname = "海"\n'.encode("shift_jis"))
    with pytest.raises(InputError, match="is not UTF-8"):
        load_study(path)


def test_an_interrupted_replacement_keeps_the_old_report(tiny, tmp_path, monkeypatch):
    write_report(tiny, tmp_path / "small")
    before = (tmp_path / "small" / "summary.md").read_bytes()
    replace, calls = os.replace, []

    def interrupted(source, target):
        calls.append(target)
        if len(calls) == 2:
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr("reports.formats.folder.os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_report(tiny, tmp_path / "small", force=True)
    assert os.listdir(tmp_path) == ["small"]
    assert (tmp_path / "small" / "summary.md").read_bytes() == before


def test_a_linked_folder_is_replaced_where_it_is(tiny, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_report(tiny, tmp_path / "link")
    write_report(tiny, tmp_path / "link", force=True)
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]
    assert (tmp_path / "real" / "summary.md").exists()


def test_two_own_files_of_one_name_are_refused(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.py").write_text(f"def {name}(state, table, legal, n):\n    return 0\n", encoding="utf-8")
    (tmp_path / "s.toml").write_text('game = "sea"\nstrategies = ["a/x.py:a", "b/x.py:b"]\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"two files with the name 'x.py'"):
        load_study(tmp_path / "s.toml")


def test_names_in_any_script_survive_the_study_as_run(tmp_path):
    name = "🫩 'quoted' \"twice\" \\ 海"
    (tmp_path / "s.toml").write_text(
        tomli_w.dumps({"game": "sea", "name": name.replace("\\", ""), "decks": ["rush"]}), encoding="utf-8"
    )
    study = load_study(tmp_path / "s.toml")
    assert tomllib.loads(as_run(study))["name"] == study.name


def test_a_report_warns_of_games_that_were_stopped(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text(
        'game = "sea"\ndecks = ["rush"]\nstrategies = ["random"]\npairs = 5\n[rules]\nmax_turns = 2\n', encoding="utf-8"
    )
    results = run_study(path, jobs=1)
    (said,) = [x for x in sections(results, all_tables(results), [])[0].sentences if x.startswith("Beware")]
    assert "100.0 % of the games between two random players were stopped at the limit of 2 turns" in said
