"""A score of one relevant item is what it scores on rank 1, times the discount of its rank."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.measurement.rank_discounts import rank_discount
from cranfield.testing.examples import examples_of
from sample_cases import hits_of_samples, samples


def correctable() -> list[Any]:
    """Every form of every metric that takes a correction."""
    chosen = parse("sample-correction", "plug-in")
    found = []
    for made in examples_of("metric").values():
        for metric in made:
            if any(each.name == "correction" for each in fields(metric)):
                try:
                    replace(metric, correction=chosen)
                except Exception:
                    continue
                found.append(metric)
    return found


@pytest.mark.parametrize("metric", correctable(), ids=str)
def test_the_discount_is_what_the_metric_makes_of_a_rank(metric: Any) -> None:
    ranks = list(range(1, 13))
    hits = hits_of_samples(samples(ranks, 11, 12))
    scores = measure(hits, [metric])[0]
    expected = scores[0] * rank_discount(metric, np.array(ranks, dtype=float), 12)
    assert scores == pytest.approx(expected, rel=1e-14)


def test_every_metric_of_the_list_is_correctable() -> None:
    names = {each.option_name for each in correctable()}
    assert names == {
        "AP", "AUC", "DCG", "ERR", "F1", "HalfLife", "nDCG", "P", "RBP", "Recall", "Rprec", "RR",
        "Success",
    }  # fmt: skip


def test_discounts_fall_and_start_at_one() -> None:
    ranks = np.linspace(1, 40, 400)
    for metric in correctable():
        found = rank_discount(metric, ranks, 40)
        assert found[0] == 1
        assert (np.diff(found) <= 0).all()
        assert (found >= 0).all()
