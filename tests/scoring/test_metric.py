"""Cut-offs of metrics are as long as a list can be, and no longer."""

from __future__ import annotations

import pytest

from cranfield.base.decisions import parameters
from cranfield.base.errors import BadParameter
from cranfield.base.options import options, parse
from cranfield.scoring.metric import DEEPEST
from cranfield.workbench import inventory

inventory.load("gain", "metric", "run-metric")
NEEDY = ("Miscalibration", "RBP", "StratifiedRecall", "SubAP")
"""What has a parameter without a default."""
WITH_CUTOFF = [
    (kind, name)
    for kind in ("metric", "run-metric")
    for name, option in options(kind).items()
    if "cutoff" in {each.name for each in parameters(option)} and name not in NEEDY
]


def test_there_are_cutoffs_to_be_held() -> None:
    assert len(WITH_CUTOFF) > 15


@pytest.mark.parametrize(("kind", "name"), WITH_CUTOFF)
def test_a_cutoff_reaches_from_one_to_the_longest_list(kind: str, name: str) -> None:
    for cutoff in (1, DEEPEST):
        assert parse(kind, f"{name}@{cutoff}").cutoff == cutoff
    for cutoff in (0, DEEPEST + 1, 2**63 - 1):
        with pytest.raises(BadParameter, match=r"from 1 to 2147483647\."):
            parse(kind, f"{name}@{cutoff}")
