"""Subsampling: how often a test would reject with fewer users."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.base.decisions import decisions, parameter
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.significance.correction import Correction, Family, adjust_families
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.power import refuse_no_share
from cranfield.significance.samples import Samples, refuse_few


@decisions("subsets")
@dataclass(frozen=True, kw_only=True)
class Subsets:
    """Which random subsets of users a test is repeated on: how many, and how large."""

    count: int = parameter(100, "How many subsets.", at_least=1, at_most=1_000_000, code="D")
    share: float = parameter(0.5, "The share of users in each subset.", above=0, below=1, code="D")


def rejection_shares(
    samples: Samples,
    test: PairedTest,
    correction: Correction,
    subsets: Subsets,
    *,
    alpha: float = 0.05,
    seeds: Seeds | None = None,
    family: Family = "metric",
) -> Floats:
    """The share of random user subsets in which the test rejects (metrics × pairs).

    Subsets are drawn without replacement from all users; their p-values are corrected by
    the same family as those of all users. Near 1, fewer users would have told the same;
    canamares2020 D.
    """
    refuse_no_share("subsampling", "alpha", alpha)
    root = seeds or Seeds()
    users = samples.enters.shape[1]
    size = round(subsets.share * users)
    rejected = np.zeros((len(samples.metrics), len(samples.pairs)))
    for number in range(subsets.count):
        order = np.argsort(root.words("subsampling", size=users, subset=number), kind="stable")
        part = samples.take(np.sort(order[:size]))
        refuse_few(part)
        p_values = test.compare(part, root.child("subsampling", subset=number)).p_values
        rejected += adjust_families(correction, p_values, family) < alpha
    return rejected / subsets.count
