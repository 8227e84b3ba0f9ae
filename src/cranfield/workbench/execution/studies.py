"""Studying: from a Study to the values of every system under every design."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from cranfield.base.errors import CranfieldError
from cranfield.base.progress import bar
from cranfield.base.seeds import Seeds
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Floats, Scores
from cranfield.significance.default_test import default_test
from cranfield.significance.effect_size import mean_difference
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.samples import Samples, pair_users
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.joint_test import JointTest
from cranfield.workbench.definition.designs import Design, Universe
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study import Study
from cranfield.workbench.execution.conditions import RankingCondition
from cranfield.workbench.execution.contributions import Contribution, contribution_of, joint_test_of
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.prepared_data import data_inputs, prepare


@dataclass(frozen=True, eq=False)
class Examined:
    """Every design of a study, and the joint test of the pair of interest if it was made."""

    designs: Designs
    joint: JointTest | None


def examine(
    study: Study, universe: Universe, pipeline: Pipeline, pair: tuple[str, str] | None
) -> Examined:
    """Try every design; those that share data, fits and rankings share the work.

    The joint test is about the ``pair``, first minus second; without one, there is none.
    """
    work = _Examination(study, universe.designs, pair)
    with bar("studying", len(universe.designs)) as shown:
        for places in _by_material(universe.designs).values():
            work.examine_prepared(places, pipeline)
            shown.advance(len(places))
    made = Designs(
        decisions=universe.decisions(),
        systems=study.base.names,
        values=work.values,
        effects=work.effects,
        p_values=work.p_values,
        users=work.users,
        base=universe.base,
        alpha=study.base.comparison.alpha,
        topics=work.topics,
    )
    joint = joint_test_of(study, work.contributions, work.users)
    whole = made if joint is None or pair is None else _with_joint(made, joint, pair)
    return Examined(whole, joint)


def _with_joint(designs: Designs, joint: JointTest, pair: tuple[str, str]) -> Designs:
    first, second = sorted(designs.systems.index(each) for each in pair)
    at = designs.pairs.index((first, second))
    p_values = np.full(len(designs.pairs), np.nan)
    adjusted = np.full(designs.p_values.shape, np.nan)
    p_values[at], adjusted[:, at] = joint.p_value, joint.adjusted
    return replace(designs, joint=p_values, adjusted=adjusted, draws=joint.draws)


def _by_material(designs: Sequence[Design]) -> dict[str, list[int]]:
    """Designs by the data and split that they share."""
    groups: dict[str, list[int]] = {}
    for place, design in enumerate(designs):
        key = json.dumps(data_inputs(design.experiment), default=str)
        groups.setdefault(key, []).append(place)
    return groups


class _Examination:
    """What is known of every design so far."""

    def __init__(
        self, study: Study, designs: Sequence[Design], pair: tuple[str, str] | None
    ) -> None:
        self._study, self._designs, self._pair = study, designs, pair
        systems = len(study.base.names)
        pairs = len(list(combinations(range(systems), 2)))
        self.values, self.effects, self.p_values = (
            np.full((len(designs), width), np.nan) for width in (systems, pairs, pairs)
        )
        self.users, self.topics = np.zeros((2, len(designs)), dtype=np.int64)
        self.contributions: list[Contribution] = []

    def examine_prepared(self, places: Sequence[int], pipeline: Pipeline) -> None:
        """Score the cells of designs that share data and split, then look at each design."""
        designs = self._designs
        material = prepare(designs[places[0]].experiment, pipeline.store)
        cells: dict[Experiment, list[int]] = {}
        for place in places:
            cells.setdefault(designs[place].cell, []).append(place)
        asked = [
            RankingCondition(
                experiment=experiment,
                metrics=tuple(dict.fromkeys(designs[place].metric for place in members)),
                lenient=True,
            )
            for experiment, members in cells.items()
        ]
        for scores, members in zip(pipeline.score(material, asked), cells.values(), strict=True):
            users = scores.by_user()
            for place in members:
                self._examine_design(place, scores, users)

    def _examine_design(self, place: int, scores: Scores, users: Scores) -> None:
        """Values, effects and p-values of one design, from the scores of its rankings."""
        design = self._designs[place]
        self.values[place], self.topics[place] = _values(scores, design)
        tested = _tested(users, design)
        if tested is None:
            return
        self.p_values[place] = tested.p_values[0]
        self.effects[place], self.users[place] = _effects(tested.seen)
        if self._study.draws and self._pair is not None:
            self.contributions.append(
                contribution_of(place, users, tested.seen, tested.test, self._pair)
            )


def _values(scores: Scores, design: Design) -> tuple[list[float], int]:
    """The value of every system, by the aggregation and coverage of the design.

    Beside them, the number of topics that entered that of the first.
    """
    experiment, metric = design.experiment, scores.metric_number(str(design.metric))
    aggregation = experiment.aggregation
    values, topics = [], 0
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
        topics = topics or len(entered)
    return values, topics


def study_test(experiment: Experiment) -> PairedTest:
    """The test of one design: the one asked for, else the t test that fits the average."""
    return experiment.comparison.test or default_test(experiment.aggregation, of_means="t")


class _Tested(NamedTuple):
    """The systems of one design, compared by its metric."""

    test: PairedTest
    seen: Samples
    p_values: Floats


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
