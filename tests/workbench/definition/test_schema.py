"""The schema of definitions accepts what is read, and refuses what is not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cranfield.base import options
from cranfield.base.decisions import declared
from cranfield.base.errors import CranfieldError
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.files import read_file, toml_text
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.schema import definition_schema
from cranfield.workbench.definition.table import with_answer, write_table
from experiment_cases import experiment_of, study_of, table_of

jsonschema = pytest.importorskip("jsonschema")

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.*ml"))


@cache
def validator() -> Any:
    schema = definition_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def accepts(table: Any) -> bool:
    return bool(validator().is_valid(json.loads(json.dumps(table))))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_are_valid(path: Path) -> None:
    validator().validate(read_file(path))


@pytest.mark.parametrize("changes", [
    {}, {"title": "A", "seed": 3}, {"metrics": "nDCG@5"}, {"systems": ["Popularity", "Random"]},
    {"metrics": [{"name": "nDCG", "cutoff": 5, "gain": "exponential"}, "Gini@5"]},
    {"filters": ["k-core(k=2)"], "train_filters": ["k-core(k=3)"], "test_filters": ["sample"],
     "by": ["activity:2"], "assess": ["correlation"]},
    {"split": {"name": "per-user", "test_share": 0.3}}, {"depth": "none"}, {"scale": [1, 5]},
    {"comparison": {"test": "t", "rope": "5 %", "subsets": {"count": 3}}, "least_train": 2},
    {"data": {"source": "simulated(size=tiny)"}}, {"data": {"name": "simulated"}},
])  # fmt: skip
def test_what_is_read_is_valid(changes: dict[str, Any]) -> None:
    table = table_of(**changes)
    read_table(table)
    validator().validate(table)


@pytest.mark.parametrize("changes", [
    {"ties": "item-idd"}, {"relevance": None}, {"metrics": None}, {"split": None}, {"seed": -1},
    {"judged_share": 1.5}, {"nonsense": 1}, {"split": {"name": "per-user", "share": 0.3}},
    {"split": {"name": "per-user", "test_share": 1.3}}, {"split": {"test_share": 0.3}},
    {"split": {"name": "no-such-split"}}, {"comparison": {"alpha": 1.0}}, {"scale": [1, 2, 3]},
    {"comparison": {"test": {"name": "nonsense"}}}, {"systems": {"a": 7}}, {"depth": 0},
    {"relevance": "four"}, {"systems": {"a": {"name": "user-kNN", "k": 0}}}, {"depth": 1.5},
])  # fmt: skip
def test_what_is_refused_is_not_valid(changes: dict[str, Any]) -> None:
    table = table_of(**changes)
    with pytest.raises(CranfieldError):
        read_table(table)
    assert not accepts(table)


def test_every_word_of_every_closed_list_is_valid_and_no_other() -> None:
    found = [each for each in declared(Experiment) if each.answers]
    assert len(found) > 10
    for each in found:
        for word in each.answers:
            validator().validate(with_answer(table_of(), each.path, word))
        assert not accepts(with_answer(table_of(), each.path, "nonsense")), each.path


def test_every_option_is_valid_as_a_table_of_all_its_parameters() -> None:
    definitions = definition_schema()["$defs"]
    checked = 0
    for kind in options.decisions():
        schema = {"$ref": f"#/$defs/{kind}", "$defs": definitions}
        for cls in options.options(kind).values():
            if any(each.required for each in options.parameters(cls)):
                continue
            try:
                made = cls()
            except CranfieldError:  # one of its parameters must be given
                continue
            table = json.loads(json.dumps(options.to_table(made), default=str))
            jsonschema.Draft202012Validator(schema).validate(table)
            wrong = {**table, "no_such_parameter": 1}
            assert not jsonschema.Draft202012Validator(schema).is_valid(wrong), cls
            checked += 1
    assert checked > 60


def test_what_is_written_completely_is_valid() -> None:
    asked = experiment_of(metrics=["nDCG@5", "Gini@5"], by=["activity"], assess=["robustness"])
    for complete in (False, True):
        table = write_table(asked, complete=complete)
        validator().validate({key: value for key, value in table.items() if value is not None})
    assert toml_text(table)


def test_studies_are_valid_and_their_decisions_checked() -> None:
    study = {"vary": {"cutoff": [3, 5]}, "draws": 10, "repeat": {"split_seeds": 2}}
    table = study_of(study).to_table()
    validator().validate(_without_nothing(table))
    validator().validate({**table_of(), "study": study})
    for wrong in ({"way": "sideways"}, {"share": 0}, {"nonsense": 1}, {"draws": -1}):
        assert not accepts({**table_of(), "study": {**study, **wrong}})


def _without_nothing(value: Any) -> Any:
    """As TOML holds it, which has no null."""
    if isinstance(value, dict):
        return {key: _without_nothing(each) for key, each in value.items() if each is not None}
    return value


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "definition"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(definition_schema()))
