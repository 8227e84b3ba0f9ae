"""What a truth study shows: which designs to trust, and which decisions that depends on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from cranfield.collection.resemblance import Resemblance
from cranfield.collection.source import Source
from cranfield.scoring.metric import Metric
from cranfield.validity.assessment import Assessment, HeatMap
from cranfield.validity.phrases import signed
from cranfield.validity.study.importance import Importance
from cranfield.validity.study.truthfulness import OUTCOME, OUTCOME_TITLE, TRUTH_WORDS, Truthfulness
from cranfield.workbench.bias.case import percent
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.store.store import Store
from cranfield.workbench.truth.study import WORLD, TruthResults, run_truth_study, study_like

_WORDS = {
    "decisions": "what the agreement with the truth depends on",
    "best_answers": "answers, the best first",
    "true_values": "true values",
    "simulated_data": "simulated data beside yours",
    "share": "share of the variation",
    "beyond_others": "beyond the others",
    "true_value": "true value",
    "measured": "measured by the same metric",
}
"""What readers see in place of tables and columns."""
_SHOWN = 10
"""Designs that are shown, the best ones; all are among the details."""


def assess_designs(
    study: Study,
    store: Store | None = None,
    *,
    like: Source | bool = False,
    worlds: int | None = None,
    metric: Metric | str = "P@10",
    workers: int | str | None = None,
) -> Assessment:
    """Which designs of a study find the true order of systems.

    ``like`` are the data that simulated ones are to resemble, or true for the study's own. On
    these it is repeated three times, unless ``worlds`` says otherwise; else once.
    """
    resembled = None
    if like is not False:
        study, resembled = study_like(study, None if like is True else like)
    worlds = worlds or (1 if resembled is None else 3)
    found = run_truth_study(
        study, store, metric=metric, worlds=worlds, like=resembled, workers=workers
    )
    return truth_assessment(found)


def truth_assessment(results: TruthResults) -> Assessment:
    """The verdict on the designs of a study, and on the decisions behind them."""
    found = results.truthfulness
    designs = found.by_design()
    tables = {
        "decisions": _importance_table(found.importance),
        "best_answers": found.by_answer(),
        "nearest_designs": designs.head(_SHOWN),
        "true_values": true_table(found),
    }
    if results.like is not None:
        tables["simulated_data"] = like_table(results.like)
    return Assessment(
        criterion="truth",
        reading=_reading(results, designs),
        tables=tables,
        decisions={
            "true_metric": str(results.metric),
            "truth": str(results.judge),
            "data": str(results.study.base.data),
            "study": results.study.to_table()["study"],
        },
        details={"designs": found.table(), "designs_by_truth": designs},
        charts=(_heat_map(found),),
        notes=_notes(results),
        words={
            **TRUTH_WORDS,
            **_WORDS,
            "nearest_designs": f"the {min(_SHOWN, len(designs))} designs nearest to the truth",
        },
    )


def _reading(results: TruthResults, designs: pl.DataFrame) -> str:
    found = results.truthfulness
    known = found.agreement[np.isfinite(found.agreement)]
    if not len(known):
        return "No design orders the systems at all: there is nothing to hold against the truth."
    span = (
        f"The order of systems under {len(designs)} designs agrees with their true order "
        f"({results.metric} over {_ranked(results)}) by τ = {_tau(known.mean())} on average, from "
        f"{_tau(known.min())} to {_tau(known.max())}."
    )
    best = _spoken(designs, found)
    if results.like is not None:
        trust = f"For data like yours, trust this design: {best}."
    else:
        trust = f"Nearest to the truth is {best}."
    return f"{span} {_decisive(found)} {trust}"


def _tau(value: float) -> str:
    return signed(value, ".2f")


def _decisive(found: Truthfulness) -> str:
    """Which decision matters most, and between which answers."""
    ranked = [d for d in found.importance.decisions if d.decision not in found.repeats]
    if not ranked or ranked[0].share < 0.005:
        return "No decision makes a difference to that."
    first = ranked[0]
    answers = found.by_answer().filter(pl.col("decision") == first.decision).drop_nulls("mean_tau")
    best, worst = answers.row(0, named=True), answers.row(-1, named=True)
    return (
        f"What matters most is {first.decision} ({percent(first.share)} of the variation): "
        f"{best['answer']} has a mean τ of {_tau(best['mean_tau'])}, {worst['answer']} of "
        f"{_tau(worst['mean_tau'])}."
    )


def _spoken(designs: pl.DataFrame, found: Truthfulness) -> str:
    """The best design by its answers, with how near it comes, and how many come as near."""
    row: Mapping[str, Any] = designs.row(0, named=True)
    names = [name for name in found.designs.factors if name not in found.repeats]
    answers = ", ".join(f"{name} {_text(row[name])}" for name in names if row[name] is not None)
    near = int((designs["mean_tau"] >= row["mean_tau"] - 1e-9).sum()) - 1
    others = f", as {near} other{'s have' if near > 1 else ' has'}" if near else ""
    if "nearest" not in row:
        return f"{answers} (mean τ {_tau(row['mean_tau'])}{others})"
    return (
        f"{answers} (mean τ {_tau(row['mean_tau'])}{others}; 95 % interval {_tau(row['tau_low'])} "
        f"to {_tau(row['tau_high'])}); it is the nearest in {percent(row['nearest'])} of the draws "
        "of users"
    )


def _ranked(results: TruthResults) -> str:
    """Which items the true order is over."""
    return "all items" if results.judge.simulated else "the items that users were shown at random"


def _importance_table(found: Importance) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "decision": each.decision,
                "answers": each.answers,
                "share": each.share,
                "alone": each.alone,
                "beyond_others": each.unique,
            }
            for each in found.decisions
        ]
    )


def true_table(found: Truthfulness) -> pl.DataFrame:
    """What each system is worth in truth, over all designs; and how it was measured."""
    table = {
        "system": found.designs.systems,
        "true_value": found.truth.mean(axis=0),
        "lowest": found.truth.min(axis=0),
        "highest": found.truth.max(axis=0),
    }
    if found.comparable.any():
        table["measured"] = np.nanmean(found.designs.values[found.comparable], axis=0)
    return pl.DataFrame(table).sort("true_value", descending=True)


def like_table(like: Resemblance) -> pl.DataFrame:
    """The figures of real data beside those of the simulated."""
    figures = ("users", "items", "density", "gini_users", "gini_items", "positive")
    names = ("users", "items", "density", "Gini over users", "Gini over items", "positive ratings")
    pairs = [getattr(like, figure) for figure in figures]
    return pl.DataFrame(
        {
            "figure": names,
            "yours": [float(real) for real, _ in pairs],
            "simulated": [float(made) for _, made in pairs],
        }
    )


def _heat_map(found: Truthfulness) -> HeatMap:
    """The mean agreement by the two decisions that matter most."""
    rows = found.table().with_columns(pl.lit("all").alias(" "))
    ranked = [d.decision for d in found.importance.decisions if d.decision not in found.repeats]
    down, across = (*ranked, " ", " ")[:2]
    left, right = (rows[name].drop_nulls().unique(maintain_order=True) for name in (down, across))
    values = tuple(
        tuple(_cell(rows.filter((pl.col(down) == one) & (pl.col(across) == two))) for two in right)
        for one in left
    )
    title = f"{OUTCOME_TITLE} by {down}" + (f" and {across}" if across != " " else "")
    return HeatMap(title, tuple(map(_text, left)), tuple(map(_text, right)), values)


def _cell(rows: pl.DataFrame) -> float:
    mean = rows[OUTCOME].drop_nans().mean()
    return float("nan") if mean is None else float(mean)  # type: ignore[arg-type]


def _text(answer: object) -> str:
    return f"{answer:g}" if isinstance(answer, float) else str(answer)


_TRUE_ORDER = (
    "The true order is that of systems trained as the design trains them, judged by what "
    "every user thinks of every item outside training."
)

_RANDOM_ORDER = (
    "The true order is that of systems trained as the design trains them, ranking for each user "
    "the items that were shown at random and are outside training, all of which are judged. "
    "Values over these fewer items are higher than values over all."
)


def _notes(results: TruthResults) -> tuple[str, ...]:
    found = results.truthfulness
    notes = [_TRUE_ORDER if results.judge.simulated else _RANDOM_ORDER]
    if found.draws is not None and found.draws.truth is not None:
        splits = ", and of the repetitions" if found.repeats else ""
        notes.append(
            f"Intervals are of 95 %, from {len(found.draws):,} draws, with replacement, of the "
            f"users of the random part{splits}; what a design measured stays as it is."
        )
    notes += results.notes
    if undefined := found.importance.left_out:
        many = f"{undefined} of {len(found.designs)} designs"
        notes.append(f"{many} were left out, as they order no systems.")
    if WORLD in found.repeats:
        worlds = found.designs.decisions[WORLD].n_unique()
        notes.append(f"Everything was repeated on {worlds} collections of other seeds.")
    if results.like is not None:
        notes.append(
            "How far users rate what they like cannot be seen in ratings; the simulation has "
            f"mnar = {results.like.source.mnar:g}. Vary data.mnar to see what depends on it."
        )
    return tuple(notes)
