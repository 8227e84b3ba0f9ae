"""Filters of training and of test: each part by its own counts, and what is left to judge."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import cranfield as cf
import cranfield.collection.filters
import cranfield.collection.splits
from cranfield.base.errors import CranfieldError, InfeasibleSplit, NothingLeft, OptionError
from cranfield.base.options import parse
from cranfield.collection.fold import UNUSED
from cranfield.collection.part_filters import PartFilters
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import filter_given, split
from cranfield.collection.split_files import read_split, write_split
from strategies import SEEDS, random_ratings, ratings
from suites import tries

LARGE = random_ratings(60, 40, 0.3, seed=5)
HALF = parse("split", "random(test_share=0.5)")
Pairs = set[tuple[int, int]]


def filters(train: list[str] | None = None, test: list[str] | None = None) -> PartFilters:
    spelled = (train or [], test or [])
    return PartFilters(*(tuple(parse("filter", each) for each in some) for some in spelled))


def pairs_of(part: Ratings) -> Pairs:
    return set(zip(part.users.tolist(), part.items.tolist(), strict=True))


def slow_min_ratings(pairs: Pairs, place: int, least: int) -> Pairs:
    """The pairs whose user (place 0) or item (place 1) has enough of them."""
    counts = Counter(pair[place] for pair in pairs)
    return {pair for pair in pairs if counts[pair[place]] >= least}


@given(data=ratings(), seed=SEEDS)
@settings(deadline=None, max_examples=tries(80))
def test_each_part_is_filtered_by_its_own_counts(data: Ratings, seed: int) -> None:
    chosen = filters(["min-ratings(per=user, at_least=2)"], ["min-ratings(per=item, at_least=2)"])
    try:
        plain = split(data, HALF, seed).folds[0]
    except InfeasibleSplit:
        return
    train = slow_min_ratings(pairs_of(plain.train), 0, 2)
    test = slow_min_ratings(pairs_of(plain.test), 1, 2)
    if not train or not test:
        empty = "test_filters" if train else "train_filters"
        with pytest.raises(NothingLeft, match=f" of {empty}: it removes every rating"):
            split(data, HALF, seed, filters=chosen)
        return
    fold = split(data, HALF, seed, filters=chosen).folds[0]
    assert (pairs_of(fold.train), pairs_of(fold.test)) == (train, test)
    assert len(fold.part(UNUSED)) == len(data) - len(train) - len(test)
    first, second = fold.steps
    known = {user for user, _ in train}
    for step, tested in ((first, pairs_of(plain.test)), (second, test)):
        judged = [user for user, _ in tested if user in known]
        assert (step.test_users, step.test_ratings) == (len(set(judged)), len(judged))
    assert (first.part, second.part) == ("train", "test")
    assert (first.step.before.ratings, first.step.after.ratings) == (len(plain.train), len(train))
    assert (second.step.after.users, second.step.after.items) == tuple(
        len({pair[place] for pair in test}) for place in (0, 1)
    )


def test_a_pruned_training_part_leaves_the_test_as_it_was() -> None:
    plain = split(LARGE, HALF, 3)
    pruned = split(LARGE, HALF, 3, filters=filters(["k-core(k=4)"]))
    assert pruned.test.fingerprint == plain.test.fingerprint
    assert 0 < len(pruned.train) < len(plain.train)
    assert pairs_of(pruned.train) < pairs_of(plain.train)
    assert pruned.train.user_ids is pruned.test.user_ids
    assert min(np.bincount(pruned.train.users)[np.unique(pruned.train.users)]) >= 4


def test_chance_differs_by_part_fold_and_seed_alone() -> None:
    sampled = filters(["sample(share=0.5)"], ["sample(share=0.5)"])
    both = parse("split", "random(test_share=0.5, repeats=2)")
    one, again, other = (split(LARGE, both, seed, filters=sampled) for seed in (1, 1, 2))
    assert one.fingerprint == again.fingerprint != other.fingerprint
    train_alone = split(LARGE, both, 1, filters=filters(["sample(share=0.5)"]))
    for whole, alone in zip(one.folds, train_alone.folds, strict=True):
        assert whole.train.fingerprint == alone.train.fingerprint
    assert one.folds[0].train.fingerprint != one.folds[1].train.fingerprint


def test_validation_is_cut_from_what_filters_leave() -> None:
    chosen, quarter = filters(["k-core(k=4)"]), parse("split", "random-exact(test_share=0.25)")
    without = split(LARGE, HALF, 3, filters=chosen).folds[0]
    fold = split(LARGE, HALF, 3, quarter, chosen).folds[0]
    assert fold.validation is not None
    assert pairs_of(fold.train) | pairs_of(fold.validation) == pairs_of(without.train)
    assert fold.test.fingerprint == without.test.fingerprint


def test_filters_of_parts_survive_on_disk(tmp_path: Path) -> None:
    chosen = filters(["k-core(k=4)", "sample(share=0.9)"], ["rating-range(at_least=2)"])
    made = split(LARGE, parse("split", "k-fold(folds=2)"), 3, filters=chosen)
    write_split(made, tmp_path / "split")
    read = read_split(tmp_path / "split")
    assert read.filters == made.filters == chosen
    assert read.fingerprint == made.fingerprint
    assert [fold.steps for fold in read.folds] == [fold.steps for fold in made.folds]
    assert (tmp_path / "split" / "fold-1" / "unused.parquet").exists()
    assert read.sizes == made.sizes


def test_a_pruned_split_stands_for_itself() -> None:
    made = split(LARGE, HALF, 3, filters=filters(["k-core(k=4)"], ["rating-range(at_least=4)"]))
    again = split(LARGE, made, 9)
    assert np.array_equal(again.folds[0].parts, made.folds[0].parts)


def test_filters_of_events_keep_a_period_or_pairs_with_all_their_events() -> None:
    log = Ratings.from_triples(
        [1, 1, 1, 1, 2, 2], [7, 7, 7, 8, 7, 7], None, [1, 2, 5, 3, 4, 6], duplicates="events"
    )
    fold = split(log, parse("split", "temporal(at=4)"), filters=filters(["time-range(since=2)"]))
    assert fold.train.values.tolist() == [1, 1]  # of item 7 one play is left, of 8 its one
    counted = filters(["rating-range(at_least=2)"])
    plays = split(log, parse("split", "temporal(at=4)"), filters=counted).train
    assert (plays.items.tolist(), plays.values.tolist()) == ([0], [2.0])


def test_given_parts_are_filtered_one_by_one() -> None:
    train = Ratings.from_triples([1, 1, 2], [1, 2, 1], [5, 1, 4])
    test = Ratings.from_triples([1, 2], [3, 3], [2, 5]).reindex(
        train.user_ids, train.item_ids.union(Ratings.from_triples([1], [3]).item_ids)
    )
    train = train.reindex(test.user_ids, test.item_ids)
    fold = filter_given(train, test, filters(["min-ratings(per=user, at_least=2)"]), seed=0)
    assert (len(fold.train), len(fold.test)) == (2, 2)
    assert (fold.steps[0].test_users, fold.steps[0].test_ratings) == (1, 1)
    nothing = train.take(np.zeros(0, dtype=np.int64))
    with pytest.raises(OptionError, match="train_filters: no training ratings are given"):
        filter_given(nothing, test, filters(["k-core(k=2)"]), seed=0)
    assert filter_given(nothing, test, filters(), seed=0).steps == ()


def test_a_filter_that_leaves_nothing_names_its_part() -> None:
    refusal = r"filter rating-range.* of test_filters: it removes every rating"
    with pytest.raises(CranfieldError, match=refusal):
        split(LARGE, HALF, 3, filters=filters(None, ["rating-range(at_least=9)"]))


def test_cold_users_and_items_are_those_that_training_lacks() -> None:
    train = Ratings.from_triples([1, 1, 2], [1, 2, 1])
    whole = Ratings.from_triples([1, 1, 1, 2, 3, 3], [1, 2, 3, 1, 1, 3])
    fold = split(LARGE, parse("split", "rolling"), 0).folds[0]
    ours, theirs = pairs_of(fold.train), pairs_of(fold.test)
    for place, (tested, cold, rated) in enumerate(
        [(fold.cold.test_users, fold.cold.users, fold.cold.user_ratings),
         (fold.cold.test_items, fold.cold.items, fold.cold.item_ratings)]
    ):  # fmt: skip
        known = {pair[place] for pair in ours}
        new = [pair[place] for pair in theirs if pair[place] not in known]
        assert (tested, cold, rated) == (len({p[place] for p in theirs}), len(set(new)), len(new))
    given_fold = filter_given(
        train.reindex(whole.user_ids, whole.item_ids),
        whole.take(np.array([2, 4, 5])),
        PartFilters(),
        0,
    )
    cold_ = given_fold.cold
    assert (cold_.users, cold_.user_ratings, cold_.items, cold_.item_ratings) == (1, 2, 1, 2)


def test_pruning_the_training_of_movielens_leaves_so_much_to_judge() -> None:
    """The core of training by repeated filtering with Polars; the test part stays whole."""
    folder = os.environ.get("CRANFIELD_DATA")
    if not folder or not (Path(folder) / "movielens-1m").exists():
        pytest.skip("MovieLens 1M is not there")
    cut = cf.split("ml-1m", "temporal(test_share=0.2)")
    made = cf.split("ml-1m", "temporal(test_share=0.2)", train_filters=["k-core(k=20)"])
    train, test = cut.train.to_polars(), cut.test.to_polars()
    left, size = train, 0
    while len(left) != size:
        size = len(left)
        for name in ("user_id", "item_id"):
            left = left.filter(pl.len().over(name) >= 20)
    judged = test.join(left, on="user_id", how="semi")
    [step] = made.folds[0].steps
    assert (step.step.before.ratings, step.step.after.ratings) == (len(cut.train), len(left))
    assert (step.test_users, step.test_ratings) == (judged["user_id"].n_unique(), len(judged))
    assert (step.test_users, step.test_ratings) == (1042, 93_668)
    assert made.test.fingerprint == cut.test.fingerprint
    assert len(made.train) == 793_056
