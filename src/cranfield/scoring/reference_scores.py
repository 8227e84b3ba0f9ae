"""Reference scores: those of other systems, from a file, on the topics that enter here."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import MissingFacts, UnsuitableScores, near, shown
from cranfield.base.ids import Ids
from cranfield.base.packed import require_file
from cranfield.collection.topics import Topics
from cranfield.scoring.coverage import EnteredScores
from cranfield.scoring.score_files import read_scores
from cranfield.scoring.scores import Floats, Scores

_REMEDY = "Score the reference systems by the same metrics on the same test ratings"


def reference_scores(asker: str, path: str, entered: EnteredScores) -> Floats:
    """The scores of reference systems (systems × topics) on the topics that entered.

    A topic without a list scores 0. Refused by name are a metric and topics that the file
    lacks, and a topic that is undefined for a reference system but not here.
    """
    known = _read(path)
    if len(known.systems) < 2:
        raise MissingFacts(asker, f"at least two reference systems in {path}", "more of them")
    metric = _metric(asker, path, known, entered.metric_name)
    places = _places(asker, path, known, entered)
    values = known.values[:, metric, places]
    own = entered.measured.values[entered.system, entered.metric, entered.topics]
    undefined = np.isnan(values)
    wrong = np.flatnonzero(undefined.any(axis=0) & ~np.isnan(own))
    if len(wrong):
        where = _topic(entered.measured, int(entered.topics[wrong[0]]))
        raise UnsuitableScores(asker, f"{path} has no defined score for {where}", _REMEDY)
    return np.where(known.covered[:, places] & ~undefined, values, 0.0)


def _read(path: str) -> Scores:
    """The scores of a file, read once as long as it does not change."""
    file = Path(path).expanduser()
    require_file(file)
    state = file.stat()
    return _cached(str(file), state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _cached(path: str, _changed: int, _size: int) -> Scores:
    return read_scores(path)


def _metric(asker: str, path: str, known: Scores, name: str) -> int:
    if name not in known.metrics:
        there = f"{path} has no scores by {name}.{near(name, known.metrics)}"
        listed = f"There are those by {', '.join(known.metrics)}. {_REMEDY}"
        raise UnsuitableScores(asker, there.rstrip("."), listed)
    return known.metrics.index(name)


def _places(asker: str, path: str, known: Scores, entered: EnteredScores) -> npt.NDArray[np.intp]:
    """Where the file has the topics that entered."""
    mine, theirs = entered.measured.topics, known.topics
    for kind, here, there in (
        ("items", mine.items, theirs.items),
        ("segments", mine.segments, theirs.segments),
    ):
        if (here is None) != (there is None):
            only = path if here is None else "what is scored here"
            raise UnsuitableScores(asker, f"only {only} has {kind} of topics", _REMEDY)
    keys, wanted = _keys(known, known), _keys(entered.measured, known)[entered.topics]
    order = np.argsort(keys, kind="stable")
    if (np.diff(keys[order]) == 0).any():
        raise UnsuitableScores(asker, f"{path} has a topic twice", _REMEDY)
    found = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    missing = np.flatnonzero(keys[found] != wanted)
    if len(missing):
        where = _topic(entered.measured, int(entered.topics[missing[0]]))
        raise UnsuitableScores(asker, f"{path} has no scores for {where}", _REMEDY)
    return found


def _keys(scores: Scores, known: Scores) -> npt.NDArray[np.int64]:
    """One number for each topic, by the codes of ids in the file; −1 where it lacks an id."""
    topics = scores.topics
    columns = [_codes(topics.users, scores.user_ids, known.user_ids)]
    sizes = [len(known.user_ids)]
    if topics.items is not None:
        assert scores.item_ids is not None
        assert known.item_ids is not None
        columns.append(_codes(topics.items, scores.item_ids, known.item_ids))
        sizes.append(len(known.item_ids))
    if topics.segments is not None:
        segments = topics.segments.astype(np.int64)
        size = _segments(known.topics)
        columns.append(np.where((segments >= 0) & (segments < size), segments, -1))
        sizes.append(size)
    keys: npt.NDArray[np.int64] = np.zeros(len(topics), dtype=np.int64)
    for column, size in zip(columns, sizes, strict=True):
        keys = keys * size + column
    return np.where(np.min(columns, axis=0) < 0, -1, keys)


def _segments(topics: Topics) -> int:
    return 0 if topics.segments is None else int(topics.segments.max(initial=-1)) + 1


def _codes(codes: npt.NDArray[np.int32], mine: Ids, theirs: Ids) -> npt.NDArray[np.int64]:
    """Codes of ids here as codes of the same ids there."""
    if mine is theirs:
        return codes.astype(np.int64)
    return theirs.encode(mine.take(codes)).astype(np.int64)


def _topic(scores: Scores, topic: int) -> str:
    """A topic in words."""
    user = f"user {shown(scores.user_ids[int(scores.topics.users[topic])])}"
    if scores.topics.items is None or scores.item_ids is None:
        return user
    return f"{user} and item {shown(scores.item_ids[int(scores.topics.items[topic])])}"
