"""Costs: processor seconds of the parts of an experiment, as they were measured.

`python benchmarks/estimates.py` measures recommenders; the other figures are those of stages of
`cranfield run examples/demo.toml` (943 users, 480 designs) and of an experiment on MovieLens 100K.
"""

from __future__ import annotations

from math import log
from typing import Any

from cranfield.scoring.aggregation import Aggregation, LinearAggregation

_SIZES = 80_000, 800_000
"""Training ratings of the two data sets on which recommenders were measured."""

_MEASURED = {
    "AverageRating": (0.000369, 0.025, 0.00028, 0.001),
    "BPRMF": (1.45, 21.4, 0.025, 0.071),
    "CHI2": (0.0394, 1.04, 0.026, 0.06),
    "EASE": (0.262, 2.16, 0.059, 0.23),
    "HT": (0.00742, 0.11, 0.38, 5.1),
    "KLD": (0.0382, 1.04, 0.032, 0.074),
    "LDA": (0.734, 7.7, 0.057, 0.16),
    "LM-WSR-IB": (0.0514, 0.478, 0.0054, 0.011),
    "LM-WSR-UB": (0.042, 1.04, 0.021, 0.043),
    "MF": (0.25, 3.04, 0.012, 0.044),
    "MedianRating": (0.00626, 0.0749, 0.00032, 0.001),
    "NNCosNgbr-IB": (0.0725, 0.863, 0.047, 0.096),
    "NNCosNgbr-UB": (0.0477, 1.59, 0.036, 0.11),
    "P3alpha": (0.0596, 0.571, 0.013, 0.023),
    "PLSA": (0.577, 5.67, 0.012, 0.029),
    "Popularity": (0.000164, 0.0108, 0.00032, 0.00084),
    "PureSVD": (0.0369, 0.357, 0.0067, 0.017),
    "RM1": (0.0384, 1.08, 0.098, 0.19),
    "RM2": (0.0388, 1.06, 1, 3.3),
    "RP3beta": (0.0633, 0.574, 0.014, 0.023),
    "RSV": (0.0312, 0.992, 0.015, 0.038),
    "RW": (0.0319, 0.976, 0.012, 0.031),
    "Random": (7.29e-05, 0.000215, 0.006, 0.013),
    "SLIM": (1.15, 4.8, 0.014, 0.017),
    "SVD": (0.278, 7, 0.011, 0.028),
    "UIR-Item": (0.00099, 0.0114, 0.4, 4.5),
    "WRMF": (0.232, 2.17, 0.013, 0.03),
    "item-kNN": (0.0577, 0.556, 0.024, 0.044),
    "user-kNN": (0.0367, 1.01, 0.02, 0.047),
}
"""Seconds of a fit on few and on many ratings, then of predictions for 1,000 users on each."""
_OTHERS = 0.2, 3.0, 0.05, 0.15
"""The same for models that were not measured."""

START = 1.7
"""Loading libraries and kernels, and rendering the report."""
PER_RATING = 3e-6
"""Reading, filtering, splitting and choosing targets, by rating and split."""
PER_LIST = 6e-6
"""Ranking the targets of a topic once predictions are there, scoring included."""
PER_DESIGN = 1.3e-2
"""Values, intervals and conclusions of one design of a study."""
_PER_SUM_SWAPPED = 1.2e-10
_PER_VALUE_SWAPPED = 2.5e-9
"""One user in one draw of one pair: added to a sum, or where a value is computed anew."""


def fit_seconds(system: Any, ratings: int) -> float:
    """Seconds to fit a recommender."""
    few, many, _, _ = _measured(system)
    return _between(few, many, ratings)


def predict_seconds(system: Any, ratings: int, users: int) -> float:
    """Seconds in which a recommender predicts all items for some users."""
    _, _, few, many = _measured(system)
    return _between(few, many, ratings) * users / 1000


def _measured(system: Any) -> tuple[float, float, float, float]:
    return _MEASURED.get(getattr(system, "option_name", ""), _OTHERS)


def _between(few: float, many: float, ratings: int) -> float:
    """The power of the number of ratings that passes through both measurements."""
    low, high = _SIZES
    power = log(many / few) / log(high / low)
    return float(few * (max(ratings, 1) / low) ** power)


def swap_seconds(aggregation: Aggregation, draws: int, users: int, pairs: int) -> float:
    """Seconds of a test that swaps the scores of users at random."""
    linear = isinstance(aggregation, LinearAggregation)
    each = _PER_SUM_SWAPPED if linear else _PER_VALUE_SWAPPED
    return draws * users * pairs * each
