"""The view of a plan: what the users can show, and every decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from cranfield.base.errors import counted
from cranfield.base.spelling import write_value
from cranfield.base.views import view_for
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.numbers import percent
from cranfield.workbench.definition.paths import inner_path
from cranfield.workbench.plan.plan import Plan


@view_for(Plan)
class PlanView(NounView):
    """What so many users can show, and all decisions."""

    kind = "plan"

    def title(self, noun: Plan) -> str:
        """What it is called."""
        return f"Plan: {noun.title or noun.fingerprint}"

    def verdict(self, noun: Plan) -> str:
        """The smallest effect that the users would show."""
        return power_sentence(noun)

    def notes(self, noun: Plan) -> Sequence[str]:
        """What the power is about, and the name of the plan."""
        return [*power_notes(noun), f"Fingerprint: {noun.fingerprint}."]

    def tables(self, noun: Plan) -> list[ShownTable]:
        """The power for each effect, then the decisions."""
        decided = ShownTable(
            caption="All decisions",
            headings=("decision", "answer"),
            rows=list(_flat({**noun.decisions, **({"study": noun.study} if noun.study else {})})),
            words=(0, 1),
        )
        if not noun.power:
            return [decided]
        headings, *rows = power_rows(noun)
        return [
            ShownTable(caption="Power for stated effects", headings=headings, rows=rows),
            decided,
        ]


def power_rows(plan: Plan) -> list[Sequence[str]]:
    """Headings, then for each effect its power alone and among all comparisons."""
    rows = [
        (f"{each.effect:g}", percent(each.power), percent(each.corrected_power))
        for each in plan.power
    ]
    if plan.comparisons == 1:
        return [("effect (d_z)", "power"), *(row[:2] for row in rows)]
    among = f"power, one of {counted(plan.comparisons, 'comparison')}"
    return [("effect (d_z)", "power, alone", among), *rows]


def power_sentence(plan: Plan) -> str:
    """The smallest effect that is found with the wanted power."""
    users = counted(plan.users, "user enters", "users enter")
    if not plan.comparisons or isnan(plan.detectable):
        return f"{users}; there is nothing to compare."
    return (
        f"{users}. With a power of {percent(plan.wanted_power)} they show a mean difference of "
        f"{plan.detectable:.3f} standard deviations, allowing for "
        f"{counted(plan.comparisons, 'comparison')} at level {plan.alpha:g}."
    )


def power_notes(plan: Plan) -> list[str]:
    """How power is meant."""
    if not plan.comparisons:
        return []
    effect = "the mean difference of two systems in standard deviations of the users' differences"
    return [
        f"d_z is {effect}. The power is that of a paired t test over users.",
        "It is for users on whom every metric is defined; where one is undefined, fewer count.",
    ]


def _flat(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Answers by path, as text; what is not answered is left out."""
    for name, value in table.items():
        inner = inner_path(path, name)
        if isinstance(value, Mapping):
            yield from _flat(value, inner)
        elif value not in (None, "", []):
            members = value if isinstance(value, list) else [value]
            yield inner, "; ".join(e if isinstance(e, str) else write_value(e) for e in members)
