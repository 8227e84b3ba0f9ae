"""Definitions with something wrong: every problem is told at once, with its path."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.base.errors import BadExperiment, CranfieldError, MissingFile, OptionError
from cranfield.base.seeds import Seeds
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.adapter import adapt
from cranfield.scoring.metrics import NDCG
from cranfield.workbench.definition.compared import Compared
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.reading import read_table, with_files
from cranfield.workbench.definition.table import write_table
from experiment_cases import experiment_of, file_of, table_of


def problems_of(**changes: Any) -> list[str]:
    with pytest.raises(BadExperiment) as caught:
        read_table(table_of(**changes), "experiment.toml")
    return str(caught.value).splitlines()


def test_all_problems_of_a_file_are_told_at_once_with_their_paths() -> None:
    found = problems_of(
        data={"name": "simulated", "size": "huge", "seed": -1},
        split={"name": "per-user", "test_share": 1.2},
        relevance="four",
        metrics=["nDCG@5", "NDGC@5", {"name": "P", "cutoff": 0}, 5],
        systems={"kNN": {"name": "user-kNN", "k": 0, "min_overlap": 0}, "MF": "MF(factrs=3)"},
        topics="judge",
        least_train=-1,
        comparison={"test": "t2", "alpha": 1, "family": "both", "subsets": {"share": 2}},
        targets="test-items, all-items",
        filters=["k-core(k=5)", "k-cor"],
        runs={"mine": "nowhere.tsv"},
        ties="luck",
        sed=1,
    )
    expected = [
        ("sed", 'experiment has no decision "sed". Did you mean "seed"?'),
        ("data.size", '"huge" is not one of tiny, small, medium, large.'),
        ("data.seed", "-1 is not a whole number of at least 0."),
        ("split.test_share", "1.2 is not a number above 0 and below 1."),
        ("relevance", '"four" is not a number'),
        ("metrics[1]", 'no metric is called "NDGC". Did you mean "nDCG"?'),
        ("metrics[2].cutoff", "0 is not a whole number from 1 to 2147483647."),
        ("metrics[3]", "5 is not a metric such as nDCG@10."),
        ("systems.kNN.k", "0 is not a whole number of at least 1."),
        ("systems.kNN.min_overlap", "0 is not a whole number of at least 1."),
        ("systems.MF.factrs", 'MF has no parameter "factrs". Did you mean "factors"?'),
        ("least_train", "-1 is not a whole number of at least 0."),
        ("topics", '"judge" is not one of all, judged, relevant, run. Did you mean "judged"?'),
        ("comparison.test", 'no test is called "t2".'),
        ("comparison.alpha", "1 is not a number above 0 and below 1."),
        ("comparison.family", '"both" is not one of metric, all.'),
        ("comparison.subsets.share", "2 is not a number above 0 and below 1."),
        ("targets", 'targets, all-items: "test-items" answers the same question.'),
        ("filters[1]", 'no filter is called "k-cor". Did you mean "k-core"?'),
        ("runs.mine", 'there is no file "nowhere.tsv".'),
        ("ties", '"luck" is not one of item-id, random'),
    ]
    assert len(found) == len(expected)
    for path, text in expected:
        (line,) = [each for each in found if each.startswith(f"experiment.toml, {path}: ")]
        assert text in line


def test_all_that_must_be_decided_is_named() -> None:
    found = problems_of(data=None, split=None, relevance=None, metrics=None, systems=None)
    assert [line.partition(": ")[0] for line in found] == [
        f"experiment.toml, {name}" for name in ("split", "relevance", "metrics")
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"data": 5}, "data: it needs a source"),
        ({"data": {"source": 5}}, "data: it needs a source"),
        ({"data": "nowhere.csv"}, "data: nowhere.csv: there is no such file"),
        ({"data": {"source": "simulated", "size": "tiny"}}, "give size inside the brackets"),
        ({"split": 5}, "split: "),
        ({"split": ["per-user"]}, "split: "),
        ({"split": {"test_share": 0.3}}, "a table needs a name"),
        ({"filters": [5]}, r"filters\[0\]: "),
        ({"metrics": []}, "metrics: at least one is needed"),
        ({"metrics": 5}, r"metrics: 5 is not a metric"),
        ({"metrics": [{"name": 5}]}, r"metrics\[0\]: .* is not a metric"),
        ({"systems": ["Popularity", "Popularity"]}, "systems: two of them have the same name"),
        ({"systems": {}}, "systems: at least one is needed"),
        ({"systems": {"a": 5}}, 'systems.a: 5 is not a recommender such as "user-kNN'),
        ({"systems": {"a.b": 5}}, 'systems."a.b": 5 is not a recommender'),
        (
            {"systems": {"a": object()}},
            "systems.a: .*is not a model of LensKit.*or a function of training ratings",
        ),
        ({"systems": {" ": "Popularity"}}, "systems: one has no name"),
        (
            {"runs": {"a": 5}},
            "runs.a: 5 is not a run: give a file, a table, a Run, {user:",
        ),
        ({"runs": {"kNN": __file__}}, "runs: systems and runs both have one called kNN"),
        ({"users": {"entering": "all"}}, r"users: it is now two decisions: topics = \"judged\""),
        ({"comparison": "t"}, 'comparison: "t" is not a table of'),
        ({"comparison": {"subsets": 5}}, "comparison.subsets: 5 is not a table of count, share"),
        ({"comparison": {"family": "fitting"}}, 'comparison.family: "fitting" is not one of'),
        ({"comparison": {"correction": "fitting"}}, "comparison.correction: "),
        ({"relevance": float("nan")}, r"relevance: nan is not a finite number\.$"),
        ({"relevance": float("inf")}, r"relevance: inf is not a finite number\.$"),
        ({"relevance": True}, "relevance: true is not a number"),
        ({"seed": -1}, "seed: -1 is not a whole number of at least 0"),
        ({"seed": 0.5}, "seed: 0.5 is not a whole number"),
        ({"judged_share": 0}, "judged_share: 0 is not a number above 0"),
        ({"targets": ["test-items"]}, "targets: .* is not a list such as"),
        ({"data": None, "split": "per-user"}, "data: the split per-user divides ratings"),
        ({"scale": [5, 1]}, "scale: 5 is not below 1"),
        ({"scale": [5, 5]}, "scale: 5 is not below 5"),
        ({"depth": 0}, "depth: 0 is not a whole number of at least 1"),
        ({"by": ["age"]}, r'by\[0\]: "age" is not a grouping'),
        ({"by": "activity:0"}, "by.parts: 0 is not a whole number of at least 1"),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadExperiment, match=message):
        read_table(table_of(**changes))


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=r"none\.toml"):
        read_definition(tmp_path / "none.toml")
    with pytest.raises(MissingFile):
        read_definition(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("e.toml", b"data = 1\nsplit = \nseed = 2\n", "line 2"),
        ("e.yaml", b"data: x\nsplit: [1, 2\nseed: 2\n", "line [23]"),
        ("e.yml", b"a: b: c\n", "line 1"),
        ("e.toml", b'title = "\xff"\n', "it is not text in UTF-8"),
        ("e.yaml", b"title: \xff\n", "it is not text in UTF-8"),
        ("e.yaml", b"- data\n- split\n", "it is not a table of decisions"),
        ("e.yaml", b"", "it is not a table of decisions"),
        ("e.yaml", b"title: \x01\n", "title|special characters|unacceptable"),
        ("e.yaml", b"a: !!python/object/apply:os.system ['true']\n", "line 1"),
    ],
)
def test_a_broken_file_is_told_in_one_line(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadExperiment, match=message) as caught:
        read_definition(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_an_empty_toml_file_lacks_everything(tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    path.touch()
    with pytest.raises(
        BadExperiment, match="split: it must be given: how ratings become training and test"
    ):
        read_definition(path)


def test_a_run_file_that_is_missing_is_told_with_all_else(tmp_path: Path) -> None:
    path = file_of(tmp_path, runs={"mine": "mine.tsv", "yours": "yours.tsv"}, relevance="x")
    with pytest.raises(BadExperiment) as caught:
        read_definition(path)
    assert [each for each, _ in caught.value.problems] == ["relevance", "runs.mine", "runs.yours"]


def by_count(train: Any, users: Any) -> Any:
    return np.tile(train.item_counts.astype(float), (len(users), 1))


def test_an_experiment_built_in_python_is_the_one_that_its_table_spells() -> None:
    spelled = experiment_of(metrics=["nDCG@5"], comparison=None)
    built = Experiment(
        data=spelled.data,
        split=spelled.split,
        relevance=4,
        metrics=(NDCG(cutoff=5),),
        systems=dict(spelled.systems),
    )
    assert built == spelled
    assert hash(built) == hash(spelled)
    assert len({built, spelled}) == 1


def test_a_table_takes_options_and_models_as_objects() -> None:
    spelled = experiment_of()
    made = read_table(
        table_of(
            data=spelled.data,
            split=spelled.split,
            metrics=[NDCG(cutoff=5), "P@5"],
            systems={**spelled.systems, "mine": by_count},
            targets=spelled.targets,
            comparison=Compared(test=spelled.comparison.test),
            aggregation=spelled.aggregation,
        )
    )
    assert made.names == ("Popularity", "Random", "kNN", "mine")
    assert str(made.systems["mine"]) == "mine"
    assert made.metrics == spelled.metrics


def test_python_may_give_lists_and_models_as_they_are() -> None:
    spelled = experiment_of(metrics=["nDCG@5"], comparison=None)
    built = Experiment(
        data=spelled.data,
        split=spelled.split,
        relevance=4,
        metrics=[NDCG(cutoff=5)],  # type: ignore[arg-type]
        filters=[],  # type: ignore[arg-type]
        systems={**spelled.systems, "mine": by_count},  # type: ignore[dict-item]
    )
    assert replace(built, systems=spelled.systems) == spelled
    assert hash(replace(built, systems=spelled.systems)) == hash(spelled)
    assert str(built.systems["mine"]) == "mine"
    train = Ratings.from_triples([1, 1, 2], [7, 8, 8])
    predictor = built.systems["mine"].fit(train, Seeds())
    assert predictor.predict(np.array([0])).tolist() == [[1.0, 2.0]]


def test_experiments_with_the_same_model_are_equal_and_others_are_not() -> None:
    mine = adapt(by_count, name="mine")
    same = [experiment_of(systems={"mine": mine}) for _ in range(2)]
    other = experiment_of(systems={"mine": adapt(lambda train, users: 2 * by_count(train, users))})
    assert same[0] == same[1]
    assert hash(same[0]) == hash(same[1])
    assert same[0] != other


@pytest.mark.parametrize(
    "change",
    [{"seed": 1}, {"relevance": 3}, {"split": "per-user"}, {"metrics": ["P@5", "nDCG@5"]},
     {"systems": {"Popularity": "Popularity"}}, {"comparison": None}, {"title": "x"},
     {"least_train": 2}, {"targets": "TI"}],
)  # fmt: skip
def test_every_other_answer_makes_another_experiment(change: dict[str, Any]) -> None:
    assert experiment_of(**change) != experiment_of()


def test_an_experiment_needs_a_system_and_names_that_differ() -> None:
    made = experiment_of()
    parts: dict[str, Any] = {
        "data": made.data,
        "split": made.split,
        "relevance": 4,
        "metrics": made.metrics,
    }
    with pytest.raises(OptionError, match="at least one is needed"):
        Experiment(**parts)
    with pytest.raises(OptionError, match="both have one called kNN"):
        Experiment(**parts, systems=made.systems, runs={"kNN": "x.tsv"})


def test_every_error_of_a_definition_is_one_for_users(tmp_path: Path) -> None:
    """Nothing that a table may hold comes out as a failure of the program."""
    odd: list[Any] = [5, -1.5, True, "", "(", "x(", [], [[]], {}, {"name": 5}, {"name": "x"}, None]
    for name in (*table_of(), "filters", "runs", "topics", "targets", "ties", "aggregation",
                 "coverage", "seed", "title", "judged_share", "undefined"):  # fmt: skip
        for value in odd:
            with suppress(CranfieldError):
                read_table({**table_of(), name: value}, home=tmp_path)


@pytest.mark.parametrize(
    "given",
    [
        "standardised(reference=old.parquet)",
        "standardized(reference=old.parquet)",
        {"name": "standardised", "reference": "old.parquet"},
    ],
)
def test_a_reference_file_is_found_however_it_is_spelled(tmp_path: Path, given: Any) -> None:
    (tmp_path / "old.parquet").touch()
    made = read_table(table_of(aggregation=given), home=tmp_path)
    assert made.aggregation.files == (str(tmp_path / "old.parquet"),)
    found = with_files("aggregation.reference", "old.parquet", tmp_path)
    assert found == str(tmp_path / "old.parquet")
    (tmp_path / "A").touch()  # a system may be called as a file is
    for path, named in (
        ("aggregation", "standardised(reference=[A, B])"),
        ("aggregation.reference", ["A", "B"]),
    ):
        asked = with_files(path, named, tmp_path)
        assert str(tmp_path) not in str(asked)


def test_every_file_is_looked_for_beside_the_definition(tmp_path: Path) -> None:
    for name in ("train.csv", "test.csv", "items.csv", "users.csv", "run.tsv", "old.parquet"):
        (tmp_path / name).write_text("user,item,rating\n1,2,3\n")
    made = read_table(
        table_of(
            data="train.csv",
            split='given(test="test.csv")',
            catalogue="items.csv",
            item_vectors="items.csv",
            user_columns="users.csv",
            aggregation="standardised(reference=old.parquet)",
            by=["users.csv:age", "activity:4", "nowhere.csv:age"],
            runs={"mine": "run.tsv"},
        ),
        home=tmp_path,
    )
    assert str(tmp_path / "train.csv") in str(made.data)
    assert str(tmp_path / "test.csv") in str(made.split)
    assert made.catalogue == made.item_vectors == str(tmp_path / "items.csv")
    assert made.user_columns == str(tmp_path / "users.csv")
    assert made.aggregation.files == (str(tmp_path / "old.parquet"),)
    assert list(map(str, made.by)) == [
        f"{tmp_path / 'users.csv'}:age", "activity:4", "nowhere.csv:age",
    ]  # fmt: skip
    assert made.runs["mine"] == str(tmp_path / "run.tsv")
    assert read_table(write_table(made)) == made


@pytest.mark.parametrize(
    ("path", "given", "found"),
    [
        ("data", {"source": "a.csv", "header": True}, {"source": "HERE", "header": True}),
        ("data", {"name": "file", "path": "a.csv"}, {"name": "file", "path": "HERE"}),
        ("data", "b.csv", "b.csv"),
        ("runs.mine", "a.csv", "HERE"),
        ("split", {"name": "Given", "test": "a.csv"}, {"name": "Given", "test": "HERE"}),
        ("split", "per-user", "per-user"),
        ("split", "given(", "given("),
        ("split.test", "a.csv", "HERE"),
        ("split.per", "a.csv", "a.csv"),
        ("title", "a.csv", "a.csv"),
        ("by", "a.csv:x", "HERE:x"),
        ("relevance", 4, 4),
    ],
)  # fmt: skip
def test_an_answer_names_its_files_by_where_they_are(
    tmp_path: Path, path: str, given: Any, found: Any
) -> None:
    (tmp_path / "a.csv").touch()
    told = with_files(path, given, tmp_path)
    assert str(told).replace(str(tmp_path / "a.csv"), "HERE") == str(found)
    assert with_files(path, given, None) == given


def test_definitions_of_before_are_refused_with_the_new_spelling() -> None:
    for users in ({"entering": "all"}, {"least_train": 2}, 5):
        with pytest.raises(
            BadExperiment, match=r'users: it is now two decisions: topics = "judged"'
        ):
            read_table(table_of(users=users))
