"""The order of one ranking by definition: sort a topic's targets, item by item.

The kernels do the same for many topics at once without sorting; they are tested equal
to this.
"""

from __future__ import annotations

from math import inf, isnan

import numpy as np
import numpy.typing as npt

from cranfield.base.seeds import Seeds, words
from cranfield.collection.target import Targets, items_of
from cranfield.recommendation.ranking.choice import RankingChoice, fallback_values, quantile_of
from cranfield.recommendation.recommender import Predictions

Value = tuple[float, float]
"""What an item is ranked by before any tie rule; smaller comes first."""


def order_of(
    predictions: Predictions, targets: Targets, topic: int, choice: RankingChoice
) -> tuple[list[int], list[Value]]:
    """The targets of one topic in order, best first, and the value of each.

    ``predictions`` is the row of the topic's user. Items are ordered by prediction, then
    (those without one) by fallback, then by the tie rule, then by id.
    """
    user = int(targets.topics.users[topic])
    drop = choice.unscored == "drop"
    values = _values(predictions, targets, user, choice)
    items = [int(i) for i in targets.of_topic(topic) if not (drop and isnan(predictions[i]))]
    ties = _tie_keys(items, targets, user, choice)
    items.sort(key=lambda item: (*values[item], ties[item], item))
    return items, [values[item] for item in items]


def _values(
    predictions: Predictions, targets: Targets, user: int, choice: RankingChoice
) -> list[Value]:
    """For each item of the collection: minus its prediction, minus its fallback.

    Items that are merged have a prediction by their quantile among the user's own, those
    of training items left aside.
    """
    by_item = fallback_values(choice.unscored, targets.train)
    stream = _stream(choice, user)
    own = np.setdiff1d(np.flatnonzero(~np.isnan(predictions)), items_of(targets.excluded, user))
    scored = np.sort(predictions[own].astype(np.float64))

    def value(item: int) -> Value:
        if not isnan(predictions[item]):
            return -float(predictions[item]), 0.0
        if choice.unscored.startswith("merged"):
            return -quantile_of(scored, float(by_item[item])), 0.0
        if choice.unscored == "random":
            return inf, -share(stream, item + 2)
        return inf, inf if isnan(by_item[item]) else -float(by_item[item])

    return [value(item) for item in range(len(predictions))]


def _tie_keys(
    items: list[int], targets: Targets, user: int, choice: RankingChoice
) -> dict[int, float]:
    """The key of each item among equals; smaller comes first."""
    if choice.ties == "random":
        stream = int(words(_stream(choice, user), 1)[0])
        return {item: share(stream, item) for item in items}
    if choice.ties in ("optimistic", "pessimistic"):
        test, sign = targets.judged, -1 if choice.ties == "optimistic" else 1
        rows = range(test.user_offsets[user], test.user_offsets[user + 1])
        rated = {int(test.items[row]): float(test.values[row]) for row in rows}
        return {item: sign * rated.get(item, -inf) for item in items}
    return dict(zip(items, tie_keys(choice, targets)[items], strict=True))


def tie_keys(choice: RankingChoice, targets: Targets) -> npt.NDArray[np.float64]:
    """The key of each item of the collection where ties go by item: by id all are equal."""
    if choice.ties != "trec_eval":
        return np.zeros(targets.train.n_items)
    text = targets.train.item_ids.values.cast(str)
    return text.rank("ordinal", descending=True).to_numpy().astype(np.float64)


def _stream(choice: RankingChoice, user: int) -> int:
    """The key that all draws for a user come from."""
    return int(words(Seeds(choice.seed).key("ranking"), user)[0])


def share(stream: int, counter: int) -> float:
    """The draw at a counter: at least 0 and below 1, with 53 random bits."""
    return float(int(words(stream, counter)[0]) >> 11) * 2.0**-53
