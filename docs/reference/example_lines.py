"""An example of every option, as the line of a definition in which it stands."""

from __future__ import annotations

from typing import Any

from cranfield.base import options
from cranfield.base.checking.spelling import write_value

LINES = {
    "source": 'data = "{}"',
    "filter": 'filters = ["{}"]',
    "split": 'split = "{}"',
    "judged_by": 'judged_by = "{}"',
    "candidates": 'targets = "{}"',
    "relevant": 'targets = "{}"',
    "nonrelevant": 'targets = "{}"',
    "propensity": 'metrics = ["nDCG(propensity={})@10"]',
    "recommender": 'systems = {{ mine = "{}" }}',
    "smoothing": 'systems = {{ mine = "RM2(smoothing={})" }}',
    "metric": 'metrics = ["{}"]',
    "run-metric": 'run_metrics = ["{}"]',
    "gain": 'metrics = ["nDCG(gain={})@10"]',
    "discount": 'run_metrics = ["Gini(discount={})@10"]',
    "item-groups": 'run_metrics = ["RSP(by={})@10"]',
    "estimator": 'metrics = ["P(propensity=popularity, estimator={})@10"]',
    "sample-correction": 'metrics = ["nDCG(correction={})@10"]',
    "aggregation": 'aggregation = "{}"',
    "test": 'comparison = {{ test = "{}" }}',
    "correction": 'comparison = {{ correction = "{}" }}',
    "criterion": 'assess = ["{}"]',
    "search": 'tuning = {{ search = "{}" }}',
}
"""Where options of each decision stand in a definition."""

REQUIRED = {
    ("source", "file"): "path=ratings.csv",
    ("source", "dataset"): "set=ml-1m",
    ("source", "block"): "source=ml-1m, density=0.2",
    ("source", "subset"): "source=cm100k, column=known",
    ("filter", "min-ratings"): "per=user, at_least=20",
    ("filter", "rating-range"): "at_least=1",
    ("filter", "time-range"): "since=2001-01-01",
    ("split", "given"): "test=test.csv",
    ("split", "per-item-train"): "count=10",
    ("split", "temporal"): "test_share=0.2",
    ("judged_by", "random"): "file=random.csv",
    ("nonrelevant", "listed"): "file=targets.csv",
    ("propensity", "file"): "path=propensities.csv",
    ("propensity", "known"): "source='simulated(size=small)'",
    ("propensity", "naive-bayes"): "random=random.csv",
    ("recommender", "oracle"): "source='simulated(size=small)'",
    ("gain", "table"): "gains={4: 1, 5: 3}",
    ("metric", "SubAP"): "p=0.5",
    ("metric", "Miscalibration"): "by=label(genres)",
    ("metric", "RBO"): "p=0.9",
    ("metric", "RBP"): "p=0.8",
    ("metric", "StratifiedRecall"): "gamma=1",
    ("aggregation", "URisk"): "baseline=Popularity",
    ("aggregation", "TRisk"): "baseline=Popularity",
    ("item-groups", "label"): "genres",
}
"""Parameters of options that cannot be spelled, or say little, without any."""

NEEDED = {
    ("test", "weighted-t"): 'aggregation = "weighted-mean(by=test)"',
    ("test", "log-t"): 'aggregation = "geometric-mean(epsilon=0.01)"',
    ("recommender", "oracle"): 'data = "simulated(size=small)"',
}
"""What else a definition says where the option stands."""


def example_of(decision: str, cls: Any) -> str:
    """The lines of a definition that choose the option."""
    line = LINES[decision].format(spelling(decision, cls)).replace("'", r"\"")
    needed = NEEDED.get((decision, cls.option_name))
    return f"{needed}\n{line}" if needed else line


def spelling(decision: str, cls: Any) -> str:
    """The option with its first parameter, or those that it needs, and a cut-off if it has one."""
    known = [each for each in options.parameters(cls) if each.name != "cutoff"]
    inside = REQUIRED.get((decision, cls.option_name), "")
    simple = known and isinstance(known[0].default, bool | int | float | str)
    if not inside and simple and known[0].default != "none":
        inside = f"{options.written(known[0].name)}={write_value(known[0].default)}"
    depth = "@10" if any(each.name == "cutoff" for each in options.parameters(cls)) else ""
    return f"{cls.option_name}{f'({inside})' if inside else ''}{depth}"
