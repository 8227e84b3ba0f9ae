"""Observation: which pairs of a known truth come to light, and when."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.ragged import offsets_of
from cranfield.base.seeds import Seeds, broadcast_uniforms, pair_uniforms, uniforms
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.truth import Some, Truth

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_BEGIN, _SPAN = 946_684_800, 3 * 365 * 86_400
"""The first second (1 January 2000) and the length (three years) of the simulated time."""

_PAIRS_AT_ONCE = 1 << 18
"""Pairs worked on at a time by one thread: about 20 MB."""


_WIDEST, _HALVINGS = 40.0, 60
"""Where the logarithm of a rate of drawing is looked for, and how often that is halved."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Observation:
    r"""Which pairs of a known truth come to light, and when.

    User u rates the counts_u items with the largest

        popularity_i + mnar · relevance(u, i) + Gumbel noise of the pair,

    that is, draws them one after another without replacement, with odds proportional to
    exp(popularity_i + mnar · relevance(u, i)). An item that nobody drew replaces the most
    rated item of the user who was nearest to drawing it, so that every item has a rating.
    Users join at any time and rate most when they have just joined.
    """

    truth: Truth
    counts: Counts
    popularity: Floats
    mnar: float
    seeds: Seeds

    def ratings(self, pairs_at_once: int = _PAIRS_AT_ONCE) -> Ratings:
        """The true ratings of the pairs that come to light."""
        rows = max(1, pairs_at_once // len(self.popularity))
        parts = in_threads(self._chosen, chunks(len(self.counts), rows))
        users = np.repeat(np.arange(len(self.counts), dtype=np.int32), self.counts)
        items = self._with_every_item(users, np.concatenate(list(parts)))
        return Ratings(
            self.truth.user_ids,
            self.truth.item_ids,
            users,
            items,
            self.truth.rating_of_pairs(users, items),
            self._times(users, items),
        )

    def propensity(self, users: Some, items: Some) -> Floats:
        r"""The chance of each pair of a user and an item to come to light.

            p_ui ≈ 1 − exp(−λ_u·o_ui),  λ_u such that Σ_i p_ui = counts_u

        o_ui = exp(popularity_i + mnar · relevance(u, i)) are the odds of drawing item i. The
        chance to be among counts_u draws without replacement has no short exact form; this
        one is that of Rosén 1972, and errs by less, the more items there are. What users give
        up so that every item has a rating is not allowed for.
        """
        odds = self.popularity[items]
        if self.mnar:
            odds = odds + self.mnar * self.truth.relevance_of_pairs(users, items)
        return np.asarray(-np.expm1(-np.exp(self._rates[users] + odds)))

    @cached_property
    def _rates(self) -> Floats:
        """Log λ of each user."""
        rows = max(1, _PAIRS_AT_ONCE // len(self.popularity))
        return np.concatenate(list(in_threads(self._rates_of, chunks(len(self.counts), rows))))

    def _rates_of(self, part: slice) -> Floats:
        """Log λ of a slice of users, by halving intervals; infinite for who rates everything."""
        users = np.arange(part.start, part.stop)
        odds = np.broadcast_to(self.popularity, (len(users), len(self.popularity)))
        if self.mnar:
            odds = odds + self.mnar * self.truth.relevance(users)
        wanted = self.counts[part]
        low, high = -odds.max(axis=1) - _WIDEST, -odds.min(axis=1) + _WIDEST
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            reached = -np.expm1(-np.exp(odds + middle[:, None])).sum(axis=1) >= wanted
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        return np.where(wanted < len(self.popularity), (low + high) / 2, np.inf)

    def _chosen(self, part: slice) -> Codes:
        """The items that a slice of users rate, ascending for each user."""
        keys = self._keys(np.arange(part.start, part.stop))
        chosen = (_largest(row, n) for row, n in zip(keys, self.counts[part], strict=True))
        return np.concatenate([np.sort(items) for items in chosen]).astype(np.int32)

    def _keys(self, users: Some, items: Some | None = None) -> Floats:
        """How strongly items (all unless given) call for a rating by users: users × items."""
        across = np.arange(len(self.popularity)) if items is None else items
        drawn = pair_uniforms(self.seeds.key("pair"), users, across)
        keys = np.asarray(self.popularity[across] - np.log(-np.log(drawn)))
        return keys + self.mnar * self.truth.relevance(users, items) if self.mnar else keys

    def _times(self, users: Some, items: Some) -> Counts:
        """When users rate items: mostly soon after they joined."""
        joined = uniforms(self.seeds.key("joined"), np.arange(len(self.counts)))[users]
        drawn = broadcast_uniforms(self.seeds.key("time"), users, items)
        share = joined + (1 - joined) * drawn * drawn * drawn
        return np.asarray(_BEGIN + np.floor(share * _SPAN).astype(np.int64))

    def _with_every_item(self, users: Codes, items: Codes) -> Codes:
        """The items rated, with each item once at least; users give up others for it."""
        counts = np.bincount(items, minlength=len(self.popularity))
        missing = np.flatnonzero(counts == 0)
        items, offsets = items.copy(), offsets_of(self.counts)
        for item in missing:
            row = self._row_to_give(item, items, counts, offsets)
            counts[items[row]] -= 1
            counts[item], items[row] = 1, item
        return items[np.lexsort((items, users))] if len(missing) else items

    def _row_to_give(self, item: np.int64, items: Codes, counts: Counts, offsets: Counts) -> int:
        """The row to be replaced: of the user nearest to an item, the item rated by most."""
        keys = self._keys(np.arange(len(self.counts)), np.array([item]))[:, 0]
        while True:
            user = np.argmax(keys)
            assert keys[user] > -np.inf  # Else there were fewer ratings than items.
            start, stop = offsets[user : user + 2]
            rated = counts[items[start:stop]]
            if rated.max() > 1:
                return int(start + np.argmax(rated))
            keys[user] = -np.inf


def _largest(keys: Floats, count: np.int64) -> Counts:
    """The places of the largest keys, in no order."""
    return np.argpartition(keys, len(keys) - int(count))[len(keys) - int(count) :]
