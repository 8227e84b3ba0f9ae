"""The split by a file of test ratings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import cranfield.collection.sources  # noqa: F401 - files are read through them
from cranfield.base.errors import InfeasibleSplit, MissingFile, OptionError
from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.source import InMemory
from cranfield.collection.split import Split, split
from cranfield.collection.splits.given import Given

Table = dict[str, list[object]]
GivenBy = Callable[..., Split]

DATA = Ratings.from_triples([1, 1, 2, 5], [1, 2, 1, 9], [5, 3, 4, 2])
TIMED = Ratings.from_triples([1, 1, 2], [1, 2, 1], [5, 3, 4], timestamps=[10, 20, 30])


@pytest.fixture
def given_by(tmp_path: Path) -> GivenBy:
    """A split of data by a file with the given columns."""

    def divide(data: Ratings, **columns: list[object]) -> Split:
        path = tmp_path / "test.csv"
        pl.DataFrame(columns).write_csv(path)
        return split(data, Given(test=str(path)))

    return divide


def triples(ratings: Ratings) -> list[tuple[object, ...]]:
    return ratings.to_polars().rows()


def test_listed_pairs_are_test_and_all_others_training(given_by: GivenBy) -> None:
    made = given_by(DATA, user_id=[2, 1], item_id=[1, 2], rating=[4, 3])
    assert triples(made.test) == [(1, 2, 3.0), (2, 1, 4.0)]
    assert triples(made.train) == [(1, 1, 5.0), (5, 9, 2.0)]
    assert made.facts == {"added": 0}


def test_pairs_that_the_data_lack_are_added(given_by: GivenBy) -> None:
    made = given_by(DATA, user_id=[3, 1], item_id=[1, 1], rating=[1, 5])
    assert triples(made.test) == [(1, 1, 5.0), (3, 1, 1.0)]
    assert triples(made.train) == [(1, 2, 3.0), (2, 1, 4.0), (5, 9, 2.0)]
    assert made.facts == {"added": 1}
    assert made.train.user_ids is made.test.user_ids
    assert len(made.ratings) == 5


def test_times_stay_those_of_the_data(given_by: GivenBy) -> None:
    made = given_by(TIMED, user_id=[1], item_id=[2], rating=[3])
    assert triples(made.test) == [(1, 2, 3.0, 20)]


def test_added_pairs_bring_their_times(given_by: GivenBy) -> None:
    made = given_by(TIMED, user_id=[7], item_id=[2], rating=[3], timestamp=[99])
    assert triples(made.test) == [(7, 2, 3.0, 99)]


def test_times_of_the_file_are_dropped_if_the_data_have_none(given_by: GivenBy) -> None:
    made = given_by(DATA, user_id=[7], item_id=[2], rating=[3], timestamp=[99])
    assert triples(made.test) == [(7, 2, 3.0)]


def test_added_pairs_without_times_are_refused_if_the_data_have_them(given_by: GivenBy) -> None:
    with pytest.raises(InfeasibleSplit, match=r"1 pairs of .*test.csv are not in the data and"):
        given_by(TIMED, user_id=[7], item_id=[2], rating=[3])


def test_two_ratings_of_one_pair_are_refused(given_by: GivenBy) -> None:
    with pytest.raises(InfeasibleSplit, match=r"first 1 and 2 \(4, in the data 3\)"):
        given_by(DATA, user_id=[1, 1], item_id=[1, 2], rating=[5, 4])


def test_ids_of_another_kind_are_refused(given_by: GivenBy) -> None:
    with pytest.raises(InfeasibleSplit, match="names users by text, the data by numbers"):
        given_by(DATA, user_id=["u1"], item_id=[1], rating=[5])


def test_a_file_that_lists_everything_leaves_no_training(given_by: GivenBy) -> None:
    with pytest.raises(InfeasibleSplit, match="none is left for train"):
        given_by(DATA, user_id=[1, 1, 2, 5], item_id=[1, 2, 1, 9], rating=[5, 3, 4, 2])


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(MissingFile, match=r"nowhere\.csv"):
        split(DATA, Given(test="nowhere.csv"))


def test_the_path_survives_its_spelling() -> None:
    for path in ("test.csv", "my folder/test, 2.csv", 'odd"name.csv', "7"):
        assert parse("split", str(Given(test=path))) == Given(test=path)


def test_parts_are_named_files_sources_tables_or_ratings(tmp_path: Path) -> None:
    table: Table = {"user": [1, 1, 2, 5], "item": [1, 2, 1, 9], "rating": [5, 3, 4, 2]}
    path = tmp_path / "part.csv"
    pl.DataFrame(table).write_csv(path)
    forms = [
        str(path), path, {"name": "file", "path": str(path)}, InMemory(DATA), DATA, table,
        pl.DataFrame(table),
    ]  # fmt: skip
    for part in forms:
        train, test = Given(test=part, train=part).sources()
        assert train is not None
        assert triples(train.read()) == triples(test.read()) == triples(DATA)


def test_training_may_be_absent_and_data_need_none() -> None:
    assert Given(test=DATA).sources()[0] is None
    with pytest.raises(InfeasibleSplit, match="data are given, and training ratings too"):
        split(DATA, Given(test=DATA, train=DATA))


def test_ratings_in_memory_are_told_apart_and_named_by_their_fingerprint() -> None:
    one, other = Given(test=DATA), Given(test=TIMED)
    assert one != other
    assert DATA.fingerprint[:16] in str(one.test)


@pytest.mark.parametrize("wrong", [5, 0.5, True, [1, 2], (1,)])
def test_what_is_no_part_is_refused(wrong: object) -> None:
    with pytest.raises(OptionError, match="is not a file, a data set's name, a source or a table"):
        Given(test=wrong)
