"""The bar: one line that fits, with whole numbers, what the headline will tell, and the time that is left."""

import io
from dataclasses import replace

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from reports.cli.bar import Bar, line
from reports.play.pace import Pace
from reports.play.progress import BY_TURN, Played, Progress
from reports.play.run import run_study
from reports.play.schedule import Schedule
from reports.sections.headline import headline
from reports.studies.study import load_study
from reports.tables import all_tables
from sim.run import Block

SAID = "first seat wins 49.8 % (both greedy)"
NAMES = ["sea", "sea-ladder", "海の仲間たち" * 20, "x" * 300, "a\x1b[31mred\nname"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [40, 60, 80, 120, 300])
@pytest.mark.parametrize("drawn", [True, False])
def test_a_line_fits_and_its_numbers_are_whole(name, width, drawn):
    told = line(width, name, 780_000, 1_452_000_000, said=SAID, seconds_left=86_500, speed=221_565.4, drawn=drawn).plain
    assert cell_len(told) <= width
    assert told.isprintable()
    assert "780,000/1,452,000,000" in told
    for whole in (SAID, "1 day, 0:01:40 left", "221,565 games/s"):
        assert whole in told or whole[:9] not in told  # whole or not at all


def test_what_matters_least_goes_first():
    def told(width):
        return line(width, "my-study", 10, 2_000, said=SAID, seconds_left=70, speed=5.0).plain

    assert told(120) == f"my-study  {SAID}  {'━' * 35}  10/2,000  5.0 games/s  0:01:10 left"
    assert told(80) == f"my-study  {SAID}  {'━' * 8}  10/2,000  0:01:10 left"
    assert told(70) == f"my-study  {SAID}  10/2,000  0:01:10 left"
    assert told(40) == "my-study  10/2,000  0:01:10 left"
    assert told(28) == "my-…  10/2,000  0:01:10 left"
    assert told(9) == "10/2,000"
    assert line(60, "a-name-that-is-long", 1, 2, said=SAID).plain == f"a-name-that-is-l…  {SAID}  1/2"


def test_nothing_is_said_of_what_is_not_known():
    assert line(80, "sea", 0, 100, drawn=False).plain == "sea  0/100"


def shown(seconds, games, *, console):
    """Show so many games after so many seconds each; gives what is on the console."""
    now = [0.0]
    with Bar("sea", console=console, clock=lambda: now[0]) as bar:
        for second, n in zip(seconds, games, strict=True):
            now[0] = second
            bar.show(n, 1000, SAID, n / 1000)
    return console.file.getvalue()


def quiet(width=80):
    return Console(file=io.StringIO(), width=width, soft_wrap=True)


def test_without_a_terminal_a_short_run_leaves_no_line():
    assert shown([0.1, 0.5, 9.9], [10, 500, 1000], console=quiet()) == ""


def test_without_a_terminal_a_long_run_leaves_a_line_each_tenth():
    lines = shown(range(3600), [n * 1000 // 3600 for n in range(3600)], console=quiet()).splitlines()
    assert 8 <= len(lines) <= 10
    assert all(told.isprintable() and "━" not in told and len(told) <= 80 for told in lines)
    assert lines[0] == f"sea  {SAID}  100/1,000  0.3 games/s  0:54:00 left"
    fast = shown(range(30), [n * 1000 // 30 for n in range(30)], console=quiet()).splitlines()
    assert len(fast) == 2  # ten seconds apart


def test_in_a_terminal_it_is_one_line_drawn_anew():
    console = Console(file=io.StringIO(), width=80, force_terminal=True, legacy_windows=False, _environ={})
    text = shown([0.0, 1.0, 1.01, 2.0], [10, 500, 501, 1000], console=console)
    assert "500/1,000" in text
    assert "501/1,000" not in text  # too soon
    assert text.count("1,000/1,000") >= 1
    assert text.count("\n") == 1


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    path = tmp_path_factory.mktemp("bar") / "three.toml"
    path.write_text(
        'game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["random", "greedy", "value"]\npairs = 4\n',
        encoding="utf-8",
    )
    return load_study(path)


def ended(study, **keys):
    """Play a study; gives how far it was in the end, and its results."""
    found = []
    results = run_study(study, jobs=1, progress=found.append, **keys)
    return found[-1], results


@pytest.mark.parametrize("pairing", ["all", "same strategy", "same deck"])
def test_its_win_rate_is_that_of_the_headline(study, pairing):
    study = replace(study, pairing=pairing)
    progress, results = ended(study)
    player, rate = progress.standing.headline(study)
    tables = all_tables(results)
    assert headline(tables, study.margin).startswith(f"When both play {player}, ")
    row = tables["skill"].set_index("strategy").loc[player]
    assert rate == pytest.approx(row["first_win_rate"], abs=1e-12)
    assert progress.games == results.games == progress.total


def test_with_until_it_tells_of_fresh_pairs_alone(tmp_path):
    path = tmp_path / "until.toml"
    path.write_text(
        'game = "sea"\ndecks = ["rush"]\nstrategies = ["random", "greedy"]\n[until]\nhalf_width = 9\nmax_pairs = 200\n',
        encoding="utf-8",
    )
    study = load_study(path)
    progress, results = ended(study)
    player, rate = progress.standing.headline(study)
    assert rate == pytest.approx(all_tables(results)["skill"].set_index("strategy").loc[player, "first_win_rate"])


def test_before_equals_have_met_it_tells_no_rate(study):
    runner = study.runner()
    progress = Progress.nothing(runner)
    assert progress.standing.headline(study) is None
    unequal = next(place for place, one in enumerate(runner.matchups) if one.a.strategy_label != one.b.strategy_label)
    progress.add(runner.play_chunk(Block(unequal, 0, 2)))
    assert progress.standing.headline(study) is None
    assert progress.games == 4


def test_games_are_counted_once_and_added_to(study):
    runner = study.runner()
    progress = Progress.nothing(runner)
    chunks = [runner.play_chunk(Block(0, first, 2)) for first in (0, 2)]
    progress.first[0].add(chunks[0])  # as what is loaded is there
    assert progress.games == 4
    progress.add(chunks[1])
    assert progress.games == 8
    assert progress.first[0].done == [(0, 4)]


@pytest.mark.parametrize("pairs", [1, 64, 2**14, 2**30, 10**12])
def test_counts_by_turn_hold_as_many_games_as_there_may_be(study, pairs):
    matchup = study.matchups()[0]
    played = Played.nothing(study.runner(), matchup, pairs)
    for name in BY_TURN:
        array = getattr(played.counts, name)
        array[...] = 2 * pairs
        assert (array == 2 * pairs).all()
    few = Played.nothing(study.runner(), matchup, 20)
    assert few.counts.leads.nbytes * 8 == study.runner().empty(matchup).leads.nbytes


def test_time_left_weighs_players_by_their_speed(study):
    runner = study.runner()
    progress = Progress.nothing(runner)
    schedule = Schedule(runner, None)
    blocks = schedule.next(progress)
    assert progress.total == runner.games
    assert progress.share is None  # nothing is measured
    chunk = replace(runner.play_chunk(blocks[0]), seconds=1.0)
    progress.add(chunk)
    assert progress.share is None  # greedy and value have not played


def test_pace_says_nothing_of_who_was_not_measured(study):
    one = {matchup.strategies: matchup for matchup in study.matchups()}
    pace = Pace()
    pace.note(one["random", "random"], 10, 2.0)
    assert pace.needed({("random", "random"): 5}) == pytest.approx(1.0)
    assert pace.needed({}) == 0
    assert pace.needed({("random", "greedy"): 1}) is None
    pace.note(one["random", "greedy"], 10, 11.0)  # of which greedy takes 1.0 a pair
    assert pace.needed({("greedy", "greedy"): 3}) == pytest.approx(6.0)
    pace.note(one["greedy", "greedy"], 1, 5.0)
    assert pace.needed({("greedy", "greedy"): 3}) == pytest.approx(15.0)  # what is measured is better
    assert pace.seconds == pytest.approx(18.0)


def test_what_is_over_leaves_no_time(study):
    progress, _ = ended(study)
    assert progress.share == 1
    assert np.isfinite(progress.pace.seconds)
