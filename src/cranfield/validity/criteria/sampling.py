"""Whether a sample of the targets says what a ranking of all targets says."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, MissingFacts, OptionError
from cranfield.base.options import option, parameter
from cranfield.base.progress import bar
from cranfield.scoring.measurement.rank_discounts import is_discounted
from cranfield.scoring.metric import Metric
from cranfield.scoring.sample_correction import SampleCorrection
from cranfield.scoring.scores import Floats
from cranfield.validity.assessment import Assessment, Chart, Line
from cranfield.validity.criterion import Criterion, Evidence, refuse_too_few
from cranfield.validity.meta.rank_agreement import signs, tau_b
from cranfield.validity.meta.sampled_systems import (
    SampledSystems,
    means_of_known,
    with_correction,
)

_DECIMALS = 12
"""Means are rounded so before systems are compared, so that rounding decides no order."""
NONE = "none"
"""What stands for a sample without correction."""


@option("criterion", "sampling")
@dataclass(frozen=True, kw_only=True)
class Sampling(Criterion):
    r"""How far metrics of n sampled targets are from those of all targets, in value and order.

        distance = mean of |x̂ − x|,  τ = τ-b(order by x̂, order by x)
        swapped  = share of pairs of systems whose order x̂ turns
        verdicts = share of pairs of which x̂ and x disagree whether, and for whom, they differ

    x are the means of rankings of one relevant item with all other targets. x̂ are the means of
    rankings with a sample of n others, without correction and with each correction. Means are
    over systems and ``draws`` samples. If systems ranked all relevant items of a user together,
    each is first ranked without the others. A rank in a sample is drawn from the rank among all
    targets, by the hypergeometric law, for each system by itself. Systems that share a sample
    differ a little less by chance. The last n is the number of all other targets. n is enough if
    every draw of n or more orders all pairs of systems correctly that differ significantly when
    all targets are ranked (Student's t over users, level ``alpha``). Krichene & Rendle 2020.
    """

    needs_values: ClassVar[bool] = False
    needs_hits: ClassVar[bool] = True

    sizes: tuple[int, ...] = parameter(
        (10, 20, 50, 100, 200, 500), "Numbers n of sampled targets, at least 1.", at_least=1
    )
    draws: int = parameter(5, "Samples of each size, at least 1.", at_least=1)
    corrections: tuple[SampleCorrection, ...] = parameter(
        ("plug-in", "bias-variance", "cls", "mle"), "Corrections that are tried."
    )
    alpha: float = parameter(
        0.05, "The level at which systems differ, above 0 and below 1.", above=0, below=1
    )

    def __post_init__(self) -> None:
        if not self.sizes:
            raise BadParameter("sampling", "sizes", "nothing", "a list of at least one")

    def assess(self, evidence: Evidence) -> Assessment:
        """Distances and agreements by size, how many targets are enough, and what helps."""
        if evidence.hits is None:
            raise MissingFacts("sampling", "the ranks of the judged items", "runs and judgments")
        refuse_too_few("sampling", len(evidence.hits))
        metrics, others = _correctable(evidence.metrics)
        systems = SampledSystems.of(evidence.hits, metrics, self.corrections, evidence.seed)
        agreement, values = self._tables(systems)
        enough = _enough(agreement)
        return Assessment(
            "sampling",
            _reading(agreement, enough, systems.others),
            {"agreement": agreement.drop("missed"), "enough": enough},
            {
                "draws": self.draws,
                "alpha": self.alpha,
                "seed": evidence.seed,
                "systems": list(systems.hits),
            },
            {"values": values},
            tuple(_charts(agreement)),
            notes=_notes(others),
            words=_WORDS,
        )

    def _sizes(self, others: int) -> list[int]:
        """The sizes in ascending order; the last holds all other targets."""
        return sorted({*(min(size, others) for size in self.sizes), others})

    def _tables(self, systems: SampledSystems) -> tuple[pl.DataFrame, pl.DataFrame]:
        """A row for each metric, correction and size; and one for each system besides."""
        sizes, agreement, values = self._sizes(systems.others), [], []
        full = np.round(means_of_known(systems.full), _DECIMALS)
        told = systems.verdicts(systems.full, self.alpha)
        with bar("sampling", (len(sizes) - 1) * self.draws + 1, "samples") as shown:
            for size in sizes:
                drawn, verdicts = [], []
                for draw in range(self.draws if size < systems.others else 1):
                    scores = systems.sample(size, draw)
                    drawn.append(np.round(means_of_known(scores), _DECIMALS))
                    verdicts.append(systems.verdicts(scores, self.alpha))
                    shown.advance()
                found = _Drawn(systems, full, told, np.array(drawn), np.array(verdicts))
                agreement += found.agreement(size)
                values += found.values(size)
        order = pl.DataFrame(agreement).sort("place", "n", maintain_order=True).drop("place")
        return order, pl.DataFrame(values)


@dataclass(frozen=True, eq=False)
class _Drawn:
    """What samples of one size made of systems.

    ``full`` and ``told`` are means (metrics × systems) and verdicts (metrics × pairs) on all
    targets, ``means`` and ``verdicts`` (draws × metrics × corrections × …) those of samples.
    """

    systems: SampledSystems
    full: Floats
    told: Floats
    means: Floats
    verdicts: Floats

    def agreement(self, size: int) -> list[dict[str, object]]:
        """The distance and agreement of every metric and correction."""
        distance = np.abs(self.means - self.full[:, None]).mean(axis=(0, -1))
        spread = _spread(self.means).mean(axis=-1)
        taus = tau_b(self.means, self.full[:, None])
        turned = signs(self.means) * signs(self.full)[:, None] < 0
        differ = self.verdicts != self.told[:, None]
        missed = (signs(self.means) != self.told[:, None]) & (self.told[:, None] != 0)
        return [
            {
                "metric": metric,
                "correction": correction,
                "n": size,
                "distance": float(distance[at]),
                "spread": float(spread[at]),
                "tau": float(means_of_known(taus[:, *at])),
                "tau_spread": float(_spread(taus[:, *at][~np.isnan(taus[:, *at])])),
                "swapped": float(turned[:, *at].mean()),
                "verdicts": float(differ[:, *at].mean()),
                "missed": int(missed[:, *at].sum()),
                "place": at[0] * len(self.means[0, 0]) + at[1],
            }
            for at, metric, correction in self._named()
        ]

    def values(self, size: int) -> list[dict[str, object]]:
        """The mean of every system over draws, beside that of its full rankings."""
        means, spread = self.means.mean(axis=0), _spread(self.means)
        return [
            {
                "metric": metric,
                "correction": correction,
                "n": size,
                "system": system,
                "full": float(self.full[at[0], place]),
                "value": float(means[*at, place]),
                "spread": float(spread[*at, place]),
            }
            for at, metric, correction in self._named()
            for place, system in enumerate(self.systems.hits)
        ]

    def _named(self) -> list[tuple[tuple[int, int], str, str]]:
        corrections = (NONE, *map(str, self.systems.corrections))
        return [
            ((row, column), str(metric), correction)
            for row, metric in enumerate(self.systems.metrics)
            for column, correction in enumerate(corrections)
        ]


def _spread(values: Floats) -> Floats:
    """The standard deviation over draws; 0 for one, unknown for none."""
    if not len(values):
        return np.full(values.shape[1:], np.nan)
    return np.asarray(values.std(axis=0, ddof=1 if len(values) > 1 else 0))


def _correctable(metrics: tuple[Metric, ...]) -> tuple[tuple[Metric, ...], list[str]]:
    """The metrics that are functions of one rank, each once; and the names of others."""
    plain = [(metric, with_correction(metric, None)) for metric in metrics]
    chosen = tuple(dict.fromkeys(each for _, each in plain if _is_function_of_rank(each)))
    others = [str(metric) for metric, each in plain if not _is_function_of_rank(each)]
    if not chosen:
        named = ", ".join(others) or "no metric"
        raise OptionError(
            f"sampling: {named} is no function of the rank of one item. Choose metrics such as "
            "nDCG@10, Recall@10 or RR."
        )
    return chosen, others


def _is_function_of_rank(metric: Metric | None) -> bool:
    return metric is not None and is_discounted(metric)


def _enough(agreement: pl.DataFrame) -> pl.DataFrame:
    """For each metric and correction, the least size from which on no pair is missed."""
    rows = []
    for (metric, correction), part in agreement.group_by(
        "metric", "correction", maintain_order=True
    ):
        missed = part.filter(pl.col("missed") > 0)["n"].max()
        above = part if missed is None else part.filter(pl.col("n") > missed)
        rows.append({"metric": metric, "correction": correction, "n": above["n"].min()})
    return pl.DataFrame(rows)


def _reading(agreement: pl.DataFrame, enough: pl.DataFrame, others: int) -> str:
    """What is enough for each metric, and which correction is nearest to full rankings."""
    said = []
    for (metric,), part in agreement.group_by("metric", maintain_order=True):
        plain = enough.filter(metric=metric, correction=NONE)["n"][0]
        order = (
            f"samples of {plain:,} and more have the order of all systems that differ significantly"
            if plain < others
            else "samples of every size miss the order of systems that differ significantly"
        )
        some = part.filter(pl.col("n") < others) if part["n"].n_unique() > 1 else part
        means = some.group_by("correction", maintain_order=True).agg(pl.col("distance").mean())
        best = means.sort("distance", maintain_order=True).row(0)
        off = means.filter(correction=NONE)["distance"][0]
        near = f"values are off by {off:.3f} on average over their sizes"
        if best[0] != NONE:
            near += f", with {best[0]} by {best[1]:.3f}"
        said.append(f"By {metric}, {order}; {near}.")
    return " ".join(said)


def _charts(agreement: pl.DataFrame) -> list[Chart]:
    made = []
    for (metric,), part in agreement.group_by("metric", maintain_order=True):
        for column, title in (("distance", "distance in value"), ("tau", "τ with full rankings")):
            lines = tuple(
                Line(str(name), tuple(map(float, rows["n"])), tuple(rows[column]))
                for (name,), rows in part.group_by("correction", maintain_order=True)
            )
            heading = f"{metric}: {title} by size of sample"
            made.append(Chart(heading, "sampled targets", title, lines))
    return made


def _notes(others: list[str]) -> tuple[str, ...]:
    if not others:
        return ()
    return (f"Left out, as no function of the rank of one item: {', '.join(others)}.",)


_WORDS = {
    "agreement": "sampled against full rankings",
    "enough": "how many sampled targets are enough",
    "tau": "τ",
    "tau_spread": "spread of τ",
    "verdicts": "other verdicts",
    "swapped": "swapped pairs",
}
