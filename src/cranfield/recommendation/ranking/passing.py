"""Passing over users: their predictions, a batch at a time, handed to the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.progress import track
from cranfield.base.ragged import offsets_of
from cranfield.base.threads import in_threads, shares, thread_count
from cranfield.collection.target import Targets
from cranfield.recommendation.layout import (
    Heads,
    HitRows,
    JudgedTargets,
    Offsets,
    Order,
    PredictedRows,
    TargetLayout,
)
from cranfield.recommendation.ranking.kernels.locate import locate
from cranfield.recommendation.ranking.kernels.members import mark_targets
from cranfield.recommendation.ranking.kernels.ordering import (
    BY_ITEM,
    DROP,
    MERGED,
    TIES_BY_KEY,
    Keys,
    fill_keys,
)
from cranfield.recommendation.ranking.kernels.shared_order import (
    SharedOrder,
    fill_places,
    locate_shared,
)
from cranfield.recommendation.ranking.predicted import checked, rows_of
from cranfield.recommendation.ranking.products import BoundedProducts, bounded_products
from cranfield.recommendation.recommender import (
    PairPredictor,
    Predictions,
    Predictor,
    ProductPredictor,
    SharedPredictor,
    batch_size_of,
)

_BYTES_AT_ONCE = 32 << 20
"""Predictions held by one thread at a time."""
_LEAST_USERS = 64
"""Users that are worth a thread, however many there are."""

_LEAST, _MOST = 512, 4096
"""Groups of one shared order that are worth a thread, and those that it is given at a time."""


@dataclass(frozen=True, eq=False)
class TargetWork:
    """One target set while its users pass by."""

    targets: Targets
    layout: TargetLayout
    judged: JudgedTargets
    rows: HitRows
    heads: Heads
    group_users: Codes

    def groups_of(self, users: Codes) -> tuple[int, int, Offsets]:
        """The first group of some ascending users, the one after the last, the user of each."""
        start = int(np.searchsorted(self.group_users, users[0], side="left"))
        stop = int(np.searchsorted(self.group_users, users[-1], side="right"))
        return start, stop, np.searchsorted(users, self.group_users[start:stop])


@dataclass(frozen=True, eq=False)
class UserPass:
    """One pass over users: how items are ordered, and down to which rank that matters.

    ``rounded``: predictions are rounded to single precision. ``reach`` is None where every
    rank matters.
    """

    order: Order
    n_items: int
    rounded: bool
    reach: int | None
    system: str

    @property
    def _reach(self) -> int:
        return self.n_items + 1 if self.reach is None else self.reach

    def go(self, predictor: Predictor, work: Sequence[TargetWork]) -> None:
        """Rank all target sets by the predictions of any model."""
        if isinstance(predictor, SharedPredictor):
            work = self._share(predictor, work)
        if not work:
            return
        if (products := self._products(predictor, work)) is not None:
            self._multiply(products, work)
            return
        users = np.unique(np.concatenate([each.layout.users for each in work]))
        most = max(1, _BYTES_AT_ONCE // (8 * max(self.n_items, 1)))
        enough = max(_LEAST_USERS, -(-len(users) // thread_count()))
        parts = whole_batches(users, min(most, enough), batch_size_of(predictor))

        def pass_by(part: slice) -> None:
            asked = users[part]
            given = self._rows(predictor, work, asked)
            for each in work:
                self._locate(each, *each.groups_of(asked), given)

        done = in_threads(pass_by, parts)
        for _ in track(done, f"ranking with {self.system}", len(parts)):
            pass

    def _products(self, predictor: Predictor, work: Sequence[TargetWork]) -> BoundedProducts | None:
        """The factors of a model, where products are needed of the first items alone."""
        needed = self.reach is None or self.order.unscored == MERGED
        needed |= any(each.heads.items.shape[1] >= self.n_items for each in work)
        if needed or not isinstance(predictor, ProductPredictor):
            return None
        if any(each.layout.segmented for each in work):
            return None
        return bounded_products(predictor.factors())

    def _multiply(self, products: BoundedProducts, work: Sequence[TargetWork]) -> None:
        """Rank target sets by products of factors, made for the first items alone.

        Where targets are listed, or all are among the first, no product is left out.
        """
        for each in work:
            least = self._least(each)
            cuts = each.layout.whole and least < self.n_items
            some = products.among(each.layout.candidates) if cuts else products
            self._multiply_groups(each, some, least if cuts else None)

    def _multiply_groups(
        self, work: TargetWork, products: BoundedProducts, least: int | None
    ) -> None:
        """Rank one target set by products, of which the first ``least`` are needed or all."""

        def pass_by(part: slice) -> None:
            given = products.rows(work.layout, part, least, self.rounded)
            self._locate(work, part.start, part.stop, np.arange(part.stop - part.start), given)

        parts = products.parts(len(work.group_users), least or 0)
        with one_blas_thread():
            done = in_threads(pass_by, parts)
            for _ in track(done, f"ranking with {self.system}", len(parts)):
                pass

    def _least(self, work: TargetWork) -> int:
        """How many items must be known to be first: one more than are shown tells of a tie."""
        return max(min(self._reach, self.n_items), int(work.heads.items.shape[1]) + 1)

    def _rows(
        self, predictor: Predictor, work: Sequence[TargetWork], users: Codes
    ) -> PredictedRows:
        """The predictions for some users."""
        given = self._predictions(predictor, work, users)
        return rows_of(checked(given, len(users), self.n_items, self.system), self.rounded)

    def _predictions(
        self, predictor: Predictor, work: Sequence[TargetWork], users: Codes
    ) -> Predictions:
        """Predictions for some users; of targets only, where they are made pair by pair.

        Items without a prediction that are merged take a quantile of all of a user's.
        """
        if self.order.unscored == MERGED or not isinstance(predictor, PairPredictor):
            return predictor.predict(users)
        wanted = np.zeros((len(users), self.n_items), dtype=bool)
        for each in work:
            start, stop, rows = each.groups_of(users)
            mark_targets(each.layout, start, stop, rows, wanted)
        return predictor.predict_pairs(users, wanted)

    def _locate(
        self, work: TargetWork, start: int, stop: int, rows: Offsets, given: PredictedRows
    ) -> None:
        """Hand some groups to the kernel."""
        if start < stop:
            args = self.order, start, stop, rows, given, self._reach, self._least(work)
            locate(work.layout, work.judged, *args, work.rows, work.heads)

    def _share(
        self, predictor: SharedPredictor, work: Sequence[TargetWork]
    ) -> Sequence[TargetWork]:
        """Rank target sets by the one order of all users; returns those that need their own.

        Users have orders of their own where draws or ratings break ties, or where what is
        not predicted is drawn or merged, and targets of their own where these are listed.
        """
        given = rows_of(
            checked(predictor.shared()[None], 1, self.n_items, self.system), self.rounded
        )
        order, all_scored = self.order, not np.isnan(given.values).any()
        if order.ties != TIES_BY_KEY or not (all_scored or order.unscored in (DROP, BY_ITEM)):
            return work
        keys: Keys = (np.empty(self.n_items), np.empty(self.n_items), np.empty(self.n_items))
        items = np.arange(self.n_items, dtype=np.int32)
        fill_keys(given.values[0], order, 0, items, keys)
        ranked = np.lexsort((keys[2], -keys[1], -keys[0])).astype(np.int32)
        places, firsts, lasts = np.empty((3, self.n_items), np.int64)
        fill_places(ranked, keys, places, firsts, lasts)
        shared = SharedOrder(ranked, places, firsts, lasts, np.empty(0, np.int64))
        for each in work:
            if each.layout.whole:
                self._locate_shared(each, given, keys, shared)
        return [each for each in work if not each.layout.whole]

    def _locate_shared(
        self,
        work: TargetWork,
        given: PredictedRows,
        keys: Keys,
        order: SharedOrder,
    ) -> None:
        """Hand all groups of a target set to the kernel of one order."""
        scored = work.layout.candidates & ~np.isnan(given.values[0])
        listed = scored if self.order.unscored == DROP else work.layout.candidates
        shared = order._replace(ahead=offsets_of(listed[order.items]))
        predicted = int(np.count_nonzero(scored))

        def pass_by(part: slice) -> None:
            args = work.layout, work.judged, self.order, part.start, part.stop, given, keys
            locate_shared(*args, shared, predicted, self._reach, work.rows, work.heads)

        for _ in in_threads(pass_by, shares(len(work.group_users), _LEAST, _MOST)):
            pass


def whole_batches(users: Codes, most: int, size: int) -> list[slice]:
    """Slices of at most so many ascending users, none of which cuts a batch of a predictor.

    A batch is ``size`` consecutive codes; a slice holds one at least, however large.

    >>> whole_batches(np.array([0, 3, 4, 5, 9]), most=4, size=2)
    [slice(0, 2, None), slice(2, 5, None)]
    """
    starts = np.flatnonzero(np.diff(users // size, prepend=-1))[:: max(1, most // size)]
    ends = np.append(starts, len(users)).tolist()
    return [slice(*each) for each in pairwise(ends)]
