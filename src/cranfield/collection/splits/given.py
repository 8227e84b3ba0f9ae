"""The given split: the parts, or the test ratings, come from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import InfeasibleSplit
from cranfield.base.ids import Ids
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.leakage import pair_numbers
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import Source, read_part, source_of_part
from cranfield.collection.split import Division, Splitter
from cranfield.collection.split_files import merge


@option("split", "given")
@dataclass(frozen=True, kw_only=True)
class Given(Splitter):
    """The ratings in a file are test; training is given as well, or is all other data.

    Without data of the experiment both parts are taken as they are: training may be
    absent, times and grades need not agree, and a pair in both parts stays in training.
    With data, the pairs that the file lists are test and all others training. Pairs of the
    file that are not in the data are added. A pair with two different ratings is refused. Times
    are those of the data; of the file only for added pairs. Reported: added, the number of
    such pairs.
    """

    test: Any = parameter(
        text="The test ratings: a file, the name of a data set, a source, or a table.",
        read=read_part,
    )
    train: Any = parameter(
        None, "The training ratings, likewise, where there are no other data.", read=read_part
    )

    def sources(self) -> tuple[Source | None, Source]:
        """What reads training and test; a missing file is refused before any is read."""
        train = None if self.train is None else source_of_part(self.train)
        return train, source_of_part(self.test)

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Test is what the file lists."""
        if self.train is not None:
            raise InfeasibleSplit(
                "given", "data are given, and training ratings too", "Leave out data or train"
            )
        if ratings.events:
            raise InfeasibleSplit(
                "given",
                "it lists pairs, and the data are events, of which a pair has any number",
                "Read the data with duplicates = sum, or leave them out and give train",
            )
        listed = source_of_part(self.test).read().aggregate()
        self._refuse_other_ids("users", ratings.user_ids, listed.user_ids)
        self._refuse_other_ids("items", ratings.item_ids, listed.item_ids)
        user_ids = ratings.user_ids.union(listed.user_ids)
        item_ids = ratings.item_ids.union(listed.item_ids)
        ratings, listed = ratings.reindex(user_ids, item_ids), listed.reindex(user_ids, item_ids)
        known, places = _find(listed, ratings)
        self._refuse_contradictions(listed.take(known), ratings.take(places[known]))
        added = self._with_required_times(ratings, listed.take(~known))
        test = np.zeros(len(ratings), dtype=np.int8)
        test[places[known]] = 1
        if len(added):
            ratings, origins = merge([ratings.take(test == 0), ratings.take(test == 1), added])
            test = np.minimum(origins, 1)
        return Division(ratings, (test == 1,), {"added": len(added)})

    def _refuse_other_ids(self, what: str, ours: Ids, theirs: Ids) -> None:
        if ours.are_text != theirs.are_text:
            kinds = ("text", "numbers") if theirs.are_text else ("numbers", "text")
            raise InfeasibleSplit(
                "given",
                f"{self.test} names {what} by {kinds[0]}, the data by {kinds[1]}",
                "Write the ids of both files in the same way",
            )

    def _refuse_contradictions(self, listed: Ratings, ours: Ratings) -> None:
        wrong = np.flatnonzero(listed.values != ours.values)
        if len(wrong):
            at = wrong[0]
            user, item = ours.user_ids[ours.users[at]], ours.item_ids[ours.items[at]]
            raise InfeasibleSplit(
                "given",
                f"{len(wrong):,} pairs of {self.test} have another rating in the data, first "
                f"{user} and {item} ({listed.values[at]:g}, in the data {ours.values[at]:g})",
                "Correct one of the files",
            )

    def _with_required_times(self, ratings: Ratings, added: Ratings) -> Ratings:
        """The added pairs, with times if the data have them."""
        if ratings.timestamps is None:
            return replace(added, timestamps=None)
        if len(added) and added.timestamps is None:
            raise InfeasibleSplit(
                "given",
                f"{len(added):,} pairs of {self.test} are not in the data and have no "
                "timestamp, while the data have timestamps",
                "Add a timestamp column to the file, or read the data without theirs",
            )
        return added


def _find(listed: Ratings, ratings: Ratings) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """For each listed pair, whether it is among the ratings, and in which row."""
    sought, pairs = pair_numbers(listed), pair_numbers(ratings)
    places = np.minimum(np.searchsorted(pairs, sought), len(pairs) - 1)
    return pairs[places] == sought, places
