"""One pass over users gives what sorting every topic's targets would give."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadPredictions
from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import Targets
from cranfield.collection.target_choice import choose_targets, parse_targets
from cranfield.collection.test_collection import collect
from cranfield.recommendation.ranking import passing
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.order import order_of
from cranfield.recommendation.ranking.rank import Ranked, rank
from cranfield.recommendation.recommender import Predictions
from cranfield.scoring.measurement.measure import measure
from ranking_cases import TIES, UNSCORED, Fixed, cases, small, targets_of
from suites import spread, tries


def expected_rows(
    items: list[int], values: list[tuple[float, float]], judged: dict[int, float], aim: list[int]
) -> list[tuple[int, float, int, int, int]]:
    """Item, rating, rank, first and last possible rank of each judged target."""
    rows = [
        (
            item,
            judged[item],
            place + 1,
            values.index(values[place]) + 1,
            len(values) - values[::-1].index(values[place]),
        )
        for place, item in enumerate(items)
        if item in judged
    ]
    lost = [item for item in aim if item in judged and item not in items]
    return rows + [(item, judged[item], 0, 0, 0) for item in lost]


def check(ranked: Ranked, targets: Targets, table: Predictions, choice: RankingChoice) -> None:
    hits, run, test = ranked.hits, ranked.run, targets.judgments.ratings
    for topic, user in enumerate(targets.topics.users):
        aim = targets.of_topic(topic).tolist()
        items, values = order_of(table[user], targets, topic, choice)
        own = slice(test.user_offsets[user], test.user_offsets[user + 1])
        judged = dict(zip(test.items[own].tolist(), test.values[own].tolist(), strict=True))
        if targets.topics.items is not None and "judged=all" not in targets.name:
            judged = {one: judged[one] for one in [int(targets.topics.items[topic])]}
        rows = slice(hits.offsets[topic], hits.offsets[topic + 1])
        columns = (hits.items, hits.ratings, hits.ranks, hits.first, hits.last)
        found = list(zip(*(column[rows].tolist() for column in columns), strict=True))
        assert found == expected_rows(items, values, judged, aim)
        assert hits.lengths[topic] == len(items)
        assert hits.targets[topic] == len(aim)
        assert hits.unscored[topic] == np.isnan(table[user][aim]).sum()
        head = run.items[run.offsets[topic] : run.offsets[topic + 1]].tolist()
        assert head == items[: choice.depth]
        neighbours = zip([None, *values], values, [*values[1:], None], strict=False)
        tied = [value in (above, below) for above, value, below in neighbours]
        assert run.tied[topic] == sum(tied[: choice.depth])


@pytest.mark.parametrize(("ties", "unscored"), spread(product(TIES, UNSCORED), every=2))
@settings(deadline=None, max_examples=3)
@given(case=cases(), depth=st.integers(1, 6))
def test_one_pass_equals_sorting_the_targets_of_every_topic(case, depth, ties, unscored):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    choice = RankingChoice(ties=ties, unscored=unscored, depth=depth, seed=5)
    targets = targets_of(train, test, relevance)
    for ranked, each in zip(rank(Fixed(table), targets, choice), targets, strict=True):
        check(ranked, each, table, choice)


@pytest.mark.slow
@settings(deadline=None, max_examples=tries(3000))
@given(
    case=cases(),
    depth=st.integers(1, 6),
    ties=st.sampled_from(TIES),
    unscored=st.sampled_from(UNSCORED),
)
def test_one_pass_equals_sorting_on_thousands_of_cases(case, depth, ties, unscored):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    choice = RankingChoice(ties=ties, unscored=unscored, depth=depth, seed=5)
    targets = targets_of(train, test, relevance)
    for ranked, each in zip(rank(Fixed(table), targets, choice), targets, strict=True):
        check(ranked, each, table, choice)


@settings(deadline=None, max_examples=tries(25))
@given(case=cases(), size=st.sampled_from([1, 64, 1 << 20]), threads=st.sampled_from(["1", "2"]))
def test_neither_batch_size_nor_threads_change_a_digit(case, size, threads):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    targets = targets_of(train, test, relevance)
    choice = RankingChoice(ties="random", unscored="random", depth=3)
    with pytest.MonkeyPatch.context() as patch:
        usual = rank(Fixed(table), targets, choice)
        patch.setattr(passing, "_BYTES_AT_ONCE", size)
        patch.setenv("CRANFIELD_THREADS", threads)
        other = rank(Fixed(table), targets, choice)
    for one, two in zip(usual, other, strict=True):
        assert one.hits.ranks.tolist() == two.hits.ranks.tolist()
        assert one.run.items.tolist() == two.run.items.tolist()


@settings(deadline=None, max_examples=tries(25))
@given(case=cases())
def test_condensed_order_equals_full_order(case):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    full, _, condensed, *_ = rank(Fixed(table), targets_of(train, test, relevance))
    assert full.hits.items.tolist() == condensed.hits.items.tolist()


def test_an_infinite_prediction_is_refused() -> None:
    with pytest.raises(BadPredictions, match="a prediction is infinite"):
        rank(Fixed(np.array([[1.0, np.inf, 2.0]])), small())


def test_predictions_of_a_wrong_shape_are_refused() -> None:
    with pytest.raises(BadPredictions, match=r"is \(1, 2\)\. The right one is \(1, 3\)"):
        rank(Fixed(np.array([[1.0, 2.0]])), small())


def test_predictions_beyond_single_precision_are_tied_at_its_ends() -> None:
    """Items 1 and 3 are targets; trec_eval orders equal ones by descending id."""
    choice = RankingChoice(ties="trec_eval", unscored="popularity")
    ranked = rank(Fixed(np.array([[1e300, 0.0, 1e39]])), small(), choice)[0]
    assert ranked.run.items.tolist() == [2, 0]
    assert (ranked.hits.first.tolist(), ranked.hits.last.tolist()) == ([1, 1], [2, 2])
    lowest = rank(Fixed(np.array([[-1e300, 0.0, np.nan]])), small(), choice)[0]
    assert lowest.run.items.tolist() == [0, 2]
    assert lowest.hits.first.tolist() == [1, 2]


def test_judgments_of_non_relevance_are_removed_where_one_item_is_relevant() -> None:
    """bellogin2017 §7: bpref is 1 for all systems in 1R, and infAP is 1/rank."""
    test = Ratings.from_triples(["u"] * 4, ["a", "b", "c", "d"], [1.0, 2.0, 5.0, 4.0])
    predictor = Fixed(np.array([[4.0, 3.0, 2.0, 1.0]]))
    names = ("Bpref", "InfAP(as=trec_eval)", "nDCG")

    def scores(text: str) -> Any:
        targets = choose_targets(collect(None, test, relevance=4), parse_targets(text))
        (ranked,) = rank(predictor, [targets])
        return measure(ranked.hits, [parse("metric", name) for name in names]).tolist()

    for text in ("one-relevant", "percentiles(m=1)", "one-relevant, condensed"):
        bpref, inferred, ndcg = scores(text)
        assert (bpref, inferred) == ([1, 1], [1 / 3, 1 / 3])
        assert ndcg == pytest.approx([1 / np.log2(4)] * 2)
    bpref, inferred, _ = scores("one-relevant(judged=all)")
    assert bpref == [0, 0]
    assert inferred[0] == pytest.approx(1 / 3 + 2 / 3 * 1e-5 / (2 + 2e-5))


def test_items_without_a_prediction_are_merged_at_their_quantile() -> None:
    """Popularity 1, 3, 2, 3 of items a to d: quantiles 0, 5/6, 1/3, 5/6 of three steps.

    The user rated a in training; of b, c and d, b and c have predictions 8 and 2. So d
    stands at the quantile 5/6 of 2 and 8, which is 7, and is second.
    """
    train = Ratings.from_triples(
        ["u", "v", "v", "v", "w", "w", "w", "x", "x"],
        ["a", "b", "c", "d", "b", "c", "d", "b", "d"],
    )
    test = Ratings.from_triples(["u"], ["d"], [5.0])
    targets = choose_targets(collect(train, test, relevance=4), parse_targets("all-items"))
    table = np.full((train.n_users, 4), np.nan)
    table[0, :3] = [9, 8, 2]
    choice = RankingChoice(unscored="merged(by=popularity)")
    (ranked,) = rank(Fixed(table), [targets], choice)
    assert ranked.hits.ranks.tolist() == [2]
    assert ranked.run.predictions.tolist() == pytest.approx([8, 2 + 6 * 5 / 6, 2])
    assert ranked.hits.unscored.tolist() == [1]


def test_items_without_a_prediction_are_tied_at_the_end() -> None:
    test = Ratings.from_triples(["u"] * 4, ["a", "b", "c", "d"], [5.0, 5.0, 1.0, 1.0])
    targets = choose_targets(collect(None, test, relevance=4), parse_targets("all-items"))
    table = np.array([[np.nan, np.nan, 1.0, np.nan]])
    (ranked,) = rank(Fixed(table), [targets], RankingChoice(unscored="minimum"))
    assert ranked.hits.first.tolist() == [1, 2, 2, 2]
    assert ranked.hits.last.tolist() == [1, 4, 4, 4]
