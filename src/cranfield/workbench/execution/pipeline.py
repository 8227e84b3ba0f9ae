"""The pipeline: from the decisions of cells to the scores of their systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from cranfield.base.progress import Bar
from cranfield.collection.split import Fold
from cranfield.scoring.folds import join_folds
from cranfield.scoring.scores import Counts, Floats, Scores
from cranfield.workbench.definition.experiment import spelled_fully
from cranfield.workbench.execution.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.prepared_data import JudgedFold, PreparedData, judge_fold
from cranfield.workbench.execution.system_pass import SystemPass, SystemSpec
from cranfield.workbench.execution.timing import Timing
from cranfield.workbench.store.store import Store

Watch = Callable[[str, SystemOutput, JudgedFold], None]
"""Told of each system's rankings on each fold while they are in memory."""

Scored = dict[str, tuple[Floats, Counts]]
"""By system: its scores, and the lengths of its lists."""


class Pipeline:
    """Runs stages, keeps what they make, and counts the seconds that each takes."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.timing = Timing()

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds of each stage so far."""
        return self.timing.seconds

    def score(
        self,
        material: PreparedData,
        cells: Sequence[RankingCondition],
        watch: Mapping[int, Watch] | None = None,
        bar: Bar | None = None,
    ) -> list[Scores]:
        """The scores of cells that share their material, one after the other.

        Each system is fitted once per fold, and ranks the targets of all cells in one
        pass. Only the hits of one system are in memory at a time.
        """
        found: list[list[Scores]] = [[] for _ in cells]
        for fold in material.folds:
            with self.timing.of("targets"):
                judged = [judge_fold(material, fold, cell.experiment) for cell in cells]
            made = self._fold(fold, list(zip(cells, judged, strict=True)), watch or {}, bar)
            for place, cell in enumerate(cells):
                found[place].append(_scores(cell, judged[place], made[place]))
        return [join_folds(parts) for parts in found]

    def _fold(
        self,
        fold: Fold,
        cells: Sequence[tuple[RankingCondition, JudgedFold]],
        watch: Mapping[int, Watch],
        bar: Bar | None,
    ) -> list[Scored]:
        """What every system scored on one fold, by cell."""
        found: list[Scored] = [{} for _ in cells]
        for places, named in _by_system([cell for cell, _ in cells]):
            some = {place: cells[place] for place in places}
            asked = SystemPass(named, fold.train, some, self.store, self.timing)
            for place, made in asked.made():
                found[place][named.name] = (made.values, made.hits.lengths)
                if place in watch:
                    watch[place](named.name, made, cells[place][1])
            if bar is not None:
                bar.advance()
        return found


def _by_system(cells: Sequence[RankingCondition]) -> Iterator[tuple[list[int], SystemSpec]]:
    """Every different system, with the cells that have it under the same name."""
    found: dict[tuple[str, object], tuple[list[int], SystemSpec]] = {}
    for place, cell in enumerate(cells):
        experiment = cell.experiment
        for name, system in experiment.systems.items():
            key = (name, spelled_fully(system) or id(system))
            found.setdefault(key, ([], SystemSpec(name, system, None)))[0].append(place)
        for name, file in experiment.runs.items():
            found.setdefault((name, file), ([], SystemSpec(name, None, file)))[0].append(place)
    yield from found.values()


def _scores(cell: RankingCondition, judged: JudgedFold, made: Scored) -> Scores:
    targets = judged.targets
    return Scores.from_systems(
        targets.topics,
        targets.train.user_ids,
        tuple(map(str, cell.metrics)),
        {name: made[name][0] for name in cell.experiment.names},
        {name: made[name][1] for name in cell.experiment.names},
        judgments=targets.judgments,
    )
