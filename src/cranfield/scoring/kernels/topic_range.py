"""A range of topics as kernels see it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]

WHOLE = np.iinfo(np.int64).max
"""The cut-off of a whole list."""


class TopicRange(NamedTuple):
    """Some topics: the judged targets of the t-th are rows ``offsets[t]:offsets[t + 1]``.

    ``ranks`` ascend within a topic, unranked targets (0) last; ``codes`` tell which level
    each rating is, a higher code being a higher rating. The levels of the t-th topic,
    from the highest, are ``run_codes[run_offsets[t]:run_offsets[t + 1]]``, and
    ``run_counts`` tells how many of its targets are on each.

    Every kernel goes over the topics once, and for each over its cut-offs, which ascend.
    The score of form s at cut-off c goes to column ``rows[s, c]`` of ``out``, unless that is
    negative: it is not wanted.
    """

    offsets: Ints
    ranks: Codes
    codes: Codes
    lengths: Ints
    targets: Ints
    run_offsets: Ints
    run_codes: Codes
    run_counts: Ints
