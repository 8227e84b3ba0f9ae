"""No correction: each comparison stands alone."""

from __future__ import annotations

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.scoring.scores import Floats
from cranfield.significance.correction import Correction


@option("correction", "none", aliases=("uncorrected",))
@dataclass(frozen=True, kw_only=True)
class Uncorrected(Correction):
    """Uncorrected p-values: of k true null hypotheses, about α·k are rejected."""

    def adjust(self, p_values: Floats) -> Floats:
        """The same p-values."""
        return p_values.copy()
