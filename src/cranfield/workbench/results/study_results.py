"""StudyResults: what a study found, with the run of its base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.errors import TooFew
from cranfield.base.files import fingerprint
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import StudyFindings, conclude
from cranfield.workbench.definition.designs import Universe
from cranfield.workbench.definition.study import Study
from cranfield.workbench.execution.experiments import execute_prepared
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.prepared_data import prepare
from cranfield.workbench.execution.studies import examine
from cranfield.workbench.results.results import FORMAT, Results, versions
from cranfield.workbench.store.store import Store


@dataclass(frozen=True, eq=False)
class StudyResults:
    """What a study found: every design, how far the conclusion holds, and the base's run."""

    study: Study
    base: Results
    designs: Designs
    conclusion: StudyFindings

    def to_polars(self) -> pl.DataFrame:
        """A row per design: its answers, then values, and effects and p-values by pair."""
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
        return pl.DataFrame({**columns, users: pl.Series(made.users)})

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the study, its conclusion, and the base's results."""
        return {
            "format": FORMAT,
            "title": self.study.base.title,
            "study": self.study.to_table()["study"],
            "verdict": self.conclusion.verdict.sentence,
            "conclusion": self.conclusion.to_dict(),
            "designs": fingerprint_of_designs(self.designs),
            "base": self.base.to_dict(),
            "versions": versions(),
        }


def fingerprint_of_designs(designs: Designs) -> str:
    """The name of exactly these figures."""
    text = designs.decisions.write_csv()
    return fingerprint(text, *designs.systems, designs.values, designs.effects, designs.p_values)


def run_study(study: Study, store: Store | None = None) -> StudyResults:
    """Try every design of a study; what the store has is not made again."""
    if len(study.base.names) < 2:
        raise TooFew("a study", "systems", 2, len(study.base.names))
    pipeline = Pipeline(store or Store(None))
    universe = Universe(study)
    _ = universe.designs  # a wrong answer is told before anything is fitted
    base = execute_prepared(study.base, prepare(study.base, pipeline.store), pipeline)
    pair = study.pair or _two_best(base)
    examined = examine(study, universe, pipeline, pair)
    # With the base among the designs, its two best are what a conclusion is about anyway.
    of_base = study.pair is None and examined.designs.base is None
    told = pair if of_base else study.pair
    conclusion = conclude(examined.designs, told, examined.joint, of_base=of_base)
    return StudyResults(study, base, examined.designs, conclusion)


def _two_best(base: Results) -> tuple[str, str]:
    """The base's two best systems by its first metric, the better first."""
    metric = base.scores.metrics[0]
    names = base.experiment.names
    values = [base.summary.row(name, metric).value for name in names]
    order = np.argsort(-np.nan_to_num(np.array(values), nan=-np.inf), kind="stable")
    return names[int(order[0])], names[int(order[1])]
