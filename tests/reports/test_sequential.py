"""Early stopping: published values, fixed looks, rules that are refused, and how often the tests err, by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from reports.stats.estimates import FIRST_SEAT, STRENGTH
from reports.stats.sequential import (
    ELO,
    decide,
    log_likelihood_ratio,
    normalized_elo,
    normalized_log_likelihood_ratio,
    wald_bounds,
)
from reports.stats.until import Decision, Until, looks
from sim.files.errors import InputError
from sim.files.toml import FileModel, parse_toml, validate

FIVE = np.arange(5) / 4
PUBLISHED = np.array([379, 10170, 21828, 10640, 343])  # by the score of a pair: 0, 1/4, 1/2, 3/4, 1


def nine(n00=0, n02=0, n20=0, n22=0, n11=0):
    return np.array([[n00, 0, n02], [0, n11, 0], [n20, 0, n22]], np.int64)


def test_normalized_elo_and_its_test_give_the_published_values():
    elo, low, high = normalized_elo(PUBLISHED, FIVE)
    assert elo == pytest.approx(3.05, abs=0.005)
    assert (high - elo, elo - low) == pytest.approx((2.31, 2.31), abs=0.005)
    assert normalized_log_likelihood_ratio(PUBLISHED, FIVE, 0, 2) == pytest.approx(2.946, abs=0.0005)


def test_walds_bounds():
    assert wald_bounds(0.05, 0.05) == pytest.approx((-2.944, 2.944), abs=0.0005)
    assert wald_bounds(0.01, 0.1) == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


def test_the_ratio_is_that_of_two_normal_densities():
    table = nine(n00=200, n02=180, n20=260, n22=210, n11=30)
    each = np.repeat(FIRST_SEAT.ravel(), table.ravel())
    density = [stats.norm.logpdf(each, mean, each.std()).sum() for mean in (0.5, 0.53)]
    assert log_likelihood_ratio(table, FIRST_SEAT, 0.5, 0.53) == pytest.approx(density[1] - density[0])
    assert log_likelihood_ratio(table, FIRST_SEAT, 0.53, 0.5) == pytest.approx(density[0] - density[1])


def test_the_nine_counts_and_the_five_say_the_same():
    table = np.array([[30, 4, 70], [2, 5, 9], [80, 3, 60]])
    five = np.array([30, 6, 155, 12, 60])
    assert normalized_elo(table) == pytest.approx(normalized_elo(five, FIVE))
    assert log_likelihood_ratio(table, STRENGTH, 0.5, 0.55) == pytest.approx(
        log_likelihood_ratio(five, FIVE, 0.5, 0.55)
    )


def test_looks_are_five_hundred_apart_then_a_tenth():
    assert list(looks(2_200)) == [500, 1_000, 1_500, 2_000, 2_200]
    assert [list(looks(n)) for n in (1, 500, 501)] == [[1], [500], [500, 501]]
    many = list(looks(1_000_000))
    assert many[:12] == [500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000, 5500, 6050]
    assert many[-1] == 1_000_000
    assert len(many) < 80


def test_a_half_width_is_reached_in_points():
    split = nine(n00=100, n02=150, n20=150, n22=100)
    reach = 100 * stats.t.ppf(0.975, 499) * math.sqrt(0.25 * 300 / 500 / 499)
    assert decide(Until(half_width=reach - 0.01), split) is None
    assert decide(Until(half_width=reach + 0.01), split) == Decision("half-width", None, pytest.approx(reach))


def test_pairs_that_are_all_alike_do_not_stop_with_no_width():
    alike = nine(n00=250, n22=250)
    assert decide(Until(half_width=0.2), alike) is None
    reached = decide(Until(half_width=2), alike)
    assert 0.2 < reached.value < 2


STRONG = {"sprt": [50, 52], "of": "strength"}


@pytest.mark.parametrize(
    ("rule", "pairs", "reached"),
    [
        (STRONG, {"n00": 500}, "50 %"),  # A loses everything
        (STRONG, {"n22": 500}, "52 %"),
        ({**STRONG, "sprt": [52, 50]}, {"n22": 500}, "52 %"),
        ({"sprt": [49, 52]}, {"n11": 5000}, "49 %"),  # all draws
        ({"sprt": [50, 52]}, {"n00": 250, "n22": 250}, "50 %"),  # the sides decide, the seats do not
        ({"sprt": [50, 52]}, {"n20": 500}, "52 %"),  # whoever sits first
        ({"sprt": [50, 52]}, {"n20": 471, "n02": 29}, "52 %"),
        ({"sprt": [50, 52]}, {"n20": 1}, None),
        ({"sprt": [49, 51]}, {"n11": 20}, None),
        ({"elo": [0, 5]}, {"n00": 500}, "0 nElo"),
        ({"elo": [0, 5]}, {"n22": 500}, "5 nElo"),
        ({"elo": [5, 0]}, {"n22": 500}, "5 nElo"),
        ({"elo": [-5, 0]}, {"n00": 500}, "-5 nElo"),
        ({"elo": [900, 950]}, {"n22": 20}, None),  # a side that wins all of few games may be as strong as that
        ({"elo": [0, 5]}, {"n20": 500}, None),  # so few uneven pairs there may be with 5 points
        ({"elo": [0, 5]}, {"n20": 10**5}, "0 nElo"),
        ({"elo": [-5, 0]}, {"n20": 10**5}, "0 nElo"),
        ({"elo": [0, 5]}, {"n22": 5, "n11": 10}, None),
    ],
    ids=str,
)
def test_where_few_pairs_differ_the_exact_test_decides(rule, pairs, reached):
    decision = decide(Until(**rule), nine(**pairs))
    assert (None if decision is None else decision.reached) == reached
    if decision is not None:
        hypotheses = rule.get("sprt") or rule["elo"]
        assert reached.startswith(f"{hypotheses[decision.hypothesis]} ")
        assert (decision.value > math.log(200)) if decision.hypothesis else (decision.value < -math.log(200))


def test_what_a_strength_says_of_rates_holds_at_its_edge():
    """The distribution that has a strength with the least mean, and the one with the fewest uneven pairs."""
    t = 40 / ELO
    d = t / math.sqrt(2 + 4 * t**2)
    assert d / math.sqrt(2 * (0.25 - d**2)) == pytest.approx(t)
    uneven = 2 * t**2 / (1 + 2 * t**2)
    assert (uneven / 2) / math.sqrt(2 * (uneven / 4 - uneven**2 / 4)) == pytest.approx(t)


def test_without_variance_there_is_no_ratio():
    for table in (nine(), nine(n11=7), nine(n22=10**9)):
        assert math.isnan(log_likelihood_ratio(table, STRENGTH, 0.5, 0.52))
        assert math.isnan(normalized_log_likelihood_ratio(table, STRENGTH, 0, 2))
        assert all(math.isnan(x) for x in normalized_elo(table))


def test_a_decision_says_which_hypothesis_is_accepted():
    first_wins = nine(n00=4_000, n02=1_000, n20=2_000, n22=4_000)
    assert decide(Until(sprt=[50, 52]), first_wins).reached == "52 %"
    assert decide(Until(sprt=[52, 50]), first_wins).hypothesis == 0
    assert decide(Until(sprt=[50, 52], of="strength"), first_wins).reached == "50 %"
    a_wins = nine(n00=3_000, n02=1_000, n20=1_000, n22=5_000)
    assert decide(Until(sprt=[50, 52]), a_wins).reached == "50 %"
    won = decide(Until(elo=[0, 2.5]), a_wins)
    assert (won.reached, won.hypothesis) == ("2.5 nElo", 1)
    assert won.value > wald_bounds(0.05, 0.05)[1]


class Holder(FileModel):
    until: Until | None = None


def read(rule):
    text = f"\nuntil = {rule}\n"
    return validate(parse_toml(text, "s.toml"), Holder, "s.toml", text).until


def test_rules_are_read_from_a_study():
    assert read("{half_width = 0.2, max_pairs = 1000}") == Until(half_width=0.2, max_pairs=1000)
    assert read('{sprt = [50, 52.5], alpha = 0.01, beta = 0.1, of = "strength"}').of == "strength"
    assert read("{elo = [0, 2]}").max_pairs == 1_000_000


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("{}", "until: found none of them, expected exactly one of half_width, sprt and elo"),
        ("{half_width = 1, elo = [0, 2]}", "until: found half_width and elo, expected exactly one"),
        ("{half_width = 0}", "until, half_width: found 0, expected more than 0"),
        ("{half_width = 50}", "until, half_width: found 50, expected less than 50"),
        ("{half_width = nan}", "until, half_width: found nan"),
        ("{sprt = [50]}", "until, sprt: found [50], expected two different numbers between 0 and 100"),
        ("{sprt = [50, 50]}", "until, sprt: found [50, 50], expected two different"),
        ("{sprt = [0, 52]}", "until, sprt: found [0, 52], expected two different numbers between 0 and 100"),
        ("{sprt = 50}", "until, sprt: found 50, expected a list"),
        ("{elo = [0, inf]}", "until, elo: found"),
        ("{elo = [0, 2], alpha = 0}", "until, alpha: found 0, expected more than 0"),
        ("{elo = [0, 2], beta = 0.5}", "until, beta: found 0.5, expected less than 0.5"),
        ("{elo = [0, 2], max_pairs = 0}", "until, max_pairs: found 0, expected at least 1"),
        ('{elo = [0, 2], of = "strength"}', "until: found of with elo, expected it with sprt alone"),
        ("{half_width = 1, alpha = 0.1}", "until: found alpha with half_width, expected it with sprt or elo alone"),
        ('{sprt = [50, 52], of = "first"}', "until, of: found 'first'"),
        ("{half_with = 1}", "did you mean 'half_width'"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(rule, message):
    with pytest.raises(InputError) as caught:
        read(rule)
    assert any(problem.startswith("s.toml:2: ") and message in problem for problem in caught.value.problems), (
        caught.value
    )


def stopped(until, shares, studies, seed):
    """Play matchups with these shares of pairs (A loses both, second seat, first seat, A wins both) until each is
    decided.
    """
    random = np.random.default_rng(seed)
    tables = np.zeros((studies, 3, 3), np.int64)
    accepted, pairs, before = np.full(studies, -1), np.full(studies, until.max_pairs), 0
    for look in looks(until.max_pairs):
        going = np.flatnonzero(accepted < 0)
        new = random.multinomial(look - before, shares, size=len(going))
        for cell, column in zip(((0, 0), (0, 2), (2, 0), (2, 2)), new.T, strict=True):
            tables[going, *cell] += column
        for study in going:
            decision = decide(until, tables[study])
            if decision is not None:
                accepted[study], pairs[study] = decision.hypothesis, look
        before = look
    return accepted, pairs


def shares_with(rate, of):
    """Shares of pairs in which 40 % are not split, with the first seat's or A's win rate as given."""
    up, down = 0.2 + (rate - 0.5), 0.2 - (rate - 0.5)
    return (0.3, down, up, 0.3) if of == "first seat" else (down, 0.3, 0.3, up)


@pytest.mark.parametrize("of", ["first seat", "strength"])
@pytest.mark.parametrize("truth", [0, 1])
def test_the_sequential_test_errs_as_rarely_as_it_says_and_is_quicker_than_a_fixed_one(of, truth):
    """Control: 1,000 simulated matchups under each hypothesis."""
    alpha, beta = 0.05, 0.1
    until = Until(sprt=[50, 51], alpha=alpha, beta=beta, of=of, max_pairs=100_000)
    accepted, pairs = stopped(until, shares_with(until.sprt[truth] / 100, of), 1000, seed=5 + truth)
    assert (accepted >= 0).all()
    assert 0 < (accepted != truth).mean() <= (alpha, beta)[truth]
    fixed = (stats.norm.ppf(1 - alpha) + stats.norm.ppf(1 - beta)) ** 2 * 0.1 / 0.01**2
    assert pairs.mean() < 0.75 * fixed


@pytest.mark.parametrize("truth", [0, 1])
def test_the_test_of_normalized_elo_errs_as_rarely_as_it_says(truth):
    until = Until(elo=[0, 15], max_pairs=200_000)
    win = math.sqrt(2 * 0.1) * until.elo[truth] * math.log(10) / 800
    accepted, pairs = stopped(until, shares_with(0.5 + win, "strength"), 1000, seed=8 + truth)
    assert (accepted >= 0).all()
    assert 0 < (accepted != truth).mean() <= 0.05
    assert (
        pairs.mean()
        < 0.75 * (2 * stats.norm.ppf(0.95)) ** 2 * 0.1 / (math.sqrt(2 * 0.1) * 15 * math.log(10) / 800) ** 2
    )


@pytest.mark.parametrize("truth", [0, 1])
def test_a_matchup_that_goes_from_the_exact_test_into_the_other_errs_no_more_often(truth):
    """One pair in a hundred differs, and the hypotheses lie so near that either test may be the one that decides."""
    until = Until(sprt=[50, 50.2], alpha=0.05, beta=0.1, max_pairs=100_000)
    share, moved = 0.01, truth * 0.002
    shares = ((1 - share) / 2, share / 2 - moved, share / 2 + moved, (1 - share) / 2)
    accepted, pairs = stopped(until, shares, 400, seed=2 + truth)
    assert (accepted >= 0).all()
    assert 0 < (accepted != truth).mean() <= (0.05, 0.1)[truth]
    assert 0.02 < (share * pairs < 20).mean() < 0.5
