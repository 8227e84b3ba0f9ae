"""What random rankings score, by formulas that others wrote and by what must hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from cranfield.base.options import parse
from cranfield.scoring.expectation.closed_forms import closed_form, has_closed_form
from cranfield.scoring.expectation.expectation import expect
from cranfield.scoring.expectation.random_ranking import RandomOrders
from hit_cases import Ranking, hits_of, rankings
from suites import tries

SOME = settings(deadline=None, max_examples=tries(12))


def value(name: str, ranking: Ranking, depth: int | None = None) -> float:
    found = closed_form(parse("metric", name), RandomOrders(hits_of([ranking]), depth))
    assert found is not None
    return float(found[0])


def topic(relevant: int, bad: int, rest: int) -> Ranking:
    """So many relevant targets, judged others, and unjudged ones."""
    return Ranking((5.0,) * relevant + (1.0,) * bad, others=rest)


def test_one_relevant_of_a_hundred_is_found_as_cremonesi_would_by_chance() -> None:
    """One relevant and 99 others: in the top n by n/100, on average 1/100 of it by rank."""
    one = topic(1, 0, 99)
    assert value("Recall@10", one) == pytest.approx(10 / 100)
    assert value("Success@10", one) == pytest.approx(10 / 100)
    assert value("P@10", one) == pytest.approx(1 / 100)
    assert value("RR", one) == pytest.approx(sum(1 / k for k in range(1, 101)) / 100)
    assert value("AP", one) == pytest.approx(value("RR", one))


@pytest.mark.parametrize(("relevant", "bad", "rest"), [(3, 10, 4000), (20, 30, 3000), (1, 1, 1)])
@pytest.mark.parametrize("n", [1, 10, 100])
def test_success_is_that_a_hypergeometric_number_is_not_zero(
    relevant: int, bad: int, rest: int, n: int
) -> None:
    size = relevant + bad + rest
    law = hypergeom(size, relevant, min(n, size))
    assert value(f"Success@{n}", topic(relevant, bad, rest)) == pytest.approx(1 - law.pmf(0))


@pytest.mark.parametrize(("relevant", "bad"), [(3, 10), (20, 4), (5, 5), (8, 0)])
@pytest.mark.parametrize("n", [5, 30, 500])
def test_bpref_at_sizes_that_no_enumeration_reaches(relevant: int, bad: int, n: int) -> None:
    """A relevant item at rank k has x of N judged others above by a hypergeometric chance."""
    size = relevant + bad + 200
    most = max(1, min(relevant, bad))
    ranks, x = np.arange(1, min(n, size) + 1)[:, None], np.arange(bad + 1)
    chances = hypergeom.pmf(x, size - 1, bad, ranks - 1)
    total = float((chances @ (1 - np.minimum(x, relevant) / most)).sum()) / size
    assert value(f"Bpref@{n}", topic(relevant, bad, 200)) == pytest.approx(total)
    uncapped = float((chances @ (1 - x / most)).sum()) / size
    found = value(f"Bpref(as=bellogin2017)@{n}", topic(relevant, bad, 200))
    assert found == pytest.approx(uncapped)


@SOME
@given(ranking=rankings(), n=st.integers(1, 12), depth=st.none() | st.integers(1, 12))
def test_unjudged_items_counted_as_relevant_add_what_they_leave_open(
    ranking: Ranking, n: int, depth: int | None
) -> None:
    for metric in ("P", "RBP(p=0.7)"):
        parts = [
            value(
                f"{metric.replace(')', ', ') if '(' in metric else metric + '('}{form})@{n}",
                ranking,
                depth,
            )
            for form in ("unjudged=non-relevant", "unjudged=residual", "unjudged=relevant")
        ]
        assert parts[0] + parts[1] == pytest.approx(parts[2], nan_ok=True)


@SOME
@given(ranking=rankings(), n=st.integers(1, 12))
def test_a_depth_beyond_the_cut_off_changes_nothing(ranking: Ranking, n: int) -> None:
    for metric in ("P", "Recall", "F1", "AP", "nDCG", "RR", "Success", "Bpref", "RBP(p=0.7)"):
        name = f"{metric}@{n}"
        assert value(name, ranking, n + 5) == pytest.approx(value(name, ranking), nan_ok=True)


@SOME
@given(ranking=rankings(), more=st.integers(1, 50))
def test_more_unjudged_targets_make_chance_no_better(ranking: Ranking, more: int) -> None:
    larger = replace(ranking, others=ranking.others + more)
    for name in ("P@3", "Recall@3", "AP@3", "nDCG@3", "RR", "Success@3", "Rprec", "Bpref@3"):
        before, after = value(name, ranking), value(name, larger)
        assert np.isnan(before) == np.isnan(after)
        assert np.isnan(before) or after <= before + 1e-12


@SOME
@given(made=st.lists(rankings(), min_size=1, max_size=4))
def test_where_all_targets_are_relevant_chance_is_as_good_as_the_best(made: list[Ranking]) -> None:
    all_good = [
        Ranking(tuple(5.0 for _ in each.ratings), tuple(5.0 for _ in each.unranked))
        for each in made
    ]
    metrics = [parse("metric", name) for name in ("P@3", "AP@3", "nDCG@3", "RR", "Rprec", "Bpref")]
    found = expect(hits_of(all_good), metrics)[None]
    np.testing.assert_allclose(found.values, found.best, rtol=1e-9)


def test_forms_of_other_tools_have_no_closed_form() -> None:
    for name in ("P(as=lenskit)@3", "AP(as=elliot)@3", "nDCG(as=rectools)@3", "ERR", "InfAP"):
        assert not has_closed_form(parse("metric", name))
