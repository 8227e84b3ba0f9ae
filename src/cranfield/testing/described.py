"""Cases in words: what a generated value holds, for messages about a broken law."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cranfield.collection.judgments import Judgments
from cranfield.collection.ratings import Ratings
from cranfield.collection.test_collection import TestCollection
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.scores import Scores
from cranfield.significance.samples.samples import Samples

_MOST = 2000
"""Longer descriptions are cut; a smallest case is seldom this long."""


def described(value: object) -> str:
    """A value with all that it holds, not just its size.

    >>> described(Ratings.from_triples(["a"], [7], [3.0]))
    "ratings [('a', 7, 3.0)]"
    """
    text = _text(value)
    return text if len(text) <= _MOST else f"{text[:_MOST]} … ({len(text):,} characters in all)"


def _text(value: object) -> str:
    for kind, words in _WORDS.items():
        if isinstance(value, kind):
            return words(value)
    return repr(value)


def _of_judgments(value: Judgments) -> str:
    return f"judgments (relevant from {value.relevance:g}) of {_text(value.ratings)}"


def _of_collection(value: TestCollection) -> str:
    kept = " kept" if value.keeps_training else ""
    return f"training{kept} {_text(value.train)}, {_text(value.judgments)}"


def _of_run(value: Run) -> str:
    return f"lists {[items.tolist() for items in np.split(value.items, value.offsets[1:-1])]}"


def _of_hits(value: Hits) -> str:
    columns = (value.owners, value.items, value.ratings, value.ranks)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return f"hits (topic, item, rating, rank) {list(rows)}"


def _of_scores(value: Scores) -> str:
    users = value.topics.users.tolist()
    return f"scores {_by_system(value)}, covered {value.covered.tolist()}, users {users}"


def _by_system(value: Scores | Samples) -> dict[str, Any]:
    return dict(zip(value.systems, value.values.tolist(), strict=True))


_WORDS: dict[type, Callable[[Any], str]] = {
    Ratings: lambda value: f"ratings {value.to_polars().rows()}",
    Judgments: _of_judgments,
    TestCollection: _of_collection,
    Run: _of_run,
    Hits: _of_hits,
    Scores: _of_scores,
    Samples: lambda value: f"samples {_by_system(value)}",
}
