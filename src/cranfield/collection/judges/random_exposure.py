"""Random exposure: items that users did not choose, but were shown at random."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import EmptyInput, OptionError, counted, shown
from cranfield.base.ids import Ids
from cranfield.base.options import option, parameter
from cranfield.collection.judge import Judge
from cranfield.collection.leakage import in_both
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import read_part, source_of_part


class Unknown(NamedTuple):
    """How many users and items of a random part the data lack, and how many ratings go with
    them.
    """

    users: int
    items: int
    ratings: int


@option("judged_by", "random")
@dataclass(frozen=True, kw_only=True)
class RandomExposure(Judge):
    """Ratings of items that each user was shown at random, rather than chose.

    What people choose to rate is popular and well liked; a random part is not, and so can
    serve as the truth: as in Yahoo! R3, KuaiRand or CM100k (Marlin & Zemel 2009; Cañamares &
    Castells 2018). Pairs of training do not judge. Users and items that are not in the data are
    refused, or dropped with their ratings.
    """

    in_words: ClassVar[str] = "ratings of items shown at random"

    file: Any = parameter(
        text="The random part: a file, the name of a data set, a source, or a table.",
        read=read_part,
    )
    unknown: Literal["refuse", "drop"] = parameter(
        "refuse", "What happens to users and items of the random part that are not in the data."
    )

    def __post_init__(self) -> None:
        if self.file is None or self.file == "":
            raise OptionError("random, file: there is no random part. Give a file of its ratings.")

    def ratings(self, data: object, train: Ratings, test: Ratings) -> Ratings:
        """The random part without the pairs of training."""
        part = self.within(train)[0]
        outside = ~in_both(part, train)
        if not outside.any():
            raise EmptyInput(f"{self}", "pairs of known users and items outside training")
        return part.take(outside)

    def notes(self, train: Ratings) -> tuple[str, ...]:
        """What of the random part is not used."""
        lacking = self.within(train)[1]
        if not lacking.ratings:
            return ()
        users, items = counted(lacking.users, "user"), counted(lacking.items, "item")
        ratings = counted(lacking.ratings, "rating was", "ratings were")
        return (f"{users} and {items} of the random part are not in the data: {ratings} dropped.",)

    def within(self, train: Ratings) -> tuple[Ratings, Unknown]:
        """What the random part says of users and items of the data, and what else it has."""
        part = source_of_part(self.file).read().aggregate()
        users = train.user_ids.encode(part.user_ids.values)
        items = train.item_ids.encode(part.item_ids.values)
        stays = (users[part.users] >= 0) & (items[part.items] >= 0)
        lacking = Unknown(
            int((users < 0).sum()), int((items < 0).sum()), int(np.count_nonzero(~stays))
        )
        if lacking.ratings and self.unknown == "refuse":
            raise OptionError(self._refusal(part, users < 0, items < 0))
        known = part.take(stays).compact()
        return known.reindex(train.user_ids, train.item_ids), lacking

    def _refusal(self, part: Ratings, users: Any, items: Any) -> str:
        """Which users and items the data lack."""
        said = [_first(part.user_ids, users, "user"), _first(part.item_ids, items, "item")]
        lacking = " and ".join(each for each in said if each)
        return (
            f"{self}: the data lack {lacking} of the random part. Drop these with their ratings "
            "by unknown=drop."
        )


def _first(ids: Ids, lacking: Any, noun: str) -> str:
    """So many ids of a kind, and the first of them."""
    places = np.flatnonzero(lacking)
    if not len(places):
        return ""
    return f"{counted(len(places), noun)} (first {shown(ids.values[int(places[0])])})"
