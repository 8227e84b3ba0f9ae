"""Rows of reproductions are keyed by identifiers, and keep what readers call their columns."""

from __future__ import annotations

import json
import re
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.files import json_text
from cranfield.view.page.reproductions import items_markdown
from cranfield.workbench.cli.main import main
from cranfield.workbench.reproduction.files import item_of
from cranfield.workbench.reproduction.records import (
    IDENTIFIER,
    frame_of,
    identifiers,
    labelled_rows,
    reproduction_schema,
)
from cranfield.workbench.reproduction.reproducing import Reproduced, Shown
from cranfield.workbench.reproduction.reproduction import Claim, Reproduction, Show
from cranfield.workbench.reproduction.states import Judgment, Support, Verdict

jsonschema = pytest.importorskip("jsonschema")


@given(st.lists(st.text(max_size=8), unique=True, max_size=8))
def test_names_are_identifiers_and_no_two_are_the_same(labels: list[str]) -> None:
    found = identifiers(labels)
    assert all(re.fullmatch(IDENTIFIER, name) for name in found)
    assert len(set(found)) == len(labels)


@given(st.lists(st.from_regex(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", fullmatch=True), unique=True))
def test_an_identifier_stays_as_it_is(names: list[str]) -> None:
    assert identifiers(names) == names


@given(st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=5), st.integers(0, 3))
def test_rows_come_back_under_their_labels(labels: list[str], count: int) -> None:
    rows = pl.DataFrame({label: [float(place)] * count for place, label in enumerate(labels)})
    record = json.loads(json.dumps(labelled_rows(rows, "rows")))
    assert frame_of(record, "rows").rows() == rows.rows()
    assert frame_of(record, "rows").columns == labels
    assert all(list(row) == list(record["labels"]) for row in record["rows"])


def made() -> Reproduced:
    rows = pl.DataFrame({"panel": ["A", "B"], "DP doubled": [1.5, 2.0], "nDCG, printed": [1, 2]})
    show = Show("Power", "")
    claim = Claim("Twice.", "")
    figures = rows.with_columns(holds=True)
    defined = Reproduction(
        paper="someone1999", item="Table 1", title="T", definition={}, panels=(), small={},
        shows=(show,), claims=(claim,),
    )  # fmt: skip
    supports = (Support("paper", "A", 2, 2), Support("stand-in", "B", 1, 3))
    judged = Judgment(claim, Verdict(supports=supports), figures)
    data = {"": "ml-1m", "B": "x.csv"}
    return Reproduced(defined, (Shown(show, rows),), (judged,), data, ("B",), False, 1.0, 2.0)


def test_a_record_is_as_its_schema_says() -> None:
    record = json.loads(json_text({"items": [made().to_dict()]}))
    validator = jsonschema.Draft202012Validator(reproduction_schema())
    jsonschema.Draft202012Validator.check_schema(reproduction_schema())
    validator.validate(record)
    shown = record["items"][0]["shows"][0]
    assert shown["labels"]["dp_doubled"] == "DP doubled"
    assert shown["rows"][1] == {"panel": "B", "dp_doubled": 2.0, "ndcg_printed": 2}
    wrong: Any = json.loads(json.dumps(record))
    wrong["items"][0]["shows"][0]["rows"][0]["DP doubled"] = 1
    assert not validator.is_valid(wrong)


def test_a_page_has_the_words_of_readers() -> None:
    text = items_markdown([item_of(json.loads(json_text(made().to_dict())))])
    assert "| panel | DP doubled | nDCG, printed |" in text
    assert "Data: ml-1m, B: x.csv." in text
    assert "| Twice. | holds | holds on A; on the stand-in B 1 of 3 |" in text


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "reproduction"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(reproduction_schema()))
