"""Propensities by which metrics weigh targets: only where one asks, and worked out once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cranfield.base.options import parse
from cranfield.workbench import inventory
from cranfield.workbench.execution.systems.weighing import (
    propensity_inputs,
    target_weights,
    weighed,
)

inventory.load()

PLAIN = [parse("metric", "nDCG@5"), parse("metric", "P@5")]
WEIGHTED = parse("metric", "Recall(propensity=popularity)@5")


def of_file(path: Path) -> Any:
    return parse("metric", f'Recall(propensity=file(path="{path}"))@5')


def test_scores_of_plain_metrics_depend_on_no_propensities() -> None:
    assert propensity_inputs(PLAIN, seed=3) == {}


def test_scores_of_weighted_metrics_depend_on_the_seed_of_their_model() -> None:
    first, second = (propensity_inputs([*PLAIN, WEIGHTED], seed) for seed in (3, 4))
    assert first == {"propensity_files": {}, "propensity_seed": 3}
    assert first != second


def test_they_depend_on_what_a_file_of_propensities_holds(tmp_path: Path) -> None:
    file = tmp_path / "propensities.csv"
    found = []
    for text in ("item,propensity\nx,0.5\n", "item,propensity\nx,0.25\n"):
        file.write_text(text)
        found.append(propensity_inputs([of_file(file)], seed=0)["propensity_files"])
    assert list(found[0]) == list(found[1]) == [str(file)]
    assert found[0] != found[1]


def test_a_file_that_is_not_there_has_no_digest(tmp_path: Path) -> None:
    assert propensity_inputs([of_file(tmp_path / "none.csv")], 0)["propensity_files"] == {}


def test_plain_metrics_weigh_nothing() -> None:
    hits: Any = object()
    targets: Any = object()
    assert target_weights(PLAIN, targets, seed=0) is None
    assert weighed(hits, PLAIN, targets, seed=0) is hits
