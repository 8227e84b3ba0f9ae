"""Facts about material: what it cost, on what, and what others need to do it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.base.errors import counted
from cranfield.view.prose import listed
from cranfield.workbench.results.costs import Cost
from cranfield.workbench.review.fact import (
    Answer,
    Fact,
    Reviewed,
    answered,
    capital,
    missing,
    partly,
)


def compute(reviewed: Reviewed) -> Fact:
    """Seconds and memory of every system, and the machine."""
    costs, machine = reviewed.results.costs, reviewed.base.machine
    again = "Execute it once with --store none, and report what each system took."
    if not costs or machine is None:
        return missing("No costs are recorded.", again)
    text = f"{spent_text(costs)}, on {machine}. {by_system(costs)}".strip()
    fitted = {each.system for each in costs if each.stage == "fitting"}
    cached = [name for name in reviewed.experiment.systems if name not in fitted]
    if cached:
        return partly(f"{text} {capital(listed(cached))} came from the cache.", again)
    return answered(text)


def spent_text(costs: Sequence[Cost]) -> str:
    """Seconds and memory of some stages."""
    wall = sum(each.wall_seconds for each in costs)
    used = sum(each.processor_seconds for each in costs)
    peak = max((each.peak_bytes for each in costs), default=0) / 2**30
    return f"{_time(wall)} ({_time(used)} of processor), at most {peak:.1f} GiB"


def by_system(costs: Sequence[Cost]) -> str:
    """What fitting and ranking took, for each system."""
    spent: dict[str, float] = {}
    for each in costs:
        if each.system:
            spent[each.system] = spent.get(each.system, 0.0) + each.processor_seconds
    told = [f"{name} {_time(seconds)}" for name, seconds in spent.items()]
    return f"Processor time by system: {', '.join(told)}." if told else ""


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def software(reviewed: Reviewed) -> Fact:
    """Versions of everything that numbers depend on."""
    return answered(f"{listed([f'{n} {v}' for n, v in reviewed.base.versions.items()])}.")


def recompute(reviewed: Reviewed) -> Fact:
    """Whether one command makes every figure again."""
    files = "experiment.toml has every decision, and `cranfield verify` recomputes every figure"
    own = [*reviewed.base.models, *reviewed.experiment.runs]
    if own:
        return partly(
            f"{files}, given {listed(own)}.",
            f"Publish what made {listed(own)}, with a script that executes the comparison.",
        )
    return answered(f"{files} and compares it bit for bit.")


def complete_record(reviewed: Reviewed) -> Fact:
    """What a folder of results holds for others."""
    scores = reviewed.base.scores
    parts = (
        counted(scores.n_users, "user"),
        counted(len(scores.systems), "system"),
        counted(len(scores.metrics), "metric"),
    )
    return answered(f"scores.parquet has the score of every user ({', '.join(parts)}).")


MATERIAL_FACTS: Mapping[str, Answer] = {
    "compute": compute,
    "software": software,
    "recompute": recompute,
    "complete-record": complete_record,
}
