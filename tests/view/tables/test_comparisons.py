"""Comparisons as tables, for a terminal and for LaTeX."""

from __future__ import annotations

import numpy as np

from cranfield.base.options import parse
from cranfield.significance.comparison import ComparisonChoice, compare, compare_samples
from cranfield.significance.paired_tests import Permutation, StudentT
from cranfield.significance.resampling import Subsets
from cranfield.significance.samples import Samples
from cranfield.view.tables.comparisons import (
    beaten_marks,
    comparison_latex,
    direction,
    marked_table,
    marks,
    p_text,
    pairs_table,
)
from score_cases import scores_of
from significance_cases import samples_of

GOOD, BAD = [0.9, 0.8, 0.7, 0.9, 0.6, 0.8], [0.5, 0.5, 0.4, 0.4, 0.1, 0.4]
CHOICE = ComparisonChoice(test=StudentT())
FOUND = compare(scores_of({"bad": BAD, "good_1": GOOD, "also bad": BAD}), CHOICE)


def test_a_pair_shows_its_direction_and_significance() -> None:
    lines = pairs_table(FOUND).splitlines()
    assert lines[2].split()[:4] == ["P@10", "bad", "<", "good_1"]
    assert "*" in lines[2]
    assert "0/0/6" in lines[2]
    assert lines[3].split()[:5] == ["P@10", "bad", "=", "also", "bad"]
    assert "+0.0000" in lines[3]


def test_a_direction_that_may_be_chance_has_a_question_mark() -> None:
    found = compare_samples(samples_of([0.5, 0.1, 0.4], [0.4, 0.2, 0.1]), CHOICE)
    assert " >? " in pairs_table(found)


def test_subsets_have_a_column_where_they_were_asked_for() -> None:
    choice = ComparisonChoice(test=StudentT(), subsets=Subsets(count=4))
    found = compare(scores_of({"bad": BAD, "good": GOOD}), choice)
    assert pairs_table(found).splitlines()[0].endswith("subsets")
    assert "subsets" not in pairs_table(FOUND)


def test_a_system_carries_the_marks_of_those_it_beats() -> None:
    lines = marked_table(FOUND).splitlines()
    assert lines[2].split() == ["a", "bad", f"{np.mean(BAD):.4f}"]
    assert lines[3].split() == ["b", "good_1", f"{np.mean(GOOD):.4f}ᵃᶜ"]
    assert "significantly above that system (t, correction holm, α = 0.05)" in lines[-1]


def test_values_are_those_of_the_aggregation() -> None:
    scores = scores_of({"bad": BAD, "good": GOOD})
    choice = ComparisonChoice(test=Permutation(), aggregation=parse("aggregation", "median"))
    for show in (marked_table, comparison_latex):
        assert f"{np.median(GOOD):.4f}" in show(compare(scores, choice))


def test_latex_raises_the_marks_and_escapes_names() -> None:
    text = comparison_latex(FOUND)
    assert rf"$b$ & good\_1 & {np.mean(GOOD):.4f}$^{{ac}}$ \\" in text
    assert rf"$a$ & bad & {np.mean(BAD):.4f} \\" in text
    assert text.startswith(r"\begin{tabular}{lll}")


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


def test_the_direction_of_a_pair_points_to_the_lower_system() -> None:
    assert [direction(pair) for pair in FOUND.pairs] == ["<", "=", ">"]


def test_small_p_values_keep_one_digit() -> None:
    assert [p_text(p) for p in (0.0, 0.00009, 0.0001, 0.5)] == [
        "0.0000",
        "9e-05",
        "0.0001",
        "0.5000",
    ]
