"""The scores of several folds as those of one experiment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.ids import Ids
from cranfield.collection.topics import Topics
from cranfield.scoring.expectation.expectation import Expectation, join_expectations
from cranfield.scoring.folds import join_fold_expectations, join_folds
from cranfield.scoring.scores import Scores

NAN = float("nan")
USERS = Ids(pl.Series(["a", "b", "c"]))


def fold(users: list[int], scores: list[float], items: list[int] | None = None) -> Scores:
    size = len(users)
    return Scores(
        Topics(np.array(users, np.int32), None if items is None else np.array(items, np.int32)),
        USERS,
        ("mine",),
        ("P@5",),
        np.array(scores).reshape(1, 1, size),
        np.array([[score != 0 for score in scores]]),
        None if items is None else Ids(pl.Series(["x", "y", "z"])),
        np.arange(1, size + 1),
        np.ones(size, np.int64),
    )


def expected(values: list[float]) -> Expectation:
    made = np.array([values])
    return Expectation(("P@5",), made, made + 0.5, (True,), (0.1,))


FIRST, SECOND = ([0, 1, 2], [0.2, NAN, NAN]), ([0, 1], [0.6, 0.5])


def test_a_user_has_the_mean_over_the_folds_in_which_the_metric_is_defined() -> None:
    made = join_folds([fold(*FIRST), fold(*SECOND)])
    assert made.topics.users.tolist() == [0, 1, 2]
    assert made.values[0, 0].tolist() == pytest.approx([(0.2 + 0.6) / 2, 0.5, NAN], nan_ok=True)


def test_the_test_ratings_of_a_user_are_added_up() -> None:
    made = join_folds([fold(*FIRST), fold(*SECOND)])
    assert made.judged is not None
    assert made.relevant is not None
    assert made.judged.tolist() == [1 + 1, 2 + 2, 3]
    assert made.relevant.tolist() == [2, 2, 1]
    assert made.judged.dtype == np.int64


def test_training_ratings_and_all_ratings_are_averaged_and_columns_stay() -> None:
    """0.1 + 0.1 + 0.1 is not 0.3 to a computer, and a column is as it was given."""
    parts = [
        replace(
            fold([1, 3], [0.5, 0.5]),
            user_columns={
                "train_ratings": np.array([train, 4.0]),
                "all_ratings": np.array([9.0, 5.0]),
                "age": np.array([0.1, 0.7]),
            },
        )
        for train in (5.0, 6.0, 8.0)
    ]
    found = join_folds(parts).user_columns
    assert found["train_ratings"].tolist() == [pytest.approx(19 / 3), 4]
    assert found["all_ratings"].tolist() == [9, 5]
    assert found["age"].tolist() == [0.1, 0.7]


def test_folds_without_a_topic_have_columns_without_a_number() -> None:
    part = replace(fold([], []), user_columns={"train_ratings": np.zeros(0)})
    assert join_folds([part, part]).user_columns["train_ratings"].tolist() == []


def test_what_one_fold_does_not_know_of_its_users_is_not_known() -> None:
    known = replace(fold([1], [0.5]), user_columns={"train_ratings": np.array([2.0])})
    assert join_folds([known, fold([1], [0.5])]).user_columns == {}


def test_a_user_covered_in_one_fold_is_covered() -> None:
    made = join_folds([fold([0, 1], [0.0, 0.0]), fold([0, 1], [0.4, 0.0])])
    assert made.covered.tolist() == [[True, False]]
    assert made.values[0, 0].tolist() == [0.2, 0.0]


def test_one_fold_is_left_as_it_is() -> None:
    only = fold(*FIRST)
    assert join_folds([only]) is only
    chance = expected([0.1, 0.2, 0.3])
    assert join_fold_expectations([chance], [only.topics]) is chance


def test_rankings_of_single_relevant_items_stay_topics_ordered_by_user_and_item() -> None:
    made = join_folds([fold([0, 1], [0.1, 0.2], [2, 0]), fold([0, 0], [0.3, 0.4], [0, 1])])
    assert made.topics.items is not None
    assert made.topics.users.tolist() == [0, 0, 0, 1]
    assert made.topics.items.tolist() == [0, 1, 2, 0]
    assert made.values[0, 0].tolist() == [0.3, 0.4, 0.1, 0.2]


def test_expectations_are_joined_as_scores_are() -> None:
    parts = [fold(*FIRST), fold(*SECOND)]
    made = join_fold_expectations(
        [expected([0.1, NAN, 0.3]), expected([0.3, 0.2])], [part.topics for part in parts]
    )
    assert made.values[0].tolist() == pytest.approx([(0.1 + 0.3) / 2, 0.2, 0.3])
    assert made.best[0].tolist() == pytest.approx([0.7, 0.7, 0.8])
    # The mean over 3 + 2 topics, of which each part has an error of 0.1.
    assert made.errors[0] == pytest.approx(np.hypot(0.1 * 3 / 5, 0.1 * 2 / 5))
    single = [fold([0, 1], [0.1, 0.2], [2, 0]), fold([0, 0], [0.3, 0.4], [0, 1])]
    kept = join_fold_expectations(
        [expected([0.1, 0.2]), expected([0.3, 0.4])], [part.topics for part in single]
    )
    assert kept.values[0].tolist() == [0.3, 0.4, 0.1, 0.2]


def test_a_fold_without_a_list_counts_nothing_whatever_the_metric_makes_of_it() -> None:
    """A score of 0.5 for an empty list, as AUC gives it, is 0 in the mean of both folds."""
    lacking = fold([0], [0.5])
    lacking = replace(lacking, covered=np.array([[False]]))
    joined = join_folds([fold([0], [0.9]), lacking])
    assert joined.of("mine", "P@5").tolist() == [pytest.approx((0.9 + 0) / 2)]


def test_folds_without_a_topic_are_joined_to_nothing() -> None:
    parts = [fold([], [], []), fold([], [], [])]
    assert len(join_folds(parts)) == 0
    joined = join_fold_expectations([expected([]), expected([])], [part.topics for part in parts])
    assert joined.values.shape == (1, 0)
    assert joined.errors == (0.0,)
    assert join_expectations([expected([]), expected([])]).errors == (0.0,)


def test_the_error_of_a_joined_mean_is_that_of_independent_parts() -> None:
    """Three topics of error 0.1 and one of 0.1: √((3/4 · 0.1)² + (1/4 · 0.1)²)."""
    joined = join_expectations([expected([0.1, 0.2, 0.3]), expected([0.4])])
    assert joined.values.tolist() == [[0.1, 0.2, 0.3, 0.4]]
    assert joined.errors[0] == pytest.approx(((0.75 * 0.1) ** 2 + (0.25 * 0.1) ** 2) ** 0.5)


def test_an_item_that_is_test_in_several_folds_counts_once() -> None:
    made = join_folds([fold([0, 1], [0.1, 0.2], [2, 0]), fold([0, 0], [0.3, 0.4], [2, 1])])
    assert made.topics.items is not None
    assert made.topics.users.tolist() == [0, 0, 1]
    assert made.topics.items.tolist() == [1, 2, 0]
    assert made.values[0, 0].tolist() == pytest.approx([0.4, (0.1 + 0.3) / 2, 0.2])
    assert made.judged is not None
    assert made.judged.tolist() == [2, 1 + 1, 2]
    assert made.item_ids is not None
    topics = [fold([0, 1], [0.1, 0.2], [2, 0]).topics, fold([0, 0], [0.3, 0.4], [2, 1]).topics]
    chance = join_fold_expectations([expected([0.1, 0.2]), expected([0.3, 0.4])], topics)
    assert chance.values[0].tolist() == pytest.approx([0.4, (0.1 + 0.3) / 2, 0.2])


Row = tuple[int, int, float, bool]
ROWS = st.lists(
    st.tuples(
        st.integers(0, 2), st.integers(0, 2), st.sampled_from([0.0, 0.5, 1.0, NAN]), st.booleans()
    ),
    unique_by=lambda row: row[:2],
    max_size=6,
)


def slow_join(folds: list[list[Row]]) -> dict[tuple[int, int], list[float]]:
    """By (user, item): the mean of the defined scores, an uncovered one being 0, if any is."""
    found: dict[tuple[int, int], list[float]] = {}
    for rows in folds:
        for user, item, score, covered in rows:
            known = found.setdefault((user, item), [])
            if not np.isnan(score):
                known.append(score if covered else 0.0)
    return found


@given(st.lists(ROWS, min_size=2, max_size=4))
@settings(deadline=None)
def test_topics_of_all_folds_have_the_means_of_a_slow_reference(
    folds: list[list[Row]],
) -> None:
    parts = []
    for rows in folds:
        ordered = sorted(rows, key=lambda row: row[:2])
        columns = [row[0] for row in ordered], [row[2] for row in ordered]
        part = fold(*columns, [row[1] for row in ordered])
        covered = np.array([row[3] for row in ordered], dtype=bool)
        parts.append(replace(part, covered=covered[None]))
    made, slow = join_folds(parts), slow_join(folds)
    assert made.topics.items is not None
    pairs = zip(made.topics.users.tolist(), made.topics.items.tolist(), strict=True)
    assert list(pairs) == sorted(slow)
    several = len(slow) < sum(map(len, folds))
    for number, pair in enumerate(sorted(slow)):
        each = [row for rows in folds for row in rows if row[:2] == pair]
        value, known = made.values[0, 0, number], slow[pair]
        if several:
            assert value == pytest.approx(np.mean(known) if known else NAN, nan_ok=True)
        else:  # nothing is averaged, so that an uncovered topic keeps its score
            assert value == pytest.approx(each[0][2], nan_ok=True)
        assert made.covered[0, number] == any(row[3] for row in each)
