"""How text files are laid out, as their first lines show."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.base.errors import EmptyInput, UnreadableFile
from cranfield.base.schema import ITEM, RATING, USER
from cranfield.collection.text.layout import (
    BLANKS,
    distinct_names,
    filled_head,
    is_number,
    layout_of,
    sample_of,
    split,
)


@pytest.mark.parametrize("text", ["1", "-2.5", "1e-3", " 7 ", "nan", "inf", ".5"])
def test_numbers_are_numbers(text: str) -> None:
    assert is_number(text)


@pytest.mark.parametrize("text", ["", " ", "x", "1_0", "٣", "1,5", "0x1"])
def test_other_texts_are_none(text: str) -> None:
    assert not is_number(text)


@pytest.mark.parametrize("suffix", [".toml", ".yaml", ".YML"])
def test_a_definition_is_no_table(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"mine{suffix}"
    path.write_text('data = "ml-1m"\nseed = 1\n')
    with pytest.raises(UnreadableFile, match=r"it is a definition, .*`cranfield run` executes it"):
        filled_head(path)


def test_a_repeated_name_gets_its_place() -> None:
    assert distinct_names(["a", "b", "a", "a"]) == ("a", "b", "a (3)", "a (4)")


def test_blank_lines_at_the_top_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("\n \n\ufeffa b\n\nc d\n")
    assert filled_head(path) == (2, ["\ufeffa b", "", "c d"])


@pytest.mark.parametrize("what", ["ratings", "ranked items"])
def test_a_file_without_a_line_is_refused_with_what_it_lacks(tmp_path: Path, what: str) -> None:
    path = tmp_path / "t.txt"
    path.write_text("\n  \n")
    with pytest.raises(EmptyInput, match=f"there are no {what}"):
        filled_head(path, what)


@pytest.mark.parametrize(
    ("line", "separator", "quoted", "fields"),
    [
        ("a  b\tc", BLANKS, False, ["a", "b", "c"]),
        ('a,"b,c"', ",", True, ["a", "b,c"]),
        ('a,"b,c"', ",", False, ["a", '"b', 'c"']),
        ("a::b:c", "::", False, ["a", "b:c"]),
        ("  ", ",", True, []),
    ],
)
def test_lines_are_split(line: str, separator: str, quoted: bool, fields: list[str]) -> None:
    assert split(line, separator, quoted) == fields
    assert sample_of(["", line], separator, quoted) == ([fields] if fields else [])


def test_the_sample_holds_what_columns_say_below_the_header(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("user,item,rating\na,x,3\nb\n")
    layout = layout_of(path, "csv")
    assert layout.roles == {USER: "user", ITEM: "item", RATING: "rating"}
    assert layout.skipped == 1
    assert layout.values(USER) == ["a", "b"]
    assert layout.values(RATING) == ["3"]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('"user"\t"item"\n"a"\t"x"\n', True),
        ('user\titem\n"a"\t"x"\n', False),
        ('"a"\tx\t3\nb\ty\t4\n', False),
        ('"a"\tx\t3\n"b"\ty\t4\n', True),
    ],
)
def test_quotes_between_tabs_enclose_fields_only_if_they_do_in_every_line(
    tmp_path: Path, text: str, quoted: bool
) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(text)
    assert layout_of(path, "csv").quoted is quoted
