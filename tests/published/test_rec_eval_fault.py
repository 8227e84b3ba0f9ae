"""Erratum to valcarce2020, Figures 9 to 14: the fault of rec_eval 10.6 on real data.

Its geometric means of F1 and reciprocal rank count a user without a hit as perfect. Shown
with systems that are quick to fit: with the fault F1 orders them unlike every other metric, as
the paper reports; without it, like them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cranfield as cf

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("CRANFIELD_DATA"), reason="needs $CRANFIELD_DATA"),
]

SYSTEMS = {
    "Random": "Random",
    "Popularity": "Popularity",
    "PureSVD": "PureSVD(factors=25)",
    "RW": "RW(k=75)",
    "CHI2": "CHI2(k=100, gamma=5000.0)",
    "KLD": "KLD(k=150, gamma=2000.0)",
    "LM-WSR-UB": "LM-WSR-UB(k=150, smoothing=jelinek-mercer(lambda=0.95))",
    "LM-WSR-IB": "LM-WSR-IB(k=50, smoothing=jelinek-mercer(lambda=0.99))",
    "item-kNN": "item-kNN(k=50)",
}
METRICS = ["P@100", "Recall@100", "F1@100", "AP@100", "nDCG@100", "Bpref@100"]
RIGHT, FAULTY = "floored-geometric-mean", "floored-geometric-mean(as=rec_eval)"


def agreement(aggregation: str, data: dict[str, Any], store: Path) -> list[float]:
    """Kendall's τ of F1 with the other metrics, by a mean of users."""
    made = cf.run(
        {
            **data,
            "split": "per-user(test_share=0.2)",
            "systems": SYSTEMS,
            "metrics": METRICS,
            "aggregation": aggregation,
            "undefined": "zero",
            "assess": ["correlation"],
            "comparison": {"test": "sign", "correction": "none"},
            "seed": 1,
        },
        store=store,
    )
    [found] = [each for each in made.assessments if each.criterion == "correlation"]
    orders = found.tables["system_orders"]
    others = orders.filter(pl.col("metric") == "F1@100", pl.col("other") != "F1@100")
    return others["value"].to_list()


BOOKS = {
    "data": "bookcrossing",
    "relevance": 8,
    "filters": ["rating-range(at_least=1)", "k-core(k=7)"],
}


def test_f1_orders_systems_against_the_others_only_with_the_fault(tmp_path: Path) -> None:
    """Few users have a hit in these data, so that most count as perfect."""
    right, faulty = (agreement(mean, BOOKS, tmp_path) for mean in (RIGHT, FAULTY))
    assert min(right) > 0.8
    assert max(faulty) < -0.8


def test_on_movielens_the_fault_lowers_the_agreement_of_f1(tmp_path: Path) -> None:
    movies = {"data": "ml-1m", "relevance": 4}
    right, faulty = (agreement(mean, movies, tmp_path) for mean in (RIGHT, FAULTY))
    assert min(right) > max(faulty)
