"""DataSetsDifference: how the results of several data sets differ over all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite, nan

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.validity.data_sets.findings import FindingsOverData
from cranfield.view.nouns.noun_view import ShownTable
from cranfield.view.numbers import signed
from cranfield.view.prose import listed
from cranfield.workbench.definition.differing import Difference, differences_between
from cranfield.workbench.results.data_sets import ResultsByDataSet
from cranfield.workbench.review.results_difference import ResultsDifference

_DIGITS = 6
"""Decimals of differences that differ, which may do so in the last ones alone."""


@dataclass(frozen=True)
class PooledDifference:
    """The difference of two systems over data sets, which two results give differently.

    ``first`` and ``second`` are what the results say of ``system`` − ``other``; None is undefined.
    """

    metric: str
    system: str
    other: str
    first: float | None
    second: float | None


@dataclass(frozen=True, kw_only=True)
class DataSetsDifference:
    """How one of several results differs from the first over all data sets.

    ``both`` are the data sets that both have, ``only_first`` and ``only_second`` the others.
    ``pooled`` are the differences over data sets that are not the same, of the ``common`` ones
    that both have. ``conclusions`` are what each says of its data sets, where that differs.
    """

    name: str
    both: tuple[str, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    pooled: tuple[PooledDifference, ...]
    common: int
    conclusions: tuple[Difference, ...]

    def sentence(self, first: str, differing: Sequence[ResultsDifference]) -> str:
        """Which data sets are compared, whether the summary differs, and from where."""
        told = [self._data_sets(first), *([self._pooled(differing)] if self.common else [])]
        return " ".join(told)

    def _data_sets(self, first: str) -> str:
        if not self.both:
            text = "They have no data set in common."
        else:
            have = counted(len(self.both), "data set is", "data sets are")
            text = f"{have} in both: {', '.join(self.both)}."
        only = ((first, self.only_first), (self.name, self.only_second))
        return " ".join([text, *(f"Only {who} has {listed(each)}." for who, each in only if each)])

    def _pooled(self, differing: Sequence[ResultsDifference]) -> str:
        """Whether the differences over data sets are the same, and what makes others of them."""
        every = counted(self.common, "difference")
        if not self.pooled:
            return f"Over data sets, the {every} of two systems that both have are equal."
        text = f"Over data sets, {len(self.pooled):,} of {every} of two systems differ"
        changed = [str(each.data_set) for each in differing if each.values]
        causes = [
            *([f"values differ on {listed(changed)}"] if changed else []),
            *(["the data sets are not the same"] if self.only_first or self.only_second else []),
        ]
        return f"{text}: {', and '.join(causes)}." if causes else f"{text}, and no value does."

    def tables(self, first: str) -> Iterator[ShownTable]:
        """The differences over data sets, and what is said of them; ``first`` names the first."""
        names = first, self.name
        if self.pooled:
            yield ShownTable(
                caption=f"Differences over data sets that differ, {first} and {self.name}",
                headings=("metric", "pair", *names),
                rows=[
                    (
                        each.metric,
                        f"{each.system} − {each.other}",
                        signed(each.first, _DIGITS),
                        signed(each.second, _DIGITS),
                    )
                    for each in self.pooled
                ],
                words=(0, 1),
            )
        if self.conclusions:
            yield ShownTable(
                caption=f"Conclusions over data sets that differ, {first} and {self.name}",
                headings=("what", *names),
                rows=[each.cells for each in self.conclusions],
                words=(0, 1, 2),
            )


def difference_over_data(
    first: ResultsByDataSet, name: str, second: ResultsByDataSet
) -> DataSetsDifference:
    """How two results differ in what holds over data sets."""
    one, two = (_estimates(each.findings) for each in (first, second))
    both = [key for key in one if key in two]
    return DataSetsDifference(
        name=name,
        both=tuple(each for each in first if each in second.by_data_set),
        only_first=tuple(each for each in first if each not in second.by_data_set),
        only_second=tuple(each for each in second if each not in first.by_data_set),
        pooled=tuple(
            PooledDifference(*key, one[key], two[key]) for key in both if one[key] != two[key]
        ),
        common=len(both),
        conclusions=differences_between(first.findings.by_topic, second.findings.by_topic),
    )


def _estimates(found: FindingsOverData) -> dict[tuple[str, str, str], float | None]:
    """The difference over data sets by metric and pair, whichever system comes first."""
    estimates: dict[tuple[str, str, str], float | None] = {}
    for each in found.pairs:
        value = nan if each.combined is None else each.combined.estimate
        one, other = sorted((each.first, each.second))
        signed_value = value if one == each.first else -value
        estimates[each.metric, one, other] = signed_value if isfinite(value) else None
    return estimates
