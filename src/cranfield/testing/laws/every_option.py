"""Laws of every option: its spelling, its table, its parameters, and that it never changes."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator
from typing import Any, Literal, get_origin

from cranfield.base.decisions import Decision, parameters, written
from cranfield.base.errors import CranfieldError
from cranfield.base.options import find, from_table, parse, spell_fully, to_table
from cranfield.testing.examples import members
from cranfield.testing.law import EVERY, law, require

_NO_ANSWER = "no-such-answer"


@law(EVERY)
def a_name_finds_the_option(option: Any) -> None:
    """An option is found by its decision and its name."""
    found = find(option.decision, option.option_name)
    require(found is type(option), f"{option.option_name} is the name of {found.__qualname__}")


@law(EVERY)
def the_spelling_reads_back(option: Any) -> None:
    """``parse(decision, str(x)) == x``, also with every parameter spelled out."""
    for text in (str(option), spell_fully(option)):
        found = parse(option.decision, text)
        require(found == option, f"{text!r} is read as {found!r}, not {option!r}")
        require(str(found) == str(option), f"{text!r} is spelled {found} when read")


@law(EVERY)
def the_table_reads_back(option: Any) -> None:
    """An option is the same after a table of its name and parameters, also through JSON."""
    table = to_table(option)
    require(table["name"] == option.option_name, f"the table is called {table['name']}")
    names = {"name", *(written(known.name) for known in parameters(type(option)))}
    require(set(table) == names, f"the table holds {sorted(table)}, not {sorted(names)}")
    for each in (table, json.loads(json.dumps(table))):
        found = from_table(option.decision, each)
        require(found == option, f"the table {each} is read as {found!r}")


@law(EVERY)
def an_option_cannot_be_changed(option: Any) -> None:
    """No parameter of an option can be set once it is made."""
    for known in parameters(type(option)):
        try:
            setattr(option, known.name, getattr(option, known.name))
        except dataclasses.FrozenInstanceError:
            continue
        raise AssertionError(f"{known.name} can be set")


@law(EVERY)
def equal_options_have_equal_hashes(option: Any) -> None:
    """Options can be keys of a dictionary; equal ones are one key."""
    again = dataclasses.replace(option)
    require(again == option, f"a copy is {again!r}")
    require(hash(again) == hash(option), "a copy has another hash")


@law(EVERY)
def a_wrong_parameter_is_refused(option: Any) -> None:
    """A value outside the bounds, of another type or not on the list, and a parameter that
    does not exist, are refused by a `CranfieldError`.
    """
    name, decision = option.option_name, option.decision
    try:
        parse(decision, f"{name}(no_such_parameter=1)")
    except CranfieldError:
        pass
    else:
        raise AssertionError("a parameter that does not exist is accepted")
    for known in parameters(type(option)):
        for value in _wrong_values(known):
            try:
                dataclasses.replace(option, **{known.name: value})
            except CranfieldError:
                continue
            raise AssertionError(f"{written(known.name)} = {value!r} is accepted")


def _wrong_values(known: Decision) -> Iterator[object]:
    """Values that a parameter cannot take, by its declared type and bounds."""
    if known.type is Any:
        return
    yield object()
    kinds = members(known.type)
    if any(get_origin(kind) is Literal for kind in kinds):
        yield _NO_ANSWER
    if set(kinds) <= {int, float}:
        yield from (math.nan, _NO_ANSWER)
        yield from () if known.read else (math.inf,)  # what is read in its own way may be infinite
        bounds = known.bounds
        yield from (end for end in (bounds.above, bounds.below) if end is not None)
        yield from (bounds.at_least - 1,) if bounds.at_least is not None else ()
        yield from (bounds.at_most + 1,) if bounds.at_most is not None else ()


@law(EVERY)
def an_option_says_what_it_is(option: Any) -> None:
    """The class has a docstring, and every parameter a text: `cranfield options` shows them."""
    require(bool((type(option).__doc__ or "").strip()), "the class has no docstring")
    for known in parameters(type(option)):
        require(bool(known.text.strip()), f"{written(known.name)} has no text")
