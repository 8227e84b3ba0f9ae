"""The pipeline: from the decisions of cells to the scores of their systems."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from cranfield.base.errors import CranfieldError
from cranfield.base.progress import Bar
from cranfield.base.seeds import Seeds
from cranfield.collection.split import Fold
from cranfield.collection.target import Targets
from cranfield.collection.topics import Topics
from cranfield.recommendation import ranking
from cranfield.recommendation.choice import RankingChoice
from cranfield.recommendation.hits import Hits
from cranfield.recommendation.locating import locate
from cranfield.recommendation.ranking import Ranked
from cranfield.recommendation.recommender import Predictor, Recommender
from cranfield.recommendation.run import Run
from cranfield.recommendation.run_files import read_run
from cranfield.recommendation.run_report import RunRules
from cranfield.scoring.folds import join_folds
from cranfield.scoring.measure import measure
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Floats, Scores
from cranfield.workbench import kept
from cranfield.workbench.experiment import Experiment, spelled_fully
from cranfield.workbench.material import Judged, Material, fit_inputs, judge_fold, judged_inputs
from cranfield.workbench.store import Entry, Store


@dataclass(frozen=True, kw_only=True, eq=False)
class Cell:
    """Decisions up to the rankings, and the metrics that the rankings are scored by.

    ``depth`` is how much of each list is kept for a look at the lists; 0 for none of it.
    ``lenient`` scores are undefined where a metric cannot be computed at all, as with
    gains that do not suit it; else that is an error.
    """

    experiment: Experiment
    metrics: tuple[Metric, ...]
    depth: int = 0
    lenient: bool = False


@dataclass(frozen=True, eq=False)
class Made:
    """What one system made of one fold of one cell."""

    values: Floats
    hits: Hits
    run: Run | None


Watch = Callable[[str, Made, Judged], None]
"""Told of each system's rankings on each fold while they are in memory."""


@dataclass(eq=False)
class Pipeline:
    """Runs stages, keeps what they make, and counts the seconds that each takes."""

    store: Store
    seconds: dict[str, float] = field(default_factory=dict)

    def score(
        self,
        material: Material,
        cells: Sequence[Cell],
        watch: Mapping[int, Watch] | None = None,
        bar: Bar | None = None,
    ) -> list[Scores]:
        """The scores of cells that share their material, one after the other.

        Each system is fitted once per fold, and ranks the targets of all cells in one
        pass. Only the hits of one system are in memory at a time.
        """
        found: list[list[Scores]] = [[] for _ in cells]
        for fold in material.folds:
            with self._timing("targets"):
                judged = [judge_fold(material, fold, cell.experiment) for cell in cells]
            made = self._fold(fold, cells, judged, watch or {}, bar)
            for place, cell in enumerate(cells):
                found[place].append(_scores(cell, judged[place], made[place]))
        return [join_folds(parts) for parts in found]

    def _fold(
        self,
        fold: Fold,
        cells: Sequence[Cell],
        judged: Sequence[Judged],
        watch: Mapping[int, Watch],
        bar: Bar | None,
    ) -> list[dict[str, tuple[Floats, Any]]]:
        """For each cell and system: its scores on the fold, and the lengths of its lists."""
        made: list[dict[str, tuple[Floats, Any]]] = [{} for _ in cells]
        for places, named in _by_system(cells):
            for place, one in zip(
                places, self._rankings(fold, cells, judged, places, named), strict=True
            ):
                made[place][named.name] = (one.values, one.hits.lengths)
                if place in watch:
                    watch[place](named.name, one, judged[place])
            if bar is not None:
                bar.advance()
        return made

    def _rankings(
        self,
        fold: Fold,
        cells: Sequence[Cell],
        judged: Sequence[Judged],
        places: Sequence[int],
        named: _Named,
    ) -> Iterator[Made]:
        """What one system made of some cells, one at a time."""
        if named.file is not None:
            for place in places:
                yield self._from_file(fold, cells[place], judged[place], named)
            return
        ranked = self._ranked(fold, cells, judged, places, named)
        for place in places:
            hits, run, key = ranked(place)
            yield Made(self._measured(hits, key, cells[place], judged[place]), hits, run)

    def _ranked(
        self,
        fold: Fold,
        cells: Sequence[Cell],
        judged: Sequence[Judged],
        places: Sequence[int],
        named: _Named,
    ) -> Callable[[int], tuple[Hits, Run | None, dict[str, Any] | None]]:
        """Hits and lists by cell: from the store, or from one pass for all that lack."""
        system, spelling = named.system, spelled_fully(named.system)
        assert system is not None
        inputs = {
            place: {
                "system": spelling,
                **judged_inputs(cells[place].experiment, judged[place].targets),
            }
            for place in places
        }
        kept_by = self.store if spelling is not None else Store(None)
        lacking = [
            place
            for place in places
            if not kept_by.has("hits", inputs[place])
            or (cells[place].depth and not kept_by.has("lists", _with_depth(inputs, place, cells)))
        ]
        fresh: dict[int, Ranked] = {}

        def make(some: Sequence[int]) -> None:
            seed = cells[some[0]].experiment.seed
            predictor = self._fitted(fold, system, spelling, seed)
            for choice, together in _by_choice(cells, some).items():
                targets = [judged[place].targets for place in together]
                with self._timing("ranking"):
                    ranked = ranking.rank(predictor, targets, choice, named.name)
                fresh.update(zip(together, ranked, strict=True))

        def ranked_at(place: int) -> Ranked:
            if place not in fresh:
                make([place])
            return fresh[place]

        if lacking:
            make(lacking)

        def take(place: int) -> tuple[Hits, Run | None, dict[str, Any] | None]:
            entry = kept_by.fetch(
                "hits", inputs[place], lambda: kept.keep_hits(ranked_at(place).hits)
            )
            run = None
            if cells[place].depth:
                lists = kept_by.fetch(
                    "lists",
                    _with_depth(inputs, place, cells),
                    lambda: kept.keep_run(ranked_at(place).run),
                )
                run = kept.take_run(lists, named.name)
            fresh.pop(place, None)
            return kept.take_hits(entry), run, inputs[place] if spelling is not None else None

        return take

    def _fitted(
        self, fold: Fold, system: Recommender, spelling: str | None, seed: int
    ) -> Predictor:
        """A system that has learnt from the training ratings."""
        train = fold.train

        def fit() -> Predictor:
            with self._timing("fitting"):
                return system.fit(train, Seeds(seed).child("fit", str(system)))

        if spelling is None:
            return fit()
        inputs = fit_inputs(train, spelling, seed)
        entry = self.store.fetch("fit", inputs, lambda: kept.keep_predictor(fit()))
        return kept.take_predictor(entry)

    def _measured(
        self, hits: Hits, inputs: dict[str, Any] | None, cell: Cell, judged: Judged
    ) -> Floats:
        names = [str(metric) for metric in cell.metrics]

        def score() -> Entry:
            with self._timing("scoring"):
                values = _measure(hits, cell, judged.popularity)
            return Entry({"values": np.ascontiguousarray(values)})

        if inputs is None:
            return score().arrays["values"]
        wanted = {**inputs, "metrics": names, "lenient": cell.lenient}
        return self.store.fetch("scores", wanted, score).arrays["values"]

    def _from_file(self, fold: Fold, cell: Cell, judged: Judged, named: _Named) -> Made:
        """The lists of a run that was made elsewhere."""
        train, experiment = fold.train, cell.experiment
        with self._timing("reading runs"):
            run = read_run(
                named.file,
                user_ids=train.user_ids,
                item_ids=train.item_ids,
                train=train,
                system=named.name,
                rules=RunRules(ties="trec_eval" if experiment.ties == "trec_eval" else "item-id"),
            ).run
        hits = locate(run, judged.targets, experiment.ties, experiment.seed)
        users = Topics(np.unique(judged.targets.topics.users))
        lists = run.for_users(users).cut(cell.depth) if cell.depth else None
        return Made(self._measured(hits, None, cell, judged), hits, lists)

    @contextmanager
    def _timing(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - start
            self.seconds[stage] = self.seconds.get(stage, 0.0) + spent


def _measure(hits: Hits, cell: Cell, popularity: Floats) -> Floats:
    """The scores by all metrics; by one at a time if that is how far it goes."""
    way: Literal["ranked", "expected"]
    way = "expected" if cell.experiment.ties == "expected" else "ranked"
    try:
        return measure(hits, cell.metrics, popularity=popularity, ties=way)
    except CranfieldError:
        if not cell.lenient:
            raise
        if len(cell.metrics) == 1:
            return np.full((1, len(hits)), np.nan)
    alone = [replace(cell, metrics=(metric,)) for metric in cell.metrics]
    return np.concatenate([_measure(hits, each, popularity) for each in alone])


@dataclass(frozen=True, eq=False)
class _Named:
    """A system under the name that some cells give it: a recommender, or a file of lists."""

    name: str
    system: Recommender | None
    file: str | None


def _by_system(cells: Sequence[Cell]) -> Iterator[tuple[list[int], _Named]]:
    """Every different system, with the cells that have it under the same name."""
    found: dict[tuple[str, object], tuple[list[int], _Named]] = {}
    for place, cell in enumerate(cells):
        experiment = cell.experiment
        for name, system in experiment.systems.items():
            key = (name, spelled_fully(system) or id(system))
            found.setdefault(key, ([], _Named(name, system, None)))[0].append(place)
        for name, file in experiment.runs.items():
            found.setdefault((name, file), ([], _Named(name, None, file)))[0].append(place)
    yield from found.values()


def _by_choice(cells: Sequence[Cell], places: Sequence[int]) -> dict[RankingChoice, list[int]]:
    """Cells that can be ranked in one pass: those with the same ties and NC policy."""
    found: dict[RankingChoice, list[int]] = {}
    for place in places:
        experiment = cells[place].experiment
        choice = RankingChoice(
            ties=experiment.ties,
            unscored=experiment.unscored,
            depth=max(cells[place].depth, 1),
            seed=experiment.seed,
        )
        found.setdefault(choice, []).append(place)
    return found


def _with_depth(
    inputs: Mapping[int, dict[str, Any]], place: int, cells: Sequence[Cell]
) -> dict[str, Any]:
    return {**inputs[place], "depth": cells[place].depth}


def _scores(cell: Cell, judged: Judged, made: Mapping[str, tuple[Floats, Any]]) -> Scores:
    targets: Targets = judged.targets
    names = [name for name in cell.experiment.names if name in made]
    return Scores.from_systems(
        targets.topics,
        targets.train.user_ids,
        tuple(map(str, cell.metrics)),
        {name: made[name][0] for name in names},
        {name: made[name][1] for name in names},
        judgments=targets.judgments,
    )
