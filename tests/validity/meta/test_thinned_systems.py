"""Systems scored again on thinned judgments, held against doing it the long way."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.recommendation.ranking.hits import Hits
from cranfield.scoring.measurement.measure import measure
from cranfield.validity.meta.averages import averages
from cranfield.validity.meta.thinned_systems import ThinnedSystems, join_hits
from cranfield.validity.meta.thinning import ItemShares, Pairs, Scenario, thin
from thinning_cases import METRICS, POPULARITY, hits_of_systems

SCENARIOS: tuple[Scenario, ...] = get_args(Scenario)
HITS = hits_of_systems(3)
EPSILON = 0.01


def bench(hits: dict[str, Hits] = HITS, **others: object) -> ThinnedSystems:
    return ThinnedSystems(hits, METRICS, epsilon=EPSILON, popularity=POPULARITY, **others)  # type: ignore[arg-type]


def the_long_way(hits: Hits, kept: np.ndarray) -> np.ndarray:
    """Both means of every metric from thinned hits, topic by topic (2 × metrics)."""
    left = thin(hits, kept[Pairs.from_hits(hits).find(hits)])
    scores = measure(left, METRICS, popularity=POPULARITY).copy()
    scores[:, left.lengths == 0] *= 0.0
    scores[:, np.diff(left.offsets) == 0] = np.nan
    return averages(scores, left.topics, EPSILON)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_sample_equals_thinning_and_scoring_each_system_by_itself(scenario: Scenario) -> None:
    sizes = (1.0, 0.6, 0.2)
    found, left = bench().sample(scenario, 2, sizes, seed=4)
    assert found.shape == (3, 2, len(METRICS), 3)
    leaving = Pairs.from_hits(HITS["s0"]).leaving(scenario, Seeds(4), 2)
    for place, size in enumerate(sizes):
        for system, hits in enumerate(HITS.values()):
            expected = the_long_way(hits, leaving.remaining(size))
            assert found[place, :, :, system] == pytest.approx(expected, abs=1e-11, nan_ok=True)
    assert left[0] == 12
    assert (np.diff(left) <= 0).all()


def test_the_whole_is_what_nothing_was_taken_from() -> None:
    made = bench()
    for system, hits in enumerate(HITS.values()):
        everything = np.ones(len(made.pairs), dtype=bool)
        assert made.whole[:, :, system] == pytest.approx(
            the_long_way(hits, everything), abs=1e-11, nan_ok=True
        )


def test_a_user_without_a_list_scores_0_and_is_not_left_out() -> None:
    # user 0 has no list by s0; P@5 is defined for whoever has a relevant item
    made = bench()
    assert made.scores[0, 0, 0] == 0
    assert not np.isnan(made.scores[0, 1:, 0]).any()


def test_an_empty_list_scores_0_whatever_the_metric_makes_of_it() -> None:
    # AUC holds unlisted items for tied, which makes one half of a list without any
    auc = (parse("metric", "AUC"),)
    assert measure(HITS["s0"], auc)[0, 0] == 0.5
    assert ThinnedSystems(HITS, auc, epsilon=EPSILON).scores[0, 0, 0] == 0


def test_popularity_segments_weigh_alike_in_the_means() -> None:
    hits = hits_of_systems(2, targets="percentiles(m=3)")
    made = bench(hits)
    for system, each in enumerate(hits.values()):
        everything = np.ones(len(made.pairs), dtype=bool)
        assert made.whole[:, :, system] == pytest.approx(
            the_long_way(each, everything), abs=1e-11, nan_ok=True
        )


def test_undefined_scores_are_0_if_so_decided_but_topics_without_a_judgment_stay_out() -> None:
    left_out, zero = bench(), bench(undefined="zero")
    for made in (left_out, zero):
        made.sample("ratings", 0, (0.1,), seed=1)
    out, _ = left_out.sample("ratings", 0, (0.1,), seed=1)
    counted, left = zero.sample("ratings", 0, (0.1,), seed=1)
    leaving = zero.pairs.leaving("ratings", Seeds(1), 0)
    judged = len(np.unique(zero.pairs.users[leaving.remaining(0.1)]))
    assert left.tolist() == [judged]
    assert (counted[:, 0, 0] <= out[:, 0, 0] + 1e-12).all()


def test_joined_hits_are_those_of_one_system_after_the_other() -> None:
    parts = list(HITS.values())
    joined = join_hits(parts)
    rows = [len(each.items) for each in parts]
    assert joined.offsets[-1] == sum(rows)
    assert len(joined.lengths) == 3 * 12
    second = slice(rows[0], rows[0] + rows[1])
    assert np.array_equal(joined.ranks[second], parts[1].ranks)
    assert np.array_equal(joined.items[second], parts[1].items)
    assert np.array_equal(joined.offsets[12:25] - rows[0], parts[1].offsets)


def test_equal_systems_have_equal_values_at_every_size() -> None:
    twice = {"one": HITS["s1"], "two": replace(HITS["s1"])}
    found, _ = bench(twice).sample("items", 0, (0.9, 0.5, 0.1), seed=2)
    assert np.array_equal(found[..., 0], found[..., 1], equal_nan=True)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_samples_drawn_anew_and_shares_of_all_items_are_scored_the_long_way_too(
    scenario: Scenario,
) -> None:
    shares = ItemShares(n_items=40, popularity=np.arange(40)[::-1] % 7)
    sizes = (1.0, 0.6, 0.2)
    found, _ = bench(items=shares, nested=False).sample(scenario, 1, sizes, seed=4)
    pairs = Pairs.from_hits(HITS["s0"])
    for place, size in enumerate(sizes):
        leaving = pairs.leaving(scenario, Seeds(4), 1, items=shares, size=size)
        for system, hits in enumerate(HITS.values()):
            expected = the_long_way(hits, leaving.remaining(size))
            assert found[place, :, :, system] == pytest.approx(expected, abs=1e-11, nan_ok=True)


def test_where_nothing_has_left_the_scores_are_those_of_the_whole() -> None:
    made = bench()
    (whole, half) = made.scores_at("ratings", 0, (1.0, 0.5), seed=1)
    assert whole is made.scores
    assert half.shape == whole.shape
