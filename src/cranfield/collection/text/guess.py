"""The format of a file that nobody stated: the one in which it can be read."""

from __future__ import annotations

import re
from pathlib import Path

from cranfield.base.errors import CranfieldError, EmptyInput, UnreadableFile
from cranfield.base.packed import PARQUET, ZIP, first_bytes
from cranfield.base.schema import ITEM, USER, find_columns
from cranfield.collection.text.layout import BLANKS, Format, fits, split, text_head

_TYPED = re.compile(r"\w+:(token|float|token_seq|float_seq)")
_BLOCK = re.compile(r"\d+:")
_COLONS = "::"
_JSON = (".json", ".jsonl", ".ndjson")
_BY_SUFFIX = {".tsv": "\t", ".csv": ",;|", ".dat": _COLONS}
"""The separators that a suffix promises."""
_NAMES = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars", BLANKS: "blanks"}


def guess_format(path: Path) -> Format:
    """The format of a file, from its first bytes, its name and its first lines."""
    start = first_bytes(path)
    if start.startswith(PARQUET):
        return "parquet"
    if start.startswith(ZIP):
        raise UnreadableFile(
            str(path), "it is a zip archive", "Unpack it and name the file inside."
        )
    name = path.name.lower().removesuffix(".gz").removesuffix(".zst")
    if name.endswith(".parquet"):
        raise UnreadableFile(str(path), "it is not a Parquet file, although its name says so")
    text = [line for line in text_head(path) if line.strip()]
    if not text:
        raise EmptyInput(str(path))
    if shown := _by_first_line(name, text[0]):
        return shown
    if all(_COLONS in line for line in text):
        return _with_colons(path, Path(name).suffix, text)
    if all(_is_judgment(line) for line in text) or ("qrel" in name and not _is_header(text[0])):
        return "qrels"
    return "csv"


def _by_first_line(name: str, first: str) -> Format | None:
    """The format that a first line shows, or a name promises; None where neither does."""
    if name.endswith(_JSON) and first.lstrip().startswith("{"):
        return "jsonl"
    if name.endswith(".inter") or all(_TYPED.fullmatch(f) for f in first.split()):
        return "inter"
    return "netflix" if _BLOCK.fullmatch(first.strip()) else None


def looks_like_ratings(path: Path) -> bool:
    """Whether a file is Parquet, or text with the columns of ratings: their names, or numbers."""
    try:
        guessed = guess_format(path)
        if guessed in ("parquet", "inter", "netflix", "dat", "jsonl"):
            return True
        text = [line for line in text_head(path) if line.strip()]
    except CranfieldError:
        return False
    if _is_header(text[0]) or guessed == "qrels":
        return True
    return "=" not in text[0] and any(fits(text[1:] or text, each) > 0 for each in _NAMES)


def _with_colons(path: Path, suffix: str, text: list[str]) -> Format:
    """MovieLens, or columns whose ids hold double colons: the one reading that fits.

    One whose third fields are all numbers fits better than one without. Of two that fit
    equally well the suffix says which is meant.
    """
    plain = {each: fits(text, each) for each in _NAMES}
    separator, best = max(plain.items(), key=lambda each: each[1])
    colons, named = fits(text, _COLONS), _BY_SUFFIX.get(suffix, "")
    promised = any(plain[each] >= 0 for each in named if each in plain)
    if best < 0 or (colons > best and not promised) or (colons == best and named == _COLONS):
        return "dat"
    if best > colons or (best == colons and promised):
        return "csv"
    problem = f'it can be read as columns between "::" and as columns between {_NAMES[separator]}'
    remedy = 'Say which: "file(path=…, format=dat)" or "file(path=…, format=csv)".'
    raise UnreadableFile(str(path), problem, remedy)


def _is_judgment(line: str) -> bool:
    fields = line.split()
    return len(fields) == 4 and fields[1] in ("0", "Q0") and "\t" not in line and "," not in line


def _is_header(line: str) -> bool:
    """Whether a line gives columns their usual names."""
    for separator in ("\t", ",", ";", "|"):
        try:
            return bool(find_columns(split(line, separator, separator != "\t"), (USER, ITEM)))
        except CranfieldError:
            continue
    return False
