"""Evaluation: what systems scored, summarised, with all that a reader should know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from math import isnan
from typing import TYPE_CHECKING, Any

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import NotRecorded, counted
from cranfield.base.nouns.display import Plotted, Tabular, Typeset
from cranfield.base.nouns.preview import number, preview
from cranfield.base.serialisation.plain import plain
from cranfield.collection.judgments import Judgments
from cranfield.collection.target import Targets
from cranfield.collection.topics import UserCounts
from cranfield.recommendation.runs.report import RunReport
from cranfield.scoring.breakdown import Breakdown
from cranfield.scoring.metric import is_better_higher
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import Summary
from cranfield.significance.group_spread import GroupSpread, group_spreads, spread_table
from cranfield.view.names import Label, labels_of
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.remaining import without_systems
from cranfield.workbench.definition.table import write_table

if TYPE_CHECKING:
    from cranfield.recommendation.foreign.description import ModelDescription

NO_CATALOGUE = (
    "neither training ratings nor a catalogue is given, so random rankings, chance-adjusted "
    "values, AUC and catalogue coverage are not known"
)
"""Why random rankings, adjusted values, AUC and catalogue coverage have no value."""


@dataclass(frozen=True, kw_only=True)
class TargetRecord:
    """What a record has of targets, which themselves are not written.

    ``judgments`` and ``targets`` are fingerprints, ``unknown_random`` the reason why it is
    not known what a random ranking would get.
    """

    judgments: str
    targets: tuple[str, ...]
    unknown_random: str


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Evaluation(Plotted, Typeset, Tabular):
    """Scores, their summary, and notes on the runs.

    ``lists`` has for each system its value by each metric of whole runs. ``breakdowns``
    are the values within groups of users or items. ``reports`` hold what was odd in
    runs that were read, ``notes`` say it in words. ``target_sets`` are the targets of each fold,
    ``users`` who of the test users is in them. ``failed`` has for each system that failed
    the reason; it is in nothing else, though ``experiment`` asks for it. Where it was read
    from a folder, it has no target sets, and ``recorded`` is what is known of them.
    """

    experiment: Experiment
    scores: Scores
    summary: Summary
    lists: Mapping[str, Mapping[str, float]]
    breakdowns: tuple[Breakdown, ...]
    reports: Mapping[str, RunReport]
    notes: tuple[str, ...]
    target_sets: tuple[Targets, ...]
    users: UserCounts
    failed: Mapping[str, str] = field(default_factory=dict)
    recorded: TargetRecord | None = None

    @property
    def evaluated(self) -> Experiment:
        """The experiment without the systems that failed."""
        return without_systems(self.experiment, self.failed)

    @property
    def judgments(self) -> Judgments:
        """What the rankings of the first fold were judged by."""
        if self.recorded is not None:
            raise NotRecorded("judgments")
        return self.target_sets[0].judgments

    @property
    def unknown_random(self) -> str:
        """Why it is not known what a random ranking would get; nothing if it is known."""
        if self.recorded is not None:
            return self.recorded.unknown_random
        known = all(each.collection.has_catalogue for each in self.target_sets)
        return "" if known or not self.experiment.targets.needs_catalogue else NO_CATALOGUE

    @property
    def judgments_fingerprint(self) -> str:
        """The name of the judgments."""
        return self.recorded.judgments if self.recorded else self.judgments.fingerprint

    @property
    def label(self) -> Label:
        """How metrics are named for readers."""
        return labels_of((*self.experiment.metrics, *self.experiment.run_metrics))

    @property
    def unmarked(self) -> tuple[str, ...]:
        """Metrics for which a higher value is not better."""
        return tuple(str(each) for each in self.experiment.metrics if not is_better_higher(each))

    @property
    def kinds(self) -> dict[str, str]:
        """Which recommender each system is; one made in Python goes by its name."""
        found = self.experiment.systems.items()
        return {name: str(getattr(each, "option_name", name)) for name, each in found}

    @property
    def models(self) -> dict[str, ModelDescription]:
        """What is known of the systems that are models of the user's."""
        from cranfield.recommendation.adapter import Adapted  # loaded if there is one

        found = self.experiment.systems.items()
        return {name: each.description for name, each in found if isinstance(each, Adapted)}

    @property
    def group_spreads(self) -> dict[str, tuple[GroupSpread, ...]]:
        """How far the groups of each breakdown are apart, by its name."""
        return {each.name: group_spreads(each) for each in self.breakdowns}

    def __repr__(self) -> str:
        metrics, rows = self.summary.preview_rows()
        title = [self.experiment.title] if self.experiment.title else []
        sizes = counted(len(rows), "system"), counted(self.users.users, "user")
        failed = [f"failed: {', '.join(self.failed)}"] if self.failed else []
        extra = list(map(str, self.experiment.run_metrics))
        whole = [
            [*row, *(number(self.lists[row[0]][metric]) for metric in extra)] for row in rows
        ] or [[name, *map(number, values.values())] for name, values in self.lists.items()]
        return preview(
            type(self).__name__, [*title, *sizes, *failed], whole, ["", *metrics, *extra]
        )

    def to_polars(self) -> pl.DataFrame:
        """The table of the summary, then a row per system and metric of whole runs."""
        of_runs = [
            {"system": system, "metric": metric, "value": None if isnan(value) else value}
            for system, values in self.lists.items()
            for metric, value in values.items()
        ]
        table = self.summary.to_polars()
        kept = {name: table.schema[name] for name in ("system", "metric", "value")}
        return pl.concat([table, pl.DataFrame(of_runs, schema=kept)], how="diagonal")

    def to_dict(self) -> dict[str, Any]:
        """For JSON: systems → metrics → numbers, decisions, fingerprint, notes."""
        record: dict[str, Any] = {
            "systems": values_of(self),
            "decisions": write_table(self.experiment, complete=True),
            "judgments": self.judgments_fingerprint,
            "unknown_random": self.unknown_random,
            "users": self.users.to_dict(),
            "notes": list(self.notes),
        }
        if self.models:
            record["models"] = plain(self.models)
        if self.failed:
            record["failed"] = dict(self.failed)
        if self.breakdowns:
            record["by"] = {each.name: each.to_polars().to_dicts() for each in self.breakdowns}
            spreads = {name: spread_table(each) for name, each in self.group_spreads.items()}
            record["group_spreads"] = {name: each.to_dicts() for name, each in spreads.items()}
        return record


def values_of(evaluation: Evaluation) -> dict[str, Any]:
    """Systems → metrics → numbers, those of whole runs too; what is not known is null."""
    systems: dict[str, Any] = evaluation.summary.to_dict()["systems"]
    for system, values in evaluation.lists.items():
        for metric, value in values.items():
            known = None if isnan(value) else value
            systems.setdefault(system, {})[metric] = {"value": known}
    return systems
