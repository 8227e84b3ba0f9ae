"""Encoding: the nouns of the stages as entries of the store, and back."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.files import fingerprint
from cranfield.collection.topics import Topics
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.expectation import Expectation
from cranfield.scoring.scores import Scores
from cranfield.workbench.store.store import Entry

Arrays = dict[str, npt.NDArray[Any]]

_SCALE = ("relevance", "lowest", "highest")


def encode_object(name: str, thing: object) -> Entry:
    """A fitted recommender or a finding, as Python keeps objects; the store is the user's own."""
    return Entry({name: np.frombuffer(pickle.dumps(thing, protocol=5), dtype=np.uint8)})


def decode_object(name: str, entry: Entry) -> Any:
    """The same again."""
    return pickle.loads(entry.arrays[name].tobytes())


def content_of_scores(scores: Scores) -> str:
    """The name of exactly these scores, whatever systems and metrics are called."""
    return fingerprint(*_parts(scores.topics), scores.values, scores.covered)


def content_of_hits(hits: Iterable[Hits], *more: npt.NDArray[Any]) -> str:
    """The name of exactly these hits and whatever arrays come with them."""
    parts = [piece for each in hits for piece in (*_parts(each.topics), *_parts(each))]
    return fingerprint(*parts, *more)


def _parts(noun: Any) -> list[Any]:
    """The fields of a noun as parts of a fingerprint: arrays, and the rest as text."""
    values = [getattr(noun, each.name) for each in fields(noun) if each.name != "topics"]
    return [value if isinstance(value, np.ndarray) else str(value) for value in values]


def _topic_arrays(topics: Topics) -> Arrays:
    return {
        f"topic_{each.name}": value
        for each in fields(topics)
        if (value := getattr(topics, each.name)) is not None
    }


def _topics(entry: Entry) -> Topics:
    return Topics(*(entry.arrays.get(f"topic_{each.name}") for each in fields(Topics)))  # type: ignore[arg-type]


def _others(entry: Entry) -> Arrays:
    return {name: a for name, a in entry.arrays.items() if not name.startswith("topic_")}


def encode_hits(hits: Hits) -> Entry:
    """Hits as arrays; the scale of ratings as facts. Lists are stored by themselves."""
    arrays = {
        each.name: getattr(hits, each.name)
        for each in fields(hits)
        if each.name not in ("topics", "depth", "lists", *_SCALE)
    }
    facts = {name: getattr(hits, name) for name in _SCALE} | {"depth": hits.depth}
    return Entry({**_topic_arrays(hits.topics), **arrays}, facts)


def decode_hits(entry: Entry) -> Hits:
    """The hits again."""
    arrays: dict[str, Any] = _others(entry)
    return Hits(topics=_topics(entry), **arrays, **entry.facts)


def encode_run(run: Run) -> Entry:
    """The heads of lists as arrays."""
    arrays = {name: getattr(run, name) for name in ("offsets", "items", "predictions", "tied")}
    return Entry({**_topic_arrays(run.topics), **arrays})


def decode_run(entry: Entry, system: str) -> Run:
    """The heads of lists again."""
    arrays: dict[str, Any] = _others(entry)
    return Run(system=system, topics=_topics(entry), **arrays)


def encode_expectation(expectation: Expectation) -> Entry:
    """What random rankings score, as arrays."""
    return Entry(
        {
            "values": expectation.values,
            "best": expectation.best,
            "estimated": np.array(expectation.estimated, dtype=bool),
            "errors": np.array(expectation.errors),
            **({} if expectation.drawn is None else {"drawn": expectation.drawn}),
        },
        {"metrics": list(expectation.metrics)},
    )


def decode_expectation(entry: Entry) -> Expectation:
    """What random rankings score, again."""
    arrays = entry.arrays
    return Expectation(
        tuple(entry.facts["metrics"]),
        arrays["values"],
        arrays["best"],
        tuple(arrays["estimated"].tolist()),
        tuple(arrays["errors"].tolist()),
        arrays.get("drawn"),
    )
