"""Validation: a part of the training ratings of one fold, on which settings are tried."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import ceil
from typing import Any

import numpy as np

from cranfield.base.errors import OptionError
from cranfield.base.files import fingerprint
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.fold import TRAIN, Fold, GivenFold
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import GivenParts, Splitter, split
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import parse_targets
from cranfield.recommendation.recommender import Recommender
from cranfield.scoring.summary import SummaryChoice
from cranfield.workbench.definition.compared import Compared
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.definition.item_labels import label_fingerprints
from cranfield.workbench.definition.side_tables import catalogue_ids
from cranfield.workbench.definition.tuning import Tuning
from cranfield.workbench.execution.data.prepared_data import (
    PreparedData,
    fit_inputs,
    part_filters,
    ranking_inputs,
    targets_of,
)
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.execution.systems.trial_data import TrialData

_SEEDS = 2**31
_OTHERWISE = "per-user(test_share=0.2)"
"""How validation is cut where the test part was given, or is in several folds."""


class Validation:
    """The training ratings of one fold, divided once more: settings are tried on this alone.

    They are divided before ``train_filters`` and ``test_filters`` apply, which then apply to
    what settings learn from and to what they are tried on, as they do to training and test.
    Nothing of the test part is here, not even ids that occur in it alone. Rankings are judged
    as in the ``base``, whatever a design of a study varies; the data are those of the design,
    ``experiment``.
    """

    def __init__(self, base: Experiment, experiment: Experiment, data: PreparedData, fold: int):
        tuning = experiment.tuning
        assert tuning is not None
        self.seed = experiment.seed if tuning.seed is None else tuning.seed
        self.splitter = validation_split(tuning, data)
        whole = _training(data.unfiltered[fold], experiment.catalogue)
        filters, seed = part_filters(experiment), _split_seed(self.seed)
        self.parts = split(whole, self.splitter, seed, filters=filters).folds
        if tuning.refit == "train" and len(self.parts) > 1:
            several = f"{self.splitter} makes {len(self.parts)} validation parts"
            raise OptionError(f"tuning.refit: {several}, each with its own training. Give another.")
        counts = whole.aggregate().values
        self._scale = float(counts.min()), float(counts.max())
        self._experiment = _judging(base, tuning, self.seed)
        self.metric = self._experiment.metrics[0]
        self._condition = RankingCondition(
            experiment=self._experiment, metrics=self._experiment.metrics, whole_ranks=False
        )
        self._targets = cache(self._chosen)

    def _chosen(self, share: float) -> tuple[Targets, ...]:
        """Judgments and targets of each part, on a share of the users that is drawn once."""
        folds = tuple(_share_of(each, share, self.seed) for each in self.parts)
        data = PreparedData(folds, self._scale, self.splitter, {})
        return tuple(targets_of(data, each, self._experiment) for each in folds)

    def inputs(self, system: Recommender, share: float) -> dict[str, Any]:
        """What the value of a setting depends on."""
        spelling, targets = spelled_fully(system) or "", self._targets(share)
        vectors = [self._condition.item_vectors(each) for each in targets]
        return {
            "fits": [fit_inputs(each.train, spelling, self.seed) for each in targets],
            "rankings": [ranking_inputs(self._experiment, each) for each in targets],
            "metric": str(self.metric),
            "undefined": self._experiment.undefined,
            "item_vectors": [None if each is None else fingerprint(each) for each in vectors],
            "item_labels": [label_fingerprints(self._condition.item_labels(t)) for t in targets],
        }

    def data(self, share: float) -> TrialData:
        """What settings are tried on, with a share of the users."""
        return TrialData(self._condition, self._targets(share))

    def value(self, system: Recommender, share: float) -> tuple[float, float]:
        """The mean score of a setting over users, and the seconds it took."""
        return self.data(share).value(system)

    def learnt_from(self, train: Ratings) -> Ratings:
        """The ratings without those of validation, under the ids of the whole training part."""
        return self.parts[0].train.reindex(train.user_ids, train.item_ids)


def validation_split(tuning: Tuning, data: PreparedData) -> Splitter:
    """How validation is cut from training: as asked, else as the test part was cut."""
    if tuning.validation is not None:
        return tuning.validation
    if len(data.folds) > 1 or isinstance(data.splitter, GivenParts) or _is_made(data.splitter):
        otherwise: Splitter = parse("split", _OTHERWISE)
        return otherwise
    return data.splitter


def _is_made(splitter: Splitter) -> bool:
    """Whether it divides one set of ratings alone, as a split that was made before does."""
    return spelled_fully(splitter) is None


def _training(fold: Fold | GivenFold, catalogue: Any) -> Ratings:
    """The training ratings, or events, under their own ids and those of the catalogue."""
    own = (fold.rows(TRAIN) if isinstance(fold, Fold) else fold.train).compact()
    if catalogue is None:
        return own
    return own.reindex(own.user_ids, own.item_ids.union(catalogue_ids(catalogue)))


def _split_seed(seed: int) -> int:
    """Another seed than that of the test split, which may have drawn the same ratings."""
    return Seeds(seed).key("tuning", "validation") % _SEEDS


def _judging(base: Experiment, tuning: Tuning, seed: int) -> Experiment:
    """The decisions by which settings are judged: those of the base, as far as they matter."""
    listed = getattr(base.targets.nonrelevant, "option_name", "") == "listed"
    return replace(
        base,
        judged_share=1.0,
        judged_by=parse("judged_by", "test"),
        topics="judged" if base.topics == "run" else base.topics,
        metrics=(tuning.metric or base.metrics[0],),
        run_metrics=(),
        aggregation=SummaryChoice().aggregation,
        user_columns=None,
        comparison=Compared(),
        assess=(),
        by=(),
        runs={},
        targets=parse_targets("all-items") if listed else base.targets,
        seed=seed,
    )


def _share_of(fold: Fold, share: float, seed: int) -> Fold | GivenFold:
    """The ratings of a share of the users; those of a smaller share are among these."""
    if share == 1:
        return fold
    rated = np.flatnonzero(fold.ratings.user_counts)
    order = np.argsort(Seeds(seed).words("tuning", "users", size=len(rated)), kind="stable")
    drawn = np.zeros(fold.ratings.n_users, dtype=bool)
    drawn[rated[order[: ceil(share * len(rated))]]] = True
    train, test = (part.take(drawn[part.users]) for part in (fold.train, fold.test))
    return GivenFold(train, test)
