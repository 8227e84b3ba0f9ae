"""Findings over data sets: on which of them a difference holds, and how large it is over all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.base.serialisation.plain import plain
from cranfield.scoring.scores import Floats
from cranfield.significance.pair import Pair
from cranfield.validity.data_sets.associations import Association, associations
from cranfield.validity.data_sets.design_agreement import DesignAgreement, design_agreement
from cranfield.validity.data_sets.pair_effects import DataSetEffect, PairEffects, pair_effects
from cranfield.validity.data_sets.rank_differences import (
    LEAST_DATA_SETS,
    RankDifferences,
    mean_ranks,
    rank_differences,
)
from cranfield.validity.phrases import all_of, joined, signed, written_p
from cranfield.validity.study.designs import Designs


@dataclass(frozen=True, kw_only=True)
class OnDataSet:
    """What was found on one data set: the values, the compared pairs, and all its designs.

    ``values`` are by metric, then by system. ``designs`` are those of a study.
    """

    values: Mapping[str, Mapping[str, float]]
    pairs: Sequence[Pair]
    traits: Mapping[str, float]
    designs: Designs | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class FindingsOverData:
    """How far a conclusion holds over data sets.

    ``pair`` is what it is about, by the first metric. ``pairs`` are the differences of all
    pairs by all metrics that every data set has; ``mean_ranks`` are by metric and system.
    ``ranks`` tests them, from five data sets on. ``designs`` are those in which data sets
    agree on the pair, where a study has several, and ``associations`` describe how its
    difference goes with what data sets are like. ``sentences`` say it in words.
    """

    data_sets: tuple[str, ...]
    systems: tuple[str, ...]
    pair: PairEffects
    pairs: tuple[PairEffects, ...]
    mean_ranks: Mapping[str, Mapping[str, float]]
    ranks: Mapping[str, RankDifferences]
    designs: DesignAgreement | None
    associations: tuple[Association, ...]
    sentences: tuple[str, ...]

    @property
    def by_topic(self) -> dict[str, str]:
        """The sentences by what they are about: the verdict, the difference, the designs."""
        verdict, *others = self.sentences
        end = len(others) - (self.designs is not None)
        said = {"difference": " ".join(others[:end]), "designs": " ".join(others[end:])}
        return {"verdict": verdict, **{topic: text for topic, text in said.items() if text}}

    def to_dict(self) -> dict[str, Any]:
        """For JSON; what is not finite is None."""
        return dict(plain(self))


def conclude_over_data(
    found: Mapping[str, OnDataSet], pair: tuple[str, str] | None, alpha: float
) -> FindingsOverData:
    """What several data sets say together.

    Without a ``pair``, it is the two systems of the best mean rank by the first metric.
    """
    metrics, systems = _common(found)
    values = {metric: _values(found, metric, systems) for metric in metrics}
    ranks = {metric: mean_ranks(each) for metric, each in values.items()}
    chosen = pair or _two_best(systems, ranks[metrics[0]])
    ordered = [chosen if set(each) == set(chosen) else each for each in combinations(systems, 2)]
    compared = {name: each.pairs for name, each in found.items()}
    effects = tuple(
        pair_effects(metric, names, compared) for metric in metrics for names in ordered
    )
    ours = next(e for e in effects if e.metric == metrics[0] and (e.first, e.second) == chosen)
    tested = len(found) >= LEAST_DATA_SETS
    designs = {name: each.designs for name, each in found.items() if each.designs is not None}
    agreement = design_agreement(designs, chosen) if len(designs) > 1 else None
    differences = {each.data_set: each.difference for each in ours.effects}
    return FindingsOverData(
        data_sets=tuple(found),
        systems=systems,
        pair=ours,
        pairs=effects,
        mean_ranks={
            metric: dict(zip(systems, each.tolist(), strict=True))
            for metric, each in ranks.items()
        },
        ranks={
            metric: rank_differences(systems, each, alpha) for metric, each in values.items()
        } if tested else {},
        designs=agreement,
        associations=associations(
            {name: each.traits for name, each in found.items()}, differences
        ),
        sentences=(_where(ours), *_over(ours, alpha), *_of_designs(agreement, ours)),
    )  # fmt: skip


def _common(found: Mapping[str, OnDataSet]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The metrics, and the systems, that every data set has values for."""
    first, *others = (each.values for each in found.values())
    metrics = tuple(each for each in first if all(each in other for other in others))
    systems = tuple(
        name
        for name in first[metrics[0]]
        if all(name in each.values[metrics[0]] for each in found.values())
    )
    return metrics, systems


def _values(found: Mapping[str, OnDataSet], metric: str, systems: Sequence[str]) -> Floats:
    """Values by data set (rows) and system; undefined ones are the lowest."""
    known = [[each.values[metric][name] for name in systems] for each in found.values()]
    return np.nan_to_num(np.array(known, dtype=np.float64), nan=-np.inf)


def _two_best(systems: Sequence[str], ranks: Floats) -> tuple[str, str]:
    order = np.argsort(ranks, kind="stable")
    return systems[int(order[0])], systems[int(order[1])]


def _where(pair: PairEffects) -> str:
    """On which data sets each of two systems is ahead."""
    many = len(pair.effects)
    if len(pair.ahead) == many or len(pair.behind) == many:
        one, other = (pair.first, pair.second) if pair.ahead else (pair.second, pair.first)
        sure = [each.data_set for each in pair.effects if each.significant]
        head = f"{one} scores more than {other} by {pair.metric} on {all_of(many)} data sets"
        return f"{head}, {_significantly(sure, many)}."
    parts = [
        f"{name} scores more on {joined([_named(each) for each in some], 'and')}"
        for name, some in ((pair.first, pair.ahead), (pair.second, pair.behind))
        if some
    ]
    if equal := [each.data_set for each in pair.effects if not each.difference]:
        parts.append(f"neither does on {joined(equal, 'and')}")
    return f"By {pair.metric}, {', '.join(parts)}."


def _significantly(sure: Sequence[str], many: int) -> str:
    if len(sure) == many:
        return "significantly on each"
    return f"significantly on {joined(sure, 'and')}" if sure else "significantly on none"


def _named(effect: DataSetEffect) -> str:
    return effect.data_set + (" (significantly)" if effect.significant else "")


def _over(pair: PairEffects, alpha: float) -> list[str]:
    """The difference over data sets, and whether it is established for others like them."""
    found = pair.combined
    if found is None:
        return ["The difference over data sets is undefined."]
    ends = f"from {signed(found.low, '+.4f')} to {signed(found.high, '+.4f')}"
    size = (
        f"Over {counted(found.data_sets, 'data set')}, {pair.first} − {pair.second} by "
        f"{pair.metric} is {signed(found.estimate, '+.4f')}, {ends} with 95 % confidence, "
        f"{written_p(found.p_value, alpha)}"
    )
    if found.p_value < alpha:
        better = pair.first if found.estimate > 0 else pair.second
        said = f"{size}: {better} is better on data sets like these."
    else:
        said = f"{size}: no difference is established for data sets like these."
    if isnan(found.next_low):
        return [said]
    ahead = f"{signed(found.next_low, '+.4f')} to {signed(found.next_high, '+.4f')}"
    return [said, f"On one more such data set it is expected from {ahead}."]


def _of_designs(agreement: DesignAgreement | None, pair: PairEffects) -> list[str]:
    if agreement is None:
        return []
    many = counted(agreement.designs, "design")
    split = agreement.designs - agreement.first - agreement.second
    told = (
        f"{pair.first} is ahead on every data set in {agreement.first:,} of {many}, and "
        f"{pair.second} in {agreement.second:,}. In the other {split:,}, data sets disagree."
    )
    return [told]
