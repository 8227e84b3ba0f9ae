"""Truth studies: which designs find out what is true, where the truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield.base.errors import OptionError, TooFew
from cranfield.base.options import is_option, parameters, parse
from cranfield.collection.filter import filter_ratings
from cranfield.collection.resemblance import Resemblance, resemble
from cranfield.collection.simulation.truth import Simulator, truth_of
from cranfield.collection.source import Source
from cranfield.collection.statistics import Statistics
from cranfield.collection.target import parse_targets
from cranfield.scoring.coverage import enter
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Floats, Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.validity.study.truthfulness import Truthfulness
from cranfield.workbench.definition.designs import Design, Universe
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study import Study
from cranfield.workbench.execution.conditions import RankingCondition
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.pipeline import Pipeline, data_key
from cranfield.workbench.execution.studies import examine
from cranfield.workbench.store.store import Store

WORLD = "data.seed"
"""The decision that repeats a simulated collection."""

_NOT_SEEN = ("data.mnar", "data.fame", WORLD)
"""What simulated data decide and real data do not show."""


@dataclass(frozen=True, eq=False)
class TruthResults:
    """What a truth study found.

    ``metric`` is the true metric; ``like`` says what the data were made to resemble.
    """

    study: Study
    metric: Metric
    truthfulness: Truthfulness
    like: Resemblance | None = None


def run_truth_study(
    study: Study,
    store: Store | None = None,
    *,
    metric: Metric | str = "P@10",
    worlds: int = 1,
    like: Resemblance | None = None,
    workers: int | str | None = None,
) -> TruthResults:
    """Hold the order of systems under every design of a study against their true order.

    The true value of a system is by one metric over all items that are not in training,
    judged by the truth behind the data; its training is that of the design. With several
    ``worlds``, everything is repeated on data of other seeds. ``workers`` share the work.
    """
    truth_of(study.base.data)  # refuses data without a known truth
    names = study.base.names
    if len(names) < 2:
        raise TooFew("the order of systems", "systems", 2, len(names))
    wanted: Metric = parse("metric", metric) if isinstance(metric, str) else metric
    asked = _repeated(study, worlds)
    universe = Universe(asked)
    designs = universe.designs
    with open_pipeline(store, workers) as pipeline:
        pair, undrawn = (names[0], names[1]), replace(asked, draws=0)
        examined = examine(undrawn, universe, pipeline, pair).designs
        truth = _true_values(asked.base, designs, wanted, pipeline)
    comparable = np.array([str(design.metric) == str(wanted) for design in designs], dtype=bool)
    repeats = tuple(name for name in (WORLD, "seed") if name in asked.factors)
    return TruthResults(asked, wanted, Truthfulness(examined, truth, comparable, repeats), like)


def _repeated(study: Study, worlds: int) -> Study:
    """The study on several simulated collections, if more than one is wanted."""
    if worlds == 1:
        return study
    data = study.base.data
    if not is_option(data) or "seed" not in {each.name for each in parameters(type(data))}:
        raise OptionError(f"{data}: there is only one world of it, and {worlds} are wanted.")
    first = int(getattr(data, "seed", 0))
    return replace(study, vary={**study.vary, WORLD: tuple(range(first, first + worlds))})


def true_experiment(base: Experiment, design: Design, metric: Metric) -> Experiment:
    """The experiment that finds what the systems of a design are worth in truth.

    Data, filters, split, systems, tuning and seed are the design's, whatever changes training;
    relevance and the treatment of unscored items are the base's.
    """
    given = design.experiment
    return replace(
        base,
        data=given.data,
        filters=given.filters,
        split=given.split,
        train_filters=given.train_filters,
        test_filters=(),
        systems=given.systems,
        tuning=given.tuning,
        seed=given.seed,
        judged_by=parse("judged_by", "truth"),
        judged_share=1.0,
        targets=parse_targets("all-items"),
        metrics=(metric,),
        run_metrics=(),
        undefined="left-out",
        aggregation=SummaryChoice().aggregation,
        coverage="full",
    )


def _true_values(
    base: Experiment, designs: Sequence[Design], metric: Metric, pipeline: Pipeline
) -> Floats:
    """For each design, the true value of every system; made once for equal trainings."""
    pipeline.tuner.base = base  # systems are tuned as in the study, not by the truth
    values = np.full((len(designs), len(base.names)), np.nan)
    groups: dict[str, dict[Experiment, list[int]]] = {}
    for place, design in enumerate(designs):
        asked = true_experiment(base, design, metric)
        key = data_key(asked)
        groups.setdefault(key, {}).setdefault(asked, []).append(place)
    conditions = {
        key: [RankingCondition(experiment=each, metrics=(metric,)) for each in experiments]
        for key, experiments in groups.items()
    }
    pipeline.announce((each[0].experiment, None, each) for each in conditions.values())
    for key, experiments in groups.items():
        data = pipeline.prepare(next(iter(experiments)))
        for scores, places in zip(
            pipeline.score(data, conditions[key]), experiments.values(), strict=True
        ):
            values[places] = _values(scores)
    return values


def _values(scores: Scores) -> list[float]:
    aggregation = SummaryChoice().aggregation
    entered = [enter(scores, system, 0) for system in range(len(scores.systems))]
    return [aggregation.of_scores(each) if len(each) else np.nan for each in entered]


def study_like(study: Study, data: Source | None = None) -> tuple[Study, Resemblance]:
    """A study on simulated data of the size, density and skew of real ones.

    The real data are the study's own, filtered as it says, unless others are given. Of
    what the study varies in data, filters and relevance, only what real data do not show
    stays: how far users rate what they like, and the like.
    """
    base = study.base
    source, filters = (base.data, base.filters) if data is None else (data, ())
    if source is None:
        raise OptionError("truth: it needs data to resemble, not two given parts.")
    if isinstance(source, Simulator):
        raise OptionError(
            f"{source}: its truth is known already. Leave out --like (in Python: like)."
        )
    ratings = filter_ratings(source.read(), filters, base.seed).ratings
    like = resemble(Statistics(ratings, base.relevance), seed=base.seed)
    simulated = replace(base, data=like.source, filters=(), relevance=like.relevance)
    vary = {
        path: answers
        for path, answers in study.vary.items()
        if path in _NOT_SEEN or path.partition(".")[0] not in ("data", "filters", "relevance")
    }
    return replace(study, base=simulated, vary=vary), like
