"""Definitions in files: what YAML and TOML hold, and what is said of what they do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.checking.spelling import DEEPEST
from cranfield.base.errors import BadExperiment, OptionError
from cranfield.workbench import inventory
from cranfield.workbench.definition.files import parse_definition, read_file, read_value
from suites import tries

NAMES = st.text("a1.: -~é日'\"", min_size=1, max_size=5)
TABLES = st.recursive(
    st.integers(-9, 9) | st.text(st.characters(codec="ascii"), max_size=4) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=tries(50))
@given(st.dictionaries(NAMES, TABLES, max_size=3))
def test_json_is_yaml_and_is_read_as_it_stands(table: dict[str, Any]) -> None:
    assert parse_definition("a.yaml", json.dumps(table).encode()) == table


def test_names_in_yaml_are_text_as_they_are_written() -> None:
    text = "1: a\ntrue: b\nnull: c\n2020-01-01: d\nno: e\n0x10: f\n"
    table = parse_definition("a.yml", text.encode())
    assert "".join(table.values()) == "abcdef"
    assert list(table) == ["1", "true", "null", "2020-01-01", "no", "0x10"]


def test_values_in_yaml_keep_their_types() -> None:
    table = parse_definition("a.yml", b"a: 1\nb: 0.5\nc: true\nd: [x, 2]\n")
    assert table == {"a": 1, "b": 0.5, "c": True, "d": ["x", 2]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("systems:\n  a: x\n  a: y\n", r'"a" is there twice \(at line 3, column 3\)'),
        ("a: {b: [1, {c: 2, c: 3}]}", r'"c" is there twice \(at line 1, column 19\)'),
        ("systems:\n\ta: x\n", r"cannot start any token \(at line 2, column 1\)"),
        ("? [a]\n: 3\n", r"a name is not text \(at line 1, column 3\)"),
        ("a: 1\n---\nb: 2\n", "expected a single document"),
        ("a: !!python/object:os.x y", "could not determine a constructor"),
        ("", "it is not a table of decisions"),
        ("- a\n", "it is not a table of decisions"),
    ],
)
def test_what_is_wrong_with_yaml_is_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadExperiment, match=message) as caught:
        parse_definition("a.yaml", text.encode())
    assert str(caught.value).startswith("a.yaml: ")
    assert "\n" not in str(caught.value)
    assert "unicode string" not in str(caught.value)


def test_a_table_in_yaml_may_build_on_another() -> None:
    text = "x: &x {a: 1, b: 2}\ny:\n  <<: *x\n  b: 3\n"
    assert parse_definition("a.yaml", text.encode())["y"] == {"a": 1, "b": 3}


@pytest.mark.parametrize(("name", "text"), [("a.toml", "seed = 2\n"), ("a.yaml", "seed: 2\n")])
def test_a_mark_of_windows_before_the_text_is_passed_over(name: str, text: str) -> None:
    assert parse_definition(name, b"\xef\xbb\xbf" + text.encode()) == {"seed": 2}


def test_toml_says_the_line() -> None:
    with pytest.raises(BadExperiment, match=r"a.toml: .*line 2, column"):
        parse_definition("a.toml", b"seed = 1\nseed = 2\n")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), ("0.5", 0.5), ("true", True), ('"3"', "3"), ("[1, 2]", [1, 2]),
        ("[P@5, nDCG(gain=exponential)@10]", ["P@5", "nDCG(gain=exponential)@10"]),
        ("[]", []), ("", ""), ("random", "random"), ("{ name = 'random' }", {"name": "random"}),
    ],
)  # fmt: skip
def test_a_value_is_read_as_toml_and_else_as_text(text: str, value: object) -> None:
    assert read_value(text) == value


def changed(tmp_path: Path, *changes: str) -> dict[str, Any]:
    inventory.load()
    path = tmp_path / "a.toml"
    path.write_text('split = "per-user"\n[systems]\n"my.model" = "user-kNN(k=5)"\n')
    return read_file(path, changes)


def test_a_system_with_dots_in_its_name_is_reached_by_quotes(tmp_path: Path) -> None:
    made = changed(tmp_path, 'systems."my.model".k=7', "systems.'a=b'=Popularity")
    assert made["systems"]["my.model"]["k"] == 7
    assert made["systems"]["a=b"] == "Popularity"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("systems.my.model.k=7", r'A name with dots stands in quotes: systems."my.model".k\.$'),
        ("systems.new.k=7", r"systems.new: nothing is given there yet.*systems.new=NAME\(k=…\)"),
        ("aggregation.epsilon=1", r"aggregation=NAME\(epsilon=…\)"),
        ("comparison.test.draws=9", r"comparison.test=NAME\(draws=…\)"),
        ("split.test_share.x=1", "split.test_share: it has no part x"),
        (".=1", "is not a path"),
    ],
)
def test_a_change_that_cannot_be_made_is_named(tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        changed(tmp_path, change)
    assert str(caught.value).startswith(f'--set "{change}": ')


def test_of_a_test_that_is_left_to_the_aggregation_nothing_can_be_changed(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"comparison.test: it is left to the aggregation"):
        changed(tmp_path, "comparison.test=fitting", "comparison.test.draws=9")


def test_an_option_may_be_begun_by_its_name(tmp_path: Path) -> None:
    made = changed(tmp_path, "aggregation.name=geometric-mean", "aggregation.epsilon=0.5")
    assert made["aggregation"] == {"name": "geometric-mean", "epsilon": 0.5}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.toml", f"a = {'[' * 3000}{']' * 3000}", "nested more than 32 levels deep"),
        ("a.toml", f"a{'.a' * 3000} = 1", "nested more than 32 levels deep"),
        ("a.toml", f"a = {'9' * 5000}", "a number of 5000 digits in it is too long"),
        ("a.yaml", f"a: {'[' * 3000}{']' * 3000}", "nested more than 32 levels deep"),
        ("a.yaml", f"a: {'{a: ' * 3000}{'}' * 3000}", "nested more than 32 levels deep"),
        ("a.yaml", f"a: {'9' * 5000}", "a number of 5000 digits in it is too long"),
        ("a.yaml", "a: &a [x]\nb: &b [*a]\n", r"\*a at line 2 is within what has a name"),
        ("a.yaml", "a: &a {x: 1}\nb: &b {<<: [*a, *a]}\n", r"\*a at line 2"),
        ("a.yaml", "a: &a [*a]\n", r"\*a at line 1"),
        ("a.yaml", f"a: &a [{'x, ' * 999}]\nb: [{'*a, ' * 999}]", "more than 100,000 values"),
    ],
)
def test_what_would_fill_memory_or_the_stack_is_refused(name: str, text: str, message: str) -> None:
    with pytest.raises(BadExperiment, match=message):
        parse_definition(name, text.encode())


def test_what_has_a_name_may_be_repeated() -> None:
    text = b"a: &a {x: 1}\nb: {<<: *a, y: 2}\nc: *a\n"
    assert parse_definition("a.yml", text) == {"a": {"x": 1}, "b": {"x": 1, "y": 2}, "c": {"x": 1}}


@pytest.mark.parametrize("text", ["9" * 5000, "[" * 3000, "[" * 3000 + "]" * 3000, "a(" * 3000])
def test_values_beyond_any_limit_are_text(text: str) -> None:
    found = read_value(text)
    for _ in range(32):
        found = found[0] if isinstance(found, list) else found
    assert isinstance(found, str)


def test_lists_in_lists_are_read_as_deep_as_spellings_go() -> None:
    def nested(levels: int) -> str:
        return "[" * levels + "user-kNN(k=5)" + "]" * levels

    deep = read_value(nested(DEEPEST))
    for _ in range(DEEPEST):
        (deep,) = deep
    assert deep == "user-kNN(k=5)"
    text = read_value(nested(DEEPEST + 1))
    for _ in range(DEEPEST):
        (text,) = text
    assert text == "[user-kNN(k=5)]"
