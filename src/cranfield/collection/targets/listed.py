"""Listed: the items to rank are given, user by user."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import InputError, counted
from cranfield.base.ids import Codes, Ids
from cranfield.base.options import option, parameter
from cranfield.base.ragged import Ragged
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import read_part, source_of_part
from cranfield.collection.target import Eligible, Mask, Nonrelevant, Pools, items_of
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics


@option("nonrelevant", "listed")
@dataclass(frozen=True, kw_only=True)
class Listed(Nonrelevant):
    """Exactly the items that a file lists for the user, the same for all systems: T_u = L_u.

    Relevant items are ranked if they are listed, and only then; with one-relevant, each
    with all listed items that are not relevant. A user's training items are not targets
    even if they are listed, unless training items are kept. A user without a list has no
    target. An item that is not in the collection is refused: what nobody can rank would shorten
    the lists unseen.
    """

    needs_catalogue: ClassVar[bool] = False

    file: Any = parameter(
        text="The lists, a row for each user and item: a file, a source, or a table.",
        read=read_part,
    )

    def limit(self, collection: TestCollection) -> TestCollection:
        """The collection in which the listed pairs alone may be ranked."""
        given = source_of_part(self.file).read().aggregate()
        self._refuse_other_ids("users", given.user_ids, collection.user_ids)
        self._refuse_other_ids("items", given.item_ids, collection.item_ids)
        users = collection.user_ids.encode(given.user_ids.values)[given.users]
        items = collection.item_ids.encode(given.item_ids.values)[given.items]
        known = users >= 0
        if not known.any():
            raise InputError(f"{self.file}: no user of it is in the collection.")
        self._refuse_unknown(given, known & (items < 0))
        listed = given.take(known).compact()
        return replace(collection, listed=listed.reindex(collection.user_ids, collection.item_ids))

    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools | None:
        """The listed items of each user that are not relevant, of the topic's segment if any."""
        parts = [topics.users] if topics.segments is None else [topics.users, topics.segments]
        _, firsts, of_topic = np.unique(
            np.stack(parts), axis=1, return_index=True, return_inverse=True
        )
        lists = [self._allowed(topics, first, eligible) for first in firsts.tolist()]
        return Pools(Ragged.from_lists(lists, np.int32), of_topic.reshape(-1))

    def _allowed(self, topics: Topics, number: int, eligible: Eligible) -> Codes:
        """Of the items listed for the user of a topic, those that may be in N_u."""
        listed = eligible.collection.listed
        assert listed is not None
        items = items_of(listed, int(topics.users[number]))
        return np.intersect1d(items, eligible.of_topic(topics, number)).astype(np.int32)

    def _refuse_other_ids(self, what: str, theirs: Ids, ours: Ids) -> None:
        if theirs.are_text != ours.are_text:
            kinds = ("text", "numbers") if theirs.are_text else ("numbers", "text")
            problem = f"it names {what} by {kinds[0]}, the data by {kinds[1]}"
            raise InputError(f"{self.file}: {problem}. Write the ids of both in the same way.")

    def _refuse_unknown(self, given: Ratings, wrong: Mask) -> None:
        """Refuse rows whose items the collection lacks; how many, and the first few by name."""
        unknown = np.unique(given.items[wrong])
        if len(unknown):
            names = ", ".join(str(given.item_ids[code]) for code in unknown[:3])
            more = " and others" if len(unknown) > 3 else ""
            found = counted(len(unknown), "listed item is", "listed items are")
            remedy = "Correct the file, or give a catalogue that has them"
            raise InputError(
                f"{self.file}: {found} not in the collection: {names}{more}. {remedy}."
            )
