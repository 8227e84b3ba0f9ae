"""What weighs the judged targets of one topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.collection.propensity import Propensity, Strata, Weighing

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TopicWeighing:
    """What weighs the judged targets of one topic.

    ``propensities`` has one for each judged target by model; ``relevant`` tells |R_u| by model
    and threshold, where it is known. ``own`` is the row of the one relevant item that the topic
    is about (1R), None where topics are users.
    """

    propensities: Mapping[Propensity, Floats]
    strata: Mapping[str, Strata]
    own: int | None
    relevant: Callable[[Propensity, float], int | None]


def weigh_topic(
    known: Weighing, user: int, items: Codes, ratings: Floats, own: int | None
) -> TopicWeighing:
    """What weighs the judged items of a user; ``own`` is the one that a topic is about."""
    users = np.full(len(items), user, dtype=np.int32)

    def relevant(model: Propensity, relevance: float) -> int | None:
        counts = known.propensities[model].relevant_counts(relevance)
        return None if counts is None else int(counts[user])

    return TopicWeighing(
        {m: each.of_pairs(users, items, ratings) for m, each in known.propensities.items()},
        known.strata,
        None if own is None else int(np.argmax(items == own)),
        relevant,
    )
