"""Studying: from a Study to the values of every system under every design."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import CranfieldError
from cranfield.base.ids import Codes, Ids
from cranfield.base.progress import bar
from cranfield.base.seeds import Seeds
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Floats, Scores
from cranfield.significance.effect_size import mean_difference
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples import Samples, pair_users
from cranfield.validity.designs import Designs
from cranfield.validity.joint_test import JointTest, joint_test
from cranfield.workbench.experiment import Experiment
from cranfield.workbench.fitting import fitting_test
from cranfield.workbench.material import Material, material_inputs, prepare
from cranfield.workbench.pipeline import Cell, Pipeline
from cranfield.workbench.study import Study
from cranfield.workbench.study_designs import Design, Universe

MOST_CONTRIBUTIONS = 400_000_000
"""Users × designs up to which the joint test is held in memory, 3 GiB."""


class _Contribution(NamedTuple):
    """What each user adds to the difference of the pair of interest in one design."""

    design: int
    user_ids: Ids
    users: Codes
    shares: Floats


@dataclass(eq=False)
class _Found:
    """What is known of every design so far."""

    values: Floats
    effects: Floats
    p_values: Floats
    users: npt.NDArray[np.int64]
    contributions: list[_Contribution] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Examined:
    """Every design of a study, and the joint test of the pair of interest if it was made."""

    designs: Designs
    joint: JointTest | None


class _Tested(NamedTuple):
    """The systems of one cell, compared by some metrics in one way."""

    test: PairedTest
    seen: Samples
    p_values: Floats


def examine(
    study: Study, universe: Universe, pipeline: Pipeline, pair: tuple[str, str] | None
) -> Examined:
    """Try every design; those that share data, fits and rankings share the work.

    The joint test is about the ``pair``, first minus second.
    """
    designs, systems = universe.designs, study.base.names
    pairs = len(list(combinations(systems, 2)))
    values, effects, p_values = (
        np.full((len(designs), width), np.nan) for width in (len(systems), pairs, pairs)
    )
    found = _Found(values, effects, p_values, np.zeros(len(designs), dtype=np.int64))
    groups = _by_material(designs)
    with bar("studying", len(designs)) as shown:
        for places in groups.values():
            material = prepare(designs[places[0]].experiment, pipeline.store)
            _examine_material(study, material, designs, places, pipeline, found, pair)
            shown.advance(len(places))
    made = Designs(
        decisions=universe.decisions(),
        systems=systems,
        values=found.values,
        effects=found.effects,
        p_values=found.p_values,
        users=found.users,
        base=universe.base,
        alpha=study.base.comparison.alpha,
    )
    joint = _joint(study, found, len(designs))
    return Examined(made if joint is None else _with_joint(made, joint, pair), joint)


def _with_joint(designs: Designs, joint: JointTest, pair: tuple[str, str] | None) -> Designs:
    assert pair is not None
    first, second = sorted(designs.systems.index(each) for each in pair)
    at = designs.pairs.index((first, second))
    p_values, adjusted = (
        np.full(len(designs.pairs), np.nan),
        np.full(designs.p_values.shape, np.nan),
    )
    p_values[at], adjusted[:, at] = joint.p_value, joint.adjusted
    return replace(designs, joint=p_values, adjusted=adjusted, draws=joint.draws)


def _by_material(designs: Sequence[Design]) -> dict[str, list[int]]:
    """Designs by the data and split that they share."""
    groups: dict[str, list[int]] = {}
    for place, design in enumerate(designs):
        key = json.dumps(material_inputs(design.experiment), default=str)
        groups.setdefault(key, []).append(place)
    return groups


def _examine_material(
    study: Study,
    material: Material,
    designs: Sequence[Design],
    places: Sequence[int],
    pipeline: Pipeline,
    found: _Found,
    pair: tuple[str, str] | None,
) -> None:
    cells: dict[Experiment, list[int]] = {}
    for place in places:
        cells.setdefault(designs[place].cell, []).append(place)
    asked = [
        Cell(
            experiment=experiment,
            metrics=tuple(dict.fromkeys(designs[place].metric for place in members)),
            lenient=True,
        )
        for experiment, members in cells.items()
    ]
    for scores, members in zip(pipeline.score(material, asked), cells.values(), strict=True):
        _examine_cell(study, scores, designs, members, found, pair)


def _examine_cell(
    study: Study,
    scores: Scores,
    designs: Sequence[Design],
    members: Sequence[int],
    found: _Found,
    pair: tuple[str, str] | None,
) -> None:
    """Values, effects and p-values of the designs that look at the same rankings."""
    for place in members:
        found.values[place] = _values(scores, designs[place])
    if len(scores.systems) < 2:
        return
    users = scores.by_user()
    for place in members:
        design = designs[place]
        tested = _tested(users, design)
        if tested is not None:
            found.p_values[place] = tested.p_values[0]
            found.effects[place], found.users[place] = _effects(tested.seen)
            if pair is not None and study.draws:
                found.contributions.append(_contribution(place, users, tested, pair))


def _values(scores: Scores, design: Design) -> list[float]:
    """The value of every system, by the aggregation and coverage of the design."""
    experiment, metric = design.experiment, scores.metric_number(str(design.metric))
    aggregation = experiment.aggregation
    values = []
    for system in range(len(scores.systems)):
        entered = enter(
            scores,
            system,
            metric,
            experiment.coverage,
            experiment.undefined,
            compared=aggregation.compares,
        )
        values.append(aggregation.of_scores(entered) if len(entered) else np.nan)
    return values


def study_test(experiment: Experiment) -> PairedTest:
    """The test of one design: the one asked for, else the t test that fits the average."""
    return experiment.comparison.test or fitting_test(experiment.aggregation, of_means="t")


def _tested(users: Scores, design: Design) -> _Tested | None:
    """One metric compared; None where too few users can be, or scores do not suit the test."""
    experiment = design.experiment
    test = study_test(experiment)
    try:
        samples = pair_users(
            users,
            (str(design.metric),),
            coverage="full" if experiment.coverage == "full" else "common",
            undefined=experiment.undefined,
        )
        p_values = test.compare(samples, Seeds(experiment.seed).child("significance")).p_values
        return _Tested(test, test.sees(samples), p_values)
    except CranfieldError:
        return None


def _effects(seen: Samples) -> tuple[list[float], int]:
    """d_z of every pair, the statistic of the (weighted) t test divided by √n; and n."""
    shares = seen.shares(0)
    made = [mean_difference(seen.differences(0, pair), shares) for pair in seen.pairs]
    return [each.statistic / np.sqrt(each.users) for each in made], len(shares)


def _contribution(
    place: int, users: Scores, tested: _Tested, pair: tuple[str, str]
) -> _Contribution:
    """What each user adds to the difference as the test of the design sees it."""
    seen = tested.seen
    first, second = (seen.systems.index(each) for each in pair)
    differences, shares = seen.differences(0, (first, second)), seen.shares(0)
    counted = getattr(tested.test, "option_name", "") == "sign"
    weighed = np.sign(differences) / len(shares) if counted else differences * shares
    return _Contribution(place, users.user_ids, users.topics.users[seen.enters[0]], weighed)


def _joint(study: Study, found: _Found, designs: int) -> JointTest | None:
    """The test of no difference in any design, unless it would not fit in memory."""
    if not found.contributions:
        return None
    everyone = found.contributions[0].user_ids
    for each in found.contributions[1:]:
        same = each.user_ids is everyone or each.user_ids == everyone
        everyone = everyone if same else everyone.union(each.user_ids)
    if len(everyone) * designs > MOST_CONTRIBUTIONS:
        return None
    matrix = np.zeros((len(everyone), designs))
    for place, ids, users, weighed in found.contributions:
        matrix[everyone.encode(ids.take(users)), place] = weighed
    seeds = Seeds(study.base.seed).child("study")
    alpha = study.base.comparison.alpha
    return joint_test(matrix, found.users, draws=study.draws, alpha=alpha, seeds=seeds)
