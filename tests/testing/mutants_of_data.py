"""Wrong options: sources, filters, splits, targets, recommenders, tests, corrections, criteria.

Each has one fault. They carry no @option, so that no other test meets them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.errors import MissingFacts
from cranfield.base.ids import Codes, Ids
from cranfield.base.ragged import Ragged
from cranfield.base.seeds import Seeds
from cranfield.base.storable import storable
from cranfield.base.threads import thread_count
from cranfield.collection.filter import Filter, Mask
from cranfield.collection.judge import Judge
from cranfield.collection.propensity import ItemPropensities, Propensities, Propensity
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import Source
from cranfield.collection.split import Division, Splitter
from cranfield.collection.target import Eligible, Nonrelevant, Pools
from cranfield.collection.topics import Topics
from cranfield.recommendation.recommender import Predictions, Recommender
from cranfield.scoring.estimator import Estimator
from cranfield.scoring.scores import Floats
from cranfield.significance.correction import Correction
from cranfield.significance.paired_test import PairedPValues, PairedTest
from cranfield.significance.samples.samples import Samples
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Criterion, Evidence

SMALL = Ratings.from_triples([1, 1, 2], [1, 2, 1], [5.0, 3.0, 1.0])


@dataclass
class ReadsOthersEachTime(Source):
    readings: Any = field(default_factory=count)

    def read(self) -> Ratings:
        return replace(SMALL, values=SMALL.values + next(self.readings))


class HasAnUnratedUser(Source):
    def read(self) -> Ratings:
        return replace(SMALL, user_ids=Ids(pl.Series([1, 2, 3])))


class IsOutOfOrder(Source):
    def read(self) -> Ratings:
        return replace(SMALL, users=SMALL.users[::-1], items=SMALL.items[::-1])


class JudgesByTraining(Judge):
    def ratings(self, data: object, train: Ratings, test: Ratings) -> Ratings:
        return train


class JudgesUnderOtherIds(Judge):
    def ratings(self, data: object, train: Ratings, test: Ratings) -> Ratings:
        return test.take(test.users == test.users[0]).compact()


class JudgesAtRandom(Judge):
    def ratings(self, data: object, train: Ratings, test: Ratings) -> Ratings:
        return test.take(np.random.default_rng().random(len(test)) < 0.5)


class ShortMask(Filter):
    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        return np.ones(len(ratings) - 1, dtype=bool)


class KeepsNothing(Filter):
    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        return np.zeros(len(ratings), dtype=bool)


class UnseededFilter(Filter):
    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        return np.random.default_rng().random(len(ratings)) < 0.5


class FiltersByName(Filter):
    def keep(self, ratings: Ratings, seeds: Seeds) -> Mask:
        long = ratings.user_ids.values.cast(pl.String).str.len_chars().to_numpy() > 2
        return np.asarray(long[ratings.users])


class LosesARating(Splitter):
    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        left = ratings.take(np.arange(len(ratings) - 1))
        return Division(left, (seeds.words("x", size=len(left)) % np.uint64(2) == 0,))


class ChangesARating(Splitter):
    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        changed = replace(ratings, values=ratings.values + 1)
        return Division(changed, (seeds.words("x", size=len(changed)) % np.uint64(2) == 0,))


class RefusesEverything(Splitter):
    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        return Division(ratings, (np.zeros(len(ratings), dtype=bool),))


class UnseededSplit(Splitter):
    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        return Division(ratings, (np.random.default_rng().random(len(ratings)) < 0.5,))


class SplitsByName(Splitter):
    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        return Division(ratings, (FiltersByName().keep(ratings, seeds),))


class MaskOfNumbers(Splitter):
    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        return Division(ratings, (np.arange(len(ratings)),))  # type: ignore[arg-type]


class TestsWhatIsUnused(Splitter):
    __test__ = False  # no class of tests, whatever pytest makes of its name

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        test = seeds.words("x", size=len(ratings)) % np.uint64(2) == 0
        return Division(ratings, (test,), unused=(np.arange(len(ratings)) < 2,))


def _pools(topics: Topics, lists: list[Codes]) -> Pools:
    items = np.concatenate([*lists, np.empty(0, np.int32)]).astype(np.int32)
    offsets = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return Pools(Ragged(items, offsets), np.arange(len(topics), dtype=np.int64))


class EverythingIsNonrelevant(Nonrelevant):
    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools:
        every = np.flatnonzero(eligible.candidates).astype(np.int32)
        return _pools(topics, [every] * len(topics))


class UnseededTargets(Nonrelevant):
    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools:
        drawn = np.random.default_rng().random
        pools = (eligible.of_topic(topics, number) for number in range(len(topics)))
        return _pools(topics, [pool[drawn(len(pool)) < 0.5] for pool in pools])


class TargetsByPlace(Nonrelevant):
    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools:
        pools = (eligible.of_topic(topics, number) for number in range(len(topics)))
        return _pools(topics, [pool[: 1 + place] for place, pool in enumerate(pools)])


class TargetsOutsideCandidates(Nonrelevant):
    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools:
        others = np.flatnonzero(~eligible.candidates).astype(np.int32)
        return _pools(topics, [others] * len(topics))


class TargetsByName(Nonrelevant):
    def choose(self, topics: Topics, eligible: Eligible, seeds: Seeds) -> Pools:
        length = len(str(eligible.collection.item_ids[0]))
        pools = (eligible.of_topic(topics, number) for number in range(len(topics)))
        return _pools(topics, [pool[:length] for pool in pools])


@dataclass(frozen=True)
class Table:
    """Predictions that were computed before; ``fault`` changes those of a batch."""

    table: Predictions
    fault: str = ""
    calls: Any = field(default_factory=count)

    def predict(self, users: Codes) -> Predictions:
        rows: Predictions = self.table[users]
        if self.fault == "batch":
            return np.asarray(rows - rows.mean())
        if self.fault == "calls":
            return np.asarray(rows + next(self.calls))
        if self.fault == "nobody":
            return np.asarray(rows + 0 * rows[0])
        return rows[:-1] if self.fault == "rows" else rows


@dataclass(frozen=True)
class Forgetful:
    """Predictions of which what is stored loses the digits."""

    table: Predictions

    def encode(self) -> dict[str, Any]:
        return {"table": self.table.astype(np.float32)}

    @classmethod
    def decode(cls, fields: dict[str, Any]) -> Forgetful:
        return cls(fields["table"].astype(np.float64))

    def predict(self, users: Codes) -> Predictions:
        return np.asarray(self.table[users])


# Doctests load this module under another name, and storable classes have names of their own.
Forgetful.__name__ = f"Forgetful of {__name__}"
storable(Forgetful)


@dataclass(frozen=True)
class Stored(Recommender):
    """Ratings in thirds, which are not the same once they were stored."""

    def fit(self, train: Ratings, seeds: Seeds) -> Forgetful:
        return Forgetful(train.matrix().toarray() / 3)


@dataclass(frozen=True)
class Predicts(Recommender):
    """Ratings as they are, NaN without one, with a fault."""

    fault: str = ""

    def fit(self, train: Ratings, seeds: Seeds) -> Table:
        known = train.matrix().toarray()
        if self.fault == "seed":
            known = known + np.random.default_rng().random(known.shape)
        elif self.fault == "threads":
            known = known * thread_count()
        elif self.fault == "names":
            known = known + len(str(train.user_ids[0]))
        elif self.fault == "infinite":
            known = known / 0.0
        elif self.fault == "writes":
            train.values.flags.writeable = True
            train.values[0] = 99
        elif self.fault == "single":
            known = known / known[:, 1:].sum(axis=1, keepdims=True).min()
        return Table(known, self.fault)


@dataclass(frozen=True)
class Tests(PairedTest):
    """The sign of the mean difference, with a fault."""

    __test__ = False
    fault: str = ""

    def compare(self, samples: Samples, seeds: Seeds) -> PairedPValues:
        pairs = samples.pairs
        means = np.array([[samples.differences(0, pair).mean() for pair in pairs]])
        p = np.where(np.abs(means) > 0, 0.001, 1.0)
        faults = {
            "above one": p + 1,
            "unseeded": np.random.default_rng().random(p.shape),
            "blind": np.ones_like(p),
            "one-sided": np.where(means > 0, 0.001, 1.0),
            "threads": p / thread_count(),
            "first user": p / (2 + np.nan_to_num(np.abs(samples.values[0, 0, 0]))),
            "zero": np.zeros_like(p),
        }
        return PairedPValues(faults.get(self.fault, p), means, np.zeros_like(p))


@dataclass(frozen=True)
class Corrects(Correction):
    """No correction, with a fault."""

    fault: str

    def adjust(self, p_values: Floats) -> Floats:
        if self.fault == "writes":
            p_values += 0.125
        faults = {
            "below": p_values / 2,
            "order": np.where(p_values < 0.1, 1.0, p_values),
            "place": np.minimum(p_values * np.arange(1, len(p_values) + 1), 1),
            "single": np.minimum(p_values * 2, 1),
        }
        return faults.get(self.fault, p_values)


@dataclass(frozen=True)
class Judges(Criterion):
    """A verdict with a fault."""

    fault: str
    option_name: str = "verdict"

    def assess(self, evidence: Evidence) -> Assessment:
        if evidence.values is None and self.fault != "unfounded":
            raise MissingFacts("verdict", "values", "scores")
        drawn = float(np.random.default_rng().random()) if self.fault == "unseeded" else 0.5
        table = pl.DataFrame({"value": [] if self.fault == "empty" else [drawn]})
        named = table.rename({"value": "P@3 of good"}) if self.fault == "worded" else table
        across = {"values": "system"} if self.fault == "across" else {}
        return Assessment("verdict", "It is so.", {"values": named}, {}, across=across)


@dataclass
class Estimates(Propensity):
    """Propensities of a half for all items, but for one fault."""

    fault: str = ""
    calls: Any = field(default_factory=count)

    def estimate(self, train: Ratings, seeds: Seeds) -> Propensities:
        found = np.full(train.n_items, {"above one": 1.5, "zero": 0.0}.get(self.fault, 0.5))
        if self.fault == "unseeded":
            found = found / (1 + next(self.calls))
        return RelativePropensities(found) if self.fault == "batch" else ItemPropensities(found)


class RelativePropensities(ItemPropensities):
    def of_pairs(self, users: Codes, items: Codes, ratings: Floats) -> Floats:
        return super().of_pairs(users, items, ratings) / len(items)


@dataclass
class Weighs(Estimator):
    """Weights that are not what they should be."""

    fault: str

    def weights(self, propensities: Floats) -> Floats:
        return propensities if self.fault == "rising" else np.full(len(propensities), 2.0)
