"""The pigeonhole bootstrap: users and items drawn again, both at once."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.seeds import Seeds
from cranfield.scoring.coverage import Undefined
from cranfield.scoring.measurement.item_terms import ItemTerms
from cranfield.scoring.scores import Floats
from cranfield.significance.effect_size import MeanDifference
from cranfield.significance.resampling import rows_of_blocks

DRAWS = 2000
"""Draws of users and items; the Monte-Carlo error of a standard error is 1.6 % of it."""

RandomUnits = Literal["users", "users-and-items"]
"""What a test takes as a random sample."""

TAKEN_AS_RANDOM: dict[RandomUnits, str] = {
    "users": "Users are taken as a random sample; fitted models and items are taken as fixed.",
    "users-and-items": "Users and items are taken as random samples; fitted models and the ranks "
    "of items are taken as fixed.",
}
"""What a report says about chance."""


@dataclass(frozen=True, eq=False)
class WeightedTerms:
    """The terms of one system by one metric, and how topics make up its value.

    ``users`` is the user of each topic, ``shares`` how much the topic counts in the value, 0
    for one that does not enter. A topic that is ``undefined`` once items are drawn again is
    left out of the mean, or scores 0.
    """

    terms: ItemTerms
    users: Codes
    shares: Floats
    undefined: Undefined = "left-out"


@dataclass(frozen=True, eq=False)
class DrawnValues:
    """The value of one system in each draw, and the numbers of users and items drawn from."""

    values: Floats
    users: int
    items: int


def drawn_values(
    system: WeightedTerms, draws: int = DRAWS, seeds: Seeds | None = None
) -> DrawnValues:
    r"""The value of a system when users and items are drawn again with replacement.

        value = Σ_t w_u(t)·s_t·score_t(v) ÷ Σ_t w_u(t)·s_t

    s_t is the share of topic t; w and v say how often each user and each item is drawn;
    score_t(v) is that of `ItemTerms`. So the term of item i of user u counts w_u·v_i times
    (Owen 2007; Owen & Eckles 2012). Ranks stay as they are. Systems that share topics and
    seeds share draws.
    """
    from cranfield.significance.kernels.drawing import fill_counts
    from cranfield.significance.kernels.pigeonhole import fill_means

    terms = system.terms
    owners, users = np.unique(system.users, return_inverse=True)
    codes, items = np.unique(terms.items, return_inverse=True)
    keys = [np.uint64((seeds or Seeds()).key("pigeonhole", kind)) for kind in ("users", "items")]
    zero = system.undefined == "zero"

    def work(block: range) -> Floats:
        counts = [np.empty((len(block), len(each))) for each in (owners, codes)]
        for key, drawn in zip(keys, counts, strict=True):
            fill_counts(key, block.start, drawn)
        found = np.empty(len(block))
        rows = items, terms.gained, terms.normal
        fill_means(
            terms.offsets,
            rows,
            terms.ratio,
            users,
            system.shares,
            zero,
            counts[0],
            counts[1],
            found,
        )
        return found

    return DrawnValues(
        rows_of_blocks(work, draws, len(owners) + len(codes)), len(owners), len(codes)
    )


def pigeonhole_difference(
    difference: float, first: DrawnValues, second: DrawnValues
) -> MeanDifference:
    r"""A difference of two systems and its standard error with users and items at random.

        SE² = variance over draws of value_A − value_B

    With min(users, items) − 1 degrees of freedom, by way of ``users`` of what is returned.
    Draws in which a value is undefined are left out. The bootstrap counts the variance of
    single pairs of user and item three times: SE is never too small, and up to √3 times too
    large where neither users nor items vary beyond that (Owen 2007).
    """
    drawn = first.values - second.values
    known = drawn[~np.isnan(drawn)]
    error = float(known.std(ddof=1)) if len(known) > 1 else float("nan")
    return MeanDifference(difference, error, min(first.users, first.items))
