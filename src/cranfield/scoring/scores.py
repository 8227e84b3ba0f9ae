"""Scores: what each system scored on each topic by each metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError, UnknownParameter, counted, near, shown
from cranfield.base.files import writing
from cranfield.base.ids import Ids
from cranfield.base.nouns.display import Plotted, Tabular
from cranfield.base.nouns.preview import preview
from cranfield.base.ragged import frozen
from cranfield.base.schema import ITEM, SCORE, SYSTEM, USER
from cranfield.collection.judgments import Judgments
from cranfield.collection.ratings import Ratings
from cranfield.collection.topics import Topics
from cranfield.scoring.pooling import mean_by_place

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]

SEGMENT = "segment"
METRIC = "metric"
COVERED = "covered"
JUDGED = "judged"
RELEVANT = "relevant"
TRAIN_RATINGS = "train_ratings"
ALL_RATINGS = "all_ratings"
TOPIC_WEIGHT = "topic_weight"
OWN_COLUMNS = (USER, ITEM, SEGMENT, SYSTEM, METRIC, SCORE, COVERED, JUDGED, RELEVANT)
COLUMNS = (*OWN_COLUMNS, TOPIC_WEIGHT, TRAIN_RATINGS, ALL_RATINGS)
"""The columns of a table of scores; the last two are numbers of users."""


@dataclass(frozen=True, eq=False)
class Scores(Plotted, Tabular):
    """What each system scored on each topic by each metric.

    ``values[s, m, t]`` is the score of system s by metric m on topic t; NaN means
    undefined, and only an aggregation may resolve it. ``covered[s, t]`` says whether the
    system proposed anything for the topic. All systems share the topics. ``judged`` and
    ``relevant`` are |R_test(u)| and |PR_test(u)| of each topic's user, where known.
    ``unknown`` are metrics that cannot be known here, as AUC without a catalogue: no topic
    enters their average, whatever becomes of undefined ones. ``user_columns`` are further
    numbers of each topic's user by name, NaN where one has none: of training ratings and of
    all ratings where there are any in training, and those of a table of users.
    ``topic_weights`` tell by metric how much topics count in its mean, where not all count
    alike; NaN for a topic that counts as much as others do on average.
    """

    topics: Topics
    user_ids: Ids
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    values: Floats
    covered: Flags
    item_ids: Ids | None = None
    judged: Counts | None = None
    relevant: Counts | None = None
    unknown: frozenset[str] = frozenset()
    user_columns: Mapping[str, Floats] = field(default_factory=dict)
    topic_weights: Mapping[str, Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        systems, topics = len(self.systems), len(self.topics)
        assert self.values.shape == (systems, len(self.metrics), topics)
        assert self.covered.shape == (systems, topics)
        for name in ("values", "covered", "judged", "relevant"):
            if (array := getattr(self, name)) is not None:
                object.__setattr__(self, name, frozen(array))
        for name in ("user_columns", "topic_weights"):
            columns = {key: frozen(each) for key, each in getattr(self, name).items()}
            object.__setattr__(self, name, columns)

    @classmethod
    def from_systems(
        cls,
        topics: Topics,
        user_ids: Ids,
        metrics: tuple[str, ...],
        scores: Mapping[str, Floats],
        lengths: Mapping[str, Counts],
        *,
        judgments: Judgments | None = None,
        train: Ratings | None = None,
    ) -> Scores:
        """Scores from one array (metrics × topics) per system, and the lengths of its lists.

        A topic whose list is empty is not covered. The judgments give the ids of items
        and the number of test ratings of each user, ``train`` that of training ratings.
        """
        shape = (len(scores), len(metrics), len(topics))
        values = np.array([scores[system] for system in scores], dtype=np.float64).reshape(shape)
        listed = [lengths[system] > 0 for system in scores]
        covered = np.array(listed, dtype=bool).reshape(len(scores), len(topics))
        made = cls(topics, user_ids, tuple(scores), metrics, values, covered)
        if judgments is None:
            return made
        return replace(
            made,
            item_ids=judgments.ratings.item_ids,
            judged=judgments.ratings.user_counts[topics.users],
            relevant=judgments.relevant_counts[topics.users],
            user_columns=_rating_counts(topics, judgments, train),
        )

    def __len__(self) -> int:
        return len(self.topics)

    def __repr__(self) -> str:
        topics = [] if self.n_users == len(self) else [counted(len(self), "topic")]
        names = f"systems: {', '.join(self.systems)}", f"metrics: {', '.join(self.metrics)}"
        facts = [counted(self.n_users, "user"), *topics]
        return preview("Scores", facts, [[name] for name in names], limit=100)

    def of(self, system: str, metric: str) -> Floats:
        """The scores of one system by one metric, topic by topic."""
        scores: Floats = self.values[self.system_number(system), self.metric_number(metric)]
        return scores

    def system_number(self, system: str) -> int:
        """The place of a system among the systems."""
        if system not in self.systems:
            raise UnknownParameter("scores", system, self.systems)
        return self.systems.index(system)

    def metric_number(self, metric: str) -> int:
        """The place of a metric among the metrics."""
        if metric not in self.metrics:
            raise UnknownParameter("scores", metric, self.metrics)
        return self.metrics.index(metric)

    @cached_property
    def user_numbers(self) -> Counts:
        """The user of each topic, numbered among the users who have one."""
        return np.unique(self.topics.users, return_inverse=True)[1]

    @property
    def n_users(self) -> int:
        """The number of users who have a topic."""
        return int(self.user_numbers.max(initial=-1)) + 1

    def take(self, chosen: npt.NDArray[np.integer] | Flags) -> Scores:
        """The scores of some topics: a mask, or ascending topic numbers."""
        return replace(
            self,
            topics=self.topics.take(chosen),
            values=self.values[:, :, chosen],
            covered=self.covered[:, chosen],
            judged=None if self.judged is None else self.judged[chosen],
            relevant=None if self.relevant is None else self.relevant[chosen],
            user_columns={name: each[chosen] for name, each in self.user_columns.items()},
            topic_weights={name: each[chosen] for name, each in self.topic_weights.items()},
        )

    def by_metrics(self, names: Sequence[str]) -> Scores:
        """The scores by some metrics, by all unless they are named."""
        asked = dict.fromkeys([names] if isinstance(names, str) else names or self.metrics)
        for name in asked:
            if name not in self.metrics:
                raise OptionError(
                    f"there are no scores by {shown(name)}.{near(name, self.metrics)} "
                    f"There are those by {', '.join(self.metrics)}."
                )
        chosen = [self.metric_number(name) for name in asked]
        return replace(self, metrics=tuple(asked), values=self.values[:, chosen])

    def by_systems(self, names: Sequence[str]) -> Scores:
        """The scores of some systems, in the order given."""
        if tuple(names) == self.systems:
            return self
        chosen = [self.system_number(name) for name in names]
        return replace(
            self,
            systems=tuple(names),
            values=self.values[chosen],
            covered=self.covered[chosen],
        )

    def by_user(self) -> Scores:
        """One topic per user: the mean over the user's topics on which the metric is defined.

        Undefined if it is so on all of them; covered if one of them is, those that are not
        scoring 0 whatever the metric makes of an empty list. Topics of one user (1R, P1R,
        folds) are not independent, so a test compares users.
        """
        if self.topics.items is None and bool(np.all(np.diff(self.topics.users) > 0)):
            return replace(self, topics=Topics(self.topics.users), item_ids=None)
        users, firsts, places = np.unique(self.topics.users, return_index=True, return_inverse=True)
        return replace(
            self.pool(Topics(users), places),
            judged=None if self.judged is None else self.judged[firsts],
            relevant=None if self.relevant is None else self.relevant[firsts],
            user_columns={name: each[firsts] for name, each in self.user_columns.items()},
        )

    def pool(self, topics: Topics, places: npt.NDArray[np.intp]) -> Scores:
        """Fewer topics: each has the mean over those that ``places`` put there, as in `by_user`.

        Nothing else is known of their users.
        """
        size = len(topics)
        counted = self.covered[:, None] | np.isnan(self.values)
        blocks = len(self.systems) * len(self.metrics)
        flat = np.where(counted, self.values, 0.0).reshape(blocks, len(self))
        weights = [self.topic_weights.get(metric) for metric in self.metrics]
        means = np.array(
            [
                mean_by_place(row, places, size, weights[block % len(weights)])
                for block, row in enumerate(flat)
            ]
        )
        covered = [np.bincount(places[row], minlength=size) > 0 for row in self.covered]
        return replace(
            self,
            topics=topics,
            item_ids=None if topics.items is None else self.item_ids,
            values=means.reshape(*self.values.shape[:2], size),
            covered=np.array(covered, dtype=bool).reshape(len(self.systems), size),
            judged=None,
            relevant=None,
            user_columns={},
            topic_weights={
                name: mean_by_place(each, places, size) for name, each in self.topic_weights.items()
            },
        )

    def to_polars(self) -> pl.DataFrame:
        """A table of one row per system, metric and topic; an undefined score is null.

        The columns are ``user_id``, where topics have them ``item_id`` and ``segment``,
        then ``system, metric, score, covered``, where topics do not all count alike
        ``topic_weight`` and, where known, ``judged, relevant`` and the columns of users.
        """
        blocks, size = len(self.systems) * len(self.metrics), len(self)
        columns = {name: pl.concat([one] * blocks) for name, one in self._of_topics().items()}
        last = (JUDGED, RELEVANT, *self.user_columns)
        counts = {name: columns.pop(name) for name in last if name in columns}
        names = pl.Series(self.systems, dtype=pl.String)
        covered = np.repeat(self.covered, len(self.metrics), axis=0).ravel()
        every = np.repeat(np.arange(len(self.systems)), len(self.metrics) * size)
        kinds = np.tile(np.repeat(np.arange(len(self.metrics)), size), len(self.systems))
        return pl.DataFrame(
            {
                **columns,
                SYSTEM: names.gather(every),
                METRIC: pl.Series(self.metrics, dtype=pl.String).gather(kinds),
                SCORE: pl.Series(self.values.ravel()).fill_nan(None),
                COVERED: pl.Series(covered),
                **self._weight_column(),
                **counts,
            }
        )

    def _weight_column(self) -> dict[str, pl.Series]:
        """How much topics count by each metric: 1 where all count alike."""
        if not self.topic_weights:
            return {}
        alike = np.ones(len(self))
        one = np.concatenate([self.topic_weights.get(each, alike) for each in self.metrics])
        return {TOPIC_WEIGHT: pl.Series(np.tile(one, len(self.systems))).fill_nan(None)}

    def _of_topics(self) -> dict[str, pl.Series]:
        """What is known of each topic, as columns."""
        columns = {USER: self.user_ids.take(self.topics.users)}
        if self.topics.items is not None:
            codes = self.topics.items
            columns[ITEM] = self.item_ids.take(codes) if self.item_ids else pl.Series(codes)
        if self.topics.segments is not None:
            columns[SEGMENT] = pl.Series(self.topics.segments)
        for name, counts in ((JUDGED, self.judged), (RELEVANT, self.relevant)):
            if counts is not None:
                columns[name] = pl.Series(counts)
        for name, numbers in self.user_columns.items():
            columns[name] = pl.Series(numbers).fill_nan(None)
        return columns

    def to_parquet(self, path: Path | str) -> None:
        """Write the table of `to_polars`, all of it or nothing."""
        with writing(path) as aside:
            self.write(aside)

    def write(self, path: Path) -> None:
        """Write the table of `to_polars` to a file as it is."""
        self.to_polars().write_parquet(path)


def _rating_counts(
    topics: Topics, judgments: Judgments, train: Ratings | None
) -> dict[str, Floats]:
    """|R_train(u)| and |R(u)| of each topic's user; nothing without training ratings."""
    if train is None or not len(train):
        return {}
    trained = train.user_counts[topics.users].astype(np.float64)
    judged = judgments.ratings.user_counts[topics.users]
    return {TRAIN_RATINGS: trained, ALL_RATINGS: trained + judged}
