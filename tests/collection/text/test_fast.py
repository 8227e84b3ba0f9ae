"""A file's bytes tell whether its numbers are written plainly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield.collection.text import fast as plain_numbers
from cranfield.collection.text.fast import plain_separators


@pytest.mark.parametrize(
    "text", ["1,20,0.5\n", "0,0\n", "10,00x\n"[:3] + "\n", "user,item\n7,8", ""]
)
def test_usual_numbers_are_plain(text: str, tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text(text)
    assert plain_separators(path, ",") == text.count(",")


@pytest.mark.parametrize(
    "text", ["01,2\n", "1,02\n", "1,2\n03,4\n", "+1,2\n", "1, 2\n", '"1",2', "-1,2"]
)
def test_anything_else_is_not(text: str, tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text(text)
    assert plain_separators(path, ",") is None


FIELDS = st.sampled_from(["0", "7", "10", "00", "07", "0.5", "100"])


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.lists(FIELDS, min_size=1, max_size=3), max_size=6),
    chunk=st.integers(1, 9),
    block=st.integers(1, 4),
)
def test_a_leading_zero_is_found_wherever_the_parts_fall(
    rows: list[list[str]], chunk: int, block: int, tmp_path: Path
) -> None:
    path = tmp_path / "f.csv"
    path.write_text("\n".join(",".join(row) for row in rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_numbers, "_PART", chunk)
        patch.setattr(plain_numbers, "_BLOCK", block)
        found = plain_separators(path, ",")
    plain = not any(field in ("00", "07") for row in rows for field in row)
    assert found == (sum(len(row) - 1 for row in rows) if plain else None)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text("1:\n", max_size=12), chunk=st.integers(1, 9), block=st.integers(1, 4))
def test_halves_of_a_doubled_separator_stand_two_by_two(
    text: str, chunk: int, block: int, tmp_path: Path
) -> None:
    path = tmp_path / "f.dat"
    path.write_text(text + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_numbers, "_PART", chunk)
        patch.setattr(plain_numbers, "_BLOCK", block)
        found = plain_separators(path, "::")
    runs = re.findall(":+", text)
    assert found == (2 * len(runs) if all(run == "::" for run in runs) else None)
