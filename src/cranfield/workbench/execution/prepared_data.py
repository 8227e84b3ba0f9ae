"""PreparedData: the data of an experiment, filtered and split, and how each fold is judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from cranfield.base.files import fingerprint
from cranfield.base.ids import Ids
from cranfield.base.options import to_table
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import FilterStep, filter_ratings
from cranfield.collection.judgments import Judgments, judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import TEST, TRAIN, Fold, Split, split
from cranfield.collection.target import Targets, require_topics
from cranfield.collection.topics import choose_users
from cranfield.scoring.scores import Floats
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.execution.evaluation import positives_of
from cranfield.workbench.store.store import Entry, Store
from cranfield.workbench.truth.judgments import true_ratings


@dataclass(frozen=True, eq=False)
class PreparedData:
    """The ratings of an experiment, filtered and split; what every cell of it shares.

    Folds share the ids of the whole.
    """

    ratings: Ratings
    steps: tuple[FilterStep, ...]
    split: Split

    @property
    def folds(self) -> tuple[Fold, ...]:
        """The folds of the split."""
        return self.split.folds

    @cached_property
    def scale(self) -> tuple[float, float]:
        """The lowest and the highest rating of all."""
        values = self.split.ratings.values
        return float(values.min()), float(values.max())


def data_inputs(experiment: Experiment) -> dict[str, Any]:
    """The decisions that the material of an experiment depends on."""
    return {
        "data": spelled_fully(experiment.data) or id(experiment.data),
        "filters": [spelled_fully(each) or id(each) for each in experiment.filters],
        "split": spelled_fully(experiment.split) or id(experiment.split),
        "seed": experiment.seed,
    }


def prepare(experiment: Experiment, store: Store) -> PreparedData:
    """Read, filter and split; the split is kept by the fingerprint of what it divides."""
    filtered = filter_ratings(experiment.data.read(), experiment.filters, experiment.seed)
    ratings, splitter, seed = filtered.ratings, experiment.split, experiment.seed
    spelling = spelled_fully(splitter)
    if spelling is None or spelling.startswith("given"):
        # Other files have a say in it, which a fingerprint of the ratings does not cover.
        return PreparedData(ratings, filtered.steps, split(ratings, splitter, seed))
    inputs = {"ratings": ratings.fingerprint, "split": spelling, "seed": seed}

    def make() -> Entry:
        made = split(ratings, splitter, seed)
        parts = np.stack([fold.parts for fold in made.folds])
        return Entry({"parts": parts}, {"facts": dict(made.facts)})

    entry = store.fetch("split", inputs, make)
    folds = tuple(Fold(ratings, parts) for parts in entry.arrays["parts"])
    divided = Split(ratings, folds, splitter, seed, facts=entry.facts["facts"])
    return PreparedData(ratings, filtered.steps, divided)


@dataclass(frozen=True, eq=False)
class JudgedFold:
    """One fold as one cell of an experiment sees it: targets and popularity."""

    targets: Targets
    popularity: Floats

    @property
    def judgments(self) -> Judgments:
        """What rankings are judged by."""
        return self.targets.judgments


def judge_fold(material: PreparedData, fold: Fold, experiment: Experiment) -> JudgedFold:
    """The judgments, users and targets of one fold."""
    train = fold.train
    test = fold.test if experiment.judged_by == "test" else true_ratings(experiment.data, train)
    known = _known_part(test, experiment.judged_share, experiment.seed)
    judgments = judge(known, experiment.relevance, material.scale)
    topics = choose_users(train, judgments, experiment.users)
    targets = experiment.targets.choose(topics, train, judgments, experiment.seed)
    return JudgedFold(require_topics(targets), positives_of(train, judgments))


def _known_part(test: Ratings, share: float, seed: int) -> Ratings:
    """A random share of the test ratings; a smaller share is part of every larger one."""
    if share == 1:
        return test
    drawn = Seeds(seed).words("judged-share", size=len(test))
    kept = np.argsort(drawn, kind="stable")[: max(1, round(share * len(test)))]
    mask = np.zeros(len(test), dtype=bool)
    mask[kept] = True
    return test.take(mask)


def facts_of(material: PreparedData) -> dict[str, Any]:
    """What a record says of the material: sizes, fingerprints, leakage."""
    divided = material.split
    return {
        "ratings": material.ratings.fingerprint,
        "users": int(np.count_nonzero(material.ratings.user_counts)),
        "items": int(np.count_nonzero(material.ratings.item_counts)),
        "size": len(material.ratings),
        "filters": [
            {"filter": step.filter, "before": step.before.ratings, "after": step.after.ratings}
            for step in material.steps
        ],
        "split": {"option": to_table(divided.splitter), "facts": dict(divided.facts)},
        "folds": [_fold_facts(fold) for fold in divided.folds],
    }


def _fold_facts(fold: Fold) -> dict[str, Any]:
    leak = fold.leakage
    return {
        "train": fold.train.fingerprint,
        "test": fold.test.fingerprint,
        "train_ratings": int(np.count_nonzero(fold.parts == TRAIN)),
        "test_ratings": int(np.count_nonzero(fold.parts == TEST)),
        "leakage": None if leak is None else {"per_user": leak.per_user, "overall": leak.overall},
    }


def judged_inputs(experiment: Experiment, targets: Targets) -> dict[str, Any]:
    """What the hits of a system depend on, besides the system."""
    return {
        **target_inputs(targets),
        "unscored": experiment.unscored,
        "ties": experiment.ties,
        "seed": experiment.seed,
    }


def target_inputs(targets: Targets) -> dict[str, Any]:
    """What names targets: they, the ids behind their codes, and the scale of ratings."""
    judgments = targets.judgments
    return {
        "targets": targets.fingerprint,
        "ids": _ids_of(targets.train),
        "scale": [judgments.lowest, judgments.highest],
    }


def fit_inputs(train: Ratings, system: str, seed: int) -> dict[str, Any]:
    """What a fitted system depends on; the fingerprint of ratings leaves out unrated ids."""
    return {
        "train": train.fingerprint,
        "ids": _ids_of(train),
        "system": system,
        "seed": seed,
    }


def _ids_of(ratings: Ratings) -> list[str]:
    return [_fingerprint_of(ratings.user_ids), _fingerprint_of(ratings.item_ids)]


@lru_cache(maxsize=8)
def _fingerprint_of(ids: Ids) -> str:
    return fingerprint(ids.content(np.arange(len(ids))))
