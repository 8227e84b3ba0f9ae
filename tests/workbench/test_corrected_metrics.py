"""Corrected metrics in experiments: every door gives the same, and others are refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import CranfieldError
from cranfield.scoring.scores import Scores
from cranfield.workbench.cli.main import main
from experiment_cases import file_of, same_scores, table_of
from suites import spread

METRICS = [
    "nDCG@5", "nDCG(correction=plug-in)@5", "nDCG(correction=bias-variance(gamma=0.05))@5",
    "P(correction=cls)@5", "RR(correction=mle)", "AP(correction=max-entropy)",
]  # fmt: skip
SAMPLED = "one-relevant, sampled(n=10)"


def asked(**changes: Any) -> dict[str, Any]:
    return {"targets": SAMPLED, "metrics": METRICS, **changes}


def test_toml_and_python_agree_in_every_bit(tmp_path: Path) -> None:
    one = cf.run(table_of(**asked()))
    other = cf.run(file_of(tmp_path, **asked()))
    assert same_scores(one.scores, other.scores)
    spelled = one.scores.metrics
    assert "nDCG(correction=bias-variance(gamma=0.05))@5" in spelled


def test_the_store_gives_back_what_it_was_given(tmp_path: Path) -> None:
    fresh = cf.run(table_of(**asked()), store=str(tmp_path))
    more = [*METRICS, "Recall(correction=cls)@5"]
    again = cf.run(table_of(**asked(metrics=more)), store=str(tmp_path))
    assert np.array_equal(fresh.scores.values, again.scores.values[:, :-1])


def test_corrections_come_nearer_to_full_rankings_than_samples() -> None:
    full = cf.run(table_of(targets="one-relevant", metrics=["nDCG@5", "AUC"]))
    some = cf.run(table_of(**asked()))
    exact = full.summary.row("Popularity", "nDCG@5").value
    plain = some.summary.row("Popularity", "nDCG@5").value
    found = some.summary.row("Popularity", METRICS[2]).value
    assert abs(found - exact) < abs(plain - exact)


def test_what_is_tested_is_the_number_of_the_table() -> None:
    results = cf.run(table_of(**asked()))
    summary, comparison = results.summary, results.comparison
    assert comparison is not None
    for pair in comparison.pairs:
        values = [summary.row(name, pair.metric).value for name in (pair.first, pair.second)]
        assert pair.difference == pytest.approx(values[0] - values[1], abs=1e-12)


def write_parts(folder: Path) -> dict[str, str]:
    """A run, test and training ratings as files."""
    rng = np.random.default_rng(0)
    users, items = np.repeat(np.arange(40), 30), np.tile(np.arange(30), 40)
    table = pl.DataFrame(
        {"user": users, "item": items, "rating": rng.integers(1, 6, 1200).astype(float)}
    )
    chosen = pl.Series(rng.random(1200) < 0.4)
    table.with_columns(score=rng.random(1200)).drop("rating").write_csv(folder / "run.csv")
    table.filter(chosen).write_csv(folder / "test.csv")
    table.filter(~chosen).write_csv(folder / "train.csv")
    return {name: str(folder / f"{name}.csv") for name in ("run", "test", "train")}


def evaluated(files: dict[str, str]) -> Scores:
    return cf.evaluate(
        files["test"], {"mine": files["run"]}, METRICS,
        train=files["train"], relevance=4, targets=SAMPLED,
    ).scores  # fmt: skip


def test_runs_that_are_read_in_parts_score_as_whole_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write_parts(tmp_path)
    whole = evaluated(files)
    monkeypatch.setattr("cranfield.recommendation.runs.source.ROWS_AT_ONCE", 100)
    assert same_scores(whole, evaluated(files))


def test_the_command_line_gives_the_scores_of_python(tmp_path: Path) -> None:
    files, out = write_parts(tmp_path), tmp_path / "scores.parquet"
    command = ["evaluate", "--judgments", files["test"], "--train", files["train"]]
    command += ["--relevance", "4", "--run", f"mine={files['run']}", "--targets", SAMPLED]
    for metric in METRICS:
        command += ["-m", metric]
    assert main([*command, "--per-user", str(out)]) == 0
    written = pl.read_parquet(out)
    found = evaluated(files)
    for metric in found.metrics:
        scores = written.filter(metric=metric)["score"].to_numpy()
        assert np.array_equal(np.sort(scores), np.sort(found.of("mine", metric)))


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ("all-items", "one relevant item each"),
        ("sampled(n=10)", "one relevant item each"),
        ("one-relevant", "a full ranking needs no correction"),
        ("one-relevant, condensed", "needs no correction"),
        ("one-relevant(judged=all), sampled(n=10)", "only-relevant"),
    ],
)
def test_other_targets_are_refused_before_anything_is_fitted(targets: str, words: str) -> None:
    metric = "nDCG(correction=cls)@5"
    with pytest.raises(CranfieldError, match=words) as caught:
        cf.run(table_of(targets=targets, metrics=[metric]))
    assert metric in str(caught.value)


def test_the_command_line_lists_corrections(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", "sample-correction"]) == 0
    shown = capsys.readouterr().out
    for name in ("plug-in", "bias-variance", "cls", "mle", "max-entropy"):
        assert name in shown


def test_percentiles_are_corrected_within_themselves() -> None:
    found = cf.run(table_of(**asked(targets="percentiles(m=2), sampled(n=5)")))
    assert np.isfinite([row.value for row in found.summary.rows]).all()


@pytest.mark.parametrize(
    "aggregation", spread(["weighted-mean(by=test)", "median", "geometric-mean"], every=3)
)
def test_corrected_scores_are_aggregated_as_others_are(aggregation: str) -> None:
    metrics = ["nDCG(correction=cls)@5", "RR(correction=bias-variance(gamma=1))"]
    found = cf.run(table_of(targets=SAMPLED, metrics=metrics, aggregation=aggregation))
    assert np.isfinite([row.value for row in found.summary.rows]).all()
    assert np.isfinite([row.random for row in found.summary.rows]).all()


def test_designs_of_a_study_may_differ_in_their_correction() -> None:
    metrics = ["nDCG@5", "nDCG(correction=cls)@5", "nDCG(correction=mle)@5"]
    study = {"vary": {"metric": metrics, "cutoff": [3, 5]}}
    found = cf.study({**table_of(targets=SAMPLED, metrics=["nDCG@5"]), "study": study})
    values = found.to_polars("designs")
    assert len(values) == 6
