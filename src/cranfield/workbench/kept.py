"""How the nouns of the stages are kept in the store, and taken out again."""

from __future__ import annotations

import pickle
from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.collection.topics import Topics
from cranfield.recommendation.hits import Hits
from cranfield.recommendation.recommender import Predictor
from cranfield.recommendation.run import Run
from cranfield.scoring.expectation import Expectation
from cranfield.validity.assessment import Assessment
from cranfield.workbench.store import Entry

Arrays = dict[str, npt.NDArray[Any]]

_SCALE = ("relevance", "lowest", "highest")


def keep_predictor(predictor: Predictor) -> Entry:
    """A fitted recommender, as Python keeps objects; the store is the user's own."""
    data = pickle.dumps(predictor, protocol=5)
    return Entry({"predictor": np.frombuffer(data, dtype=np.uint8)})


def take_predictor(entry: Entry) -> Predictor:
    """The fitted recommender again."""
    predictor: Predictor = pickle.loads(entry.arrays["predictor"].tobytes())
    return predictor


def keep_assessment(assessment: Assessment) -> Entry:
    """A verdict on metrics, likewise."""
    data = pickle.dumps(assessment, protocol=5)
    return Entry({"assessment": np.frombuffer(data, dtype=np.uint8)})


def take_assessment(entry: Entry) -> Assessment:
    """The verdict again."""
    assessment: Assessment = pickle.loads(entry.arrays["assessment"].tobytes())
    return assessment


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


def keep_hits(hits: Hits) -> Entry:
    """Hits as arrays; the scale of ratings as facts."""
    arrays = {
        each.name: getattr(hits, each.name)
        for each in fields(hits)
        if each.name not in ("topics", "depth", *_SCALE)
    }
    facts = {name: getattr(hits, name) for name in _SCALE} | {"depth": hits.depth}
    return Entry({**_topic_arrays(hits.topics), **arrays}, facts)


def take_hits(entry: Entry) -> Hits:
    """The hits again."""
    arrays: dict[str, Any] = _others(entry)
    return Hits(topics=_topics(entry), **arrays, **entry.facts)


def keep_run(run: Run) -> Entry:
    """The heads of lists as arrays."""
    arrays = {name: getattr(run, name) for name in ("offsets", "items", "predictions", "tied")}
    return Entry({**_topic_arrays(run.topics), **arrays})


def take_run(entry: Entry, system: str) -> Run:
    """The heads of lists again."""
    arrays: dict[str, Any] = _others(entry)
    return Run(system=system, topics=_topics(entry), **arrays)


def keep_expectation(expectation: Expectation) -> Entry:
    """What random rankings score, as arrays."""
    return Entry(
        {
            "values": expectation.values,
            "best": expectation.best,
            "estimated": np.array(expectation.estimated, dtype=bool),
            "errors": np.array(expectation.errors),
        },
        {"metrics": list(expectation.metrics)},
    )


def take_expectation(entry: Entry) -> Expectation:
    """What random rankings score, again."""
    arrays = entry.arrays
    return Expectation(
        tuple(entry.facts["metrics"]),
        arrays["values"],
        arrays["best"],
        tuple(arrays["estimated"].tolist()),
        tuple(arrays["errors"].tolist()),
    )
