"""Bias: what of a result is due to the way it was measured (bellogin2017)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Literal, get_args

from cranfield.base.errors import OptionError, near, shown
from cranfield.validity.assessment import Assessment
from cranfield.workbench.bias.case import BiasChoice, bias_case
from cranfield.workbench.bias.curves import assess_sweep
from cranfield.workbench.bias.expectations import assess_expectations, assess_tendency
from cranfield.workbench.bias.protocols import assess_neutralised, run_protocols
from cranfield.workbench.bias.splits import assess_splits
from cranfield.workbench.bias.sweeps import run_sweep, sweeps
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.store.store import Store

Part = Literal["neutralised", "expected", "tendency", "split", "sparsity", "size", "head", "skew"]
"""What can be assessed: protocols that neutralise popularity; what was to be expected; who
recommends what is popular; which ratings are test; and the four sweeps."""

PARTS: tuple[Part, ...] = get_args(Part)
_SWEEPS = {
    "sparsity": "test sparsity",
    "size": "target set size",
    "head": "head items removed",
    "skew": "popularity skew",
}


def assess_bias(
    experiment: Experiment,
    store: Store | None = None,
    choice: BiasChoice | None = None,
    parts: tuple[Part, ...] = PARTS,
    workers: int | str | None = None,
) -> tuple[Assessment, ...]:
    """Look at the biases of an experiment, part by part.

    Random and Popularity join the systems if they are missing. Without a store, what is
    fitted and ranked is stored until all parts are done. ``workers`` share the work.

    >>> from cranfield.workbench.definition.reading import read_table
    >>> made = assess_bias(read_table({
    ...     "data": "simulated(size=tiny)", "split": "random(test_share=0.4)", "relevance": 4,
    ...     "systems": {"kNN": "user-kNN(k=5)"}, "metrics": ["P@5"],
    ... }), choice=BiasChoice(cutoff=2), parts=("tendency",))
    >>> made[0].tables["recommended_items"]["system"].to_list()
    ['Popularity', 'kNN', 'Random']
    """
    for part in parts:
        if part not in PARTS:
            known = f"{near(str(part), PARTS)} There are {', '.join(PARTS)}."
            raise OptionError(f"bias: {shown(part)} is not a part.{known}")
    with _lasting(store) as lasting, open_pipeline(lasting, workers) as pipeline:
        return tuple(_assess(experiment, pipeline, choice, parts))


def _assess(
    experiment: Experiment, pipeline: Pipeline, choice: BiasChoice | None, parts: tuple[Part, ...]
) -> Iterator[Assessment]:
    case = bias_case(experiment, pipeline, choice)
    if {"neutralised", "expected", "tendency"} & set(parts):
        runs = run_protocols(case, pipeline)
        if "neutralised" in parts:
            yield assess_neutralised(case, runs)
        if "expected" in parts:
            yield assess_expectations(case, runs, pipeline)
        if "tendency" in parts:
            yield assess_tendency(case, runs)
    if "split" in parts:
        yield assess_splits(case, pipeline)
    wanted = {_SWEEPS[part] for part in parts if part in _SWEEPS}
    for sweep in sweeps(case):
        if sweep.name in wanted:
            yield assess_sweep(case, run_sweep(sweep, pipeline))


@contextmanager
def _lasting(store: Store | None) -> Iterator[Store]:
    """The store, or one that lasts as long as the work: parts share fits and rankings."""
    if store is not None and store.folder is not None:
        yield store
        return
    with TemporaryDirectory(prefix="cranfield-") as folder:
        yield Store(folder)
