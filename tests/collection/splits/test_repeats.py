"""Splits that are drawn repeatedly."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield.collection.splits  # noqa: F401 - the options to be tested
from cranfield.base.errors import InfeasibleSplit, OptionError
from cranfield.base.options import options, parameters, parse
from cranfield.base.seeds import Seeds
from cranfield.collection.split import split
from strategies import random_ratings

LARGE = random_ratings(60, 40, 0.3, seed=5)

ONCE = {
    "random(test_share=0.3)": "f8166ae7",
    "random-exact(test_share=0.3)": "f98d935e",
    "per-user(test_share=0.3)": "c33ff4d2",
    "k-fold(folds=3)": "cbe22622 ac9d3bc8 e7d4752b",
    "k-fold(folds=3, per=user)": "8b968340 e3583813 2ed8640d",
    "leave-out(count=2)": "576b0f2a",
    "leave-out(pick=latest)": "782a5af8",
    "per-item-train(count=3)": "6208d38b",
    "uniform(test_share=0.1)": "333f0e3d",
}
"""The fingerprints of the test parts, as they were before splits could be repeated."""


def prints(spelling: str) -> list[str]:
    made = split(LARGE, parse("split", spelling), 7)
    return [fold.test.fingerprint[:8] for fold in made.folds]


def repeated(spelling: str, repeats: int) -> str:
    return f"{spelling[:-1]}, repeats={repeats})"


@pytest.mark.parametrize("spelling", ONCE)
def test_a_split_that_is_not_repeated_stays_what_it_was(spelling: str) -> None:
    assert " ".join(prints(spelling)) == ONCE[spelling]
    assert prints(repeated(spelling, 1)) == prints(spelling)


@pytest.mark.parametrize("spelling", [each for each in ONCE if "latest" not in each])
def test_each_draw_is_another_and_more_draws_keep_the_first(spelling: str) -> None:
    once, thrice = prints(spelling), prints(repeated(spelling, 3))
    assert len(thrice) == 3 * len(once)
    assert len(set(thrice)) == len(thrice)
    assert prints(repeated(spelling, 2)) == thrice[: 2 * len(once)]
    assert thrice[: len(once)] == once


def test_a_further_draw_is_the_split_of_its_own_seeds() -> None:
    option, one = parse("split", "per-user(repeats=3)"), parse("split", "per-user")
    seeds = Seeds(4).child("split")
    drawn = option.split(LARGE, seeds).tests
    for number in (1, 2):
        alone = one.split(LARGE, seeds.child(repeat=number)).tests[0]
        assert (drawn[number] == alone).all()


def test_draws_are_independent_of_each_other() -> None:
    """A rating is test in two draws by chance alone: σ² of them, ± 4 standard deviations."""
    drawn = parse("split", "random(test_share=0.3, repeats=40)").split(LARGE, Seeds(1)).tests
    both = [float(np.mean(drawn[one] & drawn[other])) for one in range(40) for other in range(one)]
    assert np.mean(both) == pytest.approx(0.09, abs=4 * np.sqrt(0.09 * 0.91 / len(LARGE) / 20))


def test_every_rating_is_test_once_in_each_draw_of_all_folds() -> None:
    drawn = parse("split", "k-fold(folds=4, repeats=3)").split(LARGE, Seeds(1)).tests
    for draw in range(3):
        assert set(np.sum(drawn[4 * draw : 4 * draw + 4], axis=0).tolist()) == {1}


def test_splits_without_chance_are_not_drawn_repeatedly() -> None:
    lacking = {
        name
        for name, option in options("split").items()
        if option.__module__.startswith("cranfield.")
        and "repeats" not in [each.name for each in parameters(option)]
    }
    assert lacking == {"given", "rolling", "temporal", "temporal-per-user"}
    with pytest.raises(OptionError, match="repeats"):
        parse("split", "temporal(repeats=2)")
    with pytest.raises(OptionError, match="the latest ratings are the same in each of 2 draws"):
        parse("split", "leave-out(pick=latest, repeats=2)")


@pytest.mark.parametrize("repeats", ["0", "-1", "1001", "1.5", "many"])
def test_so_many_draws_cannot_be_made(repeats: str) -> None:
    with pytest.raises(OptionError, match="repeats"):
        parse("split", f"random(repeats={repeats})")


def test_validation_is_a_single_part() -> None:
    several = parse("split", "random(repeats=2)")
    with pytest.raises(InfeasibleSplit, match="it makes 2 folds"):
        split(LARGE, parse("split", "random"), 1, validation=several)
