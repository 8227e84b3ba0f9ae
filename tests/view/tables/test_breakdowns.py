"""Tables of breakdowns: a row per group, a mark and a sentence where a group is apart."""

from __future__ import annotations

from dataclasses import replace

from cranfield.scoring.breakdown import Breakdown, BreakdownRow
from cranfield.view.tables.breakdowns import breakdown_rows, breakdown_table, gap_note
from score_cases import U

NEAR = BreakdownRow("young", "A", "P@5", 0.25, 40, 40, 0, gap=0.001, gap_low=-0.01, gap_high=0.012,
                    gap_p=0.9)  # fmt: skip
FAR = replace(NEAR, group="old", gap=-0.1, gap_low=-0.15, gap_high=-0.05, gap_p=0.0004)


def test_groups_are_rows_and_systems_columns() -> None:
    parts = tuple(
        BreakdownRow(group, system, "P@5", value, 3, 3, 0)
        for group, system, value in (
            ("x", "a", 0.5),
            ("x", "b", U),
            ("y", "a", 0.25),
            ("y", "b", 1),
        )
    )
    lines = breakdown_table(Breakdown("age", parts)).splitlines()
    assert lines[0].split() == ["age", "users", "a", "P@5", "b", "P@5"]
    assert lines[2].split() == ["x", "3", "0.5000", "–"]
    alone = Breakdown("age", tuple(part for part in parts if part.system == "a"))
    assert breakdown_table(alone).splitlines()[0].split() == ["age", "users", "P@5"]


def test_a_group_that_is_apart_is_marked_and_the_widest_gap_is_said() -> None:
    wide = replace(FAR, system="B", gap=-0.2, gap_low=-0.3, gap_high=-0.1)
    made = Breakdown("age", (NEAR, replace(NEAR, system="B"), FAR, wide))
    assert [row[2:] for row in breakdown_rows(made)[1]] == [
        ["0.2500", "0.2500"],
        ["0.2500†", "0.2500†"],
    ]
    assert gap_note(made, lambda metric: f"<{metric}>") == (
        "† apart from all other users (Welch's t, Holm, p < 0.05). Widest: B by <P@5>, age old: "
        "−0.2000 (−0.3000 to −0.1000), p = 0.0004."
    )
    table, spread = breakdown_table(made).split("\n\n")
    assert table.splitlines()[-1].startswith("† apart from all other users")
    assert spread.splitlines()[-1].startswith("Between groups by age. MAD: mean absolute")


def test_without_a_gap_nothing_is_marked() -> None:
    unknown = BreakdownRow("young", "A", "P@5", 0.25, 40, 40, 0)
    for parts in ((NEAR,), (unknown,), (replace(NEAR, gap_p=0.05),)):
        assert gap_note(Breakdown("age", parts)) == ""
        assert "†" not in breakdown_table(Breakdown("age", parts))
