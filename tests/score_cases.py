"""Scores to test with: by hand, or made up by Hypothesis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from hypothesis import strategies as st

import cranfield.scoring.aggregations  # noqa: F401
from cranfield.base.ids import Ids
from cranfield.collection.topics import Topics
from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores

U, N = float("nan"), None
"""An undefined score; N stands for a topic without a list."""


def scores_of(
    systems: Mapping[str, Sequence[float | None]],
    *,
    users: Sequence[int] | None = None,
    segments: Sequence[int] | None = None,
    judged: Sequence[int] | None = None,
    relevant: Sequence[int] | None = None,
) -> Scores:
    """Scores by one metric, P@10; None is a topic without a list, which the metric scores 0.5."""
    size = len(next(iter(systems.values())))
    codes = np.arange(size, dtype=np.int32) if users is None else np.array(users, dtype=np.int32)
    return Scores(
        Topics(codes, segments=None if segments is None else np.array(segments, dtype=np.int32)),
        Ids(pl.Series([f"u{number}" for number in range(10, 30)])),
        tuple(systems),
        ("P@10",),
        np.array([[[0.5 if x is None else x for x in row]] for row in systems.values()]),
        np.array([[x is not None for x in row] for row in systems.values()]),
        judged=None if judged is None else np.array(judged, dtype=np.int64),
        relevant=None if relevant is None else np.array(relevant, dtype=np.int64),
    )


def written_and_read(scores: Scores, folder: Path) -> Scores:
    """The scores after a way through a file."""
    path = folder / "scores.parquet"
    scores.to_parquet(path)
    return read_scores(path)


SCORE = st.none() | st.just(U) | st.sampled_from([0.0, 1.0]) | st.floats(0, 1)


@st.composite
def many_scores(draw: st.DrawFn, *, systems: int = 3, segments: bool = False) -> Scores:
    """Scores of several systems: undefined, uncovered, equal, or any."""
    size = draw(st.integers(1, 8))
    rows = st.lists(SCORE, min_size=size, max_size=size)
    names = [f"s{number}" for number in range(draw(st.integers(1, systems)))]
    users = sorted(draw(st.lists(st.integers(0, 9), min_size=size, max_size=size)))
    held = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size)) if segments else None
    return scores_of({name: draw(rows) for name in names}, users=users, segments=held)


@st.composite
def scores_of_topics(draw: st.DrawFn) -> Scores:
    """Scores of three systems by two metrics: topics are users (AR), users and items (1R), or
    those with a segment (P1R); some users have no topic; topics are in the order of files.
    """
    size = draw(st.integers(1, 12))
    items = draw(st.booleans())
    users = draw(st.lists(st.integers(0, 19), min_size=size, max_size=size, unique=not items))
    held = draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    rows = st.lists(SCORE, min_size=size, max_size=size)
    both = [scores_of({f"s{n}": draw(rows) for n in range(3)}, users=users) for _ in range(2)]
    codes = np.arange(size, dtype=np.int32)[::-1] % 5
    segments = np.array(held, np.int32) if items and draw(st.booleans()) else None
    counts = np.array(users, np.int64) * 7 % 5 if draw(st.booleans()) else None
    made = Scores(
        Topics(both[0].topics.users, codes if items else None, segments),
        both[0].user_ids,
        both[0].systems,
        ("P@10", "AP"),
        np.concatenate([each.values for each in both], axis=1),
        both[0].covered,
        Ids(pl.Series([f"i{n}" for n in range(5)])) if items else None,
        counts,
        None if counts is None else counts // 2,
    )
    keys = [key for key in (made.topics.items, segments, made.topics.users) if key is not None]
    return made.take(np.lexsort(keys))
