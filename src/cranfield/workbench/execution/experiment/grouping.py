"""Groups of users or items, to break scores down by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.base.errors import OptionError
from cranfield.base.schema import USER, find_columns
from cranfield.collection.ratings import Ratings
from cranfield.collection.tables.side_table import read_side_table
from cranfield.collection.target import Targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics
from cranfield.scoring.breakdown import (
    Groups,
    by_activity,
    by_attribute,
    by_popularity,
    by_test_size,
)
from cranfield.scoring.measurement.weighted_scores import weighs_topics
from cranfield.scoring.metric import Metric
from cranfield.scoring.scores import Counts, Floats, Scores
from cranfield.workbench.definition.side_tables import Grouping


def group_users(wanted: Grouping, train: Ratings, tested: Counts, topics: Topics) -> Groups:
    """The group of each user, who has so many training and ``tested`` ratings."""
    if wanted.kind == "test-size":
        return by_test_size(tested, topics.users, wanted.parts)
    if wanted.kind == "activity":
        if not len(train):
            raise OptionError("by activity: it is counted in training ratings; give them as train.")
        return by_activity(train, topics.users, wanted.parts)
    frame, where = read_side_table(wanted.table)
    user = find_columns(frame.columns, (USER,), where=where)[USER]
    renamed = frame.rename({user: USER}) if user != USER else frame
    return by_attribute(renamed, wanted.column, train.user_ids, where, wanted.parts)


def group_items(wanted: Sequence[Grouping], collection: TestCollection) -> Groups | None:
    """The group of each item, if items are to be grouped."""
    chosen = [each for each in wanted if not each.of_users]
    if len(chosen) > 1:
        raise OptionError("by popularity: given twice.")
    return by_popularity(collection.popularity, chosen[0].parts) if chosen else None


def refuse_weighted_groups(metrics: Sequence[Metric], targets: Targets) -> None:
    """Refuse metrics whose mean weighs users by all their judged items, not by a group's."""
    one = targets.topics.items is not None
    for metric in metrics:
        if weighs_topics(metric, one_relevant=one):
            raise OptionError(
                f"by popularity: {metric} counts users by the weights of all their test ratings, "
                "and a group has some of them. Choose estimator=ips, or another metric."
            )


def item_scores(
    targets: Targets, values: Mapping[str, Floats], lengths: Mapping[str, Counts]
) -> Scores:
    """Scores (groups × metrics × topics) of each system as scores by that many metrics."""
    groups, metrics, topics = next(iter(values.values())).shape
    names = tuple(map(str, range(groups * metrics)))
    flat = {name: found.reshape(-1, topics) for name, found in values.items()}
    return Scores.from_systems(targets.topics, targets.train.user_ids, names, flat, lengths)
