"""Plan: every decision, the data and the power, frozen before any result is known."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import FingerprintMismatch, UnreadableFile, counted
from cranfield.base.files import fingerprint, write_json
from cranfield.base.nouns.display import Typeset
from cranfield.base.nouns.preview import preview
from cranfield.base.packed import reading, require_file
from cranfield.base.serialisation.json_schema import DIALECT, Schema, described, recorded_schema
from cranfield.base.serialisation.plain import Unrestorable, plain, restored
from cranfield.significance.planned_power import PlannedPower

FORMAT = 1
_UNSEALED = ("versions",)
"""What the fingerprint does not cover: a later version may execute a plan."""
MEANINGS = {
    "format": "The version of this layout.",
    "title": "The title of the definition.",
    "decisions": "The answer to every decision, defaults included.",
    "study": "What is to be varied; null if nothing is.",
    "data": "Sizes and fingerprints of the ratings and of their parts.",
    "users": "How many users enter.",
    "comparisons": "How many comparisons are corrected together.",
    "alpha": "The level of significance.",
    "wanted_power": "The power that is wanted.",
    "power": "The power for each stated effect, alone and with all comparisons allowed for.",
    "detectable": "The smallest effect that is found with the wanted power.",
    "versions": "The versions of Python, Cranfield and the libraries that made the plan.",
    "fingerprint": "The fingerprint of all of it but the versions.",
}
"""What the keys of a plan's record mean."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Plan(Typeset):
    """What is going to be done, decided before any result: for registered reports.

    ``decisions`` are those of the experiment, with every parameter; ``study`` is what is
    varied, None where nothing is. ``data`` has sizes and fingerprints of the ratings and of
    their parts. ``users`` enter, and ``comparisons`` are corrected together at level
    ``alpha``. ``power`` is that for the stated effects; ``detectable`` is the smallest effect
    that is found with the wanted power, all comparisons allowed for. ``versions`` are those of
    what made the plan.
    """

    title: str
    decisions: Mapping[str, Any]
    study: Mapping[str, Any] | None
    data: Mapping[str, Any]
    users: int
    comparisons: int
    alpha: float
    wanted_power: float
    power: tuple[PlannedPower, ...]
    detectable: float
    versions: Mapping[str, str]

    @cached_property
    def fingerprint(self) -> str:
        """The name of exactly this plan; it shows whether the plan was changed."""
        sealed = {name: each for name, each in plain(self).items() if name not in _UNSEALED}
        return fingerprint(json.dumps(sealed, sort_keys=True, ensure_ascii=False))

    def __repr__(self) -> str:
        facts = [*([self.title] if self.title else []), counted(self.users, "user")]
        rows = [
            [f"{each.effect:g}", f"{each.power:.2f}", f"{each.corrected_power:.2f}"]
            for each in self.power
        ]
        return preview("Plan", [*facts, self.fingerprint], rows, ["effect", "power", "corrected"])

    def to_dict(self) -> dict[str, Any]:
        """For JSON: all of it, and the fingerprint."""
        return {"format": FORMAT, **plain(self), "fingerprint": self.fingerprint}

    def write(self, path: Path | str) -> None:
        """Write it to a file, which `run` and `study` take as their ``plan``."""
        write_json(path, self.to_dict())


def read_plan(path: Path | str) -> Plan:
    """The plan of a file; refused if it was changed after it was made."""
    place = Path(path)
    return plan_of_record(read_record(place), place)


def read_record(place: Path) -> Any:
    """What a file of a plan holds."""
    require_file(place)
    try:
        with reading(place):
            return json.loads(place.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise no_plan(place) from None


def plan_of_record(record: Any, place: Path) -> Plan:
    """The plan that a record holds, read from some place; refused if it was changed."""
    try:
        if record["format"] != FORMAT:
            raise Unrestorable("format")
        plan: Plan = restored(Plan, record)
        stated, found = str(record["fingerprint"]), plan.fingerprint
    except (ValueError, RecursionError, KeyError, TypeError, Unrestorable):
        raise no_plan(place) from None
    refuse_changed(place, stated, found)
    return plan


def refuse_changed(place: Path, stated: str, found: str) -> None:
    """Refuse a plan that does not have the fingerprint which it states."""
    if stated != found:
        raise FingerprintMismatch(str(place), stated, found)


def no_plan(place: Path) -> UnreadableFile:
    """What is said of a file that holds no plan."""
    return UnreadableFile(str(place), "it is not a plan that `cranfield plan` wrote")


def plan_schema() -> Schema:
    """The JSON Schema of plans."""
    made = recorded_schema(Plan)
    made["properties"] = {
        "format": {"const": FORMAT},
        **made["properties"],
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    }
    made["required"] = list(made["properties"])
    return {"$schema": DIALECT, "title": "Plan of Cranfield", **described(made, MEANINGS)}
