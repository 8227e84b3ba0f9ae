"""Executing a study: the values of every system under every design, and what they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import cast

import numpy as np

from cranfield.base.errors import TooFew, UnsuitableScores
from cranfield.base.options import from_table
from cranfield.base.progress import bar
from cranfield.base.seeds import Seeds
from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.coverage import enter
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Floats, Scores
from cranfield.significance.default_test import default_test
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.pairing import pair_users
from cranfield.significance.samples import Samples
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import conclude
from cranfield.workbench.definition.designs import Design, Universe
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study import Study
from cranfield.workbench.execution.conditions import Observer, RankingCondition
from cranfield.workbench.execution.contributions import Contributions, Examined, tested_jointly
from cranfield.workbench.execution.design_assessments import DesignAssessments
from cranfield.workbench.execution.evaluation import condition_of
from cranfield.workbench.execution.experiments import ExperimentObserver
from cranfield.workbench.execution.item_bootstrap import refuse_study
from cranfield.workbench.execution.pipeline import Pipeline, data_key
from cranfield.workbench.execution.repeats import refuse_equal_splits, repeat_base
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults

_DRAWS = 1000
"""Draws of the permutation test of one design by itself."""

_REASONS = {
    "coverage": "every system covered every user",
    "undefined": "no score was undefined",
    "comparison.test": "designs are tested jointly, whatever the test of a single one",
}
"""Why a decision can have no effect, as long as nothing speaks against it."""


def execute_study(study: Study, pipeline: Pipeline | None = None) -> StudyResults:
    """Try every design of a study; the base is one more condition among those of its data."""
    if len(study.base.names) < 2:
        raise TooFew("a study", "systems", 2, len(study.base.names))
    refuse_study(study)
    road, universe = pipeline or Pipeline(), Universe(study)
    groups = _by_data(universe.designs)  # a wrong answer is refused before anything is fitted
    data = road.prepare(study.base)
    refuse_equal_splits(study, road)
    observer = ExperimentObserver(study.base, data)
    everywhere = study.assessed == "designs"
    assessing = DesignAssessments(study, universe.designs, road.store) if everywhere else None
    work = _Examination(study, universe.designs, assessing)
    places = groups.pop(data_key(study.base), [])
    conditions = [condition_of(study.base), *work.conditions(places)]
    observers: dict[int, Observer] = {0: observer, **work.observers(places, first=1)}
    with bar("running", len(study.base.names) * len(data.folds)) as shown:
        scores = road.score(data, conditions, observers, shown)
    base = observer.results(scores[0], road)
    pair = study.pair or _two_best(base)
    work.compare(pair)
    work.examine(places, scores[1:])
    del scores
    examined = _examine_groups(work, groups, road, universe)
    # With the base among the designs, its two best are what a conclusion is about anyway.
    of_base = study.pair is None and examined.designs.base is None
    conclusion = conclude(
        examined.designs,
        pair if of_base else study.pair,
        examined.joint,
        of_base=of_base,
        resampled=examined.resampled,
    )
    repeats = repeat_base(study, pair, road)
    assessed = () if assessing is None else assessing.together(universe)
    return StudyResults(study, base, examined.designs, conclusion, repeats, assessed)


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
    work = _Examination(study, universe.designs)
    if pair is not None:
        work.compare(pair)
    return _examine_groups(work, _by_data(universe.designs), pipeline, universe)


def _examine_groups(
    work: _Examination, groups: Mapping[str, Sequence[int]], pipeline: Pipeline, universe: Universe
) -> Examined:
    """Score the designs of each group, which share data and fits, and put all together."""
    with bar("studying", sum(map(len, groups.values()))) as shown:
        for places in groups.values():
            data = pipeline.prepare(universe.designs[places[0]].experiment)
            observers = work.observers(places)
            work.examine(places, pipeline.score(data, work.conditions(places), observers))
            shown.advance(len(places))
    return work.examined(universe)


def _by_data(designs: Sequence[Design]) -> dict[str, list[int]]:
    """Designs by the data and split that they share."""
    groups: dict[str, list[int]] = {}
    for place, design in enumerate(designs):
        groups.setdefault(data_key(design.experiment), []).append(place)
    return groups


class _Examination:
    """What is known of every design so far."""

    def __init__(
        self, study: Study, designs: Sequence[Design], assessing: DesignAssessments | None = None
    ) -> None:
        self._study, self._designs, self._assessing = study, designs, assessing
        systems = len(study.base.names)
        pairs = len(list(combinations(range(systems), 2)))
        self.values, self.effects, self.p_values = (
            np.full((len(designs), width), np.nan) for width in (systems, pairs, pairs)
        )
        self.users, self.topics = np.zeros((2, len(designs)), dtype=np.int64)
        self._contributions: Contributions | None = None
        self._reasons = dict(_REASONS)

    def compare(self, pair: tuple[str, str]) -> None:
        """Test designs jointly, for a pair, and find those that are the same."""
        if self._study.draws:
            self._contributions = Contributions(self._study, pair, len(self._designs))

    def conditions(self, places: Sequence[int]) -> list[RankingCondition]:
        """One condition for all designs that share their rankings."""
        more = () if self._assessing is None else self._assessing.metrics
        return [
            RankingCondition(
                experiment=experiment,
                metrics=tuple(dict.fromkeys((*self._metrics(members), *more))),
                lenient=True,
            )
            for experiment, members in self._by_ranking(places).items()
        ]

    def _metrics(self, places: Sequence[int]) -> list[Metric]:
        return [self._designs[place].metric for place in places]

    def observers(self, places: Sequence[int], first: int = 0) -> dict[int, Observer]:
        """Who looks at the rankings of each condition, the first of which has this number."""
        if self._assessing is None:
            return {}
        cells = enumerate(self._by_ranking(places), start=first)
        return {number: self._assessing.observer(cell) for number, cell in cells}

    def examine(self, places: Sequence[int], scored: Sequence[Scores]) -> None:
        """Look at each design, given the scores of the conditions of all of them."""
        for scores, (cell, members) in zip(scored, self._by_ranking(places).items(), strict=True):
            own = scores
            if self._assessing is not None:
                self._assessing.assess(cell, members, scores)
                own = scores.by_metrics([str(metric) for metric in self._metrics(members)])
            for place in members:
                self._examine_design(place, own)

    def _by_ranking(self, places: Sequence[int]) -> dict[Experiment, list[int]]:
        """Designs that share their rankings, by the experiment that makes these."""
        groups: dict[Experiment, list[int]] = {}
        for place in places:
            groups.setdefault(self._designs[place].cell, []).append(place)
        return groups

    def examined(self, universe: Universe) -> Examined:
        """All designs together, and the joint test."""
        made = Designs(
            decisions=universe.decisions(),
            systems=self._study.base.names,
            values=self.values,
            effects=self.effects,
            p_values=self.p_values,
            users=self.users,
            base=universe.base,
            alpha=self._study.base.comparison.alpha,
            topics=self.topics,
            weights=universe.weights(),
            reasons=self._reasons,
        )
        found = self._contributions
        return (
            Examined(made)
            if found is None
            else tested_jointly(made, found, self._study.joint_family)
        )

    def _examine_design(self, place: int, scores: Scores) -> None:
        """Values, effects and p-values of one design, from the scores of its rankings."""
        design = self._designs[place]
        self.values[place], self.topics[place] = _values(scores, design)
        self._reconsider(scores)
        samples = _paired(scores, design)
        if samples is None:
            return
        self.effects[place] = _effects(samples)
        self.users[place] = samples.compared(0)
        found = self._contributions
        first = place if found is None else found.add(place, self.values[place], scores, samples)
        again = _how_tested(self._designs[first]) == _how_tested(design)
        known = first != place and again
        self.p_values[place] = self.p_values[first] if known else _p_values(samples, design)

    def _reconsider(self, scores: Scores) -> None:
        """Drop the reasons why a decision may have had no effect that do not hold here."""
        if not scores.covered.all():
            self._reasons.pop("coverage", None)
        if np.isnan(scores.values).any():
            self._reasons.pop("undefined", None)


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
    """The test of one design: the one asked for, else the t test that fits the average.

    Values that are no means are tested by few draws: a study makes thousands of tests, and
    what it concludes is up to the joint one.
    """
    given, aggregation = experiment.comparison.test, experiment.aggregation
    test = given or default_test(aggregation, of_means="t")
    if given is None and not isinstance(aggregation, LinearAggregation):
        test = cast(PairedTest, from_table("test", {"name": "permutation", "draws": _DRAWS}))
    return test


def _how_tested(design: Design) -> tuple[str, int]:
    return str(study_test(design.experiment)), design.experiment.seed


def _paired(scores: Scores, design: Design) -> Samples | None:
    """The systems of one design, user by user; None where too few users can be compared."""
    try:
        return pair_users(scores, design.experiment.summary_choice, (str(design.metric),))
    except UnsuitableScores:
        return None


def _p_values(samples: Samples, design: Design) -> Floats:
    """The p-values of all pairs by themselves; NaN where scores do not suit the test."""
    seeds = Seeds(design.experiment.seed).child("significance")
    try:
        return np.asarray(study_test(design.experiment).compare(samples, seeds).p_values[0])
    except UnsuitableScores:
        return np.full(len(samples.pairs), np.nan)


def _effects(samples: Samples) -> list[float]:
    """The t statistic of every pair divided by √U; NaN where values are not means."""
    if not samples.linear:
        return [np.nan] * len(samples.pairs)
    made = [samples.difference(0, pair) for pair in samples.pairs]
    return [each.statistic / np.sqrt(each.users) for each in made]
