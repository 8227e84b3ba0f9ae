"""Notes on propensities: when an effective sample size is small, and what it is of."""

from __future__ import annotations

import pytest

from cranfield.workbench.execution.experiment.propensity_notes import _effective


@pytest.mark.parametrize(
    ("size", "ratings", "small"),
    [
        (99, 100, True),
        (100, 100, False),
        (50, 50, False),
        (49.4, 50, True),
        (100, 1000, False),
        (99.9, 1000, True),
        (199, 2000, True),
        (200, 2000, False),
    ],
)
def test_it_is_small_below_a_hundred_ratings_or_a_tenth_of_all(
    size: float, ratings: int, small: bool
) -> None:
    note = _effective("P@5", size, ratings)
    assert note.startswith("Warning: ") is small
    assert ("choose a larger clip" in note) is small


def test_the_note_tells_the_size_and_of_how_many() -> None:
    assert _effective("P@5 and RR", 1234.4, 5678) == (
        "P@5 and RR: the effective sample size is 1,234 of 5,678 test ratings."
    )


def test_one_rating_is_not_called_ratings() -> None:
    assert _effective("P@5", 1, 1).endswith("1 of 1 test rating.")
