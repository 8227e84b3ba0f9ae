"""Notes that several tables and figures share are said once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.view.page.repeated_notes import named_items, repeated, sentences


@given(
    st.dictionaries(
        st.sampled_from(["Table 1", "Figure 1", "Figure 2"]),
        st.lists(st.sampled_from(["A.", "B.", "C."]), unique=True),
    )
)
def test_a_sentence_is_common_if_two_items_have_it(notes: dict[str, list[str]]) -> None:
    found = repeated(notes)
    for sentence in ("A.", "B.", "C."):
        having = [item for item, some in notes.items() if sentence in some]
        assert found.get(sentence, []) == (having if len(having) > 1 else [])


@given(st.lists(st.sampled_from(["One thing.", "Another by rec_eval 10.6.", "A third."])))
def test_sentences_are_those_that_were_joined(some: list[str]) -> None:
    assert sentences(" ".join(some)) == some


@pytest.mark.parametrize(
    ("items", "told"),
    [
        (["Figure 9", "Figure 10"], "Figure 9, Figure 10"),
        (["Table 1", "Table 2", "Table 3", "Figure 4"], "Tables 1 to 3, Figure 4"),
        (["Figure 4.4", "Figure 4.5", "Figure 4.6"], "Figure 4.4, Figure 4.5, Figure 4.6"),
        (["Figure 4 right", "Figure 5"], "Figure 4 right, Figure 5"),
        ([], ""),
    ],
)
def test_items_in_a_row_are_told_by_the_first_and_the_last(items: list[str], told: str) -> None:
    assert named_items(items) == told
