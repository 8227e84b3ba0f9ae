from __future__ import annotations

from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.checking.spelling import (
    Spelled,
    is_word,
    read_spelling,
    read_value,
    split_list,
    write_spelling,
    write_value,
)
from cranfield.base.errors import BadSpelling
from suites import tries

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(TEXTS | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=tries(150))
@given(VALUES)
def test_a_value_that_is_written_reads_back_the_same(value: object) -> None:
    read = read_spelling(f"x(a={write_value(value)})").named["a"]
    assert read == value
    whole = isinstance(value, float) and value.is_integer()
    assert type(read) is type(value) or whole


@settings(deadline=None)
@given(st.lists(VALUES, max_size=3), st.none() | st.integers() | st.floats(allow_nan=False))
def test_a_spelled_option_is_its_own_text(values: list[object], cutoff: object) -> None:
    spelled = Spelled("x", tuple(values), {"a": 1, "b": "none"}, cutoff)
    assert read_spelling(str(spelled)) == spelled


@settings(deadline=None, max_examples=tries(150))
@given(st.text(alphabet='ab1 "(),=@[]{}:\\.-n', max_size=12))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    with suppress(BadSpelling):
        spelled = read_spelling(text)
        assert read_spelling(str(spelled)) == spelled


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("P", Spelled("P")),
        ("P()", Spelled("P")),
        ("  P ( a = 1 , b = x ) @ 10 ", Spelled("P", (), {"a": 1, "b": "x"}, 10)),
        ("P(1, two, a=3)", Spelled("P", (1, "two"), {"a": 3})),
        (
            "P(a=Q(b=R@5)@6)@7",
            Spelled("P", (), {"a": Spelled("Q", (), {"b": Spelled("R", cutoff=5)}, 6)}, 7),
        ),
        ("P(a=[])", Spelled("P", (), {"a": []})),
        ("P(a={})", Spelled("P", (), {"a": {}})),
        ("P(a=[1, [x], {y: 2}])", Spelled("P", (), {"a": [1, ["x"], {"y": 2}]})),
        ('P(a="b, c = (d)")', Spelled("P", (), {"a": "b, c = (d)"})),
        (r'P(a="\"\\\n\u00e9")', Spelled("P", (), {"a": '"\\\né'})),
        ('P(a="line\nbreak")', Spelled("P", (), {"a": "line\nbreak"})),
        ("P(path=/data/x-1.csv)", Spelled("P", (), {"path": "/data/x-1.csv"})),
        (
            "P(a=-1, b=+0.5, c=1e-3, d=.5, e=5.)",
            Spelled("P", (), {"a": -1, "b": 0.5, "c": 0.001, "d": 0.5, "e": 5.0}),
        ),
        ("P(a=TRUE, b=False, c=None)", Spelled("P", (), {"a": True, "b": False, "c": None})),
    ],
)
def test_the_grammar_is_read(text: str, spelled: Spelled) -> None:
    assert read_spelling(text) == spelled


@pytest.mark.parametrize(
    ("text", "character", "wanted"),
    [
        ("", 1, "a name"),
        ("  ", 1, "a name"),
        ("(a=1)", 1, "a name"),
        ('"P"', 1, "a name"),
        ("P(", 3, "a value"),
        ("P(a", 4, '","'),
        ("P(a=", 5, "a value"),
        ("P(a=1", 6, '","'),
        ("P(a=1,", 7, "a value"),
        ("P(a=1,)", 7, "a value"),
        ("P(a=1 b=2)", 6, '","'),
        ("P(1=2)", 4, '","'),
        ("P(a=1, 2)", 7, "parameter=value"),
        ("P(a=1, a=2)", 7, '"a" only once'),
        ("P)", 2, "the end"),
        ("P Q", 2, "the end"),
        ("P@", 3, "a cut-off"),
        ("P@(5)", 3, "a cut-off"),
        ("P@5@6", 4, "the end"),
        ("P(a=[1", 7, '","'),
        ("P(a={1)", 7, '":"'),
        ("P(a={1: 2, 1: 3})", 6, "each key only once"),
        ("P(a={[1]: 2})", 6, "a key"),
        ("P(a={Q(b=1): 2})", 7, '":"'),
        (r'P(a="\q")', 5, "text with JSON escapes"),
        ('P(a="open)', 5, "a value"),
    ],
)
def test_a_slip_is_shown_with_its_place(text: str, character: int, wanted: str) -> None:
    with pytest.raises(BadSpelling) as caught:
        read_spelling(text)
    assert str(caught.value) == (
        f'cannot read "{text}" as an option: at character {character} {wanted} is expected. '
        f"The form is Name(parameter=value, …)."
    )


@pytest.mark.parametrize(
    ("word", "value"),
    [("0", 0), ("-7", -7), ("1e5", 1e5), ("inf", float("inf")), ("none", None), ("True", True)]
    + [(word, word) for word in ("007", "-007", "1_000", "٣", "0x10", "1e", "e5", "x", "--1")],
)
def test_words_are_numbers_only_if_nothing_is_lost(word: str, value: object) -> None:
    assert read_value(word) == value
    assert type(read_value(word)) is type(value)


def test_numbers_too_long_to_read_stay_words() -> None:
    assert read_value("-" + "9" * 5000) == "-" + "9" * 5000


def test_words_are_told_from_other_text() -> None:
    assert is_word("nDCG")
    assert is_word("random-exact")
    for text in ("", "a b", "a,b", "a@1", "(a)"):
        assert not is_word(text)


def test_options_are_written_as_they_are_read() -> None:
    given_values = {"a": 1.0, "b": "two words", "c": ("x", None), "d": {1: True}}
    written = 'P(a=1, b="two words", c=[x, none], d={1: true})@5'
    assert write_spelling("P", given_values, 5) == written
    assert write_spelling("P", {}) == "P"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", ["a"]),
        ("a, b", ["a", "b"]),
        ("P@5, nDCG(gain=x, y=[1, 2])@10", ["P@5", "nDCG(gain=x, y=[1, 2])@10"]),
        ('f(a="x, y"), g', ['f(a="x, y")', "g"]),
        (r'f(a="\", \\"), g', [r'f(a="\", \\")', "g"]),
        ("f(a={1: 2, 3: 4}), g", ["f(a={1: 2, 3: 4})", "g"]),
        ('f(a=")"), g', ['f(a=")")', "g"]),
    ],
)
def test_a_list_is_cut_at_commas_outside_brackets_and_quotes(text: str, parts: list[str]) -> None:
    assert split_list(text) == parts


@pytest.mark.parametrize("opened", ["a(", "a(b=", "a([", "a({b: "])
def test_brackets_are_nested_to_a_limit(opened: str) -> None:
    with pytest.raises(BadSpelling, match="at most 32 levels of brackets is expected"):
        read_spelling(opened * 3000)
    assert read_spelling("a(" * 32 + ")" * 32).name == "a"


def test_a_long_word_that_only_begins_as_a_number_is_read_at_once() -> None:
    """A pattern that tries every place of the point anew would take minutes."""
    word = "9" * 100_000 + "x"
    begun = process_time()
    assert read_value(word) == word
    assert process_time() - begun < 1
