"""Every range that a shipped recommender declares is spelled, read back, and tried."""

from __future__ import annotations

import pytest

from cranfield.base.options import options, parameters, parse, spell_fully
from cranfield.base.seeds import Seeds
from cranfield.workbench import inventory
from cranfield.workbench.tuning.space import defaults_of, draw, is_open

inventory.load("recommender")

DECLARING = [
    (kind, name)
    for kind in ("recommender", "smoothing")
    for name, cls in options(kind).items()
    if any(each.tune for each in parameters(cls))
]


@pytest.mark.parametrize(("kind", "name"), DECLARING)
def test_declared_ranges_read_back_and_hold_settings(kind: str, name: str) -> None:
    asked = parse(kind, f"{name}(tune)")
    assert str(asked) == f"{name}(tune)"
    assert parse(kind, spell_fully(asked)) == asked
    assert defaults_of(asked).option == parse(kind, name)
    for number in range(20):
        setting = draw(asked, Seeds(1), number).option
        assert not is_open(setting)
        assert parse(kind, spell_fully(setting)) == setting
