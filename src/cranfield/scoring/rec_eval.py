"""rec_eval 10.6: the scores that its geometric means are of, with what is wrong in them."""

from __future__ import annotations

import numpy as np

from cranfield.base.checking.spelling import read_spelling
from cranfield.base.errors import BadSpelling
from cranfield.base.options import fold
from cranfield.scoring.scores import Floats

FLOOR = 1e-5
"""The least that a score counts as."""

_FAULTY = {"f1", "f", "fmeasure", "setf", "rr", "mrr", "reciprocalrank", "reciprank"}
"""The metrics that rec_eval sets no value for on a user without a hit, by any of their names."""


def rec_eval_scores(scores: Floats, metric: str) -> Floats:
    """Scores as the geometric mean of rec_eval takes them: at least the floor.

    By F1 and RR (its gm_set_F and gm_recip_rank) the program sets no value for a user
    without a hit, whose logarithm stays 0: a score of 0 counts as a perfect 1.

    >>> rec_eval_scores(np.array([0.0, 0.5]), "AP@100")
    array([1.e-05, 5.e-01])
    >>> rec_eval_scores(np.array([0.0, 0.5]), "RR@100")
    array([1. , 0.5])
    """
    floored = np.maximum(scores, FLOOR)
    return np.where(scores == 0, 1.0, floored) if _is_faulty(metric) else floored


def _is_faulty(metric: str) -> bool:
    """Whether rec_eval averages a metric wrongly, whatever its parameters and cut-off."""
    try:
        return fold(read_spelling(metric).name) in _FAULTY
    except BadSpelling:  # scores of others may be by metrics of any name
        return False
