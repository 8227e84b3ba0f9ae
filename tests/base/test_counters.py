from __future__ import annotations

import numpy as np

from cranfield.base.seeds import broadcast_uniforms, pair_uniforms, uniforms


def test_a_draw_depends_on_its_key_and_counter_alone() -> None:
    assert uniforms(1, [5])[0] == uniforms(1, np.arange(10))[5]
    assert uniforms(1, [5])[0] != uniforms(2, [5])[0]


def test_a_pairs_draw_does_not_depend_on_the_pairs_beside_it() -> None:
    whole = pair_uniforms(9, np.arange(7), np.arange(11))
    part = pair_uniforms(9, np.array([6, 2]), np.array([10, 0, 3]))
    assert (part == whole[np.ix_([6, 2], [10, 0, 3])]).all()
    assert (broadcast_uniforms(9, [6, 2], [10, 0]) == whole[[6, 2], [10, 0]]).all()


def test_a_pair_and_its_mirror_draw_different_numbers() -> None:
    square = pair_uniforms(3, np.arange(50), np.arange(50))
    assert len(np.unique(square)) == 2500


def test_draws_are_uniform_and_uncorrelated_between_neighbours() -> None:
    drawn = pair_uniforms(4, np.arange(500), np.arange(500))
    assert 0 < drawn.min() < drawn.max() < 1
    counts = np.histogram(drawn, bins=20, range=(0, 1))[0]
    expected = 250_000 / 20
    # χ² with 19 degrees of freedom exceeds 43.8 in one case of a thousand.
    assert ((counts - expected) ** 2 / expected).sum() < 43.8
    # A correlation of 250,000 independent pairs has a standard error of 1/500.
    for left, right in ((drawn[:-1], drawn[1:]), (drawn[:, :-1], drawn[:, 1:])):
        assert abs(np.corrcoef(left.ravel(), right.ravel())[0, 1]) < 4 / 500


def test_keys_that_are_negative_or_wide_are_taken() -> None:
    assert 0 < uniforms(-1, [0])[0] < 1
    assert 0 < uniforms(2**64 - 1, [0])[0] < 1
