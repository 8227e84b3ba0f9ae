"""Repeated notes: what several tables and figures have in common, said once for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z])")
_LEAST = 3
"""Numbers in a row that are told by the first and the last."""


def sentences(text: str) -> list[str]:
    """The sentences of a text.

    >>> sentences("Sizes are drawn anew. As by rec_eval 10.6, all count.")
    ['Sizes are drawn anew.', 'As by rec_eval 10.6, all count.']
    """
    return [each for each in _SENTENCES.split(" ".join(text.split())) if each]


def repeated(notes: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The sentences that several items have, and of which items; in the order they are met.

    >>> repeated({"Table 1": ["A.", "B."], "Table 2": ["B."]})
    {'B.': ['Table 1', 'Table 2']}
    """
    found: dict[str, list[str]] = {}
    for item, some in notes.items():
        for sentence in dict.fromkeys(some):
            found.setdefault(sentence, []).append(item)
    return {sentence: items for sentence, items in found.items() if len(items) > 1}


def named_items(items: Iterable[str]) -> str:
    """Tables and figures by name, those in a row by the first and the last.

    >>> named_items(["Table 3", "Figure 1", "Figure 9", "Figure 10", "Figure 11"])
    'Table 3, Figure 1, Figures 9 to 11'
    """
    told: list[str] = []
    for kind, some in groupby(items, key=lambda item: item.rpartition(" ")[0]):
        for row in _in_a_row([item.rpartition(" ")[2] for item in some]):
            if len(row) >= _LEAST:
                told.append(f"{kind}s {row[0]} to {row[-1]}")
            else:
                told += [f"{kind} {number}" for number in row]
    return ", ".join(told)


def _in_a_row(numbers: Sequence[str]) -> list[list[str]]:
    """Numbers in groups of those that follow each other; what is no number stands alone."""
    groups: list[list[str]] = []
    for number in numbers:
        last = groups[-1][-1] if groups else ""
        follows = number.isdigit() and last.isdigit() and int(number) == int(last) + 1
        if follows:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups
