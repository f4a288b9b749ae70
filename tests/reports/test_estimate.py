"""How long a study will take, told by `komi validate` from a few pairs."""

from dataclasses import replace

import pytest

from reports.cli import main
from reports.play import estimate
from reports.studies.study import load_study
from sim.run import Runner

TAKES = {"random": 0.001, "greedy": 0.003, "ismcts:1000": 0.5}  # seconds a pair, by the slower of two


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A study whose pairs take as long as `TAKES` says, in proportion to what searches tries out."""
    real = Runner.play_chunk

    def play_chunk(runner, block):
        matchup = runner.matchups[block.matchup]
        slow = max(matchup.strategies, key=TAKES.get)
        tried = max((side.parameters[0] for side in (matchup.a, matchup.b) if ":" in side.strategy_label), default=1000)
        assert tried in (1000, estimate.FEW_PLAYOUTS)  # who searches does so a little only
        chunk = real(runner, block._replace(pairs=1))
        return replace(chunk, pairs=block.pairs, seconds=TAKES[slow] * block.pairs * tried / 1000)

    monkeypatch.setattr(Runner, "play_chunk", play_chunk)
    monkeypatch.setattr("joblib.cpu_count", lambda: 2)
    path = tmp_path / "slow.toml"
    path.write_text(
        'game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["random", "greedy", "ismcts:1000"]\npairs = 1000\n'
        "search_pairs = 90\n",
        encoding="utf-8",
    )
    return load_study(path)


def test_each_two_players_weigh_by_their_own_speed(study):
    pace = estimate.measured(study)
    for players, seconds in ((("random", "greedy"), 0.003), (("greedy", "ismcts:1000"), 0.5)):
        assert pace.needed({players: 10}) == pytest.approx(10 * seconds)
    # 3 and 3 matchups of 1,000 pairs, 4 of both; 4 + 4 + 3 of 90 that search: 3 + 9 + 12 + 495 seconds on one core
    assert estimate.expected(study) == "21,980 games, about 4 minutes to play on 2 cores"


def test_what_is_measured_is_bounded(study):
    played = estimate._played(study, study.matchups()[:1], seconds=0.02)
    assert sum(pairs for _, pairs, _ in played) == 31  # of a thousandth each: 1, 2, 4, 8, then 16 beyond the time
    assert sum(pairs for _, pairs, _ in estimate._played(study, study.matchups()[:1], seconds=1e9)) < 2 * 1024


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.01, "1 second"),
        (12, "12 seconds"),
        (89, "89 seconds"),
        (95, "2 minutes"),
        (5300, "88 minutes"),
        (9000, "2 hours"),
    ],
)
def test_times_are_said_roughly(seconds, words):
    assert estimate._words(seconds) == words


def test_validate_tells_games_and_time(tmp_path, capsys):
    (tmp_path / "s.toml").write_text(
        'game = "sea"\ndecks = ["rush"]\nstrategies = ["greedy"]\npairs = 3\n', encoding="utf-8"
    )
    assert main(["validate", str(tmp_path / "s.toml")]) == 0
    out = capsys.readouterr().out
    assert "s.toml: a study of sea: 1 matchup of 3 pairs: 6 games, about 1 second to play on " in out
    (tmp_path / "u.toml").write_text(
        'game = "sea"\ndecks = ["rush"]\nstrategies = ["greedy"]\n[until]\nhalf_width = 1\nmax_pairs = 3\n',
        encoding="utf-8",
    )
    assert main(["validate", str(tmp_path / "u.toml")]) == 0
    assert "of at most 3 pairs: at most 12 games (half of them fresh ones), at most about " in capsys.readouterr().out
