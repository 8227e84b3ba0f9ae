"""A part of a file of ratings: the rows in which a column has a certain value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import EmptyInput, OptionError
from cranfield.base.options import option, parameter
from cranfield.base.schema import RATING
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import Source, source_of


@option("source", "subset")
@dataclass(frozen=True, kw_only=True)
class Subset(Source):
    """The rows of a file or data set in which a column has a given value.

    Such as what people knew before they were asked, in CM100k, whose column ``known`` is 1
    there: ``subset(source=cm100k, column=known)``. The whole file is then a random part to
    judge by (``judged_by = "random(file=cm100k)"``). The column holds numbers.
    """

    source: str = parameter(text="A file or data set, which has the column.")
    column: str = parameter(text="The column that says which rows are read.")
    value: float = parameter(1.0, "What the column has in these rows.")

    def read(self) -> Ratings:
        """The ratings of these rows, under the ids that they have."""
        source: Any = source_of(self.source)
        if not hasattr(source, "columns"):
            raise OptionError(f"{self}: {source} has no columns. Give a file or a data set.")
        ratings = source.read()
        if ratings.events:
            raise OptionError(f"{self}: it is for ratings, not for the events of a log.")
        named = {**(source.columns or {}), RATING: self.column}
        # Both are in order of user and item, so that rows are the same pairs.
        marks = replace(source, columns=named, values="ratings").read()
        chosen = marks.values == self.value
        if not chosen.any():
            raise EmptyInput(f"{self}", f'rows in which "{self.column}" is {self.value:g}')
        made: Ratings = ratings.take(chosen)
        return made.compact()
