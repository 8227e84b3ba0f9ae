"""Printed values among those of several draws."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from cranfield.workbench.reproduction.draws import printed_among_draws, printed_columns

VALUES = st.floats(0, 1)


def drawn(first: float, second: float) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "metric": ["P", "AP"],
            "kNN": [first, second],
            "kNN_printed": [0.5, None],
            "other": [1.0, 2.0],
        }
    )


@given(st.lists(VALUES, min_size=1, max_size=6))
def test_a_printed_value_has_its_place_among_the_draws(values: list[float]) -> None:
    found = printed_among_draws([drawn(value, 0.0) for value in values])
    assert found is not None
    [row] = found.to_dicts()  # AP has no printed value
    assert (row["metric"], row["figure"], row["printed"]) == ("P", "kNN", 0.5)
    assert (row["least"], row["most"]) == (min(values), max(values))
    assert row["draws_below"] == sum(value < 0.5 for value in values)
    assert row["draws"] == len(values)


def test_only_columns_beside_printed_ones_are_looked_at() -> None:
    assert printed_columns(drawn(0.1, 0.2)) == {"kNN": "kNN_printed"}
    assert printed_among_draws([drawn(0.1, 0.2).drop("kNN_printed")]) is None


def test_an_undefined_value_is_no_draw() -> None:
    found = printed_among_draws([drawn(0.4, 0.0), drawn(float("nan"), 0.0)])
    assert found is not None
    assert found["draws"].to_list() == [1]
