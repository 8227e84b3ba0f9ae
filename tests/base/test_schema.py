from __future__ import annotations

import pytest

from cranfield.base.errors import MissingColumn, OptionError, UnknownParameter
from cranfield.base.schema import ITEM, RATING, RATING_COLUMNS, TIMESTAMP, USER, find_columns


@pytest.mark.parametrize(
    ("role", "name"),
    [(USER, name) for name in ("user_id", "user", "userId", "userID", "UserID", "uid", "User ID")]
    + [(USER, name) for name in ("user-id", "USER", "customer_id", "reviewerID", "query_id")]
    + [(ITEM, name) for name in ("item_id", "item", "itemId", "iid", "movieId", "MovieID", "ISBN")]
    + [(ITEM, name) for name in ("artistID", "trackId", "asin", "product_id", "docno", "doc_id")]
    + [(RATING, name) for name in ("rating", "Rating", "ratings", "stars", "play_count", "weight")]
    + [(TIMESTAMP, name) for name in ("timestamp", "Timestamp", "time", "ts", "unixReviewTime")],
)
def test_usual_names_are_recognised(role: str, name: str) -> None:
    assert find_columns(["x", name, "y"], [role]) == {role: name}


def test_every_role_is_found_in_any_order() -> None:
    columns = ["timestamp", "rating", "movieId", "userId"]
    found = find_columns(columns, (USER, ITEM), optional=(RATING, TIMESTAMP))
    assert found == {USER: "userId", ITEM: "movieId", RATING: "rating", TIMESTAMP: "timestamp"}
    assert tuple(found) == RATING_COLUMNS


def test_optional_columns_may_be_absent() -> None:
    assert find_columns(["user", "item"], (USER, ITEM), optional=(RATING,)) == {
        USER: "user",
        ITEM: "item",
    }


def test_the_very_name_wins_over_usual_names() -> None:
    assert find_columns(["user", "user_id", "uid"], [USER]) == {USER: "user_id"}


def test_names_that_are_given_win_over_all_others() -> None:
    columns = ["user_id", "item_id", "who", "what"]
    mapping = {USER: "who", ITEM: "what"}
    assert find_columns(columns, (USER, ITEM), mapping) == mapping


def test_a_given_column_plays_no_second_role() -> None:
    assert find_columns(["user", "uid", "movie"], (USER, ITEM), {ITEM: "uid"}) == {
        ITEM: "uid",
        USER: "user",
    }


def test_the_given_mapping_is_not_changed() -> None:
    given = {USER: "who"}
    find_columns(["who", "item"], (USER, ITEM), given)
    assert given == {USER: "who"}


def test_two_columns_for_one_role_are_refused() -> None:
    with pytest.raises(OptionError) as caught:
        find_columns(["userId", "uid", "item"], (USER, ITEM), where="x.csv")
    assert str(caught.value) == (
        "x.csv: userId and uid may both be the user_id. Say which, as in --columns user_id=userId."
    )


def test_a_missing_column_is_told_with_those_that_exist() -> None:
    with pytest.raises(MissingColumn, match=r'x\.csv: no column for "item_id" among "user", "b"'):
        find_columns(["user", "b"], (USER, ITEM), where="x.csv")


def test_a_named_column_that_does_not_exist_is_told_with_the_near_name() -> None:
    with pytest.raises(MissingColumn) as caught:
        find_columns(["who", "item"], (USER, ITEM), {USER: "whoo"}, where="x.csv")
    assert str(caught.value) == (
        'x.csv: no column is called "whoo", which was named for "user_id". '
        'Did you mean "who"? The columns are: "who", "item".'
    )


def test_a_role_that_does_not_exist_is_told_with_the_near_name() -> None:
    with pytest.raises(UnknownParameter, match=r'columns has no parameter "usr_id".*"user_id"'):
        find_columns(["who", "item"], (USER, ITEM), {"usr_id": "who"})


def test_one_column_cannot_be_named_for_two_roles() -> None:
    with pytest.raises(OptionError, match=r'x: column "a" is named for both user_id and item_id\.'):
        find_columns(["a", "b"], (USER, ITEM), {USER: "a", ITEM: "a"}, where="x")


def test_an_empty_name_leaves_a_role_out_if_it_need_not_be_played() -> None:
    columns, more = ["user", "item", "rating", "time"], (RATING, TIMESTAMP)
    found = find_columns(columns, (USER, ITEM), {TIMESTAMP: ""}, optional=more)
    assert found == {USER: "user", ITEM: "item", RATING: "rating"}
    with pytest.raises(
        MissingColumn, match='no column is called "", which was named for "user_id"'
    ):
        find_columns(columns, (USER, ITEM), {USER: ""}, optional=more)
