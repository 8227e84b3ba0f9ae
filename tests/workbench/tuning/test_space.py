"""The space of settings: all that a system with ranges can become."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.checking.ranges import Choice, Range
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.workbench import inventory
from cranfield.workbench.tuning.space import (
    defaults_of,
    draw,
    grid,
    is_open,
    ranges_of,
    settle,
    size_of_grid,
)

inventory.load("recommender")

SMOOTHED = (
    "LM-WSR-UB(k=tune(10..50), smoothing=tune(jelinek-mercer(lambda=tune(0.1..0.9)), "
    "dirichlet(mu=tune(10..1000, log)), additive))"
)


def system(text: str) -> Any:
    return parse("recommender", text)


def test_an_option_is_open_if_anything_in_it_is_a_range() -> None:
    assert is_open(system("user-kNN(k=tune(2..5))"))
    assert is_open(system("LM-WSR-UB(smoothing=dirichlet(mu=tune(1..5)))"))
    assert not is_open(system("LM-WSR-UB"))
    assert not is_open("tune(2..5)")


def test_ranges_are_known_by_their_path() -> None:
    assert ranges_of(system(SMOOTHED)) == {
        "k": Range(10, 50),
        "smoothing": Choice(system(SMOOTHED).smoothing.values),
        "smoothing.jelinek-mercer.lambda": Range(0.1, 0.9),
        "smoothing.dirichlet.mu": Range(10, 1000, log=True),
    }
    inner = system("LM-WSR-UB(smoothing=dirichlet(mu=tune(1..5)))")
    assert ranges_of(inner) == {"smoothing.mu": Range(1, 5)}


def test_only_what_is_chosen_is_asked_for() -> None:
    asked = []

    def choose(path: str, over: Range | Choice) -> Any:
        asked.append(path)
        return over.values[1] if isinstance(over, Choice) else over.low

    made = settle(system(SMOOTHED), choose)
    assert asked == ["k", "smoothing", "smoothing.dirichlet.mu"]
    assert made.option == system("LM-WSR-UB(k=10, smoothing=dirichlet(mu=10))")
    assert made.values == {"k": 10, "smoothing": "dirichlet", "smoothing.dirichlet.mu": 10}


def test_a_choice_without_ranges_is_recorded_whole() -> None:
    made = settle(system(SMOOTHED), lambda _, over: getattr(over, "values", [20])[-1])
    assert made.values == {"k": 20, "smoothing": parse("smoothing", "additive")}


def test_defaults_are_those_of_the_option_even_outside_its_ranges() -> None:
    assert defaults_of(system(SMOOTHED)).option == system("LM-WSR-UB")
    made = defaults_of(system("user-kNN(k=tune(2..5), min_overlap=3)"))
    assert made.option == system("user-kNN(min_overlap=3)")
    assert made.values == {"k": system("user-kNN").k}
    inner = defaults_of(system("LM-WSR-UB(smoothing=dirichlet(mu=tune(1..5)))"))
    assert inner.option == system("LM-WSR-UB(smoothing=dirichlet)")


@given(st.integers(0, 2**32), st.integers(0, 10**6))
def test_a_draw_is_a_setting_within_its_ranges(seed: int, number: int) -> None:
    made = draw(system(SMOOTHED), Seeds(seed), number)
    assert not is_open(made.option)
    assert system(str(made.option)) == made.option
    for path, value in made.values.items():
        over = ranges_of(system(SMOOTHED))[path]
        if isinstance(over, Range):
            assert over.low <= value <= over.high
    assert draw(system(SMOOTHED), Seeds(seed), number) == made


def test_draws_of_one_parameter_do_not_depend_on_which_others_are_tuned() -> None:
    alone, both = system("WRMF(factors=tune(2..90))"), system(
        "WRMF(factors=tune(2..90), lambda=tune(1..9))"
    )  # fmt: skip
    seeds = Seeds(3)
    assert [draw(alone, seeds, n).option.factors for n in range(9)] == [
        draw(both, seeds, n).option.factors for n in range(9)
    ]


@pytest.mark.parametrize("levels", [2, 3, 5])
@pytest.mark.parametrize(
    "text",
    [SMOOTHED, "user-kNN(k=tune(2..3))", "WRMF(factors=tune([2, 9]), lambda=tune(0.1..9))"],
)
def test_a_grid_has_every_combination_once(text: str, levels: int) -> None:
    made = [each.option for each in grid(system(text), levels)]
    assert len(set(made)) == len(made) == size_of_grid(system(text), levels)
    assert not any(map(is_open, made))


def test_a_grid_counts_the_ranges_of_each_choice_by_itself() -> None:
    assert size_of_grid(system(SMOOTHED), 3) == 3 * (3 + 3 + 1)
