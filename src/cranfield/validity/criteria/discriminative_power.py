"""How well a metric separates systems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingFacts
from cranfield.base.options import option, parameter
from cranfield.scoring.scores import Floats
from cranfield.validity.assessment import Assessment, Chart, Line
from cranfield.validity.criterion import Criterion, Evidence, refuse_too_few
from cranfield.validity.meta.p_values import PairwisePValues
from cranfield.validity.meta.power_places import power_places
from cranfield.validity.phrases import percent

_VISIBLE = 0.001
"""P-values below this cannot be distinguished from 0 in a chart."""
_WORDS = {
    "discriminative_power": "discriminative power, the best first",
    "dp": "DP",
    "dp_doubled": "DP doubled",
    "median_p": "median p",
    "place_low": "place, from",
    "place_high": "to",
    "first_share": "first in",
    "top_share": "share of the top 3 pairs",
}


@option("criterion", "discriminative-power", aliases=("DP",))
@dataclass(frozen=True, kw_only=True)
class DiscriminativePower(Criterion):
    r"""How well a metric distinguishes all pairs of systems.

        DP = Σ_{a<b} p(a, b)        doubled form: Σ_{a≠b} p(a, b) = 2·DP

    p is the p-value of a paired test. The lower, the more discriminative. In addition: the
    share of pairs with p below α (Sakai 2006) and the median p (Lu et al. 2016). The curve
    is all p-values, the highest first. valcarce2020 §4.1; the table of valcarce2018 has
    the doubled form.

    A few pairs with high p-values make up most of DP, so that the place of a metric depends
    on which systems are compared. It is therefore given with the interval that holds 95 % of
    its places over random ``subsets`` of the systems, and with the share of the subsets in
    which the metric is first.
    """

    needs_values: ClassVar[bool] = False
    needs_p_values: ClassVar[bool] = True

    alpha: float = parameter(0.05, "The level α below which a pair is separated.", above=0, below=1)
    subsets: int = parameter(
        1000, "Random subsets of the systems for the interval of places, from 1 to 100000.",
        at_least=1, at_most=100_000,
    )  # fmt: skip
    subset_share: float = parameter(
        2 / 3, "The share of the systems in a subset, above 0 and at most 1; two at least.",
        above=0, at_most=1,
    )  # fmt: skip

    def assess(self, evidence: Evidence) -> Assessment:
        """DP and its companions for each metric, the most discriminative first."""
        given = evidence.p_values
        if given is None:
            raise MissingFacts("discriminative-power", "p-values of pairs", "scores, or --p-values")
        refuse_too_few("discriminative-power", len(given.systems))
        table = self._table(given, evidence.seed)
        curves = -np.sort(-given.values, axis=1)
        by_name = dict(zip(given.metrics, curves, strict=True))
        return Assessment(
            "discriminative-power",
            self._reading(table),
            {"discriminative_power": table},
            {
                "alpha": self.alpha,
                "systems": list(given.systems),
                "pairs": len(given.pairs),
                "subsets": self.subsets,
                "subset_share": self.subset_share,
                "seed": evidence.seed,
            },
            {"p_value_curves": _curves(by_name)},
            (_chart({name: by_name[name] for name in table["metric"]}),),
            words={**_WORDS, "share_below_alpha": f"share below {self.alpha:g}"},
        )

    def _table(self, given: PairwisePValues, seed: int) -> pl.DataFrame:
        placed = power_places(given, subsets=self.subsets, share=self.subset_share, seed=seed)
        sums = given.values.sum(axis=1)
        return pl.DataFrame(
            {
                "metric": given.metrics,
                "dp": sums,
                "dp_doubled": 2 * sums,
                "share_below_alpha": (given.values < self.alpha).mean(axis=1),
                "median_p": np.median(given.values, axis=1),
                "place": placed.places.astype(np.int64),
                "place_low": placed.low.astype(np.int64),
                "place_high": placed.high.astype(np.int64),
                "first_share": placed.first,
                "top_share": placed.top,
            }
        ).sort("dp", maintain_order=True)

    def _reading(self, table: pl.DataFrame) -> str:
        best, worst = table.row(0), table.row(-1)
        share = percent(best[3])
        text = f"{best[0]} separates {share} of pairs at {self.alpha:g} (DP = {best[1]:.3g})"
        if len(table) > 1:
            text += f", {worst[0]} {percent(worst[3])} (DP = {worst[1]:.3g})"
        text += "; lower DP is better."
        if len(table) > 1:
            named = dict(zip(table.columns, best, strict=True))
            first, low, high = (named[key] for key in ("first_share", "place_low", "place_high"))
            text += f" Over random subsets of the systems, {best[0]} is first in {percent(first)}"
            text += f" (places {low} to {high})."
        return text


def _curves(by_name: Mapping[str, Floats]) -> pl.DataFrame:
    """A row for each metric and place, the pair with the highest p-value first."""
    return pl.concat(
        pl.DataFrame({"metric": name, "pair": range(1, len(curve) + 1), "p": curve})
        for name, curve in by_name.items()
    )


def _chart(curves: Mapping[str, Floats]) -> Chart:
    """The curves of all metrics, down to where all are indistinguishable from 0."""
    highest = np.max(list(curves.values()), axis=0)
    shown = min(int((highest >= _VISIBLE).sum()) + 1, len(highest))
    hidden = len(highest) - shown
    title = "p-values of all pairs, the highest first"
    places = tuple(float(place) for place in range(1, shown + 1))
    lines = tuple(Line(name, places, tuple(c[:shown].tolist())) for name, c in curves.items())
    x_title = f"pair; {hidden} more are below {_VISIBLE:g}" if hidden else "pair"
    return Chart(title, x_title, "p-value", lines)
