"""Groups of designs: every design is in one, with those that share its data and rankings."""

from __future__ import annotations

from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.execution.study.design_groups import (
    by_data,
    by_ranking,
    conditions_of,
    metrics_of,
    observers_of,
    upcoming,
)
from experiment_cases import study_of

VARY = {
    "split": ["per-user(test_share=0.4)", "per-user(test_share=0.2)"],
    "targets": ["all-items", "test-items"],
    "cutoff": [3, 5],
}
DESIGNS = Universe(study_of({"vary": VARY})).designs


def test_designs_of_one_split_share_their_data() -> None:
    groups = by_data(DESIGNS)
    assert len(groups) == 2
    assert sorted(place for places in groups.values() for place in places) == list(range(8))
    for places in groups.values():
        assert len({str(DESIGNS[place].experiment.split) for place in places}) == 1


def test_designs_that_differ_in_their_cut_off_share_their_rankings() -> None:
    for places in by_data(DESIGNS).values():
        cells = by_ranking(DESIGNS, places)
        assert [len(members) for members in cells.values()] == [2, 2]
        for members in cells.values():
            assert len({str(DESIGNS[place].experiment.targets) for place in members}) == 1


def test_a_condition_has_the_metrics_of_its_designs_and_nobody_looks_unasked() -> None:
    groups = by_data(DESIGNS)
    cells = by_ranking(DESIGNS, next(iter(groups.values())))
    for made, (experiment, members) in zip(
        conditions_of(DESIGNS, cells, None), cells.items(), strict=True
    ):
        assert made.experiment == experiment
        assert list(made.metrics) == metrics_of(DESIGNS, members)
    assert observers_of(cells, None) == {}
    assert [len(conditions) for *_, conditions in upcoming(DESIGNS, groups, None)] == [2, 2]
