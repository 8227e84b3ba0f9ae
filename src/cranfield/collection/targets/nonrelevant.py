"""Which non-relevant items are ranked: all, a sample of fixed size, or only judged ones."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.base.options import option, parameter
from cranfield.base.ragged import Ragged, offsets_of
from cranfield.base.seeds import Seeds, words
from cranfield.base.threads import chunks, in_threads
from cranfield.collection.kernels.sampling import Offsets, Rated, draw_pools, eligible_counts
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Counts, Eligible, Nonrelevant, Pools, items_of
from cranfield.collection.topics import Topics

_POOLS_AT_ONCE = 4096


@option("nonrelevant", "all-nonrelevant", aliases=("AN",))
@dataclass(frozen=True, kw_only=True)
class AllNonrelevant(Nonrelevant):
    """Every eligible item: N_u = C ∖ PR_test(u) ∖ R_train(u).

    bellogin2017 §3.1, AN.
    """

    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools | None:
        """Nothing is listed: all eligible items are in."""
        return None


@option("nonrelevant", "judged-only", aliases=("condensed",))
@dataclass(frozen=True, kw_only=True)
class JudgedOnly(Nonrelevant):
    """Only items that the user rated in the test part: condensed rankings.

    canamares2020 C1: no unjudged item remains; the order of the others is unchanged.
    """

    needs_catalogue: ClassVar[bool] = False

    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools | None:
        """Each user's judged items that are not relevant, of the topic's segment if it has one."""
        parts = [topics.users] if topics.segments is None else [topics.users, topics.segments]
        owners, of_topic = np.unique(np.stack(parts), axis=1, return_inverse=True)
        judgments = eligible.collection.judgments
        rejected = judgments.ratings.take(~judgments.relevant)
        lists = [self._allowed(items_of(rejected, owner[0]), owner, eligible) for owner in owners.T]
        return Pools(Ragged.from_lists(lists, np.int32), of_topic.reshape(-1))

    def _allowed(self, items: Codes, owner: Codes, eligible: Eligible) -> Codes:
        """Of some items, the candidates that an owner, user or user and segment, may have."""
        trained = np.isin(
            items, items_of(eligible.collection.excluded, owner[0]), assume_unique=True
        )
        allowed = eligible.candidates[items] & ~trained
        if eligible.segments is not None and len(owner) > 1:
            allowed &= eligible.segments[items] == owner[1]
        return items[allowed]


@option("nonrelevant", "sampled", aliases=("NN",))
@dataclass(frozen=True, kw_only=True)
class Sampled(Nonrelevant):
    """A random sample of n eligible items, the same for all systems: |N_u| = n.

    bellogin2017 §3.1, NN. Drawn once per user, as the lemma of §3.4 needs, or anew for
    each relevant item. With of=unrated, items that the user rated in test are not drawn:
    with one-relevant the "1 plus n" of Cremonesi et al. 2010. A user with fewer such items
    gets them all.
    """

    n: int = parameter(100, "Number of non-relevant items, at least 1.", at_least=1)
    per: Literal["user", "relevant"] = parameter(
        "user", "Whether a user's rankings share one sample (user) or each has its own (relevant)."
    )
    of: Literal["eligible", "unrated"] = parameter(
        "eligible", "What is drawn: eligible items, or only those that the user did not rate."
    )

    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools | None:
        """Draw by counter from (seed, user, segment or item)."""
        parts = [topics.users.astype(np.int64)]
        if topics.segments is not None:
            parts.append(topics.segments.astype(np.int64))
        if self.per == "relevant" and topics.items is not None:
            parts.append(topics.items.astype(np.int64))
        _, firsts, of_topic = np.unique(
            np.stack(parts), axis=1, return_index=True, return_inverse=True
        )
        owned = Topics(
            topics.users[firsts],
            topics.items[firsts] if self.per == "relevant" and topics.items is not None else None,
            None if topics.segments is None else topics.segments[firsts],
        )
        unrated = self.of == "unrated"
        pools, counts = draw(owned, eligible, self.n, seeds.key("sampled"), unrated=unrated)
        short = int(np.count_nonzero(counts < self.n))
        return Pools(pools, of_topic.reshape(-1), short, counts)


@option("nonrelevant", "judged-and-sampled", aliases=("judged-plus",))
@dataclass(frozen=True, kw_only=True)
class JudgedAndSampled(Nonrelevant):
    """What the user rated in the test part, and a random sample of n items that are unrated.

    Between condensed and full rankings: N_u holds the user's judged items that are not
    relevant, and n others, drawn once per user. canamares2020 §2, after Cremonesi et al.
    2010 and Bellogín et al. 2011.
    """

    n: int = parameter(100, "Number of unrated items, at least 1.", at_least=1)

    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools | None:
        """The pools of both, which have the same owners, together."""
        judged = JudgedOnly().choose(topics, eligible, seeds)
        drawn = Sampled(n=self.n, of="unrated").choose(topics, eligible, seeds)
        assert judged is not None
        assert drawn is not None
        lists = [
            np.sort(np.concatenate([judged.items[pool], drawn.items[pool]]))
            for pool in range(len(judged.items))
        ]
        return Pools(Ragged.from_lists(lists, np.int32), judged.of_topic, drawn.short)


def draw(
    owned: Topics, eligible: Eligible, n: int, key: int, *, unrated: bool = False
) -> tuple[Ragged, Counts]:
    """Pools of n items, one per owner, and how many items each could have been drawn from.

    Relevant items are never drawn; if ``unrated``, none that the user rated in test.
    """
    segment_of, segments = _segments(owned, eligible)
    candidates = np.lexsort((np.arange(len(segment_of)), segment_of)).astype(np.int32)
    candidates = candidates[segment_of[candidates] >= 0]
    asked = int(segments.max(initial=-1)) + 1
    bounds = offsets_of(np.bincount(segment_of[candidates], minlength=asked))
    judgments = eligible.collection.judgments
    train = _csr(eligible.collection.excluded)
    positives = _csr(judgments.ratings if unrated else judgments.positives)
    counts = np.empty(len(owned), dtype=np.int64)
    sizes = np.diff(bounds)
    eligible_counts(owned.users, segments, segment_of, sizes, train, positives, counts)
    offsets = offsets_of(np.minimum(counts, n))
    out = np.empty(offsets[-1], dtype=np.int32)
    owners = _owners(owned, len(segment_of))

    def fill(part: slice) -> None:
        ends = offsets[part.start : part.stop + 1]
        draw_pools(
            owned.users[part], segments[part], owners[part], segment_of, bounds, candidates,
            train, positives, np.uint64(key), counts[part], ends, out,
        )  # fmt: skip

    for _ in in_threads(fill, chunks(len(owned), _POOLS_AT_ONCE)):
        pass
    return Ragged(out, offsets), counts


def draw_pool(candidates: Codes, eligible: Codes, n: int, key: int, owner: int) -> Codes:
    """One pool, step by step: the definition of what `draw` does for many.

    Items are drawn from the candidates, with repetition, until enough distinct eligible
    ones are found; where more than half of the eligible items are wanted, the ones to
    leave out are drawn instead.
    """
    size = min(n, len(eligible))
    listed = size <= len(eligible) - size
    wanted = size if listed else len(eligible) - size
    allowed, drawn, counter = set(eligible.tolist()), set[int](), 0
    stream = int(words(key, owner)[0])
    while len(drawn) < wanted:
        high_half = int(words(stream, counter)[0]) >> 32
        item = int(candidates[high_half * len(candidates) >> 32])
        counter += 1
        if item in allowed:
            drawn.add(item)
    return np.array(sorted(drawn if listed else allowed - drawn), dtype=np.int32)


def _segments(owned: Topics, eligible: Eligible) -> tuple[Codes, Codes]:
    """The segment of each item (−1: no candidate) and of each pool; one segment if none."""
    if eligible.segments is None or owned.segments is None:
        whole = np.where(eligible.candidates, np.int32(0), np.int32(-1)).astype(np.int32)
        return whole, np.zeros(len(owned), dtype=np.int32)
    return eligible.segments, owned.segments


def _owners(owned: Topics, n_items: int) -> Offsets:
    """A number for each pool that depends on its user, and its segment or item, alone."""
    inner = owned.items if owned.items is not None else owned.segments
    within = np.zeros(len(owned), np.int64) if inner is None else inner.astype(np.int64) + 1
    return owned.users.astype(np.int64) * (n_items + 1) + within


def _csr(ratings: Ratings) -> Rated:
    return ratings.user_offsets, ratings.items
