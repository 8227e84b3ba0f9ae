"""Laws that every option must obey, for authors of extensions; needs Hypothesis.

``check_option(option)`` checks the laws of its decision; ``check_metric`` and the others
do so by name. `laws_of` lists them, to be parametrised over; the strategies make up awkward
data for laws of one's own. Comes with ``pip install cranfield[testing]``.
"""

from cranfield.base.errors import MissingLibrary

try:
    import hypothesis as _hypothesis  # noqa: F401  (tells early, and in words, what is missing)
except ImportError:
    raise MissingLibrary("cranfield.testing", "hypothesis") from None

from cranfield.testing import laws  # noqa: F401  (states the laws)
from cranfield.testing.checks import (
    check_aggregation,
    check_correction,
    check_criterion,
    check_estimator,
    check_filter,
    check_gain,
    check_metric,
    check_option,
    check_paired_test,
    check_propensity,
    check_recommender,
    check_run_metric,
    check_source,
    check_split,
    check_targets,
)
from cranfield.testing.examples import examples_of
from cranfield.testing.law import EVERY, BrokenLaw, Law, check_laws, laws_of
from cranfield.testing.rankings import Ranking, hits, hits_of, rankings
from cranfield.testing.strategies import (
    collections,
    judgments,
    p_values,
    ratings,
    samples,
    scores,
    training_sets,
)

__all__ = [
    "EVERY",
    "BrokenLaw",
    "Law",
    "Ranking",
    "check_aggregation",
    "check_correction",
    "check_criterion",
    "check_estimator",
    "check_filter",
    "check_gain",
    "check_laws",
    "check_metric",
    "check_option",
    "check_paired_test",
    "check_propensity",
    "check_recommender",
    "check_run_metric",
    "check_source",
    "check_split",
    "check_targets",
    "collections",
    "examples_of",
    "hits",
    "hits_of",
    "judgments",
    "laws_of",
    "p_values",
    "rankings",
    "ratings",
    "samples",
    "scores",
    "training_sets",
]
