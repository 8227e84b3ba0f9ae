from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.validity.study.designs import factors_of
from cranfield.validity.study.patterns import Pattern, necessary_pattern, typical_pattern
from design_cases import CONDENSED, FULL, crossed
from suites import tries

CROSS = crossed(
    {
        "targets": [FULL, CONDENSED],
        "split.test_share": [0.2, 0.4, 0.6, 0.8],
        "metric": ["P", "AP", "RR"],
    }
)
ALL = np.ones(len(CROSS), dtype=bool)

row = st.tuples(
    st.sampled_from([1, 2, 3, 4]),
    st.sampled_from(["x", "y", "z", None]),
    st.sampled_from(["p", "q"]),
)
universes = st.sets(row, min_size=2, max_size=25).flatmap(
    lambda rows: st.tuples(
        st.just(sorted(rows, key=str)),
        st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)),
    )
)


def where(table: pl.DataFrame, condition: pl.Expr) -> Any:
    return table.select(condition).to_series().to_numpy()


def meets(table: pl.DataFrame, pattern: Pattern) -> Any:
    """The designs that meet all conditions, by their answers alone."""
    met = [pl.col(each.decision).is_in(list(each.answers)) for each in pattern.conditions]
    return where(table, pl.all_horizontal(met).fill_null(value=False))


def test_what_all_members_share_is_necessary() -> None:
    members = where(CROSS, (pl.col("targets") == CONDENSED) & (pl.col("split.test_share") >= 0.6))
    found = necessary_pattern(factors_of(CROSS), members, ALL)
    assert found is not None
    assert found.words == "condensed rankings and a test share of at least 0.6"
    assert (found.members, found.within, found.covered) == (6, 6, 6)


def test_members_with_nothing_in_common_have_no_necessary_condition() -> None:
    members = where(CROSS, (pl.col("targets") == CONDENSED) | (pl.col("metric") == "P"))
    assert necessary_pattern(factors_of(CROSS), members, ALL) is None


def test_a_gap_in_a_range_is_still_within_it() -> None:
    table = crossed({"cutoff": [5, 10, 20, 50]})
    members = np.array([True, False, True, False])
    found = necessary_pattern(factors_of(table), members, np.ones(4, dtype=bool))
    assert found is not None
    assert found.words == "a cut-off of at most 20"
    assert (found.within, found.covered) == (3, 2)


def test_a_condition_that_excludes_nothing_more_is_not_reported() -> None:
    # the gain applies to nDCG alone, and says so already
    table = pl.DataFrame({"metric": ["P", "nDCG", "nDCG"], "gain": [None, "binary", "rating"]})
    members = np.array([False, True, False])
    found = necessary_pattern(factors_of(table), members, np.ones(3, dtype=bool))
    assert found is not None
    assert found.words == "binary gain"


def test_designs_that_are_not_asked_about_do_not_count() -> None:
    members = where(CROSS, (pl.col("targets") == CONDENSED) & (pl.col("metric") == "P"))
    asked = where(CROSS, pl.col("metric") == "P")
    found = necessary_pattern(factors_of(CROSS), members, asked)
    assert found is not None
    assert found.words == "condensed rankings"
    assert found.within == 4


def test_exceptions_do_not_hide_the_usual_pattern() -> None:
    usual = where(CROSS, (pl.col("targets") == CONDENSED) & (pl.col("split.test_share") >= 0.4))
    members = usual.copy()
    members[0] = True  # one full ranking at 0.2
    found = typical_pattern(factors_of(CROSS), members, ALL)
    assert found is not None
    assert found.words == "condensed rankings and a test share of at least 0.4"
    assert (found.members, found.within, found.covered) == (10, 9, 9)
    assert found.f_measure == pytest.approx(2 * 9 / (10 + 9))
    assert not found.only


@settings(deadline=None, max_examples=tries(150))
@given(universes)
def test_only_is_never_said_of_what_is_not_so(universe: Any) -> None:
    rows, flags = universe
    schema = {"a": pl.Int64, "b": pl.String, "c": pl.String}
    table, members = pl.DataFrame(rows, schema=schema, orient="row"), np.array(flags)
    if not members.any():
        return
    found = necessary_pattern(factors_of(table), members, np.ones(len(rows), dtype=bool))
    if found is not None:
        met = meets(table, found)
        assert met[members].all()
        assert not met.all()
        assert (found.within, found.covered) == (met.sum(), members.sum())


@settings(deadline=None, max_examples=tries(100))
@given(universes)
def test_mostly_counts_what_it_says_and_covers_more_than_half(universe: Any) -> None:
    rows, flags = universe
    schema = {"a": pl.Int64, "b": pl.String, "c": pl.String}
    table, members = pl.DataFrame(rows, schema=schema, orient="row"), np.array(flags)
    if not members.any():
        return
    found = typical_pattern(factors_of(table), members, np.ones(len(rows), dtype=bool))
    if found is not None:
        met = meets(table, found)
        assert (found.within, found.covered) == (met.sum(), (met & members).sum())
        assert found.covered > 0.5 * found.members
        assert found.f_measure > 2 * members.sum() / (members.sum() + len(rows))
        assert len(found.conditions) <= 3


def test_four_conditions_are_named_at_most() -> None:
    """One of 2⁵ designs: each of five decisions excludes half of what is left."""
    table = crossed({f"systems.A.{name}": [1, 2] for name in "abcde"})
    members = np.arange(len(table)) == 0
    found = necessary_pattern(factors_of(table), members, np.ones(len(table), dtype=bool))
    assert found is not None
    assert len(found.conditions) == 4
