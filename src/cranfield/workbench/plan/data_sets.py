"""PlanOfDataSets: the plans of several data sets, sealed by one fingerprint."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError, UnknownParameter, counted
from cranfield.base.files import fingerprint, write_json
from cranfield.base.nouns.display import Typeset
from cranfield.base.nouns.preview import preview
from cranfield.base.serialisation.json_schema import DIALECT, Schema, any_of, described
from cranfield.workbench.plan.plan import (
    FORMAT,
    MEANINGS,
    Plan,
    no_plan,
    plan_of_record,
    plan_schema,
    read_record,
    refuse_changed,
)

_MEANINGS = {
    **MEANINGS,
    "data_sets": "The plan of each data set, by name.",
    "fingerprint": "The fingerprint of all plans and their names.",
}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PlanOfDataSets(Typeset):
    """What is going to be done on each of several data sets, decided before any result.

    ``data_sets`` are their plans by name; ``plan["NAME"]`` is one of them. The fingerprint is
    that of all of them, so that none can be changed, added or left out unnoticed.
    """

    title: str
    data_sets: Mapping[str, Plan]

    @cached_property
    def fingerprint(self) -> str:
        """The name of exactly these plans, under these names."""
        sealed = {name: each.fingerprint for name, each in self.data_sets.items()}
        whole = {"title": self.title, "data_sets": sealed}
        return fingerprint(json.dumps(whole, sort_keys=True, ensure_ascii=False))

    def __getitem__(self, name: str) -> Plan:
        if name not in self.data_sets:
            raise UnknownParameter("data set", name, self.data_sets)
        return self.data_sets[name]

    def __repr__(self) -> str:
        title = [self.title] if self.title else []
        facts = [*title, counted(len(self.data_sets), "data set"), self.fingerprint]
        rows = [
            [name, f"{each.users:,}", f"{each.detectable:.3f}"]
            for name, each in self.data_sets.items()
        ]
        return preview("PlanOfDataSets", facts, rows, ["data set", "users", "detectable"])

    def to_dict(self) -> dict[str, Any]:
        """For JSON: every plan, and the fingerprint of all."""
        return {
            "format": FORMAT,
            "title": self.title,
            "data_sets": {name: each.to_dict() for name, each in self.data_sets.items()},
            "fingerprint": self.fingerprint,
        }

    def write(self, path: Path | str) -> None:
        """Write it to a file, which `study_data_sets` takes as its ``plan``."""
        write_json(path, self.to_dict())


AnyPlan = Plan | PlanOfDataSets
"""A plan of one data set, or of several."""


def read_any_plan(path: Path | str) -> AnyPlan:
    """The plan of a file, of one data set or of several; refused if it was changed."""
    place = Path(path)
    record = read_record(place)
    several = isinstance(record, dict) and "data_sets" in record
    return _plan_of_data_sets(record, place) if several else plan_of_record(record, place)


def _plan_of_data_sets(record: dict[str, Any], place: Path) -> PlanOfDataSets:
    try:
        title, stated, inner = (record[name] for name in ("title", "fingerprint", "data_sets"))
        known = record["format"] == FORMAT and isinstance(title, str) and isinstance(inner, dict)
    except KeyError:
        known = False
    if not known:
        raise no_plan(place)
    plans = {name: plan_of_record(each, place) for name, each in inner.items()}
    plan = PlanOfDataSets(title=title, data_sets=plans)
    refuse_changed(place, str(stated), plan.fingerprint)
    return plan


def plan_of_one(given: AnyPlan | Path | str | None) -> Plan | None:
    """The plan of one data set, or that of its file; one of several is refused."""
    plan, where = _read(given)
    if isinstance(plan, PlanOfDataSets):
        names = ", ".join(plan.data_sets)
        problem = f"it plans the data sets {names}, and the definition names one"
        raise OptionError(f"{where}: {problem}. Write a table [data.NAME] for each of them.")
    return plan


def plan_of_several(
    given: AnyPlan | Path | str | None, names: Iterable[str]
) -> PlanOfDataSets | None:
    """The plan of several data sets, or that of its file; one of a single one is refused."""
    plan, where = _read(given)
    if isinstance(plan, Plan):
        problem = f"it plans one data set, and the definition names {', '.join(names)}"
        raise OptionError(f"{where}: {problem}. Plan them with the definition that names them.")
    return plan


def _read(given: AnyPlan | Path | str | None) -> tuple[AnyPlan | None, str]:
    """A plan, and what it is called where something is wrong with it."""
    return (read_any_plan(given), str(given)) if isinstance(given, str | Path) else (given, "plan")


def any_plan_schema() -> Schema:
    """The JSON Schema of plans, of one data set or of several."""
    single = {key: each for key, each in plan_schema().items() if key[0] != "$"}
    members: dict[str, Schema] = {
        "format": {"const": FORMAT},
        "title": {"type": "string"},
        "data_sets": {"type": "object", "additionalProperties": {"$ref": "#/$defs/plan"}},
        "fingerprint": single["properties"]["fingerprint"],
    }
    several = {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }
    return {
        "$schema": DIALECT,
        "title": "Plan of Cranfield, of one data set or of several",
        **any_of({"$ref": "#/$defs/plan"}, {"$ref": "#/$defs/data_sets"}),
        "$defs": {"plan": single, "data_sets": described(several, _MEANINGS)},
    }
