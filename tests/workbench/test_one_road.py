"""One road: whichever door is taken, the same files give the same bits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import UnsuitableScores
from cranfield.base.options import find, from_table, options, parameters
from cranfield.collection.target_choice import choose_targets, parse_targets
from cranfield.collection.test_collection import TestCollection, collect
from cranfield.collection.topics import UserChoice
from cranfield.recommendation.ranking.locate import locate
from cranfield.recommendation.runs.files import read_run
from cranfield.recommendation.runs.report import RunRules
from cranfield.scoring.expectation.expectation import expect_targets
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.metric import expects_ties
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import Row, Summary, SummaryChoice, summarise
from cranfield.workbench import inventory
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.execution.experiment.evaluation import evaluate_prepared
from cranfield.workbench.execution.pipeline import Pipeline
from suites import tries

inventory.load()

Table = dict[str, list[Any]]


@pytest.fixture(autouse=True, scope="module")
def few_draws() -> Iterator[None]:
    """Random rankings that have to be drawn are few here: their number is not what is tested."""
    with patch("cranfield.scoring.expectation.random_scores._MOST_DRAWS", 5):
        yield


def every_metric() -> list[Any]:
    """Every metric of the inventory: whole lists where it can, and cut above and below them."""
    made = []
    for name in options("metric"):
        if find("metric", name).needs_lists:  # type: ignore[attr-defined]
            continue  # they have no hits to be measured by hand
        known = {each.name: each for each in parameters(find("metric", name))}
        cutoffs: list[int | None] = [None]
        if "cutoff" in known:
            cutoffs = [2, 8] if known["cutoff"].required else [None, 2, 8]
        needed = {"p": 0.8, "gamma": 0.5}
        own = {key: needed[key] for key, each in known.items() if each.required and key in needed}
        for cutoff in cutoffs:
            table = {"name": name, **own} | ({} if cutoff is None else {"cutoff": cutoff})
            made.append(from_table("metric", table))
    return made


METRICS = every_metric()
EXPECTED = [each for each in METRICS if expects_ties(each)]
TARGETS = (
    "all-items", "test-items", "condensed", "sampled(n=2)", "one-relevant",
    "test-items, one-relevant, sampled(n=1)", "percentiles(m=2)", "all-items(without_head=0.2)",
)  # fmt: skip
ITEMS = list(range(1, 9))
UNKNOWN = [90, 91]


@st.composite
def collections(draw: st.DrawFn) -> tuple[Table, Table]:
    """Training and test: users without training, pairs in both parts, grades that differ."""
    users = list(range(1, draw(st.integers(2, 4)) + 1))
    pairs = [(user, item) for user in users for item in ITEMS]
    test = draw(st.lists(st.sampled_from(pairs), min_size=3, max_size=14, unique=True))
    train = draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=10, unique=True))
    grades = st.integers(1, 5)
    ratings = draw(st.lists(grades, min_size=len(test), max_size=len(test)))
    return (
        {"user_id": [u for u, _ in train], "item_id": [i for _, i in train]},
        {"user_id": [u for u, _ in test], "item_id": [i for _, i in test], "rating": ratings},
    )


@st.composite
def runs(draw: st.DrawFn) -> Table:
    """Lists of different depth, with items that nobody knows, training items and ties."""
    rows: Table = {"user_id": [], "item_id": [], "score": []}
    for user in (1, 2, 3):
        size = draw(st.integers(0 if user > 1 else 1, 7))
        listed = draw(st.permutations([*ITEMS, *UNKNOWN]))[:size]
        if user == 1 and not set(listed) & set(ITEMS):
            listed = [ITEMS[0], *listed]
        scores = sorted(
            draw(st.lists(st.integers(1, 4), min_size=len(listed), max_size=len(listed)))
        )
        rows["user_id"] += [user] * len(listed)
        rows["item_id"] += listed
        rows["score"] += [float(each) for each in scores[::-1]]
    return rows


@st.composite
def decisions(draw: st.DrawFn) -> dict[str, Any]:
    """Answers to every decision on runs."""
    return {
        "targets": draw(st.sampled_from(TARGETS)),
        "coverage": draw(st.sampled_from(["full", "forgiving", "common"])),
        "undefined": draw(st.sampled_from(["left-out", "zero"])),
        "topics": draw(st.sampled_from(["all", "judged", "relevant", "run"])),
        "least_train": draw(st.sampled_from([None, 0, 1])),
        "training_items": draw(st.sampled_from(["keep", "drop"])),
        "unknown_items": draw(st.sampled_from(["keep", "drop"])),
        "ties": draw(
            st.sampled_from(
                ["item-id", "random", "optimistic", "pessimistic", "trec_eval", "expected"]
            )
        ),
        "depth": draw(st.sampled_from([None, None, 3])),
        "seed": draw(st.integers(0, 3)),
    }


def numbers(row: Row) -> list[Any]:
    """A row as what can be compared: NaN equals NaN."""
    return ["NaN" if isinstance(x, float) and math.isnan(x) else x for x in astuple(row)]


def outcome(call: Any) -> Any:
    """What a call gives, or the error that it raises, in words."""
    try:
        return call()
    except cf.CranfieldError as error:
        return f"{type(error).__name__}: {error}"


def assert_same(one: Any, other: Any) -> None:
    """The same scores, bit for bit, and the same rows."""
    assert one.scores.systems == other.scores.systems
    assert one.scores.values.tobytes() == other.scores.values.tobytes()
    assert one.scores.covered.tobytes() == other.scores.covered.tobytes()
    for mine, theirs in zip(one.summary.rows, other.summary.rows, strict=True):
        assert numbers(mine) == numbers(theirs)


def metrics_for(ties: str) -> list[Any]:
    return EXPECTED if ties == "expected" else METRICS


@pytest.mark.long
@settings(
    max_examples=tries(40),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    parts=collections(), lists=st.tuples(runs(), runs()), asked=decisions(), trained=st.booleans()
)
def test_evaluate_run_and_single_steps_give_the_same_bits(
    parts: tuple[Table, Table],
    lists: tuple[Table, Table],
    asked: dict[str, Any],
    trained: bool,
    tmp_path: Path,
) -> None:
    train, test = parts
    metrics, named = metrics_for(asked["ties"]), dict(zip("AB", lists, strict=True))
    evaluated = outcome(
        lambda: cf.evaluate(
            test, named, metrics, relevance=4, train=train if trained else None, **asked
        )
    )
    executed = outcome(lambda: _run_from_files(tmp_path, parts, named, metrics, asked, trained))
    if isinstance(evaluated, str) or isinstance(executed, str):
        assert isinstance(evaluated, str) == isinstance(executed, str)
        return
    assert_same(evaluated, executed)
    assert set(evaluated.failed) == set(executed.failed)
    left = {name: each for name, each in named.items() if name not in evaluated.failed}
    scores, summary = _step_by_step(parts, left, metrics, asked, trained)
    assert scores.values.tobytes() == evaluated.scores.values.tobytes()
    for mine, theirs in zip(summary.rows, evaluated.summary.rows, strict=True):
        assert numbers(mine)[:20] == numbers(theirs)[:20]  # the rest is of lists, not of scores


def _run_from_files(
    folder: Path,
    parts: tuple[Table, Table],
    named: dict[str, Table],
    metrics: list[Any],
    asked: dict[str, Any],
    trained: bool,
) -> Any:
    """The same through a TOML file that names other files."""
    for name, table in zip(("train", "test"), parts, strict=True):
        pl.DataFrame(table).write_csv(folder / f"{name}.csv")
    for name, table in named.items():
        pl.DataFrame(table).write_csv(folder / f"{name}.tsv", separator="\t")
    train = ", train=train.csv" if trained else ""
    definition: dict[str, Any] = {
        "split": f"given(test=test.csv{train})",
        "relevance": 4,
        "metrics": [str(each) for each in metrics],
        "runs": {name: f"{name}.tsv" for name in named},
        "comparison": {"test": "t"},
        **{key: value for key, value in asked.items() if value is not None},
    }
    (folder / "experiment.toml").write_text(toml_text(definition), encoding="utf-8")
    try:
        return cf.run(folder / "experiment.toml")
    except UnsuitableScores:  # too few users to compare systems by: that far, and no further
        pipeline, experiment = Pipeline(), read_definition(folder / "experiment.toml")
        assert isinstance(experiment, cf.Experiment)
        return evaluate_prepared(experiment, pipeline.prepare(experiment), pipeline)


def _step_by_step(
    parts: tuple[Table, Table],
    named: dict[str, Table],
    metrics: list[Any],
    asked: dict[str, Any],
    trained: bool,
) -> tuple[Scores, Summary]:
    """Collect, choose, read, locate, measure and summarise, one after the other."""
    train, test = (cf.Ratings.from_frame(each) for each in parts)
    collection = collect(
        train if trained else None, test, 4, training_items=asked["training_items"]
    )
    rules = RunRules(
        ties="trec_eval" if asked["ties"] == "trec_eval" else "item-id",
        training_items=asked["training_items"],
        unknown_items=asked["unknown_items"],
    )
    ids: Any = {"user_ids": collection.user_ids, "item_ids": collection.item_ids}
    lists = {
        name: read_run(table, train=collection.train, system=name, rules=rules, **ids).run
        for name, table in named.items()
    }
    everyone = [collection.user_ids.encode(pl.Series(each["user_id"])) for each in named.values()]
    listed = np.unique(np.concatenate(everyone))
    targets = choose_targets(
        collection,
        parse_targets(asked["targets"]),
        UserChoice(topics=asked["topics"], least_train=asked["least_train"]),
        asked["seed"],
        listed=listed[listed >= 0],
    )
    values, lengths, expectations = {}, {}, {}
    known = collection.has_catalogue or not parse_targets(asked["targets"]).needs_catalogue
    for name, run in lists.items():
        hits, without = (
            locate(each, targets, asked["ties"], asked["seed"])
            for each in (run, run.without_unknown_items())
        )
        if asked["depth"]:
            hits, without = hits.cut(asked["depth"]), without.cut(asked["depth"])
        way: Any = "expected" if asked["ties"] == "expected" else "ranked"
        positives = collection.positives
        values[name] = measure(hits, metrics, popularity=positives, ties=way, known_only=without)
        lengths[name] = hits.lengths
        if known:
            depth = int(hits.lengths.max(initial=0))
            expectations[name] = expect_targets(
                targets, metrics, depths=[depth], popularity=positives, seed=asked["seed"]
            )[depth]
        else:
            values[name][[metric.needs_catalogue for metric in metrics]] = np.nan
    names = tuple(map(str, metrics))
    scores = Scores.from_systems(
        targets.topics, collection.user_ids, names, values, lengths, judgments=targets.judgments
    )
    if not known:
        needing = [str(metric) for metric in metrics if metric.needs_catalogue]
        scores = replace(scores, unknown=frozenset(needing))
    choice = SummaryChoice(coverage=asked["coverage"], undefined=asked["undefined"])
    return scores, summarise(scores, choice, expectation=expectations or None)


@pytest.mark.long
@settings(max_examples=tries(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    parts=collections(),
    lists=st.tuples(runs(), runs(), runs()),
    asked=decisions(),
    trained=st.booleans(),
)
def test_another_system_changes_nothing_of_a_system(
    parts: tuple[Table, Table],
    lists: tuple[Table, Table, Table],
    asked: dict[str, Any],
    trained: bool,
) -> None:
    asked = asked | {"topics": "judged"}
    if asked["coverage"] == "common":
        asked["coverage"] = "full"
    train, test = parts
    metrics = metrics_for(asked["ties"])

    def made(names: str) -> Any:
        chosen = {name: lists["ABC".index(name)] for name in names}
        return outcome(
            lambda: cf.evaluate(
                test, chosen, metrics, relevance=4, train=train if trained else None, **asked
            )
        )

    alone, among = made("A"), made("CAB")
    if isinstance(among, str):
        return
    assert isinstance(alone, str) == ("A" in among.failed)
    if isinstance(alone, str):
        return
    for metric in alone.scores.metrics:
        assert alone.scores.of("A", metric).tobytes() == among.scores.of("A", metric).tobytes()
        mine, theirs = (each.summary.row("A", metric) for each in (alone, among))
        assert numbers(mine) == numbers(theirs)
    assert [note for note in among.notes if note.startswith("A: ")] == [
        note for note in alone.notes if note.startswith("A: ")
    ]


JUDGED = {"user": [1, 1, 1], "item": [1, 2, 3], "rating": [5, 2, 1]}
SHORT = {"user": [1, 1], "item": [2, 1], "score": [2.0, 1.0]}
LONG = {"user": [1] * 4, "item": [2, 1, 98, 99], "score": [4.0, 3.0, 2.0, 1.0]}


@pytest.mark.parametrize("runs", [{"C": SHORT}, {"C": SHORT, "B": LONG}])
def test_unknown_items_of_another_run_are_no_part_of_a_random_ranking(runs: Any) -> None:
    made = cf.evaluate(JUDGED, runs, ["AUC", "P@1"], relevance=4, catalogue=[1, 2, 3])
    auc, precision = (made.summary.row("C", metric) for metric in ("AUC", "P@1"))
    assert auc.value == 1 / 2  # item 1 is below 2 and above 3
    assert precision.random == 1 / 3


def test_without_training_and_catalogue_what_needs_one_is_not_known() -> None:
    made = cf.evaluate(JUDGED, {"C": SHORT}, ["AUC", "P@1", "CatalogueCoverage@1"], relevance=4)
    precision = made.summary.row("C", "P@1")
    assert precision.value == 0
    assert math.isnan(precision.random)
    assert math.isnan(precision.adjusted)
    assert math.isnan(made.summary.row("C", "AUC").value)
    assert math.isnan(made.lists["C"]["CatalogueCoverage@1"])
    assert any("nor a catalogue" in note for note in made.notes)


def test_what_is_not_known_is_not_0_where_undefined_topics_are() -> None:
    made = cf.evaluate(
        JUDGED, {"C": SHORT}, ["AUC", "P@1"], relevance=4, undefined="zero", by="popularity:1"
    )
    assert math.isnan(made.summary.row("C", "AUC").value)
    assert made.summary.row("C", "AUC").evaluated == 0
    assert [math.isnan(part.value) for part in made.breakdowns[0].parts] == [True, False]


def test_a_condensed_random_ranking_needs_no_catalogue() -> None:
    made = cf.evaluate(JUDGED, {"C": SHORT}, ["P@1"], relevance=4, targets="condensed")
    assert made.summary.row("C", "P@1").random == 1 / 3


def test_one_metric_may_be_given_as_text() -> None:
    made = cf.evaluate(JUDGED, {"C": SHORT}, "RR", relevance=4)
    assert made.scores.metrics == ("RR",)
    assert made.summary.row("C", "RR").value == 1 / 2


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ({"coverage": "Forgivin"}, "forgiving"),
        ({"topics": "runs"}, "run"),
        ({"ties": "optimistc"}, "optimistic"),
        ({"coverrage": "full"}, "coverage"),
        ({"unknown_items": "kep"}, "keep"),
    ],
)
def test_a_misspelled_decision_is_refused_with_the_near_name(
    wrong: dict[str, Any], near: str
) -> None:
    with pytest.raises(cf.CranfieldError, match=near):
        cf.evaluate(JUDGED, {"C": SHORT}, "RR", relevance=4, **wrong)


def test_a_collection_is_never_enlarged_by_a_run() -> None:
    made = cf.evaluate(JUDGED, {"B": LONG}, "RR", relevance=4)
    collection = made.target_sets[0].collection
    assert isinstance(collection, TestCollection)
    assert len(collection.item_ids) == 3
