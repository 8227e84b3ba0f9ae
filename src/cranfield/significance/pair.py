"""Pair: all that is known of the difference of two systems by one metric."""

from __future__ import annotations

from dataclasses import replace
from math import isnan, nan
from typing import Any, Protocol

from cranfield.base.dataclass import dataclass
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.significance.effect_size import (
    UNKNOWN,
    Interval,
    Outcomes,
    interval_of,
    outcomes,
    smallest_detectable,
    standardised,
    users_needed,
)
from cranfield.significance.equivalence import Rope, equivalence, equivalence_p
from cranfield.significance.intervals import bootstrap_interval
from cranfield.significance.samples.samples import Samples


class PairChoice(Protocol):
    """What of the decisions on a comparison a pair depends on."""

    @property
    def alpha(self) -> float:
        """The level of significance."""

    @property
    def power(self) -> float:
        """The power for differences that could be detected."""

    @property
    def rope(self) -> Rope:
        """The region of practical equivalence."""


@storable
@dataclass(frozen=True, kw_only=True)
class Pair:
    """What is known of the difference of two systems by one metric; first minus second.

    ``first_value`` and ``second_value`` are the values of the table, ``difference`` is
    exactly theirs, from ``low`` to ``high`` with 95 % confidence: Student's t over users for
    means, else the bias-corrected bootstrap of users. ``p_value`` is two-sided, ``p_error``
    its Monte-Carlo standard error, ``adjusted`` allows for all pairs of the family;
    ``significant`` is adjusted < α, and ``better`` the system that scores more, as the
    test sees it (for more users, by the sign test).
    ``effect`` is t/√U, ``better_share`` the share of users for whom the first is better;
    there are wins, ties and losses where a user's scores add to the value.
    ``believed_first``, ``believed_equivalent`` and ``believed_second`` are the posterior
    probabilities that the first is better by more than the region of practical
    equivalence, that neither is, and that the second is; ``equivalence_p`` is the p-value
    of the claim that neither is. ``detectable`` is the smallest difference that the users
    would show with the chosen power, ``users_needed`` how many would show the one observed;
    ``rejecting_subsets`` the share of user subsets in which the test rejects. What there is
    for means alone is NaN for other values.
    """

    metric: str
    first: str
    second: str
    first_value: float
    second_value: float
    difference: float
    low: float
    high: float
    statistic: float
    p_value: float
    p_error: float
    adjusted: float
    significant: bool
    better: str | None
    effect: float
    effect_low: float
    effect_high: float
    wins: int | None
    ties: int | None
    losses: int | None
    better_share: float
    better_low: float
    better_high: float
    believed_first: float
    believed_equivalent: float
    believed_second: float
    equivalence_p: float
    detectable: float
    users_needed: float
    users: int
    left_out: int
    rejecting_subsets: float = nan

    def turned(self) -> Pair:
        """The same pair, second minus first."""
        return replace(
            self, first=self.second, second=self.first, first_value=self.second_value,
            second_value=self.first_value, difference=-self.difference, low=-self.high,
            high=-self.low, statistic=-self.statistic, effect=-self.effect,
            effect_low=-self.effect_high, effect_high=-self.effect_low,
            believed_first=self.believed_second, believed_second=self.believed_first,
            **_shares(self.losses, self.ties, self.wins),
        )  # fmt: skip


def pair_of(
    samples: Samples,
    place: tuple[int, tuple[int, int]],
    choice: PairChoice,
    seeds: Seeds,
    **tested: Any,
) -> Pair:
    """All about one pair: what the test found, and how large the difference is."""
    metric, pair = place
    names = tuple(samples.systems[system] for system in pair)
    ahead = tested["statistic"]
    values = samples.shown(metric)[list(pair)].tolist()
    size = (
        _size_of_mean(samples, place, choice)
        if samples.linear
        else _size_of_value(samples, place, seeds)
    )
    users = samples.compared(metric)
    return Pair(
        metric=samples.metrics[metric],
        first=names[0],
        second=names[1],
        first_value=values[0],
        second_value=values[1],
        difference=samples.tabled(metric, pair),
        better=None if ahead == 0 or isnan(ahead) else names[0] if ahead > 0 else names[1],
        users=users,
        left_out=samples.enters.shape[1] - users,
        **_counted(samples, place),
        **size,
        **tested,
    )


def _size_of_mean(
    samples: Samples, place: tuple[int, tuple[int, int]], choice: PairChoice
) -> dict[str, Any]:
    """How large a difference of means is, by what users add to it."""
    metric, pair = place
    found = samples.difference(*place)
    interval = interval_of(replace(found, mean=samples.tabled(*place)))
    linear = samples.linearised(metric)
    first, second = linear[pair[0]], linear[pair[1]]
    alone = samples.given is None  # whether users are all that is random
    probability = equivalence(first, second, choice.rope) if alone else UNKNOWN
    effect = standardised(found if alone else samples.over_users(*place))
    return {
        "low": interval.low,
        "high": interval.high,
        "effect": effect.estimate,
        "effect_low": effect.low,
        "effect_high": effect.high,
        "believed_first": probability.first,
        "believed_equivalent": probability.equivalent,
        "believed_second": probability.second,
        "equivalence_p": equivalence_p(probability),
        "detectable": smallest_detectable(found, choice.alpha, choice.power),
        "users_needed": users_needed(found, choice.alpha, choice.power) if alone else nan,
    }


def _size_of_value(
    samples: Samples, place: tuple[int, tuple[int, int]], seeds: Seeds
) -> dict[str, Any]:
    """The interval of a difference of values that are not means, by drawing users again."""
    found = bootstrap_interval(samples, place, seeds)
    unknown = (
        "effect", "effect_low", "effect_high", "believed_first", "believed_equivalent",
        "believed_second", "equivalence_p", "detectable", "users_needed",
    )  # fmt: skip
    return {"low": found.low, "high": found.high, **dict.fromkeys(unknown, nan)}


def _counted(samples: Samples, place: tuple[int, tuple[int, int]]) -> dict[str, Any]:
    """For how many users each system is better, where users' scores add to the value."""
    metric, pair = place
    if not samples.additive:
        return _shares(None, None, None)
    seen = outcomes(samples.differences(metric, pair))
    return _shares(seen.wins, seen.ties, seen.losses)


def _shares(wins: int | None, ties: int | None, losses: int | None) -> dict[str, Any]:
    """These counts, and the share of users for whom the first is better."""
    better = Interval(nan, nan, nan)
    if wins is not None and ties is not None and losses is not None:
        better = Outcomes(wins, ties, losses).better()
    return {
        "wins": wins,
        "ties": ties,
        "losses": losses,
        "better_share": better.estimate,
        "better_low": better.low,
        "better_high": better.high,
    }
