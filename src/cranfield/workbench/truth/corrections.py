"""Corrections: the designs that are held against each other where the truth is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import Source
from cranfield.scoring.metric import cutoff_of
from cranfield.workbench.bias.case import reachable_share
from cranfield.workbench.definition.study import Study, read_study

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

    ``table`` has relevance and metrics, and may have other answers than the usual ones.
    """
    metric = parse("metric", str(table["metrics"][0]))
    collections = [source.read() for source in worlds.values()]
    cutoff = cutoff_of(metric) or _CUTOFF
    designs = corrections(collections, test_share=TEST_SHARE, cutoff=cutoff, known=known)
    sources = {name: {"data": str(source)} for name, source in worlds.items()}
    given = {
        "data": str(next(iter(worlds.values()))),
        "split": f"random(test_share={TEST_SHARE:g})",
        "unscored": "random",
        "systems": SYSTEMS,
        **table,
        "study": {"draws": 0, "together": {DESIGN: designs, WORLDS: sources}},
    }
    return read_study(given, where)


def corrections(
    collections: Iterable[Ratings], *, test_share: float, cutoff: int, known: bool = False
) -> dict[str, dict[str, Any]]:
    """The designs by name, and what each sets, to suit some collections of one kind.

    Plain is a full ranking of all items; AR, UAR, 1R, U1R, P1R and −head are those of
    bellogin2017 §6; condensed leaves out what is unjudged; IPS, SNIPS and stratified weight by
    the popularity of items. Where propensities are ``known``, they too are used.
    """
    some = list(collections)
    items = min(each.n_items for each in some)
    reach = min(reachable_share(each, EPSILON) for each in some)
    share = min(test_share, round(_MARGIN * reach, 4))
    uniform = f"uniform(test_share={share:g}, epsilon={EPSILON:g})"
    sample = min(99, max(items // 3, 1))
    percentiles = max(2, min(10, items // (3 * cutoff)))
    one = f"test-items, one-relevant, sampled(n={sample})"
    made: dict[str, dict[str, Any]] = {
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
    return made | (_weighted("known", ", known") if known else {})


def _weighted(propensity: str, suffix: str = "") -> dict[str, dict[str, Any]]:
    """The estimators that weight by propensities, over all items."""
    return {
        f"{name}{suffix}": {
            "targets": "all-items",
            "metric.propensity": propensity,
            "metric.estimator": estimator,
        }
        for name, estimator in (("IPS", "ips"), ("SNIPS", "snips"), ("stratified", "stratified"))
    }
