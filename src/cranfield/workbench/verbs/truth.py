"""The public verb that asks which designs find the true order of systems."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.base.errors import BadParameter, OptionError
from cranfield.collection.source import Source, read_part, source_of_part
from cranfield.scoring.metric import Metric
from cranfield.validity.assessment import Assessment
from cranfield.workbench.definition.study import Study
from cranfield.workbench.store.store import Store
from cranfield.workbench.truth.assessment import assess_designs
from cranfield.workbench.verbs.definitions import called, definition_of
from cranfield.workbench.verbs.given import option_of


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
    true. ``worlds`` is on how many simulated collections all is repeated (1; 3 with ``like``),
    ``metric`` what the true order is by. ``store`` and ``workers`` are those of `run`.
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
    if worlds is not None and (isinstance(worlds, bool) or worlds < 1):
        raise BadParameter("truth", "worlds", worlds, "a whole number of 1 or more")
    wanted: Metric = option_of("metric", metric)
    data = _resembled(like)
    return assess_designs(
        asked, Store(store), like=data, worlds=worlds, metric=wanted, workers=workers
    )


def _resembled(like: Any) -> Source | bool:
    """What simulated data are to resemble: data as any verb takes them, or a yes or no."""
    if like is None or isinstance(like, bool):
        return bool(like)
    return source_of_part(read_part(like))
