"""When a matchup has been played enough: the rule of a study, the looks, and what a look decides
(`reports.stats.sequential`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from sim.files.toml import FileModel

FIRST_LOOK = 500

_RULES = ("half_width", "sprt", "elo")
_Level = Annotated[float, Field(gt=0, lt=0.5)]


class Until(FileModel):
    """When a matchup has been played enough: exactly one of ``half_width``, ``sprt`` and ``elo``, or ``max_pairs`` at
    the latest.

    Attributes
    ----------
    half_width : float, optional
        Points: stop when no end of the 95 % interval of the first seat's win rate is farther from it than this.
    sprt : list of two floats, optional
        Two hypotheses about a win rate, in per cent: stop when one is accepted.
    elo : list of two floats, optional
        Two hypotheses about side A's strength, in points of normalized Elo: stop when one is accepted.
    max_pairs : int
        The most pairs of a matchup.
    alpha, beta : float
        How often the second hypothesis may be accepted where the first is true, and the first where the second is.
    of : str
        Whose win rate ``sprt`` is about: the first seat's, or side A's over both seats (``strength``).
    """

    half_width: Annotated[float, Field(gt=0, lt=50)] | None = None
    sprt: list[float] | None = None
    elo: list[float] | None = None
    max_pairs: Annotated[int, Field(ge=1, le=10**12)] = 1_000_000
    alpha: _Level = 0.05
    beta: _Level = 0.05
    of: Literal["first seat", "strength"] = "first seat"

    @field_validator("sprt")
    @classmethod
    def _two_rates(cls, found: list[float] | None) -> list[float] | None:
        return _two_between(found, 0, 100)

    @field_validator("elo")
    @classmethod
    def _two_ratings(cls, found: list[float] | None) -> list[float] | None:
        return _two_between(found, -1000, 1000)

    @model_validator(mode="after")
    def _one_rule(self) -> Until:
        given = [key for key in _RULES if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError(
                f"found {' and '.join(given) or 'none of them'}, expected exactly one of half_width, sprt and elo"
            )
        belong = {"half_width": (), "sprt": ("alpha", "beta", "of"), "elo": ("alpha", "beta")}[given[0]]
        strange = [key for key in ("alpha", "beta", "of") if key in self.model_fields_set and key not in belong]
        if strange:
            raise ValueError(
                f"found {strange[0]} with {given[0]}, expected it with "
                f"{'sprt' if strange[0] == 'of' else 'sprt or elo'} alone"
            )
        return self


def _two_between(found: list[float] | None, low: float, high: float) -> list[float] | None:
    if found is not None and not (
        len(found) == 2 and found[0] != found[1] and all(low < value < high for value in found)
    ):
        raise ValueError(
            f"found [{', '.join(f'{value:g}' for value in found)}], expected two different numbers between {low} and "
            f"{high}"
        )
    return found


@dataclass(frozen=True)
class Decision:
    """Why a matchup has been played enough.

    Attributes
    ----------
    reached : str
        In words: ``half-width``, or the hypothesis that was accepted, as ``52 %`` or ``2 nElo``.
    hypothesis : int or None
        Its place, 0 or 1, among the two.
    value : float
        The half-width in points, or the log-likelihood ratio of the second hypothesis to the first; of an exact test,
        the logarithm of what bets have won against the first, or less that against the second.
    """

    reached: str
    hypothesis: int | None
    value: float


def looks(max_pairs: int) -> Iterator[int]:
    """Give the numbers of pairs at which to look: 500 apart, later a tenth more each time; the last is ``max_pairs``.

    Parameters
    ----------
    max_pairs : int
        The most pairs, at least 1.
    """
    pairs = FIRST_LOOK
    while pairs < max_pairs:
        yield pairs
        pairs = max(pairs + FIRST_LOOK, -(-11 * pairs // 10))
    yield max_pairs
