"""Runs that were given: parsed once, numbered once per catalogue, read in any blocks."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import OddRun
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Split, split
from cranfield.recommendation.runs import files, source
from cranfield.recommendation.runs.run import Run
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.experiment.evaluation import evaluate_prepared
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems import runs as reading
from cranfield.workbench.execution.systems.conditions import RankingCondition, SystemOutput
from cranfield.workbench.execution.systems.runs import RunCache
from cranfield.workbench.results.verify import NOT_COMPARED
from experiment_cases import TABLE, experiment_of, same_scores
from suites import spread


@cache
def ratings() -> Ratings:
    return cf.read("simulated(size=tiny)")


@cache
def parts() -> Split:
    return split(ratings(), experiment_of().split, 0)


@cache
def runs_of_systems() -> dict[str, Run]:
    """Lists of nine items for every user with a test rating."""
    systems = {"kNN": "user-kNN(k=5)", "Random": "Random"}
    ranked = cf.rank(parts().train, cf.judge(parts().test, 4), systems, depth=9)
    return {name: each.run for name, each in ranked.items()}


@cache
def tables() -> dict[str, pl.DataFrame]:
    """The same lists as tables, unknown to the experiment's data."""
    ids = ratings().user_ids, ratings().item_ids
    return {name: run.table(*ids) for name, run in runs_of_systems().items()}


def experiment(runs: dict[str, Any], **decisions: Any) -> Experiment:
    asked = {"metrics": ["nDCG@5", "AP", "Gini@5"], "relevance": 4, **decisions}
    return Experiment(split=given_parts(parts().test, parts().train), runs=runs, **asked)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The systems whose runs were opened or matched with ids, in order."""
    seen: list[str] = []
    open_run, open_lists = files.open_run, source.open_lists

    def opened(given: Any, **options: Any) -> Any:
        seen.append(f"open {options['system']}")
        return open_run(given, **options)

    def matched(given: Any, *ids: Any) -> Any:
        seen.append(f"match {given.system}")
        return open_lists(given, *ids)

    monkeypatch.setattr(reading, "open_run", opened)
    monkeypatch.setattr(reading, "open_lists", matched)
    return seen


def written(folder: Path, ending: str) -> dict[str, str]:
    """The runs as files."""
    for name, table in tables().items():
        path = folder / f"{name}.{ending}"
        if ending == "parquet":
            table.write_parquet(path)
        else:
            table.write_csv(path)
    return {name: str(folder / f"{name}.{ending}") for name in tables()}


@pytest.mark.parametrize("kind", ["Run", "mapping", "csv", "parquet"])
def test_runs_score_the_same_in_every_form(tmp_path: Path, kind: str) -> None:
    in_memory: dict[str, dict[str, Any]] = {
        "Run": runs_of_systems(),
        "mapping": {name: table.to_dict(as_series=False) for name, table in tables().items()},
    }
    given = in_memory.get(kind) or written(tmp_path, kind)
    expected, found = (
        cf.run({**TABLE, "systems": {}, "metrics": ["nDCG@5", "AP", "Gini@5"], "runs": runs})
        for runs in (tables(), given)
    )
    assert same_scores(expected.scores, found.scores)
    assert expected.lists == found.lists
    assert expected.summary.rows == found.summary.rows
    evaluated = cf.evaluate(
        parts().test, given, ["nDCG@5", "AP", "Gini@5"], relevance=4, train=parts().train,
        scale=(float(ratings().values.min()), float(ratings().values.max())),
    )  # fmt: skip
    assert same_scores(expected.scores, evaluated.scores)
    assert expected.summary.rows == evaluated.summary.rows


def test_runs_in_memory_are_recorded_by_their_fingerprints() -> None:
    other = replace(runs_of_systems()["kNN"], predictions=runs_of_systems()["kNN"].predictions * 2)
    given = {
        "a": runs_of_systems()["kNN"],
        "b": tables()["kNN"],
        "c": other,
        "d": runs_of_systems()["kNN"],
    }
    runs = cf.run({**TABLE, "systems": {}, "runs": given}).to_dict()["decisions"]["runs"]
    assert [text.split()[0] for text in runs.values()] == ["Run", "table", "Run", "Run"]
    assert len({text.split()[1] for text in runs.values()}) == 3
    assert runs["a"] == runs["d"]


def test_a_run_beside_recommenders_scores_as_it_does_alone() -> None:
    alone = cf.run({**TABLE, "systems": {}, "runs": {"mine": tables()["kNN"]}})
    beside = cf.run({**TABLE, "runs": {"mine": tables()["kNN"]}})
    for metric in alone.scores.metrics:
        assert alone.scores.of("mine", metric).tobytes() == (
            beside.scores.of("mine", metric).tobytes()
        )
        assert alone.summary.row("mine", metric) == beside.summary.row("mine", metric)


def test_a_run_of_other_codes_or_with_several_lists_per_user_is_refused() -> None:
    few = Ratings.from_triples([1, 2, 2], [7, 8, 7], [5, 5, 5])
    with pytest.raises(OddRun, match=r"kNN: it is a Run under the ids of another collection"):
        cf.evaluate(few, {"mine": runs_of_systems()["kNN"]}, ["RR"], relevance=4)
    apart = cf.rank(parts().train, cf.judge(parts().test, 4), ["Random"], "one-relevant")[
        "Random"
    ].run
    assert isinstance(apart, Run)
    with pytest.raises(OddRun, match=r"Random: it has several lists per user"):
        cf.evaluate(parts().test, {"mine": apart}, ["RR"], relevance=4, train=parts().train)


def test_each_run_is_parsed_and_numbered_once_for_all_that_asks(
    tmp_path: Path, parsed: list[str]
) -> None:
    asked = experiment(written(tmp_path, "csv"), topics="run")
    road = Pipeline()
    data = road.prepare(asked)
    conditions = [
        RankingCondition(experiment=each, metrics=each.metrics)
        for each in (asked, experiment(dict(asked.runs), training_items="keep", relevance=3))
    ]
    for _ in range(2):
        road.score(data, conditions)
    assert sorted(parsed) == ["match Random", "match kNN", "open Random", "open kNN"]


def test_another_catalogue_numbers_a_run_anew_and_does_not_parse_it_again(
    tmp_path: Path, parsed: list[str]
) -> None:
    road, runs = Pipeline(), written(tmp_path, "csv")
    asked = [experiment(runs), experiment(runs, catalogue=[1000, 1001])]
    for each in asked:
        road.score(road.prepare(each), [RankingCondition(experiment=each, metrics=each.metrics)])
    assert parsed.count("open kNN") == parsed.count("open Random") == 1
    assert parsed.count("match kNN") == parsed.count("match Random") == 2


def test_only_the_first_run_is_parsed_ahead(parsed: list[str]) -> None:
    cache = RunCache()
    cache.parse_first({})
    assert parsed == []
    cache.parse_first(tables())
    assert parsed == ["open kNN"]
    cache.open("kNN", tables()["kNN"], ratings().user_ids, ratings().item_ids)
    assert parsed == ["open kNN", "match kNN"]


def test_users_with_a_list_are_those_of_any_run_and_of_the_collection() -> None:
    users = {"a": [1, 3, 999], "b": [3, 4]}
    runs = {
        name: {"user": each, "item": [10] * len(each), "score": [1.0] * len(each)}
        for name, each in users.items()
    }
    ratings = Ratings.from_triples([1, 2, 3, 4], [10, 10, 10, 10], [5, 5, 5, 5])
    listed = RunCache().listed_users(runs, ratings.user_ids, ratings.item_ids)
    assert ratings.user_ids.take(listed).to_list() == [1, 3, 4]


class Seen:
    """All outputs, as they come."""

    def __init__(self) -> None:
        self.outputs: list[SystemOutput] = []

    def see(self, output: SystemOutput) -> None:
        self.outputs.append(output)


def test_users_are_read_in_as_many_blocks_as_their_rows_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = experiment({"kNN": written(tmp_path, "parquet")["kNN"]})
    monkeypatch.setattr("cranfield.recommendation.runs.source.ROWS_AT_ONCE", 100)
    road, seen = Pipeline(), Seen()
    condition = RankingCondition(experiment=asked, metrics=asked.metrics)
    road.score(road.prepare(asked), [condition], {0: seen})
    assert len(seen.outputs) == -(-len(tables()["kNN"]) // 100) > 1
    assert all(output.hits.lengths.sum() <= 100 for output in seen.outputs)
    users = np.concatenate([output.hits.topics.users for output in seen.outputs])
    assert users.tolist() == seen.outputs[0].targets.topics.users.tolist()


@pytest.mark.parametrize("depth", [None, 1, 4, 100])
def test_lists_and_hits_end_at_the_depth_of_the_experiment(depth: int | None) -> None:
    asked = experiment({"kNN": tables()["kNN"]}, depth=depth)
    road, seen = Pipeline(), Seen()
    condition = RankingCondition(experiment=asked, metrics=asked.metrics, list_depth=None)
    scores = road.score(road.prepare(asked), [condition], {0: seen})[0]
    (output,) = seen.outputs
    assert output.lists is not None
    end = min(depth or 9, 9)
    assert int(output.lists.lengths.max()) == int(output.hits.lengths.max()) == end
    assert int(output.hits.ranks.max()) <= end
    cut = tables()["kNN"].filter(pl.col("rank") <= end)
    expected = cf.score(
        parts().test, {"kNN": cut}, ["nDCG@5", "AP"], relevance=4, train=parts().train
    )
    assert scores.values.tobytes() == expected.values.tobytes()


@pytest.mark.parametrize(
    "decisions",
    [
        {}, {"topics": "run", "depth": 3}, {"targets": "one-relevant, sampled(n=5)"},
        {"training_items": "keep", "ties": "random"}, {"by": ("popularity:2", "activity:2")},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("rows", spread([40, 1, 130], every=3))
def test_blocks_of_users_give_the_same_bits_in_an_experiment(
    decisions: dict[str, Any], rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = tables()["kNN"].with_columns(
        item_id="new-" + pl.col("item_id"), rank=pl.col("rank") + 9
    )
    pl.concat([tables()["kNN"], unknown]).write_parquet(tmp_path / "run.parquet")
    table = {
        **TABLE, "split": "k-fold(folds=2)", "metrics": ["nDCG@5", "AP", "Gini@5", "Gini"],
        "assess": ["robustness(samples=2, sizes=[1, 0.5])"],
        "runs": {"mine": str(tmp_path / "run.parquet")}, **decisions,
    }  # fmt: skip
    whole = cf.run(table)
    monkeypatch.setattr("cranfield.recommendation.runs.source.ROWS_AT_ONCE", rows)
    parts = cf.run(table)
    assert same_scores(whole.scores, parts.scores)
    assert whole.reports == parts.reports
    told = [each.to_dict() for each in (whole, parts)]
    for record in told:
        # Lists that are read in parts are never in memory together.
        record["assessments"] = [
            each for each in record["assessments"] if not each["criterion"].startswith("bias")
        ]
        for name in NOT_COMPARED:
            record.pop(name, None)
    assert told[0] == told[1]
    assert np.isfinite(whole.scores.values).any()


def test_what_is_odd_in_a_run_is_reported_for_the_first_fold() -> None:
    """The lists hold every rated pair, so that all training pairs of a fold are left out."""
    rated = ratings().to_polars()
    lists = pl.DataFrame({"user": rated["user_id"], "item": rated["item_id"], "score": 1.0})
    table = {**TABLE, "systems": {}, "split": "k-fold(folds=3)", "runs": {"mine": lists}}
    made = cf.run(table)
    sizes = [fold["train_ratings"] for fold in made.data["folds"]]
    assert len(set(sizes)) > 1, "400 ratings in 3 folds"
    assert made.reports["mine"].training_items.rows == sizes[0]


def test_one_pipeline_reports_on_each_run_that_it_is_asked_for() -> None:
    road = Pipeline()
    for rows in (len(tables()["kNN"]), 50, 100):
        asked = experiment({"mine": tables()["kNN"][:rows]})
        assert evaluate_prepared(asked, road.prepare(asked), road).reports["mine"].rows == rows
