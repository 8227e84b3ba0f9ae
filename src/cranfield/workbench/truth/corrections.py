"""Corrections: the designs that are held against each other where the truth is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import Source
from cranfield.scoring.metric import cutoff_of
from cranfield.validity.study.drawn_truth import TruthDraws, draw_repetitions
from cranfield.validity.study.truthfulness import Truthfulness
from cranfield.workbench.bias.case import reachable_share
from cranfield.workbench.definition.study import Study, read_study
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
    metric = parse("metric", str(table["metrics"][0]))
    collections = [source.read() for source in worlds.values()]
    designs = corrections(collections, test_share=TEST_SHARE, cutoff=cutoff_of(metric) or _CUTOFF)
    cases = {
        f"{design}{_AT}{world}": {**sets, "data": str(source)}
        for world, source in worlds.items()
        for design, sets in (designs | (_known(source) if known else {})).items()
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


def corrections(
    collections: Iterable[Ratings], *, test_share: float, cutoff: int
) -> dict[str, dict[str, Any]]:
    """The designs by name, and what each sets, to suit some collections of one kind.

    Plain is a full ranking of all items; AR, UAR, 1R, U1R, P1R and −head are those of
    bellogin2017 §6; condensed leaves out what is unjudged; IPS, SNIPS and stratified weight by
    the popularity of items.
    """
    some = list(collections)
    items = min(each.n_items for each in some)
    reach = min(reachable_share(each, EPSILON) for each in some)
    share = min(test_share, round(_MARGIN * reach, 4))
    uniform = f"uniform(test_share={share:g}, epsilon={EPSILON:g})"
    sample = min(99, max(items // 3, 1))
    percentiles = max(2, min(10, items // (3 * cutoff)))
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
        **_weighted(_PROPENSITY),
    }


def _known(source: Source) -> dict[str, dict[str, Any]]:
    """The estimators that weight by the propensities of a world, which nobody else knows."""
    known = {"name": "known", "source": str(source), "test_share": TEST_SHARE}
    return {f"{name}, known": sets for name, sets in _weighted(known).items()}


def _weighted(propensity: Any) -> dict[str, dict[str, Any]]:
    """The estimators that weight by propensities, over all items.

    Sums by IPS are of all users, those without a relevant test rating too.
    """
    weighted = {"targets": "all-items", "metric.propensity": propensity}
    return {
        "IPS": {**weighted, "metric.estimator": "ips", "undefined": "zero"},
        "SNIPS": {**weighted, "metric.estimator": "snips(over=targets)"},
        "stratified": {**weighted, "metric.estimator": "stratified"},
    }
