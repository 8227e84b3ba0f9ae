"""Searches: what they propose, in which order, and when they end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import MissingLibrary, OptionError
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.workbench import inventory
from cranfield.workbench.tuning.search import Proposal
from cranfield.workbench.tuning.space import defaults_of

inventory.load("recommender", "search")

SPACE = "WRMF(factors=tune(2..90), lambda=tune(0.1..100, log))"
SMALL = "user-kNN(k=tune([5, 10, 20]), binarised=tune([true, false]))"


def system(text: str) -> Any:
    return parse("recommender", text)


def proposed(
    search: str,
    text: str,
    trials: int | None,
    seed: int = 0,
    value: Callable[[Any], float] = lambda _: 0.0,
    most: int = 10_000,
) -> list[Proposal]:
    """All that a search proposes if every setting is worth what a function says."""
    found: list[Proposal] = []
    proposals = parse("search", search).propose(system(text), Seeds(seed), trials)
    batch = next(proposals)
    while batch and len(found) < most:
        found += batch
        try:
            batch = proposals.send([value(each.setting.option) for each in batch])
        except StopIteration:
            break
    return found


def options(found: list[Proposal]) -> list[Any]:
    return [each.setting.option for each in found]


@pytest.mark.parametrize("search", ["random", "grid", "grid(levels=2)", "halving"])
@pytest.mark.parametrize("text", [SPACE, SMALL])
def test_the_first_trial_is_the_defaults(search: str, text: str) -> None:
    found = proposed(search, text, 7)
    assert found[0].setting == defaults_of(system(text))
    assert [each.number for each in found][:7] == [*range(1, 8)][: len(found)]


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 9), st.sampled_from([SPACE, SMALL]))
def test_a_smaller_budget_is_a_prefix_of_a_larger(one: int, two: int, seed: int, text: str) -> None:
    for search in ("random", "grid(levels=3)"):
        few, many = (options(proposed(search, text, each, seed)) for each in sorted((one, two)))
        assert many[: len(few)] == few
        assert options(proposed(search, text, None, seed, most=len(many)))[: len(many)] == many


def test_no_setting_is_tried_twice_and_a_small_space_ends() -> None:
    for search in ("random", "grid"):
        found = options(proposed(search, SMALL, 50))
        assert len(found) == len(set(found)) == 7  # six combinations, and k = 100 by default
    assert len(proposed("grid(levels=4)", SPACE, 1000)) == 17


def test_other_seeds_draw_other_settings_and_equal_ones_the_same() -> None:
    first, again, other = (options(proposed("random", SPACE, 9, seed)) for seed in (1, 1, 2))
    assert first == again
    assert set(first[1:]).isdisjoint(other[1:])


def test_a_grid_goes_from_end_to_end() -> None:
    found = options(proposed("grid(levels=3)", SPACE, 99))[1:]
    assert {each.factors for each in found} == {2, 46, 90}
    assert {each.regularisation for each in found} == {0.1, 3.162, 100.0}


def test_a_grid_that_nobody_can_have_meant_is_refused() -> None:
    with pytest.raises(OptionError, match=r"1,000,000 combinations\. Tune fewer parameters"):
        proposed(
            "grid(levels=100)",
            "WRMF(factors=tune(1..1000), lambda=tune(0.1..9), alpha=tune(0.1..9))",
            9,
        )


def test_halving_tries_the_best_on_more_users() -> None:
    found = proposed("halving", SPACE, 20, value=lambda each: each.factors)
    shares = [each.share for each in found]
    assert [shares.count(share) for share in sorted(set(shares))] == [20, 8, 4]
    first = found[:20]
    assert options(first) == options(proposed("random", SPACE, 20))
    best = sorted(options(first), key=lambda each: -each.factors)
    # A third stay, rounded up, and the defaults, which are number 1.
    assert set(options(found[20:28])) == {*best[:7], first[0].setting.option}
    assert set(options(found[28:])) == {*best[:3], first[0].setting.option}
    assert all(share == 1 for share in shares[28:])


def test_halving_begins_no_lower_than_its_least_share() -> None:
    assert min(each.share for each in proposed("halving(least=0.4)", SPACE, 20)) == 1
    assert min(each.share for each in proposed("halving(factor=2, least=0.1)", SPACE, 20)) == 1 / 8
    assert [each.share for each in proposed("halving", SPACE, 2)] == [1, 1]


def test_a_setting_that_failed_does_not_stay() -> None:
    def value(each: Any) -> float:
        return float("-inf") if each.factors > 20 else each.regularisation

    found = proposed("halving", SPACE, 20, value=value)
    assert all(each.factors <= 20 for each in options(found[20:]) if each != system("WRMF"))


def test_a_missing_optuna_is_said_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingLibrary, match=r'search = optuna needs "cranfield\[optuna\]"'):
        proposed("optuna", SPACE, 3)


def test_optuna_learns_from_what_came_of_trials() -> None:
    pytest.importorskip("optuna")
    text = "WRMF(factors=tune(2..90), preference=tune([one, rating]))"

    def value(each: Any) -> float:
        return -float(abs(each.factors - 70) + 50 * (each.preference == "one"))

    found = options(proposed("optuna", text, 40, value=value))
    assert found == options(proposed("optuna", text, 40, value=value))
    assert found[0] == system("WRMF")
    assert len(found) == 40
    late = [each.factors for each in found[30:]]
    assert sum(late) / len(late) == pytest.approx(70, abs=12)
    assert [each.preference for each in found[30:]].count("rating") >= 7


def test_optuna_goes_on_after_a_failure_and_defaults_outside_the_ranges() -> None:
    pytest.importorskip("optuna")
    found = proposed(
        "optuna", "user-kNN(k=tune(2..5))", 6, value=lambda each: float("-inf") * (each.k < 4)
    )
    assert [each.number for each in found] == [1, 2, 3, 4, 5, 6]
