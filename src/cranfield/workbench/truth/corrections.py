"""Corrections: the designs that are held against each other where the truth is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.errors import OptionError
from cranfield.base.options import from_table, parse, to_table
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import Source
from cranfield.scoring.metric import Metric, cutoff_of
from cranfield.validity.study.drawn_truth import TruthDraws, draw_repetitions
from cranfield.validity.study.truthfulness import Truthfulness
from cranfield.workbench.bias.case import reachable_share
from cranfield.workbench.definition.study.study import Study, read_study
from cranfield.workbench.truth.study import TruthResults

DESIGN = "design"
"""The name of the decision whose answers are the corrections."""
WORLDS = "world"
"""The name of the decision whose answers are collections of one kind."""
SYSTEMS = {
    "user-kNN": "user-kNN(k=50)",
    "item-kNN": "item-kNN(k=50)",
    "PureSVD": "PureSVD(factors=20)",
    "Popularity": "Popularity",
    "Average": "AverageRating",
    "Random": "Random",
}
"""The systems that are put in order where none are named."""
TEST_SHARE = 0.2
_CASE, _AT = "case", " @ "
"""The decision that names a design and a world, and what stands between both."""
_SUMS = ("P", "DCG", "RBP", "Recall", "nDCG", "AP")
"""Metrics of all relevant items of a list that weights of these can correct."""
_CUTOFF = 10
"""The cut-off of a metric that has none, by which percentiles are sized."""
EPSILON = 0.2
"""The ε of the uniform split."""
HEAD = 0.1
"""The share of items that is removed as the head."""
_PROPENSITY = "popularity(gamma=0.5)"
"""What propensities are estimated by where nobody knows them (Yang et al. 2018)."""
_MARGIN = 0.9
"""The share of what a uniform split can reach that it is asked for: other worlds reach less."""


def study_of_worlds(
    table: Mapping[str, Any],
    worlds: Mapping[str, Source],
    *,
    known: bool = False,
    where: str = "study",
) -> Study:
    """The study of all corrections on collections of one kind, which only repeat each other.

    ``table`` has relevance and metrics, and may have other answers than the usual ones. Where
    the propensities of worlds are ``known``, they are used too. `truth_of_worlds` tells designs
    and worlds apart in what is found.
    """
    metric: Metric = parse("metric", str(table["metrics"][0]))
    designs = corrections([source.read() for source in worlds.values()], metric)
    cases = {
        f"{design}{_AT}{world}": {**sets, "data": str(source)}
        for world, source in worlds.items()
        for design, sets in (designs | (_known(source, metric) if known else {})).items()
    }
    given = {
        "data": str(next(iter(worlds.values()))),
        "split": f"random(test_share={TEST_SHARE:g})",
        "unscored": "random",
        "systems": SYSTEMS,
        **table,
        "study": {"draws": 0, "together": {_CASE: cases}},
    }
    return read_study(given, where)


def truth_of_worlds(results: TruthResults) -> Truthfulness:
    """What a study of worlds found, every world a repetition of all designs.

    Worlds are drawn again for intervals.
    """
    found, seed = results.truthfulness, results.study.base.seed
    cases = [str(each).split(_AT) for each in found.designs.decisions[_CASE]]
    names = [world for _, world in cases]
    numbers = {world: number for number, world in enumerate(dict.fromkeys(names))}
    labels = np.array([numbers[world] for world in names], dtype=np.int64)
    decisions = pl.DataFrame({DESIGN: [design for design, _ in cases], WORLDS: names})
    return replace(
        found,
        designs=replace(found.designs, decisions=decisions),
        repeats=(WORLDS,),
        draws=TruthDraws(draw_repetitions(labels, Seeds(seed))),
    )


def corrections(some: Sequence[Ratings], metric: Metric) -> dict[str, dict[str, Any]]:
    """The designs by name, and what each sets, to suit some collections of one kind.

    Plain is a full ranking of all items; AR, UAR, 1R, U1R, P1R and −head are those of
    bellogin2017 §6; condensed leaves out what is unjudged; IPS, SNIPS and stratified weight by
    the popularity of items, as far as they are defined for the metric.
    """
    items = min(each.n_items for each in some)
    reach = min(reachable_share(each, EPSILON) for each in some)
    share = min(TEST_SHARE, round(_MARGIN * reach, 4))
    uniform = f"uniform(test_share={share:g}, epsilon={EPSILON:g})"
    sample = min(99, max(items // 3, 1))
    percentiles = max(2, min(10, items // (3 * (cutoff_of(metric) or _CUTOFF))))
    one = f"test-items, one-relevant, sampled(n={sample})"
    return {
        "plain": {"targets": "all-items"},
        "AR": {"targets": "test-items"},
        "UAR": {"split": uniform, "targets": "test-items"},
        f"AR −{HEAD:.0%} head": {"targets": f"test-items(without_head={HEAD:g})"},
        "1R": {"targets": one},
        "U1R": {"split": uniform, "targets": one},
        "P1R": {"targets": f"test-items, percentiles(m={percentiles}), sampled(n={sample})"},
        "condensed": {"targets": "condensed"},
        **_weighted(metric, _PROPENSITY),
    }


def _known(source: Source, metric: Metric) -> dict[str, dict[str, Any]]:
    """The estimators that weight by the propensities of a world, which nobody else knows."""
    known = {"name": "known", "source": str(source), "test_share": TEST_SHARE}
    return {f"{name}, known": sets for name, sets in _weighted(metric, known).items()}


def _weighted(metric: Metric, propensity: Any) -> dict[str, dict[str, Any]]:
    """The estimators that weight by propensities, over all items.

    Sums by IPS are of all users, those without a relevant test rating too.
    """
    estimators = {"IPS": "ips", "SNIPS": "snips(over=targets)", "stratified": "stratified"}
    weighted = {"targets": "all-items", "metric.propensity": propensity}
    return {
        name: {
            **weighted,
            "metric.estimator": estimator,
            **({"undefined": "zero"} if name == "IPS" else {}),
        }
        for name, estimator in estimators.items()
        if _is_estimated(metric, propensity, estimator)
    }


def _is_estimated(metric: Metric, propensity: Any, estimator: str) -> bool:
    """Whether a metric of lists with all relevant items can be estimated so."""
    table = {**to_table(metric), "propensity": propensity, "estimator": estimator}
    try:
        from_table("metric", table)
    except OptionError:
        return False
    return table["name"] in _SUMS or estimator == "stratified"
