"""Checks: what would go wrong in an experiment or a study, found before anything is fitted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadExperiment, CranfieldError, OptionError, TooFew
from cranfield.base.ids import Codes
from cranfield.collection.items import facts_of_items
from cranfield.collection.target import Targets
from cranfield.recommendation.ranking.rank import Ranked, rank
from cranfield.recommendation.recommender import Predictions
from cranfield.scoring.run_metric import RunFacts
from cranfield.view.charts.files import refuse_undrawable
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.item_labels import labels_of
from cranfield.workbench.definition.side_tables import vectors_of
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.assessing import refuse_unassessable
from cranfield.workbench.execution.experiment.item_bootstrap import ItemBootstrap, refuse_study
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.repeats import refuse_equal_splits
from cranfield.workbench.execution.systems.conditions import RankingCondition, knows_targets
from cranfield.workbench.execution.systems.failures import Failures, reasons_of, refuse_all_failed
from cranfield.workbench.tuning.space import is_open

_TOPICS = 50
"""Topics on which metrics are tried."""


@dataclass(frozen=True)
class Foreseen:
    """What would go wrong: ``problems`` stop everything, ``failing`` systems stop nothing else."""

    problems: tuple[tuple[str, CranfieldError], ...] = ()
    failing: dict[str, str] = field(default_factory=dict)

    def refuse(self, where: str) -> None:
        """Raise the only problem, or all of them at once."""
        if len(self.problems) == 1:
            raise self.problems[0][1]
        if self.problems:
            raise BadExperiment(where, [(path, str(each)) for path, each in self.problems])


def foresee(asked: Experiment | Study, pipeline: Pipeline, charts: Sequence[str] = ()) -> Foreseen:
    """Look for what would go wrong; data are read and split for it, nothing is fitted.

    Metrics are tried on the first topics, ranked without any preference. ``charts`` are the
    formats in which charts are to be written.
    """
    base = asked.base if isinstance(asked, Study) else asked
    found = [(path, each) for path, check in _checks(asked, charts) if (each := _error(check))]
    failing = Failures()
    targets = _first_targets(base, pipeline, failing)
    found += _wrong_metrics(base, targets)
    if (untunable := _error(lambda: _refuse_untunable(asked, pipeline))) is not None:
        found.append(("tuning", untunable))
    if isinstance(asked, Study):
        again = _error(lambda: refuse_equal_splits(asked, pipeline))
        found += [("study.repeat", again)] if again is not None else []
    for name, system in base.systems.items():
        if (error := _error(lambda system=system: system.refuse(targets.train))) is not None:  # type: ignore[misc]
            failing[name] = error
    if (error := _error(lambda: refuse_all_failed(base.names, failing))) is not None:
        found.append(("systems", error))
    return Foreseen(tuple(found), reasons_of(failing))


def _error(check: Callable[[], object]) -> CranfieldError | None:
    """What a check complains of."""
    try:
        check()
    except CranfieldError as error:
        return error
    return None


def _checks(
    asked: Experiment | Study, charts: Sequence[str]
) -> Iterator[tuple[str, Callable[[], object]]]:
    """What can be checked without data, by the path of the decision."""
    base = asked.base if isinstance(asked, Study) else asked
    yield "--charts", lambda: refuse_undrawable(charts)
    for criterion in base.assess:
        yield "assess", lambda each=criterion: refuse_unassessable(replace(base, assess=(each,)))  # type: ignore[misc]
    if base.comparison.random == "users-and-items" and not isinstance(asked, Study):
        yield "comparison.random", lambda: ItemBootstrap(base)
    least = 2 if isinstance(asked, Study) or base.aggregation.compares else 1
    asker = "a study" if isinstance(asked, Study) else str(base.aggregation)
    yield "systems", lambda: _refuse_fewer(asker, least, len(base.names))
    if isinstance(asked, Study):
        yield "comparison.random", lambda: refuse_study(asked)


def _refuse_fewer(asker: str, least: int, systems: int) -> None:
    if systems < least:
        raise TooFew(asker, "systems", least, systems)


def _refuse_untunable(asked: Experiment | Study, pipeline: Pipeline) -> None:
    """Refuse to tune nothing, and a validation part that cannot be cut from training."""
    base = asked.base if isinstance(asked, Study) else asked
    if base.tuning is None:
        return
    designs = Universe(asked).designs if isinstance(asked, Study) else ()
    tried = (base, *(design.cell for design in designs))
    if not any(is_open(system) for each in tried for system in each.systems.values()):
        advice = "Give a parameter one, as in user-kNN(k=tune(10..500)), or leave out tuning"
        raise OptionError(f"tuning: no system has a range to tune over. {advice}.")
    if base.metrics:
        pipeline.tuner.validation(base, pipeline.prepare(base), 0)


def _first_targets(base: Experiment, pipeline: Pipeline, failing: Failures) -> Targets:
    data = pipeline.prepare(base)
    return pipeline.targets(data, data.folds[0], base, failing)


def _wrong_metrics(base: Experiment, targets: Targets) -> list[tuple[str, CranfieldError]]:
    """The metrics that cannot be computed, each tried by itself."""
    part = targets.take(slice(0, _TOPICS))
    if not len(part.topics):
        return []
    condition = RankingCondition(experiment=base, metrics=(), list_depth=None)
    indifferent = _Indifferent(targets.train.n_items)
    ranked = rank(indifferent, [part], condition.ranking_choice(targets.train.n_items))[0]
    tried: list[Callable[[], object]] = [
        lambda metric=metric: _try(replace(condition, metrics=(metric,)), ranked, part)  # type: ignore[misc]
        for metric in base.metrics
    ]
    if knows_targets(base, targets) and part.topics.items is None:
        vectors = vectors_of(base.item_vectors, targets.train.item_ids)
        labels = labels_of(base.item_labels, base.run_metrics, targets.train.item_ids)
        facts = RunFacts(facts_of_items(targets.train, vectors, labels), targets.judgments)
        tried += [
            lambda metric=metric: metric.of_run(ranked.run, facts)  # type: ignore[misc]
            for metric in base.run_metrics
        ]
    return [("metrics", error) for each in tried if (error := _error(each)) is not None]


def _try(condition: RankingCondition, ranked: Ranked, targets: Targets) -> None:
    hits = condition.with_lists(ranked.hits, ranked.run, targets)
    condition.measure(condition.with_propensities(hits, targets), targets)


@dataclass(frozen=True)
class _Indifferent:
    """Predicts the same of all items."""

    items: int

    def predict(self, users: Codes) -> Predictions:
        return np.zeros((len(users), self.items))
