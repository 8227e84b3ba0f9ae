"""The space of settings: all that an option with ranges can become."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import inf, prod
from typing import Any

from cranfield.base.checking.ranges import Choice, Range
from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import default_of, parameters, written
from cranfield.base.options import is_option
from cranfield.base.seeds import Seeds, uniforms

Over = Range | Choice
Choose = Callable[[str, Over], Any]
"""Chooses a value of a range, given the path of the parameter that is tuned over it."""


@dataclass(frozen=True)
class Setting:
    """One option without ranges, and what was chosen for each parameter that had one.

    ``values`` are by path, such as ``k`` or ``smoothing.dirichlet.mu``; of options that
    were chosen from, the name.
    """

    option: Any
    values: Mapping[str, Any]


def is_open(option: Any) -> bool:
    """Whether a parameter of an option, or of one within it, is a range."""
    return is_option(option) and any(
        isinstance(value, Range | Choice) or is_open(value)
        for value in (getattr(option, each.name) for each in parameters(type(option)))
    )


def settle(option: Any, choose: Choose) -> Setting:
    """The option with a value in place of every range; what is not chosen is not asked for."""
    values: dict[str, Any] = {}
    return Setting(_settled(option, choose, values, ""), values)


def _settled(option: Any, choose: Choose, values: dict[str, Any], path: str) -> Any:
    changes = {}
    for known in parameters(type(option)):
        value, place = getattr(option, known.name), f"{path}{written(known.name)}"
        if isinstance(value, Range | Choice):
            value = changes[known.name] = choose(place, value)
            open_ = is_open(value)
            values[place] = value.option_name if open_ else value
            place = f"{place}.{value.option_name}" if open_ else place
        if is_open(value):
            changes[known.name] = _settled(value, choose, values, f"{place}.")
    return replace(option, **changes)


def ranges_of(option: Any) -> dict[str, Over]:
    """Every range by its path, also those that only some choices have."""
    return dict(_ranges(option, ""))


def _ranges(option: Any, path: str) -> Iterator[tuple[str, Over]]:
    for known in parameters(type(option)):
        value, place = getattr(option, known.name), f"{path}{written(known.name)}"
        if isinstance(value, Range | Choice):
            yield place, value
        if isinstance(value, Choice):
            for each in filter(is_open, value.values):
                yield from _ranges(each, f"{place}.{each.option_name}.")
        elif is_open(value):
            yield from _ranges(value, f"{place}.")


def defaults_of(option: Any) -> Setting:
    """The option with the defaults of all that is tuned, even if they lie outside its range.

    A parameter without a default takes the middle of its range, or its first choice.
    """
    middles = {path: over.middle for path, over in ranges_of(option).items()}
    found = {**middles, **dict(_defaults(option, ""))}
    return settle(option, lambda path, _: found[path])


def _defaults(option: Any, path: str) -> Iterator[tuple[str, Any]]:
    for known in parameters(type(option)):
        value, place = getattr(option, known.name), f"{path}{written(known.name)}"
        if isinstance(value, Range | Choice):
            if not known.required:
                yield place, default_of(type(option), known.name)
        elif is_open(value):
            yield from _defaults(value, f"{place}.")


def draw(option: Any, seeds: Seeds, number: int) -> Setting:
    """The setting of a number: each parameter draws from a stream of its own."""

    def choose(path: str, over: Over) -> Any:
        share = float(uniforms(seeds.key("draw", path), [number])[0])
        if isinstance(over, Range):
            return over.at(share)
        return over.values[int(share * len(over.values))]

    return settle(option, choose)


def size_of_grid(option: Any, levels: int) -> int:
    """How many settings a grid has that takes so many levels of each range."""
    return int(_size(option, lambda over: len(over.levels(levels))))


def size_of(option: Any) -> float:
    """How many settings an option can become; infinite if numbers between others count.

    >>> from cranfield.base.options import parse
    >>> from cranfield.workbench import inventory
    >>> inventory.load("recommender")
    >>> size_of(parse("recommender", "user-kNN(k=tune(5..20), binarised=tune([true, false]))"))
    32
    """
    return _size(option, lambda over: over.high - over.low + 1 if over.whole else inf)


def _size(value: Any, of_range: Callable[[Range], float]) -> float:
    if isinstance(value, Range):
        return of_range(value)
    if isinstance(value, Choice):
        return sum(_size(each, of_range) for each in value.values)
    if not is_open(value):
        return 1
    parts = (getattr(value, known.name) for known in parameters(type(value)))
    return prod(_size(each, of_range) for each in parts)


def grid(option: Any, levels: int) -> Iterator[Setting]:
    """Every combination of choices and levels, the last parameter changing first."""
    for values in _grid(option, levels, ""):
        yield settle(option, lambda path, _, values=values: values[path])  # type: ignore[misc]


def _grid(option: Any, levels: int, path: str) -> Iterator[dict[str, Any]]:
    parts: list[list[dict[str, Any]]] = []
    for known in parameters(type(option)):
        value, place = getattr(option, known.name), f"{path}{written(known.name)}"
        if isinstance(value, Range):
            parts.append([{place: level} for level in value.levels(levels)])
        elif isinstance(value, Choice):
            parts.append([each for one in value.values for each in _chosen(one, levels, place)])
        elif is_open(value):
            parts.append(list(_grid(value, levels, f"{place}.")))
    for combined in product(*parts):
        yield {place: value for part in combined for place, value in part.items()}


def _chosen(value: Any, levels: int, place: str) -> Iterator[dict[str, Any]]:
    """A choice, with every combination of what is tuned within it."""
    if not is_open(value):
        yield {place: value}
        return
    for inner in _grid(value, levels, f"{place}.{value.option_name}."):
        yield {place: value, **inner}
