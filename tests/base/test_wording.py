from __future__ import annotations

from cranfield.base.errors import counted


def test_one_is_told_in_the_singular() -> None:
    assert [counted(number, "design") for number in (0, 1, 2, 1000)] == [
        "0 designs", "1 design", "2 designs", "1,000 designs",
    ]  # fmt: skip
    assert [counted(number, "entry", "entries") for number in (1, 2)] == ["1 entry", "2 entries"]
