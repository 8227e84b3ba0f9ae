"""How far predictions are from ratings, where predictions are ratings."""

from __future__ import annotations

from math import inf
from typing import ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option
from cranfield.collection.items import Floats
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.metrics.per_list import ListRows, PerList
from cranfield.scoring.metrics.reading import CUTOFF
from cranfield.scoring.run_metric import means_of_lists, top


@option("metric", "RMSE")
@dataclass(frozen=True, kw_only=True)
class RMSE(PerList):
    r"""Root of the mean squared distance between predictions and ratings of one user.

        RMSE@n = √( 1/|J| · Σ_{i ∈ J} (r̂_ui − r_ui)² ),  J = L^n ∩ R_test(u)

    J are the judged items of the list that have a prediction. Undefined without one, and
    for recommenders whose predictions are not ratings; those of given lists are taken for
    ratings. The value of each user: the root of all squares together is another mean. From
    0 up, lower is better. Herlocker et al. 2004 §4.1; bellogin2012 §4.3.5, where an error
    that falls need not improve a ranking.
    """

    highest: ClassVar[float] = inf

    cutoff: int | None = cutoff_parameter(CUTOFF)

    def of_lists(self, rows: ListRows) -> Floats:
        """The root of the mean square of each list."""
        return np.sqrt(_mean_error(rows, self.cutoff, 2))


@option("metric", "MAE")
@dataclass(frozen=True, kw_only=True)
class MAE(PerList):
    r"""Mean distance between predictions and ratings of one user.

        MAE@n = 1/|J| · Σ_{i ∈ J} |r̂_ui − r_ui|,  J = L^n ∩ R_test(u)

    J are the judged items of the list that have a prediction. Undefined without one, and
    for recommenders whose predictions are not ratings; those of given lists are taken for
    ratings. From 0 up, lower is better. Herlocker et al. 2004 §4.1; bellogin2012 §4.3.5.
    """

    highest: ClassVar[float] = inf

    cutoff: int | None = cutoff_parameter(CUTOFF)

    def of_lists(self, rows: ListRows) -> Floats:
        """The mean distance of each list."""
        return _mean_error(rows, self.cutoff, 1)


def _mean_error(rows: ListRows, cutoff: int | None, power: int) -> Floats:
    errors = np.abs(rows.run.predictions - rows.ratings) ** power
    known = ~np.isnan(errors) & top(rows.run, cutoff)
    return means_of_lists(rows.run, np.where(known, errors, 0.0), known.astype(np.float64))
