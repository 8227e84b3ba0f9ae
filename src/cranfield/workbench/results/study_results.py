"""StudyResults: what a study found, with the run of its base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.display import Plotted, Tabular, Typeset
from cranfield.base.errors import counted
from cranfield.base.files import fingerprint
from cranfield.base.plain import plain, restored
from cranfield.base.preview import preview
from cranfield.scoring.scores import Counts, Floats
from cranfield.validity.assessment import Assessment
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import StudyFindings
from cranfield.validity.study.repeats import Repeats
from cranfield.workbench.definition.study import Study
from cranfield.workbench.results.results import FORMAT, Results

DESIGN_FACTS: dict[str, Any] = {
    "base": int | None,
    "alpha": float,
    "draws": int,
    "joint": Floats | None,
    "topics": Counts | None,
    "same_as": Counts | None,
    "weights": Floats | None,
    "reasons": dict[str, str],
}
"""What is known of designs beside their table, and of which type it is."""


@dataclass(frozen=True, eq=False)
class StudyResults(Plotted, Typeset, Tabular):
    """What a study found: every design, how far the conclusion holds, and the base's run.

    ``assessments`` are what criteria say of the metrics over all designs, where that was
    asked for; those of the base are in its run.
    """

    study: Study
    base: Results
    designs: Designs
    conclusion: StudyFindings
    repeats: Repeats | None = None
    assessments: tuple[Assessment, ...] = ()

    def __repr__(self) -> str:
        title = [self.study.base.title] if self.study.base.title else []
        facts = [*title, counted(len(self.designs), "design"), *self.designs.factors]
        verdict = self.conclusion.verdict
        return preview("StudyResults", facts, [[verdict.badge], [verdict.sentence]], limit=400)

    def to_polars(self) -> pl.DataFrame:
        """A row per design: its answers, then values, and effects and p-values by pair.

        ``distinct`` is false for a design that is the same as an earlier one.
        """
        made = self.designs
        columns = {name: made.decisions[name] for name in made.factors}
        for place, system in enumerate(made.systems):
            columns[f"value {system}"] = pl.Series(made.values[:, place]).fill_nan(None)
        for place, pair in enumerate(made.pairs):
            names = " – ".join(made.systems[each] for each in pair)
            columns[f"effect {names}"] = pl.Series(made.effects[:, place]).fill_nan(None)
            columns[f"p {names}"] = pl.Series(made.p_values[:, place]).fill_nan(None)
            if made.adjusted is not None and not np.isnan(made.adjusted[:, place]).all():
                adjusted = pl.Series(made.adjusted[:, place]).fill_nan(None)
                columns[f"adjusted p {names}"] = adjusted
        users = "users" if "users" not in columns else "number of users"
        first = np.isin(np.arange(len(made)), made.firsts)
        return pl.DataFrame({**columns, users: pl.Series(made.users), "distinct": first})

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the study, its conclusion, and the base's results."""
        assessed = {"assessments": [each.to_dict() for each in self.assessments]}
        return {
            "format": FORMAT,
            "title": self.study.base.title,
            "study": self.study.to_table()["study"],
            "verdict": self.conclusion.verdict.sentence,
            "conclusion": self.conclusion.to_dict(),
            "repeats": self.repeats and self.repeats.to_dict(),
            **(assessed if self.assessments else {}),
            "designs": fingerprint_of_designs(self.designs),
            "design_facts": plain({name: getattr(self.designs, name) for name in DESIGN_FACTS}),
            "base": self.base.to_dict(),
            "versions": dict(self.base.versions),
        }


def read_designs(table: pl.DataFrame, record: Mapping[str, Any], systems: Sequence[str]) -> Designs:
    """The designs of a table that `StudyResults.to_polars` gave, and what the record says."""
    facts = {name: restored(kind, record[name]) for name, kind in DESIGN_FACTS.items()}
    pairs = [f"{first} – {second}" for first, second in combinations(systems, 2)]
    adjusted = _columns(table, [f"adjusted p {pair}" for pair in pairs])
    return Designs(
        decisions=table.select(table.columns[: table.columns.index(f"value {systems[0]}")]),
        systems=tuple(systems),
        values=_columns(table, [f"value {system}" for system in systems]),
        effects=_columns(table, [f"effect {pair}" for pair in pairs]),
        p_values=_columns(table, [f"p {pair}" for pair in pairs]),
        users=table.to_series(-2).cast(pl.Int64).to_numpy(),
        adjusted=None if facts["joint"] is None else adjusted,
        **facts,
    )


def _columns(table: pl.DataFrame, names: Sequence[str]) -> Floats:
    """Some columns side by side; one that is not there is not known."""
    empty = pl.Series([None] * len(table), dtype=pl.Float64)
    found = [table[name] if name in table.columns else empty for name in names]
    return np.stack([each.cast(pl.Float64).fill_null(np.nan).to_numpy() for each in found], axis=1)


def assessments_of(results: Results | StudyResults) -> tuple[Assessment, ...]:
    """All assessments: those of a run, or of a study's base and then of its designs."""
    if isinstance(results, StudyResults):
        return (*results.base.assessments, *results.assessments)
    return results.assessments


def fingerprint_of_designs(designs: Designs) -> str:
    """The name of exactly these figures."""
    text = designs.decisions.write_csv()
    return fingerprint(text, *designs.systems, designs.values, designs.effects, designs.p_values)
