"""Scores to test with: by hand, or made up by Hypothesis."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from hypothesis import strategies as st

import cranfield.scoring.aggregations  # noqa: F401
from cranfield.base.ids import Ids
from cranfield.collection.topics import Topics
from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Scores
from cranfield.testing.strategies import scores as many_scores
from cranfield.testing.strategies import scores_of

__all__ = ["SCORE", "N", "U", "many_scores", "scores_of", "scores_of_topics", "written_and_read"]

U, N = float("nan"), None
"""An undefined score; N stands for a topic without a list."""


def written_and_read(scores: Scores, folder: Path) -> Scores:
    """The scores after a way through a file."""
    path = folder / "scores.parquet"
    scores.to_parquet(path)
    return read_scores(path)


SCORE = st.none() | st.just(U) | st.sampled_from([0.0, 1.0]) | st.floats(0, 1)


def columns_of(counts: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[np.float64]]:
    """Numbers of users: of training ratings, of all ratings, and some that are no counts."""
    trained = (counts + 1).astype(np.float64)
    return {"train_ratings": trained, "all_ratings": trained + counts, "age": trained / 7}


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
        user_columns={} if counts is None else columns_of(counts),
    )
    keys = [key for key in (made.topics.items, segments, made.topics.users) if key is not None]
    return made.take(np.lexsort(keys))
