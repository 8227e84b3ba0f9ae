"""Contributions: what each user adds to a difference, design by design, for a joint test."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.ids import Codes, Ids
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Floats
from cranfield.validity.study.joint_test import JointTest, joint_test
from cranfield.workbench.definition.study import Study

MOST = 400_000_000
"""Users × designs up to which the joint test is made: 3 GiB."""


class Contribution(NamedTuple):
    """What each user adds to the difference of the pair of interest in one design."""

    design: int
    user_ids: Ids
    users: Codes
    shares: Floats


def joint_test_of(
    study: Study, found: Sequence[Contribution], compared: npt.NDArray[np.int64]
) -> JointTest | None:
    """The test of no difference in any design; none if it would not fit in memory.

    ``compared`` are the users of each design. Designs without a contribution are left out.
    """
    if not found:
        return None
    everyone = reduce(_union, (each.user_ids for each in found))
    if len(everyone) * len(compared) > MOST:
        return None
    matrix = np.full((len(everyone), len(compared)), np.nan)
    for design, ids, users, added in found:
        matrix[:, design] = 0.0
        matrix[everyone.encode(ids.take(users)), design] = added
    return joint_test(
        matrix,
        compared,
        draws=study.draws,
        alpha=study.base.comparison.alpha,
        seeds=Seeds(study.base.seed).child("study"),
    )


def _union(one: Ids, other: Ids) -> Ids:
    return one if other is one or other == one else one.union(other)
