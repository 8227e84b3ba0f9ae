"""Whether a metric decides between systems alike on other users."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, MissingFacts
from cranfield.base.options import option, parameter
from cranfield.base.progress import bar
from cranfield.base.seeds import Seeds, uniforms
from cranfield.base.threads import in_threads
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Floats, Scores
from cranfield.validity.assessment import Assessment, Chart, Line
from cranfield.validity.criterion import (
    Criterion,
    Evidence,
    refuse_too_few,
    refuse_weighted_topics,
)
from cranfield.validity.meta.kernels.averages import averages_of
from cranfield.validity.meta.stability_counts import decide
from cranfield.validity.phrases import percent

USUAL = 0.05
"""The fuzziness of the table, or the nearest of those asked for."""


@option("criterion", "stability")
@dataclass(frozen=True, kw_only=True)
class Stability(Criterion):
    r"""How often a metric's decision between two systems contradicts its own majority.

        error rate = Σ_{a<b} min(n_{a>b}, n_{b>a}) ÷ Σ_{a<b} (n_{a>b} + n_{b>a} + n_{a=b})
        ties       = Σ_{a<b} n_{a=b}               ÷ Σ_{a<b} (n_{a>b} + n_{b>a} + n_{a=b})

    n_{a>b} counts the samples of users on which a has the higher mean; a and b are tied
    where |x_a − x_b| < f · max(|x_a|, |x_b|), with f the fuzziness. A large f avoids errors
    at the price of ties, so that both are to be looked at together: at the same share of
    ties, the lower error rate is better. Each sample is a share of the users, drawn without
    replacement: users stand for the query sets of Buckley & Voorhees 2000. Means are
    arithmetic, over the topics on which the metric is defined.
    """

    needs_values: ClassVar[bool] = False
    needs_scores: ClassVar[bool] = True

    fuzziness: tuple[float, ...] = parameter(
        tuple(number / 100 for number in range(11)),
        "Shares f of the larger value within which two systems are tied, from 0 to below 1.",
        at_least=0, below=1,
    )  # fmt: skip
    samples: int = parameter(
        1000, "Samples of users, from 2 to 100000.", at_least=2, at_most=100_000
    )
    share: float = parameter(
        0.5, "The share of users in each sample, above 0 and below 1.", above=0, below=1
    )

    def __post_init__(self) -> None:
        if not self.fuzziness:
            raise BadParameter("stability", "fuzziness", "nothing", "a list of at least one")

    def assess(self, evidence: Evidence) -> Assessment:
        """Error rates and ties of each metric by fuzziness, the lowest error rate first."""
        scores = evidence.scores
        if scores is None:
            raise MissingFacts("stability", "scores of users", "scores, or runs and judgments")
        refuse_too_few("stability", len(scores.systems), scores.n_users)
        refuse_weighted_topics("stability", list(scores.topic_weights))
        values = self._values(scores, evidence.seed)
        curves = self._curves(values, scores.metrics)
        usual = min(self.fuzziness, key=lambda each: (abs(each - USUAL), each))
        table = curves.filter(pl.col("fuzziness") == usual).drop("fuzziness")
        table = table.sort("error_rate", maintain_order=True)
        title = f"stability with a fuzziness of {usual:g}, the best first"
        return Assessment(
            "stability",
            self._reading(table, usual),
            {"stability": table},
            {
                "fuzziness": usual,
                "samples": self.samples,
                "share": self.share,
                "users": self._sampled(scores.n_users),
                "seed": evidence.seed,
                "systems": list(scores.systems),
            },
            {"curves": curves},
            (_chart(curves),),
            words={"stability": title, "error_rate": "error rate"},
        )

    def _sampled(self, users: int) -> int:
        """How many users a sample has: the nearest whole number, at least 1."""
        return max(1, int(np.floor(self.share * users + 0.5)))

    def _values(self, scores: Scores, seed: int) -> Floats:
        """The mean of each system by each metric on each sample."""
        entered, users = _entered(scores), np.arange(scores.n_users)
        rows, size = entered.reshape(-1, len(scores)), self._sampled(scores.n_users)

        def work(sample: int) -> Floats:
            draws = uniforms(Seeds(seed).key("stability", sample=sample), users)
            chosen = np.zeros(len(users), dtype=bool)
            chosen[np.argsort(draws, kind="stable")[:size]] = True
            drawn = np.where(chosen[scores.user_numbers], rows, np.nan)
            means = averages_of(drawn, scores.topics, 1.0)[0]
            return np.asarray(means.reshape(entered.shape[:2]))

        with bar("sampling", self.samples, "samples") as shown:
            found = []
            for made in in_threads(work, range(self.samples)):
                found.append(made)
                shown.advance()
        return np.array(found)

    def _curves(self, values: Floats, metrics: tuple[str, ...]) -> pl.DataFrame:
        made = []
        for fuzziness in sorted(set(self.fuzziness)):
            found = decide(values, fuzziness)
            columns = {"error_rate": found.error_rate, "ties": found.proportion_of_ties}
            made.append(pl.DataFrame({"metric": metrics, "fuzziness": fuzziness, **columns}))
        return pl.concat(made)

    def _reading(self, table: pl.DataFrame, fuzziness: float) -> str:
        told = table.filter(~pl.col("error_rate").is_nan())
        if told.is_empty():
            return "No metric is defined on any sample, so that nothing is decided."
        ends = dict.fromkeys((told.row(0), told.row(-1)))
        said = ", ".join(
            f"{name} is against its own majority in {percent(error)} of decisions"
            f" ({percent(ties)} ties)"
            for name, error, ties in ends
        )
        return f"With a fuzziness of {fuzziness:g}, {said}."


def _entered(scores: Scores) -> Floats:
    """The scores that enter an average (metrics × systems × topics), NaN for others."""
    made = np.full((len(scores.metrics), len(scores.systems), len(scores)), np.nan)
    for metric, system in np.ndindex(*made.shape[:2]):
        entered = enter(scores, system, metric)
        made[metric, system, entered.topics] = entered.scores
    return made


def _chart(curves: pl.DataFrame) -> Chart:
    """Error rates against ties, a point for each fuzziness."""
    lines = tuple(
        Line(str(name), tuple(100 * part["ties"]), tuple(part["error_rate"]))
        for (name,), part in curves.group_by("metric", maintain_order=True)
    )
    title = "error rate by share of ties, a point for each fuzziness"
    return Chart(title, "ties, %", "error rate", lines)
