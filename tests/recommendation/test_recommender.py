"""What every fitted recommender says of users that it does not have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import UnknownUserCode
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.recommendation.recommender import user_codes
from law_cases import SPELLINGS
from learnable import grouped


@pytest.mark.parametrize("spelling", SPELLINGS["recommender"])
@pytest.mark.parametrize("beyond", [-1, 0, 1 << 20])
def test_a_user_code_out_of_range_is_refused(spelling: str, beyond: int) -> None:
    train, _ = grouped()
    code = beyond if beyond < 0 else train.n_users + beyond
    predictor: Any = parse("recommender", spelling).fit(train, Seeds(1))
    with pytest.raises(UnknownUserCode, match=f"no user has the code {code}\\."):
        predictor.predict(np.array([0, code], dtype=np.int32))


def test_codes_of_any_whole_type_are_read_as_kernels_take_them() -> None:
    for given in ([2, 0], np.array([2, 0]), np.array([2, 0], dtype=np.uint8)):
        found = user_codes(given, 3)
        assert found.dtype == np.int32
        np.testing.assert_array_equal(found, [2, 0])


def test_a_code_that_would_wrap_around_is_refused() -> None:
    with pytest.raises(UnknownUserCode, match="4294967296"):
        user_codes(np.array([1 << 32]), 3)
