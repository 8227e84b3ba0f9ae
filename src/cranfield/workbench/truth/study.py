"""Truth studies: which designs find out what is true, where the truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError, TooFew
from cranfield.base.ids import Ids
from cranfield.base.options import is_option, parameters, parse, to_table
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import filter_ratings
from cranfield.collection.judge import Judge, judges_by_test
from cranfield.collection.resemblance import Resemblance, resemble
from cranfield.collection.simulation.truth import Simulator, truth_of
from cranfield.collection.source import Source
from cranfield.collection.statistics.statistics import Statistics
from cranfield.collection.target_choice import parse_targets
from cranfield.scoring.coverage import enter
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Floats, Scores
from cranfield.scoring.summary import SummaryChoice
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.drawn_truth import (
    TruthDraws,
    UserShares,
    draw_repetitions,
    draw_truth,
    user_shares,
)
from cranfield.validity.study.truthfulness import Truthfulness
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.designs import Design, Universe
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.pipeline import Pipeline, data_key
from cranfield.workbench.execution.study.studies import examine
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.store.store import Store

WORLD = "data.seed"
"""The decision that repeats a simulated collection."""

_NOT_SEEN = ("data.mnar", "data.fame", WORLD)
"""What simulated data decide and real data do not show."""


@dataclass(frozen=True, eq=False)
class TruthResults:
    """What a truth study found.

    ``metric`` is the true metric and ``judge`` whose ratings are the truth, ``notes`` what
    should be known of these; ``like`` says what the data were made to resemble.
    """

    study: Study
    metric: Metric
    truthfulness: Truthfulness
    judge: Judge
    like: Resemblance | None = None
    notes: tuple[str, ...] = ()


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
    judged by the truth behind the data; its training is that of the design. If the study is
    judged by a random part, that is the truth instead, over the items that users were shown.
    With several ``worlds``, everything is repeated on data of other seeds. ``workers`` share
    the work.
    """
    judge, study = _judge_of(study)
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
        truth = _true_values(replace(asked.base, judged_by=judge), designs, wanted, pipeline)
    repeats = tuple(name for name in (WORLD, "seed") if name in asked.factors)
    found = Truthfulness(
        examined,
        truth.values,
        np.array([_same_quantity(design.metric, wanted) for design in designs], dtype=bool),
        repeats,
        None if judge.simulated else _draws(truth, examined, repeats, asked),
    )
    return TruthResults(asked, wanted, found, judge, like, truth.notes)


def _draws(truth: TrueValues, designs: Designs, repeats: Sequence[str], study: Study) -> TruthDraws:
    """Other users of those who tell the truth, and other repetitions."""
    seeds, labels = Seeds(study.base.seed), np.zeros(len(designs), dtype=np.int64)
    if repeats:
        rows = designs.decisions.select(repeats).rows()
        numbers = {row: number for number, row in enumerate(dict.fromkeys(rows))}
        labels = np.array([numbers[row] for row in rows])
    return TruthDraws(draw_repetitions(labels, seeds), truth.drawn(seeds))


def _judge_of(study: Study) -> tuple[Judge, Study]:
    """What judges in truth, and the study whose designs are judged by test ratings.

    It is what judges the base, or the whole truth behind the data where that is the test.
    """
    base = study.base
    judge: Judge = base.judged_by
    if judges_by_test(judge):
        judge = parse("judged_by", "truth")
    if judge.simulated:
        truth_of(base.data)  # refuses data without a known truth
    return judge, replace(study, base=replace(base, judged_by=parse("judged_by", "test")))


_ESTIMATION = ("propensity", "estimator", "correction")
"""Parameters that say how a metric is estimated, not what it is."""


def _same_quantity(metric: Metric, wanted: Metric) -> bool:
    """Whether two metrics are the same, however they are estimated."""
    plain = [
        {name: each for name, each in to_table(given).items() if name not in _ESTIMATION}
        for given in (metric, wanted)
    ]
    return plain[0] == plain[1]


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
    relevance, the treatment of unscored items and what judges are the base's. Where all is
    known, all items are ranked; else those that each user was shown at random.
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
        judged_share=1.0,
        targets=parse_targets("all-items" if base.judged_by.simulated else "condensed"),
        metrics=(metric,),
        run_metrics=(),
        undefined="left-out",
        aggregation=SummaryChoice().aggregation,
        coverage="full",
    )


def _true_values(
    base: Experiment, designs: Sequence[Design], metric: Metric, pipeline: Pipeline
) -> TrueValues:
    """For each design, the true value of every system; made once for equal trainings.

    Systems are tuned as in the study, not by the truth.
    """
    pipeline.tuner.base = replace(base, judged_by=parse("judged_by", "test"))
    empty = np.full((len(designs), len(base.names)), np.nan)
    found = TrueValues(empty)
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
        found.notes = found.notes or base.judged_by.notes(data.folds[0].train)
        for scores, places in zip(
            pipeline.score(data, conditions[key]), experiments.values(), strict=True
        ):
            found.add(scores, places)
    return found


class TrueValues:
    """The true value of every system under every design, and what each user adds to it."""

    def __init__(self, values: Floats) -> None:
        self.values, self.notes = values, tuple[str, ...]()
        self._shares = list[tuple[Ids, UserShares]]()
        self._places = np.zeros(len(values), dtype=np.int64)

    def add(self, scores: Scores, places: Sequence[int]) -> None:
        """Note the scores in truth of the systems of some designs, whose training is the same."""
        aggregation = SummaryChoice().aggregation
        entered = [enter(scores, system, 0) for system in range(len(scores.systems))]
        found = [aggregation.of_scores(each) if len(each) else np.nan for each in entered]
        self.values[places], self._places[places] = found, len(self._shares)
        ids = scores.user_ids
        self._shares.append((ids, user_shares(entered, len(ids))))

    def drawn(self, seeds: Seeds) -> Floats:
        """The true values with the users of the truth drawn again (draws × designs × systems)."""
        every = reduce(Ids.union, (ids for ids, _ in self._shares))
        shares = [each.among(every.encode(ids.values), len(every)) for ids, each in self._shares]
        return np.asarray(draw_truth(shares, seeds)[:, self._places])


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
    changed = {"filters": (), "relevance": like.relevance, "judged_by": parse("judged_by", "test")}
    simulated = replace(base, data=like.source, **changed)
    vary = {
        path: answers
        for path, answers in study.vary.items()
        if path in _NOT_SEEN or path.partition(".")[0] not in ("data", "filters", "relevance")
    }
    return replace(study, base=simulated, vary=vary), like
