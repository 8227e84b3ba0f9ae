"""Differences with users and items at random, from the rankings of an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from cranfield.base.errors import BadExperiment, OptionError
from cranfield.base.seeds import Seeds
from cranfield.collection.topics import Topics
from cranfield.scoring.aggregation import LinearAggregation
from cranfield.scoring.coverage import enter
from cranfield.scoring.folds import join_topics
from cranfield.scoring.measurement.item_terms import (
    ItemTerms,
    item_terms,
    join_terms,
    refuse_without_terms,
)
from cranfield.scoring.scores import Floats, Scores
from cranfield.significance.effect_size import MeanDifference
from cranfield.significance.pigeonhole import (
    DRAWS,
    WeightedTerms,
    drawn_values,
    pigeonhole_difference,
)
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.systems.conditions import SystemOutput


class ItemBootstrap:
    """Notes what judged items add to the scores of every system, while rankings are in memory.

    A metric or average that is no sum over items, or no mean, is refused before anything is
    ranked.
    """

    def __init__(self, experiment: Experiment) -> None:
        _refuse(experiment)
        self._experiment = experiment
        self._topics: dict[int, Topics] = {}
        self._terms: dict[tuple[str, str], list[ItemTerms]] = {}

    def see(self, output: SystemOutput) -> None:
        """Note the terms of some topics of one system."""
        self._topics[output.fold] = output.targets.topics
        for metric in self._experiment.metrics:
            terms = item_terms(output.hits, metric)
            self._terms.setdefault((output.system, str(metric)), []).append(terms)

    def differences(
        self, scores: Scores, draws: int = DRAWS
    ) -> dict[tuple[str, str, str], MeanDifference]:
        """The difference of every pair by every metric: metric, first and second system."""
        seeds = Seeds(self._experiment.seed).child("significance")
        found = {}
        for metric in scores.metrics:
            drawn, values = {}, {}
            for name in scores.systems:
                values[name], weighted = self._weighted(scores, name, metric)
                drawn[name] = drawn_values(weighted, draws, seeds)
            for first, second in combinations(scores.systems, 2):
                difference = values[first] - values[second]
                pair = drawn[first], drawn[second]
                found[metric, first, second] = pigeonhole_difference(difference, *pair)
        return found

    def _weighted(self, scores: Scores, system: str, metric: str) -> tuple[float, WeightedTerms]:
        """The value of one system by one metric, and the terms that it is made of."""
        experiment, terms = self._experiment, join_terms(self._terms[system, metric])
        numbers = scores.system_number(system), scores.metric_number(metric)
        entered = enter(scores, *numbers, experiment.coverage, experiment.undefined)
        assert isinstance(experiment.aggregation, LinearAggregation)  # others are refused
        shares, each = np.zeros(len(scores)), experiment.aggregation.shares(entered)
        shares[entered.topics] = each
        folds = list(self._topics.values())
        users = np.concatenate([topics.users for topics in folds])
        if len(folds) > 1:
            shares = _over_folds(shares, scores, folds, terms)
        weighted = WeightedTerms(terms, users, shares, experiment.undefined)
        return float(each @ entered.scores), weighted


def _over_folds(
    shares: Floats, scores: Scores, folds: Sequence[Topics], terms: ItemTerms
) -> Floats:
    """The shares of the topics of all folds, given those of the topics that folds make together.

    A topic with a ranking in several folds counts with the mean of those that are defined.
    """
    places = join_topics(folds).places
    defined = ~np.isnan(terms.scores(np.ones(int(terms.items.max(initial=0)) + 1)))
    none = np.bincount(places, defined, len(scores)) == 0
    counted = defined | none[places]
    return np.asarray(shares[places] * counted / np.bincount(places, counted, len(scores))[places])


def refuse_study(study: Study) -> None:
    """Refuse a study with items at random, before anything is read."""
    if study.base.comparison.random != "users":
        problem = "the designs of a study are tested over users: leave it out."
        raise BadExperiment(study.where, [("comparison.random", problem)])


def _refuse(experiment: Experiment) -> None:
    """Refuse what cannot be computed again with other items."""
    for metric in experiment.metrics:
        refuse_without_terms(metric)
    test = experiment.comparison_choice.test
    problems = {
        "aggregation": (
            not isinstance(experiment.aggregation, LinearAggregation),
            f"{experiment.aggregation} is no mean",
        ),
        "targets": (
            hasattr(experiment.targets.relevant, "segments"),
            "the segments of percentiles would change with the items",
        ),
        "ties": (experiment.ties == "expected", "the mean over orders has no ranks"),
        "comparison.test": (
            getattr(test, "option_name", "") not in ("t", "weighted-t"),
            f"users and items at random are compared by t, not by {test}",
        ),
        "comparison.subsets": (
            experiment.comparison.subsets is not None,
            "no test over users is made that could be repeated",
        ),
    }
    for path, (is_wrong, why) in problems.items():
        if is_wrong:
            raise OptionError(f"{path}: {why}. Choose another, or users alone at random.")
