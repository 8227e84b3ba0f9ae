from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import pytest
from hypothesis import example, given, settings

from base.salads import SALADS, Dressing, GreenLeaf, NoDressing, Oil, Soup
from cranfield.base.errors import (
    BadParameter,
    UnknownDecision,
    UnknownOption,
    UnknownParameter,
)
from cranfield.base.options import (
    contract,
    decisions,
    describe,
    find,
    fold,
    from_table,
    fulfils,
    is_option,
    option,
    options,
    parameters,
    parse,
    to_table,
)
from suites import tries


@settings(deadline=None, max_examples=tries(150))
@given(SALADS)
@example(GreenLeaf(label="none", owner="none"))
@example(GreenLeaf(label="007", since="007"))
@example(GreenLeaf(dressing=NoDressing()))
def test_what_is_spelled_reads_back_the_same(salad: GreenLeaf) -> None:
    again = parse("salad", str(salad))
    assert again == salad
    assert hash(again) == hash(salad)
    assert str(again) == str(salad)


@settings(deadline=None, max_examples=tries(150))
@given(SALADS)
def test_what_a_table_records_reads_back_the_same(salad: GreenLeaf) -> None:
    assert from_table("salad", to_table(salad)) == salad


def test_an_object_that_can_do_the_same_stands_for_an_option() -> None:
    import cranfield.collection.source  # noqa: F401

    class Mine:
        def read(self) -> None: ...

    class Other:
        read = 5

    assert fulfils("source", Mine())
    assert not any(fulfils("source", each) for each in (Other(), 5, "simulated", None))
    assert not fulfils("dressing", object()), "a contract without methods asks for an option"


def test_a_table_holds_plain_values_only() -> None:
    salad = GreenLeaf(others=(Oil(),), named={"usual": NoDressing()}, calories={1: 2})
    table = to_table(salad)
    assert table["others"] == [{"name": "oil", "drops": 3, "share": 0.5}]
    assert table["named"] == {"usual": {"name": "none"}}
    assert table["calories"] == {"1.0": 2.0}
    assert table["as"] == "whole"


def test_defaults_are_not_spelled() -> None:
    assert str(GreenLeaf()) == "Green-Leaf"
    assert str(GreenLeaf(dressing=Oil(drops=5))) == "Green-Leaf"
    assert str(Oil(drops=3, share=0.5)) == "oil"


def test_a_cutoff_is_spelled_behind_an_at_sign() -> None:
    assert str(GreenLeaf(cutoff=10, label="x")) == "Green-Leaf(label=x)@10"
    assert parse("salad", "Green-Leaf(label=x)@10") == GreenLeaf(cutoff=10, label="x")
    assert parse("salad", "Green-Leaf(cutoff=10)") == GreenLeaf(cutoff=10)


def test_a_cutoff_that_a_table_gives_as_none_is_refused_where_a_number_is_needed() -> None:
    with pytest.raises(BadParameter, match="soup, cutoff: none is not a whole number"):
        from_table("salad", {"name": "soup", "litres": 1, "cutoff": None})


def test_a_field_that_ends_in_an_underscore_is_written_without() -> None:
    assert str(GreenLeaf(as_="torn")) == "Green-Leaf(as=torn)"
    assert parse("salad", "lettuce(as=torn)") == GreenLeaf(as_="torn")


@pytest.mark.parametrize(
    "name", ["Green-Leaf", "green-leaf", "GREENLEAF", "green_leaf", "Lettuce", "GL", "g-l"]
)
def test_an_option_is_found_whatever_the_case_and_hyphens_of_its_name_or_alias(name: str) -> None:
    assert find("salad", name) is GreenLeaf
    assert parse("salad", name) == GreenLeaf()


def test_parameters_are_found_whatever_their_case_hyphens_or_alias() -> None:
    assert parse("salad", "gl(Label=x)") == GreenLeaf(label="x")
    assert parse("salad", "gl(note=x)") == GreenLeaf(label="x")


def test_values_without_a_name_go_to_the_parameters_in_order() -> None:
    assert parse("dressing", "oil(7, 0.25)") == Oil(drops=7, share=0.25)
    assert parse("dressing", "oil(7, share=0.25)") == Oil(drops=7, share=0.25)


def test_a_nested_option_comes_as_object_text_or_table() -> None:
    expected = GreenLeaf(dressing=Oil(drops=9))
    assert parse("salad", "gl(dressing=oil(drops=9))") == expected
    assert GreenLeaf(dressing="oil(drops=9)") == expected
    table = {"name": "gl", "dressing": {"name": "oil", "drops": 9}}
    assert from_table("salad", table) == expected
    assert from_table("salad", "gl(dressing=oil(drops=9))") == expected


def test_an_option_may_be_called_none() -> None:
    assert str(GreenLeaf(dressing=NoDressing())) == "Green-Leaf(dressing=none)"
    assert parse("salad", "gl(dressing=none)") == GreenLeaf(dressing=NoDressing())
    assert parse("dressing", "none") == NoDressing()


def test_a_single_value_stands_for_a_list_of_one() -> None:
    assert parse("salad", "gl(prices=2)") == GreenLeaf(prices=(2.0,))


def test_whole_numbers_become_floats_so_that_equal_options_are_equal() -> None:
    one, other = GreenLeaf(weight=2), GreenLeaf(weight=2.0)
    assert one == other
    assert hash(one) == hash(other)
    assert str(one) == str(other) == "Green-Leaf(weight=2)"
    assert parse("dressing", "oil(drops=4.0)") == Oil(drops=4)


def test_options_with_tables_can_be_keys() -> None:
    one, other = GreenLeaf(calories={1: 2, 3: 4}), GreenLeaf(calories={3.0: 4.0, 1.0: 2.0})
    assert len({one, other}) == 1


def test_text_parameters_take_bare_words_as_typed() -> None:
    assert parse("salad", "gl(label=007)").label == "007"
    assert parse("salad", "gl(label=12)").label == "12"
    assert parse("salad", "gl(label=true)").label == "true"
    assert parse("salad", "gl(label=1_000)").label == "1_000"


@pytest.mark.parametrize("value", ["1e5", "none", "a@b", "f(x)", "1.50"])
def test_bare_values_that_text_would_change_need_quotes(value: str) -> None:
    with pytest.raises(BadParameter, match="is not text; put it in double quotes"):
        parse("salad", f"gl(label={value})")
    assert parse("salad", f'gl(label="{value}")').label == value


def test_decisions_tell_what_they_are_about() -> None:
    assert "salad" in decisions()
    assert describe("salad") == "What is eaten."
    assert describe("dressing") == "What goes on a salad."
    assert list(options("dressing")) == ["oil", "none"]


def test_an_unknown_decision_is_refused_with_the_near_name() -> None:
    for ask in (options, describe):
        with pytest.raises(UnknownDecision, match=r'no decision is called "salat".*"salad"'):
            ask("salat")
    with pytest.raises(UnknownDecision):
        option("salat", "x")(Oil)
    with pytest.raises(UnknownOption):
        find("salad", "stew")
    with pytest.raises(UnknownParameter):
        parse("salad", "gl(size=1)")


def test_the_list_of_options_is_a_copy() -> None:
    options("dressing").clear()
    assert options("dressing")


def test_parameters_are_described_as_declared() -> None:
    drops, share = parameters(Oil)
    assert (drops.name, drops.default, drops.text) == ("drops", 3, "How many drops.")
    assert drops.required is False
    assert str(drops.bounds) == "of at least 1"
    assert str(share.bounds) == "above 0 and below 1"
    assert parameters(Soup)[0].required is True
    assert parameters(GreenLeaf)[3].aliases == ("note",)


def test_two_options_cannot_share_a_name() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Other(Dressing):
        pass

    for name in ("oil", "O-I-L", "None"):
        with pytest.raises(ValueError, match="two options of dressing are called"):
            option("dressing", name)(Other)
    with pytest.raises(ValueError, match="two options of dressing are called 'oil'"):
        option("dressing", "vinegar", aliases=("oil",))(Other)
    assert list(options("dressing")) == ["oil", "none"]


@pytest.mark.parametrize("name", ["two words", "a(b)", "a@b", "", "a=b", 'q"'])
def test_a_name_that_cannot_be_spelled_is_refused(name: str) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Unspeakable(Dressing):
        pass

    with pytest.raises(ValueError, match="cannot be spelled"):
        option("dressing", name)(Unspeakable)


def test_an_option_must_be_a_frozen_dataclass() -> None:
    class Plain(Dressing):
        pass

    @dataclass(kw_only=True)
    class Thawed(Dressing):
        pass

    for cls in (Plain, Thawed):
        with pytest.raises(TypeError, match=r"put @option above @dataclass\(frozen=True"):
            option("dressing", "water")(cls)


def test_no_parameter_can_be_called_name() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Named(Dressing):
        name: str = "x"

    with pytest.raises(TypeError, match="a table's name is the option"):
        option("dressing", "water")(Named)


def test_what_runs_after_an_option_is_made_sees_converted_parameters() -> None:
    seen: list[object] = []

    @contract("after-check")
    class After(Protocol):
        """A contract for this test."""

    @option("after-check", "kept")
    @dataclass(frozen=True, kw_only=True)
    class Kept(After):
        size: float = 1

        def __post_init__(self) -> None:
            seen.append((self.size, type(self.size)))

    Kept(size=3)
    assert seen == [(3.0, float)]


def test_only_options_are_options() -> None:
    assert is_option(Oil())
    assert not is_option("oil")


def test_names_are_folded() -> None:
    assert fold("Green_Leaf Salad-X") == "greenleafsaladx"
