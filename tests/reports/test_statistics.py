"""Estimates: textbook values, and coverage by simulation."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from reports.stats.betting import BetsOnCounts, BetsOnMoments
from reports.stats.distributions import normal_cdf, normal_ppf, t_isf, t_sf
from reports.stats.estimates import (
    FIRST_SEAT,
    LEVEL,
    STRENGTH,
    Estimate,
    Mean,
    estimate_each,
    first_seat,
    holm,
    holm_once,
    p_value,
    pooled,
    strength,
    verdict,
    wilson,
)  # fmt: skip


def scores(**cells):
    """Nine counts from cells named by A's half points as first and as second, as n20=5."""
    table = np.zeros((3, 3), np.int64)
    for name, n in cells.items():
        table[int(name[1]), int(name[2])] = n
    return table


def test_wilson_by_the_textbook():
    # Newcombe 1998, table I, method 3: 81/263 -> 0.2553 to 0.3662; 15/148 -> 0.0624 to 0.1605; 0/20 -> 0 to 0.1611
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_one_design_gives_both_answers():
    # 60 pairs: 30 times A wins both games, 20 times the first seat wins both, 10 times all is drawn
    table = scores(n22=30, n20=20, n11=10)
    a, seat = strength(table), first_seat(table)
    assert a.rate == pytest.approx((30 * 1 + 20 * 0.5 + 10 * 0.5) / 60)
    assert seat.rate == pytest.approx((30 * 0.5 + 20 * 1 + 10 * 0.5) / 60)
    assert (a.decisive, seat.decisive) == (30, 20)


def test_the_error_comes_from_the_pairs():
    table = scores(n22=300, n20=200, n02=100, n11=100, n00=50)
    values = np.repeat(FIRST_SEAT.ravel(), table.ravel())
    reach = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    seat = first_seat(table)
    assert (seat.low, seat.high) == pytest.approx((values.mean() - reach, values.mean() + reach))


def test_variance_ratio_is_one_for_independent_games_and_small_for_shared_luck():
    independent = scores(n00=250, n02=250, n20=250, n22=250)
    assert first_seat(independent).variance_ratio == pytest.approx(1, abs=0.01)
    shared = scores(n00=490, n22=490, n02=10, n20=10)
    assert first_seat(shared).variance_ratio < 0.05
    assert strength(shared).variance_ratio > 1.9


def test_pairs_that_all_split_get_an_exact_interval_not_none():
    seat = first_seat(scores(n22=50, n00=50))
    assert seat.rate == 0.5
    assert seat.exact
    assert 0.45 < seat.low < 0.5 < seat.high < 0.55
    assert first_seat(scores(n11=1)).low == pytest.approx(0, abs=0.02)


def test_matchups_weigh_the_same():
    small, large = scores(n20=100), scores(n02=1000)
    assert pooled([small, large]).rate == 0.5
    with pytest.raises(ValueError, match="at least one pair"):
        pooled([])
    with pytest.raises(ValueError, match="at least one pair"):
        pooled([scores()])


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (0.49, 0.51, "fair"),
        (0.48, 0.52, "fair"),
        (0.53, 0.55, "favours first"),
        (0.40, 0.47, "favours second"),
        (0.5, 0.53, "not decided"),
    ],
)
def test_verdicts(low, high, word):
    assert verdict(Estimate((low + high) / 2, low, high, 100, 50, 1.0, False), 2.0) == word


@pytest.mark.parametrize("truth", [(0.25, 0.25, 0.25, 0.25), (0.1, 0.5, 0.3, 0.1), (0.02, 0.95, 0.02, 0.01)])
def test_intervals_cover_the_truth_as_often_as_they_say(truth):
    """Control: coverage of 95 % intervals over 2,000 simulated matchups of 400 pairs."""
    random = np.random.default_rng(1)
    cells = [(0, 0), (0, 2), (2, 0), (2, 2)]
    for values in (FIRST_SEAT, STRENGTH):
        mean = sum(p * values[cell] for p, cell in zip(truth, cells, strict=True))
        covered = 0
        for counts in random.multinomial(400, truth, size=2000):
            table = np.zeros((3, 3), np.int64)
            for cell, n in zip(cells, counts, strict=True):
                table[cell] = n
            estimate = pooled([table], values)
            covered += estimate.low <= mean <= estimate.high
        assert covered / 2000 > 0.935


def test_false_alarms_are_rare():
    """Control: a game exactly at the margin is called unfair in at most 2.5 % of the studies (here: 2,000 of 500
    pairs).
    """
    random = np.random.default_rng(2)
    wrong = 0
    for counts in random.multinomial(500, (0.25, 0.23, 0.27, 0.25), size=2000):
        table = np.zeros((3, 3), np.int64)
        table[[0, 0, 2, 2], [0, 2, 0, 2]] = counts
        wrong += verdict(first_seat(table), 2.0) == "favours first"
    assert first_seat(scores(n00=25, n02=23, n20=27, n22=25)).rate == pytest.approx(0.52)
    assert 0 < wrong / 2000 < 0.035


@pytest.mark.parametrize("sizes", [(1,) * 30, (20, 20, 20), (15, 300)])
def test_pooled_intervals_cover_the_mean_of_the_matchups(sizes):
    """Control: 1,000 studies of matchups that differ."""
    random = np.random.default_rng(3)
    shares = [(0.3, 0.2, 0.4, 0.1), (0.1, 0.6, 0.2, 0.1), (0.25, 0.25, 0.25, 0.25)]
    truths = [shares[i % 3] for i in range(len(sizes))]
    mean = np.mean([0.5 * (p[0] + p[3]) + p[2] for p in truths])
    covered = 0
    for _ in range(1000):
        tables = []
        for size, truth in zip(sizes, truths, strict=True):
            table = np.zeros((3, 3), np.int64)
            table[[0, 0, 2, 2], [0, 2, 0, 2]] = random.multinomial(size, truth)
            tables.append(table)
        estimate = pooled(tables)
        covered += estimate.low <= mean <= estimate.high
    assert covered / 1000 > 0.92


# ------------------------------------------------------------------------------------------------- few pairs that
# differ

QUARTERS = np.arange(5) / 4


@pytest.mark.parametrize("pairs", [50, 800, 100_000])
def test_pairs_that_never_differ_leave_little_more_doubt_than_they_must(pairs):
    """No exact interval is narrower than that of all wealth at stake: (1 + 2 d)^n = 2 / level."""
    seat = first_seat(scores(n22=pairs))
    least = (1 - (2 / LEVEL) ** (-1 / pairs)) / 2
    assert seat.rate - seat.low == pytest.approx(seat.high - seat.rate)
    assert least < seat.high - 0.5 < 1.35 * least


@pytest.mark.parametrize("shares", [(0.5, 0, 0, 0, 0.5), (0, 0.5, 0, 0.5, 0), (0.2, 0.1, 0, 0.1, 0.6), (0, 0, 0, 0, 1)])
def test_thirty_pairs_that_differ_make_no_great_leap(shares):
    widths = []
    for differing in (29, 30):
        sample = np.rint(np.array(shares) * differing).astype(np.int64)
        sample[2] = 1000
        sample[4 if shares[4] else 3] += differing + 1000 - sample.sum()
        low, high = Mean.of([sample], QUARTERS).interval()
        widths.append(high - low)
    assert 1 < widths[0] / widths[1] < 1.8


def test_betting_by_hand():
    """Two scores, 1 and 1/2, of which the mean is said to be 1/4 at most: the average of (1 + 3 t) (1 + t) over the
    density 2 t.
    """
    bets = BetsOnCounts.of([(np.array([0, 1, 1]), np.arange(3) / 2)])
    assert bets.log_capital(0.25) == pytest.approx(np.log(1 + 4 * 2 / 3 + 3 * 2 / 4))
    assert bets.p_value(0.25) == pytest.approx(2 / (1 + 8 / 3 + 3 / 2))
    unequal = BetsOnCounts.of([(np.array([0, 0, 1]), np.arange(3) / 2), (np.array([0, 2, 0]), np.arange(3) / 2)])
    assert unequal.rate == 0.75
    grid = (np.arange(100_000) + 0.5) / 100_000
    assert unequal.log_capital(0.25) == pytest.approx(np.log(np.mean(2 * grid * (1 + 3 * grid) * (1 + grid / 2) ** 2)))


def test_bets_on_moments_win_no_more_than_those_on_counts():
    random = np.random.default_rng(8)
    for _ in range(50):
        samples = [
            (random.multinomial(n, random.dirichlet(np.full(5, 0.3))), QUARTERS) for n in random.integers(1, 200, 3)
        ]
        pairs, sums, squares = np.array([[n.sum(), n @ x, n @ x**2] for n, x in samples], float).T
        known, least = BetsOnCounts.of(samples), BetsOnMoments(pairs, sums, squares)
        assert least.rate == pytest.approx(known.rate)
        for mean in random.random(5):
            assert least.log_capital(mean) <= known.log_capital(mean) + 1e-9
        (low, high), (lowest, highest) = known.interval(0.05), least.interval(0.05)
        assert lowest <= low + 1e-9
        assert low <= known.rate <= high
        assert high <= highest + 1e-9


@pytest.mark.parametrize(
    "sizes", [(1,), (3,), (40,), (600,), (150, 150), (50, 2000), (5, 200), (20, 50, 1000), (1,) * 12]
)
def test_exact_intervals_cover_the_mean_at_least_as_often_as_they_say(sizes):
    """Control: pairs that seldom differ, evenly and skewed, around scores in the middle and at the ends; matchups of
    any size.
    """
    random = np.random.default_rng(9)
    rare = [(0.5, 0, 0, 0, 0.5), (0, 0, 0, 0, 1), (0.05, 0.1, 0, 0.05, 0.8), (1, 0, 0, 0, 0)]
    for share in (0.002, 0.02):
        for shift in range(4):
            truths = [share * np.array(rare[(shift + i) % 4]) for i in range(len(sizes))]
            for i, truth in enumerate(truths):
                truth[(2, 4, 0)[(i + shift) % 3]] += 1 - truth.sum()
            mean, found = np.mean([truth @ QUARTERS for truth in truths]), {}
            covered = []
            for _ in range(300):
                samples = [random.multinomial(n, truth) for n, truth in zip(sizes, truths, strict=True)]
                key = tuple(map(tuple, samples))
                if key not in found:
                    estimate = Mean.of(samples, QUARTERS)
                    assert estimate.exact
                    low, high = estimate.interval()
                    found[key] = low <= mean <= high
                covered.append(found[key])
            assert np.mean(covered) >= 0.95


def test_an_exact_p_value_is_that_of_its_interval():
    random = np.random.default_rng(10)
    for _ in range(100):
        samples = [random.multinomial(n, random.dirichlet(np.full(5, 0.2))) for n in random.integers(1, 30, 2)]
        mean, value = Mean.of(samples, QUARTERS), float(random.random())
        assert mean.exact
        for level in (0.2, 0.05, 1e-3):
            low, high = mean.interval(level)
            assert (mean.p_value(value) <= level) == (not low < value < high)


def test_the_same_test_counts_once():
    assert holm_once([0.01, 0.04, 0.01, 0.03], ["a", "b", "a", "c"]) == pytest.approx([0.03, 0.06, 0.03, 0.06])
    assert holm_once([], []).size == 0


def test_fair_is_rarely_said_of_a_game_at_the_margin():
    random = np.random.default_rng(4)
    said = 0
    for counts in random.multinomial(20_000, (0.25, 0.23, 0.27, 0.25), size=2000):
        table = np.zeros((3, 3), np.int64)
        table[[0, 0, 2, 2], [0, 2, 0, 2]] = counts
        said += verdict(first_seat(table), 2.0) == "fair"
    assert 0 < said / 2000 < 0.035


def test_a_p_value_is_at_most_the_level_exactly_when_the_interval_of_that_level_decides():
    """Of random counts: few pairs and many, one matchup and several, intervals by Student's t and exact ones."""
    random = np.random.default_rng(5)
    words, exact = set(), set()
    for _ in range(300):
        sizes = random.integers(1, 60, random.integers(1, 4)) * random.choice([1, 1, 40])
        shares = random.dirichlet(np.full(9, random.choice([0.1, 0.5])))
        tables = [random.multinomial(n, shares).reshape(3, 3) for n in sizes]
        margin = float(random.choice([0.5, 2, 10, 45]))
        p = p_value(tables, margin)
        assert 0 <= p <= 1
        for level in (LEVEL, 0.3, 1e-4):
            estimate = pooled(tables, confidence=1 - level)
            word = verdict(estimate, margin)
            assert (p <= level) == (word != "not decided"), (tables, margin, level)
            words.add(word)
            exact.add((estimate.exact, word != "not decided"))
    assert words == {"fair", "favours first", "favours second", "not decided"}
    assert len(exact) == 4


@pytest.mark.parametrize(
    "table",
    [
        scores(n22=300, n20=200, n02=100, n11=100, n00=50),
        scores(n22=250, n00=250, n20=7, n02=2),
        scores(n22=300, n00=300, n20=9, n12=1),
    ],
)
def test_the_interval_at_the_p_value_reaches_the_margin(table):
    p = p_value([table], 2)
    assert 0 < p < 1
    estimate = first_seat(table, confidence=1 - p)
    assert min(abs(end - edge) for end in (estimate.low, estimate.high) for edge in (0.48, 0.52)) < 1e-9


def test_a_p_value_is_one_where_nothing_decides_and_small_where_all_does():
    assert p_value([scores(n20=1)], 2) == 1
    assert p_value([scores(n20=60, n02=40)], 1) == pytest.approx(
        2 * stats.t.sf(0.09 / np.sqrt(0.24 / 99), 99)
    )  # 60 %, above 51 %
    assert p_value([scores(n20=60, n02=40)], 12) == pytest.approx(
        2 * stats.t.sf(0.02 / np.sqrt(0.24 / 99), 99)
    )  # below 62 %
    assert p_value([scores(n22=500_000, n00=500_000)], 2) < 1e-14


def test_holm_by_hand():
    # sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1 is 0.02, 0.03, 0.06, 0.04; none is below the one before it
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.4, 0.9]) == pytest.approx([0.8, 0.9])
    assert holm([0.03]) == pytest.approx([0.03])


def test_student_and_normal_are_those_of_scipy_to_the_last_digit():
    random = np.random.default_rng(5)
    for x, degrees in zip(random.normal(0, 4, 200), random.uniform(1, 1e5, 200), strict=True):
        assert t_sf(x, degrees) == stats.t.sf(x, degrees)
        assert normal_cdf(x) == stats.norm.cdf(x)
    for p, degrees in zip(random.random(200) ** 4, random.uniform(1, 1e5, 200), strict=True):
        assert t_isf(p, degrees) == stats.t.isf(p, degrees)
        assert normal_ppf(p) == stats.norm.ppf(p)


def test_wilson_is_that_of_statsmodels():
    games = np.array([1, 2, 3, 40, 40, 10**6])
    wins = np.array([0.0, 2.0, 1.5, 0.5, 40.0, 499_999.5])
    low, high = wilson(wins, games)
    expected = proportion_confint(wins, games, method="wilson")
    assert low == pytest.approx(np.maximum(expected[0], 0), abs=1e-15)
    assert high == pytest.approx(np.minimum(expected[1], 1), abs=1e-15)


@pytest.mark.parametrize("values", [STRENGTH, FIRST_SEAT])
def test_means_of_each_matchup_are_those_of_one_alone(values):
    random = np.random.default_rng(6)
    matchups = [random.multinomial(n, np.full(9, 1 / 9)).reshape(3, 3) for n in (1, 2, 20, 60, 500)]
    for scores, mean, found in zip(
        matchups, Mean.of_each(matchups, values), estimate_each(Mean.of_each(matchups, values)), strict=True
    ):
        assert found == pooled([scores], values) or math.isnan(found.variance_ratio)
        assert mean.interval() == Mean.of([scores], values).interval()
        assert mean.p_value(0.4) == Mean.of([scores], values).p_value(0.4)
    assert Mean.of_each([], values) == []


def test_holm_is_that_of_statsmodels():
    random = np.random.default_rng(7)
    for n in (1, 2, 21, 100):
        values = random.random(n).round(2) ** 4  # some of them equal
        assert holm(values.tolist()) == pytest.approx(multipletests(values, method="holm")[1])


@pytest.mark.parametrize(("truth", "margin"), [(0.5, 1e-6), (0.52, 2.0)])
def test_a_family_says_anything_wrong_in_at_most_five_per_cent_of_studies(truth, margin):
    """Control: 500 studies of eight matchups at the edge of the margin, each wrong if called unfair, and two plainly
    unfair ones.
    """
    random = np.random.default_rng(6)
    together = alone = 0
    for _ in range(500):
        p, unfair = [], []
        for mean in (*[truth] * 8, 0.7, 0.7):
            table = np.zeros((3, 3), np.int64)
            table[[0, 0, 2, 2], [0, 2, 0, 2]] = random.multinomial(1000, (0.25, 0.75 - mean, mean - 0.25, 0.25))
            p.append(p_value([table], margin))
            unfair.append(abs((table * FIRST_SEAT).sum() / 1000 - 0.5) > margin / 100)
        together += any(called and q <= LEVEL for q, called in zip(holm(p)[:8], unfair[:8], strict=True))
        alone += any(called and q <= LEVEL for q, called in zip(p[:8], unfair[:8], strict=True))
    assert 0 < together / 500 < 0.07
    assert alone / 500 > 0.12
