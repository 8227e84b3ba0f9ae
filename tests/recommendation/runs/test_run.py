from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.ids import Ids
from cranfield.base.ragged import count_marked, offsets_of
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.run import NO_IDS, Run, is_tied

USERS, ITEMS = Ids(pl.Series([10, 20, 30])), Ids(pl.Series(["a", "b", "c"]))


def example(unknown_items: tuple[str, ...] = ()) -> Run:
    """User 10: b a; user 30: c, then the first unknown item or a, then b without a prediction."""
    return Run(
        "s",
        Topics(np.array([0, 2], np.int32)),
        np.array([0, 2, 5]),
        np.array([1, 0, 2, -1 if unknown_items else 0, 1], np.int32),
        np.array([0.5, 0.5, 3.0, 2.0, np.nan]),
        np.array([2, 0]),
        Ids(pl.Series(unknown_items, dtype=pl.String)),
    )


def test_ranks_start_anew_in_every_list() -> None:
    assert example().ranks.tolist() == [1, 2, 1, 2, 3]


def test_the_tied_share_is_that_of_all_positions() -> None:
    assert example().tied_share == 2 / 5


def test_the_table_leaves_missing_predictions_empty() -> None:
    rows = example().table(USERS, ITEMS).rows()
    assert rows == [
        (10, "b", 0.5, 1),
        (10, "a", 0.5, 2),
        (30, "c", 3.0, 1),
        (30, "a", 2.0, 2),
        (30, "b", None, 3),
    ]


def test_the_table_names_items_that_the_collection_lacks() -> None:
    run = example(("zz",))
    assert run.known.tolist() == [True, True, True, False, True]
    assert run.table(USERS, ITEMS)["item_id"].to_list() == ["b", "a", "c", "zz", "b"]


def test_unknown_items_of_the_other_kind_make_all_ids_text() -> None:
    run = example(("zz",))
    assert run.table(USERS, Ids(pl.Series([1, 2, 3])))["item_id"].to_list() == [
        *("2", "1", "3", "zz", "2")
    ]


def test_lists_are_chosen_for_users_and_empty_for_those_without() -> None:
    chosen = example().for_users(Topics(np.array([1, 2], np.int32)))
    assert chosen.topics.users.tolist() == [1, 2]
    assert chosen.lengths.tolist() == [0, 3]
    assert chosen.items.tolist() == [2, 0, 1]
    assert chosen.tied.tolist() == [0, 0]


def test_a_run_without_lists_gives_empty_lists_to_everyone() -> None:
    nothing = example().for_users(Topics(np.empty(0, np.int32)))
    assert len(nothing) == 0
    assert nothing.for_users(Topics(np.array([0, 1], np.int32))).lengths.tolist() == [0, 0]


def test_without_unknown_items_the_others_move_up() -> None:
    left = example(("zz",)).without_unknown_items()
    assert left.table(USERS, ITEMS).rows() == [
        (10, "b", 0.5, 1),
        (10, "a", 0.5, 2),
        (30, "c", 3.0, 1),
        (30, "b", None, 2),
    ]
    assert len(left.unknown_items) == 0
    assert left.tied.tolist() == [2, 0]


def test_a_run_without_unknown_items_stays_as_it_is() -> None:
    run = example()
    assert run.without_unknown_items() is run


rankings = st.lists(
    st.lists(st.tuples(st.sampled_from([-3, -2, -1, 0, 1, 2]), st.integers(0, 3)), max_size=6),
    min_size=1,
    max_size=4,
)


def run_from(lists: list[list[tuple[int, int]]]) -> Run:
    """Lists of (item, prediction); unknown items have negative codes."""
    users, rows = np.arange(len(lists), dtype=np.int32), [row for one in lists for row in one]
    made = Run(
        "s",
        Topics(users),
        offsets_of(np.array([len(one) for one in lists], np.int64)),
        np.array([item for item, _ in rows], np.int32),
        np.array([float(value) for _, value in rows]),
        np.zeros(len(lists), np.int64),
        Ids(pl.Series(["x", "y", "z"])),
    )
    return replace(made, tied=count_marked(is_tied(made), made.offsets))


@given(lists=rankings, depth=st.integers(0, 5))
def test_cut_lists_and_those_without_unknown_items_are_made_anew(
    lists: list[list[tuple[int, int]]], depth: int
) -> None:
    ordered = [sorted(dict(one).items(), key=lambda pair: -pair[1]) for one in lists]
    run = run_from(ordered)
    assert run.cut(depth) == run_from([one[:depth] for one in ordered])
    known = [[pair for pair in one if pair[0] >= 0] for one in ordered]
    assert run.without_unknown_items() == replace(run_from(known), unknown_items=NO_IDS)


@pytest.mark.parametrize(
    "change", [{"system": "t"}, {"items": np.array([0, 1, 2, 0, 1])}, {"tied": np.array([0, 0])}]
)
def test_runs_are_equal_only_if_everything_is(change: dict[str, object]) -> None:
    assert example() == example()
    assert hash(example()) == hash(example())
    assert example() != replace(example(), **change)  # type: ignore[arg-type]
