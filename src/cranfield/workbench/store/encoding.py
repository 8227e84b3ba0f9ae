"""Encoding: the nouns of the stages as entries of the store, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.files import fingerprint
from cranfield.base.ragged import rows_fit
from cranfield.base.storable import State, Undecodable, decode, encode
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.recommender import Predictor
from cranfield.recommendation.runs.run import NO_IDS, Run
from cranfield.scoring.expectation.expectation import Expectation
from cranfield.scoring.scores import Scores
from cranfield.workbench.store.store import Coding, Entry


def object_coding(kind: type, fits: Callable[[Any], bool] = lambda _: True) -> Coding[Any]:
    """Objects of a storable class, which must fit what they are read for."""

    def read(entry: Entry) -> Any:
        thing = decode(State(entry.arrays, entry.facts), kind)
        if not fits(thing):
            raise Undecodable("its arrays do not fit together")
        return thing

    return Coding(lambda thing: Entry(*encode(thing)), read)


def predictor_coding(train: Ratings) -> Coding[Predictor]:
    """Recommenders that learned from these ratings."""

    def fits(thing: Any) -> bool:
        checked = getattr(thing, "fits", lambda *_: True)
        return hasattr(thing, "predict") and checked(train.n_users, train.n_items)

    return object_coding(object, fits)


def hits_coding(targets: Targets) -> Coding[Hits]:
    """Where judged targets landed. Topics are those of the targets; lists have their own entry."""
    topics, n_items, population = targets.topics, targets.train.n_items, targets.population

    def fits(hits: Hits) -> bool:
        by_topic = hits.lengths, hits.targets, hits.unscored
        ranks = hits.ranks, hits.first, hits.last
        return (
            rows_fit((hits.offsets, hits.items, hits.ratings, *ranks), len(topics), n_items)
            and all(each.shape == (len(topics),) for each in by_topic)
            and all(_within(each, n_items) for each in (*ranks, *by_topic))
        )

    coding = object_coding(Hits, fits)
    return Coding(
        lambda hits: coding.encode(replace(hits, lists=None, weighing=None, population=None)),
        lambda entry: replace(
            coding.decode(entry), topics=topics, lists=None, population=population
        ),
    )


def run_coding(targets: Targets, system: str) -> Coding[Run]:
    """The heads of lists of known items, under the name that the system has here."""
    topics, n_items = targets.topics, targets.train.n_items

    def fits(run: Run) -> bool:
        return (
            rows_fit((run.offsets, run.items, run.predictions), len(topics), n_items)
            and run.tied.shape == (len(topics),)
            and _within(run.tied, n_items)
        )

    coding = object_coding(Run, fits)
    return Coding(
        lambda run: coding.encode(replace(run, system="")),
        lambda entry: replace(
            coding.decode(entry), system=system, topics=topics, unknown_items=NO_IDS
        ),
    )


def expectation_coding(metrics: int, topics: int) -> Coding[Expectation]:
    """What random rankings score by so many metrics on so many topics."""

    def fits(found: Expectation) -> bool:
        counts = len(found.metrics), len(found.estimated), len(found.errors)
        shapes = {found.values.shape, found.best.shape}
        if found.drawn is not None:
            shapes.add(found.drawn.shape[1:])
        return counts == (metrics,) * 3 and shapes == {(metrics, topics)}

    return object_coding(Expectation, fits)


def _within(counts: npt.NDArray[Any], most: int) -> bool:
    return not counts.size or bool(counts.min() >= 0 and counts.max() <= most)


def content_of_scores(scores: Scores) -> str:
    """The name of exactly these scores, whatever systems and metrics are called."""
    weights = [part for each in sorted(scores.topic_weights.items()) for part in each]
    return fingerprint(*_parts(scores.topics), scores.values, scores.covered, *weights)


def content_of_hits(hits: Iterable[Hits], *more: npt.NDArray[Any]) -> str:
    """The name of exactly these hits and whatever arrays come with them."""
    parts = [
        piece
        for each in hits
        for piece in (
            *_parts(each.topics),
            *_parts(replace(each, weighing=None)),
            *_weights(each),
        )
    ]
    return fingerprint(*parts, *more)


def _weights(hits: Hits) -> list[Any]:
    """The propensities of all rows and the strata, as parts of a fingerprint."""
    known = hits.weighing
    if known is None:
        return []
    strata = [f"{name} {each}" for name, each in sorted(known.strata.items())]
    models = sorted(known.propensities, key=str)
    return [*strata, *(part for each in models for part in (str(each), hits.propensities(each)))]


def _parts(noun: Any) -> list[Any]:
    """The fields of a noun as parts of a fingerprint: arrays, and the rest as text."""
    values = [getattr(noun, each.name) for each in fields(noun) if each.name != "topics"]
    return [value if isinstance(value, np.ndarray) else str(value) for value in values]
