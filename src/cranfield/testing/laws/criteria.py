"""Laws of criteria: the same evidence, the same verdict, in words and figures."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.errors import MissingFacts
from cranfield.base.options import parse
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.run import NO_IDS
from cranfield.scoring.scores import Scores
from cranfield.testing.law import law, require, threads
from cranfield.testing.rankings import POPULARITY, Ranking, hits_of
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta.p_values import PairwisePValues
from cranfield.validity.meta.system_values import SystemValues
from cranfield.workbench import inventory

_SYSTEMS = ("good", "fair", "poor")
_METRICS = ("P@3", "nDCG@3")
_IDENTIFIER = re.compile("[a-z][a-z0-9_]*")
"""What tables and columns are called, so that every tool can take them as they are."""


@cache
def _evidence() -> Evidence:
    """Three systems on twelve users, by two metrics: values, p-values and hits."""
    inventory.load("gain", "metric", "test")
    rng = np.random.default_rng(2)
    judged = [rng.choice([5.0, 4.0, 2.0, 1.0], 6) for _ in range(12)]
    hits = {}
    for skill, system in zip((2.0, 1.0, 0.0), _SYSTEMS, strict=True):
        noise = [rng.normal(0, 2, 6) for _ in judged]
        orders = [np.argsort(-skill * r - e) for r, e in zip(judged, noise, strict=True)]
        made = [
            Ranking(tuple(ratings[order].tolist()), items=tuple(order.tolist()))
            for ratings, order in zip(judged, orders, strict=True)
        ]
        hits[system] = hits_of(made)
    pairs = tuple(combinations(_SYSTEMS, 2))
    values = rng.random((3, 2, 12))
    topics = Topics(np.arange(12, dtype=np.int32))
    covered = np.ones((3, 12), dtype=bool)
    return Evidence(
        scores=Scores(topics, NO_IDS, _SYSTEMS, _METRICS, values, covered),
        values=SystemValues(_SYSTEMS, _METRICS, (1.0, 0.5), rng.random((2, 2, 3))),
        p_values=PairwisePValues(pairs, _METRICS, rng.random((2, 3))),
        hits=hits,
        metrics=tuple(parse("metric", name) for name in _METRICS),
        test=parse("test", "t"),
        popularity=POPULARITY,
        train_counts=np.arange(len(POPULARITY)) % 4,
        n_items=len(POPULARITY),
        seed=3,
    )


def _figures(made: Assessment) -> str:
    return json.dumps(made.to_dict(), allow_nan=False)


@law("criterion")
def without_evidence_a_criterion_says_what_it_needs(criterion: Any) -> None:
    """No evidence is refused with what is missing."""
    try:
        criterion.assess(Evidence())
    except MissingFacts:
        return
    raise AssertionError("a verdict is given without any evidence")


@law("criterion")
def the_same_evidence_gives_the_same_verdict(criterion: Any) -> None:
    """A verdict follows from evidence, option and seed alone, with any number of threads."""
    with threads(1):
        first = _figures(criterion.assess(_evidence()))
    for count in (1, 3):
        with threads(count):
            again = _figures(criterion.assess(_evidence()))
        require(again == first, f"the verdict differs when asked again with {count} threads")


@law("criterion")
def a_verdict_has_words_and_figures(criterion: Any) -> None:
    """A verdict names its criterion, is read in a sentence, and has tables; all of it can be
    written as JSON.
    """
    made = criterion.assess(_evidence())
    require(made.criterion == criterion.option_name, f"the verdict is called {made.criterion}")
    require(made.reading.strip().endswith("."), f"the reading is no sentence: {made.reading!r}")
    require(len(made.tables) > 0, "there is no table")
    for table in made.tables.values():
        require(isinstance(table, pl.DataFrame) and len(table) > 0, "a table has no rows")
    require(json.loads(_figures(made))["reading"] == made.reading, "JSON loses the reading")


@law("criterion")
def tables_and_columns_are_named_by_identifiers(criterion: Any) -> None:
    """Programs find figures by names that no parameter, system or metric changes; what readers
    see in place of them are the words of the verdict.
    """
    made = criterion.assess(_evidence())
    for name, table in {**made.tables, **made.details}.items():
        for each in (name, *table.columns):
            require(bool(_IDENTIFIER.fullmatch(each)), f"{each!r} is no identifier")
    for name, column in made.across.items():
        wanted = {column, "value"}
        require(wanted <= set(made.tables[name].columns), f"{name} has no {column} and value")
