"""StudyResults: what a study found, with the run of its base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import UnknownParameter, counted
from cranfield.base.files import fingerprint
from cranfield.base.nouns.display import Plotted, Tabular, Typeset, as_pandas
from cranfield.base.nouns.preview import preview
from cranfield.base.serialisation.plain import plain, restored
from cranfield.scoring.scores import Counts, Floats
from cranfield.validity.assessment import Assessment
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import StudyFindings
from cranfield.validity.study.repeats import Repeats
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.plan.changes import PlanCheck
from cranfield.workbench.results.costs import Cost
from cranfield.workbench.results.results import FORMAT, Results
from cranfield.workbench.tuning.trials import TunedDesigns

if TYPE_CHECKING:
    import pandas as pd

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
TABLES = ("designs", "values", "pairs")
_OWN = ("values", "pairs", "users", "distinct")
_NAMES = {
    *_OWN, "design", "system", "value", "first", "second", "effect", "p", "adjusted_p",
}  # fmt: skip
"""What columns of ours are called, in any of the tables."""
_PREFIX = "decision_"


@dataclass(frozen=True, eq=False)
class StudyResults(Plotted, Typeset, Tabular):
    """What a study found: every design, how far the conclusion holds, and the base's run.

    ``assessments`` are what criteria say of the metrics over all designs, where that was
    asked for; those of the base are in its run. ``costs`` are of all that was computed, the
    base included. ``plan`` is that which was made before, and what was changed since; None
    without one. ``tuned`` are the trials of systems that were tuned, by the designs that share
    them.
    """

    study: Study
    base: Results
    designs: Designs
    conclusion: StudyFindings
    repeats: Repeats | None = None
    assessments: tuple[Assessment, ...] = ()
    costs: tuple[Cost, ...] = ()
    plan: PlanCheck | None = None
    tuned: tuple[TunedDesigns, ...] = ()

    def __repr__(self) -> str:
        title = [self.study.base.title] if self.study.base.title else []
        facts = [*title, counted(len(self.designs), "design"), *self.designs.factors]
        verdict = self.conclusion.verdict
        return preview("StudyResults", facts, [[verdict.badge], [verdict.sentence]], limit=400)

    def to_polars(self, table: str = "designs") -> pl.DataFrame:
        """A row per design: its answers, then values, pairs, users and whether it is distinct.

        ``values`` is a list of system and value, ``pairs`` of first, second, effect, p and
        adjusted_p; null is undefined. ``distinct`` is false for a design that is the same as
        an earlier one. The tables "values" and "pairs" have a row for each member of these
        lists, with the number of its design.
        """
        if table not in TABLES:
            raise UnknownParameter("study results", table, TABLES, what="table")
        whole = _table_of(self.designs)
        if table == "designs":
            return whole
        others = [name for name in whole.columns if name not in ("values", "pairs")]
        numbered = whole.select(pl.int_range(1, pl.len() + 1).alias("design"), *others, table)
        return numbered.explode(table, empty_as_null=False).unnest(table)

    def to_pandas(self, table: str = "designs") -> pd.DataFrame:
        """The table of `to_polars` as one of pandas; needs pandas."""
        return as_pandas(self.to_polars(table))

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the study, its conclusion, and the base's results."""
        assessed = {"assessments": [each.to_dict() for each in self.assessments]}
        tuned = {"tuning": [each.to_dict() for each in self.tuned]}
        return {
            "format": FORMAT,
            "title": self.study.base.title,
            "study": self.study.to_table()["study"],
            "verdict": self.conclusion.verdict.sentence,
            "conclusion": self.conclusion.to_dict(),
            "repeats": self.repeats and self.repeats.to_dict(),
            **(assessed if self.assessments else {}),
            **(tuned if self.tuned else {}),
            "designs": fingerprint_of_designs(self.designs),
            "design_facts": plain({name: getattr(self.designs, name) for name in DESIGN_FACTS}),
            "base": self.base.to_dict(),
            "versions": dict(self.base.versions),
            "costs": plain([each.rounded() for each in self.costs]),
            **({} if self.plan is None else {"plan": self.plan.to_dict()}),
        }


def _table_of(designs: Designs) -> pl.DataFrame:
    """A row per design; what its systems and pairs reached stands in lists."""
    systems, pairs = np.array(designs.systems), np.array(designs.pairs)
    adjusted = designs.adjusted
    unknown = np.full(designs.p_values.shape, np.nan)
    values = _nested(len(designs), system=systems, value=designs.values)
    compared = _nested(
        len(designs),
        first=systems[pairs[:, 0]],
        second=systems[pairs[:, 1]],
        effect=designs.effects,
        p=designs.p_values,
        adjusted_p=unknown if adjusted is None else adjusted,
    )
    return designs.decisions.rename(_column_of).with_columns(
        values.alias("values"),
        compared.alias("pairs"),
        pl.Series("users", designs.users),
        pl.Series("distinct", np.isin(np.arange(len(designs)), designs.firsts)),
    )


def _nested(count: int, **columns: npt.NDArray[Any]) -> pl.Series:
    """For each design a list of members, of which it has the named figures; NaN is null."""
    whole = {
        name: pl.Series(np.tile(each, count) if each.ndim == 1 else each.ravel())
        for name, each in columns.items()
    }
    members = pl.DataFrame(
        {
            name: each.fill_nan(None) if each.dtype.is_float() else each
            for name, each in whole.items()
        }
    )
    return members.to_struct().reshape((count, -1)).arr.to_list()


def _column_of(decision: str) -> str:
    """The column of a decision, which is never one of ours.

    >>> _column_of("cutoff"), _column_of("users")
    ('cutoff', 'decision_users')
    """
    taken = decision in _NAMES or decision.startswith(_PREFIX)
    return f"{_PREFIX}{decision}" if taken else decision


def read_designs(table: pl.DataFrame, record: Mapping[str, Any], systems: Sequence[str]) -> Designs:
    """The designs of a table that `StudyResults.to_polars` gave, and what the record says."""
    facts = {name: restored(kind, record[name]) for name, kind in DESIGN_FACTS.items()}
    decisions = table.select(name for name in table.columns if name not in _OWN)
    return Designs(
        decisions=decisions.rename(lambda name: name.removeprefix(_PREFIX)),
        systems=tuple(systems),
        values=_figures(table, "values", "value"),
        effects=_figures(table, "pairs", "effect"),
        p_values=_figures(table, "pairs", "p"),
        users=table["users"].cast(pl.Int64).to_numpy(),
        adjusted=None if facts["joint"] is None else _figures(table, "pairs", "adjusted_p"),
        **facts,
    )


def _figures(table: pl.DataFrame, column: str, figure: str) -> Floats:
    """One figure of all members of all designs (designs × members)."""
    members = table[column].explode(empty_as_null=False).struct
    found = members.field(figure).cast(pl.Float64).fill_null(np.nan)
    return found.to_numpy().reshape(len(table), -1)


def assessments_of(results: Results | StudyResults) -> tuple[Assessment, ...]:
    """All assessments: those of a run, or of a study's base and then of its designs."""
    if isinstance(results, StudyResults):
        return (*results.base.assessments, *results.assessments)
    return results.assessments


def fingerprint_of_designs(designs: Designs) -> str:
    """The name of exactly these figures."""
    text = designs.decisions.write_csv()
    return fingerprint(text, *designs.systems, designs.values, designs.effects, designs.p_values)
