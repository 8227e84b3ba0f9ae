"""One system on one fold: fitted once, one pass over users for all cells that lack it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking import rank as ranking
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.ranking.locate import locate
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.runs.files import read_run
from cranfield.recommendation.runs.report import RunRules
from cranfield.workbench.definition.experiment import spelled_fully
from cranfield.workbench.execution.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.prepared_data import JudgedFold, fit_inputs, judged_inputs
from cranfield.workbench.execution.timing import Timing
from cranfield.workbench.store import encoding
from cranfield.workbench.store.store import Entry, Store


@dataclass(frozen=True, eq=False)
class SystemSpec:
    """A system under the name that some cells give it: a recommender, or a file of lists."""

    name: str
    system: Recommender | None
    file: str | None


class SystemPass:
    """What one system makes of some cells of one fold.

    Everything is kept by what it was made from; what a user made in Python has no text to
    be known by, and is not kept.
    """

    def __init__(
        self,
        named: SystemSpec,
        train: Ratings,
        cells: Mapping[int, tuple[RankingCondition, JudgedFold]],
        store: Store,
        timing: Timing,
    ) -> None:
        self._named, self._train, self._cells, self._timing = named, train, cells, timing
        self._spelling = spelled_fully(named.system)
        self._store = store if self._spelling is not None else Store(None)
        self._inputs = {place: self._inputs_of(*cell) for place, cell in cells.items()}
        self._fresh: dict[int, Ranked] = {}

    def made(self) -> Iterator[tuple[int, SystemOutput]]:
        """What was made of each cell, one at a time."""
        if self._named.file is not None:
            for place, (cell, judged) in self._cells.items():
                yield place, self._from_file(cell, judged)
            return
        lacking = [place for place in self._cells if self._lacks(place)]
        if lacking:
            self._rank(lacking)
        for place in self._cells:
            yield place, self._made(place)
            self._fresh.pop(place, None)

    def _inputs_of(self, cell: RankingCondition, judged: JudgedFold) -> dict[str, Any]:
        return {"system": self._spelling, **judged_inputs(cell.experiment, judged.targets)}

    def _inputs_of_lists(self, place: int) -> dict[str, Any]:
        return {**self._inputs[place], "depth": self._cells[place][0].depth}

    def _lacks(self, place: int) -> bool:
        """Whether the store has not all that a cell needs."""
        listed = self._cells[place][0].depth > 0
        return not self._store.has("hits", self._inputs[place]) or (
            listed and not self._store.has("lists", self._inputs_of_lists(place))
        )

    def _rank(self, places: Sequence[int]) -> None:
        """One pass for all cells that order items in the same way."""
        predictor = self._fitted(self._cells[places[0]][0].experiment.seed)
        together: dict[Any, list[int]] = {}
        for place in places:
            together.setdefault(self._cells[place][0].ranking_choice, []).append(place)
        for choice, some in together.items():
            targets = [self._cells[place][1].targets for place in some]
            with self._timing.of("ranking"):
                ranked = ranking.rank(predictor, targets, choice, self._named.name)
            self._fresh.update(zip(some, ranked, strict=True))

    def _ranked(self, place: int) -> Ranked:
        if place not in self._fresh:
            self._rank([place])
        return self._fresh[place]

    def _fitted(self, seed: int) -> Predictor:
        """The system, having learnt from the training ratings."""
        system = self._named.system
        assert system is not None

        def fit() -> Predictor:
            with self._timing.of("fitting"):
                return system.fit(self._train, Seeds(seed).child("fit", str(system)))

        if self._spelling is None:
            return fit()
        inputs = fit_inputs(self._train, self._spelling, seed)
        entry = self._store.fetch("fit", inputs, lambda: encoding.encode_object("predictor", fit()))
        predictor: Predictor = encoding.decode_object("predictor", entry)
        return predictor

    def _made(self, place: int) -> SystemOutput:
        cell, judged = self._cells[place]
        entry = self._store.fetch(
            "hits", self._inputs[place], lambda: encoding.encode_hits(self._ranked(place).hits)
        )
        hits, run = encoding.decode_hits(entry), None
        if cell.depth:
            lists = self._store.fetch(
                "lists",
                self._inputs_of_lists(place),
                lambda: encoding.encode_run(self._ranked(place).run),
            )
            run = encoding.decode_run(lists, self._named.name)
        wanted = {
            **self._inputs[place],
            "metrics": [str(metric) for metric in cell.metrics],
            "lenient": cell.lenient,
        }
        scores = self._store.fetch("scores", wanted, lambda: self._scored(hits, cell, judged))
        return SystemOutput(scores.arrays["values"], hits, run)

    def _scored(self, hits: Hits, cell: RankingCondition, judged: JudgedFold) -> Entry:
        with self._timing.of("scoring"):
            return Entry({"values": np.ascontiguousarray(cell.measure(hits, judged))})

    def _from_file(self, cell: RankingCondition, judged: JudgedFold) -> SystemOutput:
        """The lists of a run that was made elsewhere."""
        train, experiment = self._train, cell.experiment
        with self._timing.of("reading runs"):
            run = read_run(
                self._named.file,
                user_ids=train.user_ids,
                item_ids=train.item_ids,
                train=train,
                system=self._named.name,
                rules=RunRules(ties="trec_eval" if experiment.ties == "trec_eval" else "item-id"),
            ).run
        hits = locate(run, judged.targets, experiment.ties, experiment.seed)
        users = Topics(np.unique(judged.targets.topics.users))
        lists = run.for_users(users).cut(cell.depth) if cell.depth else None
        return SystemOutput(self._scored(hits, cell, judged).arrays["values"], hits, lists)
