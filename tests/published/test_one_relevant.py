"""bellogin2017 §7: in 1R judgments of non-relevance are removed, and what metrics then are."""

from __future__ import annotations

from math import log2

import numpy as np
import numpy.typing as npt
import pytest

from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.reproduction.reproduction import read_reproduction
from experiment_cases import experiment_of

METRICS = ["Bpref", "Bpref(as=bellogin2017)", "InfAP(as=trec_eval)", "RR", "nDCG@10"]


def scores_of(relevant: str, data: str = "tiny", n: int = 20) -> dict[str, npt.NDArray[np.float64]]:
    """The scores by metric: a row for each system, a column for each topic."""
    asked = experiment_of(
        data=f"simulated(size={data})", targets=f"test-items, {relevant}, sampled(n={n})",
        metrics=METRICS, undefined="left-out", topics="judged", ties="item-id",
    )  # fmt: skip
    made = execute(asked).scores
    return {name: made.values[:, at, :] for at, name in enumerate(METRICS)}


def test_bpref_is_1_and_infap_is_the_reciprocal_rank() -> None:
    """As a single relevant item is judged: nothing non-relevant is above it.

    For systems that rank every target; of others bpref tells the coverage, as the paper says.
    """
    found = scores_of("one-relevant(judged=only-relevant)")
    assert (found["Bpref"][:2] == 1).all()
    assert (found["Bpref(as=bellogin2017)"][:2] == 1).all()
    assert set(np.unique(found["Bpref"][2])) == {0.0, 1.0}
    assert found["InfAP(as=trec_eval)"] == pytest.approx(found["RR"], abs=1e-9)
    assert found["RR"].min() < 0.2


def test_with_all_judgments_neither_is() -> None:
    found = scores_of("one-relevant(judged=all)")
    assert found["Bpref"].min() < 1
    assert np.abs(found["InfAP(as=trec_eval)"] - found["RR"]).max() > 1e-6


def test_the_ndcg_of_a_random_ranking_of_a_hundred_is_0_0454() -> None:
    """Within four standard errors over the topics; the formula to four digits."""
    discounts = [1 / log2(k + 1) for k in range(1, 11)]
    expected = sum(discounts) / 100
    assert round(expected, 4) == 0.0454
    random = scores_of("one-relevant", "small", 99)["nDCG@10"][1]
    error = np.sqrt((np.sum(np.square(discounts)) / 100 - expected**2) / len(random))
    assert abs(random.mean() - expected) < 4 * error
    assert error < 0.01


def test_the_figures_of_the_paper_judge_the_relevant_item_alone() -> None:
    for name in ("bellogin2017-figure-8", "bellogin2017-figure-9"):
        settings = read_reproduction(name).definition["study"]["together"]
        [targets] = [
            [answers["targets"] for key, answers in options.items() if "1R" in key]
            for options in settings.values()
        ]
        assert targets
        assert not any("judged=all" in each for each in targets)
