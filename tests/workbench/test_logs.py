"""Logs of events through every door: definitions, Python, commands, results and the store."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.workbench.api import verify
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.methods.methods import methods_of
from cranfield.workbench.results.results import Results
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, file_of, same_scores

TEMPORAL = "temporal(test_share=0.3)"
ANSWERS: dict[str, Any] = {
    "split": TEMPORAL,
    "relevance": 2,
    "metrics": ["P@5", "nDCG(gain=binary)@5"],
    "systems": {"Popularity": "Popularity", "kNN": "user-kNN(k=5)"},
}


def plays(rows: int = 1500, users: int = 30, items: int = 40) -> pl.DataFrame:
    """A log in which users play popular items, and again what they know."""
    rng = np.random.default_rng(4)
    return pl.DataFrame(
        {
            "user": rng.integers(1, users + 1, rows),
            "item": np.minimum(rng.geometric(0.08, rows), items),
            "timestamp": np.sort(rng.integers(10**9, 10**9 + 10**6, rows)),
        }
    )


PLAYS = plays()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "plays.tsv"
    PLAYS.write_csv(path, separator="\t")
    return path


def by_hand() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both parts by plain loops: the events in order of time are cut, then counted."""
    rows = PLAYS.rows()
    times = sorted(row[2] for row in rows)
    cut = times[round(0.7 * len(times))]
    assert times.count(cut) == 1
    parts = [row for row in rows if row[2] < cut], [row for row in rows if row[2] >= cut]
    tables = []
    for part in parts:
        counts = Counter(row[:2] for row in part)
        users, items = zip(*counts, strict=True)
        tables.append(pl.DataFrame({"user": users, "item": items, "rating": counts.values()}))
    return tables[0], tables[1]


def events_of(path: Path, **changes: Any) -> dict[str, Any]:
    data = {"name": "file", "path": str(path), "duplicates": "events"}
    return {**ANSWERS, "data": data, **changes}


@pytest.mark.parametrize("training_items", ["drop", "keep"])
def test_a_log_gives_the_results_of_its_parts_counted_by_hand(
    log: Path, training_items: str
) -> None:
    made = execute(experiment_of(**events_of(log, training_items=training_items)))
    train, test = by_hand()
    given = {"name": "given", "train": train, "test": test}
    counted = pl.concat([train, test]).group_by("user", "item").agg(pl.col("rating").sum())
    scale = [1, int(counted["rating"].to_numpy().max())]
    answers = {**ANSWERS, "data": None, "split": given, "scale": scale}
    theirs = execute(experiment_of(**answers, training_items=training_items))
    assert same_scores(made.scores, theirs.scores)
    known = set(train.select("user", "item").rows())
    both = sum(pair in known for pair in test.select("user", "item").rows())
    assert made.data["folds"][0]["in_both_parts"] == both > 0
    assert made.data["split"]["facts"]["events"] == len(PLAYS)
    assert made.data["folds"][0]["test_ratings"] == len(test)


def test_relevance_is_that_of_counts_in_test_alone(log: Path) -> None:
    """Precision at 5 by loops over what was played at least twice after the cut."""
    answers = events_of(log, systems={"Popularity": "Popularity"}, metrics=["P@5"])
    made = execute(experiment_of(**answers))
    train, test = by_hand()
    popularity = Counter(train["item"].to_list())
    items = sorted(set(train["item"]) | set(test["item"]), key=lambda i: (-popularity[i], i))
    known = set(train.select("user", "item").rows())
    judged = {(u, i): n for u, i, n in test.rows() if (u, i) not in known}
    users = sorted({user for user, _ in judged} & {user for user, _ in known})
    scores = {}
    for user in users:
        top = [item for item in items if (user, item) not in known][:5]
        if any(n >= 2 for (u, _), n in judged.items() if u == user):
            scores[user] = sum(judged.get((user, item), 0) >= 2 for item in top) / 5
    assert len(scores) > 5
    found = made.summary.row("Popularity", "P@5")
    assert found.value == pytest.approx(np.mean(list(scores.values())))
    assert found.users == len(scores)


def test_every_door_gives_the_same_bits(log: Path, tmp_path: Path) -> None:
    file = file_of(tmp_path, **events_of(log))
    spelled = f'file(path="{log}", duplicates=events)'
    made = [
        execute(experiment_of(**events_of(log))),
        cf.run(file),
        cf.run({**ANSWERS, "data": spelled, "comparison": {"test": "t"}}),
        cf.run({**ANSWERS, "data": {"source": str(log), "duplicates": "events"}}),
    ]
    plain = file_of(tmp_path, "plain.toml", **{**ANSWERS, "data": str(log)})
    changed = read_definition(plain, ["data.duplicates=events"])
    made.append(execute(changed))  # type: ignore[arg-type]
    for other in made[1:]:
        assert same_scores(made[0].scores, other.scores)
    out = tmp_path / "out"
    assert main(["run", str(file), "--out", str(out)]) == 0
    record = json.loads((out / "results.json").read_text())
    assert record["decisions"]["data"].endswith("duplicates=events, values=ratings)")
    verified = verify(out)
    assert isinstance(verified, Results)
    assert verified.data == made[0].data


def test_a_log_in_memory_is_one_too(log: Path) -> None:
    events = cf.read(PLAYS, duplicates="events")
    assert events.fingerprint == cf.read(log, duplicates="events").fingerprint
    parts = cf.split(events, TEMPORAL)
    assert sorted(parts.test.to_polars().select("user_id", "item_id", "rating").rows()) == sorted(
        (user, item, float(count)) for user, item, count in by_hand()[1].rows()
    )


def test_the_store_tells_events_from_ratings_and_computes_them_once(
    log: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    for duplicates in ("events", "sum", "events"):
        data = {"name": "file", "path": str(log), "duplicates": duplicates}
        asked = experiment_of(**{**ANSWERS, "data": data})
        stored, fresh = execute(asked, Pipeline(Store(store))), execute(asked)
        assert same_scores(stored.scores, fresh.scores)
        assert stored.data == fresh.data
        assert ("events" in stored.data["split"]["facts"]) == (duplicates == "events")


def test_folds_of_events_are_pooled_as_folds_are(log: Path) -> None:
    made = execute(experiment_of(**events_of(log, split="k-fold(folds=3, repeats=2)")))
    assert len(made.data["folds"]) == 6
    assert all(fold["in_both_parts"] for fold in made.data["folds"])
    users = made.scores.topics.users
    assert len(users) == len(np.unique(users))


def test_methods_and_notes_tell_of_events(log: Path) -> None:
    busy = pl.concat([PLAYS, *[PLAYS[:1]] * 150])
    busy.write_csv(log, separator="\t")
    made = execute(experiment_of(**events_of(log, metrics=["nDCG@5"])))
    said = "a log of events that were divided one by one and counted in each part"
    assert said in methods_of(made)
    warning = next(note for note in made.notes if "look like counts" in note)
    assert "a gain that does not grow with them, such as binary" in warning
    assert "values=plays" not in warning


def test_given_parts_may_be_logs(log: Path, tmp_path: Path) -> None:
    train, test = PLAYS[:1000], PLAYS[1000:]
    for name, part in (("train", train), ("test", test)):
        part.write_csv(tmp_path / f"{name}.csv")
    parts = {
        name: {"name": "file", "path": str(tmp_path / f"{name}.csv"), "duplicates": "events"}
        for name in ("train", "test")
    }
    counts = {
        name: part.group_by("user", "item").agg(pl.len().alias("rating"))
        for name, part in (("train", train), ("test", test))
    }
    ours, theirs = (
        execute(experiment_of(**{**ANSWERS, "data": None, "split": {"name": "given", **each}}))
        for each in (parts, counts)
    )
    assert same_scores(ours.scores, theirs.scores)


def test_commands_read_write_and_describe_logs(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(log), "--duplicates", "events"]) == 0
    out = capsys.readouterr().out
    assert ["events", f"{len(PLAYS):,}"] in [line.split() for line in out.splitlines()]
    kept = tmp_path / "kept.parquet"
    choice = ["--filter", "min-ratings(per=item, at_least=2)"]
    assert main(["filter", str(log), "--duplicates", "events", *choice, "--out", str(kept)]) == 0
    assert cf.read(kept, duplicates="events").events
    parts = tmp_path / "parts"
    arguments = ["--duplicates", "events", "--split", TEMPORAL, "--out", str(parts)]
    capsys.readouterr()
    assert main(["split", str(log), *arguments]) == 0
    assert f"events: {len(PLAYS)}" in capsys.readouterr().out
    made = cf.split(cf.read(log, duplicates="events"), TEMPORAL)
    assert cf.read_split(parts).test.fingerprint == made.test.fingerprint
    assert cf.read(parts / "train.parquet").fingerprint == made.train.fingerprint
