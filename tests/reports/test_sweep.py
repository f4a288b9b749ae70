"""Sweeps: variants play the same deals as the study, designs fill their space, and nothing is played or compiled for
their sake.
"""

import math
import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reports import load_study, run_study
from reports.cli import main
from reports.play.checkpoint import Checkpoint
from reports.play.store import load_results, results_to_json
from reports.sections.sweep import points
from reports.stats.paired import mean_difference
from reports.studies.effects import effects
from reports.studies.study import as_run
from reports.studies.sweep import Parameter, Sweep, Variant
from reports.tables import all_tables, effects_table, sweep_decks_table, sweep_table
from sim import InputError, Runner
from sim.kernels.jit import ENABLED
from sim.kernels.loop import ROW_TURNS, ROW_WINNER

PAIRS = 60 if ENABLED else 3
ALONE = 'game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["random"]\n'
HEAD = 'game = "sea"\ndecks = ["rush", "trap"]\nstrategies = ["random", "greedy"]\nmatchups = "same strategy"\n'
GRID = "[sweep]\nrules.draw_count = [1, 2]\ncards.bottlenose.power = [3, 4]\n"
OTHER = "sardine 3, garden_eel 0"
FILE_DECK = (
    "[sweep]\ndecks.rush = ['rush', 'mine/quick.toml', {sardine = 3, garden_eel = 0}]\nrules.draw_count = [1, 2]\n"
)


def study_file(folder, sweep, head=HEAD, pairs=PAIRS):
    path = folder / "s.toml"
    path.write_text(f"{head}pairs = {pairs}\n{sweep}", encoding="utf-8")
    return path


def loaded(folder, sweep, head=HEAD, pairs=PAIRS, **keys):
    return load_study(study_file(folder, sweep, head, pairs), **keys)


def words(study):
    return [study.sweep.words(variant) for variant in study.sweep.variants]


@pytest.fixture
def deck_file(tmp_path):
    """A deck like another one, beside the study."""
    study = loaded(tmp_path, GRID, compiled=False)
    (tmp_path / "mine").mkdir()
    shutil.copy(study.game.folder / "decks" / "control.toml", tmp_path / "mine" / "quick.toml")


# ---------------------------------------------------------------------------------------------------------------
# designs


def test_a_grid_has_all_combinations_but_the_study_as_it_stands(tmp_path):
    study = loaded(tmp_path, GRID, compiled=False)
    assert words(study) == [
        "draw_count = 1, bottlenose power = 4", "draw_count = 2, bottlenose power = 3",
        "draw_count = 2, bottlenose power = 4"
    ]  # fmt: skip
    assert study.sweep.has_base
    assert study.sweep.base.values == (1, 3)
    first, second, both = study.sweep.variants
    assert first.rules is study.rules
    assert second.card_set is study.card_set
    assert first.card_set is both.card_set
    assert both.rules.draw_count == 2
    assert {card.id: card.power for card in both.card_set.card}["bottlenose"] == 4


def test_the_study_need_not_be_a_point_of_its_grid(tmp_path):
    study = loaded(tmp_path, "[sweep]\nrules.draw_count = {from = 2, to = 4}\n", compiled=False)
    assert words(study) == ["draw_count = 2", "draw_count = 3", "draw_count = 4"]
    assert not study.sweep.has_base


def test_abilities_words_truth_values_and_lists_may_vary(tmp_path):
    more = (
        "cards.bottlenose.keywords = [[], ['guard']]\nrules.guard_scope = ['life', 'any']\nrules.act_rests = [true, "
        "false]\n"
    )
    study = loaded(tmp_path, f"[sweep]\ncards.garden_eel.ability.1.n = [1, 2]\n{more}", compiled=False)
    assert len(study.sweep.variants) == 15
    last = study.sweep.variants[-1]
    assert last.values == ("any", False, 2, '["guard"]')
    card = {card.id: card for card in last.card_set.card}
    assert (card["garden_eel"].ability[0].n, card["bottlenose"].keywords) == (2, ["guard"])


def test_a_deck_may_be_another_or_have_other_counts(tmp_path, deck_file):
    study = loaded(tmp_path, FILE_DECK, compiled=False)
    assert [variant.values[1] for variant in study.sweep.all] == ["rush", "quick", OTHER, "rush", "quick", OTHER]
    quick, changed = study.sweep.variants[0].decks["rush"], study.sweep.variants[1].decks["rush"]
    assert quick.cards != study.decks["rush"].cards
    assert (changed.cards["sardine"], changed.cards["garden_eel"], changed.size) == (3, 0, 16)
    assert study.sweep.variants[0].decks["trap"] is study.decks["trap"]


def test_a_single_count_may_vary_where_the_size_of_decks_may(tmp_path):
    study = loaded(tmp_path, "", head='game = "seer"\ndecks = ["rush"]\nstrategies = ["random"]\n', compiled=False)
    card, super_card = next(iter(study.decks["rush"].cards)), next(iter(study.decks["rush"].supers))
    sweep = f"[sweep]\ndecks.rush.{card} = [1, 2]\ndecks.rush.supers.{super_card} = [0, 1]\n"
    found = loaded(
        tmp_path, sweep, head='game = "seer"\ndecks = ["rush"]\nstrategies = ["random"]\n', compiled=False
    ).sweep
    assert [(one.decks["rush"].cards[card], one.decks["rush"].supers[super_card]) for one in found.all] == [
        (study.decks["rush"].cards[card], study.decks["rush"].supers[super_card]),
        *(one.values for one in found.variants)
    ]  # fmt: skip


HYPERCUBE = (
    "[sweep]\ndesign = 'latin hypercube'\npoints = 20\nrules.max_turns = {from = 101, to = 120}\nrules.opening_hand = "
    "{from = 1, to = 5}\n"
)


def test_a_hypercube_fills_its_space_with_whole_numbers(tmp_path):
    study = loaded(tmp_path, HYPERCUBE, compiled=False)
    turns, hands = zip(*(variant.values for variant in study.sweep.variants), strict=True)
    assert sorted(turns) == list(range(101, 121))
    assert sorted(hands) == sorted([1, 2, 3, 4, 5] * 4)
    assert all(type(value) is int for value in (*turns, *hands))
    assert list(turns) != sorted(turns)


def test_a_hypercube_follows_the_seed(tmp_path):
    path = study_file(tmp_path, HYPERCUBE)
    one, same, other = (words(load_study(path, seed=seed, compiled=False)) for seed in (-1, -1, 2))
    assert one == same != other


def test_points_that_coincide_are_played_once(tmp_path):
    sweep = (
        "[sweep]\ndesign = 'latin hypercube'\npoints = 50\nrules.draw_count = [1, 2]\nrules.act_rests = [true, false]\n"
    )
    study = loaded(tmp_path, sweep, compiled=False)
    assert len(set(words(study))) == len(study.sweep.variants) == 3


# ---------------------------------------------------------------------------------------------------------------
# playing


def test_what_changes_nothing_differs_in_no_pair(tmp_path):
    results = run_study(loaded(tmp_path, "[sweep]\nrules.max_turns = [5000, 5001]\ncards.orca.power = [8, 9]\n"))
    assert len(results.others[0]) == 4
    for counts, others in zip(results.counts, results.others, strict=True):
        for more, paired in others:
            assert np.array_equal(more.scores, counts.scores)
            assert paired.strength.trace() == paired.first_seat.trace() == PAIRS
            assert not paired.turns.any()
    table = sweep_table(results)
    assert not table[["difference", "turns_difference", "differing_pairs"]].any(axis=None)
    changed = table[table["variant"] > 0]
    for column in ("difference", "turns_difference"):
        assert (changed[f"{column}_low"] < 0).all()
        assert changed[f"{column}_high"].tolist() == pytest.approx((-changed[f"{column}_low"]).tolist())


def test_differences_are_those_of_the_same_games_one_by_one(tmp_path):
    study = loaded(tmp_path, GRID, pairs=300 if ENABLED else 12, head=ALONE)
    results = run_study(study)
    rows, turns = [], []
    for variant in study.sweep.all:  # each as a study of its own
        alone = replace(study, sweep=None, card_set=variant.card_set, rules=variant.rules, decks=variant.decks)
        per_matchup = {}
        for chunk in alone.runner(keep_rows=True).play(jobs=1):
            per_matchup.setdefault(chunk.matchup, []).append(chunk.rows)
        played = np.array([np.concatenate(per_matchup[m]) for m in sorted(per_matchup)]).reshape(3, -1, 2, 4)
        winner = played[..., ROW_WINNER]
        rows.append(np.where(winner < 0, 0.5, winner == 0).mean(axis=-1))  # the first seat's score in each pair
        turns.append(played[..., ROW_TURNS].mean(axis=-1))
    table = sweep_table(results)
    for number in range(1, 4):
        row = table.iloc[number]
        assert row["first_win_rate"] == pytest.approx(rows[number].mean())
        for found, values in (("difference", rows), ("turns_difference", turns)):
            difference = values[number] - values[0]
            error = math.sqrt((difference.var(axis=1, ddof=1) / difference.shape[1]).sum()) / 3
            assert row[found] == pytest.approx(difference.mean())
            if ENABLED:  # with few pairs the interval is the exact one
                assert (row[f"{found}_high"] - row[f"{found}_low"]) / 2 == pytest.approx(1.96 * error, rel=0.01)
        assert row["turns_mean"] == pytest.approx(turns[number].mean())
    for answer, values in (("first seat's win rate", rows), ("turns", turns)):
        table = effects_table(results)
        table = table[table["answer"] == answer].set_index("parameter")
        for name, weights in (("rules.draw_count", (-1, -1, 1, 1)), ("cards.bottlenose.power", (-1, 1, -1, 1))):
            effect = np.tensordot(np.array(weights) / 2, np.array(values), 1)
            effect = effect if effect.mean() > 0 else -effect
            error = math.sqrt((effect.var(axis=1, ddof=1) / effect.shape[1]).sum()) / 3
            found = table.loc[name]
            assert found["effect"] == pytest.approx(effect.mean())
            assert found["effect_low"] < found["effect"] < found["effect_high"]
            if ENABLED:
                assert (found["effect_low"] + found["effect_high"]) / 2 == pytest.approx(effect.mean())
                assert (found["effect_high"] - found["effect_low"]) / 2 == pytest.approx(1.96 * error, rel=0.01)


def test_threads_and_chunks_change_nothing(tmp_path, monkeypatch, deck_file):
    study = loaded(tmp_path, FILE_DECK)
    one = results_to_json(run_study(study, jobs=1))
    monkeypatch.setattr("sim.run.FIRST_CHUNK_PAIRS", 1)
    monkeypatch.setattr("sim.run.MOST_CHUNK_PAIRS", 7)
    assert results_to_json(run_study(study, jobs=3)) == one


def test_an_interrupted_sweep_ends_as_an_unbroken_one(tmp_path, monkeypatch):
    monkeypatch.setattr("sim.run.FIRST_CHUNK_PAIRS", 1)
    monkeypatch.setattr("sim.run.MOST_CHUNK_PAIRS", 9)
    study = loaded(tmp_path, GRID)
    whole = results_to_json(run_study(study, jobs=1))
    seen = []

    def stop(played):
        seen.append(played.games)
        if len(seen) == 4:
            raise KeyboardInterrupt

    with Checkpoint(tmp_path / "out", study) as checkpoint, pytest.raises(KeyboardInterrupt):
        run_study(study, jobs=1, progress=stop, checkpoint=checkpoint)
    other = loaded(tmp_path, GRID.replace("[3, 4]", "[4, 3]"))
    with (
        Checkpoint(tmp_path / "out", other, resume=True) as checkpoint,
        pytest.raises(InputError, match="another study: sweep"),
    ):
        run_study(other, jobs=1, checkpoint=checkpoint, resume=True)
    with Checkpoint(tmp_path / "out", study, resume=True) as checkpoint:
        assert results_to_json(run_study(study, jobs=2, checkpoint=checkpoint, resume=True)) == whole
        checkpoint.finish()


@pytest.mark.compiled
def test_a_changed_value_compiles_nothing(tmp_path):
    study = loaded(tmp_path, GRID)
    loop = study.game.play_pairs
    signatures = list(loop.signatures)
    results = run_study(study)
    assert len(results.others[0]) == 3
    assert study.game.play_pairs is loop
    assert loop.signatures == signatures
    assert all(one.a.choose is matchup.a.choose for matchup in results.matchups for one in matchup.others)


def test_what_reads_the_same_is_played_once(tmp_path, monkeypatch):
    """Rush has the flying fish, trap has not."""
    study = loaded(tmp_path, "[sweep]\ncards.flying_fish.power = [1, 2, 3]\n", pairs=2)
    played = []
    play = Runner._play_pairs

    def counted(self, matchup, *args, **keys):
        played.append((matchup.a.deck_label, matchup.b.deck_label))
        return play(self, matchup, *args, **keys)

    monkeypatch.setattr(Runner, "_play_pairs", counted)
    results = run_study(study, jobs=1)
    assert [played.count(decks) for decks in (("rush", "rush"), ("rush", "trap"), ("trap", "trap"))] == [6, 6, 2]
    assert [len(others) for others in results.others] == [2] * 6


# ---------------------------------------------------------------------------------------------------------------
# reports


def test_a_report_is_made_again_and_its_study_runs_again(tmp_path, deck_file, capsys):
    path, out, again = study_file(tmp_path, FILE_DECK, ALONE, pairs=2), tmp_path / "out", tmp_path / "again"
    assert main(["run", str(path), "--out", str(out), "--jobs", "1"]) == 0
    before = {file.name: file.read_bytes() for file in out.iterdir() if file.is_file()}
    assert {"sweep.csv", "sweep_decks.csv", "effects.csv", "sweep_first_seat.png", "sweep_length.png"} < before.keys()
    table = pd.read_csv(out / "sweep.csv")
    assert table["decks.rush"].tolist() == ["rush", "quick", OTHER] * 2
    assert table["rules.draw_count"].tolist() == [1, 1, 1, 2, 2, 2]
    assert main(["stats", str(out)]) == 0
    assert {file.name: file.read_bytes() for file in out.iterdir() if file.is_file()} == before
    shutil.rmtree(tmp_path / "mine")
    assert main(["run", str(out / "study.toml"), "--out", str(again), "--jobs", "1"]) == 0
    assert (again / "counts.json").read_bytes() == before["counts.json"]
    assert (again / "sweep.csv").read_bytes() == before["sweep.csv"]
    assert "than now" in capsys.readouterr().out


def test_the_study_as_run_has_the_same_sweep(tmp_path, deck_file):
    for sweep in (GRID, HYPERCUBE):
        study = loaded(tmp_path, sweep, compiled=False)
        (tmp_path / "run.toml").write_text(as_run(study), encoding="utf-8")
        same = load_study(tmp_path / "run.toml", compiled=False)
        assert as_run(same) == as_run(study)
        assert [one.values for one in same.sweep.all] == [one.values for one in study.sweep.all]


def test_counts_of_other_variants_are_refused(tmp_path):
    path, out = study_file(tmp_path, GRID, ALONE, pairs=2), tmp_path / "out"
    assert main(["run", str(path), "--out", str(out), "--jobs", "1"]) == 0
    text = (out / "study.toml").read_text(encoding="utf-8")
    (out / "study.toml").write_text(text.replace("power = [3, 4]", "power = [3, 5]"), encoding="utf-8")
    with pytest.raises(InputError, match="other variants than the sweep"):
        load_results(out)


@pytest.mark.compiled
def test_the_report_says_what_a_designer_would(tmp_path):
    results = run_study(loaded(tmp_path, "[sweep]\nrules.draw_count = [1, 2, 3]\n", pairs=2000))
    tables = all_tables(results)
    greedy = tables["sweep"].query("strategy == 'greedy'")
    assert greedy["variant"].tolist() == [0, 1, 2]
    assert greedy["rules.draw_count"].tolist() == [1, 2, 3]
    assert tables["sweep"]["strategy"].unique().tolist() == ["random", "greedy", "all"]
    from reports.sections import sections

    (part,) = [one for one in sections(results, tables, ["sweep_length"]) if one.title.startswith("What would")]
    row = greedy.iloc[1]
    said = f"With draw_count = 2 the first seat wins {100 * row['first_win_rate']:.1f} %"
    (sentence,) = [one for one in part.sentences if one.startswith(said) and "both play greedy" in one]
    assert f": {row['verdict']}; that is {points(row, 'difference')}, in games of" in sentence
    assert any("Nearest to even is" in one for one in part.sentences)
    (length,) = [one for one in part.sentences if "both play greedy" in one and "the length of games" in one]
    assert "turns less" in length
    assert length.endswith("from 1 to 3.")
    assert part.pictures == ["sweep_length"]
    effect = tables["effects"].query("strategy == 'greedy' and answer == 'turns'").iloc[0]
    assert effect["effect"] == pytest.approx(greedy["turns_mean"].max() - greedy["turns_mean"].min())
    assert effect["effect_low"] < effect["effect"] < effect["effect_high"]
    assert (effect["lowest"], effect["highest"], effect["share"]) == ("3", "1", pytest.approx(1.0))


def test_the_two_decks_of_a_study_change_against_each_other(tmp_path):
    results = run_study(loaded(tmp_path, GRID))
    table = sweep_decks_table(results)
    assert len(table) == 2 * 4 * 2
    for _, rows in table.groupby(["strategy", "variant"]):
        assert rows["win_rate"].sum() == pytest.approx(1.0)
        assert rows["difference"].sum() == pytest.approx(0.0)
    rates = table.set_index(["strategy", "deck", "variant"])["win_rate"]
    for row in table.to_dict("records"):
        assert row["difference"] == pytest.approx(row["win_rate"] - rates[row["strategy"], row["deck"], 0])


def test_p_values_of_differences_are_held_together(tmp_path):
    table = sweep_table(run_study(loaded(tmp_path, GRID)))
    for _, rows in table[table["variant"] > 0].groupby("strategy"):
        expected = stats.false_discovery_control  # another correction: never stricter
        assert (rows["difference_p_holm"] >= expected(rows["difference_p"]) - 1e-12).all()
        assert rows["difference_p_holm"].min() == pytest.approx(min(1.0, 3 * rows["difference_p"].min()))


def test_a_hypercube_is_reported(tmp_path):
    results = run_study(loaded(tmp_path, HYPERCUBE.replace("20", "8", 1).replace("120", "140"), head=ALONE, pairs=4))
    table = effects_table(results)
    assert set(table["parameter"]) == {"rules.max_turns", "rules.opening_hand"}
    assert table["rank"].tolist() == [1, 2, 1, 2]
    assert all_tables(results)["sweep"]["variant"].tolist() == list(range(len(results.study.sweep.all)))


# ---------------------------------------------------------------------------------------------------------------
# effects


def made(design, *values):
    """Make a sweep of parameters with so many values."""
    parameters = tuple(Parameter(("rules", f"p{i}"), one, one, one[0]) for i, one in enumerate(values))
    return Sweep(design, None, parameters, Variant((), None, None, {}), (), True, {})


def test_effects_of_a_grid_are_differences_of_means():
    sweep = made("grid", (1, 2, 3), ("a", "b"))
    at = [(x, word) for x in (1, 2, 3) for word in "ab"]
    height = {1: 0.5, 2: 0.4, 3: 0.45}
    found = effects(sweep, at, [height[x] + (0.02 if word == "b" else 0.0) for x, word in at])
    first, second = found
    assert (first.parameter.name, first.lowest, first.highest, first.comparisons) == ("rules.p0", 2, 1, 3)
    assert first.effect == pytest.approx(0.1)
    assert (second.lowest, second.highest, second.comparisons) == ("a", "b", 1)
    assert second.effect == pytest.approx(0.02)
    assert first.share + second.share == pytest.approx(1.0)
    assert first.explained == pytest.approx(1.0)
    assert first.weights.sum() == pytest.approx(0.0)
    assert first.weights == pytest.approx([0.5, 0.5, -0.5, -0.5, 0, 0])


def test_what_does_not_add_up_is_no_parameters():
    found = effects(made("grid", (0, 1), (0, 1)), [(0, 0), (0, 1), (1, 0), (1, 1)], [1.0, 0.0, 0.0, 1.0])
    assert [effect.effect for effect in found] == pytest.approx([0.0, 0.0])
    assert [effect.explained for effect in found] == pytest.approx([0.0, 0.0])


def test_effects_of_a_hypercube_are_those_of_a_regression():
    random = np.random.default_rng(5)
    x, words = random.integers(1, 10, 30), random.integers(0, 2, 30)
    y = 0.5 - 0.01 * x + 0.03 * words + random.normal(0, 0.01, 30)
    sweep = made("latin hypercube", tuple(range(1, 10)), ("no", "yes"))
    found = {
        one.parameter.name: one
        for one in effects(sweep, [(int(a), ("no", "yes")[b]) for a, b in zip(x, words, strict=True)], list(y))
    }
    line, word = found["rules.p0"], found["rules.p1"]
    import statsmodels.api as sm

    fit = sm.OLS(y, np.column_stack([np.ones(30), x, words])).fit()
    reach = x.max() - x.min()
    assert (line.lowest, line.highest) == (x.max(), x.min())
    assert line.effect == pytest.approx(-fit.params[1] * reach)
    assert line.residual_interval() == pytest.approx(sorted(-fit.conf_int()[1] * reach))
    assert word.effect == pytest.approx(fit.params[2])
    assert word.residual_interval() == pytest.approx(tuple(fit.conf_int()[2]))
    assert line.explained == pytest.approx(fit.rsquared)


def test_too_few_points_tell_nothing():
    assert effects(made("latin hypercube", (1, 2, 3), (1, 2, 3)), [(1, 2), (2, 3)], [0.4, 0.5]) == []


def test_a_difference_of_means_is_students():
    values = np.random.default_rng(3).integers(-4, 9, 200).astype(float)
    found, expected = (
        mean_difference([np.array([values.sum(), (values**2).sum()])], [200], 8.0),
        stats.ttest_1samp(values, 0),
    )
    assert found.mean == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval()))
    assert math.isnan(mean_difference([np.array([3.0, 9.0])], [1], 8.0).low)


def test_few_pairs_that_differ_give_an_exact_interval_of_a_difference_of_means():
    nothing = mean_difference([np.zeros(2)], [1000], 8.0)
    assert (nothing.mean, nothing.differs) == (0.0, False)
    assert nothing.low < 0.0 < nothing.high == pytest.approx(-nothing.low)
    assert nothing.high < 8 * 5 / 1000
    random = np.random.default_rng(5)
    held = []
    for _ in range(400):
        drawn = random.choice([0.0, 0.5, 1.0], (2, 150), p=[0.96, 0.03, 0.01])
        sums = [np.array([values.sum(), (values**2).sum()]) for values in (drawn[0], drawn[1, :40])]
        found = mean_difference(sums, [150, 40], 1.0, few=30 / 4)
        held.append(found.low <= 0.025 <= found.high)
    assert np.mean(held) >= 0.95


def test_what_changes_no_game_has_no_effect(tmp_path):
    text = """
[sweep]
rules.max_turns = [500, 600, 700]
rules.draw_count = [1, 2]
"""
    from reports.sections import sections

    results = run_study(loaded(tmp_path, text, pairs=40 if ENABLED else 6, head=ALONE))
    found = effects_table(results).set_index(["answer", "parameter"])
    for answer in ("first seat's win rate", "turns"):
        row = found.loc[(answer, "rules.max_turns")]
        assert (row["effect"], row["lowest"], row["highest"]) == (0.0, "", "")
        assert row["effect_low"] < 0.0 < row["effect_high"]
        assert found.loc[(answer, "rules.draw_count"), "highest"] in {"1", "2"}
    (part,) = [one for one in sections(results, all_tables(results), []) if one.title.startswith("What would")]
    assert sum("max_turns, which changes no game" in sentence for sentence in part.sentences) == 2


# --------------------------------------------------------------------------------------------------------------
# refusals

REFUSED = {
    "rules.draw_cuont = [1, 2]": r"s.toml:7: sweep.rules.draw_cuont: unknown rule option 'draw_cuont'; did you mean 'draw_count'",
    "rules.draw_count = []": "s.toml:7: sweep.rules.draw_count: found an empty list, expected at least two values",
    "rules.draw_count = [2]": "found the single value 2, expected at least two values",
    "rules.draw_count = [2, 1, 2]": "found 2 more than once, expected each value once",
    "rules.draw_count = 2": r"found 2, expected a list of values, as \[1, 2, 3\], or a range",
    "rules.draw_count = {from = 1}": r"found { from = 1 }, expected a list",
    "rules.draw_count = {from = 1.5, to = 3}": r"found { from = 1.5, to = 3 }, expected a list of values, .* range of whole numbers",
    "rules.draw_count = {from = 3, to = 3}": "found a range from 3 to 3, expected it to begin below its end",
    "rules.draw_count = {from = 1, to = 9000}": "found a range of 9,000 numbers, expected at most 500",
    "rules.draw_count = [1, 2.5]": "s.toml:7: sweep.rules.draw_count: found 2.5, expected an integer",
    "rules.draw_count = [1, true]": "s.toml:7: sweep.rules.draw_count: found true, expected an integer",
    "rules.guard_scope = ['life', 'ayn']": "found 'ayn', expected 'life' or 'any'; did you mean 'any'",
    "cards.botlenose.power = [3, 4]": "unknown card 'botlenose'; did you mean 'bottlenose'",
    "cards.bottlenose.powr = [3, 4]": "sweep.cards.bottlenose.powr: unknown key 'powr'; did you mean 'power'",
    "cards.bottlenose.power = [3, 999]": "s.toml:7: sweep.cards.bottlenose.power: found 999, expected at most",
    "cards.bottlenose.ability.3.n = [1, 2]": "found ability 3, expected 1 to 2",
    "cards.bottlenose.id = ['a', 'b']": "expected a key of the card other than its id",
    "cards.bottlenose = [1, 2]": "expected a key of the card, as power",
    "decks.rsh = ['rush', 'trap']": "unknown deck of the study 'rsh'; did you mean 'rush'",
    "decks.rush = ['rush', 'rmp']": "sweep.decks.rush: unknown deck of sea 'rmp'; did you mean 'ramp'",
    "decks.rush = ['rush', 'none.toml']": "none.toml: cannot be read",
    "decks.rush = ['rush', 3]": "found 3, expected a deck's label, a file or a table of counts",
    "decks.rush = ['rush', {sardin = 3}]": "unknown card 'sardin'; did you mean 'sardine'",
    "decks.rush = ['rush', {sardine = -1}]": "cards, sardine: found -1, expected at least 0",
    "decks.rush = ['ramp', {sardine = 2}, 'rush']": "found { sardine = 2 } and .rush., expected decks with labels and cards",
    "decks.rush.sardine = [1, 2]": r"sweep: variant deck rush sardine = 1: deck 'rush': found 15 cards, expected exactly 16",
    "decks.rush.sardin = [1, 2]": "unknown card 'sardin'; did you mean 'sardine'",
    "rules.copies = [1, 3]": r"s.toml:6: sweep: variant copies = 1: deck 'rush': found 2 cards of the name",
    "rules.max_turns = {from = 1, to = 50}\nrules.opening_hand = {from = 1, to = 50}": r"2,500 combinations \(50 × 50\), expected at",
    "points = 9\nrules.draw_count = [1, 2]": "found points = 9 with a grid",
    "design = 'latin hypercube'\nrules.draw_count = [1, 2]": "the key 'points' is missing",
    "design = 'sobol'\nrules.draw_count = [1, 2]": "found 'sobol', expected 'grid' or 'latin hypercube'",
    "ruls.draw_count = [1, 2]": "sweep, ruls: unknown key; did you mean 'rules'",
    "": "found nothing to vary",
    "cards.garden_eel.ability.1.do = ['draw', 'recall_self']": "sweep.cards.garden_eel.ability.1.do: variant .* expected 'trap'",
}


@pytest.mark.parametrize("sweep", REFUSED)
def test_what_cannot_be_varied_is_told_with_its_place(tmp_path, sweep):
    path = study_file(tmp_path, f"[sweep]\n{sweep}\n")
    with pytest.raises(InputError, match=REFUSED[sweep]):
        load_study(path, compiled=False)


def test_until_does_not_go_with_a_sweep(tmp_path):
    with pytest.raises(InputError, match="sweep: found until beside it, expected a fixed number of pairs"):
        loaded(tmp_path, f"until = {{half_width = 2}}\n{GRID}", compiled=False)


def test_a_table_of_ones_own_names_its_line(tmp_path):
    with pytest.raises(InputError, match=r"s.toml:9: sweep.cards.bottlenose.powr"):
        loaded(tmp_path, "\n[sweep.cards.bottlenose]\n# stronger?\npowr = [1, 2]\n", compiled=False)


def test_too_much_to_count_is_refused(tmp_path):
    sweep = "[sweep]\nrules.max_turns = {from = 1, to = 490}\n"
    with pytest.raises(InputError, match="found 489 variants of 21 matchups, expected at most 10,000 of both together"):
        loaded(
            tmp_path,
            sweep,
            head='game = "sea"\nstrategies = ["random"]\n',
            compiled=False,
        )


def test_many_problems_are_cut_short(tmp_path):
    lines = "\n".join(f"rules.o{i} = [1, 2]" for i in range(15))
    with pytest.raises(InputError, match="sweep: and 5 problems more"):
        loaded(tmp_path, f"[sweep]\n{lines}\n", compiled=False)


def test_a_command_says_it_without_a_traceback(tmp_path, capsys):
    assert main(["validate", str(study_file(tmp_path, "[sweep]\nrules.draw_cuont = [1, 2]\n"))]) == 2
    assert "unknown rule option 'draw_cuont'" in capsys.readouterr().err
