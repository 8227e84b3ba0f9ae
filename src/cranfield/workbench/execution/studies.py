"""Executing a study: the values of every system under every design, and what they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from cranfield.base.errors import TooFew, UnsuitableScores
from cranfield.base.progress import bar
from cranfield.base.seeds import Seeds
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Floats, Scores
from cranfield.significance.contrast import contrast_of
from cranfield.significance.default_test import default_test
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.pairing import pair_users
from cranfield.significance.samples import Samples
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import conclude
from cranfield.validity.study.joint_test import JointTest
from cranfield.workbench.definition.designs import Design, Universe
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study import Study
from cranfield.workbench.execution.conditions import RankingCondition
from cranfield.workbench.execution.contributions import Contribution, joint_test_of
from cranfield.workbench.execution.evaluation import condition_of
from cranfield.workbench.execution.experiments import ExperimentObserver
from cranfield.workbench.execution.pipeline import Pipeline, data_key
from cranfield.workbench.execution.repeats import refuse_equal_splits, repeat_base
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults


@dataclass(frozen=True, eq=False)
class Examined:
    """Every design of a study, and the joint test of the pair of interest if it was made."""

    designs: Designs
    joint: JointTest | None


def execute_study(study: Study, pipeline: Pipeline | None = None) -> StudyResults:
    """Try every design of a study; the base is one more condition among those of its data."""
    if len(study.base.names) < 2:
        raise TooFew("a study", "systems", 2, len(study.base.names))
    road, universe = pipeline or Pipeline(), Universe(study)
    groups = _by_data(universe.designs)  # a wrong answer is refused before anything is fitted
    data = road.prepare(study.base)
    refuse_equal_splits(study, road)
    observer = ExperimentObserver(study.base, data)
    work = _Examination(study, universe.designs)
    places = groups.pop(data_key(study.base), [])
    conditions = [condition_of(study.base), *work.conditions(places)]
    with bar("running", len(study.base.names) * len(data.folds)) as shown:
        scores = road.score(data, conditions, {0: observer}, shown)
    base = observer.results(scores[0], road)
    work.pair = study.pair or _two_best(base)
    work.examine(places, scores[1:])
    del scores
    examined = _examine_groups(work, groups, road, universe)
    # With the base among the designs, its two best are what a conclusion is about anyway.
    of_base = study.pair is None and examined.designs.base is None
    named = work.pair if of_base else study.pair
    conclusion = conclude(examined.designs, named, examined.joint, of_base=of_base)
    repeats = repeat_base(study, work.pair, road)
    return StudyResults(study, base, examined.designs, conclusion, repeats)


def _two_best(base: Results) -> tuple[str, str]:
    """The base's two best systems by its first metric, the better first."""
    metric, names = base.scores.metrics[0], base.experiment.names
    values = [base.summary.row(name, metric).value for name in names]
    order = np.argsort(-np.nan_to_num(np.array(values), nan=-np.inf), kind="stable")
    return names[int(order[0])], names[int(order[1])]


def examine(
    study: Study, universe: Universe, pipeline: Pipeline, pair: tuple[str, str] | None
) -> Examined:
    """Try every design, without results of the base.

    The joint test is about the ``pair``, first minus second; without one, there is none.
    """
    work = _Examination(study, universe.designs, pair)
    return _examine_groups(work, _by_data(universe.designs), pipeline, universe)


def _examine_groups(
    work: _Examination, groups: Mapping[str, Sequence[int]], pipeline: Pipeline, universe: Universe
) -> Examined:
    """Score the designs of each group, which share data and fits, and put all together."""
    with bar("studying", sum(map(len, groups.values()))) as shown:
        for places in groups.values():
            data = pipeline.prepare(universe.designs[places[0]].experiment)
            work.examine(places, pipeline.score(data, work.conditions(places)))
            shown.advance(len(places))
    return work.examined(universe)


def _with_joint(designs: Designs, joint: JointTest, pair: tuple[str, str]) -> Designs:
    first, second = sorted(designs.systems.index(each) for each in pair)
    at = designs.pairs.index((first, second))
    p_values = np.full(len(designs.pairs), np.nan)
    adjusted = np.full(designs.p_values.shape, np.nan)
    p_values[at], adjusted[:, at] = joint.p_value, joint.adjusted
    return replace(designs, joint=p_values, adjusted=adjusted, draws=joint.draws)


def _by_data(designs: Sequence[Design]) -> dict[str, list[int]]:
    """Designs by the data and split that they share."""
    groups: dict[str, list[int]] = {}
    for place, design in enumerate(designs):
        groups.setdefault(data_key(design.experiment), []).append(place)
    return groups


class _Examination:
    """What is known of every design so far."""

    def __init__(
        self, study: Study, designs: Sequence[Design], pair: tuple[str, str] | None = None
    ) -> None:
        self._study, self._designs, self.pair = study, designs, pair
        systems = len(study.base.names)
        pairs = len(list(combinations(range(systems), 2)))
        self.values, self.effects, self.p_values = (
            np.full((len(designs), width), np.nan) for width in (systems, pairs, pairs)
        )
        self.users, self.topics = np.zeros((2, len(designs)), dtype=np.int64)
        self.contributions: list[Contribution] = []

    def conditions(self, places: Sequence[int]) -> list[RankingCondition]:
        """One condition for all designs that share their rankings."""
        designs = self._designs
        return [
            RankingCondition(
                experiment=experiment,
                metrics=tuple(dict.fromkeys(designs[place].metric for place in members)),
                lenient=True,
            )
            for experiment, members in self._by_ranking(places).items()
        ]

    def examine(self, places: Sequence[int], scored: Sequence[Scores]) -> None:
        """Look at each design, given the scores of the conditions of all of them."""
        for scores, members in zip(scored, self._by_ranking(places).values(), strict=True):
            for place in members:
                self._examine_design(place, scores)

    def _by_ranking(self, places: Sequence[int]) -> dict[Experiment, list[int]]:
        """Designs that share their rankings, by the experiment that makes these."""
        groups: dict[Experiment, list[int]] = {}
        for place in places:
            groups.setdefault(self._designs[place].cell, []).append(place)
        return groups

    def examined(self, universe: Universe) -> Examined:
        """All designs together, and the joint test."""
        study, pair = self._study, self.pair
        made = Designs(
            decisions=universe.decisions(),
            systems=study.base.names,
            values=self.values,
            effects=self.effects,
            p_values=self.p_values,
            users=self.users,
            base=universe.base,
            alpha=study.base.comparison.alpha,
            topics=self.topics,
        )
        joint = joint_test_of(study, self.contributions, self.users)
        whole = made if joint is None or pair is None else _with_joint(made, joint, pair)
        return Examined(whole, joint)

    def _examine_design(self, place: int, scores: Scores) -> None:
        """Values, effects and p-values of one design, from the scores of its rankings."""
        design = self._designs[place]
        self.values[place], self.topics[place] = _values(scores, design)
        tested = _tested(scores, design)
        if tested is None:
            return
        self.p_values[place] = tested.p_values[0]
        self.effects[place] = _effects(tested.samples)
        self.users[place] = tested.samples.compared(0)
        if self._study.draws and self.pair is not None:
            contrast = contrast_of(tested.samples, scores, 0, self.pair)
            if contrast.contributions is not None:
                self.contributions.append(
                    Contribution(place, scores.user_ids, contrast.users, contrast.contributions)
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

    samples: Samples
    p_values: Floats


def _tested(scores: Scores, design: Design) -> _Tested | None:
    """One metric compared; None where too few users can be, or scores do not suit the test."""
    experiment = design.experiment
    try:
        test = study_test(experiment)
        samples = pair_users(scores, experiment.summary_choice, (str(design.metric),))
        p_values = test.compare(samples, Seeds(experiment.seed).child("significance")).p_values
        return _Tested(samples, p_values)
    except UnsuitableScores:
        return None


def _effects(samples: Samples) -> list[float]:
    """The t statistic of every pair divided by √U; NaN where values are not means."""
    if not samples.linear:
        return [np.nan] * len(samples.pairs)
    made = [samples.difference(0, pair) for pair in samples.pairs]
    return [each.statistic / np.sqrt(each.users) for each in made]
