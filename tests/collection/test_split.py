"""What `split` adds to the option, on every split that ships: validation and leakage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.collection.splits  # noqa: F401 - the options to be tested
from cranfield.base.errors import InfeasibleSplit
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.fold import UNUSED, GivenFold
from cranfield.collection.leakage import Leakage, leakage
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Split, split
from law_cases import SPELLINGS as LAW_CASES
from strategies import SEEDS, random_ratings, ratings
from suites import tries

SPELLINGS = LAW_CASES["split"]
every_split = pytest.mark.parametrize("spelling", SPELLINGS)
LARGE = random_ratings(60, 40, 0.3, seed=5)


def prints(made: Split) -> list[tuple[str, str]]:
    """The fingerprints of all parts of all folds."""
    return [(fold.train.fingerprint, fold.test.fingerprint) for fold in made.folds]


def rows(data: Ratings) -> list[tuple[object, ...]]:
    return sorted(data.to_polars().rows(), key=repr)


@every_split
def test_seeds_matter_where_there_is_chance(spelling: str) -> None:
    option = parse("split", spelling)
    same = prints(split(LARGE, option, 1)) == prints(split(LARGE, option, 2))
    by_time_alone = option.option_name.startswith(("temporal", "rolling"))
    assert same == by_time_alone
    assert prints(split(LARGE, option, 1)) == prints(split(LARGE, option, 1))


def test_the_same_seed_gives_this_split_on_every_platform() -> None:
    data = Ratings.from_triples([1, 1, 1, 2, 2, 2], [1, 2, 3, 1, 2, 3])
    found = {s: split(data, parse("split", s), 1).folds[0].parts.tolist() for s in RECORDED}
    assert found == RECORDED


RECORDED: dict[str, list[int]] = {
    "random(test_share=0.5)": [1, 0, 1, 0, 0, 0],
    "random-exact(test_share=0.5)": [1, 0, 0, 0, 1, 1],
    "leave-out": [1, 0, 0, 1, 0, 0],
    "k-fold(folds=3, per=user)": [0, 0, 1, 1, 0, 0],
}


@every_split
def test_validation_is_cut_from_training_alone(spelling: str) -> None:
    option = parse("split", spelling)
    plain = split(LARGE, option, 4)
    made = split(LARGE, option, 4, validation=parse("split", "random-exact(test_share=0.25)"))
    for before, after in zip(plain.folds, made.folds, strict=True):
        assert after.test.fingerprint == before.test.fingerprint
        assert after.validation is not None
        assert len(after.validation) == len(before.train) - np.floor(0.75 * len(before.train) + 0.5)
        assert rows(before.train) == sorted(rows(after.train) + rows(after.validation), key=repr)


def test_validation_differs_between_folds_and_reports_its_facts() -> None:
    made = split(
        LARGE, parse("split", "k-fold(folds=2)"), 4, parse("split", "uniform(test_share=0.1)")
    )
    one, two = made.folds
    assert one.validation is not None
    assert two.validation is not None
    assert one.validation.fingerprint != two.validation.fingerprint
    reached = one.validation_facts["test_share"]
    assert reached == pytest.approx(len(one.validation) / (len(LARGE) - len(one.test)))


def test_validation_of_several_folds_is_refused() -> None:
    with pytest.raises(InfeasibleSplit, match="it makes 5 folds"):
        split(LARGE, parse("split", "random"), 1, parse("split", "k-fold"))


@pytest.mark.parametrize(("share", "part"), [(1e-9, "test"), (1 - 1e-9, "train")])
def test_an_empty_part_is_refused(share: float, part: str) -> None:
    data = Ratings.from_triples([1, 2], [1, 1])
    with pytest.raises(InfeasibleSplit, match=f"of 2 ratings none is left for {part}"):
        split(data, parse("split", f"random(test_share={share})"))


def test_an_empty_validation_is_refused() -> None:
    with pytest.raises(InfeasibleSplit, match="none is left for validation"):
        split(LARGE, parse("split", "random"), 1, parse("split", "random(test_share=1e-9)"))


def test_several_folds_have_no_single_training() -> None:
    with pytest.raises(ValueError, match="5 folds"):
        _ = split(LARGE, parse("split", "k-fold")).train


def test_leakage_counts_training_after_the_first_test_rating() -> None:
    train = Ratings.from_triples(
        [1, 1, 2, 2, 3], [1, 2, 1, 2, 1], [1] * 5, timestamps=[10, 31, 20, 5, 99]
    )
    test = Ratings.from_triples([1, 1, 2], [3, 4, 3], [1] * 3, timestamps=[40, 30, 20])
    test = test.reindex(train.user_ids, train.item_ids.union(test.item_ids))
    # Own user: 31 > 30 alone, for 20 is not later than 20, and user 3 has no test.
    # Anyone: later than 20 are 31 and 99.
    assert leakage(train, test) == Leakage(per_user=1 / 5, overall=2 / 5)


def test_leakage_is_unknown_without_times() -> None:
    data = Ratings.from_triples([1, 1, 2], [1, 2, 1])
    assert split(data, parse("split", "random-exact(test_share=0.4)")).folds[0].leakage is None


@given(data=ratings(times=True))
@settings(deadline=None, max_examples=tries(50))
def test_a_global_timeline_does_not_leak(data: Ratings) -> None:
    try:
        made = split(data, parse("split", "temporal(test_share=0.3)"))
    except InfeasibleSplit:
        return
    assert made.folds[0].leakage == Leakage(per_user=0.0, overall=0.0)


@given(data=ratings(times=True))
@settings(deadline=None, max_examples=tries(50))
def test_the_latest_of_each_user_do_not_leak_within_the_user(data: Ratings) -> None:
    try:
        made = split(data, parse("split", "temporal-per-user(test_share=0.4)"))
    except InfeasibleSplit:
        return
    found = made.folds[0].leakage
    assert found is not None
    assert found.per_user == 0.0


@given(data=ratings(times=True), seed=SEEDS)
@settings(deadline=None, max_examples=tries(50))
def test_leakage_equals_its_definition(data: Ratings, seed: int) -> None:
    try:
        fold = split(data, parse("split", "random(test_share=0.5)"), seed).folds[0]
    except InfeasibleSplit:
        return
    train = [(row[0], row[3]) for row in fold.train.to_polars().rows()]
    test = [(row[0], row[3]) for row in fold.test.to_polars().rows()]
    late = [any(time > other for who, other in test if who == user) for user, time in train]
    overall = [time > min(other for _, other in test) for _, time in train]
    assert fold.leakage == Leakage(sum(late) / len(train), sum(overall) / len(train))


@given(data=ratings(), drawn=st.data())
def test_given_parts_mark_the_test_pairs_that_are_in_training_too(
    data: Ratings, drawn: st.DataObject
) -> None:
    masks = st.lists(st.booleans(), min_size=len(data), max_size=len(data))
    train, test = (data.take(np.array(drawn.draw(masks), dtype=bool)) for _ in range(2))
    fold = GivenFold(train, test)
    pairs = set(zip(train.users.tolist(), train.items.tolist(), strict=True))
    tested = zip(test.users.tolist(), test.items.tolist(), strict=True)
    assert fold.repeated.tolist() == [pair in pairs for pair in tested]
    assert fold.test_share * (len(train) + len(test)) == pytest.approx(len(test))
    assert fold.leakage == leakage(train, test)


def test_folds_with_other_parts_are_shown_side_by_side() -> None:
    made = split(LARGE, parse("split", "rolling(windows=2)"))
    first, last = made.sizes
    assert list(first) == list(last) == ["train", "test", "unused"]
    assert (first["unused"], last["unused"]) == (last["test"], 0)
    assert sum(first.values()) == sum(last.values()) == len(LARGE)
    assert "unused" in repr(made)
    assert "unused" not in repr(split(LARGE, parse("split", "random")))


def test_validation_leaves_out_what_its_split_does_not_use() -> None:
    class Middle:
        """Tests the middle of the ratings, and uses none of the last tenth."""

        def split(self, data: Ratings, seeds: Seeds) -> Division:
            place = np.arange(len(data)) / len(data)
            return Division(data, ((place > 0.4) & (place < 0.6),), {}, (place >= 0.9,))

    whole = split(LARGE, parse("split", "random"), 4).folds[0]
    fold = split(LARGE, parse("split", "random"), 4, Middle()).folds[0]
    assert fold.validation is not None
    assert len(fold.part(UNUSED)) == pytest.approx(len(whole.train) / 10, abs=1)
    sizes = len(fold.train) + len(fold.validation) + len(fold.part(UNUSED))
    assert sizes == len(whole.train)
