"""Compiled draws equal their plain definitions."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.significance.draws import (
    all_signs,
    random_signs,
    resample_counts,
    shuffled_systems,
)
from cranfield.significance.kernels.drawing import add_shuffled, fill_counts, fill_signs

KEY = 2**63 + 12345


@pytest.mark.parametrize("users", [1, 63, 64, 65, 200])
@pytest.mark.parametrize("first", [0, 7])
def test_signs_equal_their_definition(users: int, first: int) -> None:
    out = np.empty((5, users))
    fill_signs(np.uint64(KEY), first, out)
    np.testing.assert_array_equal(out, random_signs(KEY, range(first, first + 5), users))


@pytest.mark.parametrize("users", [1, 2, 150])
def test_counts_equal_their_definition(users: int) -> None:
    out = np.empty((4, users))
    fill_counts(np.uint64(KEY), 3, out)
    np.testing.assert_array_equal(out, resample_counts(KEY, range(3, 7), users))
    assert (out.sum(axis=1) == users).all()


@pytest.mark.parametrize("systems", [2, 3, 21])
def test_sums_of_shuffled_scores_equal_their_definition(systems: int) -> None:
    scores = np.random.default_rng(1).integers(0, 100, (11, systems, 4)).astype(float)
    sums = np.zeros((3, systems, 4))
    add_shuffled(np.uint64(KEY), 5, scores, sums)
    for draw, found in enumerate(sums, start=5):
        places = shuffled_systems(KEY, draw, *scores.shape[:2])
        expected = np.take_along_axis(scores, places[:, :, None], axis=1).sum(axis=0)
        np.testing.assert_array_equal(found, expected)


def test_signs_are_fair_and_unrelated() -> None:
    signs = random_signs(KEY, range(20_000), 130)
    assert np.abs(signs.mean(axis=0)).max() < 5 / np.sqrt(20_000)
    related = np.corrcoef(signs[:, [0, 1, 63, 64, 129]].T) - np.eye(5)
    assert np.abs(related).max() < 5 / np.sqrt(20_000)


def test_all_signs_are_all_different() -> None:
    signs = all_signs(5)
    assert len({tuple(row) for row in signs.tolist()}) == 2**4
    assert (signs[:, 0] == 1).all()
