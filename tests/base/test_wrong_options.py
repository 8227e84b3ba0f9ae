from __future__ import annotations

from typing import Any

import pytest

from base.salads import GreenLeaf, Oil
from cranfield.base.errors import (
    BadParameter,
    OptionError,
)
from cranfield.base.options import (
    from_table,
    parse,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("oil(drops=0)", "oil, drops: 0 is not a whole number of at least 1."),
        ("oil(drops=1.5)", "oil, drops: 1.5 is not a whole number of at least 1."),
        ("oil(drops=many)", 'oil, drops: "many" is not a whole number of at least 1.'),
        ("oil(drops=true)", "oil, drops: true is not a whole number of at least 1."),
        ("oil(drops=none)", "oil, drops: none is not a whole number of at least 1."),
        (
            "oil(drops=inf)",
            "oil, drops: inf is not a whole number of at least 1.",
        ),
        ("oil(share=1)", "oil, share: 1 is not a number above 0 and below 1."),
        ("oil(share=nan)", "oil, share: nan is not a finite number above 0 and below 1."),
        ("oil(share=oil(2))", "oil, share: oil(2) is not a number above 0 and below 1."),
        ("oil(2, drops=3)", "oil, drops: given twice."),
        ("oil(drops=2, Drops=3)", "oil, Drops: given twice."),
        ("oil(1, 0.5, 3)", "oil has 2 parameters, and 3 values are given."),
        (
            "oil(dorps=2)",
            'oil has no parameter "dorps". Did you mean "drops"? Its parameters are: drops, share.',
        ),
        ("none(x=1)", 'none has no parameter "x". It has no parameters.'),
        (
            "oil@5",
            'oil has no parameter "cutoff". Its parameters are: drops, share.',
        ),
        (
            "oyl",
            (
                'no dressing is called "oyl". Did you mean "oil"? '
                "`cranfield options dressing` lists all 2."
            ),
        ),
        ("xyzzy", 'no dressing is called "xyzzy". `cranfield options dressing` lists all 2.'),
    ],
)
def test_a_wrong_answer_is_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse("dressing", text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gl(as=cooked)", 'Green-Leaf, as: "cooked" is not one of whole, torn, "none".'),
        ("gl(fresh=1)", "Green-Leaf, fresh: 1 is not one of true, false."),
        ("gl(fresh=yes)", 'Green-Leaf, fresh: "yes" is not one of true, false.'),
        ("gl(span=[1])", 'Green-Leaf, span: "[1]" is not a list of 2.'),
        ("gl(calories=5)", "Green-Leaf, calories: 5 is not a table, such as {1: 0, 5: 1}."),
        (
            "gl(calories={1: 2, 1.0: 3})",
            (
                'cannot read "gl(calories={1: 2, 1.0: 3})" as an option: at character 14 each key '
                "only"
                " once is expected. The form is Name(parameter=value, …)."
            ),
        ),
        ("gl(calories={a: 2})", 'Green-Leaf, calories: "a" is not a number.'),
        ("gl(cutoff=5)@10", "gl(cutoff=5)@10, cutoff: given twice."),
        ("soup", "soup needs litres: How much of it."),
        ("gl(prices=[1, x])", 'Green-Leaf, prices[1]: "x" is not a number.'),
    ],
)
def test_each_kind_of_parameter_says_what_it_takes(text: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse("salad", text)
    assert str(caught.value) == message


@pytest.mark.parametrize("value", [5, 2.5, object(), GreenLeaf(), True, b"oil", [1]])
def test_what_is_not_an_answer_to_the_decision_is_refused(value: object) -> None:
    with pytest.raises(OptionError):
        GreenLeaf(dressing=value)


@pytest.mark.parametrize("value", ["3", b"3", True, 1j, None, [3], "three"])
def test_a_number_is_not_made_from_what_is_none(value: object) -> None:
    with pytest.raises(BadParameter):
        Oil(drops=value)  # type: ignore[arg-type]
    with pytest.raises(BadParameter):
        GreenLeaf(weight=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("table", [{}, {"drops": 3}, {"name": 3}, 5, None, [], True])
def test_a_table_needs_a_name(table: Any) -> None:
    with pytest.raises(
        OptionError, match=r"dressing: a table needs a name, as in \{ name = … \}\."
    ):
        from_table("dressing", table)


def test_a_table_may_have_its_numbers_as_keys_of_text() -> None:
    table = {"name": "gl", "calories": {"1": 2, "2.5": 3}}
    assert from_table("salad", table) == GreenLeaf(calories={1.0: 2.0, 2.5: 3.0})


def test_a_table_that_says_one_number_in_two_ways_is_refused() -> None:
    with pytest.raises(BadParameter, match="a table in which each key occurs once"):
        from_table("salad", {"name": "gl", "calories": {"1": 2, "1.0": 3}})


def test_a_parameter_is_given_once_also_under_its_alias() -> None:
    with pytest.raises(OptionError, match=r"Green-Leaf, note: given twice\."):
        parse("salad", "gl(label=x, note=y)")
