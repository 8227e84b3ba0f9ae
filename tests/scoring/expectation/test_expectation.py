"""What random rankings score: against every order there is, and against many draws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.collection.targets  # noqa: F401
from cranfield.base.options import parse
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import collect
from cranfield.collection.topics import choose_users
from cranfield.scoring.expectation.closed_forms import closed_form, has_closed_form
from cranfield.scoring.expectation.expectation import adjust, expect, expect_targets
from cranfield.scoring.expectation.random_ranking import RandomOrders, ideal, shuffled, tied
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import cutoff_of, expects_ties
from hit_cases import METRICS, POPULARITY, Ranking, all_orders, hits_of, rankings
from strategies import random_ratings
from suites import tries

TIED: list[Any] = [metric for metric in METRICS if expects_ties(metric)]
EXACT: list[Any] = [metric for metric in METRICS if expects_ties(metric) or has_closed_form(metric)]
CLOSED = {"P", "Recall", "F1", "Success", "AP", "DCG", "nDCG", "RR", "RBP", "Rprec", "AUC", "Bpref"}
DEPTHS = (None, 1, 2, 0, 3)
FEW = ("P@2", "AP@2", "nDCG@2", "RR@2", "RBP(p=0.8)@2")
METRICS_OF_PAPERS = [parse("metric", name) for name in FEW]


def few_targets(ranking: Ranking) -> Ranking:
    """The same with at most two targets outside the list, so that its orders can be listed."""
    return replace(ranking, unranked=ranking.unranked[:1], others=min(ranking.others, 1))


def mean_over_orders(ranking: Ranking, metrics: list[Any], depth: int | None) -> np.ndarray:
    """By definition: metrics with a cut-off see lists down to it, others down to the depth."""
    whole = hits_of(all_orders(ranking))
    ends = whole if depth is None else whole.cut(depth)
    scores = [
        measure(ends if cutoff_of(metric) is None else whole, [metric], popularity=POPULARITY)[0]
        for metric in metrics
    ]
    means: np.ndarray = np.array(scores).mean(axis=1)
    return means


@settings(deadline=None, max_examples=tries(40))
@given(ranking=rankings(longest=3), data=st.data())
def test_the_exact_expectation_is_the_mean_over_all_orders(
    ranking: Ranking, data: st.DataObject
) -> None:
    few = few_targets(ranking)
    hits = hits_of([few])
    chosen = [data.draw(st.sampled_from(EXACT)) for _ in range(12)]
    found = expect(hits, chosen, depths=DEPTHS, popularity=POPULARITY)
    assert list(found) == list(DEPTHS)
    for depth, made in found.items():
        means = mean_over_orders(few, chosen, depth)
        np.testing.assert_allclose(made.values[:, 0], means, rtol=1e-9, atol=1e-12)
        assert made.metrics == tuple(map(str, chosen))
        assert not any(made.estimated)


@pytest.mark.parametrize("cutoff", [1, 2, 10])
@pytest.mark.parametrize("length", [0, 1, 2, 4])
@pytest.mark.parametrize("name", ["P", "Recall", "nDCG", "AP", "RR", "Success", "Bpref"])
def test_a_random_ranking_is_cut_at_the_cut_off_however_long_lists_are(
    name: str, length: int, cutoff: int
) -> None:
    """Four targets, 2 relevant, in 4! orders; lists and depths of any length change nothing."""
    ranking = Ranking((5.0, 1.0, 4.0, None))
    metric = [parse("metric", f"{name}@{cutoff}")]
    mean = measure(hits_of(all_orders(ranking)), metric).mean()
    found = expect(hits_of([ranking]).cut(length), metric, depths=(None, length, 1))
    assert [each.values[0, 0] for each in found.values()] == [pytest.approx(mean)] * len(found)


@pytest.mark.parametrize(
    ("depth", "recall", "precision"), [(1, 2 / 4 / 2, 2 / 4), (2, 2 / 4, 2 / 4), (None, 1, 2 / 4)]
)
def test_a_random_ranking_without_a_cut_off_ends_at_the_depth(
    depth: int | None, recall: float, precision: float
) -> None:
    """Each of 2 relevant among 4 targets is in the top d by d/4."""
    metrics = [parse("metric", name) for name in ("Recall", "P", "Recall@2")]
    found = expect(hits_of([Ranking((5.0, 4.0, 1.0, None))]), metrics, depths=(depth,))[depth]
    assert found.values[:, 0].tolist() == pytest.approx([recall, precision, 2 / 4])
    assert found.best[0, 0] == pytest.approx(min(2, depth or 4) / 2)


@pytest.mark.long
@settings(deadline=None, max_examples=tries(15))
@given(made=st.lists(rankings(longest=6), min_size=1, max_size=3), data=st.data())
def test_an_expectation_depends_on_no_other_depth_and_no_other_metric(
    made: list[Ranking], data: st.DataObject
) -> None:
    hits = hits_of(made)
    given: dict[str, Any] = {"popularity": POPULARITY, "draws": 3, "seed": 5}
    every = expect(hits, METRICS, depths=DEPTHS, **given)
    for metric in (data.draw(st.sampled_from(METRICS)) for _ in range(8)):
        depth = data.draw(st.sampled_from(DEPTHS))
        alone, row = expect(hits, [metric], depths=(depth,), **given)[depth], METRICS.index(metric)
        np.testing.assert_array_equal(alone.values[0], every[depth].values[row], str(metric))
        np.testing.assert_array_equal(alone.best[0], every[depth].best[row], str(metric))
        np.testing.assert_array_equal(alone.errors[0], every[depth].errors[row], str(metric))


@pytest.mark.long
@settings(deadline=None, max_examples=tries(25))
@given(made=st.lists(rankings(longest=6), min_size=1, max_size=3))
def test_the_lists_and_the_depth_of_the_hits_do_not_matter(made: list[Ranking]) -> None:
    hits = hits_of(made)
    empty = replace(hits, ranks=hits.ranks * 0, lengths=hits.lengths * 0, depth=1)
    found = [
        expect(each, METRICS, depths=DEPTHS, popularity=POPULARITY, draws=2)
        for each in (hits, empty)
    ]
    for depth in DEPTHS:
        listed, unlisted = (each[depth] for each in found)
        np.testing.assert_array_equal(listed.values, unlisted.values)
        np.testing.assert_array_equal(listed.best, unlisted.best)


@settings(deadline=None, max_examples=tries(15))
@given(ranking=rankings(longest=3), data=st.data())
def test_the_best_ranking_is_the_best_of_all_orders(ranking: Ranking, data: st.DataObject) -> None:
    few = few_targets(ranking)
    whole = hits_of(all_orders(few))
    chosen = [data.draw(st.sampled_from(METRICS)) for _ in range(12)]
    found = expect(hits_of([few]), chosen, depths=DEPTHS, popularity=POPULARITY, draws=0)
    for depth, made in found.items():
        ends = whole if depth is None else whole.cut(depth)
        for metric, best in zip(chosen, made.best[:, 0], strict=True):
            seen = ends if cutoff_of(metric) is None else whole
            scores = measure(seen, [metric], popularity=POPULARITY)[0]
            if not np.isnan(best):
                assert best == pytest.approx(np.nanmax(scores)), str(metric)


def test_depths_beyond_all_targets_share_one_expectation() -> None:
    hits = hits_of([Ranking((5.0, 1.0), others=2)])
    metrics = [parse("metric", "Recall"), parse("metric", "P@2")]
    found = expect(hits, metrics, depths=(4, None, 9, 3))
    assert found[4] is found[None] is found[9]
    assert found[3] is not found[None]
    only_cut = expect(hits, metrics[1:], depths=(1, 2, None))
    assert only_cut[1] is only_cut[2] is only_cut[None]


def test_without_metrics_or_topics_there_is_nothing_to_expect() -> None:
    assert expect(hits_of([Ranking((5.0,))]), [], depths=(1,))[1].values.shape == (0, 1)
    metrics = [parse("metric", name) for name in ("P@2", "Recall", "ERR")]
    found = expect(hits_of([]), metrics, depths=(None, 3))
    assert all(each.values.shape == each.best.shape == (3, 0) for each in found.values())


@pytest.mark.long
def test_targets_are_expected_in_parts_that_draw_by_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With 40 topics in parts of 16, exact values are those of all at once."""
    fold = collect(None, random_ratings(40, 25, 0.3, seed=3), relevance=4)
    targets = parse_targets("all-items").choose(choose_users(fold.train, fold.judgments), fold)
    metrics = [parse("metric", name) for name in ("Recall", "P@3", "ERR@2", "KendallTau")]
    whole = expect_targets(targets, metrics, depths=(2, None), seed=1)
    monkeypatch.setattr("cranfield.scoring.expectation.expectation._TOPICS_AT_ONCE", 16)
    parts = expect_targets(targets, metrics, depths=(2, None), seed=1)
    for depth in (2, None):
        np.testing.assert_array_equal(parts[depth].values[:2], whole[depth].values[:2])
        np.testing.assert_array_equal(parts[depth].best, whole[depth].best)
        assert (parts[depth].values[2] != whole[depth].values[2]).any()
        assert parts[depth].estimated == (False, False, True, True)
    assert len(expect_targets(targets.take(slice(0, 0)), metrics)[None].values[0]) == 0


@settings(deadline=None, max_examples=tries(40))
@given(made=st.lists(rankings(), min_size=1, max_size=4), depth=st.none() | st.integers(1, 12))
def test_closed_forms_are_what_metrics_expect_when_all_targets_are_tied(
    made: list[Ranking], depth: int | None
) -> None:
    hits = hits_of(made)
    unordered = tied(hits, depth)
    for metric in TIED:
        if has_closed_form(metric):
            values = closed_form(metric, RandomOrders(hits, depth))
            expected = [
                metric.expected_of_topic(unordered.topic(number, POPULARITY))
                for number in range(len(hits))
            ]
            np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-12, err_msg=str(metric))


def test_the_metrics_of_the_papers_have_a_closed_form() -> None:
    closed = {m.option_name for m in EXACT if has_closed_form(m)}
    assert closed >= CLOSED


def test_random_precision_is_the_share_of_relevant_targets() -> None:
    """ρ = |T_u ∩ PR_test(u)| / |T_u|, at every cut-off (bellogin2017 §4)."""
    hits = hits_of([Ranking((5.0, None, 1.0), unranked=(4.0,), others=6)])
    metrics = [parse("metric", f"P@{n}") for n in (1, 3, 10)]
    np.testing.assert_allclose(expect(hits, metrics)[None].values[:, 0], 2 / 10)


def test_random_precision_with_one_relevant_target_is_one_over_their_number() -> None:
    hits = hits_of([Ranking((5.0,), others=99)])
    assert expect(hits, [parse("metric", "P@10")])[None].values[0, 0] == pytest.approx(1 / 100)


def test_expected_bpref_by_hand() -> None:
    """The one judged non-relevant item is above in half of all orders."""
    hits = hits_of([Ranking((5.0, 1.0, None), others=7)])
    assert expect(hits, [parse("metric", "Bpref")])[None].values[0, 0] == pytest.approx(1 / 2)


@settings(deadline=None, max_examples=tries(25))
@given(
    relevant=st.integers(1, 3),
    others=st.integers(0, 4),
    rest=st.integers(0, 2),
    cut=st.integers(1, 7),
)
def test_expected_bpref_is_the_mean_over_all_orders(
    relevant: int, others: int, rest: int, cut: int
) -> None:
    ranking = Ranking((5.0,) * relevant + (1.0,) * min(others, 6 - relevant - rest), others=rest)
    metric = [parse("metric", f"Bpref@{cut}")]
    mean = measure(hits_of(all_orders(ranking)), metric).mean()
    assert expect(hits_of([ranking]), metric)[None].values[0, 0] == pytest.approx(mean)


def test_expected_average_precision_by_hand() -> None:
    """Two relevant of three targets: orders RRN, RNR, NRR, each as likely."""
    hits = hits_of([Ranking((5.0, 4.0), others=1)])
    by_hand = ((1 + 1) / 2 + (1 + 2 / 3) / 2 + (1 / 2 + 2 / 3) / 2) / 3
    assert expect(hits, [parse("metric", "AP")])[None].values[0, 0] == pytest.approx(by_hand)


def test_expected_reciprocal_rank_of_one_relevant_target_is_a_harmonic_mean() -> None:
    hits = hits_of([Ranking((5.0,), others=3)])
    by_hand = (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    assert expect(hits, [parse("metric", "RR")])[None].values[0, 0] == pytest.approx(by_hand)


@pytest.mark.parametrize("others", [0, 60])
def test_simulation_lands_on_the_exact_expectation_within_its_error(others: int) -> None:
    hits = hits_of([Ranking((5.0, 4.0, 1.0, 3.0, 4.0), others=others)] * 400)
    exact = expect(hits, METRICS_OF_PAPERS)[None].values.mean(axis=1)
    draws = np.array(
        [measure(shuffled(hits, seed), METRICS_OF_PAPERS).mean(axis=1) for seed in range(40)]
    )
    error = draws.std(axis=0, ddof=1) / np.sqrt(len(draws))
    assert (np.abs(draws.mean(axis=0) - exact) < 4 * error + 1e-12).all()


@pytest.mark.parametrize("others", [0, 1, 9, 40])
def test_a_shuffled_topic_has_each_rank_at_most_once_and_each_as_likely(others: int) -> None:
    size = 4 + others
    hits = hits_of([Ranking((5.0, 4.0, 1.0, 3.0), others=others)] * 5000)
    ranks = shuffled(hits, 1).ranks.reshape(5000, 4)
    assert (np.diff(ranks, axis=1) > 0).all()
    counts = np.bincount(ranks.ravel(), minlength=size + 1)[1:]
    expected = 5000 * 4 / size
    assert ranks.min() >= 1
    assert ranks.max() <= size
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()


def test_what_has_no_exact_form_is_estimated_and_marked() -> None:
    hits = hits_of([Ranking((5.0, 1.0, None), others=2)] * 50)
    found = expect(hits, [parse("metric", "InfAP"), parse("metric", "P@1")], draws=100)[None]
    assert found.estimated == (True, False)
    assert found.errors[0] > 0
    assert found.errors[1] == 0
    orders = hits_of(all_orders(Ranking((5.0, 1.0, None), others=2)))
    exact = measure(orders, [parse("metric", "InfAP")]).mean()
    assert abs(found.values[0].mean() - exact) < 4 * found.errors[0]


def test_without_draws_nothing_is_estimated() -> None:
    found = expect(hits_of([Ranking((5.0, 1.0))]), [parse("metric", "ERR")], draws=0)[None]
    assert np.isnan(found.values).all()


def test_the_same_seed_gives_the_same_estimate() -> None:
    hits = hits_of([Ranking((5.0, 1.0, None), others=9)] * 3)
    first, again, other = (
        expect(hits, [parse("metric", "ERR")], draws=3, seed=seed)[None].values
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


@settings(deadline=None, max_examples=tries(30))
@given(made=st.lists(rankings(), min_size=1, max_size=4))
def test_no_ranking_of_all_targets_beats_the_best(made: list[Ranking]) -> None:
    hits = hits_of(made)
    found = expect(hits, METRICS, popularity=POPULARITY, draws=2)[None]
    any_order = shuffled(hits, len(hits.items))
    scores = measure(any_order, METRICS, popularity=POPULARITY)
    comparable = ~np.isnan(found.best) & ~np.isnan(scores)
    assert (scores <= found.best + 1e-12)[comparable].all()
    both = ~np.isnan(found.best) & ~np.isnan(found.values)
    assert (found.values <= found.best + 1e-9)[both].all()


def test_the_ideal_order_is_by_falling_rating_also_for_what_was_unranked() -> None:
    best = ideal(hits_of([Ranking((1.0, None, 4.0), unranked=(5.0,))]))
    assert best.ratings.tolist() == [5.0, 4.0, 1.0]
    assert best.ranks.tolist() == [1, 2, 3]
    assert best.lengths.tolist() == [4]


@pytest.mark.parametrize("name", ["P(unjudged=relevant)@2", "Unrated@2"])
def test_metrics_that_describe_or_take_unjudged_items_for_relevant_have_no_best(name: str) -> None:
    found = expect(hits_of([Ranking((5.0, 1.0))]), [parse("metric", name)], popularity=POPULARITY)[
        None
    ]
    assert np.isnan(found.best).all()


def test_the_best_order_by_stratified_recall_is_that_of_rarity_not_of_ratings() -> None:
    hits = hits_of([Ranking((5.0, 4.0, 1.0, None))])  # items 0, 1 and 2
    metrics = [parse("metric", f"StratifiedRecall(gamma=1)@{n}") for n in (1, 2)]
    found = expect(hits, metrics, popularity=np.array([16.0, 4.0, 1.0, 1.0]))[None]
    assert found.best[:, 0].tolist() == pytest.approx([(1 / 2) / (1 / 4 + 1 / 2), 1])


def test_the_best_order_by_tau_ap_is_that_of_ratings() -> None:
    found = expect(hits_of([Ranking((1.0, 5.0, None, 4.0))]), [parse("metric", "TauAP")], draws=2)[
        None
    ]
    assert found.best[0, 0] == 1


def test_chance_is_adjusted_to_zero_and_the_best_to_one() -> None:
    assert adjust(0.2, 0.2, 0.8) == 0
    assert adjust(0.8, 0.2, 0.8) == pytest.approx(1)
    assert adjust(0.1, 0.2, 0.8) == pytest.approx(-0.1 / 0.6)
    assert np.isnan(adjust(0.2, 0.2, 0.2))
