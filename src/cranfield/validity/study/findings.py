"""StudyFindings: how far the conclusion of a study holds, ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.serialisation.plain import plain
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.evidence import PairChoice, StudyFacts, study_verdict
from cranfield.validity.study.flips import Flip, flips
from cranfield.validity.study.importance import Importance, importance_of_effect
from cranfield.validity.study.joint_test import JointTest
from cranfield.validity.study.pair_outcomes import (
    PairCounts,
    count,
    count_pairs,
    pair_of_interest,
    pair_outcomes,
    refuse_one_system,
    specification_curve,
)
from cranfield.validity.study.rank_movement import RankMovement, rank_movement
from cranfield.validity.study.uncertainty import ResampledDesigns, Uncertainty, uncertainty_of
from cranfield.validity.study.verdict import Verdict, leader_of


@dataclass(frozen=True, eq=False, kw_only=True)
class StudyFindings:
    """How far the conclusion of a study holds; each design counts once.

    ``pair`` are the counts of the pair of interest: in how many designs its first system
    wins. ``curve``, ``importance``, ``flips``, ``joint`` and ``uncertainty`` are about this
    pair, ``pairs`` about all of them, ``movement`` about the order of all systems.
    ``designs`` of the ``tried`` ones are distinct; the decisions ``without_effect`` are not
    what makes them so.
    """

    systems: tuple[str, ...]
    designs: int
    tried: int
    without_effect: tuple[str, ...]
    alpha: float
    verdict: Verdict
    pair: PairCounts
    pairs: tuple[PairCounts, ...]
    curve: pl.DataFrame
    importance: Importance
    flips: tuple[Flip, ...]
    movement: RankMovement
    joint: JointTest | None = None
    uncertainty: Uncertainty | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; undefined and infinite numbers are None."""
        made: dict[str, Any] = plain(self)
        return made


def conclude(
    designs: Designs,
    pair: Sequence[str] | None = None,
    joint: JointTest | None = None,
    *,
    of_base: bool = False,
    resampled: ResampledDesigns | None = None,
) -> StudyFindings:
    """What all designs say about a pair of systems, and about the order of all of them.

    The pair is named by its systems, the first as given; without one, it is that of the
    base's two best systems. ``joint`` is the joint test of this pair, where there was one,
    and ``resampled`` its distinct designs with other users. ``of_base`` means that the pair
    was not asked for: it is the two best of a base that is not among the designs.
    """
    refuse_one_system(designs)
    distinct = designs.distinct()
    named = pair or pair_of_interest(distinct)
    outcomes = pair_outcomes(distinct, named)
    chosen: PairChoice = "base" if of_base or designs.base is not None else "mean rank"
    found = StudyFacts(
        tried=designs,
        pair=outcomes,
        choice=chosen if pair is None or of_base else "asked for",
        importance=importance_of_effect(outcomes),
        flips=flips(pair_outcomes(designs, named), leader_of(outcomes), resampled),
        movement=rank_movement(distinct),
        pairs=count_pairs(distinct),
        joint=joint,
        uncertainty=None if resampled is None else uncertainty_of(distinct, resampled),
    )
    return StudyFindings(
        systems=designs.systems,
        designs=len(distinct),
        tried=len(designs),
        without_effect=designs.without_effect,
        alpha=designs.alpha,
        verdict=study_verdict(found),
        pair=count(outcomes),
        pairs=found.pairs,
        curve=specification_curve(outcomes),
        importance=found.importance,
        flips=found.flips,
        movement=found.movement,
        joint=joint,
        uncertainty=found.uncertainty,
    )
