"""YAML as a table of decisions: names as they stand there, and what is refused."""

from __future__ import annotations

import pytest

from cranfield.base.checking.spelling import DEEPEST
from cranfield.workbench.definition.yaml_files import one_line, yaml_table


def test_names_are_text_as_they_stand_there() -> None:
    assert yaml_table("on: 1\n10: 2\nno: x\n1.50: y") == {"on": 1, "10": 2, "no": "x", "1.50": "y"}


def test_values_are_those_of_yaml() -> None:
    assert yaml_table("a: [1, 0.5, true, null, text]") == {"a": [1, 0.5, True, None, "text"]}


def test_a_name_that_is_there_twice_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match=r'"a" is there twice \(at line 3, column 1\)'):
        yaml_table("a: 1\nb: 2\na: 3")


def test_the_same_name_may_be_in_two_tables() -> None:
    assert yaml_table("a: {k: 1}\nb: {k: 2}") == {"a": {"k": 1}, "b": {"k": 2}}


def test_a_name_that_is_no_text_is_refused() -> None:
    with pytest.raises(ValueError, match="a name is not text"):
        yaml_table("? [a]\n: 1")


def test_a_table_that_is_merged_is_part_of_the_other() -> None:
    text = "base: &b {k: 1, j: 0}\nuse:\n  <<: *b\n  i: 2"
    assert yaml_table(text)["use"] == {"k": 1, "j": 0, "i": 2}


def test_what_is_repeated_may_repeat_nothing_itself() -> None:
    with pytest.raises(ValueError, match=r"\*x at line 2 is within what has a name \(&\)"):
        yaml_table("a: &x [1]\nb: &y [*x]")


def test_it_may_be_nested_so_deeply_and_no_deeper() -> None:
    assert yaml_table("[" * DEEPEST + "]" * DEEPEST) is not None
    with pytest.raises(ValueError, match=f"more than {DEEPEST} levels"):
        yaml_table("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1))


def test_repetitions_count_by_what_they_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.workbench.definition.yaml_files._MOST", 100)
    ten = "a: &x [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
    assert len(yaml_table(f"{ten}b: [{', '.join(['*x'] * 5)}]")["b"]) == 5
    with pytest.raises(ValueError, match="more than 100 values"):
        yaml_table(f"{ten}b: [{', '.join(['*x'] * 9)}]")


def test_what_is_no_yaml_is_told_in_one_line_with_its_place() -> None:
    with pytest.raises(ValueError, match="line 1") as refused:
        yaml_table("a: [1")
    assert "\n" not in str(refused.value)


def test_characters_that_yaml_forbids_are_told_in_one_line() -> None:
    with pytest.raises(ValueError, match="not allowed") as refused:
        yaml_table("a: \x00")
    assert "\n" not in str(refused.value)


def test_objects_of_python_are_not_made() -> None:
    with pytest.raises(ValueError, match="python"):
        yaml_table("a: !!python/object/apply:os.getcwd []")


def test_one_line_has_single_spaces_and_no_full_stop() -> None:
    assert one_line("several\n  lines,\tjoined.") == "several lines, joined"
