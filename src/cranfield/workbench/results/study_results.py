"""StudyResults: what a study found, with the run of its base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.display import Plotted, Tabular, Typeset
from cranfield.base.errors import counted
from cranfield.base.files import fingerprint
from cranfield.base.preview import preview
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import StudyFindings
from cranfield.validity.study.repeats import Repeats
from cranfield.workbench.definition.study import Study
from cranfield.workbench.results.results import FORMAT, Results


@dataclass(frozen=True, eq=False)
class StudyResults(Plotted, Typeset, Tabular):
    """What a study found: every design, how far the conclusion holds, and the base's run."""

    study: Study
    base: Results
    designs: Designs
    conclusion: StudyFindings
    repeats: Repeats | None = None

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
        return {
            "format": FORMAT,
            "title": self.study.base.title,
            "study": self.study.to_table()["study"],
            "verdict": self.conclusion.verdict.sentence,
            "conclusion": self.conclusion.to_dict(),
            "repeats": self.repeats and self.repeats.to_dict(),
            "designs": fingerprint_of_designs(self.designs),
            "base": self.base.to_dict(),
            "versions": dict(self.base.versions),
        }


def fingerprint_of_designs(designs: Designs) -> str:
    """The name of exactly these figures."""
    text = designs.decisions.write_csv()
    return fingerprint(text, *designs.systems, designs.values, designs.effects, designs.p_values)
