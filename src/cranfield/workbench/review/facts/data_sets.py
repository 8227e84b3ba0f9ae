"""Facts about several data sets together, which no single one of them has."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cranfield.base.errors import counted
from cranfield.validity.phrases import all_of
from cranfield.view.prose import listed
from cranfield.workbench.results.data_sets import ResultsByDataSet
from cranfield.workbench.results.files import base_of
from cranfield.workbench.review.fact import Fact, Reviewed, answered, partly
from cranfield.workbench.review.facts.data import is_simulated
from cranfield.workbench.review.facts.findings import SIZES, effect_sizes, fact_of_plan
from cranfield.workbench.review.facts.material import by_system, spent_text
from cranfield.workbench.review.facts.material import compute as compute_of

OverData = Callable[[ResultsByDataSet], Fact]
"""What looks for a fact in the results of several data sets."""


def several_data_sets(results: ResultsByDataSet) -> Fact:
    """How many data sets were used, and on which of them the conclusion holds."""
    parts = {name: Reviewed(each) for name, each in results.by_data_set.items()}
    used = counted(len(parts), "data set was used", "data sets were used")
    said = results.findings.by_topic
    text = f"{used}: {listed(list(parts))}. {said['verdict']} {said.get('designs', '')}".strip()
    made = [name for name, each in parts.items() if is_simulated(each)]
    if len(made) == len(parts):
        return partly(f"{text} All of them are simulated.", "Add data of people.")
    if len(parts) == 1:
        return partly(text, "Repeat the comparison on data of another domain or density.")
    return answered(f"{text} {listed(made)} {_are(made)} simulated." if made else text)


def sizes_over_data(results: ResultsByDataSet) -> Fact:
    """How large differences are on each data set, and over all of them."""
    found = {name: effect_sizes(Reviewed(each)) for name, each in results.by_data_set.items()}
    lacking = [name for name, each in found.items() if each.state != "answered"]
    over = results.findings.by_topic["difference"]
    text = f"For every data set, {SIZES[0].lower()}{SIZES[1:]}. {over}"
    if not lacking:
        return answered(text)
    return partly(text, f"Say why some comparisons on {listed(lacking)} have no interval.")


def compute(results: ResultsByDataSet) -> Fact:
    """What all data sets took together, and each of them."""
    found = {name: compute_of(Reviewed(each)) for name, each in results.by_data_set.items()}
    costs = [each for part in results.by_data_set.values() for each in part.costs]
    machines = dict.fromkeys(str(base_of(e).machine) for e in results.by_data_set.values())
    if not costs or any(each.state == "missing" for each in found.values()):
        return _worst(found)
    whole = f"{spent_text(costs)}, on {listed(list(machines))}, for {all_of(len(found))} data sets."
    each = [f"{name} {spent_text(part.costs)}" for name, part in results.by_data_set.items()]
    text = f"{whole} {'; '.join(each)}. {by_system(costs)}".strip()
    cached = [name for name, fact in found.items() if fact.state != "answered"]
    if cached:
        return partly(f"{text} Some systems on {listed(cached)} came from the cache.",
                      _worst(found).advice)  # fmt: skip
    return answered(text)


def plan(results: ResultsByDataSet) -> Fact:
    """Whether the decisions on all data sets were fixed before any result."""
    return fact_of_plan(results.plan)


def _worst(found: Mapping[str, Fact]) -> Fact:
    """That of the facts which leaves most to be done."""
    order = ("missing", "partly", "answered")
    return min(found.values(), key=lambda each: order.index(each.state))


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


FACTS_OVER_DATA: Mapping[str, OverData] = {
    "several-data-sets": several_data_sets,
    "effect-sizes": sizes_over_data,
    "compute": compute,
    "plan": plan,
}
"""By the names of the facts in whose place they stand."""
