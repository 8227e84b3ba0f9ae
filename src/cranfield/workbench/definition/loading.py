"""Loading the options that a definition spells, before its decisions are checked."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.base.decisions import parameters
from cranfield.base.options import contract_of
from cranfield.workbench import inventory


def load_spelled(noun: type, given: Mapping[str, object]) -> None:
    """Make the options known that decisions of a noun are given by, and those of the defaults."""
    kinds = {"source", "judged_by", "target"}
    for known in parameters(noun):
        value = given.get(known.name)
        members = value if isinstance(value, list | tuple) else [value]
        kind = contract_of(known.type)
        if kind and any(isinstance(each, str | Mapping) for each in members):
            kinds.add(kind)
    if "metric" in kinds:
        kinds |= {"run-metric", "gain"}
    if isinstance(given.get("comparison"), Mapping):
        kinds |= {"test", "correction"}
    if isinstance(given.get("tuning"), Mapping):
        kinds |= {"split", "metric", "run-metric", "gain", "search"}
    every = kinds & {"recommender", "criterion"}  # whose parameters are options of any kind
    inventory.load(*(() if every else sorted(kinds)))
