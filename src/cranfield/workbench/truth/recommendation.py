"""Recommending a design: a truth study on collections that look like the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.progress import bar
from cranfield.collection.resemblance import Resemblance, resemble
from cranfield.collection.statistics.statistics import Statistics
from cranfield.scoring.metric import Metric
from cranfield.validity.assessment import Assessment, HeatMap
from cranfield.validity.study.truthfulness import OUTCOME, OUTCOME_TITLE, TRUTH_WORDS
from cranfield.workbench.bias.case import percent
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.store.store import Store
from cranfield.workbench.truth.assessment import like_table, true_table
from cranfield.workbench.truth.corrections import (
    DESIGN,
    SYSTEMS,
    WORLDS,
    study_of_worlds,
    truth_of_worlds,
)
from cranfield.workbench.truth.study import TruthResults, run_truth_study

DEPENDENCES = (0.0, 3.5, 7.0)
"""How far users may rate what they like, in log odds: not at all, as in MovieLens, strongly."""
_DEPENDENCE = "dependence"
_PAIRS = 2_000_000
"""Pairs of user and item of a simulated collection, at most."""
_SURE, _LIKELY = 0.95, 0.7
"""Shares of draws from which a recommendation is sure, or likely."""

_WORDS = {
    "designs": "designs, the one to trust first",
    "by_dependence": "mean τ by how far users rate what they like (log odds)",
    "true_values": "true values",
    "simulated_data": "simulated data beside yours",
    "true_value": "true value",
    "repetitions": "collections",
}


@dataclass(frozen=True)
class Worlds:
    """Simulated collections like a real one, by name: the source and its dependence on relevance.

    ``like`` says how far those of the middle dependence look like the real one.
    """

    like: Resemblance
    sources: Mapping[str, tuple[Any, float]]


def worlds_like(real: Statistics, count: int, seed: int = 0) -> Worlds:
    """So many simulated collections for each dependence on relevance, all like the real one."""
    found = {}
    with bar("resembling", len(DEPENDENCES)) as shown:
        for mnar in DEPENDENCES:
            found[mnar] = resemble(real, seed=seed, most_pairs=_PAIRS, mnar=mnar)
            shown.advance()
    sources = {
        f"{mnar:g}, {number + 1}": (replace(like.source, seed=seed + number), mnar)
        for mnar, like in found.items()
        for number in range(count)
    }
    return Worlds(found[DEPENDENCES[1]], sources)


def design_study(
    worlds: Worlds, systems: Mapping[str, Any], metric: Metric, seed: int = 0
) -> Study:
    """The study of all corrections on all worlds."""
    table = {
        "relevance": worlds.like.relevance,
        "systems": dict(systems),
        "metrics": [str(metric)],
        "seed": seed,
    }
    sources = {name: source for name, (source, _) in worlds.sources.items()}
    return study_of_worlds(table, sources, where="recommend-design")


def recommend(
    real: Statistics,
    store: Store | None = None,
    *,
    systems: Mapping[str, Any] | None = None,
    metric: Metric,
    worlds: int = 3,
    seed: int = 0,
    workers: int | str | None = None,
) -> Assessment:
    """Which design to trust on data like these, and how sure that is.

    ``worlds`` collections are simulated for each dependence of ratings on relevance. The design
    is the one of the highest mean τ over all of them; how sure it is, the share of draws of
    collections, with replacement, in which it stays that.
    """
    made = worlds_like(real, worlds, seed)
    study = design_study(made, systems or SYSTEMS, metric, seed)
    found = run_truth_study(study, store, metric=metric, workers=workers)
    return _assessment(found, made)


def _assessment(results: TruthResults, worlds: Worlds) -> Assessment:
    found = truth_of_worlds(results)
    designs = found.by_design().rename({"designs": "repetitions"})
    levels = {name: level for name, (_, level) in worlds.sources.items()}
    every = found.table().with_columns(
        pl.col(WORLDS).replace_strict(levels, return_dtype=pl.Float64).alias(_DEPENDENCE)
    )
    by_level = _by_dependence(every, designs[DESIGN].to_list())
    return Assessment(
        criterion="recommended design",
        reading=_reading(designs, len(worlds.sources), str(results.metric)),
        tables={
            "designs": designs,
            "by_dependence": by_level,
            "true_values": true_table(found).drop("measured", strict=False),
            "simulated_data": like_table(worlds.like),
        },
        decisions={
            "true_metric": str(results.metric),
            "worlds": {name: str(each) for name, (each, _) in worlds.sources.items()},
            "cases": results.study.to_table()["study"]["together"]["case"],
            "systems": {name: str(each) for name, each in results.study.base.systems.items()},
        },
        details={"designs_by_world": every},
        charts=(_heat_map(by_level),),
        notes=_notes(by_level, designs[DESIGN][0], len(found.draws or ())),
        words={**TRUTH_WORDS, **_WORDS},
        across={"by_dependence": _DEPENDENCE},
    )


def _by_dependence(every: pl.DataFrame, order: list[str]) -> pl.DataFrame:
    """The mean τ of each design under each dependence on relevance, a row each."""
    rows = [
        {DESIGN: design, _DEPENDENCE: level, "value": _mean(every, design, level)}
        for design in order
        for level in DEPENDENCES
    ]
    return pl.DataFrame(rows, schema_overrides={"value": pl.Float64})


def _mean(every: pl.DataFrame, design: str, level: float) -> float:
    some = every.filter((pl.col(DESIGN) == design) & (pl.col(_DEPENDENCE) == level))
    mean = some[OUTCOME].drop_nans().mean()
    return float("nan") if mean is None else float(mean)  # type: ignore[arg-type]


def _heat_map(by_level: pl.DataFrame) -> HeatMap:
    """The same as colours."""
    rows = by_level.partition_by(DESIGN, maintain_order=True)
    return HeatMap(
        f"{OUTCOME_TITLE} by design and dependence on relevance",
        tuple(part[DESIGN][0] for part in rows),
        tuple(f"{level:g}" for level in DEPENDENCES),
        tuple(tuple(part["value"]) for part in rows),
    )


def _reading(designs: pl.DataFrame, worlds: int, metric: str) -> str:
    """Which design to trust, and how sure that is: two sentences."""
    ordered = designs.drop_nulls("mean_tau")
    if ordered.is_empty():
        return "No design orders the systems at all. Give systems that differ."
    first, *rows = ordered.rows(named=True)
    equal = [row for row in rows if row["mean_tau"] >= first["mean_tau"] - 1e-9]
    others = rows[len(equal) :]
    as_good = f" (or {' or '.join(row[DESIGN] for row in equal)}, as good)" if equal else ""
    winners = round(first["right_winner"] * worlds)
    trust = (
        f"For data like yours, trust {first[DESIGN]}{as_good}: on {worlds} simulated collections "
        "of their size, density and skew, its order of systems agrees with the true one by "
        f"{metric} with a mean τ of {first['mean_tau']:.2f} (95 % interval "
        f"{first['tau_low']:.2f} to {first['tau_high']:.2f}), and it finds the best "
        f"system in {winners} of {worlds}."
    )
    sure = sum(row["nearest"] for row in (first, *equal))
    word = "sure" if sure >= _SURE else "likely" if sure >= _LIKELY else "not sure"
    next_best = f"; next is {others[0][DESIGN]} ({others[0]['mean_tau']:.2f})" if others else ""
    return (
        f"{trust} That is {word}: it is the nearest to the truth in {percent(sure)} of draws of "
        f"these collections{next_best}."
    )


def _notes(by_level: pl.DataFrame, chosen: str, draws: int) -> tuple[str, ...]:
    best = {level: _best(by_level.filter(pl.col(_DEPENDENCE) == level)) for level in DEPENDENCES}
    other = [f"{name} at {level:g}" for level, name in best.items() if name not in ("", chosen)]
    hidden = "How far users rate what they like cannot be seen in ratings, so that it was varied."
    varied = f" Another design is nearer to the truth in places: {', '.join(other)}."
    return (
        hidden + (varied if other else ""),
        f"Intervals are of 95 %, from {draws:,} draws of the collections with replacement.",
    )


def _best(rows: pl.DataFrame) -> str:
    known = rows.drop_nans("value")
    return "" if known.is_empty() else str(known.sort("value", descending=True)[DESIGN][0])
