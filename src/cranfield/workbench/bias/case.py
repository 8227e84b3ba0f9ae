"""BiasCase: a user's experiment, prepared for the assessment of its biases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from math import isnan
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError
from cranfield.base.options import from_table, is_option, parse, spell
from cranfield.collection.ratings import Ratings
from cranfield.collection.target_choice import parse_targets
from cranfield.recommendation.recommender import Recommender
from cranfield.scoring.metric import Metric
from cranfield.scoring.summary import SummaryChoice
from cranfield.workbench.definition.compared import Compared
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.data.prepared_data import PreparedData
from cranfield.workbench.execution.pipeline import Pipeline

RANDOM, POPULARITY = "Random", "Popularity"
_METRICS = ("P", "nDCG(gain=relevant-rating)")
"""What is always measured; only relevant ratings are grades (bellogin2017 §6.3)."""
_RUNS = "The runs of files are left out: they cannot be ranked again under other protocols."


@dataclass(frozen=True, kw_only=True)
class BiasChoice:
    """How biases are assessed; what is None fits itself to the collection.

    ``cutoff`` is the n of P@n and nDCG@n. ``sample`` non-relevant items are drawn in 1R
    (99, so that |T_u| = 100 as in bellogin2017 §3.3; fewer where items are few) and
    ``percentiles`` is the m of P1R (10). ``shares`` of the test ratings are kept,
    ``sizes`` of N_u, ``skews`` α and ``heads`` removed are tried in the sweeps. ``head``
    is the share of items removed in the protocol −head, ``epsilon`` the ε of the uniform
    split.
    """

    cutoff: int = 10
    sample: int | None = None
    percentiles: int | None = None
    shares: tuple[float, ...] = (1.0, 0.8, 0.6, 0.4, 0.2, 0.1)
    sizes: tuple[int, ...] | None = None
    skews: tuple[float, ...] = (0.0, 0.5, 1.0, 1.5, 2.0)
    heads: tuple[float, ...] = (0.0, 0.05, 0.1, 0.2, 0.3)
    head: float = 0.1
    epsilon: float = 0.2


@dataclass(frozen=True, eq=False)
class BiasCase:
    """An experiment with both baselines, its data, and every answer that will be tried.

    ``random`` and ``popularity`` are the names of the baselines, ``notes`` what was
    changed and why.
    """

    experiment: Experiment
    data: PreparedData
    choice: BiasChoice
    random: str
    popularity: str
    notes: tuple[str, ...]

    @property
    def ratings(self) -> Ratings:
        """All ratings of the experiment."""
        assert self.data.ratings is not None
        return self.data.ratings

    @property
    def precision(self) -> Metric:
        """P@n, the metric that the theory is about."""
        return self.experiment.metrics[0]

    @property
    def personalised(self) -> tuple[str, ...]:
        """All systems but the baselines."""
        return tuple(n for n in self.experiment.names if n not in (self.random, self.popularity))

    @cached_property
    def test_share(self) -> float:
        """σ: the share of the ratings that the user's split puts to test."""
        return float(np.mean([fold.test_share for fold in self.data.folds]))

    @cached_property
    def uniform_share(self) -> float:
        """The test share of the uniform split: that of the user's, or the most it can reach."""
        most = reachable_share(self.ratings, self.choice.epsilon)
        return min(round(self.test_share, 4), most)

    @property
    def one_relevant(self) -> str:
        """The targets of 1R."""
        return f"test-items, one-relevant, sampled(n={self.choice.sample})"

    def study(self, **varied: Any) -> Study:
        """A study that varies the case."""
        return Study(base=self.experiment, draws=0, **varied)

    @cached_property
    def protocols(self) -> Mapping[str, Mapping[str, Any]]:
        """The protocols of bellogin2017 §6 by name, with what each sets."""
        choice, one = self.choice, self.one_relevant
        uniform = f"uniform(test_share={self.uniform_share:g}, epsilon={choice.epsilon:g})"
        without = f"test-items(without_head={choice.head:g})"
        less = f"−{percent(choice.head)} head"
        percentiles = f"test-items, percentiles(m={choice.percentiles}), sampled(n={choice.sample})"
        return {
            "AR": {"targets": "test-items"},
            "UAR": {"split": uniform, "targets": "test-items"},
            "AI-UAR": {"split": uniform, "targets": "all-items"},
            f"AR {less}": {"targets": without},
            "1R": {"targets": one},
            "U1R": {"split": uniform, "targets": one},
            "P1R": {"targets": percentiles},
            f"1R {less}": {"targets": one.replace("test-items", without)},
        }

    def protocol_study(self) -> Study:
        """The protocols as a study of one named decision."""
        return self.study(together={"protocol": self.protocols})


def reachable_share(ratings: Ratings, epsilon: float) -> float:
    """The largest test share of a uniform split, to four digits."""
    counts = np.sort(ratings.item_counts)[::-1]
    shares = (1 - epsilon) * counts * np.arange(1, len(counts) + 1) / counts.sum()
    return float(np.floor(shares.max() * 1e4) / 1e4)


def bias_case(
    experiment: Experiment, pipeline: Pipeline, choice: BiasChoice | None = None
) -> BiasCase:
    """Make an experiment ready: baselines, P@n and nDCG@n added, plain means of all users.

    Systems, data, filters, split, relevance, users, metrics and the treatment of unscored
    items are the user's.
    """
    if not experiment.systems:
        raise OptionError("bias: no system is to be fitted; runs of files alone are not enough.")
    if experiment.data is None:
        raise OptionError("bias: other splits are tried, which needs data, not two given parts.")
    chosen = choice or BiasChoice()
    systems, random, popularity = _with_baselines(experiment.systems)
    always = [parse("metric", f"{name}@{chosen.cutoff}") for name in _METRICS]
    base = replace(
        experiment,
        systems=systems,
        runs={},
        metrics=tuple(dict.fromkeys((*always, *experiment.metrics))),
        run_metrics=(),
        targets=parse_targets("test-items"),
        ties="item-id" if experiment.ties in ("random", "expected") else experiment.ties,
        judged_share=1.0,
        judged_by=parse("judged_by", "test"),
        undefined="left-out",
        aggregation=SummaryChoice().aggregation,
        coverage="full",
        comparison=Compared(test=from_table("test", "t"), alpha=experiment.comparison.alpha),
    )
    data = pipeline.prepare(base)
    notes = (_RUNS,) if experiment.runs else ()
    case = BiasCase(base, data, _fitted(chosen, data), random, popularity, notes)
    if case.uniform_share < round(case.test_share, 4):
        lowered = (
            f"The uniform split tests {percent(case.uniform_share)} of the ratings: "
            f"{percent(case.test_share)} cannot be reached with ε = {chosen.epsilon:g}."
        )
        case = replace(case, notes=(*notes, lowered))
    return case


def _with_baselines(
    systems: Mapping[str, Recommender],
) -> tuple[dict[str, Recommender], str, str]:
    """The systems with Random and Popularity, and the names of both."""
    found, names = dict(systems), []
    for wanted in (RANDOM, POPULARITY):
        same = [name for name, each in found.items() if is_option(each) and spell(each) == wanted]
        name = same[0] if same else wanted if wanted not in found else f"{wanted} (added)"
        found.setdefault(name, parse("recommender", wanted))
        names.append(name)
    return found, names[0], names[1]


def _fitted(choice: BiasChoice, data: PreparedData) -> BiasChoice:
    """The choice with what was left open, by the number of items that can be tested."""
    items = min(int(np.count_nonzero(fold.test.item_counts)) for fold in data.folds)
    sample = choice.sample or min(99, max(items // 3, 1))
    most = max(items - 1, 1)
    sizes = choice.sizes or (sample, 2 * sample, 4 * sample, 10 * sample)
    return replace(
        choice,
        sample=sample,
        percentiles=choice.percentiles or max(2, min(10, items // (3 * choice.cutoff))),
        sizes=tuple(dict.fromkeys(min(size, most) for size in sizes)),
    )


def percent(share: float) -> str:
    """A share in per cent; a dash where there is none.

    >>> percent(0.104), percent(float("nan"))
    ('10 %', '–')
    """
    return "–" if isnan(share) else f"{share:.0%}".replace("%", " %").replace("-", "−")
