"""The list of mutants that no test noticed, each with the reason why that is right."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mutation.mutants import Mutant

FILE = Path(__file__).with_name("survivors.toml")
_HEAD = """# Mutants that no test of the fast suite notices, and why: written by `make mutation`,
# which keeps the reasons given here.
"""


@dataclass(frozen=True)
class Survivors:
    """What a run found, and the reasons known so far."""

    seed: int
    mutants: int
    reasons: dict[str, str]
    """The reason of each survivor, by its name; empty where nobody has given one."""

    @property
    def killed_share(self) -> float:
        """The share of mutants that some test noticed."""
        return 1 - len(self.reasons) / self.mutants

    @property
    def unexplained(self) -> list[str]:
        """Survivors without a reason."""
        return [name for name, reason in self.reasons.items() if not reason]

    def to_toml(self) -> str:
        """The file's text. Texts of JSON without escapes beyond its own are texts of TOML."""
        rows = [
            f"\n[[survivor]]\nmutant = {_text(name)}\nreason = {_text(reason)}\n"
            for name, reason in sorted(self.reasons.items())
        ]
        figures = f"seed = {self.seed}\nmutants = {self.mutants}\nsurvived = {len(rows)}\n"
        return _HEAD + figures + "".join(rows)


def read_survivors(text: str) -> Survivors:
    """What a file says."""
    table = tomllib.loads(text)
    reasons = {row["mutant"]: row["reason"] for row in table.get("survivor", ())}
    return Survivors(table["seed"], table["mutants"], reasons)


def found_survivors(
    seed: int, drawn: Sequence[Mutant], survived: Sequence[Mutant], known: Survivors | None
) -> Survivors:
    """What a run found, with the reasons that were known."""
    reasons = known.reasons if known else {}
    return Survivors(seed, len(drawn), {each.name: reasons.get(each.name, "") for each in survived})


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
