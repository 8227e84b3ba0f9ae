"""Changes: whether what was done is what was planned, and what was changed since."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.base.serialisation.plain import plain
from cranfield.workbench.definition.differing import Difference, differences_between
from cranfield.workbench.definition.paths import path_text
from cranfield.workbench.plan.plan import Plan

Kind = Literal["decision", "data", "system", "metric"]
"""What a change is about."""

_KINDS: dict[str, Kind] = {
    "data": "data", "systems": "system", "runs": "system", "metrics": "metric",
    "run_metrics": "metric",
}  # fmt: skip
_SPLIT_DECISIONS = ("split", "seed")


@dataclass(frozen=True)
class PlanChange:
    """One thing that was done otherwise than planned; None is what was not there."""

    kind: Kind
    path: str
    planned: str | None
    done: str | None

    def __str__(self) -> str:
        if self.planned is None:
            return f"{self.path}: {self.done} was added."
        if self.done is None:
            return f"{self.path}: {self.planned} was left out."
        return f"{self.path}: {self.planned} in the plan, {self.done} here."


@dataclass(frozen=True)
class PlanCheck:
    """A plan, and all that was changed since."""

    plan: Plan
    changes: tuple[PlanChange, ...]

    @property
    def followed(self) -> bool:
        """Whether nothing was changed."""
        return not self.changes

    @property
    def sentences(self) -> tuple[str, ...]:
        """Whether the plan was followed, then each change."""
        name = f"the plan with fingerprint {self.plan.fingerprint}"
        if self.followed:
            return (f"The decisions and the data are those of {name}.",)
        many = counted(len(self.changes), "change was", "changes were")
        return (f"{many} made to {name}.", *map(str, self.changes))

    def to_dict(self) -> dict[str, Any]:
        """For a record, which lies beside the plan itself."""
        return {
            "fingerprint": self.plan.fingerprint,
            "followed": self.followed,
            "changes": plain(list(self.changes)),
        }


def check_plan(
    plan: Plan,
    decisions: Mapping[str, Any],
    study: Mapping[str, Any] | None,
    data: Mapping[str, Any],
    failed: Mapping[str, str],
) -> PlanCheck:
    """Compare what was done with a plan: decisions, systems, metrics, designs and data.

    Titles are no decisions, and versions are no part of a plan. Nor is the place from which the
    same ratings are read.
    """
    done = json.loads(json.dumps(dict(decisions)))
    asked, now = ({**each, "title": ""} for each in (plan.decisions, done))
    same = _same_files(plan.data, data)
    found = [_change(each) for each in differences_between(asked, now) if each.path not in same]
    designs = json.loads(json.dumps({"study": study}))
    found += [_change(each) for each in differences_between({"study": plan.study}, designs)]
    found += [
        PlanChange("system", path_text(["systems", name]), "evaluated", f'failed ("{why}")')
        for name, why in failed.items()
    ]
    return PlanCheck(plan, (*found, *_changed_data(plan.data, data, {e.path for e in found})))


def _same_files(planned: Mapping[str, Any], done: Mapping[str, Any]) -> tuple[str, ...]:
    """The decisions that only say where to read what is the same: ratings, or given parts."""
    if planned.get("ratings") != done.get("ratings"):
        return ()
    given = planned.get("split", {}).get("option", {}).get("name") == "given"
    return ("data", "split") if given and _parts(planned) == _parts(done) else ("data",)


def _change(found: Difference) -> PlanChange:
    kind = _KINDS.get(found.path.partition(".")[0], "decision")
    return PlanChange(kind, found.path, found.first, found.second)


def _changed_data(
    planned: Mapping[str, Any], done: Mapping[str, Any], decided: set[str]
) -> Iterator[PlanChange]:
    """Other ratings, unless others were asked for; or other parts of the same by one split.

    With other filters, what they left is told as well.
    """
    if planned.get("ratings") != done.get("ratings"):
        if "data" not in decided:
            yield PlanChange("data", "ratings", _size(planned), _size(done))
        return
    if decided & set(_SPLIT_DECISIONS):
        return
    parts = [_parts(each) for each in (planned, done)]
    if parts[0] != parts[1]:
        texts = (f"parts {_few(each)}" for each in parts)
        yield PlanChange("data", "split of the ratings", *texts)


def _parts(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The fingerprints of training and test ratings, fold by fold."""
    return [(str(fold.get("train")), str(fold.get("test"))) for fold in data.get("folds", ())]


def _size(data: Mapping[str, Any]) -> str:
    return f"{data.get('size', 0):,} ratings (fingerprint {data.get('ratings')})"


def _few(parts: list[tuple[str, str]]) -> str:
    first = f"{parts[0][0][:8]}/{parts[0][1][:8]}" if parts else "none"
    return first if len(parts) < 2 else f"{first} and {counted(len(parts) - 1, 'more fold')}"
