"""Netflix Prize files, one by one, combined, or a folder of them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from cranfield.base.errors import CranfieldError
from cranfield.collection.sources.file import File

FIRST = "1:\n1488844,3,2005-09-06\n822109,5,2005-05-13\n"
SECOND = "2:\n1488844,4,2005-09-05\n"
EXPECTED = {
    "user_id": [822109, 1488844, 1488844],
    "item_id": [1, 1, 2],
    "rating": [5.0, 3.0, 4.0],
    "timestamp": [1115942400, 1125964800, 1125878400],
}


def content(path: Path) -> dict[str, list[object]]:
    return File(path=str(path)).read().to_polars().to_dict(as_series=False)


def fault(path: Path, text: str) -> str:
    path.write_text(text)
    with pytest.raises(CranfieldError) as caught:
        File(path=str(path)).read()
    return str(caught.value).replace(f"{path.parent}/", "")


@pytest.mark.parametrize("text", [FIRST + SECOND, f"{FIRST}\n{SECOND}\n\n".replace("\n", "\r\n")])
def test_several_blocks_in_one_file_are_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "combined_data_1.txt"
    path.write_bytes(text.encode())
    assert content(path) == EXPECTED


def test_a_packed_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "combined.txt.gz"
    path.write_bytes(gzip.compress((FIRST + SECOND).encode()))
    assert content(path) == EXPECTED


def test_a_folder_of_files_is_read(tmp_path: Path) -> None:
    (tmp_path / "mv_0000001.txt").write_text(FIRST.rstrip())
    (tmp_path / "mv_0000002.txt").write_text(SECOND)
    assert content(tmp_path) == EXPECTED


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1:\n\n7,x,2005-09-06\n", 'r.txt, line 3, column "rating": "x" is not a number.'),
        ("1:\n7,3,soon\n", 'r.txt, line 2, column "date": "soon" is not a date as 2005-09-06.'),
        ("1:\n7,3\n", 'r.txt, line 2: "7,3" is neither "item:" nor "user,rating,date".'),
        (
            "1:\n7,3,2005-09-06,x\n",
            'r.txt, line 2: "7,3,2005-09-06,x" is neither "item:" nor "user,rating,date".',
        ),
        ("1:\n2:\n", "r.txt: there are no ratings. At least one is needed."),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, text: str, message: str) -> None:
    assert fault(tmp_path / "r.txt", text) == message


def test_a_faulty_file_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "mv_0000001.txt").write_text(FIRST)
    (tmp_path / "mv_0000002.txt").write_text("2:\n7,x,2005-09-06\n")
    with pytest.raises(CranfieldError, match=r'mv_0000002\.txt, line 2, column "rating": "x"'):
        File(path=str(tmp_path)).read()


def test_duplicates_are_named_by_their_lines(tmp_path: Path) -> None:
    message = fault(
        tmp_path / "r.txt", "1:\n7,3,2005-09-06\n\n2:\n7,3,2005-09-06\n1:\n7,3,2005-09-06\n"
    )
    assert "first 7 and 1 (lines 2 and 7)" in message
