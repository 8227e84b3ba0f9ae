"""The public verbs that ask which designs find the true order of systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cranfield.base.errors import BadParameter, OptionError, TooFew
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import Source, read_part, source_of_part
from cranfield.collection.statistics.statistics import describe
from cranfield.scoring.metric import Metric
from cranfield.validity.assessment import Assessment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.signatures import keyword
from cranfield.workbench.store.store import Store
from cranfield.workbench.truth.assessment import assess_designs
from cranfield.workbench.truth.recommendation import recommend
from cranfield.workbench.verbs.definitions import called, definition_of
from cranfield.workbench.verbs.given import option_of

_LEAST = 10
"""Users and items that a collection needs to be resembled."""


def assess_truth(
    study: Study | Mapping[str, Any] | str | Path,
    *,
    like: Any = False,
    worlds: int | None = None,
    metric: str | Metric = "P@10",
    store: str | Path | None = None,
    workers: int | str | None = None,
) -> Assessment:
    """Which designs of a study find the true order of systems, where the truth is known.

    That is so for simulated data and for a complete block of ratings. Given ``like``, data are
    simulated that have the size, density and skew of these, or of the study's own where it is
    true. ``worlds`` is the number of simulated collections to repeat it on (1; 3 with ``like``),
    ``metric`` the one that the true order is by. ``store`` and ``workers`` are those of `run`.
    `cranfield assess truth` does the same.

    >>> import cranfield as cf
    >>> found = cf.assess_truth({
    ...     "data": "simulated(size=tiny)", "split": "per-user(test_share=0.3)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)", "Popularity": "Popularity"},
    ...     "metrics": ["nDCG@10"], "seed": 1,
    ...     "study": {"vary": {"targets": ["all-items", "condensed"]}},
    ... })
    >>> list(found.tables)
    ['decisions', 'best_answers', 'nearest_designs', 'true_values']
    """
    asked = definition_of(study)
    if not isinstance(asked, Study):
        raise OptionError(f"{called(study)}: it varies nothing. Add what to vary under study.")
    if worlds is not None:
        _refuse_worlds("truth", worlds)
    wanted: Metric = option_of("metric", metric)
    data = _resembled(like)
    return assess_designs(
        asked, Store(store), like=data, worlds=worlds, metric=wanted, workers=workers
    )


def recommend_design(
    data: Any,
    *,
    relevance: float | None = None,
    systems: Mapping[str, Any] | None = None,
    metric: str | Metric = "P@10",
    worlds: int = 3,
    seed: int = 0,
    store: str | Path | None = None,
    workers: int | str | None = None,
) -> Assessment:
    """Which design to trust on data like these, and how certain that is, in two sentences.

    Collections with the size, density and skew of the data are simulated, so that their truth
    is known. The data do not reveal how ratings depend on relevance, so three dependences are
    assumed in turn, with ``worlds`` collections for each. Designs with and without a
    correction for popularity are compared with the true order of ``systems`` by ``metric``.
    Ratings of at least ``relevance`` are relevant, by default those of the upper quarter of
    the scale. ``store`` and ``workers`` are those of
    `run`. `cranfield recommend-design` does the same.

    >>> import cranfield as cf
    >>> found = cf.recommend_design("simulated(size=tiny)", worlds=1, systems={
    ...     "kNN": "user-kNN(k=5)", "Popularity": "Popularity", "Random": "Random"})
    >>> found.reading
    'For data like yours, trust ...'
    """
    ratings = source_of_part(read_part(data)).read()
    given: dict[str, Any] = {"relevance": relevance, "systems": systems, "metric": metric}
    more: dict[str, Any] = {"seed": seed, "workers": workers}
    return recommended_design(ratings, Store(store), worlds=worlds, **given, **more)


def recommended_design(
    ratings: Ratings,
    store: Store,
    *,
    relevance: float | None,
    systems: Mapping[str, Any] | None,
    metric: str | Metric,
    worlds: int,
    name: str = "",
    **more: Any,
) -> Assessment:
    """The recommendation for ratings that were read, from what both doors are given."""
    _refuse_worlds("recommend-design", worlds)
    wanted: Metric = option_of("metric", metric)
    if relevance is not None:
        relevance = keyword("relevance").check(relevance)
    described = describe(ratings, relevance)
    for noun, found in (("users", described.users), ("items", described.items)):
        if found < _LEAST:
            raise TooFew("recommend-design", noun, _LEAST, found)
    if not described.positive:
        wrong = f"recommend-design, relevance: {described.relevance:g} is too much"
        highest = described.data.values.max()
        raise OptionError(f"{wrong}: no rating is so high; the highest is {highest:g}.")
    made = recommend(described, store, systems=systems, metric=wanted, worlds=worlds, **more)
    given = {"relevance": described.relevance, "ratings": described.data.fingerprint}
    title = f"{made.criterion}: {name}" if name else made.criterion
    return replace(made, criterion=title, decisions={**given, **made.decisions})


def _refuse_worlds(title: str, worlds: int) -> None:
    if isinstance(worlds, bool) or not isinstance(worlds, int) or worlds < 1:
        raise BadParameter(title, "worlds", worlds, "a whole number of 1 or more")


def _resembled(like: Any) -> Source | bool:
    """What simulated data are to resemble: data as any verb takes them, or a yes or no."""
    if like is None or isinstance(like, bool):
        return bool(like)
    return source_of_part(read_part(like))
