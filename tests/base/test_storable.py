"""Objects become arrays and JSON, and the same objects again; nothing else becomes an object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import GenericAlias
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from cranfield.base import storable as module
from cranfield.base.storable import NotStorable, State, Undecodable, decode, encode, storable

Scalar = TypeVar("Scalar", bound=np.generic)


@storable
class Places(NamedTuple):
    offsets: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int32]


@storable
@dataclass(frozen=True, eq=False)
class Model:
    rows: Places
    pair: tuple[npt.NDArray[np.float64], int]
    names: tuple[str, ...]
    mean: float
    way: Literal["up", "down"]
    depth: int | None
    more: Mapping[str, Any]


@storable
@dataclass(frozen=True)
class Table:
    columns: pl.DataFrame


@storable
class Own:
    """A model that holds what cannot be stored, and says what it can be made from again."""

    def __init__(self, factor: float) -> None:
        self.weigh = lambda value: value * factor
        self.factor = factor

    def encode(self) -> Mapping[str, Any]:
        return {"factors": np.array([self.factor])}

    @classmethod
    def decode(cls, fields: Mapping[str, Any]) -> Own:
        return cls(float(fields["factors"][0]))


class Stranger:
    """Nobody registered it."""


def model(**changes: Any) -> Model:
    given: dict[str, Any] = {
        "rows": Places(np.array([0, 2]), np.array([1, 0], np.int32)),
        "pair": (np.array([0.1 + 0.2, np.nan, -0.0]), 3),
        "names": ("a", "β"),
        "mean": np.float64(1 / 3),
        "way": "up",
        "depth": None,
        "more": {"list": [1, 2], "tuple": (1, 2), "inner": {"array": "rows.codes"}},
    }
    return Model(**{**given, **changes})


def through_json(thing: object) -> State:
    arrays, facts = encode(thing)
    return State(arrays, json.loads(json.dumps(facts)))


def test_an_object_comes_back_bit_for_bit() -> None:
    made = model()
    found = decode(through_json(made), Model)
    assert isinstance(found.rows, Places)
    assert found.rows.codes.dtype == np.int32
    assert found.pair[0].tobytes() == made.pair[0].tobytes()
    assert (found.pair[1], found.names, found.way, found.depth) == (3, ("a", "β"), "up", None)
    assert found.mean == 1 / 3
    assert found.more == made.more, "what looks like a reference to an array is none"


def test_arrays_are_named_for_where_they_belong() -> None:
    assert set(encode(model()).arrays) == {"rows.offsets", "rows.codes", "pair.0"}


def test_tables_come_back_with_their_types() -> None:
    table = pl.DataFrame(
        {"x": [1.5, None], "n": pl.Series([1, 2], dtype=pl.UInt32), "s": ["a", None]}
    )
    found = decode(through_json(Table(table)), Table).columns
    assert found.equals(table)
    assert found.schema == table.schema


def test_a_class_may_say_itself_what_is_stored() -> None:
    assert decode(through_json(Own(2.5)), Own).weigh(2) == 5


@pytest.mark.parametrize(
    "thing",
    [
        Stranger(),
        model(more={"it": Stranger()}),
        model(more={"it": lambda: None}),
        model(more={1: "number as name"}),
        model(pair=(np.array([Stranger()]), 3)),
        Table(pl.DataFrame({"x": [b"bytes"]})),
        Places,
        {"a": "mapping"},
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_what_is_neither_arrays_nor_json_is_not_stored(thing: object) -> None:
    with pytest.raises(NotStorable):
        encode(thing)


WRONG_FIELDS: list[dict[str, Any]] = [
    {"mean": "0.5"},
    {"mean": None},
    {"mean": True},
    {"depth": 1.0},
    {"depth": True},
    {"way": "sideways"},
    {"names": [1, 2]},
    {"names": "ab"},
    {"more": [1]},
    {"pair": [{"array": "pair.0"}]},
    {"pair": [{"array": "rows.codes"}, 3]},
    {"pair": [[0.5], 3]},
    {"rows": {"array": "pair.0"}},
    {"rows": [{"array": "rows.offsets"}, {"array": "rows.codes"}]},
    {"rows": {"class": "Table", "fields": {"columns": {"table": []}}}},
    {"rows": {"class": "Places", "fields": {}}},
    {"rows": {"class": "Places", "fields": {"offsets": {"array": "rows.offsets"}}}},
]


@pytest.mark.parametrize("wrong", WRONG_FIELDS, ids=str)
def test_fields_of_other_types_are_refused(wrong: dict[str, Any]) -> None:
    arrays, facts = through_json(model())
    decode(State(arrays, facts), Model)
    facts["object"]["fields"].update(wrong)
    with pytest.raises(Undecodable):
        decode(State(arrays, facts), Model)


DEEP: Any = []
for _ in range(5000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "node",
    [
        None,
        3,
        [],
        DEEP,
        {},
        {"class": "Stranger", "fields": {}},
        {"class": "os.system", "fields": {"command": "true"}},
        {"class": "builtins.eval", "fields": {}},
        {"class": ["Places"], "fields": {}},
        {"class": "Places", "fields": []},
        {"class": "Places", "fields": {}, "more": 1},
        {"class": "Model"},
        {"class": "Own", "fields": {}},
        {"class": "Own", "fields": {"factors": "abc"}},
        {"array": "nowhere"},
        {"array": ["rows.codes"]},
        {"mapping": []},
        {"table": 3},
        {"table": [["x", "Object", [1]]]},
        {"table": [["x", "Int64", ["a"]]]},
        {"table": [["x", "Int64", [1]], ["x", "Int64", [2]]]},
        {"table": [["x", "Int64", [1]], ["y", "Int64", [1, 2]]]},
        {"column": []},
        {"list": None},
        {"pickle": "gASVJQ=="},
    ],
    ids=lambda node: str(node)[:60] if node is not DEEP else "deep",
)
def test_only_what_was_encoded_can_be_decoded(node: Any) -> None:
    with pytest.raises(Undecodable):
        decode(State(encode(model()).arrays, {"object": node}))


def test_facts_without_an_object_are_refused() -> None:
    with pytest.raises(Undecodable):
        decode(State({}, {}))


def test_an_object_of_another_class_is_refused() -> None:
    with pytest.raises(Undecodable, match="it holds Places"):
        decode(encode(model().rows), Model)


def test_arrays_of_another_byte_order_are_refused() -> None:
    arrays, facts = encode(model())
    turned = {name: each.astype(each.dtype.newbyteorder()) for name, each in arrays.items()}
    with pytest.raises(Undecodable):
        decode(State(turned, facts), Model)


def test_two_classes_of_one_name_are_a_mistake() -> None:
    other = type("Model", (), {"__module__": "elsewhere"})
    with pytest.raises(AssertionError, match="called Model"):
        storable(other)
    assert module._classes["Model"] is Model


def test_an_alias_is_the_type_that_it_stands_for() -> None:
    """NumPy's NDArray is an alias of its own kind since 2.5."""

    class Alias:
        __value__ = np.ndarray[tuple[Any, ...], np.dtype[Scalar]]

    hint = GenericAlias(Alias, (np.float64,))
    assert module._matches(np.zeros(3), hint)
    assert not module._matches(np.zeros(3, np.int8), hint)
    assert not module._matches([0.0], hint)
