"""Standardised scores against SciPy, and where systems score the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm, zscore

from cranfield.base.errors import BadParameter, CranfieldError, MissingFile
from cranfield.base.ids import Ids
from cranfield.base.options import parse
from cranfield.scoring.coverage import enter
from cranfield.scoring.scores import Scores
from cranfield.significance.comparison import compare
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.paired_tests.permutation import all_signs
from cranfield.testing import Law, laws_of
from score_cases import N, U, scores_of

STANDARDISED: Any = parse("aggregation", "standardised")


def values(scores: Scores) -> list[float]:
    systems = range(len(scores.systems))
    return [STANDARDISED.of_scores(enter(scores, system, 0, compared=True)) for system in systems]


def test_it_is_the_mean_of_normal_places_of_standard_scores() -> None:
    table = np.random.default_rng(2).random((5, 9))
    scores = scores_of({f"s{number}": row.tolist() for number, row in enumerate(table)})
    wanted = norm.cdf(zscore(table, axis=0, ddof=1)).mean(axis=1)
    assert values(scores) == pytest.approx(wanted.tolist())


@pytest.mark.parametrize("factor", [0.001, 7.0])
def test_topics_on_another_scale_count_the_same(factor: float) -> None:
    table = np.random.default_rng(4).random((3, 6))
    other = table * np.array([factor, 1, 1, factor, 1, 1]) + np.array([0, 3, 0, 0, 1, 0])
    plain, moved = (
        scores_of({f"s{number}": row.tolist() for number, row in enumerate(each)})
        for each in (table, other)
    )
    assert values(moved) == pytest.approx(values(plain))


def test_scores_that_differ_by_rounding_alone_count_a_half() -> None:
    """0.1 + 0.2 is not 0.3 to a computer, and no system is ahead by that."""
    assert values(scores_of({"A": [0.1 + 0.2], "B": [0.3]})) == [0.5, 0.5]
    assert values(scores_of({"A": [0.0], "B": [0.0], "C": [0.0]})) == [0.5, 0.5, 0.5]


def test_a_system_ahead_on_every_topic_is_ahead_and_two_mirror_each_other() -> None:
    ahead, behind = values(scores_of({"A": [0.5, 0.9, 0.2], "B": [0.4, 0.1, 0.1]}))
    assert ahead == pytest.approx(norm.cdf(1 / np.sqrt(2)))
    assert ahead + behind == pytest.approx(1)


@pytest.mark.parametrize("exponent", [-320, -250, -162, 0, 150, 300])
def test_scores_of_any_size_are_told_apart(exponent: int) -> None:
    """The squares of small deviations are below all numbers, those of large ones above."""
    table = np.array([[1.0, 4.0], [2.0, 4.0], [4.0, 1.0]])
    plain, other = (
        scores_of({f"s{n}": row.tolist() for n, row in enumerate(each)})
        for each in (table, table * 10.0**exponent)
    )
    assert values(other) == pytest.approx(values(plain), rel=1e-3 if exponent < -300 else 1e-9)


def table_of(rows: np.ndarray[Any, Any]) -> dict[str, list[float | None]]:
    return {f"s{number}": row.tolist() for number, row in enumerate(rows)}


def by_reference(reference: str, scores: Scores, system: int = 0) -> float:
    chosen: Any = parse("aggregation", f"standardised(reference={reference})")
    return float(chosen.of_scores(enter(scores, system, 0, compared=chosen.compares)))


@pytest.mark.parametrize("system", range(5))
def test_reference_systems_give_mean_and_deviation(system: int) -> None:
    table = np.random.default_rng(3).random((5, 9))
    some = table[[1, 3, 4]]
    standing = (table[system] - some.mean(axis=0)) / some.std(axis=0, ddof=1)
    found = by_reference("[s1, s3, s4]", scores_of(table_of(table)), system)
    assert found == pytest.approx(norm.cdf(standing).mean())


def test_with_all_systems_as_reference_it_is_as_without_one() -> None:
    scores = scores_of(table_of(np.random.default_rng(5).random((3, 7))))
    found = [by_reference("[s0, s1, s2]", scores, system) for system in range(3)]
    assert found == values(scores)


def test_other_systems_change_nothing_once_the_reference_is_given() -> None:
    """Not even by being undefined where the others are not."""
    rows = table_of(np.random.default_rng(6).random((3, 7)))
    more = {**rows, "new": [U, 0.9, N, 0.1, 1.0, U, 0.0]}
    for system in range(3):
        alone, among = (by_reference("[s1, s2]", scores_of(each), system) for each in (rows, more))
        assert alone == among
        assert values(scores_of(rows))[system] != pytest.approx(values(scores_of(more))[system])


def test_a_topic_that_is_undefined_for_a_reference_system_is_left_out() -> None:
    rows = {"a": [0.1, 0.9], "b": [0.2, U], "c": [0.4, 0.3]}
    alone = {name: row[:1] for name, row in rows.items()}
    found, wanted = (by_reference("[b, c]", scores_of(each)) for each in (rows, alone))
    assert found == wanted


def test_where_the_reference_is_of_one_mind_the_topic_counts_none_half_or_all() -> None:
    rows = {"a": [0.1, 0.3, 0.8], "b": [0.3, 0.3, 0.3], "c": [0.3, 0.1 + 0.2, 0.3]}
    chosen: Any = parse("aggregation", "standardised(reference=[b, c])")
    found = chosen.transformed(enter(scores_of(rows), 0, 0))
    assert found.tolist() == [0, 0.5, 1]


def test_a_reference_of_one_system_or_of_unknown_ones_is_refused() -> None:
    for wrong in ("[a]", "[a, a]", "[]"):
        with pytest.raises(BadParameter, match="a list of at least two different systems"):
            parse("aggregation", f"standardised(reference={wrong})")
    with pytest.raises(BadParameter, match='"x" is not one of the systems a, b'):
        by_reference("[a, x]", scores_of({"a": [0.1], "b": [0.2]}))


def test_a_file_of_reference_systems_is_as_good_as_the_systems(tmp_path: Path) -> None:
    """Topics are found by their users, in whatever order the file has them."""
    table = np.random.default_rng(8).random((4, 6))
    whole, mine = scores_of(table_of(table)), scores_of({"s0": table[0].tolist()})
    path = tmp_path / "old.parquet"
    rows = whole.to_polars().filter(pl.col("system") != "s0")
    rows.sample(fraction=1, shuffle=True, seed=1).write_parquet(path)
    assert by_reference(str(path), mine) == pytest.approx(by_reference("[s1, s2, s3]", whole))
    chosen: Any = parse("aggregation", f"standardised(reference={path})")
    assert (chosen.compares, chosen.files) == (False, (str(path),))
    some = mine.take(np.array([1, 4]))
    wanted = by_reference("[s1, s2, s3]", whole.take(np.array([1, 4])))
    assert by_reference(str(path), some) == pytest.approx(wanted)


def test_topics_of_a_file_are_found_by_user_item_and_segment(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    users, items, segments = [0, 0, 1, 2], [1, 3, 1, 0], [0, 1, 1, 0]
    table = rng.random((3, 4))
    plain = scores_of(table_of(table), users=users, segments=segments)
    whole = replace(
        plain,
        topics=replace(plain.topics, items=np.array(items, np.int32)),
        item_ids=Ids(pl.Series([5, 6, 7, 8])),
    )
    path = tmp_path / "old.parquet"
    whole.to_polars().reverse().write_parquet(path)
    found = by_reference(str(path), whole)
    assert found == pytest.approx(by_reference("[s0, s1, s2]", whole))
    with pytest.raises(CranfieldError, match=r"only .*old\.parquet has items of topics"):
        by_reference(str(path), plain)
    other = replace(whole, item_ids=Ids(pl.Series([5, 6, 7, 9])))
    with pytest.raises(CranfieldError, match='no scores for user "u10" and item 9'):
        by_reference(str(path), other)


def test_what_a_file_lacks_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "old.parquet"
    two = {"b": [0.2, 0.3], "c": [0.4, 0.1]}
    scores_of(two).to_parquet(path)
    with pytest.raises(CranfieldError, match=r'old\.parquet has no scores for user "u12"'):
        by_reference(str(path), scores_of({"a": [0.1, 0.2, 0.3]}))
    with pytest.raises(CranfieldError, match=r"has no scores by AP\. There are those by P@10"):
        by_reference(str(path), scores_of({"a": [0.1, 0.2]}, metric="AP"))
    scores_of({"b": [0.2, U], "c": [0.4, 0.1]}).to_parquet(path)
    with pytest.raises(CranfieldError, match='has no defined score for user "u11"'):
        by_reference(str(path), scores_of({"a": [0.1, 0.2]}))
    scores_of({"b": [0.2, 0.3]}).to_parquet(path)
    with pytest.raises(CranfieldError, match="at least two reference systems"):
        by_reference(str(path), scores_of({"a": [0.1, 0.2]}))
    with pytest.raises(MissingFile, match="nowhere"):
        by_reference(str(tmp_path / "nowhere.parquet"), scores_of({"a": [0.1]}))


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    path, mine = tmp_path / "old.parquet", scores_of({"a": [0.5, 0.5]})
    found = []
    for row in ([0.1, 0.2], [0.8, 0.7]):
        scores_of({"b": row, "c": [each + 0.1 for each in row]}).to_parquet(path)
        found.append(by_reference(str(path), mine))
    assert found[0] > 0.9 > 0.1 > found[1]


def test_a_topic_without_a_list_in_the_file_scores_nothing(tmp_path: Path) -> None:
    path = tmp_path / "old.parquet"
    scores_of({"b": [N, 0.3], "c": [0.4, 0.1]}).to_parquet(path)
    whole = scores_of({"a": [0.1, 0.2], "b": [0.0, 0.3], "c": [0.4, 0.1]})
    mine = scores_of({"a": [0.1, 0.2]})
    assert by_reference(str(path), mine) == pytest.approx(by_reference("[b, c]", whole))


def test_permutations_exchange_standings_against_a_fixed_reference(tmp_path: Path) -> None:
    """All 2⁷ exchanges by hand: the file stays as it is whoever is exchanged."""
    table = np.round(np.random.default_rng(11).random((4, 7)), 2)
    path = tmp_path / "old.parquet"
    scores_of({"b": table[2].tolist(), "c": table[3].tolist()}).to_parquet(path)
    reference = table[2:]
    standing = norm.cdf((table[:2] - reference.mean(axis=0)) / reference.std(axis=0, ddof=1))
    apart = standing[0] - standing[1]
    sums = all_signs(7) @ apart
    wanted = np.mean(np.abs(sums) >= abs(apart.sum()) - 1e-9)
    aggregation = parse("aggregation", f"standardised(reference={path})")
    choice = ComparisonChoice(test=parse("test", "permutation"), aggregation=aggregation)
    scores = scores_of({"a": table[0].tolist(), "z": table[1].tolist()})
    [pair] = compare(scores, choice).pairs
    assert pair.difference == pytest.approx(apart.mean())
    assert pair.p_value == pytest.approx(wanted)


@pytest.mark.parametrize("law", laws_of("aggregation"), ids=lambda law: law.name)
def test_it_obeys_the_laws_with_a_file_of_reference_systems(tmp_path: Path, law: Law) -> None:
    """The laws make up scores of users u10 to u19."""
    path = tmp_path / "old.parquet"
    scores_of(table_of(np.random.default_rng(1).random((3, 10)))).to_parquet(path)
    law.check(parse("aggregation", f"standardised(reference={path})"), examples=12)
