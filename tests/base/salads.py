"""Options of every shape, made up for tests: salads and their dressings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from hypothesis import strategies as st

from cranfield.base.decisions import Table
from cranfield.base.options import contract, option, parameter


@contract("dressing")
class Dressing(Protocol):
    """What goes on a salad.

    A second paragraph, which lists leave out.
    """


@option("dressing", "oil")
@dataclass(frozen=True, kw_only=True)
class Oil(Dressing):
    """Oil alone."""

    drops: int = parameter(3, "How many drops.", at_least=1)
    share: float = parameter(0.5, "How much of it is oil.", above=0, below=1)


@option("dressing", "none")
@dataclass(frozen=True, kw_only=True)
class NoDressing(Dressing):
    """Nothing at all."""


@contract("salad")
class Salad(Protocol):
    """What is eaten."""


@option("salad", "Green-Leaf", aliases=("lettuce", "gl"))
@dataclass(frozen=True, kw_only=True)
class GreenLeaf(Salad):
    """Leaves under a dressing."""

    cutoff: int | None = parameter(None, "How many leaves.", at_least=1)
    dressing: Dressing = parameter("oil(drops=5)", "What goes on it.")
    as_: Literal["whole", "torn", "none"] = parameter("whole", "How it is served.")
    label: str = parameter("", "A note.", aliases=("note",))
    weight: float = parameter(1, "In kilograms.", above=0)
    fresh: bool = parameter(True, "Whether it is from today.")
    prices: tuple[float, ...] = parameter((), "One for each size.")
    span: tuple[int, str] = parameter((1, "day"), "How long it keeps.")
    calories: Mapping[float, float] = parameter(Table(), "For each weight.")
    others: tuple[Dressing, ...] = parameter((), "What else is on the table.")
    named: dict[str, Dressing] = parameter(Table(), "Dressings by name.")
    owner: str | None = parameter(None, "Whose it is.")
    since: int | float | str = parameter(0, "Since when.")


@option("salad", "soup")
@dataclass(frozen=True, kw_only=True)
class Soup(Salad):
    """A salad that needs to be told its size."""

    litres: float = parameter(text="How much of it.")
    cutoff: int = parameter(10, "How many spoons.")


WHOLE = st.integers(1 - 2**63, 2**63 - 1)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
AWKWARD = st.sampled_from(
    [
        "",
        "none",
        "None",
        "true",
        "1e5",
        "1",
        "-0",
        "007",
        "+3",
        "inf",
        "nan",
        "a b",
        "a,b",
        "a=b",
        '"',
        "\\",
        'say "hi"',
        "{x}",
        "[y]",
        "a@b",
        "f(x)",
        "é",
        "日本",
        "\n",
        "\t",
        "\x00",
        " x ",
        "1_000",
        "٣",
        "a:b",
        "it's",
        "\u2028",
        "\x85",
        "0x10",
        "1.",
        ".5",
        "infinity",
        "TRUE",
    ]
)
TEXTS = AWKWARD | st.text(st.characters(exclude_categories=["Cs"]))
DRESSINGS: st.SearchStrategy[Any] = st.just(NoDressing()) | st.builds(
    Oil,
    drops=st.integers(1, 2**63 - 1),
    share=st.floats(0, 1, exclude_min=True, exclude_max=True),
)
SALADS = st.builds(
    GreenLeaf,
    cutoff=st.none() | st.integers(1, 10**9),
    dressing=DRESSINGS,
    as_=st.sampled_from(["whole", "torn", "none"]),
    label=TEXTS,
    weight=st.floats(0, exclude_min=True, allow_infinity=False),
    fresh=st.booleans(),
    prices=st.lists(NUMBERS, max_size=3),
    span=st.tuples(WHOLE, TEXTS),
    calories=st.dictionaries(NUMBERS, NUMBERS, max_size=3),
    others=st.lists(DRESSINGS, max_size=3),
    named=st.dictionaries(TEXTS, DRESSINGS, max_size=3),
    owner=st.none() | TEXTS,
    since=WHOLE | NUMBERS | TEXTS,
)
