"""One recommender on one fold: fitted once, one pass over users for all conditions that lack it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from time import process_time
from typing import Any

import numpy as np

from cranfield.base.errors import OptionError
from cranfield.base.files import fingerprint
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.recommendation.ranking import rank as ranking
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.runs.run import Run
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.definition.item_labels import label_fingerprints
from cranfield.workbench.execution.data.prepared_data import fit_inputs, ranking_inputs
from cranfield.workbench.execution.resources.fit_times import note_fit
from cranfield.workbench.execution.resources.timing import Timing
from cranfield.workbench.execution.systems.conditions import (
    RankingCondition,
    SystemOutput,
    hits_inputs,
)
from cranfield.workbench.execution.systems.failures import Failures, noting, of_system
from cranfield.workbench.execution.systems.weighing import propensity_inputs
from cranfield.workbench.store import encoding
from cranfield.workbench.store.store import Entry, Store
from cranfield.workbench.tuning.space import is_open


class RecommenderPass:
    """What one recommender makes of some conditions of one fold.

    Everything is stored by what it was computed from; what a user made in Python has no
    spelling to be known by, and is not stored, unless it is given one for the time being.
    """

    def __init__(
        self,
        name: str,
        recommender: Recommender,
        train: Ratings,
        conditions: Mapping[int, tuple[RankingCondition, Targets]],
        store: Store,
        timing: Timing,
        *,
        spelling: str | None = None,
    ) -> None:
        self._name, self._recommender = name, recommender
        self._part = next(iter(conditions.values()))[0].learnt_from.get(name)
        self._train = train if self._part is None else self._part
        self._conditions, self._timing = conditions, timing
        self._spelling = spelling or spelled_fully(recommender)
        self._store = store if self._spelling is not None else Store(None)
        self._inputs = {place: self._inputs_of(*each) for place, each in conditions.items()}
        self._reaches = {place: self._reach_of(place) for place in conditions}
        self._fresh: dict[int, Ranked] = {}

    def outputs(self, fold: int) -> Iterator[tuple[int, SystemOutput]]:
        """What was made of each condition, one at a time."""
        lacking = [place for place in self._conditions if self._lacks(place)]
        if lacking:
            self._rank(lacking)
        for place in self._conditions:
            yield place, self._output(place, fold)
            self._fresh.pop(place, None)

    def entries(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The kinds and inputs of all that `outputs` takes from the store, or leaves in it."""
        for place, (condition, _) in self._conditions.items():
            yield "hits", self._inputs_of_hits(place)
            if condition.depth_of_lists != 0:
                yield "lists", self._inputs_of_lists(place)
            yield "scores", self._inputs_of_scores(place)

    def fit(self) -> None:
        """Leave the fitted recommender in the store, and nothing else."""
        self._fitted()

    def put(self, place: int, hits: Hits, lists: Run | None) -> None:
        """Store what was made of a condition elsewhere, some users after others."""
        targets = self._conditions[place][1]
        entry = encoding.hits_coding(targets).encode(hits)
        self._store.put("hits", self._inputs[place], entry)
        if lists is not None:
            entry = encoding.run_coding(targets, self._name).encode(lists)
            self._store.put("lists", self._inputs_of_lists(place), entry)

    @property
    def is_stored(self) -> bool:
        """Whether the store has an entry of all that `outputs` takes from it."""
        return all(self._store.has(*entry) for entry in self.entries())

    def fit_entry(self) -> tuple[str, dict[str, Any]]:
        """The kind and the inputs of the fitted recommender."""
        return "fit", fit_inputs(self._train, str(self._spelling), self._seed)

    @property
    def _seed(self) -> int:
        """What the recommender is fitted by, which is the same under all conditions."""
        first = next(iter(self._conditions.values()))[0]
        return first.experiment.seed if first.fit_seed is None else first.fit_seed

    def _inputs_of(self, condition: RankingCondition, targets: Targets) -> dict[str, Any]:
        if self._store.folder is None:
            return {}
        inputs = {"system": self._spelling, **ranking_inputs(condition.experiment, targets)}
        if self._part is not None:
            inputs["learnt_from"] = self._part.fingerprint
        other = condition.fit_seed
        return inputs if other is None else {**inputs, "fit_seed": other}

    def _reach_of(self, place: int) -> int | None:
        """Down to which rank hits are needed; where the store has whole ones, they will do."""
        whole = self._store.has("hits", self._inputs[place])
        return None if whole else self._conditions[place][0].reach(self._train.n_items)

    def _inputs_of_hits(self, place: int) -> dict[str, Any]:
        return hits_inputs(self._inputs[place], self._reaches[place])

    def _inputs_of_lists(self, place: int) -> dict[str, Any]:
        return {**self._inputs[place], "list_depth": self._conditions[place][0].depth_of_lists}

    def _inputs_of_scores(self, place: int) -> dict[str, Any]:
        condition, targets = self._conditions[place]
        inputs = {
            **self._inputs[place],
            "metrics": [str(metric) for metric in condition.metrics],
            "lenient": condition.lenient,
        }
        if (vectors := condition.item_vectors(targets)) is not None:
            inputs["item_vectors"] = fingerprint(vectors)
        if labels := condition.item_labels(targets):
            inputs["item_labels"] = label_fingerprints(labels)
        return {**inputs, **propensity_inputs(condition.metrics, condition.experiment.seed)}

    def _lacks(self, place: int) -> bool:
        """Whether the store has not all that a condition needs."""
        listed = self._conditions[place][0].depth_of_lists != 0
        return not self._store.has("hits", self._inputs_of_hits(place)) or (
            listed and not self._store.has("lists", self._inputs_of_lists(place))
        )

    def _rank(self, places: Sequence[int]) -> None:
        """One pass for all conditions that order items in the same way."""
        predictor = self._fitted()
        together: dict[Any, list[int]] = {}
        for place in places:
            condition = self._conditions[place][0]
            alike = condition.ranking_choice(self._train.n_items), self._reaches[place]
            together.setdefault(alike, []).append(place)
        for (choice, reach), some in together.items():
            targets = [self._conditions[place][1] for place in some]
            with self._timing.of("ranking", self._name), of_system():
                ranked = ranking.rank(predictor, targets, choice, self._name, reach=reach)
            self._fresh.update(zip(some, ranked, strict=True))

    def _ranked(self, place: int) -> Ranked:
        if place not in self._fresh:
            self._rank([place])
        return self._fresh[place]

    def _fitted(self) -> Predictor:
        """The recommender, having learnt from the training ratings.

        Draws depend on the seed and on the recommender's own spelling, not on the name that
        the system has here, nor on which other systems there are.
        """
        recommender = self._recommender
        refuse_open(recommender)

        def fit() -> Predictor:
            with self._timing.of("fitting", self._name), of_system():
                seeds = Seeds(self._seed).child("fit", str(recommender))
                return recommender.fit(self._train, seeds)

        if self._store.folder is None:
            return fit()

        def timed() -> Predictor:
            start, spelling = process_time(), str(self._spelling)
            fitted = fit()
            note_fit(self._store, spelling, len(self._train), process_time() - start)
            return fitted

        coding = encoding.predictor_coding(self._train)
        return self._store.load(*self.fit_entry(), timed, coding)

    def _output(self, place: int, fold: int) -> SystemOutput:
        condition, targets = self._conditions[place]
        hits, lists = condition.with_propensities(self._hits(place), targets), None
        if condition.depth_of_lists != 0:
            lists = self._store.load(
                "lists",
                self._inputs_of_lists(place),
                lambda: self._ranked(place).run,
                encoding.run_coding(targets, self._name),
            )
            depth = condition.experiment.depth
            lists = lists if depth is None else lists.cut(depth)
            hits = condition.with_lists(hits, self._as_ratings(lists), targets)
        wanted, shape = self._inputs_of_scores(place), (len(condition.metrics), len(targets.topics))
        scores = self._store.fetch(
            "scores", wanted, lambda: self._scored(hits, place), _holds_values(shape)
        )
        return SystemOutput(self._name, fold, targets, scores.arrays["values"], hits, lists)

    def _as_ratings(self, lists: Run) -> Run:
        """The lists with predictions that are ratings, as those of a user's model may be."""
        if getattr(self._recommender, "predicts_ratings", True):
            return lists
        return replace(lists, predictions=np.full(len(lists.items), np.nan))

    def _hits(self, place: int) -> Hits:
        condition, targets = self._conditions[place]
        depth = condition.experiment.depth

        def locate() -> Hits:
            hits = self._ranked(place).hits
            return hits if depth is None else hits.cut(depth)

        coding = encoding.hits_coding(targets)
        return self._store.load("hits", self._inputs_of_hits(place), locate, coding)

    def _scored(self, hits: Hits, place: int) -> Entry:
        condition, targets = self._conditions[place]
        with self._timing.of("scoring", self._name):
            values = condition.measure(hits, targets)
            return Entry({"values": np.ascontiguousarray(values)})


def refuse_open(recommender: Recommender) -> None:
    """Refuse ranges where nothing is tuned, and so no value is chosen."""
    if is_open(recommender):
        with of_system():
            raise OptionError(
                f"{recommender}: nothing is tuned here. Give values, or tune it in `cranfield run`."
            )


def _holds_values(shape: tuple[int, int]) -> Callable[[Entry], bool]:
    """Whether an entry has scores by so many metrics on so many topics."""

    def holds(entry: Entry) -> bool:
        values = entry.arrays.get("values")
        return values is not None and values.shape == shape and values.dtype == np.float64

    return holds


def rank_systems(
    experiment: Experiment,
    targets: Targets,
    list_depth: int,
    failed: Failures | None = None,
    *,
    whole_ranks: bool = True,
) -> Iterator[tuple[SystemOutput, Timing]]:
    """The rankings of the recommenders of an experiment, and the seconds of each.

    A system that fails is noted in ``failed``, and the others follow; without it, it is raised.
    Hits know every rank if ``whole_ranks`` are asked for.
    """
    condition = RankingCondition(
        experiment=experiment, metrics=(), list_depth=list_depth, whole_ranks=whole_ranks
    )
    asked = {0: (condition, targets)}
    for name, recommender in experiment.systems.items():
        timing = Timing()
        passing = RecommenderPass(name, recommender, targets.train, asked, Store(None), timing)
        with noting(name, failed):
            for _, output in passing.outputs(0):
                yield output, timing
