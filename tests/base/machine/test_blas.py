"""Dense linear algebra gives the same bits however many threads BLAS may use."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits  # type: ignore[import-untyped]

from cranfield.base.machine.blas import one_blas_thread
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.workbench import inventory
from learnable import everyone, grouped


def blas_threads() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_one_thread_inside_and_as_many_as_before_outside() -> None:
    np.ones((2, 2)) @ np.ones((2, 2))
    before = blas_threads()
    with one_blas_thread():
        assert blas_threads() == {1}
    assert blas_threads() == before


@pytest.mark.parametrize("spelling", ["EASE", "PureSVD(factors=20)", "WRMF(iterations=2)"])
def test_the_threads_of_blas_change_no_bit(spelling: str) -> None:
    inventory.load("recommender")
    train, _ = grouped(300, 500)
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads, user_api="blas"):
            fitted = parse("recommender", spelling).fit(train, Seeds(1))
            found.append(fitted.predict(everyone(train)[:9]))
    np.testing.assert_array_equal(*found)
