"""ComparisonChoice: the decisions on how systems are compared."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import decisions, parameter
from cranfield.base.options import to_table
from cranfield.scoring.aggregation import Aggregation
from cranfield.scoring.coverage import Coverage, Undefined
from cranfield.scoring.summary import SummaryChoice
from cranfield.significance.correction import Correction, Family
from cranfield.significance.corrections.stepwise import Holm
from cranfield.significance.equivalence import FIVE_PERCENT, Rope, read_rope
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.paired_tests.permutation import Permutation
from cranfield.significance.pigeonhole import RandomUnits
from cranfield.significance.resampling import Subsets


@decisions("comparison")
@dataclass(frozen=True, kw_only=True)
class ComparisonChoice:
    """How systems are compared (decision D).

    ``aggregation``, ``coverage`` and ``undefined`` are those of the table whose values are
    compared. ``baseline`` is the system that all others are compared with; without one,
    all pairs are. ``rope`` is the largest difference that is as good as none. ``random``
    are the units taken as a random sample; the others are taken as fixed.
    """

    test: PairedTest = parameter(Permutation())
    correction: Correction = parameter(Holm())
    aggregation: Aggregation = parameter(SummaryChoice().aggregation)
    coverage: Coverage = "full"
    undefined: Undefined = "left-out"
    family: Family = "metric"
    alpha: float = parameter(0.05, above=0, below=1)
    power: float = parameter(0.8, above=0, below=1)
    rope: Rope = parameter(FIVE_PERCENT, read=read_rope)
    subsets: Subsets | None = None
    baseline: str | None = None
    random: RandomUnits = "users"

    @property
    def summary(self) -> SummaryChoice:
        """How the values that are compared are aggregated."""
        return SummaryChoice(
            aggregation=self.aggregation, coverage=self.coverage, undefined=self.undefined
        )

    def to_dict(self) -> dict[str, Any]:
        """The decisions, for records."""
        known = {each.name: getattr(self, each.name) for each in fields(self)}
        options = {name: to_table(known[name]) for name in ("test", "correction", "aggregation")}
        subsets = self.subsets and asdict(self.subsets)
        return {**known, **options, "rope": str(self.rope), "subsets": subsets}
