"""Laws of corrections: adjusted p-values are never below raw ones and keep their order."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from cranfield.testing.law import law, require, require_equal
from cranfield.testing.strategies import p_values


@law("correction", raw=p_values())
def adjusted_values_lie_between_p_and_one(correction: Any, raw: list[float]) -> None:
    """An adjusted p-value is never below the raw one, and never above 1."""
    found = correction.adjust(np.array(raw))
    require(np.shape(found) == (len(raw),), f"{len(raw)} p-values became {np.shape(found)}")
    require((found >= np.array(raw) * (1 - 1e-15)).all(), f"{found} falls below {raw}")
    require((found <= 1).all(), f"{found} exceeds 1")


@law("correction", raw=p_values())
def adjusted_values_keep_the_order(correction: Any, raw: list[float]) -> None:
    """The smaller of two p-values is never the larger one after adjusting."""
    found = correction.adjust(np.array(raw))[np.argsort(raw, kind="stable")]
    require((np.diff(found) >= 0).all(), f"of {sorted(raw)} the adjusted values are {found}")


@law("correction", raw=p_values(), seed=st.integers(0, 99))
def the_order_of_comparisons_does_not_matter(correction: Any, raw: list[float], seed: int) -> None:
    """Each comparison has the same adjusted p-value, bit for bit, in any order of all."""
    order = np.random.default_rng(seed).permutation(len(raw))
    p = np.array(raw)
    require_equal(correction.adjust(p[order]), correction.adjust(p)[order], "another order")


@law("correction", raw=st.sampled_from([0.03, 0.0, 1.0]) | st.floats(0, 1))
def a_single_comparison_needs_no_correction(correction: Any, raw: float) -> None:
    """A family of one keeps its p-value."""
    require_equal(correction.adjust(np.array([raw])), [raw], "a single p-value was adjusted")


@law("correction", raw=p_values())
def raw_values_are_left_as_they_are(correction: Any, raw: list[float]) -> None:
    """A correction changes nothing in the p-values that it is given."""
    given = np.array(raw)
    correction.adjust(given)
    require_equal(given, raw, "raw p-values were changed")
