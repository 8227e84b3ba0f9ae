"""PairOutcomes: which of two systems wins under which designs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, TooFew
from cranfield.base.ragged import frozen
from cranfield.scoring.scores import Flags, Floats
from cranfield.validity.study.designs import Designs

Winners = npt.NDArray[np.int64]
"""Who wins each design: 1 the first system, −1 the second, 0 neither."""


@dataclass(frozen=True, eq=False)
class PairOutcomes:
    """Two systems under all designs; differences and effects are first minus second.

    The winner of a design has the higher aggregated value. It wins significantly if p is
    below the level in this design by itself, and the win is established if the p-value
    that allows for all designs, ``adjusted``, is at most the level. NaN = undefined or not
    tested; ``joint`` is the p-value of "no difference in any design", None if not tested.
    """

    first: str
    second: str
    designs: Designs
    differences: Floats
    effects: Floats
    p_values: Floats
    adjusted: Floats
    joint: float | None = None

    @cached_property
    def defined(self) -> Flags:
        """The designs in which both systems have a value."""
        return frozen(~np.isnan(self.differences))

    @cached_property
    def winners(self) -> Winners:
        """Who scores more in each design: 1 the first, −1 the second, 0 neither."""
        return frozen(np.sign(np.nan_to_num(self.differences)).astype(np.int64))

    @cached_property
    def significant(self) -> Winners:
        """Who wins significantly in each design by itself; 0 = neither."""
        return self._winners(self.p_values < self.designs.alpha)

    @cached_property
    def established(self) -> Winners:
        """Who wins where the test allows for all designs; 0 = neither, or not tested."""
        return self._winners(self.adjusted <= self.designs.alpha)

    def _winners(self, sure: Flags) -> Winners:
        return frozen(np.where(sure, self.winners, 0))

    def turned(self) -> PairOutcomes:
        """The same outcomes with the second system first."""
        return PairOutcomes(
            self.second, self.first, self.designs, -self.differences, -self.effects,
            self.p_values, self.adjusted, self.joint,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PairCounts:
    """In how many designs the first of two systems wins, loses and ties.

    Wins, losses, ties and undefined ones add up to ``designs``. Wins are significant by
    the test of each design by itself, ``established`` by the one that allows for all.
    ``untested`` are the designs whose difference is defined and was not tested jointly.
    Shares of designs are by the weights of their answers.
    """

    first: str
    second: str
    designs: int
    wins: int
    losses: int
    ties: int
    undefined: int
    significant_wins: int
    significant_losses: int
    established_wins: int
    established_losses: int
    untested: int
    median_effect: float | None
    joint_p: float | None
    win_share: float
    loss_share: float
    established_win_share: float
    established_loss_share: float

    @property
    def defined(self) -> int:
        """The designs in which both systems have a value."""
        return self.designs - self.undefined

    @property
    def tested(self) -> int:
        """The designs of which the joint test knows."""
        return self.defined - self.untested

    @property
    def flips_sign(self) -> bool:
        """Whether each of the two scores more in some design."""
        return self.wins > 0 and self.losses > 0

    @property
    def reversed_significantly(self) -> bool:
        """Whether each of the two wins significantly in some design by itself."""
        return self.significant_wins > 0 and self.significant_losses > 0


def pair_of_interest(designs: Designs) -> tuple[str, str]:
    """The base's best two systems, the better first; without a base, the best by mean rank.

    Systems whose value is undefined come last, equally good ones in the order given.
    """
    refuse_one_system(designs)
    ranks = designs.ranks.mean(axis=0) if designs.base is None else designs.ranks[designs.base]
    first, second = np.argsort(ranks, kind="stable")[:2].tolist()
    return designs.systems[first], designs.systems[second]


def refuse_one_system(designs: Designs) -> None:
    """Refuse designs of fewer than two systems."""
    if len(designs.systems) < 2:
        raise TooFew("a study", "systems", 2, len(designs.systems))


def pair_outcomes(designs: Designs, pair: Sequence[str]) -> PairOutcomes:
    """Two systems of a study by name, the first as given."""
    known = ", ".join(designs.systems)
    if len(pair) != 2 or pair[0] == pair[1] or not set(pair) <= set(designs.systems):
        shown = " and ".join(map(str, pair))
        raise BadParameter("study", "pair", shown, f"a pair of two systems of: {known}")
    first, second = (designs.systems.index(name) for name in pair)
    return _outcomes_at(
        designs, designs.pairs.index((min(first, second), max(first, second))), first
    )


def _outcomes_at(designs: Designs, place: int, first: int | None = None) -> PairOutcomes:
    """One pair by its place; turned if its second system is to be the first."""
    one, two = designs.pairs[place]
    made = PairOutcomes(
        designs.systems[one],
        designs.systems[two],
        designs,
        designs.differences[:, place],
        designs.effects[:, place],
        designs.p_values[:, place],
        np.full(len(designs), np.nan) if designs.adjusted is None else designs.adjusted[:, place],
        _known(None if designs.joint is None else designs.joint[place]),
    )
    return made.turned() if first == two else made


def count(pair: PairOutcomes) -> PairCounts:
    """The wins, losses and ties of a pair over all designs."""
    known = pair.effects[~np.isnan(pair.effects)]
    share = pair.designs.share_of
    return PairCounts(
        first=pair.first,
        second=pair.second,
        designs=len(pair.winners),
        wins=_how_many(pair.winners == 1),
        losses=_how_many(pair.winners == -1),
        ties=_how_many((pair.winners == 0) & pair.defined),
        undefined=_how_many(~pair.defined),
        significant_wins=_how_many(pair.significant == 1),
        significant_losses=_how_many(pair.significant == -1),
        established_wins=_how_many(pair.established == 1),
        established_losses=_how_many(pair.established == -1),
        untested=_how_many(pair.defined & np.isnan(pair.adjusted)),
        median_effect=_known(_median(known) if len(known) else None),
        joint_p=pair.joint,
        win_share=share(pair.winners == 1),
        loss_share=share(pair.winners == -1),
        established_win_share=share(pair.established == 1),
        established_loss_share=share(pair.established == -1),
    )


def count_pairs(designs: Designs) -> tuple[PairCounts, ...]:
    """The counts of all pairs of systems, in their order."""
    return tuple(count(_outcomes_at(designs, place)) for place in range(len(designs.pairs)))


def specification_curve(pair: PairOutcomes) -> pl.DataFrame:
    """All designs from the lowest standardised effect to the highest, undefined ones last.

    ``place`` counts from 1 and ``design`` is the row in `Designs`; then come the effect,
    the difference of values, p, who wins ("first", "second" or null), whether it is
    significant by itself, whether it is established (null if not tested), whether it is
    the base, and the answers of each decision. Undefined numbers are null.
    Simonsohn, Simmons & Nelson 2020.
    """
    numbers = len(pair.winners)
    table = pl.DataFrame(
        {
            "design": np.arange(numbers),
            "effect": pair.effects,
            "difference": pair.differences,
            "p_value": pair.p_values,
            "winner": [{1: "first", -1: "second"}.get(who) for who in pair.winners.tolist()],
            "significant": pair.significant != 0,
            "established": [
                None if np.isnan(p) else bool(who)
                for who, p in zip(pair.established, pair.adjusted, strict=True)
            ],
            "base": np.arange(numbers) == (-1 if pair.designs.base is None else pair.designs.base),
        },
        schema_overrides={"winner": pl.String, "established": pl.Boolean},
    )
    decisions = pair.designs.decisions
    names = {name: f"decision {name}" for name in decisions.columns if name in table.columns}
    return (
        table.with_columns(pl.col("effect", "difference", "p_value").fill_nan(None))
        .hstack(decisions.rename(names))
        .sort("effect", "design", nulls_last=True)
        .with_row_index("place", offset=1)
    )


def _median(effects: Floats) -> float:
    """The median; undefined where it lies between infinite effects of either sign."""
    with np.errstate(invalid="ignore"):
        return float(np.median(effects))


def _how_many(flags: npt.NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(flags))


def _known(value: float | np.floating | None) -> float | None:
    return None if value is None or np.isnan(value) else float(value)
