"""Contributions: how users move each distinct design of a study, to test and resample all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.files import fingerprint
from cranfield.base.ids import Codes, Ids
from cranfield.base.seeds import Seeds
from cranfield.scoring.scores import Counts, Floats, Scores
from cranfield.significance.samples.contrast import Contrast, contrast_of
from cranfield.significance.samples.samples import Samples
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.joint_test import Hypothesis, JointTest, joint_test
from cranfield.validity.study.uncertainty import DesignSample, Lead, ResampledDesigns, resample
from cranfield.workbench.definition.study.study import JointFamily, Study

SystemPair = tuple[int, int]

_PROBES = 8
"""Draws by which differences that are no sums over users are told apart."""


@dataclass(frozen=True, eq=False)
class Examined:
    """Every design of a study, the joint test of the pair of interest, and other users."""

    designs: Designs
    joint: JointTest | None = None
    resampled: ResampledDesigns | None = None


class DesignContrasts(NamedTuple):
    """The differences of pairs of systems in one design, by the places of the two."""

    user_ids: Ids
    users: int
    pairs: Mapping[SystemPair, Contrast]

    def of(self, pair: SystemPair) -> tuple[Contrast, int]:
        """The contrast of a pair, and −1 if it is that of the second minus the first."""
        return (self.pairs[pair], 1) if pair in self.pairs else (self.pairs[pair[::-1]], -1)


class Contributions:
    """How users move the designs of a study; of designs that are the same, the first.

    ``same_as[d]`` is the first design that is the same as d. All pairs are looked at if
    the study's family is that of all pairs, else every system and the second of the pair.
    """

    def __init__(self, study: Study, pair: tuple[str, str], designs: int) -> None:
        names = study.base.names
        self._study, self.systems = study, len(names)
        self.pair = names.index(pair[0]), names.index(pair[1])
        self.same_as: Counts = np.arange(designs)
        self._first: dict[str, int] = {}
        self._kept: dict[int, DesignContrasts] = {}
        self._codes: dict[int, Codes] = {}

    def add(self, design: int, values: Floats, scores: Scores, samples: Samples) -> int:
        """The first design that is the same as one more, by its values, scores and samples."""
        names = samples.systems
        found = {
            (one, two): contrast_of(samples, scores, 0, (names[one], names[two]))
            for one, two in self._wanted
        }
        parts = [part for each in found.values() for part in _parts(each, scores.user_ids)]
        name = fingerprint(values, *parts)
        first = self._first.setdefault(name, design)
        self.same_as[design] = first
        if first == design:
            kept = DesignContrasts(scores.user_ids, samples.compared(0), found)
            self._kept[design] = kept
        return first

    @property
    def _wanted(self) -> list[SystemPair]:
        reference = self.pair[1]
        leads = [(each, reference) for each in range(self.systems) if each != reference]
        if self._study.joint_family == "pair":
            return leads
        others = [each for each in range(self.systems) if each != reference]
        return leads + [(one, two) for one in others for two in others if one < two]

    @cached_property
    def _everyone(self) -> Ids:
        return reduce(_union, (each.user_ids for each in self._kept.values()))

    def _numbers(self, contrasts: DesignContrasts, contrast: Contrast) -> Codes:
        """The numbers of a contrast's users among all users of the study."""
        ids = contrasts.user_ids
        if id(ids) not in self._codes:  # many designs share their ids
            self._codes[id(ids)] = self._everyone.encode(ids.values)
        return self._codes[id(ids)][contrast.users]

    def test(self, pairs: list[SystemPair]) -> JointTest | None:
        """The joint test of some pairs in all distinct designs (designs × pairs, flattened).

        None without a design that can be tested. Designs that are the same as others are
        left out of it.
        """
        family = [
            self._hypothesis(self._kept[design], pair) if design in self._kept else None
            for design in range(len(self.same_as))
            for pair in pairs
        ]
        if not any(family):
            return None
        return joint_test(
            family,
            len(self._everyone),
            draws=self._study.draws,
            alpha=self._study.base.comparison.alpha,
            seeds=self._seeds,
        )

    def _hypothesis(self, contrasts: DesignContrasts, pair: SystemPair) -> Hypothesis | None:
        contrast, sign = contrasts.of(pair)
        if np.isnan(contrast.difference):
            return None
        numbers = self._numbers(contrasts, contrast)
        if contrast.contributions is None:
            swapped = contrast.swapped if sign == 1 else _Turned(contrast.swapped)
            return Hypothesis(numbers, sign * contrast.difference, swapped=swapped)
        adds = np.flatnonzero(contrast.contributions)
        added = sign * contrast.contributions[adds]
        return Hypothesis(numbers[adds], sign * contrast.difference, added)

    def resample(self, base: int | None, scales: Floats) -> ResampledDesigns:
        """The distinct designs with other users; ``scales`` are errors where none is known."""
        designs = np.flatnonzero(self.same_as == np.arange(len(self.same_as))).tolist()
        return resample(
            [self._sample(design, float(scales[design])) for design in designs],
            self.pair,
            len(self._everyone) if self._kept else 0,
            base=None if base is None else designs.index(int(self.same_as[base])),
            seeds=self._seeds,
        )

    def _sample(self, design: int, scale: float) -> DesignSample | None:
        if design not in self._kept:
            return None
        contrasts, (first, reference) = self._kept[design], self.pair
        leads: list[Lead | None] = [None] * self.systems
        for system in range(self.systems):
            if system != reference:
                leads[system] = contrasts.pairs[system, reference].drawn_again
        contrast, users = contrasts.pairs[first, reference], contrasts.users
        known = contrast.influence
        error = (
            scale if known is None else np.sqrt(users / max(users - 1, 1) * (known * known).sum())
        )
        unit = float(error * np.sqrt(users))
        return DesignSample(self._numbers(contrasts, contrast), tuple(leads), unit)

    @property
    def _seeds(self) -> Seeds:
        return Seeds(self._study.base.seed).child("study")


def tested_jointly(designs: Designs, found: Contributions, family: JointFamily) -> Examined:
    """The designs with p-values that allow for all of them, by the family of the study."""
    at = designs.pairs.index((min(found.pair), max(found.pair)))
    every = family == "all-pairs"
    pairs = list(designs.pairs) if every else [designs.pairs[at]]
    joint = found.test(pairs)
    same = found.same_as
    if joint is None:
        return Examined(replace(designs, same_as=same))
    shape = len(designs), len(pairs)
    columns = np.arange(len(designs.pairs)) if every else np.array([at])
    adjusted, effects = np.full(designs.p_values.shape, np.nan), designs.effects.copy()
    adjusted[:, columns] = joint.adjusted.reshape(shape)[same]
    known = np.maximum(designs.users[:, None], 1)
    drawn = joint.statistics.reshape(shape)[same] / np.sqrt(known)
    # Where values are no means, what swapping scores does to them standardises the effect.
    unknown = np.isnan(effects[:, columns])
    effects[:, columns] = np.where(unknown, drawn, effects[:, columns])
    tested = replace(
        designs,
        effects=effects,
        adjusted=adjusted,
        joint=np.array([_least(column) for column in adjusted.T]),
        draws=joint.draws,
        same_as=same,
    )
    own = joint.take(np.arange(len(designs)) * len(pairs) + (at if every else 0))
    resampled = found.resample(designs.base, own.scales)
    return Examined(tested, own.take(tested.firsts), resampled)


def _least(p_values: Floats) -> float:
    return float(np.nanmin(p_values)) if not np.isnan(p_values).all() else np.nan


def _parts(contrast: Contrast, user_ids: Ids) -> tuple[bytes | Floats | Counts, ...]:
    """What tells a contrast from any other: who adds how much to it, bit for bit."""
    if contrast.contributions is None:
        users = len(contrast.users)
        signs = np.where(
            Seeds().words("same designs", size=_PROBES * users) >> np.uint64(63), 1, -1
        )
        return user_ids.content(contrast.users), contrast.swapped(
            signs.reshape(_PROBES, users).astype(np.float64)
        )
    adds = np.flatnonzero(contrast.contributions)
    return user_ids.content(contrast.users[adds]), contrast.contributions[adds]


@dataclass(frozen=True, eq=False)
class _Turned:
    """A difference under exchange, second minus first."""

    swapped: Callable[[Floats], Floats]

    def __call__(self, signs: Floats) -> Floats:
        return -self.swapped(signs)


def _union(one: Ids, other: Ids) -> Ids:
    return one if other is one or other == one else one.union(other)
