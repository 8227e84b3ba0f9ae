"""Tuner: chooses a setting for every system that has ranges, once per fold."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, isnan, nan
from typing import Any

from cranfield.base.decisions import Table
from cranfield.base.options import parse, spell_fully
from cranfield.base.progress import bar
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.recommender import Recommender
from cranfield.scoring.metric import is_better_higher
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.definition.side_tables import object_text
from cranfield.workbench.definition.study.remaining import without_systems
from cranfield.workbench.definition.tuning import Budget, Seconds, Tuning, trials_of
from cranfield.workbench.execution.data.prepared_data import PreparedData, part_filters
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.execution.systems.failures import (
    Failures,
    noting,
    of_system,
    reasons_of,
    refuse_all_failed,
)
from cranfield.workbench.execution.systems.trial_data import KIND, entry_of, holds_trial
from cranfield.workbench.execution.validation import Validation, validation_split
from cranfield.workbench.execution.workers.task import Done
from cranfield.workbench.execution.workers.trials import TrialWork
from cranfield.workbench.execution.workers.workers import Workers
from cranfield.workbench.store.store import Store
from cranfield.workbench.tuning.search import Proposal
from cranfield.workbench.tuning.space import is_open, ranges_of
from cranfield.workbench.tuning.trials import Trial, Tuned, edges_of, recorded_value

_MOST = 4
"""Validation parts that stay in memory."""


class Tuner:
    """Tunes each system once for its data, fold, seed and the decisions on tuning.

    ``base`` has the decisions by which settings are judged, whatever designs of a study vary;
    without one, they are those of the experiment itself. With ``workers``, these first try what
    a search proposes, and leave it in the store, which is theirs.
    """

    def __init__(self, store: Store, timing: Timing, workers: Workers | None = None) -> None:
        self.base: Experiment | None = None
        self._place_of_work = store, timing, workers
        self._timing = timing
        self._validations: OrderedDict[tuple[Any, ...], Validation] = OrderedDict()
        self._tuned: dict[tuple[Any, ...], Tuned] = {}
        self._timed: dict[tuple[str, str, Budget], Seconds] = {}

    def tuned(self, name: str, experiment: Experiment, data: PreparedData, fold: int) -> Tuned:
        """The trials of a system on the training part of a fold, made at the first call.

        How many trials a budget in seconds allows is found out once, and then holds.
        """
        tuning, system = _tuning_of(experiment), experiment.systems[name]
        asked = (name, spell_fully(system), tuning.budget_of(name))
        budget = self._timed.get(asked, asked[2])
        validation = self.validation(experiment, data, fold)
        key = (*self._place(experiment, data, fold), *asked[:2], budget, tuning.search)
        if key not in self._tuned:
            made = _Tuning(name, system, validation, *self._place_of_work).search(tuning, budget)
            if isinstance(budget, Seconds) and budget.trials is None:
                budget = self._timed[asked] = replace(budget, trials=made.settings)
                key = (*key[:-2], budget, tuning.search)
            self._tuned[key] = replace(made, fold=fold, budget=str(budget))
        return self._tuned[key]

    def settle(
        self,
        condition: RankingCondition,
        data: PreparedData,
        fold: int,
        failed: Failures | None = None,
    ) -> RankingCondition:
        """The condition with the chosen setting of every system that has ranges.

        A system none of whose settings can be fitted is noted in ``failed``, and left out.
        """
        experiment = condition.experiment
        names = [name for name, each in experiment.systems.items() if is_open(each)]
        if not names:
            return condition
        systems, parts = dict(experiment.systems), dict[str, Ratings]()
        for name in (each for each in names if each not in (failed or {})):
            with noting(name, failed):
                chosen = self.tuned(name, experiment, data, fold).chosen
                systems[name] = parse("recommender", chosen.system)
                if _tuning_of(experiment).refit == "train":
                    validation = self.validation(experiment, data, fold)
                    parts[name] = validation.learnt_from(data.folds[fold].train)
        refuse_all_failed(experiment.names, failed or {})
        settled = replace(experiment, systems=systems)
        remaining = without_systems(settled, [name for name in names if name in (failed or {})])
        return replace(condition, experiment=remaining, learnt_from=parts)

    def all_tuned(
        self, experiment: Experiment, data: PreparedData, names: Sequence[str]
    ) -> tuple[Tuned, ...]:
        """What became of the named systems that have ranges, fold by fold."""
        return tuple(
            self.tuned(name, experiment, data, fold)
            for name, system in experiment.systems.items()
            if is_open(system) and name in names
            for fold in range(len(data.folds))
        )

    def validation(self, experiment: Experiment, data: PreparedData, fold: int) -> Validation:
        """The part of the training ratings on which settings are tried; the last stay in memory."""
        key = self._place(experiment, data, fold)
        if key not in self._validations:
            with self._timing.of("tuning"):
                made = Validation(self.base or experiment, experiment, data, fold)
            self._validations[key] = made
            while len(self._validations) > _MOST:
                self._validations.popitem(last=False)
        self._validations.move_to_end(key)
        return self._validations[key]

    def _place(self, experiment: Experiment, data: PreparedData, fold: int) -> tuple[Any, ...]:
        """What the validation part, and what settings are judged by, depend on."""
        tuning = _tuning_of(experiment)
        return (
            data.unfiltered[fold].train.fingerprint,
            part_filters(experiment),
            object_text(experiment.catalogue),
            object_text(validation_split(tuning, data)),
            tuning.metric,
            experiment.seed if tuning.seed is None else tuning.seed,
            self.base or experiment,
        )


def _tuning_of(experiment: Experiment) -> Tuning:
    assert experiment.tuning is not None  # an experiment with ranges always has it
    return experiment.tuning


class _Tuning:
    """One search for the best setting of one system."""

    def __init__(
        self,
        name: str,
        system: Recommender,
        validation: Validation,
        store: Store,
        timing: Timing,
        workers: Workers | None,
    ) -> None:
        self._name, self._system, self._validation = name, system, validation
        self._store, self._timing, self._workers = store, timing, workers
        self._done: dict[tuple[int, float], Done] = {}
        self._higher = is_better_higher(validation.metric)
        self._failed = Failures()

    def search(self, tuning: Tuning, budget: Budget) -> Tuned:
        """Try what the search proposes, as long as the budget allows."""
        trials = list(self._trials(tuning, budget))
        made = Tuned(
            name=self._name,
            fold=0,
            asked=spell_fully(self._system),
            metric=str(self._validation.metric),
            higher_is_better=self._higher,
            validation=spelled_fully(self._validation.splitter)
            or object_text(self._validation.splitter),
            search=str(tuning.search),
            budget=str(budget),
            trials=tuple(trials),
        )
        if not made.finished:
            with of_system():
                raise next(iter(self._failed.values()))
        return replace(made, edges=edges_of(made.chosen, ranges_of(self._system)))

    def _trials(self, tuning: Tuning, budget: Budget) -> Iterator[Trial]:
        most = trials_of(budget)
        seeds = Seeds(self._validation.seed).child("tuning", "search", spell_fully(self._system))
        proposals = tuning.search.propose(self._system, seeds, most)
        spent, batch = 0.0, next(proposals)
        with bar(f"tuning {self._name}", most or 0) as shown:
            while batch:
                self._send(batch)
                values = []
                for proposal in batch:
                    trial = self._try(proposal)
                    yield trial
                    shown.advance()
                    spent += trial.seconds
                    values.append(self._goodness(trial.value))
                timed_out = isinstance(budget, Seconds) and most is None and spent >= budget.seconds
                batch = [] if timed_out else _next(proposals, values)

    def _send(self, batch: Sequence[Proposal]) -> None:
        """Have workers, if there are any, try what the store lacks of some proposals."""
        if self._workers is None:
            return
        for share in dict.fromkeys(each.share for each in batch):
            with self._timing.of("tuning", self._name):
                some = {each.number: each.setting.option for each in batch if each.share == share}
                inputs = {at: self._validation.inputs(each, share) for at, each in some.items()}
            work = TrialWork(self._name, self._validation.data(share), some, inputs)
            done = self._workers.try_out(work)
            self._done.update({(number, share): each for (_, number), each in done.items()})

    def _try(self, proposal: Proposal) -> Trial:
        setting, failed = proposal.setting, Failures()
        value, seconds = nan, 0.0
        with noting(self._name, failed), self._timing.of("tuning", self._name):
            value, seconds = self._value(proposal)
        self._failed.update({str(proposal.number): each for each in failed.values()})
        return Trial(
            number=proposal.number,
            parameters={path: recorded_value(each) for path, each in setting.values.items()},
            system=spell_fully(setting.option),
            value=value,
            seconds=seconds,
            seed=self._validation.seed,
            share=proposal.share,
            failed=reasons_of(failed).get(self._name, ""),
        )

    def _value(self, proposal: Proposal) -> tuple[float, float]:
        """The value of a setting and its seconds, from the store where they are known."""
        system, share = proposal.setting.option, proposal.share
        done = self._done.get((proposal.number, share))
        if done is not None and done.failure is not None:
            with of_system():
                raise done.failure
        if self._store.folder is None:
            return self._validation.value(system, share)
        facts = self._store.fetch(
            KIND,
            self._validation.inputs(system, share),
            lambda: entry_of(*self._validation.value(system, share)),
            holds_trial,
        ).facts
        return nan if facts["value"] is None else facts["value"], facts["seconds"]

    def _goodness(self, value: float) -> float:
        if isnan(value):
            return -inf
        return value if self._higher else -value


def _next(proposals: Any, values: Sequence[float]) -> Sequence[Proposal]:
    try:
        found: Sequence[Proposal] = proposals.send(values)
    except StopIteration:
        return []
    return found


def with_known_budgets(experiment: Experiment, tuned: Sequence[Tuned]) -> Experiment:
    """The experiment with the number of trials that every budget in seconds allowed."""
    tuning = experiment.tuning
    if tuning is None or all(each.budget.isdecimal() for each in tuned):
        return experiment
    given: Mapping[str, Any] = tuning.budget if isinstance(tuning.budget, Mapping) else {}
    budgets = Table({**given, **{each.name: each.budget for each in tuned}})
    return replace(experiment, tuning=replace(tuning, budget=budgets))
