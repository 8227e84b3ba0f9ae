"""PreparedData: the data of an experiment, filtered and split, and the test collections in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import EmptyInput
from cranfield.base.files import fingerprint
from cranfield.base.ids import Codes, Ids
from cranfield.base.options import is_option
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import FilterStep, filter_ratings
from cranfield.collection.fold import Facts, Fold, GivenFold
from cranfield.collection.judgments import judge
from cranfield.collection.part_filters import PartFilters
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import GivenParts, Splitter, filter_fold, filter_given, split
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import choose_targets
from cranfield.collection.test_collection import TestCollection, share_ids
from cranfield.workbench.definition.experiment import Experiment, spelled_fully
from cranfield.workbench.definition.side_tables import catalogue_ids
from cranfield.workbench.store.store import Entry, Store


@dataclass(frozen=True, eq=False)
class PreparedData:
    """The ratings of an experiment, filtered and split: what all its conditions share.

    Folds share the ids of the whole. ``ratings`` are all of them, events counted, and None
    where the parts were given. ``scale`` is the scale of all ratings, or of the test ratings
    where the parts were given. ``unfiltered`` are the folds before the filters of their parts.
    """

    folds: tuple[Fold | GivenFold, ...]
    scale: tuple[float, float]
    splitter: Splitter
    facts: Facts
    steps: tuple[FilterStep, ...] = ()
    ratings: Ratings | None = None
    has_catalogue: bool = True
    unfiltered: tuple[Fold | GivenFold, ...] = ()

    @property
    def user_ids(self) -> Ids:
        """The users of the data."""
        return self.folds[0].train.user_ids

    @property
    def item_ids(self) -> Ids:
        """The catalogue."""
        return self.folds[0].train.item_ids


def data_inputs(experiment: Experiment) -> dict[str, Any]:
    """The decisions that prepared data depend on."""
    filters = {
        name: [_name(each) for each in getattr(experiment, name)]
        for name in ("train_filters", "test_filters")
    }
    split = {"split": _name(experiment.split), "seed": experiment.seed}
    return {**ratings_inputs(experiment), **split, **filters}


def ratings_inputs(experiment: Experiment) -> dict[str, Any]:
    """The decisions that the filtered ratings depend on."""
    return {
        "data": _name(experiment.data),
        "filters": [_name(each) for each in experiment.filters],
        "catalogue": _name(experiment.catalogue),
        "seed": experiment.seed if experiment.filters else None,
    }


def _name(given: Any) -> Any:
    """An option in full; what has no spelling is told apart by its identity."""
    if isinstance(given, GivenParts):
        parts = vars(given).values()
        return [part if part is None or isinstance(part, str) else id(part) for part in parts]
    if is_option(given):
        return spelled_fully(given)
    return given if given is None or isinstance(given, str) else id(given)


@dataclass(frozen=True, eq=False)
class FilteredRatings:
    """The ratings of an experiment after its filters, under the ids of the catalogue."""

    ratings: Ratings
    steps: tuple[FilterStep, ...]


def read_filtered(experiment: Experiment) -> FilteredRatings:
    """Read the data and filter them."""
    assert experiment.data is not None
    filtered = filter_ratings(experiment.data.read(), experiment.filters, experiment.seed)
    ratings = filtered.ratings
    if experiment.catalogue is not None:
        items = ratings.item_ids.union(catalogue_ids(experiment.catalogue))
        ratings = ratings.reindex(ratings.user_ids, items)
    return FilteredRatings(ratings, filtered.steps)


def split_filtered(experiment: Experiment, filtered: FilteredRatings, store: Store) -> PreparedData:
    """Split the ratings, and filter the parts; the split is stored by what it divides."""
    ratings, splitter, seed = filtered.ratings, experiment.split, experiment.seed
    spelling = spelled_fully(splitter)
    if spelling is None or isinstance(splitter, GivenParts):
        # Other files have a say in it, which a fingerprint of the ratings does not cover.
        made = split(ratings, splitter, seed)
        folds, facts, ratings = made.folds, made.facts, made.ratings
    else:
        inputs = {"ratings": ratings.fingerprint, "split": spelling, "seed": seed}
        make = partial(_split_entry, ratings, splitter, seed)
        entry = store.fetch("split", inputs, make, partial(_divides, ratings))
        folds = tuple(Fold(ratings, parts) for parts in entry.arrays["parts"])
        facts = entry.facts["facts"]
    filters = part_filters(experiment)
    left = tuple(filter_fold(each, filters, seed, n) for n, each in enumerate(folds))
    counts = ratings.aggregate()  # a part may count a single event of a pair, never more than all
    scale = float(ratings.values.min()), float(counts.values.max())
    return PreparedData(
        left, scale, splitter, facts, filtered.steps, counts, unfiltered=tuple(folds)
    )


def part_filters(experiment: Experiment) -> PartFilters:
    """The filters of training and of test."""
    return PartFilters(experiment.train_filters, experiment.test_filters)


def _split_entry(ratings: Ratings, splitter: Splitter, seed: int) -> Entry:
    made = split(ratings, splitter, seed)
    parts = np.stack([fold.parts for fold in made.folds])
    return Entry({"parts": parts}, {"facts": dict(made.facts)})


def _divides(ratings: Ratings, entry: Entry) -> bool:
    """Whether an entry says for each of these ratings which part it is in."""
    parts, facts = entry.arrays.get("parts"), entry.facts.get("facts")
    return (
        parts is not None
        and parts.dtype == np.int8
        and parts.ndim == 2
        and parts.shape[1] == len(ratings)
        and isinstance(facts, dict)
    )


def take_parts(
    experiment: Experiment, read: Callable[[], tuple[Ratings | None, Ratings]]
) -> PreparedData:
    """Both parts as they are, or as their filters leave them, under the same ids."""
    train, test = read()
    values = test.aggregate().values
    scale = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    given = experiment.catalogue
    parts = share_ids(train, test, None if given is None else catalogue_ids(given))
    fold = filter_given(*parts, part_filters(experiment), experiment.seed)
    has_catalogue = len(fold.train) > 0 or given is not None
    return PreparedData(
        (fold,),
        scale,
        experiment.split,
        {},
        has_catalogue=has_catalogue,
        unfiltered=(GivenFold(*parts),),
    )


def collect_fold(
    data: PreparedData, fold: Fold | GivenFold, experiment: Experiment
) -> TestCollection:
    """The test collection of one fold, as the experiment judges it."""
    train, keeps, overlap = fold.train, experiment.training_items == "keep", 0
    test = experiment.judged_by.ratings(experiment.data, train, fold.test)
    if test is fold.test and len(train) and not keeps:
        overlap = int(np.count_nonzero(fold.repeated))
        if overlap == len(test):
            raise EmptyInput("the test ratings", "pairs outside training")
        test = test.take(~fold.repeated) if overlap else test
    known = _known_part(test, experiment.judged_share, experiment.seed)
    return TestCollection(
        train,
        judge(known, experiment.relevance, experiment.scale or data.scale),
        has_catalogue=data.has_catalogue,
        keeps_training=keeps,
        overlap=overlap,
    )


def targets_of(
    data: PreparedData,
    fold: Fold | GivenFold,
    experiment: Experiment,
    listed: Codes | None = None,
) -> Targets:
    """Judgments, users and targets of one fold: what every system is judged on."""
    return choose_targets(
        collect_fold(data, fold, experiment),
        experiment.targets,
        experiment.user_choice,
        experiment.seed,
        listed=listed,
    )


def _known_part(test: Ratings, share: float, seed: int) -> Ratings:
    """A random share of the test ratings; a smaller share is part of every larger one."""
    if share == 1:
        return test
    drawn = Seeds(seed).words("judged-share", size=len(test))
    kept = np.argsort(drawn, kind="stable")[: max(1, round(share * len(test)))]
    mask = np.zeros(len(test), dtype=bool)
    mask[kept] = True
    return test.take(mask)


def ranking_inputs(experiment: Experiment, targets: Targets) -> dict[str, Any]:
    """What the hits of a system depend on, besides the system."""
    return {
        **target_inputs(targets),
        "unscored": experiment.unscored,
        "ties": experiment.ties,
        "depth": experiment.depth,
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
