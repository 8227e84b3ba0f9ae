"""How near designs come to the truth, by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from cranfield.base.errors import TooFew
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.truthfulness import OUTCOME, OUTCOME_TITLE, Truthfulness


def designs(values: list[list[float]], **decisions: list[object]) -> Designs:
    given = np.array(values)
    systems = tuple("ABCD"[: given.shape[1]])
    pairs = len(systems) * (len(systems) - 1) // 2
    nothing = np.full((len(given), pairs), np.nan)
    users = np.zeros(len(given), dtype=np.int64)
    return Designs(pl.DataFrame(decisions), systems, given, nothing, nothing, users)


VALUES = [[3.0, 2.0, 1.0], [1.0, 2.0, 3.0], [3.0, 1.0, 2.0], [1.0, 3.0, 2.0]]
TRUTH = np.array([[0.4, 0.2, 0.1]] * 4)


def made() -> Truthfulness:
    return Truthfulness(
        designs(VALUES, split=["x", "y", "x", "y"], seed=[1.0, 1.0, 2.0, 2.0]),
        TRUTH,
        np.array([True, False, True, False]),
        repeats=("seed",),
    )


def test_agreement_is_tau_of_the_order_with_the_true_one() -> None:
    assert made().agreement.tolist() == pytest.approx([1, -1, 1 / 3, -1 / 3])


def test_loss_is_what_the_winner_of_a_design_lacks_in_truth() -> None:
    lost = [0, (0.4 - 0.1) / 0.4, 0, (0.4 - 0.2) / 0.4]
    assert made().loss.tolist() == pytest.approx(lost)


def test_distance_is_between_values_of_the_same_metric() -> None:
    distances = made().distance
    assert distances[0] == pytest.approx((2.6 + 1.8 + 0.9) / 3)
    assert np.isnan(distances[1])


def test_answers_come_by_mean_agreement() -> None:
    answers = made().by_answer()
    assert answers["decision"].to_list() == ["split", "split"]
    assert answers["answer"].to_list() == ["x", "y"]
    assert answers["mean_tau"].to_list() == pytest.approx([(1 + 1 / 3) / 2, (-1 - 1 / 3) / 2])
    assert answers["lowest_tau"].to_list() == pytest.approx([1 / 3, -1])
    assert answers["right_winner"].to_list() == [1, 0]


def test_repetitions_of_a_design_are_taken_together() -> None:
    rows = made().by_design()
    assert rows.columns[:2] == ["split", "designs"]
    assert rows["designs"].to_list() == [2, 2]


def test_importance_is_about_the_agreement() -> None:
    found = made().importance
    assert found.outcome == OUTCOME_TITLE
    assert found.decisions[0].decision == "split"
    shares = {each.decision: each.share for each in found.decisions}
    # Deviations of τ from 0: 1, −1, 1/3, −1/3; by split ±2/3, by seed 0.
    assert shares["split"] == pytest.approx(4 * (2 / 3) ** 2 / (2 * (1 + 1 / 9)))
    assert shares["seed"] == pytest.approx(0)


def test_a_design_without_an_order_is_left_out_of_means() -> None:
    found = Truthfulness(
        designs([[1.0, 1.0], [2.0, 1.0]], way=["a", "b"]),
        np.array([[2.0, 1.0]] * 2),
        np.zeros(2, dtype=bool),
    )
    assert np.isnan(found.agreement[0])
    assert found.by_answer()["mean_tau"].to_list() == [1, None]


def test_a_design_without_values_has_no_winner() -> None:
    found = Truthfulness(
        designs([[np.nan, np.nan], [2.0, 1.0]], way=["a", "b"]),
        np.array([[2.0, 1.0]] * 2),
        np.zeros(2, dtype=bool),
    )
    assert np.isnan(found.loss[0])
    assert found.by_answer()["right_winner"].to_list() == [1, None]
    assert found.importance.left_out == 1


def test_answers_that_do_not_apply_are_no_answers() -> None:
    found = Truthfulness(
        designs([[1.0, 2.0], [2.0, 1.0]], gain=[None, "binary"]),
        np.array([[2.0, 1.0]] * 2),
        np.zeros(2, dtype=bool),
    )
    assert found.by_answer()["answer"].to_list() == ["binary"]


def test_one_system_has_no_order() -> None:
    with pytest.raises(TooFew):
        Truthfulness(designs([[1.0]], way=["a"]), np.ones((1, 1)), np.ones(1, dtype=bool))


def test_a_tie_for_the_first_place_loses_the_mean_of_what_its_systems_lose() -> None:
    # A and C are measured as the best, and worth 0.4 and 0.1; B and C 0.2 and 0.1
    tied = designs([[3.0, 2.0, 3.0], [1.0, 2.0, 2.0], [1.0, 1.0, 1.0]], split=["x", "y", "z"])
    found = Truthfulness(tied, TRUTH[:3], np.zeros(3, dtype=bool)).loss
    assert found.tolist() == pytest.approx(
        [(0 + 0.3) / 2 / 0.4, (0.2 + 0.3) / 2 / 0.4, (0 + 0.2 + 0.3) / 3 / 0.4]
    )


def test_the_order_of_systems_changes_no_loss() -> None:
    values, truth = np.array(VALUES), TRUTH.copy()
    values[2] = [2.0, 2.0, 1.0]
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        turned = designs(values[:, order].tolist(), split=["x", "y", "z", "w"])
        found = Truthfulness(turned, truth[:, order], np.zeros(4, dtype=bool))
        assert found.loss.tolist() == pytest.approx([0, 0.3 / 0.4, 0.2 / 2 / 0.4, 0.2 / 0.4])
        assert found.agreement[0] == 1


def test_without_a_value_or_a_true_one_there_is_no_loss() -> None:
    none = designs([[np.nan] * 3, [1.0, np.nan, 0.5]], split=["x", "y"])
    truth = np.array([[0.4, 0.2, 0.1], [0.0, 0.0, 0.0]])
    assert np.isnan(Truthfulness(none, truth, np.zeros(2, dtype=bool)).loss).all()
    found = Truthfulness(none, TRUTH[:2], np.zeros(2, dtype=bool))
    assert found.loss.tolist() == pytest.approx([np.nan, 0], nan_ok=True)


def test_answers_are_written_as_they_are_spelled() -> None:
    found = Truthfulness(
        designs(VALUES[:2], share=[0.5, 10.0], split=["x", "x"]), TRUTH[:2], np.zeros(2, dtype=bool)
    )
    assert set(found.by_answer().filter(pl.col("decision") == "share")["answer"]) == {"0.5", "10"}


def test_repeated_designs_are_taken_together() -> None:
    found = made().by_design()
    assert found["split"].to_list() == ["x", "y"]
    assert found["designs"].to_list() == [2, 2]
    assert found["mean_tau"].to_list() == pytest.approx([(1 + 1 / 3) / 2, (-1 - 1 / 3) / 2])
    assert found["lowest_tau"].to_list() == pytest.approx([1 / 3, -1])
    assert "seed" not in found.columns


def test_distances_are_known_only_where_the_metric_is_the_true_one() -> None:
    found = made()
    assert np.isnan(found.distance[[1, 3]]).all()
    assert found.distance[0] == pytest.approx((2.6 + 1.8 + 0.9) / 3)


def test_every_design_has_a_row_with_its_answers() -> None:
    table = made().table()
    assert table.columns == ["split", "seed", OUTCOME, "right_winner", "loss", "distance"]
    assert table["right_winner"].to_list() == [1.0, 0.0, 1.0, 0.0]
    assert table[OUTCOME].to_list() == pytest.approx([1, -1, 1 / 3, -1 / 3])


def test_true_values_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        made().truth[0, 0] = 1.0
