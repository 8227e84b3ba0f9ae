"""Results side by side: what differs, where they part, and whether the decisions explain it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.base.errors import OptionError, TooFew
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.differing import Difference
from cranfield.workbench.results.results import Results
from cranfield.workbench.review.comparison import ResultsComparison, comparison_schema
from cranfield.workbench.review.explaining import STAGES
from cranfield.workbench.review.results_difference import ResultsDifference
from experiment_cases import table_of
from page_reader import read_page

ROWS = [f"{user},{item},{1 + (user * item) % 5}" for user in range(12) for item in range(20)]


@cache
def plain() -> Results:
    return cf.run(table_of())


def against(first: Any, second: Any) -> ResultsDifference:
    (found,) = cf.compare_results(first, second).differences
    return found


def rescored(results: Results, *systems: str) -> Results:
    """The same results with other scores of some systems, as if something had gone wrong."""
    values = results.scores.values.copy()
    for name in systems:
        values[results.scores.system_number(name)] += 0.125
    return replace(results, scores=replace(results.scores, values=values))


def test_the_same_results_are_equal_in_everything() -> None:
    found = against(plain(), cf.run(table_of(title="Another")))
    assert found.explanation.kind == "equal"
    assert (found.decisions, found.data, found.values, found.conclusions) == ((), (), (), ())
    assert found.common == 6
    assert found.sentence == (
        "All 6 values that both have are equal. "
        "Scores of users, tests and conclusions are equal, too."
    )


@pytest.mark.parametrize(
    ("changes", "stage", "causes"),
    [
        ({"data": "simulated(size=tiny, seed=3)"}, "ratings", ("data",)),
        ({"filters": ["k-core(k=3)"]}, "ratings", ("filters",)),
        ({"split": "per-user(test_share=0.3)"}, "parts", ("split",)),
        ({"seed": 5}, "parts", ("seed",)),
        ({"judged_share": 0.5}, "judgments", ("judged_share",)),
        ({"relevance": 3}, "judgments", ("relevance",)),
        ({"targets": "test-items"}, "targets", ("targets",)),
        ({"least_train": 6}, "targets", ("least_train",)),
        ({"ties": "random"}, "scores", ("ties",)),
        ({"depth": 2}, "scores", ("depth",)),
        ({"aggregation": "median", "comparison": {"test": "sign"}}, "values", ("aggregation",)),
        ({"undefined": "zero"}, "values", ("undefined",)),
        ({"comparison": {"test": "wilcoxon"}}, "tests", ("comparison.test",)),
    ],
)
def test_a_decision_explains_the_stage_at_which_it_acts(
    changes: dict[str, Any], stage: str, causes: tuple[str, ...]
) -> None:
    found = against(plain(), cf.run(table_of(**changes)))
    assert (found.explanation.kind, found.explanation.stage) == ("decisions", stage)
    assert found.explanation.causes == causes
    assert {each.path.partition(".")[0] for each in found.decisions} == set(changes)
    assert "the decisions explain it." in found.sentence


def test_decisions_that_act_later_are_told_too() -> None:
    found = against(plain(), cf.run(table_of(relevance=3, ties="random")))
    assert found.explanation.causes == ("relevance",)
    assert found.sentence.endswith(
        "where relevance differs: the decisions explain it. ties acts later and may add to it."
    )


def test_one_system_that_differs_explains_its_own_values_alone() -> None:
    systems = {**table_of()["systems"], "kNN": "user-kNN(k=9)"}
    other = cf.run(table_of(systems=systems))
    found = against(plain(), other)
    assert {each.system for each in found.values} == {"kNN"}
    assert (found.explanation.stage, found.explanation.causes) == ("scores", ("systems.kNN",))
    wrong = against(plain(), rescored(other, "Popularity"))
    assert wrong.explanation.kind == "unexplained"
    assert "They part at the scores of users of Popularity, where no decision" in wrong.sentence


def test_a_system_or_metric_more_changes_no_common_value() -> None:
    systems = {**table_of()["systems"], "more": "EASE"}
    found = against(plain(), cf.run(table_of(systems=systems, metrics=["P@5", "nDCG@5", "RR"])))
    assert found.values == ()
    assert found.common == 6
    assert {each.path for each in found.decisions} == {"systems.more", "metrics"}
    assert found.explanation.stage in ("tests", "conclusions")
    assert "systems.more" in found.explanation.causes
    wrong = against(plain(), rescored(cf.run(table_of(systems=systems)), "kNN"))
    assert wrong.explanation.kind == "unexplained"


def test_a_system_more_may_change_values_over_users_common_to_all() -> None:
    def picky(train: Any, users: Any) -> Any:
        scores = np.tile(train.item_counts.astype(float), (len(users), 1))
        scores[np.asarray(users) % 2 == 0] = np.nan
        return scores

    asked = table_of(coverage="common")
    found = against(cf.run(asked), cf.run({**asked, "systems": {**asked["systems"], "x": picky}}))
    assert found.values
    assert (found.explanation.stage, found.explanation.causes) == ("values", ("systems.x",))


def test_vectors_of_items_explain_values_of_whole_runs(tmp_path: Path) -> None:
    made = []
    for name, labels in {"a.csv": "xyz", "b.csv": "xxy"}.items():
        rows = [f"i{item:04},{labels[item % 3]}" for item in range(1, 51)]
        (tmp_path / name).write_text("\n".join(["item,genre", *rows]))
        vectors = str(tmp_path / name)
        made.append(cf.run(table_of(metrics=["P@5", "ILD@5"], item_vectors=vectors)))
    found = against(*made)
    assert {each.metric for each in found.values} == {"ILD@5"}
    assert (found.explanation.stage, found.explanation.causes) == ("values", ("item_vectors",))


def test_results_of_tables_and_models_in_python_are_compared_once_written(
    tmp_path: Path,
) -> None:
    table = {"user": [], "item": [], "rating": []}  # type: dict[str, list[int]]
    for row in ROWS:
        for name, number in zip(table, map(int, row.split(",")), strict=True):
            table[name].append(number)

    def mine(train: Any, users: Any) -> Any:
        return [train.item_counts] * len(users)

    asked = table_of(data=table, systems={"mine": mine, "kNN": "user-kNN(k=5)"})
    cf.write_results(cf.run(asked), tmp_path / "out")
    found = against(tmp_path / "out", cf.run(asked))
    assert found.explanation.kind == "equal"
    assert found.decisions == ()
    states = {each.name: each.state for each in cf.checklist(tmp_path / "out").items}
    assert states["data-availability"] == "missing"
    assert states["code-availability"] == "partly"


def test_other_data_under_the_same_decisions_are_named(tmp_path: Path) -> None:
    file, made = tmp_path / "ratings.csv", []
    for rows in (ROWS, ROWS[:-1]):
        file.write_text("\n".join(["user,item,rating", *rows]))
        made.append(cf.run(table_of(data=str(file))))
    found = against(*made)
    assert found.decisions == ()
    assert found.explanation.kind == "data"
    assert "the data have changed" in found.sentence
    assert Difference("size", "240", "239") in found.data


def test_changed_data_are_named_even_if_the_split_and_the_seed_differ(tmp_path: Path) -> None:
    file, made = tmp_path / "ratings.csv", []
    for rows, more in ((ROWS, {}), (ROWS[:-1], {"seed": 3, "split": "random"})):
        file.write_text("\n".join(["user,item,rating", *rows]))
        made.append(cf.run(table_of(data=str(file), **more)))
    assert against(*made).explanation.kind == "data"


def test_other_parts_explain_other_ratings_where_they_are_the_data(tmp_path: Path) -> None:
    made = []
    for name, rows in {"a": ROWS[::2], "b": ROWS[1::2], "c": ROWS[3::2]}.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(["user,item,rating", *rows]))
    for test in ("b", "c"):
        files = {"train": f"{tmp_path}/a.csv", "test": f"{tmp_path}/{test}.csv"}
        made.append(cf.run(table_of(data=None, split={"name": "given", **files})))
    found = against(*made)
    assert (found.explanation.stage, found.explanation.causes) == ("ratings", ("split",))


def test_the_same_ratings_in_another_file_explain_nothing(tmp_path: Path) -> None:
    made = []
    for name in ("here.csv", "there.csv"):
        (tmp_path / name).write_text("\n".join(["user,item,rating", *ROWS]))
        made.append(cf.run(table_of(data=str(tmp_path / name))))
    found = against(*made)
    assert [each.path for each in found.decisions] == ["data"]
    assert found.explanation.kind == "equal"


def test_a_model_of_which_the_name_is_known_may_have_changed() -> None:
    def result(sign: int) -> Results:
        def mine(train: Any, users: Any) -> Any:
            return [sign * train.item_counts] * len(users)

        return cf.run(table_of(systems={"Popularity": "Popularity", "mine": mine}))

    found = against(result(1), result(-1))
    assert found.explanation.kind == "outside"
    assert "mine was made outside Cranfield, and may have changed." in found.sentence


def test_versions_may_explain_what_no_decision_does() -> None:
    wrong = rescored(plain(), "kNN", "Random")
    assert against(plain(), wrong).explanation.kind == "unexplained"
    newer = replace(wrong, versions={**wrong.versions, "numpy": "9.9"})
    found = against(plain(), newer)
    assert found.explanation.kind == "versions"
    assert "versions differ (numpy) and may explain it; the decisions do not." in found.sentence
    assert [each.path for each in found.versions] == ["numpy"]


def test_another_machine_is_told_but_explains_nothing() -> None:
    machine = plain().machine
    assert machine is not None
    wrong = replace(rescored(plain(), "kNN"), machine=replace(machine, processor="Abacus"))
    found = against(plain(), wrong)
    assert [each.path for each in found.versions] == ["machine"]
    assert found.explanation.kind == "unexplained"


def test_another_level_changes_conclusions_alone() -> None:
    found = against(plain(), cf.run(table_of(comparison={"test": "t", "alpha": 0.9})))
    assert found.values == ()
    assert found.explanation.stage == "conclusions"
    assert found.explanation.causes == ("comparison.alpha",)
    assert any("not significant" in (each.first or "") for each in found.conclusions)


def test_studies_are_compared_by_base_and_designs() -> None:
    def study(**own: Any) -> cf.StudyResults:
        asked = {"vary": {"cutoff": [3, 5]}, "draws": 100, **own}
        return cf.study({**table_of(), "study": asked})

    assert against(study(), study()).explanation.kind == "equal"
    found = against(study(), study(vary={"cutoff": [3, 5, 7]}))
    assert found.explanation.causes == ("study.vary.cutoff",)
    assert any(each.path == "designs" for each in found.conclusions)
    mixed = against(plain(), study())
    assert mixed.values == ()
    assert mixed.explanation.stage == "conclusions"


def test_results_without_anything_in_common_say_so() -> None:
    other = cf.run(table_of(systems={"A": "EASE", "B": "PureSVD(factors=3)"}, metrics=["RR"]))
    assert against(plain(), other).sentence.startswith("They have no number in common.")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    place = tmp_path_factory.mktemp("several")
    for name, changes in {"one": {}, "two": {"relevance": 3}, "three": {"seed": 4}}.items():
        cf.write_results(cf.run(table_of(**changes)), place / name)
    return [str(place / name) for name in ("one", "two", "three")]


def test_folders_and_results_compare_alike(folders: list[str]) -> None:
    found = map(cf.read_results, folders)
    read = [each for each in found if isinstance(each, cf.Results)]
    from_folders, from_results = cf.compare_results(*folders), cf.compare_results(*read)
    for one, other in zip(from_folders.differences, from_results.differences, strict=True):
        assert replace(one, name="") == replace(other, name="")


def test_command_and_python_write_the_same(folders: list[str], tmp_path: Path) -> None:
    for suffix in (".md", ".html", ".tex", ".json"):
        command, python = tmp_path / f"command{suffix}", tmp_path / f"python{suffix}"
        assert main(["compare-results", *folders, "--out", str(command)]) == 0
        cf.compare_results(*folders).write(python)
        assert command.read_bytes() == python.read_bytes()


def test_the_command_prints_every_difference(
    folders: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare-results", *folders]) == 0
    said = capsys.readouterr().out
    for found in cf.compare_results(*folders).differences:
        assert found.sentence in said
        for each in found.values:
            assert f"{each.first:.6f}" in said
    assert "Decisions that differ" in said


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["{0}"], 1, "compare-results needs at least 2 results; here 1"),
        (["{0}", "{0}x"], 1, "results.json: there is no such file"),
        (["{0}", "{1}", "--out", "a.docx"], 1, "a.docx: it can be written as .md"),
    ],
)
def test_bad_input_is_named(
    folders: list[str],
    arguments: list[str],
    code: int,
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare-results", *(each.format(*folders) for each in arguments)]) == code
    assert said in capsys.readouterr().err


def test_what_is_no_result_is_refused() -> None:
    with pytest.raises(OptionError, match="3 is not results"):
        cf.compare_results(plain(), 3)  # type: ignore[arg-type]
    with pytest.raises(TooFew):
        cf.compare_results()


def test_a_comparison_shows_itself(folders: list[str], tmp_path: Path) -> None:
    made = cf.compare_results(*folders)
    assert isinstance(made, ResultsComparison)
    assert repr(made).startswith("ResultsComparison(")
    table = made.to_polars()
    assert table.columns == ["results", "system", "metric", "first", "second", "difference"]
    assert len(table) == sum(len(each.values) for each in made.differences)
    assert made.to_latex().count(r"\begin{tabular}") == len(
        [table for name in made.by_results for table in made.tables(name)]
    )
    assert r"{p{0.2\linewidth}p{0.35\linewidth}p{0.35\linewidth}}" in made.to_latex()
    assert r"\begin{tabular}{llrrr}" in made.to_latex()
    assert made.to_markdown().count("\n## ") == 2
    made.report(tmp_path / "page.html")
    read_page((tmp_path / "page.html").read_text())


def test_comparisons_are_as_their_schema_says(
    folders: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(comparison_schema())
    record = json.loads(json.dumps(cf.compare_results(*folders).to_dict()))
    validator.validate(record)
    record["differences"][0]["explanation"]["kind"] = "luck"
    assert not validator.is_valid(record)
    assert main(["schema", "compare-results"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(comparison_schema()))


def test_every_decision_acts_somewhere_or_is_known_to_decide_nothing_here() -> None:
    from cranfield.base.decisions import declared
    from cranfield.workbench.definition.experiment import Experiment

    acting = {name for names in STAGES.values() for name in names}
    declared_names = {each.path.partition(".")[0] for each in declared(Experiment)}
    assert declared_names - acting == {"title", "assess", "by", "run_metrics"}
    assert acting - declared_names == {"study"}
