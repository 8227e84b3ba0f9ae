"""``cranfield assess`` as a user meets it: output, exit code, and files left behind."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.base import options
from cranfield.workbench import inventory
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.assessing import locate_systems
from suites import spread

inventory.load()

SYSTEMS = ("a", "b", "c")
RUNS = [word for name in SYSTEMS for word in ("--run", f"{name}.csv")]
METRICS = ["-m", "P@5", "-m", "nDCG@5", "-m", "RR"]
ROBUSTNESS = ["assess", "robustness", "--judgments", "test.csv", "--relevance", "4"]
FEW = ["--samples", "2", "--sizes", "1, 50%, 0.1"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgments, three runs of falling quality, and tables."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    ratings = rng.integers(1, 6, (20, 15))
    rows = [f"{u},{i},{ratings[u, i]}" for u in range(20) for i in range(15)]
    Path("test.csv").write_text("\n".join(["user,item,rating", *rows]) + "\n")
    for name, noise in zip(SYSTEMS, (0.5, 3, 20), strict=True):
        scores = ratings + noise * rng.random(ratings.shape)
        lines = [f"{u},{i},{scores[u, i]:.4f}" for u in range(20) for i in range(15)]
        Path(f"{name}.csv").write_text("\n".join(["user,item,score", *lines]) + "\n")
    Path("p.csv").write_text("RunA,RunB,P,RR\na,b,0.5,0.9\na,c,0.01,0.6\nb,c,0,0\n")
    Path("values.csv").write_text(
        "Recommender,Percentage,P,RR\na,1,1,1\nb,1,2,2\nc,1,3,3\na,.5,1,3\nb,.5,2,2\nc,.5,3,1\n"
    )


def scores() -> str:
    """A file of scores per user."""
    command = ["evaluate", "--judgments", "test.csv", "--relevance", "4", *RUNS, *METRICS]
    assert main([*command, "--per-user", "scores.parquet"]) == 0
    return "scores.parquet"


def written(*arguments: str) -> Any:
    assert main([*arguments, "--json", "out.json"]) == 0
    return json.loads(Path("out.json").read_text())


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The complaint of a command that must fail in one line and leave nothing behind."""
    before = {path.name for path in Path().iterdir()}
    capsys.readouterr()
    assert main([*arguments, "--json", "out.json"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("cranfield: ")
    assert captured.err.count("\n") == 1
    assert {path.name for path in Path().iterdir()} == before
    return captured.err.removeprefix("cranfield: ").rstrip()


def test_p_values_of_others_are_summed(capsys: pytest.CaptureFixture[str]) -> None:
    made = written("assess", "discriminative-power", "--p-values", "p.csv")
    table = made["tables"]["discriminative_power"]
    assert [row["metric"] for row in table] == ["P", "RR"]
    assert table[0]["dp"] == pytest.approx(0.51)
    assert capsys.readouterr().out.rstrip().endswith(made["reading"])


def test_scores_are_tested_for_discriminative_power() -> None:
    command = ["assess", "discriminative-power", scores()]
    made = written(*command, "--test", "t", "--alpha", "0.1")
    rows = made["tables"]["discriminative_power"]
    assert {row["metric"] for row in rows} == {"P@5", "nDCG@5", "RR"}
    assert made["words"]["share_below_alpha"] == "share below 0.1"
    assert made["decisions"]["pairs"] == 3
    drawn = written(*command, "--seed", "3")
    assert drawn == written(*command, "--seed", "3")


def test_metrics_can_be_chosen() -> None:
    made = written("assess", "correlation", scores(), "-m", "RR", "-m", "P@5")
    named = [(row["metric"], row["other"]) for row in made["tables"]["system_orders"]]
    assert named == [("RR", "RR"), ("RR", "P@5"), ("P@5", "RR"), ("P@5", "P@5")]
    made = written("assess", "discriminative-power", "--p-values", "p.csv", "-m", "RR")
    assert [r["metric"] for r in made["tables"]["discriminative_power"]] == ["RR"]


def test_correlation_reads_scores_and_tables() -> None:
    made = written("assess", "correlation", scores(), "--aggregation", "geometric-mean")
    assert made["criterion"] == "correlation"
    made = written("assess", "correlation", "--table", "values.csv", "--agreement", "tau-ap")
    assert made["tables"]["system_orders"][1] == {"metric": "P", "other": "RR", "value": 1}


@pytest.mark.parametrize("criterion", ["correlation", "discriminative-power"])
def test_runs_are_assessed_as_their_scores_are(criterion: str) -> None:
    from_scores = written("assess", criterion, scores())
    judged = ["--judgments", "test.csv", "--relevance", "4"]
    assert written("assess", criterion, *judged, *RUNS, *METRICS) == from_scores


def test_runs_are_weighted_by_a_column_of_users_as_their_scores_are() -> None:
    lines = [f"{user},{(user == 7) + 1e-9}" for user in range(20)]
    Path("users.csv").write_text("\n".join(["user,vip", *lines]) + "\n")
    judged = ["--judgments", "test.csv", "--relevance", "4", *RUNS, *METRICS]
    columns = ["--user-columns", "users.csv"]
    assert main(["evaluate", *judged, *columns, "--per-user", "vips.parquet"]) == 0
    by_column = ["--aggregation", "weighted-mean(by=column(vip))"]
    from_scores = written("assess", "correlation", "vips.parquet", *by_column)
    assert written("assess", "correlation", *judged, *columns, *by_column) == from_scores
    assert written("assess", "correlation", "vips.parquet") != from_scores


def test_the_geometric_mean_can_add_more_to_scores() -> None:
    made = written(*ROBUSTNESS, *RUNS, *METRICS, *FEW, "--epsilon", "0.5")
    assert made["decisions"]["epsilon"] == 0.5


def test_robustness_thins_runs_in_five_ways(capsys: pytest.CaptureFixture[str]) -> None:
    made = written(*ROBUSTNESS, *RUNS, *METRICS, *FEW)
    rows = made["tables"]["area"]
    assert list(rows[0]) == ["mean", "metric", "scenario", "value"]
    ways = ["ratings", "items", "popular-items", "users", "large-users"]
    assert list(dict.fromkeys(row["scenario"] for row in rows)) == ways
    assert len(made["details"]["curves"]) == 5 * 2 * 3 * 3
    shown = capsys.readouterr().out
    assert "area under τ\n" in shown
    assert f"metric   {'   '.join(ways)}" in shown
    assert made == written(*ROBUSTNESS, *RUNS, *METRICS, *FEW)


def test_robustness_on_the_full_set_gives_the_values_of_evaluate() -> None:
    command = ["evaluate", "--judgments", "test.csv", "--relevance", "4", *RUNS, *METRICS]
    expected = written(*command)["systems"]
    made = written(*ROBUSTNESS, *RUNS, *METRICS, "--sizes", "1", "--scenario", "ratings")
    rows = [row for row in made["details"]["values"] if row["mean"] == "arithmetic"]
    assert {row["system"] for row in rows} == set(SYSTEMS)
    for row in rows:
        wanted = expected[row["system"]][row["metric"]]["value"]
        assert row["value"] == pytest.approx(wanted, abs=1e-9)


def test_robustness_reads_tables_of_others() -> None:
    made = written("assess", "robustness", "--table", "values.csv")
    curves = {(row["metric"], row["size"]): row["tau"] for row in made["details"]["curves"]}
    assert curves == {("P", 1): 1, ("P", 0.5): 1, ("RR", 1): 1, ("RR", 0.5): -1}


@pytest.mark.parametrize(
    "assessed",
    [
        ["robustness", "--table", "values.csv"],
        ["discriminative-power", "--p-values", "p.csv"],
        ["correlation", "--table", "values.csv"],
    ],
)
@pytest.mark.parametrize(
    ("name", "start"),
    spread(
        [
            ("c.svg", b"<?xml"),
            ("c.png", b"\x89PNG"),
            ("c.html", b"<!doctype html>"),
            ("c.pdf", b"%PDF"),
        ],
        every=2,
    ),
)
def test_charts_are_drawn_the_same_each_time(assessed: list[str], name: str, start: bytes) -> None:
    pytest.importorskip("matplotlib")
    command = ["assess", *assessed, "--plot", name]
    assert main(command) == 0
    first = Path(name).read_bytes()
    assert first.startswith(start)
    assert main(command) == 0
    assert Path(name).read_bytes() == first


def test_a_chart_names_its_metrics() -> None:
    pytest.importorskip("matplotlib")
    assert main(["assess", "discriminative-power", "--p-values", "p.csv", "--plot", "c.svg"]) == 0
    text = Path("c.svg").read_text()
    assert ">RR<" in text
    assert "p-value" in text


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["discriminative-power"], "Give SCORES.parquet, --p-values, or --judgments, --relevance"),
        (["correlation", "x.parquet", "--table", "values.csv"], "do not go together"),
        (["correlation", "x.parquet", "--ties", "random"], "do not go together"),
        (["robustness"], "--judgments, --run, --relevance, --metric are missing. Give --table, or"),
        (["discriminative-power", "--p-values", "none.csv"], "there is no such file"),
        (["discriminative-power", "--p-values", "values.csv"], 'no column is called "RunA"'),
        (["robustness", "--table", "p.csv"], 'no column is called "Recommender"'),
        (["correlation", "--table", "values.csv", "-m", "PP"], 'no column is called "PP"'),
        (["discriminative-power", "--p-values", "p.csv", "--alpha", "2"], "alpha: 2"),
        (["discriminative-power", "--p-values", "p.csv", "--plot", "c.gif"], "ends in svg"),
        (["robustness", "--table", "values.csv", "--samples", "0"], "samples: 0"),
        (["robustness", "--table", "values.csv", "--sizes", "2"], "sizes[0]: 2"),
        (["robustness", "--table", "values.csv", "--sizes", "half"], 'sizes[0]: "half"'),
        (["robustness", "--table", "values.csv", "--sizes", "1"], "two or more sizes"),
        (["correlation", "none.parquet"], "there is no such file"),
        (["stability"], "Give SCORES.parquet, or --judgments, --relevance"),
        (["stability", "none.parquet", "--share", "1"], "share: 1"),
        (["stability", "none.parquet", "--fuzziness", "0.1,much"], 'fuzziness[1]: "much"'),
        (["thinned-discriminative-power"], "are missing. Give --judgments, --relevance, --metric"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    assert problem in failed(capsys, "assess", *arguments)


def test_too_little_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    one = failed(capsys, *ROBUSTNESS, "--run", "a.csv", *METRICS)
    assert one == "robustness needs at least 2 systems; here 1 can be used."
    assert "--metric" in failed(capsys, *ROBUSTNESS, *RUNS)
    Path("test.csv").write_text("user,item,rating\n1,1,5\n1,2,4\n")
    alone = failed(capsys, *ROBUSTNESS, *RUNS, *METRICS)
    assert alone == "robustness needs at least 2 users; here 1 can be used."


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        (["--popular-by", "train"], "needs the training ratings of items. Give them (--train)"),
        (["--of", "all-items"], "needs a catalogue. Give training ratings (--train)"),
    ],
)
def test_what_is_not_known_of_items_is_asked_for(
    capsys: pytest.CaptureFixture[str], flags: list[str], problem: str
) -> None:
    assert problem in failed(capsys, *ROBUSTNESS, *RUNS, *METRICS, *FEW, *flags)


def test_metrics_of_whole_runs_cannot_be_thinned(capsys: pytest.CaptureFixture[str]) -> None:
    text = failed(capsys, *ROBUSTNESS, *RUNS, "-m", "CatalogueCoverage@5")
    assert "CatalogueCoverage@5 has no score per user" in text


def test_stability_reads_scores_and_runs_alike() -> None:
    command = ["assess", "stability"]
    few = ["--samples", "30", "--fuzziness", "0, 5%, 0.1", "--share", "0.4", "--seed", "3"]
    made = written(*command, scores(), *few)
    assert made["decisions"]["users"] == 8
    assert {row["fuzziness"] for row in made["details"]["curves"]} == {0, 0.05, 0.1}
    judged = ["--judgments", "test.csv", "--relevance", "4"]
    assert written(*command, *judged, *RUNS, *METRICS, *few) == made


def test_discriminative_power_is_assessed_on_poorer_test_sets() -> None:
    judged = ["--judgments", "test.csv", "--relevance", "4", *RUNS, *METRICS]
    few = ["--sizes", "1,0.5", "--samples", "2", "--test", "t", "--alpha", "0.1"]
    made = written("assess", "thinned-discriminative-power", *judged, *few)
    rows = made["tables"]["dp_by_size"]
    assert list(rows[0]) == ["scenario", "metric", "size", "value"]
    assert made["decisions"]["test"] == "t"
    whole = written("assess", "discriminative-power", *judged, "--test", "t", "--alpha", "0.1")
    power = whole["tables"]["discriminative_power"]
    assert {row["metric"]: row["dp"] for row in power} == {
        row["metric"]: row["value"] for row in rows if row["size"] == 1
    }


def train() -> list[str]:
    """Training ratings of items 15 to 24 and some of the others, that no list has."""
    rng = np.random.default_rng(7)
    rows = [f"{u},{i},3" for u in range(20) for i in range(15, 25) if rng.random() < i / 30]
    rows += [f"{100 + u},{i},3" for u in range(20) for i in range(15) if rng.random() < i / 20]
    Path("train.csv").write_text("\n".join(["user,item,rating", *rows]) + "\n")
    return ["--train", "train.csv"]


THINNED = {
    "robustness(sizes=[1, 0.5], samples=2, popular_by=train, of=all-items)": [
        *("--popular-by", "train", "--of", "all-items"),
    ],
    "robustness(sizes=[1, 0.5], samples=2, nested=false, undefined=zero)": [
        *("--no-nested", "--undefined", "zero"),
    ],
    "robustness(sizes=[1, 0.5], samples=2, scenarios=[ratings-by-user, users], epsilon=0.5)": [
        *("--scenario", "ratings-by-user", "--scenario", "users", "--epsilon", "0.5"),
    ],
    "thinned-DP(sizes=[1, 0.5], samples=2, scenarios=[popular-items], popular_by=train)": [
        *("--scenario", "popular-items", "--popular-by", "train", "--test", "t"),
    ],
    "thinned-DP(sizes=[1, 0.5], samples=2, alpha=0.2)": ["--alpha", "0.2", "--test", "t"],
}
"""Criteria as Python spells them, and their flags."""


@pytest.mark.parametrize("spelling", THINNED)
def test_flags_and_python_agree_bit_for_bit(spelling: str) -> None:
    criterion = options.parse("criterion", spelling)
    few = ["--sizes", "1,0.5", "--samples", "2", "--seed", "5"]
    judged = ["--judgments", "test.csv", "--relevance", "4", *train()]
    name = str(spelling.partition("(")[0].replace("DP", "discriminative-power"))
    made = written("assess", name, *judged, *RUNS, *METRICS, *few, *THINNED[spelling])
    experiment = Experiment(
        split=given_parts("test.csv", "train.csv"), relevance=4, seed=5,
        runs={name: f"{name}.csv" for name in SYSTEMS},
        metrics=tuple(options.parse("metric", name) for name in ("P@5", "nDCG@5", "RR")),
    )  # fmt: skip
    located = replace(locate_systems(experiment), test=options.parse("test", "t"))
    assert json.loads(json.dumps(cf.assess(criterion, located).to_dict())) == made


def test_samples_are_assessed_alike_from_every_door(capsys: pytest.CaptureFixture[str]) -> None:
    """By flags, by Python and by an experiment, also where one item each is ranked."""
    spelling = "sampling(sizes=[3, 6], draws=2, corrections=[cls, bias-variance(gamma=0.5)])"
    flags = ["--sizes", "3,6", "--draws", "2", "--corrections", "cls, bias-variance(gamma=0.5)"]
    judged = ["--judgments", "test.csv", "--relevance", "4", "--seed", "5"]
    made = written("assess", "sampling", *judged, *RUNS, *METRICS, *flags)
    assert "swapped pairs" in capsys.readouterr().out
    runs = {name: f"{name}.csv" for name in SYSTEMS}
    metrics = ["P@5", "nDCG@5", "RR"]
    asked = {
        "split": {"name": "given", "test": "test.csv"}, "relevance": 4, "seed": 5,
        "runs": runs, "metrics": metrics, "assess": [spelling], "comparison": {"test": "t"},
    }  # fmt: skip
    results = cf.run(asked)
    assert json.loads(json.dumps(results.assessments[0].to_dict())) == made
    single = [*judged, *RUNS, *METRICS, *flags, "--targets", "one-relevant"]
    assert written("assess", "sampling", *single)["tables"] == made["tables"]


def test_samples_of_samples_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    judged = ["--judgments", "test.csv", "--relevance", "4", *RUNS, *METRICS]
    found = failed(capsys, "assess", "sampling", *judged, "--targets", "1R, sampled(n=3)")
    assert found.startswith("sampling needs rankings of all targets")
    assert "--judgments" in failed(capsys, "assess", "sampling")


def test_scores_are_as_stable_from_python_as_from_the_command_line() -> None:
    made = written("assess", "stability", scores(), "--samples", "20", "--seed", "3")
    found = cf.assess("stability(samples=20)", "scores.parquet", seed=3)
    assert json.loads(json.dumps(found.to_dict())) == made


def test_a_criterion_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["assess"])
    assert "CRITERION" in capsys.readouterr().err


def test_scores_of_one_system_or_one_user_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    evaluate = ["evaluate", "--judgments", "test.csv", "--relevance", "4", *METRICS]
    assert main([*evaluate, "--run", "a.csv", "--per-user", "one.parquet"]) == 0
    assert "system" in failed(capsys, "assess", "discriminative-power", "one.parquet")
    only = failed(capsys, "assess", "correlation", "one.parquet")
    assert only == "correlation needs at least 2 systems; here 1 can be used."
    Path("test.csv").write_text("user,item,rating\n1,1,5\n1,2,4\n")
    assert main([*evaluate, *RUNS, "--per-user", "user.parquet"]) == 0
    assert "two users" in failed(capsys, "assess", "discriminative-power", "user.parquet")
    alone = failed(capsys, "assess", "correlation", "user.parquet")
    assert alone == "an order of systems needs at least 2 users; here 1 can be used."
