"""Names in records and files are identifiers, and depend on no parameter's value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cranfield.base.options import options
from cranfield.validity.assessment import Assessment
from cranfield.workbench import inventory
from cranfield.workbench.bias.assessment import assess_bias
from cranfield.workbench.bias.case import BiasChoice
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.files import DESIGNS, RECORD, SCORES, write_results
from cranfield.workbench.truth.assessment import truth_assessment
from cranfield.workbench.truth.study import run_truth_study
from experiment_cases import experiment_of, study_of

IDENTIFIER = re.compile("[a-z][a-z0-9_]*")
NAMED_BY_USERS = {
    "systems", "values", "versions", "by", "vary", "together", "words", "reasons",
}  # fmt: skip
"""Objects whose keys are names of systems, metrics, decisions, answers or libraries."""
CRITERIA = (
    "correlation", "discriminative-power", "robustness(samples=2, sizes=[1, 0.5])",
    "sampling(sizes=[3, 5], draws=2)", "stability(samples=5)",
    "thinned-discriminative-power(samples=2, sizes=[1, 0.5])",
)  # fmt: skip


def keys(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """All keys of a record; what users named is not looked into."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            if not (key in NAMED_BY_USERS and isinstance(inner, dict)):
                yield from keys(inner, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, path)


def wrong(names: Iterator[str] | Sequence[str], known: Sequence[str] = ()) -> list[str]:
    return [name for name in names if not IDENTIFIER.fullmatch(name) and name not in known]


def columns(made: Assessment) -> Iterator[str]:
    for name, table in {**made.tables, **made.details}.items():
        yield from (name, *table.columns)


def record(alpha: float, cutoff: int) -> Any:
    criteria = [f"discriminative-power(alpha={alpha})", *CRITERIA]
    metrics = [f"nDCG@{cutoff}", f"P@{cutoff}"]
    made: Any = execute(experiment_of(assess=criteria, metrics=metrics)).to_dict()
    return made


def test_every_criterion_is_tried() -> None:
    inventory.load("criterion")
    assert {each.partition("(")[0] for each in CRITERIA} == set(options("criterion"))


def test_keys_are_identifiers() -> None:
    assert wrong(path[-1] for path in keys(record(0.05, 5))) == []


def test_no_key_depends_on_a_parameter() -> None:
    assert set(keys(record(0.05, 5))) == set(keys(record(0.1, 3)))


@pytest.mark.parametrize("draws", [0, 100])
def test_keys_of_studies_are_identifiers(draws: int) -> None:
    made = execute_study(study_of({"vary": {"cutoff": [3, 5]}, "draws": draws})).to_dict()
    assert wrong(path[-1] for path in keys(made)) == []


@pytest.mark.long
def test_columns_of_assessed_designs_are_identifiers_or_decisions() -> None:
    vary = {"split.test_share": [0.3, 0.5], "judged_share": [1, 0.7]}
    asked = study_of({"vary": vary, "assessed": "designs", "draws": 0}, assess=list(CRITERIA))
    made = execute_study(asked)
    assert len(made.assessments) == len(CRITERIA)
    for each in made.assessments:
        assert wrong(columns(each), tuple(vary)) == []


@cache
def of_bias(cutoff: int, head: float) -> tuple[Assessment, ...]:
    choice = BiasChoice(
        cutoff=cutoff, head=head, shares=(1.0, 0.5), skews=(0.0, 1.0), heads=(0.0, head)
    )
    return assess_bias(experiment_of(metrics=[f"nDCG@{cutoff}", "RR"]), choice=choice)


@pytest.mark.long
def test_columns_and_keys_of_biases_are_identifiers() -> None:
    made = of_bias(3, 0.1)
    assert len(made) == 8
    for each in made:
        assert wrong(columns(each)) == [], each.criterion
        assert wrong(path[-1] for path in keys(each.to_dict())) == [], each.criterion


@pytest.mark.long
def test_no_column_of_biases_depends_on_a_parameter_or_on_the_name_of_a_baseline() -> None:
    for one, other in zip(of_bias(3, 0.1), of_bias(2, 0.2), strict=True):
        assert list(columns(one)) == list(columns(other))


def test_columns_and_keys_of_truth_are_identifiers_or_decisions() -> None:
    vary = {"split.test_share": [0.3, 0.5], "cutoff": [3, 5]}
    made = truth_assessment(run_truth_study(study_of({"vary": vary, "draws": 0}), metric="P@5"))
    assert wrong(columns(made), tuple(vary)) == []
    assert wrong((path[-1] for path in keys(made.to_dict())), tuple(vary)) == []


def test_columns_and_keys_of_every_file_are_identifiers_or_decisions(tmp_path: Path) -> None:
    vary = {"split.test_share": [0.3, 0.5]}
    asked = study_of({"vary": vary, "draws": 0}, assess=["correlation"], run_metrics=["Gini@5"])
    write_results(execute_study(asked), tmp_path)
    tables = {each.name: pl.read_parquet(each) for each in tmp_path.glob("*.parquet")}
    assert set(tables) == {DESIGNS, SCORES}
    for table in tables.values():
        assert wrong(fields(table.schema), tuple(vary)) == []
    written = json.loads((tmp_path / RECORD).read_text(encoding="utf-8"))
    assert wrong((path[-1] for path in keys(written)), tuple(vary)) == []


def fields(schema: Any) -> Iterator[str]:
    """The names of columns, and of what is nested in them."""
    for name, kind in dict(schema).items():
        yield name
        inner = kind.inner if isinstance(kind, pl.List) else kind
        if isinstance(inner, pl.Struct):
            yield from fields(inner.to_schema())


def test_no_column_of_designs_depends_on_systems_or_on_what_is_varied() -> None:
    systems = {"one": "Popularity", "two": "Random"}
    one = execute_study(study_of({"vary": {"cutoff": [3, 5]}, "draws": 0}))
    other = execute_study(study_of({"vary": {"cutoff": [2, 4]}, "draws": 20}, systems=systems))
    for name in ("designs", "values", "pairs"):
        assert one.to_polars(name).schema == other.to_polars(name).schema
