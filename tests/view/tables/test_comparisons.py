"""Comparisons as tables, for a terminal and for LaTeX."""

from __future__ import annotations

import numpy as np

from cranfield.base.options import parse
from cranfield.significance.comparison import compare, compare_samples
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.paired_tests import Permutation, StudentT
from cranfield.significance.resampling import Subsets
from cranfield.significance.samples.samples import Samples
from cranfield.view.tables.comparisons import (
    beaten_marks,
    comparison_latex,
    marked_table,
    marks,
    pairs_table,
)
from score_cases import scores_of

GOOD, BAD = [0.9, 0.8, 0.7, 0.9, 0.6, 0.8], [0.5, 0.5, 0.4, 0.4, 0.1, 0.4]
CHOICE = ComparisonChoice(test=StudentT())
FOUND = compare(scores_of({"bad": BAD, "good_1": GOOD, "also bad": BAD}), CHOICE)


def test_a_pair_has_the_higher_system_first_and_a_mark_if_it_is_significant() -> None:
    lines = pairs_table(FOUND).splitlines()
    assert lines[0] == "P@10"
    assert lines[1].split()[:3] == ["higher", "lower", "difference"]
    assert lines[3].split()[:2] == ["good_1", "bad"]
    assert f"+{np.mean(GOOD) - np.mean(BAD):.4f}" in lines[3]
    assert "*" in lines[3]
    assert "6/0/0" in lines[3]
    assert lines[4].split()[:3] == ["bad", "also", "bad"]
    assert "+0.0000" in lines[4]
    assert "*" not in lines[4]


def test_what_p_values_and_marks_mean_stands_below() -> None:
    table = pairs_table(FOUND)
    assert "p (Holm)" in table
    assert (
        "p: paired t test, Holm correction. * marks p < 0.05. Differences are higher minus lower."
        in table
    )
    assert table.endswith("those for whom the higher system is better, equal or worse.")


def test_no_number_is_cut_in_eighty_columns() -> None:
    table = pairs_table(FOUND, width=80)
    assert max(map(len, table.splitlines())) <= 80
    whole = set(pairs_table(FOUND).split())
    assert {word for word in table.split() if word[0] in "+−<0123456789"} <= whole
    assert "…" not in table
    assert len(table.split("\n\n")) == 2, "one table, and what it means"


def test_pairs_with_a_baseline_come_after_the_others_and_random_ones_last() -> None:
    scores = scores_of({"Random": BAD, "mine": GOOD, "Pop": BAD, "yours": GOOD})
    found = compare(scores, CHOICE)
    rows = [line.split()[:2] for line in pairs_table(found).splitlines()[3:9]]
    assert [set(row) & {"Pop", "Random"} for row in rows] == [
        set(), {"Pop"}, {"Pop"}, {"Random"}, {"Random"}, {"Random", "Pop"},
    ]  # fmt: skip
    renamed = [
        line.split()[:2] for line in pairs_table(found, kinds={"mine": "Random"}).splitlines()
    ]
    assert set(renamed[3]) == {"Pop", "yours"}


def test_subsets_have_a_column_where_they_were_asked_for() -> None:
    choice = ComparisonChoice(test=StudentT(), subsets=Subsets(count=4))
    found = compare(scores_of({"bad": BAD, "good": GOOD}), choice)
    assert "subsets" in pairs_table(found).splitlines()[1]
    assert "subsets" not in pairs_table(FOUND)


def test_a_system_carries_the_marks_of_those_it_beats() -> None:
    lines = marked_table(FOUND).splitlines()
    assert lines[2].split() == ["a", "bad", f"{np.mean(BAD):.4f}"]
    assert lines[3].split() == ["b", "good_1", f"{np.mean(GOOD):.4f}ᵃᶜ"]
    assert (
        "significantly above that system (paired t test, Holm correction, level 0.05)" in lines[-1]
    )


def test_values_are_those_of_the_aggregation() -> None:
    scores = scores_of({"bad": BAD, "good": GOOD})
    choice = ComparisonChoice(test=Permutation(), aggregation=parse("aggregation", "median"))
    for show in (marked_table, comparison_latex):
        assert f"{np.median(GOOD):.4f}" in show(compare(scores, choice))


def test_latex_raises_the_marks_and_escapes_names() -> None:
    text = comparison_latex(FOUND)
    assert rf"$b$ & good\_1 & {np.mean(GOOD):.4f}$^{{ac}}$ \\" in text
    assert rf"$a$ & bad & {np.mean(BAD):.4f} \\" in text
    assert r"\begin{tabular}{lll}" in text
    assert r"\label{tab:comparison}" in text


def test_many_systems_are_marked_by_numbers() -> None:
    assert marks(3) == ["a", "b", "c"]
    assert marks(30)[-1] == "30"
    rows = np.repeat(np.array(BAD)[None, :], 30, axis=0)
    rows[29] = GOOD
    values = rows[:, None, :]
    names = tuple(f"s{number}" for number in range(30))
    found = compare_samples(Samples(names, ("P",), values, np.ones((1, 6), dtype=bool)), CHOICE)
    assert f"{np.mean(GOOD):.4f}¹˒²˒³˒" in marked_table(found)
    assert beaten_marks(found, "P", "s29").split(",") == [str(n) for n in range(1, 30)]


def test_marks_are_those_of_the_systems_beaten() -> None:
    assert beaten_marks(FOUND, "P@10", "good_1") == "ac"
    assert beaten_marks(FOUND, "P@10", "bad") == ""
