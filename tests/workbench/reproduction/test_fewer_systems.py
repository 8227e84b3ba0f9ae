"""The tables without a system are those of a run without it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from numpy.testing import assert_array_equal
from polars.testing import assert_frame_equal

from cranfield.validity.criteria.robustness import Robustness
from cranfield.workbench import inventory
from cranfield.workbench.reproduction.fewer_systems import (
    frames_without,
    is_derivable,
    thin_panels,
)
from cranfield.workbench.reproduction.reproduction import Reproduction, read_reproduction
from cranfield.workbench.reproduction.running import Edition, run_figures
from cranfield.workbench.store.store import Store

inventory.load()

SYSTEMS = {"Random": "Random", "Popularity": "Popularity", "RW": "RW(k=10)", "KLD": "KLD(k=20)"}
KEYS = ("metric", "other", "pair", "panel")
DRAWN = ("first_share", "place_low", "place_high")
"""Figures over resampled systems, which are drawn by their order."""


def small_one(name: str) -> Reproduction:
    """On few systems and by a test that draws nothing: permutations depend on the pairs."""
    made = read_reproduction(name)
    return replace(made, small={**made.small, "systems": SYSTEMS, "comparison.test": "t"})


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        "valcarce2018-figure-5",
        "valcarce2018-table-3",
        "valcarce2018-figure-6",
        "valcarce2020-figure-8",
        "valcarce2020-figure-12",
    ],
)
def test_tables_without_a_system_are_those_of_a_run_without_it(name: str) -> None:
    made, edition = small_one(name), Edition(Store(None), small=True)
    assert is_derivable(made, small=True)
    thinned = thin_panels(made, edition)
    derived = frames_without(run_figures(made, edition, {}).frames, made, "RW", thinned, small=True)
    again = run_figures(made, edition, {}, without="RW").frames
    criteria = "correlation", "discriminative", "robustness"
    compared = [kind for kind in again if kind.startswith(criteria)]
    assert compared
    for kind in [*compared, "figures", "pairs"]:
        keys = [key for key in (*KEYS, "first", "second", "system") if key in again[kind].columns]
        one, other = (each[kind].sort(keys).drop(DRAWN, strict=False) for each in (derived, again))
        assert_frame_equal(one, other, check_column_order=False)


def test_test_sets_are_thinned_once_for_all_systems_and_kept(tmp_path: Path) -> None:
    made, store = small_one("valcarce2018-figure-6"), Store(tmp_path)
    [first] = thin_panels(made, Edition(store, small=True)).values()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Robustness, "thin", lambda *_: pytest.fail("it was thinned again"))
        [again] = thin_panels(made, Edition(store, small=True)).values()
    [one], [other] = first.values(), again.values()
    assert one.scenarios[0].systems == other.scenarios[0].systems == tuple(SYSTEMS)
    assert_array_equal(one.scenarios[0].values, other.scenarios[0].values)


def test_designs_are_run_again() -> None:
    assert not is_derivable(read_reproduction("canamares2020-figure-2"))


def test_only_tables_that_name_systems_change() -> None:
    made, edition = small_one("valcarce2018-figure-5"), Edition(Store(None), small=True)
    whole = run_figures(made, edition, {}).frames
    found = frames_without(whole, made, "KLD", {}, small=True)
    assert_frame_equal(found["data"], whole["data"])
    assert set(found["figures"]["system"]) == set(SYSTEMS) - {"KLD"}
    assert isinstance(found["correlation_system_orders"], pl.DataFrame)
