"""Methods, the metrics: what rankings were scored by, and what counts as relevant."""

from __future__ import annotations

from typing import Any

from cranfield.view.prose import listed, metric_words, phrase
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.results.methods.methods_data import named
from cranfield.workbench.results.methods.references import cited

_BY_RELEVANCE = ("binary", "relevant-rating")
"""Gains that depend on what is relevant."""


def metrics_sentence(experiment: Experiment) -> str:
    """What rankings were scored by, and what is relevant."""
    names = [
        f"{metric_words(each)}{cited(each)}"
        for each in (*experiment.metrics, *experiment.run_metrics)
    ]
    scale, vectors, labels = experiment.scale, experiment.item_vectors, experiment.item_labels
    possible = f" of {scale[0]:g} to {scale[1]:g}" if scale else ""
    alike = f"; how items differ is that of {named(vectors)}" if vectors is not None else ""
    alike += f"; labels of items are those of {named(labels)}" if labels is not None else ""
    rest = "left out" if experiment.undefined == "left-out" else "counted as 0"
    sentences = [
        f"We report {listed(names)}{alike}.",
        f"A test rating of at least {experiment.relevance:g}{possible} is relevant.",
        *map(_gain, experiment.metrics),
        *map(_of_all_items, experiment.metrics),
        *map(_weighed, experiment.metrics),
        f"Users on whom a metric is undefined were {rest}.",
    ]
    return " ".join(each for each in sentences if each)


def _gain(metric: Any) -> str:
    """What an item is worth to a graded metric, which may not ask what is relevant."""
    gain = getattr(metric, "gain", None)
    if gain is None or getattr(metric, "as_", None) is not None:
        return ""
    known = getattr(gain, "option_name", "") in _BY_RELEVANCE
    either = "" if known else ", be the item relevant or not"
    return f"The gain of {metric_words(metric)} is {phrase(gain)}{cited(gain)}{either}."


def _of_all_items(metric: Any) -> str:
    """How a metric of sampled items estimates that of all items, where it does."""
    chosen = getattr(metric, "correction", None)
    if chosen is None:
        return ""
    aim = "estimates the value of a ranking of all items"
    return f"{metric_words(metric)} {aim} by {phrase(chosen)}{cited(chosen)}."


def _weighed(metric: Any) -> str:
    """How judged items are weighed by their propensities, if they are."""
    model = getattr(metric, "propensity", None)
    if model is None:
        return ""
    way = f"{phrase(metric.estimator)}{cited(metric.estimator)}"
    words = f"Judged items were {way} for {metric_words(metric)}; propensities are"
    return f"{words} {phrase(model)}{cited(model)}."
