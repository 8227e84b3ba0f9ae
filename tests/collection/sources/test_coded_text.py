"""Ratings whose ids were numbered on the way are those that Polars reads."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import CranfieldError
from cranfield.collection.ratings import Ratings
from cranfield.collection.sources import table
from cranfield.collection.sources.file import File
from cranfield.collection.text import fast
from suites import tries

cells = st.sampled_from(["a", "b", "u10", "u9", "10", "9", "07", "long-id-of-an-item", "é"])
wide = st.sampled_from(["1234567890123456789", "99", "-7"])
rated = st.sampled_from(["5", "4.5", "1e-3", "-2", "0.30000000000000004"])
odd = st.sampled_from(["", "x", "inf", " 3", "3 4"])


def read(path: Path, duplicates: str = "refuse") -> Ratings | str:
    try:
        return File(path=str(path), duplicates=duplicates).read()  # type: ignore[arg-type]
    except CranfieldError as error:
        return str(error)


def same(path: Path, duplicates: str = "refuse") -> Ratings | str:
    """What is read, which must not depend on how."""
    with patch.object(fast, "_MANY_BYTES", 0):
        coded = read(path, duplicates)
    with patch.object(table, "read_coded", return_value=None):
        plain = read(path, duplicates)
    if isinstance(coded, str) or isinstance(plain, str):
        assert coded == plain
        return coded
    assert coded.fingerprint == plain.fingerprint
    assert (coded.user_ids, coded.item_ids) == (plain.user_ids, plain.item_ids)
    assert np.array_equal(coded.values, plain.values)
    return coded


@settings(deadline=None, max_examples=tries(100))
@given(
    pairs=st.lists(st.tuples(cells | wide, cells | wide), min_size=1, max_size=20, unique=True),
    ratings=st.lists(rated, min_size=20, max_size=20),
    fault=st.none() | odd,
    form=st.sampled_from([("qrels", "{0} 0 {1} {2}\n"), ("csv", "{0},{1},{2}\n")]),
)
def test_numbered_ids_change_nothing(
    pairs: list[tuple[str, str]],
    ratings: list[str],
    fault: str | None,
    form: tuple[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    kind, line = form
    values = ratings if fault is None else [*ratings[: len(pairs) // 2], fault, *ratings]
    rows = [line.format(*pair, value) for pair, value in zip(pairs, values, strict=False)]
    path = tmp_path_factory.mktemp("rated") / f"test.{kind}"
    path.write_text("".join(rows))
    same(path)


@pytest.mark.parametrize("duplicates", ["refuse", "last", "first", "max", "mean"])
def test_duplicates_are_resolved_alike(duplicates: str, tmp_path: Path) -> None:
    path = tmp_path / "test.qrels"
    path.write_text("u1 0 i1 3\nu1 0 i2 4\nu1 0 i1 5\nu0 0 i1 1\n")
    found = same(path, duplicates)
    if duplicates == "refuse":
        assert isinstance(found, str)
        assert "lines 1 and 3" in found


def test_a_plain_file_comes_numbered(tmp_path: Path) -> None:
    path = tmp_path / "test.qrels"
    path.write_text("u1 0 i1 3\nu0 0 i2 4\n")
    with patch.object(fast, "_MANY_BYTES", 0):
        assert table.read_table(path, "qrels", coded=True).ids
        assert not table.read_table(path, "qrels").ids
    assert not table.read_table(path, "qrels", coded=True).ids
