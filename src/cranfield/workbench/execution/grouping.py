"""Groups of users or items, to break scores down by."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.base.errors import OptionError
from cranfield.base.schema import USER, find_columns
from cranfield.collection.ratings import Ratings
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics
from cranfield.scoring.breakdown import Groups, by_activity, by_attribute, by_popularity
from cranfield.workbench.definition.side_tables import Grouping, read_side_table


def group_users(wanted: Grouping, train: Ratings, topics: Topics) -> Groups:
    """The group of each user."""
    if wanted.kind == "activity":
        if not len(train):
            raise OptionError("by activity: it is counted in training ratings; give them as train.")
        return by_activity(train, topics.users, wanted.parts)
    frame, where = read_side_table(wanted.table)
    user = find_columns(frame.columns, (USER,), where=where)[USER]
    renamed = frame.rename({user: USER}) if user != USER else frame
    return by_attribute(renamed, wanted.column, train.user_ids, where)


def group_items(wanted: Sequence[Grouping], collection: TestCollection) -> Groups | None:
    """The group of each item, if items are to be grouped."""
    chosen = [each for each in wanted if not each.of_users]
    if len(chosen) > 1:
        raise OptionError("by popularity: given twice.")
    return by_popularity(collection.popularity, chosen[0].parts) if chosen else None
