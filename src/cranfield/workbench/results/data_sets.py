"""ResultsByDataSet: what was found on each of several data sets, and over all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnknownParameter, counted
from cranfield.base.nouns.display import Plotted, Tabular, Typeset
from cranfield.base.nouns.preview import preview
from cranfield.validity.data_sets.findings import FindingsOverData, OnDataSet, conclude_over_data
from cranfield.workbench.definition.data_sets import StudyOfDataSets
from cranfield.workbench.plan.data_set_changes import PlanCheckOfDataSets
from cranfield.workbench.results.results import FORMAT, Results
from cranfield.workbench.results.study_results import StudyResults

Traits = Mapping[str, Mapping[str, float]]
"""What each data set is like."""


@dataclass(frozen=True, eq=False)
class ResultsByDataSet(Plotted, Typeset, Tabular):
    """Results on several data sets, and what they say together.

    ``results["NAME"]`` are those of one data set. ``findings`` hold over all of them;
    ``traits`` are what each data set is like. ``plan`` is that which was made before, and what
    was changed since on which of them; None without one.
    """

    study: StudyOfDataSets
    by_data_set: Mapping[str, Results | StudyResults]
    traits: Traits
    findings: FindingsOverData
    plan: PlanCheckOfDataSets | None = None

    def __repr__(self) -> str:
        title = [self.study.title] if self.study.title else []
        facts = [*title, counted(len(self.by_data_set), "data set"), *self.by_data_set]
        sentences = [[each] for each in self.findings.sentences]
        return preview("ResultsByDataSet", facts, sentences, limit=400)

    def __getitem__(self, name: str) -> Results | StudyResults:
        if name not in self.by_data_set:
            raise UnknownParameter("data set", name, self.by_data_set)
        return self.by_data_set[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_data_set)

    def __len__(self) -> int:
        return len(self.by_data_set)

    def to_polars(self) -> pl.DataFrame:
        """A row per metric, pair and data set; null as the data set is over all of them."""
        rows = []
        for pair in self.findings.pairs:
            named = {"metric": pair.metric, "first": pair.first, "second": pair.second}
            rows += [{**named, **vars(each)} for each in pair.effects]
            if (over := pair.combined) is not None:
                rows.append({
                    **named, "data_set": None, "difference": over.estimate, "low": over.low,
                    "high": over.high, "error": over.error, "p_value": over.p_value,
                    "significant": over.p_value < self.study.alpha, "users": None,
                })  # fmt: skip
        return pl.DataFrame(rows, infer_schema_length=None).fill_nan(None)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: what holds over data sets; each of them has a record of its own."""
        return {
            "format": FORMAT,
            "title": self.study.title,
            "data_sets": folders_of(self.by_data_set),
            "traits": {name: dict(each) for name, each in self.traits.items()},
            "findings": self.findings.to_dict(),
            **({} if self.plan is None else {"plan": self.plan.to_dict()}),
        }


def results_by_data_set(
    study: StudyOfDataSets, found: Mapping[str, Results | StudyResults], traits: Traits
) -> ResultsByDataSet:
    """The results on each data set, with the conclusion over all of them."""
    evidence = {name: _evidence(each, traits[name]) for name, each in found.items()}
    findings = conclude_over_data(evidence, study.pair, study.alpha)
    return ResultsByDataSet(study, found, traits, findings)


def _evidence(found: Results | StudyResults, traits: Mapping[str, float]) -> OnDataSet:
    base = found.base if isinstance(found, StudyResults) else found
    values: dict[str, dict[str, float]] = {}
    for row in base.summary.rows:
        values.setdefault(row.metric, {})[row.system] = row.value
    return OnDataSet(
        values=values,
        pairs=() if base.comparison is None else base.comparison.pairs,
        traits=traits,
        designs=found.designs if isinstance(found, StudyResults) else None,
    )


def folders_of(names: Mapping[str, Any]) -> dict[str, str]:
    """The folder of each data set within that of all: its name where it can be one."""
    found: dict[str, str] = {}
    for number, name in enumerate(names, start=1):
        kept = "".join(each if each.isalnum() or each in "-_." else "-" for each in name)
        plain = kept.strip("-.")[:60] or "data"
        found[name] = plain if plain not in found.values() else f"{plain}-{number}"
    return found
