"""The bounds of 1R precision that follow from the collection, before any ranking is made."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import numpy as np

from cranfield.scoring.scores import Counts
from cranfield.validity.bias.expected_precision import CollectionExpectation, mean_size

Bounds = tuple[float, float]
"""A lower and an upper bound."""


def expected_bounds(outlook: CollectionExpectation, cutoff: int, relevant: Counts) -> Bounds:
    r"""What bounds to expect of 1RP@n, for a ranking that is the same for all users.

        Σ_u w_u Σ_j π_j · P(H_j + B_uj < n)/n ≤ E[1RP@n] ≤ Σ_u w_u Σ_j π_j · P(H_j + B_uj < m_u)/n

    They are those of the lemma (bellogin2017 eq. 2) in expectation. π_j is the share of the
    relevant test ratings that the item at place j has, w_u that of the user u, and
    m_u = n + |PR_test(u)| − 1. H_j counts the items of N_u above place j, as
    `CollectionExpectation.ranked_one_relevant` has it, B_uj the user's other
    |PR_test(u)| − 1 relevant items there, each by its chance Σ_{l<j} π_l/(1 − π_j).
    ``outlook`` is that of 1R, ``relevant`` has |PR_test(u)| of each user, all at least 1.
    Undefined without a relevant rating.
    """
    total, most = float(outlook.positives.sum()), int(relevant.max(initial=0))
    if not total or not most:
        return nan, nan
    shares = outlook.positives / total
    before = np.cumsum(shares) - shares
    chance = np.divide(before, 1 - shares, out=np.zeros_like(before), where=shares < 1)[:, None]
    chance = chance.clip(0, 1)
    weights = np.bincount(relevant, relevant) / relevant.sum()
    cumulated = outlook.fewer_above(cutoff + most - 1)
    low, high = cumulated[:, : cutoff + 1].copy(), cumulated[:, cutoff:].copy()
    lower = upper = 0.0
    for users in weights[1:]:  # those with 1, 2, … relevant items
        lower += users * float(shares @ low[:, -1])
        upper += users * float(shares @ high[:, 0])
        low[:, 1:] = (1 - chance) * low[:, 1:] + chance * low[:, :-1]
        high = chance * high[:, :-1] + (1 - chance) * high[:, 1:]
    return lower / cutoff, upper / cutoff


def printed_bounds(
    outlook: CollectionExpectation, cutoff: int, relevant: Counts, others: Counts
) -> Bounds:
    r"""The same bounds as bellogin2017 prints them.

        |C|/(n·t·|PR|) · avg_u Σ_{k≤n} |PR(i_k^u)| ≤ E[1RP@n]
            ≤ |C|/(n·t·|PR|) · avg_u Σ_{k≤m_u} |PR(i_k^u)|

    With a uniform split |PR(i)|/|R(i)| takes the place of |PR(i)|, and |R| that of |C|.
    i_k^u is at place k of T_u, which is taken for |T_u| of C at random, and t is the mean
    size of T_u = N_u ∪ PR_test(u), |N_u| being in ``others``. All users count alike, though
    those with many relevant items have most of the hits: in dense data the upper bound is
    too low. §5.1, where the lower bound has |I| for |C|, and §6.2; bellogin2012 §4.5.1, §4.6.2.
    """
    together = replace(outlook, size=mean_size(others + relevant))
    sizes, users = np.unique(relevant, return_counts=True)
    seen = [
        together.ranked_one_relevant(cutoff + int(size) - 1, of_paper=True) * (cutoff + size - 1)
        for size in sizes
    ]
    if not len(sizes):
        return nan, nan
    lower = together.ranked_one_relevant(cutoff, of_paper=True)
    return lower, float(np.average(seen, weights=users)) / cutoff


def of_chance(outlook: CollectionExpectation) -> CollectionExpectation:
    """The outlook of a random order: at every place, the mean of all candidates."""
    return replace(
        outlook,
        positives=np.full(len(outlook.positives), outlook.positives.mean()),
        trained=np.full(len(outlook.trained), outlook.trained.mean()),
    )
