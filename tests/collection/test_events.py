"""Logs of events: divided one by one, and counted in each part."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.collection.splits  # noqa: F401 - the options to be tested
from cranfield.base.errors import (
    BadValue,
    FingerprintMismatch,
    InfeasibleSplit,
    NothingLeft,
    OptionError,
    OutputError,
)
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.filter import filter_ratings
from cranfield.collection.filters import KCore, MinRatings, RatingRange, TimeRange
from cranfield.collection.fold import TEST, TRAIN
from cranfield.collection.judgments import judge
from cranfield.collection.leakage import leakage
from cranfield.collection.ratings import Ratings
from cranfield.collection.sources.file import File
from cranfield.collection.split import split
from cranfield.collection.split_files import read_split, write_split
from cranfield.collection.statistics.statistics import describe
from cranfield.collection.test_collection import collect
from law_cases import SPELLINGS
from strategies import SEEDS, logs, random_ratings
from suites import tries

Event = tuple[Any, Any, float, int]
COUNTS = st.sampled_from([1.0, 1.0, 2.0, 0.5])
EVENTS = st.lists(
    st.tuples(st.integers(1, 3), st.sampled_from("abc"), COUNTS, st.integers(0, 5)),
    min_size=1,
    max_size=25,
)


def log_of(events: list[Event]) -> Ratings:
    users, items, values, times = (list(column) for column in zip(*events, strict=True))
    return Ratings.from_triples(users, items, values, times, duplicates="events")


def counts_of(events: list[Event]) -> list[Event]:
    """One row per pair by a plain loop: the sum of its values, and the latest time."""
    found: dict[tuple[Any, Any], tuple[float, int]] = {}
    for user, item, value, time in events:
        total, latest = found.get((user, item), (0.0, time))
        found[user, item] = total + value, max(latest, time)
    return sorted((*pair, *each) for pair, each in found.items())


def rows_in(ratings: Ratings) -> list[Event]:
    return ratings.to_polars().rows()


def many(seed: int = 1, events: int = 3000, users: int = 40, items: int = 25) -> Ratings:
    """A log in which popular items are played again and again, with equal times among it."""
    rng = np.random.default_rng(seed)
    played = np.minimum(rng.geometric(0.12, events), items)
    times = rng.integers(0, events // 2, events)
    return Ratings.from_triples(
        rng.integers(1, users + 1, events), played, timestamps=times, duplicates="events"
    )


LOG = many()


@given(EVENTS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_a_log_keeps_every_event_in_whatever_order_the_file_has(
    events: list[Event], random: Any
) -> None:
    log = log_of(events)
    assert rows_in(log) == sorted(events, key=lambda e: (e[0], e[1], e[3], e[2]))
    assert log_of(random.sample(events, len(events))).fingerprint == log.fingerprint


@given(EVENTS)
@settings(deadline=None)
def test_events_are_counted_pair_by_pair(events: list[Event]) -> None:
    counted = log_of(events).aggregate()
    assert rows_in(counted) == counts_of(events)
    assert not counted.events
    assert counted.aggregate() is counted


def test_what_a_log_is_made_of() -> None:
    log = Ratings.from_triples(["u", "u", "v"], [1, 1, 2], duplicates="events")
    assert repr(log) == "Ratings(2 users, 2 items, 3 events)"
    assert log.aggregate().values.tolist() == [2, 1]
    plain = Ratings.from_triples(["u", "v"], [1, 2])
    once = Ratings.from_triples(["u", "v"], [1, 2], duplicates="events")
    assert once.fingerprint != plain.fingerprint
    assert once.aggregate().fingerprint == plain.fingerprint
    assert log.compact().events
    assert log.take(np.array([True, False, True])).events
    wider = log.reindex(log.user_ids, log.item_ids.union(plain.item_ids))
    assert wider.events
    assert len(wider) == 3


def test_an_event_that_counts_nothing_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "plays.csv"
    file.write_text("user,item,rating\na,x,2\na,x,0\nb,x,1\n")
    with pytest.raises(BadValue, match=r'csv, line 3, column "rating": 0.0 is not a count of'):
        File(path=str(file), duplicates="events").read()


def test_counts_are_mapped_to_ratings_before_a_split_or_made_after_it_not_both() -> None:
    for values in ("plays", "events"):
        with pytest.raises(OptionError, match=f"values = {values} maps counts .* Leave out one"):
            parse("source", f"file(path=x, values={values}, duplicates=events)")


def test_a_log_with_dates_is_read_as_events(tmp_path: Path) -> None:
    file = tmp_path / "scrobbles.tsv"
    file.write_text(
        "user_000001\t2009-05-04T23:08:57Z\tDeep Dish\n"
        "user_000001\t2009-05-04T13:54:10Z\tDeep Dish\n"
        "user_000002\t2009-05-04T13:52:04Z\tUnderworld\n"
    )
    columns = {"user_id": "column_1", "timestamp": "column_2", "item_id": "column_3"}
    log = File(path=str(file), columns=columns, duplicates="events").read()
    assert rows_in(log) == [
        ("user_000001", "Deep Dish", 1.0, 1241445250),
        ("user_000001", "Deep Dish", 1.0, 1241478537),
        ("user_000002", "Underworld", 1.0, 1241445124),
    ]


def parts_by_hand(events: list[Event], test: list[bool]) -> tuple[list[Event], list[Event]]:
    sides: dict[bool, list[Event]] = defaultdict(list)
    for event, is_test in zip(events, test, strict=True):
        sides[is_test].append(event)
    return counts_of(sides[False]), counts_of(sides[True])


@pytest.mark.parametrize("spelling", SPELLINGS["split"])
def test_each_part_counts_its_own_events(spelling: str) -> None:
    option = parse("split", spelling)
    made, division = split(LOG, option, 3), option.split(LOG, Seeds(3).child("split"))
    unused = division.unused or [np.zeros(len(LOG), dtype=bool) for _ in division.tests]
    for fold, mask, left in zip(made.folds, division.tests, unused, strict=True):
        used = [row for row, out in zip(rows_in(LOG), left.tolist(), strict=True) if not out]
        train, test = parts_by_hand(used, mask[~left].tolist())
        assert rows_in(fold.train) == train
        assert rows_in(fold.test) == test
        assert fold.test_share == pytest.approx(np.mean(mask))
        known = {row[:2] for row in train}
        assert fold.repeated.tolist() == [row[:2] in known for row in test]
    assert made.facts["events"] == len(LOG)


@given(EVENTS, st.sampled_from([0.2, 0.5, 0.7]))
@settings(deadline=None)
def test_the_temporal_split_of_a_log_by_plain_loops(events: list[Event], share: float) -> None:
    times = sorted(event[3] for event in events)
    cuts = sorted(set(times))[1:]
    if not cuts:
        with pytest.raises(InfeasibleSplit, match="the same time"):
            split(log_of(events), parse("split", f"temporal(test_share={share})"))
        return
    made = split(log_of(events), parse("split", f"temporal(test_share={share})"))
    cut = made.facts["cut"]
    assert cut in cuts
    wanted = len(events) - int(np.floor((1 - share) * len(events) + 0.5 + 1e-9))
    missed = {each: abs(sum(time >= each for time in times) - wanted) for each in cuts}
    assert missed[int(cut)] == min(missed.values())
    train = [event for event in events if event[3] < cut]
    test = [event for event in events if event[3] >= cut]
    assert rows_in(made.train) == counts_of(train)
    assert rows_in(made.test) == counts_of(test)
    leak = made.folds[0].leakage
    assert leak is not None
    assert (leak.per_user, leak.overall) == (0, 0)


def test_leakage_is_that_of_events_not_of_their_latest() -> None:
    # The pair (u, a) trains at 1 and 9; its test event is at 5: half of two looks ahead.
    log = log_of([("u", "a", 1, 1), ("u", "a", 1, 9), ("u", "a", 1, 5)])
    made = split(log, parse("split", "leave-out"), 2)
    fold = made.folds[0]
    found = leakage(fold.rows(TRAIN), fold.rows(TEST))
    assert fold.leakage == found
    tested = fold.rows(TEST).timestamps
    assert tested is not None
    later = {1: 1.0, 5: 0.5, 9: 0.0}[int(tested[0])]
    assert found is not None
    assert found.per_user == later


def test_a_log_without_a_repetition_is_split_as_ratings_are() -> None:
    plain = random_ratings(60, 40, 0.3, seed=5)
    log = Ratings.from_frame(plain.to_polars(), duplicates="events")
    for spelling in SPELLINGS["split"]:
        ours, theirs = (split(data, parse("split", spelling), 5) for data in (log, plain))
        for one, other in zip(ours.folds, theirs.folds, strict=True):
            assert one.test.fingerprint == other.test.fingerprint
            assert one.leakage == other.leakage


def test_validation_is_cut_from_the_events_of_training() -> None:
    made = split(LOG, parse("split", "temporal"), 1, parse("split", "temporal(test_share=0.25)"))
    fold = made.folds[0]
    assert fold.validation is not None
    total = sum(float(part.values.sum()) for part in (fold.train, fold.validation, fold.test))
    assert total == len(LOG)
    last = fold.rows(TRAIN).timestamps
    assert last is not None
    assert fold.validation.timestamps is not None
    assert last.max() < fold.validation.timestamps.min()


def test_a_list_of_test_pairs_divides_no_events(tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text("user,item\n1,2\n")
    given_test = parse("split", f'given(test="{tmp_path / "test.csv"}")')
    with pytest.raises(InfeasibleSplit, match=r"the data are events.* duplicates = sum"):
        split(LOG, given_test)


@pytest.mark.parametrize("validation", [None, "random-exact(test_share=0.3)"])
@pytest.mark.parametrize("spelling", ["temporal", "k-fold(folds=3)", "random(repeats=2)"])
def test_a_split_of_events_is_read_back(
    spelling: str, validation: str | None, tmp_path: Path
) -> None:
    cut = None if validation is None else parse("split", validation)
    made = split(LOG, parse("split", spelling), 7, cut)
    write_split(made, tmp_path / "out")
    back = read_split(tmp_path / "out")
    assert back.ratings.fingerprint == made.ratings.fingerprint
    assert back.facts == made.facts
    for ours, theirs in zip(made.folds, back.folds, strict=True):
        assert theirs.train.to_polars().equals(ours.train.to_polars())
        assert theirs.test.to_polars().equals(ours.test.to_polars())
        assert theirs.rows(TEST).to_polars().equals(ours.rows(TEST).to_polars())
        assert theirs.leakage == ours.leakage
        assert (theirs.validation is None) == (cut is None)


@given(data=logs(), seed=SEEDS)
@settings(deadline=None, max_examples=tries(25))
def test_any_log_is_read_back(data: Ratings, seed: int, tmp_path_factory: Any) -> None:
    try:
        made = split(data, parse("split", "random(test_share=0.5)"), seed)
    except InfeasibleSplit:
        return
    folder = tmp_path_factory.mktemp("log") / "out"
    write_split(made, folder)
    back = read_split(folder)
    assert back.test.fingerprint == made.test.fingerprint
    assert back.train.fingerprint == made.train.fingerprint


def test_the_files_of_a_split_log_are_counts_and_events(tmp_path: Path) -> None:
    out = tmp_path / "out"
    made = split(LOG, parse("split", "temporal"), 7)
    write_split(made, out)
    assert sorted(path.name for path in out.iterdir()) == [
        "split.json",
        "test-events.parquet",
        "test.parquet",
        "train-events.parquet",
        "train.parquet",
    ]
    counts = File(path=str(out / "test.parquet")).read()
    assert counts.fingerprint == made.test.fingerprint
    events = File(path=str(out / "test-events.parquet"), duplicates="events").read()
    assert events.aggregate().fingerprint == made.test.fingerprint
    with pytest.raises(OutputError, match="another split is there"):
        write_split(split(LOG.aggregate(), parse("split", "temporal"), 7), out)
    write_split(split(LOG.aggregate(), parse("split", "temporal"), 7), out, overwrite=True)
    assert not list(out.glob("*-events.parquet"))


@pytest.mark.parametrize("name", ["test.parquet", "test-events.parquet"])
def test_a_part_of_a_log_that_was_changed_is_refused(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_split(split(LOG, parse("split", "temporal"), 7), out)
    other = split(LOG, parse("split", "temporal(test_share=0.3)"), 7).folds[0]
    part = other.test if name == "test.parquet" else other.rows(TEST)
    part.to_polars().write_parquet(out / name)
    with pytest.raises(FingerprintMismatch, match=name):
        read_split(out)


def test_filters_of_ratings_count_pairs_and_that_of_time_takes_events() -> None:
    events: list[Event] = [("u", "a", 1, 1), ("u", "a", 1, 2), ("u", "a", 1, 7), ("v", "a", 1, 3)]
    events += [("v", "b", 1, 4), ("v", "b", 1, 8)]
    log = log_of(events)

    def left(*filters: Any) -> list[Event]:
        return rows_in(filter_ratings(log, filters).ratings)

    assert left(MinRatings(at_least=2)) == [e for e in sorted(events) if e[0] == "v"]
    assert left(RatingRange(at_least=3)) == events[:3]
    assert left(TimeRange(since=4)) == [("u", "a", 1, 7), ("v", "b", 1, 4), ("v", "b", 1, 8)]
    assert left(TimeRange(until=4), RatingRange(at_least=2)) == events[:2]
    with pytest.raises(NothingLeft, match="k-core"):
        left(KCore(k=3))
    step = filter_ratings(log, [TimeRange(since=4)]).steps[0]
    assert (step.before.ratings, step.after.ratings) == (6, 3)


def test_judgments_collections_and_statistics_count_events() -> None:
    log = log_of([("u", "a", 1, 1), ("u", "a", 1, 2), ("u", "a", 1, 7), ("v", "a", 1, 3)])
    assert judge(log, relevance=3).relevant.tolist() == [True, False]
    train = log_of([("u", "b", 1, 0), ("u", "b", 1, 0)])
    made = collect(train, log, relevance=3)
    assert made.train.values.tolist() == [2]
    assert made.judgments.highest == 3
    found = describe(log)
    assert (found.ratings, found.highest, found.period) == (2, 3, (1, 7))
    assert found.to_dict()["events"] == 4
    assert ("events", "4") in found.rows()
    assert found.fingerprint == log.fingerprint
    plain = describe(log.aggregate())
    assert "events" not in plain.to_dict()
    assert "events" not in dict(plain.rows())


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([-(2**63), -5, 0, 7, 2**63 - 1])),
        min_size=1,
        max_size=12,
    )
)
@settings(deadline=None)
def test_events_are_in_order_however_far_apart_their_times(events: list[tuple[int, int]]) -> None:
    users, times = zip(*events, strict=True)
    log = Ratings.from_triples(users, users, None, times, duplicates="events")
    assert [(row[0], row[3]) for row in rows_in(log)] == sorted(events)
