"""Propensities in every command: one value by every door, and what readers are told of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.base.options import parse
from cranfield.scoring.score_files import read_scores
from cranfield.workbench.cli.main import main
from cranfield.workbench.execution.systems.weighing import propensity_inputs
from experiment_cases import experiment_of, file_of, same_scores, study_of

IPS = "P(propensity=popularity(gamma=0.5), estimator=ips)@5"
SNIPS = "P(propensity=popularity(gamma=0.5))@5"
NDCG = "nDCG(propensity=popularity(gamma=0.5))@5"
STRATIFIED = "nDCG(propensity=popularity, estimator=stratified)@5"
METRICS = [IPS, SNIPS, NDCG, STRATIFIED, "Recall(propensity=logistic)@5"]


def value(results: Any, system: str, metric: str) -> float:
    return float(results.summary.row(system, metric).value)


def test_the_file_and_python_give_the_same_bits(tmp_path: Path) -> None:
    inside = cf.run(experiment_of(metrics=METRICS))
    path = file_of(tmp_path, metrics=METRICS)
    assert main(["run", str(path), "--out", str(tmp_path / "out"), "--store", "none"]) == 0
    outside: Any = cf.read_results(tmp_path / "out")
    assert same_scores(inside.scores, outside.scores)
    for metric in METRICS:
        assert value(inside, "kNN", metric) == value(outside, "kNN", metric)
    weights = inside.scores.topic_weights
    assert set(weights) == {SNIPS, STRATIFIED}
    for name, each in weights.items():
        np.testing.assert_array_equal(outside.scores.topic_weights[name], each)


def test_a_table_spells_what_a_text_does() -> None:
    text = cf.run(experiment_of(metrics=[IPS]))
    table = {
        "name": "P", "cutoff": 5, "propensity": {"name": "popularity", "gamma": 0.5},
        "estimator": "ips",
    }  # fmt: skip
    assert same_scores(cf.run(experiment_of(metrics=[table])).scores, text.scores)


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """``cranfield evaluate`` on two runs, with training ratings."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    train = [(u, i) for u in range(12) for i in range(10) if rng.random() < 0.9 - 0.08 * i]
    test = [(u, i) for u in range(12) for i in range(10) if (u, i) not in train]
    for name, rows in (("train", train), ("test", test)):
        lines = (f"{u},{i},{rng.integers(3, 6)}" for u, i in rows)
        Path(f"{name}.csv").write_text("user,item,rating\n" + "\n".join(lines))
    for name, sign in (("one", 1), ("two", -1)):
        lines = (f"{u},{i},{sign * i}" for u in range(12) for i in range(10))
        Path(f"{name}.csv").write_text("user,item,score\n" + "\n".join(lines))

    def evaluate(*metrics: str, more: tuple[str, ...] = ()) -> int:
        given = [word for metric in metrics for word in ("-m", metric)]
        return main([
            "evaluate", "--judgments", "test.csv", "--train", "train.csv", "--relevance", "4",
            "--run", "one.csv", "--run", "two.csv", *given, *more,
        ])  # fmt: skip

    return evaluate


def evaluated(metrics: list[str]) -> Any:
    runs = {"one": "one.csv", "two": "two.csv"}
    return cf.evaluate("test.csv", runs, metrics, relevance=4, train="train.csv")


def test_the_command_and_python_give_the_same_values(parts: Callable[..., int]) -> None:
    assert parts(*METRICS, more=("--json", "out.json", "--per-user", "scores.parquet")) == 0
    written = json.loads(Path("out.json").read_text())["systems"]
    found = evaluated(METRICS)
    for system in ("one", "two"):
        for metric in METRICS:
            assert written[system][metric]["value"] == value(found, system, metric)
    assert same_scores(read_scores("scores.parquet"), found.scores)


def test_scores_from_a_file_are_compared_as_those_in_memory(parts: Callable[..., int]) -> None:
    assert parts(SNIPS, more=("--per-user", "scores.parquet")) == 0
    scores = read_scores("scores.parquet")
    found = evaluated([SNIPS])
    [mine], [other] = (cf.compare(each, test="t").pairs for each in (scores, found.scores))
    assert mine == other
    assert mine.difference == value(found, "one", SNIPS) - value(found, "two", SNIPS)
    assert main(["compare", "scores.parquet", "--test", "t"]) == 0


def test_readers_are_told_of_effective_sizes_and_scales() -> None:
    notes = " ".join(cf.run(experiment_of(metrics=[IPS, SNIPS, STRATIFIED])).notes)
    assert f"{IPS}: the effective sample size is " in notes
    assert f"{IPS}: propensities by popularity(gamma=0.5) are known but for a common" in notes
    assert f"{SNIPS}: propensities" not in notes
    assert f"{STRATIFIED}: the effective" not in notes
    few = "P(propensity=popularity(gamma=8))@5"
    warned = " ".join(cf.run(experiment_of(metrics=[few])).notes)
    assert f"Warning: {few}: the effective sample size is" in warned


def test_known_propensities_are_on_the_scale_of_the_truth() -> None:
    known = 'P(propensity=known(source="simulated(size=tiny)"), estimator=ips)@5'
    notes = " ".join(cf.run(experiment_of(metrics=[known])).notes)
    assert "common factor" not in notes


@pytest.mark.parametrize("relevant", ["one-relevant", "percentiles(m=2)"])
def test_topics_of_one_relevant_item_are_weighed(relevant: str) -> None:
    metrics = ["RR", "RR(propensity=popularity)", "RR(propensity=popularity, estimator=ips)"]
    metrics += ["Success(propensity=popularity(gamma=0))@3", "Success@3"]
    found = cf.run(experiment_of(metrics=metrics, targets=f"all-items, {relevant}"))
    scores = found.scores
    plain, weighted, ips = (scores.values[0, place] for place in range(3))
    weights = scores.topic_weights[metrics[1]]
    np.testing.assert_array_equal(plain, weighted)
    np.testing.assert_allclose(ips, plain * weights)
    assert value(found, "kNN", metrics[3]) == pytest.approx(value(found, "kNN", metrics[4]))
    if relevant == "one-relevant":
        wanted = np.average(plain, weights=weights)
        assert value(found, scores.systems[0], metrics[1]) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("RR(propensity=popularity)", "RR is no sum over relevant items"),
        ("Recall(propensity=popularity, estimator=ips)@5", "which only simulated data know"),
        ("P(propensity=file(path=nowhere.csv))@5", "nowhere.csv"),
        (
            'P(propensity=known(source="simulated(users=9, items=9, ratings=30)"))@5',
            "has no propensity",
        ),
    ],
)
def test_what_cannot_be_known_is_refused_before_anything_runs(metric: str, words: str) -> None:
    with pytest.raises(cf.CranfieldError) as refused:
        cf.run(experiment_of(metrics=[metric]))
    assert words in str(refused.value)


def test_pairs_without_a_propensity_are_refused(tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text("item,propensity\ni1,0.5\n")
    with pytest.raises(cf.CranfieldError, match="has no propensity"):
        cf.run(experiment_of(metrics=[f'P(propensity=file("{tmp_path}/some.csv"))@5']))


def test_groups_of_items_refuse_metrics_that_weigh_users() -> None:
    with pytest.raises(cf.CranfieldError, match="by popularity"):
        cf.run(experiment_of(metrics=[SNIPS], by=["popularity:2"]))
    assert cf.run(experiment_of(metrics=[IPS, NDCG], by=["popularity:2", "activity:2"])).breakdowns


@pytest.mark.parametrize("criterion", ["robustness(sizes=[0.5], samples=2)", "stability"])
def test_criteria_that_draw_users_refuse_metrics_that_weigh_them(criterion: str) -> None:
    with pytest.raises(cf.CranfieldError, match="does not count all users alike"):
        cf.run(experiment_of(metrics=[SNIPS], assess=[criterion]))
    assert cf.run(experiment_of(metrics=[NDCG], assess=[criterion])).assessments


def test_criteria_by_values_take_all_of_them() -> None:
    found = cf.run(experiment_of(metrics=METRICS, assess=["correlation", "discriminative-power"]))
    assert {"correlation", "discriminative-power"} <= {a.criterion for a in found.assessments}


def test_folds_are_taken_together() -> None:
    found = cf.run(experiment_of(metrics=METRICS, split="k-fold(folds=2)"))
    assert all(np.isfinite(value(found, "kNN", metric)) for metric in METRICS)
    with pytest.raises(cf.CranfieldError, match="each training part has its own"):
        cf.run(
            experiment_of(
                metrics=[NDCG], split="k-fold(folds=2)",
                assess=["robustness(sizes=[0.5], samples=2)"],
            )
        )  # fmt: skip


def test_a_study_varies_the_correction() -> None:
    found = cf.study(study_of({"vary": {"metric": ["P@5", SNIPS, IPS]}}))
    alone = cf.run(experiment_of(metrics=[SNIPS]))
    [row] = [each for each in found.to_polars().to_dicts() if each["metric"] == SNIPS]
    values = [list(each.values()) for each in row["values"]]
    assert ["kNN", value(alone, "kNN", SNIPS)] in values


def test_what_is_stored_depends_on_what_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    items = parse("source", "simulated(size=tiny)").read().item_ids.values.to_list()
    asked = experiment_of(metrics=[f'Recall(propensity=file("{path}"))@5'])
    found = []
    for power in (1, 5):
        rows = (f"{item},{(1 / (k + 1)) ** power}" for k, item in enumerate(items))
        path.write_text("item,propensity\n" + "\n".join(rows))
        found.append((cf.run(asked, store=tmp_path / "store"), propensity_inputs(asked.metrics, 0)))
    assert found[0][1] != found[1][1]
    assert not same_scores(found[0][0].scores, found[1][0].scores)


def test_the_methods_name_estimators_and_their_sources(tmp_path: Path) -> None:
    cf.write_results(cf.run(experiment_of(metrics=[IPS, STRATIFIED])), tmp_path / "out")
    text = " ".join((tmp_path / "out" / "methods.txt").read_text().split())
    assert "weighed by inverse propensities (Schnabel et al., 2016)" in text
    assert "within 2 strata of propensity" in text
    references = (tmp_path / "out" / "references.bib").read_text()
    for key in ("schnabel2016", "yang2018", "jadidinejad2021"):
        assert key in references
    cf.write_results(cf.run(experiment_of(metrics=["P@5"])), tmp_path / "plain")
    assert "schnabel2016" not in (tmp_path / "plain" / "references.bib").read_text()


def test_options_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", "propensity"]) == 0
    assert main(["options", "estimator", "snips"]) == 0
    shown = capsys.readouterr().out
    for name in ("popularity", "logistic", "poisson-factorisation", "naive-bayes", "known", "file"):
        assert name in shown
    assert "Schnabel" in shown
