"""Beyond accuracy, with a value for each list: novelty, popularity and diversity."""

from __future__ import annotations

from math import inf
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingFacts
from cranfield.base.options import option, parameter
from cranfield.collection.items import Counts, Floats, ItemFacts
from cranfield.recommendation.ranking.hits import Hits, TopicHits, TopicLists
from cranfield.recommendation.runs.run import Mask, Run
from cranfield.scoring.metric import Metric, cutoff_parameter
from cranfield.scoring.run_metric import DEPTH, refuse_missing_facts
from cranfield.scoring.run_metrics.diversity import IntraListDiversity
from cranfield.scoring.run_metrics.novelty import DISCOUNT, EFD, EPC, Discount
from cranfield.scoring.run_metrics.popularity import MeanPopularity

RELEVANT = "Whether only relevant items are novel."


class ListRows(NamedTuple):
    """The rows of lists: the lists, what is known of items, and the rating of each row.

    The rating is NaN where nobody judged; ``relevance`` is the lowest that is relevant.
    """

    run: Run
    items: ItemFacts
    ratings: Floats
    relevance: float

    @property
    def relevant(self) -> Mask:
        """Which rows are relevant."""
        return self.ratings >= self.relevance


class PerList(Metric, Protocol):
    """A metric that looks at every item of a list, judged or not."""

    needs_lists: ClassVar[bool] = True
    higher_is_better: ClassVar[bool] = False
    rewards_swaps: ClassVar[bool] = False

    def of_topic(self, topic: TopicHits) -> float:
        """The value of one list."""
        owners = np.zeros(len(topic.ranks), dtype=np.int64)
        lists = _known(str(self), topic.list)
        return float(self.of_lists(_rows(lists, owners, topic))[0])

    def of_hits(self, hits: Hits) -> Floats:
        """The value of the list of each topic."""
        return self.of_lists(_rows(_known(str(self), hits.lists), hits.owners, hits))

    def of_lists(self, rows: ListRows) -> Floats:
        """The value of each list; NaN for an empty one."""
        ...


def _known(asker: str, lists: TopicLists | None) -> TopicLists:
    if lists is None:
        raise MissingFacts(asker, "the lists themselves", "runs or systems, not hits alone")
    return lists


def _rows(lists: TopicLists, owners: Counts, hits: Hits | TopicHits) -> ListRows:
    """Lists with the rating of each row."""
    run = lists.run
    ratings = np.full(len(run.items), np.nan)
    found = (hits.ranks > 0) & (hits.ranks <= run.lengths[owners])
    ratings[run.offsets[:-1][owners[found]] + hits.ranks[found] - 1] = hits.ratings[found]
    return ListRows(run, lists.items, ratings, hits.relevance)


@option("metric", "UserEPC", aliases=("per-user-EPC",))
@dataclass(frozen=True, kw_only=True)
class UserEPC(PerList):
    r"""Expected popularity complement of one list: how few users have seen its items.

        EPC@n = C · Σ_{k≤n} disc(k) · rel(i_k) · (1 − p(seen|i_k)),  C = 1/Σ_k disc(k)

    The value of each list; the run metric EPC is their mean and has the definition.
    Undefined for an empty list. Between 0 and 1, higher is more novel. Vargas & Castells
    2011, §4.2 and §5.
    """

    discount: Discount = parameter("none", DISCOUNT)
    relevant: bool = parameter(False, RELEVANT)
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_lists(self, rows: ListRows) -> Floats:
        """The mean share of users who have not seen an item of the list."""
        whole = EPC(discount=self.discount, relevant=self.relevant, cutoff=self.cutoff)
        return whole.of_lists(rows.run, rows.items, rows.relevant if self.relevant else None)


@option("metric", "UserEFD", aliases=("per-user-EFD", "UserNovelty", "per-user-novelty"))
@dataclass(frozen=True, kw_only=True)
class UserEFD(PerList):
    r"""Expected free discovery of one list: how much it says that somebody saw its items.

        EFD@n = C · Σ_{k≤n} disc(k) · rel(i_k) · (−log2 p(i_k|seen)),  C = 1/Σ_k disc(k)

    The value of each list; the run metric EFD is their mean and has the definition.
    Undefined for an empty list. From 0 up, higher is more novel. Vargas & Castells 2011,
    §4.2 and §5.
    """

    highest: ClassVar[float] = inf

    discount: Discount = parameter("none", DISCOUNT)
    relevant: bool = parameter(False, RELEVANT)
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_lists(self, rows: ListRows) -> Floats:
        """The mean information of the items of the list, in bits."""
        whole = EFD(discount=self.discount, relevant=self.relevant, cutoff=self.cutoff)
        return whole.of_lists(rows.run, rows.items, rows.relevant if self.relevant else None)


@option("metric", "UserPopularity", aliases=("per-user-popularity",))
@dataclass(frozen=True, kw_only=True)
class UserPopularity(PerList):
    r"""Mean number of training ratings of the top n of one list.

        1/|L_u^n| · Σ_{i ∈ L_u^n} |R_train(i)|

    The value of each list; the run metric MeanPopularity is their mean. Undefined
    for an empty list. From 0 up; lower is less biased to the popular. Yin et al. 2012.
    """

    highest: ClassVar[float] = inf

    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_lists(self, rows: ListRows) -> Floats:
        """The mean popularity of the items of the list."""
        return MeanPopularity(cutoff=self.cutoff).of_lists(rows.run, rows.items)


@option("metric", "UserILD", aliases=("per-user-ILD",))
@dataclass(frozen=True, kw_only=True)
class UserILD(PerList):
    r"""Mean distance between two items of one list.

        ILD@n = 2/(n(n−1)) · Σ_{k<l≤n} (1 − cos(v_k, v_l))

    The value of each list; the run metric ILD is their mean and has the definition.
    Undefined for fewer than two items. Between 0 and 1 for vectors without negative entries
    (else up to 2), higher is more diverse. Ziegler et al. 2005; Zhang & Hurley 2008.
    """

    highest: ClassVar[float] = 2.0
    needs_vectors: ClassVar[bool] = True

    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_lists(self, rows: ListRows) -> Floats:
        """The mean distance of the pairs of the list."""
        refuse_missing_facts([self], vectors=rows.items.vectors)
        return IntraListDiversity(cutoff=self.cutoff).of_lists(rows.run, rows.items)
