"""Changes on several data sets: what was done otherwise than planned, and on which of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.base.serialisation.plain import plain
from cranfield.validity.phrases import all_of, joined
from cranfield.workbench.definition.paths import path_text
from cranfield.workbench.plan.changes import PlanChange, PlanCheck
from cranfield.workbench.plan.data_sets import PlanOfDataSets


@dataclass(frozen=True)
class PlanCheckOfDataSets:
    """A plan of several data sets, and all that was changed since.

    ``by_data_set`` are the checks of the data sets that were planned and used; ``changes`` are
    data sets that were added or left out.
    """

    plan: PlanOfDataSets
    by_data_set: Mapping[str, PlanCheck]
    changes: tuple[PlanChange, ...]

    @property
    def followed(self) -> bool:
        """Whether nothing was changed on any data set."""
        return not self.changes and all(each.followed for each in self.by_data_set.values())

    @property
    def where_changed(self) -> dict[PlanChange, tuple[str, ...]]:
        """Every change that was made to the plan of a data set, with the data sets it is on."""
        found: dict[PlanChange, tuple[str, ...]] = {}
        for name, check in self.by_data_set.items():
            for each in check.changes:
                found[each] = (*found.get(each, ()), name)
        return found

    @property
    def sentences(self) -> tuple[str, ...]:
        """Whether the plan was followed, then each change with the data sets that it is on."""
        name = f"the plan with fingerprint {self.plan.fingerprint}"
        if self.followed:
            every = all_of(len(self.by_data_set))
            sets = "data set" if len(self.by_data_set) == 1 else "data sets"
            return (f"The decisions and the data of {every} {sets} are those of {name}.",)
        inner = self.where_changed
        many = counted(len(self.changes) + len(inner), "change was", "changes were")
        told = [f"{str(each).rstrip('.')} ({self._names(on)})." for each, on in inner.items()]
        return (f"{many} made to {name}.", *map(str, self.changes), *told)

    def _names(self, names: tuple[str, ...]) -> str:
        every = len(names) > 1 and len(names) == len(self.by_data_set)
        return f"{all_of(len(names))} data sets" if every else joined(names, "and")

    def to_dict(self) -> dict[str, Any]:
        """For a record, which lies beside the plan itself."""
        return {
            "fingerprint": self.plan.fingerprint,
            "followed": self.followed,
            "changes": plain(list(self.changes)),
            "by_data_set": {name: each.to_dict() for name, each in self.by_data_set.items()},
        }


def check_plans(
    plan: PlanOfDataSets, checks: Mapping[str, PlanCheck], used: Mapping[str, Mapping[str, Any]]
) -> PlanCheckOfDataSets:
    """Put together what was found on each data set; ``used`` are the decisions on each."""
    return PlanCheckOfDataSets(plan, checks, tuple(_other_data_sets(plan, used)))


def _other_data_sets(
    plan: PlanOfDataSets, used: Mapping[str, Mapping[str, Any]]
) -> Iterator[PlanChange]:
    for name, planned in plan.data_sets.items():
        if name not in used:
            yield PlanChange("data", path_text(["data", name]), _source(planned.decisions), None)
    for name, decisions in used.items():
        if name not in plan.data_sets:
            yield PlanChange("data", path_text(["data", name]), None, _source(decisions))


def _source(decisions: Mapping[str, Any]) -> str:
    """Where ratings come from; without any, how their parts are given."""
    return str(decisions.get("data") or decisions.get("split"))
