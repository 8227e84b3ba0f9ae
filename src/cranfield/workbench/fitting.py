"""The test that answers the question that an aggregation asks."""

from __future__ import annotations

from typing import Any, cast

from cranfield.base.options import from_table, is_option
from cranfield.scoring.aggregation import Aggregation
from cranfield.significance.paired_test import PairedTest

_OF_AGGREGATION = {
    "weighted-mean": ("weighted-t", "by"),
    "geometric-mean": ("log-t", "epsilon"),
    "median": ("sign", None),
}
"""For each aggregation that is not a mean: its test, and the parameter that they share."""


def fitting_test(aggregation: Aggregation, *, of_means: str) -> PairedTest:
    """The test that fits an aggregation; ``of_means`` names the one for plain means.

    canamares2020 D: weighted t for weighted means, t on ln(x + ε) for the geometric mean.
    The sign test asks for how many users a system is better, as a median does. Whatever
    else is aggregated is tested as means are, and the comparison says that it does not fit.
    """
    name = str(cast(Any, aggregation).option_name) if is_option(aggregation) else ""
    test, shared = _OF_AGGREGATION.get(name, (of_means, None))
    table: dict[str, object] = {"name": test}
    if shared is not None:
        table[shared] = getattr(aggregation, shared)
    return cast(PairedTest, from_table("test", table))
