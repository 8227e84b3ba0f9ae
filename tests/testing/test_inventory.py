"""Every option that ships obeys the laws that extensions are held to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cranfield.collection.target_choice import parse_targets
from cranfield.testing import EVERY, Law, laws_of
from law_cases import CASES, DECISIONS, MADE_UP, NOT_MADE_UP, not_covered
from ranking_cases import CHOICES

ON_PURPOSE = {
    # Their number is no cut-off: which judged item, and where a bound on others begins.
    ("metric", "what_is_below_the_cut_off_does_not_matter"): {"CondensedDepth", "BoundOf1R"},
    # They compare with every target, ranked or not.
    ("metric", "unjudged_targets_outside_the_list_change_no_score"): {"AUC", "Fallout"},
    # It is about predictions.
    ("run-metric", "predictions_do_not_matter"): {"ItemMAD"},
    # It learns nothing.
    ("recommender", "training_without_ratings_is_refused_in_words"): {"oracle"},
}
"""The options that do not obey a law, and must not be expected to."""

EACH = [(decision, law) for decision in DECISIONS for law in laws_of(decision)]


def named(value: object) -> str:
    return value.name if isinstance(value, Law) else str(value)


FEW = 3
"""Generated cases of the fast suite, which has a hundred forms of metrics to try each on."""


def check(law: Law, forms: Sequence[Any], examples: int | None = None) -> None:
    exempt = ON_PURPOSE.get((law.decision, law.name), set())
    obeying = (made for made in forms if made.option_name not in exempt)
    law.check(*obeying, examples=examples)


@pytest.mark.parametrize(("decision", "law"), EACH, ids=named)
def test_all_that_ships_obeys(decision: str, law: Law) -> None:
    """Where a law makes up no cases, one form of each option will do."""
    forms = CASES[decision]
    if not law.cases:
        forms = list({made.option_name: made for made in reversed(forms)}.values())
    check(law, forms, examples=min(law.examples, FEW))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("decision", "law"),
    [each for each in EACH if each[1].examples > FEW or not each[1].cases],
    ids=named,
)
def test_all_that_ships_obeys_on_many_cases(decision: str, law: Law) -> None:
    check(law, CASES[decision])


@pytest.mark.parametrize("law", laws_of("targets"), ids=named)
def test_choices_of_targets_obey_in_any_combination(law: Law) -> None:
    law.check(*map(parse_targets, CHOICES), examples=min(law.examples, FEW))


@pytest.mark.parametrize("law", laws_of(EVERY), ids=named)
def test_every_option_in_any_form_obeys_what_holds_for_all(law: Law) -> None:
    law.check(*MADE_UP, *(made for cases in CASES.values() for made in cases))


@pytest.mark.long
@pytest.mark.parametrize(("decision", "name"), ON_PURPOSE, ids=named)
def test_what_is_exempt_from_a_law_does_not_obey_it(decision: str, name: str) -> None:
    law = next(each for each in laws_of(decision) if each.name == name)
    exempt = ON_PURPOSE[decision, name]
    for option in exempt:
        first = next(made for made in CASES[decision] if made.option_name == option)
        with pytest.raises(AssertionError, match=law.name.replace("_", " ")):
            law.check(first)


def test_every_option_is_held_to_the_laws() -> None:
    assert not_covered() == NOT_MADE_UP


def test_every_decision_but_some_has_laws_of_its_own() -> None:
    without = {decision for decision in DECISIONS if not laws_of(decision)}
    # tests/workbench/tuning/test_searches.py has theirs, as have tests/scoring/test_discount.py
    # and tests/scoring/test_item_groups.py
    assert without == {"smoothing", "search", "discount", "item-groups"}
