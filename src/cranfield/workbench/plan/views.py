"""The view of a plan: what the users can show, and every decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from cranfield.base.checking.spelling import write_value
from cranfield.base.errors import counted
from cranfield.base.nouns.views import view_for
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.numbers import percent
from cranfield.workbench.definition.paths import inner_path
from cranfield.workbench.plan.data_sets import PlanOfDataSets
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
            rows=list(decided_rows(noun)),
            words=(0, 1),
        )
        if not noun.power:
            return [decided]
        headings, *rows = power_rows(noun)
        return [
            ShownTable(caption="Power for stated effects", headings=headings, rows=rows),
            decided,
        ]


@view_for(PlanOfDataSets)
class PlanOfDataSetsView(NounView):
    """What the users of every data set can show, and all decisions."""

    kind = "plan"

    def title(self, noun: PlanOfDataSets) -> str:
        """What it is called."""
        return f"Plan: {noun.title or noun.fingerprint}"

    def verdict(self, noun: PlanOfDataSets) -> str:
        """How many data sets there are, and which."""
        return data_sets_sentence(noun)

    def notes(self, noun: PlanOfDataSets) -> Sequence[str]:
        """What the power is about, and the name of the plan."""
        return [*power_notes_of_data_sets(noun), f"Fingerprint: {noun.fingerprint}."]

    def tables(self, noun: PlanOfDataSets) -> list[ShownTable]:
        """The power on each data set, then the decisions on all, and those that differ."""
        headings, *rows = power_by_data_set(noun)
        answers = {name: dict(decided_rows(each)) for name, each in noun.data_sets.items()}
        paths = dict.fromkeys(path for each in answers.values() for path in each)
        found = [(path, *(each.get(path, "–") for each in answers.values())) for path in paths]
        common = [row[:2] for row in found if len(set(row[1:])) == 1]
        own = [row for row in found if len(set(row[1:])) > 1]
        words = tuple(range(len(answers) + 1))
        return [
            ShownTable(caption="Power on each data set", headings=headings, rows=rows),
            ShownTable(caption="Decisions that are the same on all data sets",
                       headings=("decision", "answer"), rows=common, words=(0, 1)),
            ShownTable(caption="Decisions that differ between data sets",
                       headings=("decision", *answers), rows=own, words=words),
        ]  # fmt: skip


def data_sets_sentence(plan: PlanOfDataSets) -> str:
    """How many data sets are planned, and which."""
    many = counted(len(plan.data_sets), "data set is", "data sets are")
    return f"{many} planned: {', '.join(plan.data_sets)}."


def power_by_data_set(plan: PlanOfDataSets) -> list[Sequence[str]]:
    """Headings, then for each data set users, comparisons, smallest effect, and power."""
    effects = dict.fromkeys(e.effect for each in plan.data_sets.values() for e in each.power)
    rows = []
    for name, each in plan.data_sets.items():
        found = {e.effect: percent(e.corrected_power) for e in each.power}
        least = f"{each.detectable:.3f}" if each.comparisons else "–"
        powers = [found.get(effect, "–") for effect in effects]
        rows.append((name, f"{each.users:,}", f"{each.comparisons:,}", least, *powers))
    stated = [f"power at {effect:g}" for effect in effects]
    return [("data set", "users", "comparisons", "detectable", *stated), *rows]


def power_notes_of_data_sets(plan: PlanOfDataSets) -> list[str]:
    """How power is meant, where something is compared."""
    compared = [each for each in plan.data_sets.values() if each.comparisons]
    if not compared:
        return []
    wanted = ", ".join(dict.fromkeys(percent(each.wanted_power) for each in compared))
    least = f"Detectable is the smallest effect that is found with a power of {wanted}"
    allowed = "Power and smallest effect allow for all comparisons on a data set"
    return [f"{least}. {allowed}.", *power_notes(compared[0])]


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


def decided_rows(plan: Plan) -> Iterator[tuple[str, str]]:
    """Every decision that is answered, with those of a study, as text."""
    return _flat({**plan.decisions, **({"study": plan.study} if plan.study else {})})


def _flat(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Answers by path, as text; what is not answered is left out."""
    for name, value in table.items():
        inner = inner_path(path, name)
        if isinstance(value, Mapping):
            yield from _flat(value, inner)
        elif value not in (None, "", []):
            members = value if isinstance(value, list) else [value]
            yield inner, "; ".join(e if isinstance(e, str) else write_value(e) for e in members)
