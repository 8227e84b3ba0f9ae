"""An experiment as a table and in files: what is written is read again, as the same."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import OptionError
from cranfield.base.options import parameters, written
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.files import read_file, toml_text
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.table import (
    decisions_of,
    spell_completely,
    value_at,
    with_answer,
    write_table,
)
from experiment_cases import TABLE, experiment_of, file_of, table_of
from suites import tries

NAMES = st.sampled_from(["<script>", "a.b", "$x_1$", "a b", '"', "\x7f", "é"]) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6
).filter(str.strip)
SHARES = st.floats(0.05, 0.95)
SYSTEMS = st.sampled_from(
    [
        "Popularity", "user-kNN(k=7)", "MF(factors=3, regularisation=0.25)",
        {"name": "item-kNN", "k": 3, "threshold": 4}, "RM1(smoothing=jelinek-mercer(lambda=0.3))",
        "oracle(source=simulated(size=tiny))",
    ]
)  # fmt: skip
METRICS = st.sampled_from(
    [
        "nDCG@5", "nDCG(gain=exponential)@7", "RBP(p=0.85)", "AP", "Gini@5",
        "nDCG(gain=table(gains={1: 0, 5: 2.5}))@3", {"name": "P", "cutoff": 4, "relevance": 3},
    ]
)  # fmt: skip
TABLES = st.fixed_dictionaries(
    {
        "data": st.sampled_from(
            ["simulated(size=tiny)", "power-law(users=9, items=8, ratings=30)"]
        ),
        "split": st.builds("per-user(test_share={})".format, SHARES)
        | st.builds(lambda folds: {"name": "k-fold", "folds": folds}, st.integers(2, 5)),
        "relevance": st.integers(-3, 5) | st.floats(-1e9, 1e9),
        "metrics": st.lists(METRICS, max_size=3).map(lambda found: ["P@3", *found]),
        "systems": st.dictionaries(NAMES, SYSTEMS, min_size=1, max_size=3),
    },
    optional={
        "title": st.text(st.characters(exclude_categories=["Cs"]), max_size=10),
        "seed": st.integers(0, 2**63 - 1),
        "filters": st.lists(st.sampled_from(["k-core(k=2)", "sample(share=0.25)"]), max_size=2),
        "judged_share": st.floats(0.01, 1),
        "judged_by": st.sampled_from(["test", "truth", "random(file=ml-100k, unknown=drop)"]),
        "least_train": st.integers(0, 9),
        "topics": st.sampled_from(["all", "judged", "relevant", "run"]),
        "depth": st.integers(1, 1000),
        "scale": st.sampled_from([[1, 5], [0, 1.5]]),
        "by": st.lists(st.sampled_from(["activity", "popularity:4", "users.csv:age"]), max_size=2),
        "unknown_items": st.sampled_from(["keep", "drop", "refuse"]),
        "catalogue": st.just("items.csv"),
        "unscored": st.sampled_from(["drop", "random", "popularity", "average-rating"]),
        "targets": st.sampled_from(["TI", "one-relevant, sampled(n=9)", "percentiles(m=3)"]),
        "ties": st.sampled_from(["item-id", "random", "expected", "trec_eval"]),
        "undefined": st.sampled_from(["left-out", "zero"]),
        "aggregation": st.sampled_from(["mean", "median", "geometric-mean(epsilon=0.25)"]),
        "coverage": st.sampled_from(["full", "forgiving", "common"]),
        "assess": st.lists(st.sampled_from(["correlation", "discriminative-power"]), max_size=2),
        "comparison": st.fixed_dictionaries(
            {},
            optional={
                "test": st.sampled_from(["fitting", "permutation(draws=999)", "sign"]),
                "correction": st.sampled_from(["none", "holm", {"name": "bonferroni"}]),
                "family": st.sampled_from(["metric", "all"]),
                "alpha": SHARES,
                "power": SHARES,
                "rope": st.floats(0, 1) | st.sampled_from(["5 %", "12.5 %"]),
                "subsets": st.fixed_dictionaries({}, optional={"count": st.integers(1, 9)}),
            },
        ),
    },
)


@settings(deadline=None, max_examples=tries(50))
@given(TABLES)
def test_an_experiment_written_as_toml_is_read_again_as_the_same(table: dict[str, Any]) -> None:
    made = read_table(table)
    text = toml_text(write_table(made))
    again = read_table(tomllib.loads(text))
    assert again == made
    assert hash(again) == hash(made)
    assert list(again.names) == list(made.names)
    assert toml_text(write_table(again)) == text


@settings(deadline=None, max_examples=tries(50))
@given(TABLES)
def test_a_complete_table_names_every_parameter_and_is_read_again(table: dict[str, Any]) -> None:
    made = read_table(table)
    whole = write_table(made, complete=True)
    assert read_table(tomllib.loads(toml_text(whole))) == made
    for option in (made.split, made.aggregation, *made.filters, *made.systems.values()):
        spelled = spell_completely(option)
        assert all(f"{written(each.name)}=" in spelled for each in parameters(type(option)))
        assert spelled in toml_text(whole).replace('\\"', '"')


def test_a_complete_table_has_the_parameters_of_inner_options_and_the_name_that_was_typed() -> None:
    systems = {"kNN": "kNN(k=5)", "RM": "RM1"}
    made = write_table(experiment_of(systems=systems, metrics=["MAP@5", "nDCG@5"]), complete=True)
    assert made["metrics"][0].startswith("MAP(relevance=none, as=none")
    assert made["metrics"][1].startswith("nDCG(gain=rating, relevance=none, as=none")
    assert all(metric.endswith(")@5") for metric in made["metrics"])
    assert made["systems"]["kNN"].startswith("kNN(k=5, min_overlap=1, binarised=false")
    assert "smoothing=jelinek-mercer(lambda=" in made["systems"]["RM"]
    candidates = "all-items(without_head=0, only_head=0, head_of=items)"
    assert made["targets"] == f"{candidates}, all-relevant, all-nonrelevant"


@settings(deadline=None, max_examples=tries(20))
@given(TABLES)
def test_yaml_of_the_same_shape_is_the_same_experiment(table: dict[str, Any]) -> None:
    # Escaped, since the writer of this library folds names that hold a line break of YAML.
    text = yaml.safe_dump(write_table(read_table(table)), allow_unicode=False)
    assert read_table(yaml.safe_load(text)) == read_table(table)


def test_a_yaml_file_as_the_field_writes_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "experiment.yml"
    path.write_text(
        """
data: {name: simulated, size: tiny}
split:
  name: per-user
  test_share: 0.4
relevance: 4
metrics: [nDCG@5, P@5]
systems:
  Popularity: Popularity
  Random: Random
  kNN: {name: user-kNN, k: 5}
comparison: {test: t, correction: holm}
"""
    )
    titled = experiment_of(title="experiment")  # after the file
    assert read_definition(path) == read_definition(file_of(tmp_path)) == titled


def test_a_number_as_a_name_in_yaml_is_a_name(tmp_path: Path) -> None:
    path = tmp_path / "experiment.yaml"
    path.write_text(yaml.safe_dump(table_of(systems={1: "Popularity", 2.5: "Random"})))
    made = read_definition(path)
    assert isinstance(made, Experiment)
    assert made.names == ("1", "2.5")


def test_what_is_not_said_is_written_too() -> None:
    written = write_table(experiment_of())
    assert written["coverage"] == "full"
    assert written["topics"] == "judged"
    assert written["least_train"] == written["depth"] == written["catalogue"] == "none"
    assert written["comparison"]["correction"] == "holm"
    assert write_table(experiment_of(comparison=None))["comparison"]["test"] == "fitting"


@pytest.mark.parametrize(
    ("changes", "place", "value"),
    [
        (["split.test_share=0.1"], "split", "per-user(test_share=0.1)"),
        (["split=k-fold(folds=3)"], "split", "k-fold(folds=3)"),
        (["split=k-fold(folds=3)", "split.per=user"], "split", "k-fold(folds=3, per=user)"),
        (["seed=7"], "seed", 7),
        (["systems.kNN.k=9"], "systems.kNN", "user-kNN(k=9)"),
        (["systems.kNN=item-kNN"], "systems.kNN", "item-kNN"),
        (["systems.new=MF(factors=2)"], "systems.new", "MF(factors=2)"),
        (["systems.RM=RM1", "systems.RM.smoothing=additive"], "systems.RM",
         "RM1(smoothing=additive)"),
        (["systems.RM=RM1", "systems.RM.smoothing.lambda=0.25"], "systems.RM",
         "RM1(smoothing=jelinek-mercer(lambda=0.25))"),
        (["least_train=3"], "least_train", 3),
        (["comparison.test=permutation", "comparison.test.draws=900"], "comparison.test",
         "permutation(draws=900)"),
        (["comparison.subsets.count=5"], "comparison.subsets.count", 5),
        (["data.size=small"], "data", "simulated(size=small)"),
        (["data.seed=3"], "data", "simulated(size=tiny, seed=3)"),
        (["metrics=AP"], "metrics", ["AP"]),
        (["metrics=[AP, nDCG(gain=exponential)@3]"], "metrics", ["AP", "nDCG(gain=exponential)@3"]),
        (['title="a = b"'], "title", "a = b"),
        (["title=plain words"], "title", "plain words"),
        (["aggregation=weighted-mean", "aggregation.by=relevant"], "aggregation",
         "weighted-mean(by=relevant)"),
        (["aggregation=weighted-mean", "aggregation.by=column(age)", "user_columns=users.csv"],
         "aggregation", "weighted-mean(by=column(age))"),
        (["comparison.test=permutation", "aggregation=standardised",
          "aggregation.reference=[Popularity, Random]"],
         "aggregation", "standardised(reference=[Popularity, Random])"),
        (["filters=[k-core(k=2), sample(share=0.5)]"], "filters", ["k-core(k=2)", "sample"]),
    ],
)  # fmt: skip
def test_answers_are_overridden(
    tmp_path: Path, changes: list[str], place: str, value: object
) -> None:
    made = read_definition(file_of(tmp_path), changes)
    assert isinstance(made, Experiment)
    assert value_at(write_table(made), place) == value
    assert made != experiment_of()


@pytest.mark.parametrize("change", ["seed", "=3", " = 3", ""])
def test_an_override_without_path_or_value_is_refused(tmp_path: Path, change: str) -> None:
    with pytest.raises(OptionError, match="give it as PATH=VALUE"):
        read_definition(file_of(tmp_path), [change])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("sed=3", r'sed: experiment has no decision "sed". Did you mean "seed"\?'),
        ("seed.more=3", "seed: it has no part more"),
        ("relevance.x=3", "relevance: it has no part x"),
        ("ties.x=3", "ties: it has no parameters"),
        ("split.test_shar=0.3", r'split.test_shar: .*Did you mean "test_share"\?'),
        ("systems.kNN.k=0", "systems.kNN.k: 0 is not a whole number of at least 1"),
        ("split.test_share=half", 'split.test_share: "half" is not a number'),
        ("systems.kNN.smoothing.lambda=1", "systems.kNN.smoothing"),
    ],
)
def test_an_override_of_what_is_not_there_is_refused(
    tmp_path: Path, change: str, message: str
) -> None:
    path = file_of(tmp_path, seed=3, ties="random")
    with pytest.raises(Exception, match=message) as caught:
        read_definition(path, [change])
    assert type(caught.value).__module__.startswith("cranfield.")


def test_overriding_changes_nothing_that_was_given() -> None:
    before = toml_text(TABLE)
    assert with_answer(TABLE, "split.test_share", 0.1)["split"] == {
        "name": "per-user",
        "test_share": 0.1,
        "repeats": 1,
    }
    assert with_answer(TABLE, "systems.kNN.k", 1)["systems"]["kNN"]["k"] == 1
    assert toml_text(TABLE) == before


def test_a_parameter_of_data_beside_the_definition_is_overridden(tmp_path: Path) -> None:
    (tmp_path / "my, ratings (1).csv").write_text("user,item,rating\nu,i,5\nu,i,4\n")
    path = file_of(tmp_path, data="my, ratings (1).csv")
    made = read_definition(path, ["data.duplicates=last"])
    assert isinstance(made, Experiment)
    assert made.data is not None
    assert len(made.data.read()) == 1
    assert read_table(write_table(made)) == made


def test_files_are_looked_for_beside_the_definition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "mine.tsv").write_text("u\ti\t1\n")
    path = file_of(inner, runs={"mine": "mine.tsv"})
    monkeypatch.chdir(tmp_path)
    made = read_definition(path)
    assert isinstance(made, Experiment)
    assert Path(made.runs["mine"]).is_file()


def test_the_decisions_are_shown_in_the_order_of_the_papers() -> None:
    rows = decisions_of(experiment_of(filters=["k-core(k=2)"], relevance=3.5))
    codes = [code for code, _, _ in rows if code]
    assert codes == sorted(codes)
    paths = [path for _, path, _ in rows]
    assert paths.index("seed") > paths.index("comparison.test")  # what has no code comes last
    shown = {path: answer for _, path, answer in rows}
    assert shown["filters"] == "k-core(k=2, users=none, items=none)"
    assert shown["relevance"] == "3.5"
    assert shown["metrics"] == "nDCG@5, gain = rating; P@5"
    assert shown["targets"] == "AI, AR"
    assert shown["systems.kNN"].startswith("user-kNN(k=5, min_overlap=1")
    assert shown["seed"] == "0"
    assert {path: answer for _, path, answer in decisions_of(experiment_of())}["filters"] == "none"


def test_toml_is_written_with_plain_values_before_tables(tmp_path: Path) -> None:
    text = toml_text(
        {"a": {"b": {"c": [1, 2.5, True, {"d e": "f"}]}}, "g": None, "h": float("inf")}
    )
    assert tomllib.loads(text) == {
        "h": float("inf"),
        "a": {"b": {"c": [1, 2.5, True, {"d e": "f"}]}},
    }
    path = tmp_path / "a.toml"
    path.write_text(text)
    assert read_file(path, ["a.b.c=1"])["a"] == {"b": {"c": 1}}
