from __future__ import annotations

import json
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import TooFew
from cranfield.validity.study.findings import StudyFindings, conclude
from cranfield.validity.study.joint_test import joint_test
from design_cases import CONDENSED, FULL, crossed, designs_of, of_sums
from suites import tries

TABLE = crossed({"targets": [FULL, CONDENSED], "cutoff": [5, 10, 20]})


def three_systems(**others: Any) -> StudyFindings:
    """C is best with condensed rankings, A else."""
    values = [[0.5, 0.4, 0.6 if targets == CONDENSED else 0.3] for targets in TABLE["targets"]]
    return conclude(designs_of(TABLE, values, base=0, **others))


def test_the_pair_of_interest_is_that_of_the_base() -> None:
    found = three_systems()
    assert (found.pair.first, found.pair.second) == ("A", "B")
    assert [(each.first, each.second) for each in found.pairs] == [
        ("A", "B"), ("A", "C"), ("B", "C"),
    ]  # fmt: skip


def test_the_verdict_is_about_the_pair_of_interest() -> None:
    assert three_systems().verdict.sentence == "A beats B in all 6 designs."


def test_a_pair_asked_for_is_reported_as_given() -> None:
    values = [[0.5, 0.4, 0.6 if targets == CONDENSED else 0.3] for targets in TABLE["targets"]]
    found = conclude(designs_of(TABLE, values, base=0), pair=("C", "A"))
    assert (found.pair.first, found.pair.wins, found.pair.losses) == ("C", 3, 3)
    assert found.verdict.badge == "depends on the design"
    assert "the pair reported, C and A, is the pair asked for" in found.verdict.evidence[0]
    assert found.flips[0].winner == "C"  # each wins 3; the base is won by A, who therefore leads


def test_the_evidence_of_many_systems_by_hand() -> None:
    evidence = three_systems().verdict.evidence
    assert evidence[0] == (
        "6 designs were tried over the target items (2) and the cut-off (3); 3 systems make 3 "
        "pairs; the pair reported, A and B, is the base's two best."
    )
    assert evidence[-4:-1] == (
        "A is first of 3 systems in 3 of 6 designs and C in 3.",
        # orders A B C and C A B: (1 − 2)/3; the median of three 1s and three −1/3s is 1/3
        (
            "The order of systems agrees with that of the base by a median τ of 0.33, at the least "
            "−0.33."
        ),
        (
            "Of the 3 pairs, 2 are won by each of the two in some designs, allowing for all "
            "designs and pairs."
        ),
    )


def test_pairs_outside_the_joint_test_are_said_to_be_tested_by_themselves() -> None:
    adjusted = np.full((6, 3), nan)
    adjusted[:, 0] = 0.01
    assert three_systems(adjusted=adjusted).verdict.evidence[-2] == (
        "Of the 3 pairs, 2 are won significantly by each of the two in some designs, each tested "
        "by itself, which allows neither for the number of designs nor of pairs."
    )


def test_a_reversal_is_explained_by_the_decision_that_makes_it() -> None:
    values = [[0.5, 0.6 if targets == CONDENSED else 0.4] for targets in TABLE["targets"]]
    found = conclude(designs_of(TABLE, values, base=0))
    assert (
        "Among the pairs of designs that differ in one decision alone, the established winner is "
        "reversed by the target items in 3 of 3."
    ) in found.verdict.evidence
    assert (
        "How the standardised effect varies over designs is explained most by the target items "
        "(100 %)."
    ) in found.verdict.evidence
    assert "B beats A only with condensed rankings (in all 3 such designs)." in (
        found.verdict.evidence
    )


def test_the_joint_test_is_reported_with_its_draws() -> None:
    contributions = np.random.default_rng(2).standard_normal((30, 6)) * 0.1 + 0.5
    joint = joint_test(of_sums(contributions), 30, draws=199)
    designs = designs_of(TABLE, [[0.6, 0.5]] * 6, adjusted=joint.adjusted[:, None], draws=199)
    found = conclude(designs, joint=joint)
    assert (
        "Tested jointly (each user's scores swapped in all designs at once, step-down maximum, 199 "
        'draws), "no difference in any design" has p = 0.0050; allowing for all designs, A wins in '
        "6 and B in 0."
    ) in found.verdict.evidence
    assert found.joint is joint


def test_designs_that_are_the_same_are_concluded_from_once() -> None:
    table = crossed({"targets": [FULL, CONDENSED], "coverage": ["full", "common"]})
    values = [[0.6, 0.5], [0.6, 0.5], [0.4, 0.5], [0.4, 0.5]]
    found = conclude(designs_of(table, values, same_as=np.array([0, 0, 2, 2]), base=1))
    assert (found.tried, found.designs, found.without_effect) == (4, 2, ("coverage",))
    assert (found.pair.wins, found.pair.losses) == (1, 1)
    assert len(found.curve) == 2
    assert [row.decision for row in found.importance.decisions] == ["targets"]
    assert found.verdict.sentence == (
        "It depends. A beats B with full rankings; B beats A with condensed rankings."
    )


def test_one_system_is_refused() -> None:
    with pytest.raises(TooFew):
        conclude(designs_of(TABLE, [[0.5]] * 6))


numbers = st.sampled_from([0.1, 0.2, 0.3, nan])
universes = st.lists(
    st.tuples(numbers, numbers, numbers, st.sampled_from([0.01, 0.6, nan])), min_size=1, max_size=8
)


@settings(deadline=None, max_examples=tries(100))
@given(universes, st.booleans(), st.integers(2, 3))
def test_any_study_is_concluded_and_can_be_written_as_json(
    rows: list[tuple[float, ...]], with_base: bool, systems: int
) -> None:
    table = pl.DataFrame(
        {
            "cutoff": [5 * (place % 4 + 1) for place in range(len(rows))],
            "gain": [[None, "binary"][place // 4] for place in range(len(rows))],
        },
        schema={"cutoff": pl.Int64, "gain": pl.String},
    )
    p_values = np.array([[row[3]] * (1 if systems == 2 else 3) for row in rows])
    designs = designs_of(
        table, [row[:systems] for row in rows], p_values, base=0 if with_base else None
    )
    found = conclude(designs)
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert written["verdict"]["sentence"] == found.verdict.sentence
    assert len(written["curve"]["design"]) == len(rows)
    assert len(written["movement"]["taus"]) == len(rows)
    for told in (found.verdict.sentence, *found.verdict.evidence):
        assert told.endswith(".")
        assert "nan" not in told
        assert "None" not in told


def test_the_order_of_designs_does_not_matter() -> None:
    stream = np.random.default_rng(4)
    values = stream.standard_normal((6, 2))
    one = conclude(designs_of(TABLE, values))
    two = conclude(designs_of(TABLE[::-1], values[::-1]))
    assert one.verdict.sentence == two.verdict.sentence
    assert one.pair == two.pair
    assert {row.decision: row.share for row in one.importance.decisions} == pytest.approx(
        {row.decision: row.share for row in two.importance.decisions}
    )


KEYS = {
    "systems", "designs", "tried", "without_effect", "alpha", "verdict", "pair", "pairs", "curve",
    "importance", "flips", "movement", "joint", "uncertainty",
}  # fmt: skip


def test_the_record_has_the_keys_that_users_read() -> None:
    record = three_systems().to_dict()
    assert set(record) == KEYS
    assert set(record["verdict"]) == {"badge", "sentence", "evidence"}
    assert record["systems"] == ["A", "B", "C"]
    assert record["importance"]["decisions"][0]["flips"].keys() == {
        "compared", "flipped", "reversed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("base", "pair", "of_base", "words"),
    [
        (0, None, False, "is the base's two best"),
        (None, None, False, "is the two best by mean rank"),
        (0, ("A", "B"), False, "is the pair asked for"),
        (None, ("A", "B"), False, "is the pair asked for"),
        (None, ("A", "B"), True, "is the base's two best"),
    ],
)
def test_why_a_pair_is_reported_is_said(
    base: int | None, pair: tuple[str, str] | None, of_base: bool, words: str
) -> None:
    values = [[0.5, 0.4, 0.3]] * 6
    found = conclude(designs_of(TABLE, values, base=base), pair, of_base=of_base)
    assert f"the pair reported, A and B, {words}." in found.verdict.evidence[0]


@settings(deadline=None, max_examples=tries(30))
@given(universes, st.permutations(["A", "B"]))
def test_the_conclusion_does_not_depend_on_names(
    rows: list[tuple[float, ...]], names: list[str]
) -> None:
    table = pl.DataFrame({"cutoff": list(range(len(rows)))})
    p_values = np.array([[row[3]] for row in rows])
    designs = designs_of(table, [row[:2] for row in rows], p_values, base=0)
    renamed = replace(designs, systems=(f"x{names[0]}", f"x{names[1]}"))
    one, two = conclude(designs), conclude(renamed)
    assert one.verdict.badge == two.verdict.badge
    assert (one.pair.wins, one.pair.losses) == (two.pair.wins, two.pair.losses)
    given_names = {"A": renamed.systems[0], "B": renamed.systems[1]}
    assert two.pair.first == given_names[one.pair.first]
    assert one.importance == two.importance
