from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from cranfield.validity.study.flips import flips
from cranfield.validity.study.pair_outcomes import pair_outcomes
from cranfield.validity.study.uncertainty import ResampledDesigns
from design_cases import CONDENSED, FULL, crossed, designs_of, duel

CROSS = crossed(
    {
        "targets": [FULL, CONDENSED],
        "split.test_share": [0.2, 0.4, 0.6, 0.8],
        "metric": ["P", "AP", "RR"],
    }
)


def condensed_late(row: dict[str, Any]) -> float:
    return -0.1 if row["targets"] == CONDENSED and row["split.test_share"] >= 0.6 else 0.1


def test_a_reversal_is_named_by_its_necessary_conditions() -> None:
    found = flips(pair_outcomes(duel(CROSS, condensed_late), "AB"), leader=1)[0]
    assert found.words == (
        "B beats A only with condensed rankings and a test share of at least 0.6 "
        "(in all 6 such designs)"
    )
    assert (found.winner, found.designs, found.of) == ("B", 6, 24)


def test_necessary_conditions_tell_in_how_many_of_such_designs_it_is_so() -> None:
    # RR at 0.6 and P at 0.8 go the other way again
    spared = {("RR", 0.6), ("P", 0.8)}
    designs = duel(
        CROSS,
        lambda row: (
            0.1 if (row["metric"], row["split.test_share"]) in spared else condensed_late(row)
        ),
    )
    found = flips(pair_outcomes(designs, "AB"), leader=1)[0]
    assert found.words == (
        "B beats A only with condensed rankings and a test share of at least 0.6 "
        "(in 4 of the 6 such designs)"
    )


def test_exceptions_are_never_worded_as_only() -> None:
    exception = (FULL, 0.2, "P")
    designs = duel(
        CROSS, lambda row: -0.1 if tuple(row.values()) == exception else condensed_late(row)
    )
    found = flips(pair_outcomes(designs, "AB"), leader=1)[0]
    assert found.only is None
    assert found.words == (
        "B beats A in 7 of 24 designs, mostly with condensed rankings and a test share "
        "of at least 0.6 (6 of these 7 designs, out of 6 such designs)"
    )


def test_designs_without_a_pattern_are_said_to_have_none() -> None:
    square = crossed({"a": ["x", "y"], "b": ["p", "q"]})
    designs = duel(square, lambda row: -0.1 if (row["a"] == "x") == (row["b"] == "p") else 0.1)
    found = flips(pair_outcomes(designs, "AB"), leader=1)[0]
    assert found.words == ("B beats A in 2 of 4 designs, which no simple condition sets apart")


def test_one_design_alone_is_called_one() -> None:
    designs = duel(crossed({"cutoff": [5, 10, 20]}), lambda row: 0.1 if row["cutoff"] > 5 else -0.1)
    found = flips(pair_outcomes(designs, "AB"), leader=1)[0]
    assert found.words == "B beats A only with a cut-off of 5 (in the one such design)"


def test_a_system_that_wins_everywhere_does_so_in_all_designs() -> None:
    designs = duel(crossed({"cutoff": [5, 10]}), lambda row: -0.1)
    assert flips(pair_outcomes(designs, "AB"), leader=1)[0].words == "B beats A in both designs"


def test_wins_that_are_not_established_are_reported_apart() -> None:
    table = crossed({"cutoff": [5, 10, 20, 50]})
    designs = designs_of(
        table,
        [[0.4, 0.5], [0.4, 0.5], [0.6, 0.5], [0.6, 0.5]],
        np.array([[0.01], [0.5], [0.01], [0.01]]),
    )
    found = flips(pair_outcomes(designs, "AB"), leader=1)
    assert [each.words for each in found] == [
        "B beats A only with a cut-off of 5 (in the one such design)",
        (
            "B scores more, established or not, only with a cut-off of at most 10 (in both such "
            "designs)"
        ),
        "A beats B only with a cut-off of at least 20 (in both such designs)",
    ]


def test_a_leader_who_seldom_wins_is_reported_where_it_does() -> None:
    designs = designs_of(
        crossed({"cutoff": [5, 10, 20]}), [[0.6, 0.5]] * 3, np.array([[0.01], [0.5], [0.5]])
    )
    (found,) = flips(pair_outcomes(designs, "AB"), leader=1)
    assert found.words == "A beats B only with a cut-off of 5 (in the one such design)"


def test_undefined_designs_are_no_exceptions() -> None:
    designs = designs_of(
        pl.DataFrame({"cutoff": [5, 10, 20]}), [[0.6, 0.5], [0.4, 0.5], [np.nan, 0.5]]
    )
    found = flips(pair_outcomes(designs, "AB"), leader=1)
    assert [(each.designs, each.of) for each in found] == [(1, 2), (1, 2)]


def test_a_leader_who_mostly_wins_is_reported_where_it_does_not() -> None:
    designs = designs_of(
        crossed({"cutoff": [5, 10, 20]}), [[0.6, 0.5]] * 3, np.array([[0.5], [0.01], [0.01]])
    )
    (found,) = flips(pair_outcomes(designs, "AB"), leader=1)
    assert (found.winner, found.brief) == (None, "with a cut-off of 5")
    assert found.words == (
        "A's lead is not established only with a cut-off of 5 (in the one such design)"
    )


def test_designs_without_a_test_are_not_said_to_lack_a_lead() -> None:
    table = crossed({"cutoff": [5, 10, 20, 50]})
    untested = designs_of(table, [[0.6, 0.5]] * 4, np.array([[0.01], [0.01], [0.01], [np.nan]]))
    assert flips(pair_outcomes(untested, "AB"), leader=1) == ()


def test_designs_that_are_the_same_count_once_and_all_of_their_answers_are_named() -> None:
    # with condensed rankings, the cut-offs 20 and 50 are one design
    table = crossed({"targets": [FULL, CONDENSED], "cutoff": [5, 20, 50]})
    designs = duel(
        table,
        lambda row: -0.1 if row["targets"] == CONDENSED and row["cutoff"] > 5 else 0.1,
        same_as=np.array([0, 1, 2, 3, 4, 4]),
    )
    found = flips(pair_outcomes(designs, "AB"), leader=1)[0]
    assert (found.designs, found.of) == (1, 5)
    assert found.words == (
        "B beats A only with condensed rankings and a cut-off of at least 20 (in the one such "
        "design)"
    )


def test_decisions_without_effect_are_no_conditions() -> None:
    # one at a time: A wins in the base alone, which another test leaves as it is
    table = pl.DataFrame(
        {
            "metric": ["P", "P", "RR", "P"],
            "ties": ["random", "random", "random", "item-id"],
            "comparison.test": ["t", "sign", "t", "t"],
        }
    )
    values = [[0.6, 0.5], [0.6, 0.5], [0.4, 0.5], [0.4, 0.5]]
    designs = designs_of(table, values, same_as=np.array([0, 0, 2, 3]))
    assert designs.without_effect == ("comparison.test",)
    found = flips(pair_outcomes(designs, "AB"), leader=1)[0]
    assert found.words == "B beats A in 2 of 3 designs, which no simple condition sets apart"


def test_conditions_that_other_users_would_not_show_are_not_named() -> None:
    designs = duel(crossed({"cutoff": [5, 10, 20]}), lambda row: 0.1 if row["cutoff"] > 5 else -0.1)
    pair = pair_outcomes(designs, "AB")
    noise = np.random.default_rng(1).standard_normal((200, 3))
    observed = np.array([[-0.1, 0.1, 0.1]])
    for spread, told in ((0.01, "with a cut-off of 5"), (1.0, "")):
        effects = np.vstack([observed, observed + spread * noise])
        found = flips(pair, 1, ResampledDesigns(effects, np.ones_like(effects)))[0]
        assert found.brief == told
    assert found.words == ("B beats A in 1 of 3 designs, which no simple condition sets apart")
