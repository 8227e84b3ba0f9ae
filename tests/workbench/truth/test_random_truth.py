"""Designs are held against what users think of items that they were shown at random."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.base.errors import CranfieldError, OptionError
from cranfield.base.files import json_text
from cranfield.base.options import parse
from cranfield.collection.ratings import Ratings
from cranfield.collection.simulation.truth import truth_of
from cranfield.collection.source import source_of
from cranfield.validity.meta.rank_agreement import tau_b
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.definition.study.study import Study, read_study
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.truth.assessment import truth_assessment
from cranfield.workbench.truth.study import _same_quantity, run_truth_study, study_like

DATA = pytest.mark.skipif("CRANFIELD_DATA" not in os.environ, reason="needs $CRANFIELD_DATA")
WORLD = "simulated(users=60, items=50, ratings=900, skew=1)"


def random_part(share: float = 0.3, seed: int = 1) -> Ratings:
    """What the users of a world think of items that were drawn for them at random."""
    truth = truth_of(source_of(WORLD))
    whole = truth.rating(np.arange(60))
    users, items = np.nonzero(np.random.default_rng(seed).random(whole.shape) < share)
    ids = [ids.values for ids in (truth.user_ids, truth.item_ids)]
    return Ratings.from_triples(ids[0].gather(users), ids[1].gather(items), whole[users, items])


def table(**changes: Any) -> dict[str, Any]:
    """A study of two protocols, whose truth is a random part."""
    given = {
        "data": WORLD,
        "split": "random(test_share=0.4)",
        "relevance": 4,
        "judged_by": {"name": "random", "file": random_part()},
        "systems": {
            "kNN": "user-kNN(k=9)", "Popularity": "Popularity", "Random": "Random",
            "oracle": f"oracle(source={WORLD})",
        },
        "metrics": ["P@5"],
        "study": {"vary": {"targets": ["all-items", "condensed"], "seed": [0, 1]}},
    }  # fmt: skip
    return {**given, **changes}


def study(**changes: Any) -> Study:
    return read_study(table(**changes))


def test_true_values_are_over_the_items_that_users_were_shown() -> None:
    """A slow reference: rank each user's shown items by hand, and count the relevant ones."""
    asked = study()
    found = run_truth_study(asked, metric="P@5").truthfulness
    part = random_part()
    base = asked.base
    train = cf.split(cf.read(WORLD), base.split, seed=0).train
    rated = set(zip(train.users.tolist(), train.items.tolist(), strict=True))
    users = train.user_ids.encode(part.user_ids.values)[part.users]
    items = train.item_ids.encode(part.item_ids.values)[part.items]
    fitted = base.systems["oracle"].fit(train, None)  # type: ignore[arg-type]
    precisions = []
    for user in np.unique(users):
        mine = (users == user) & [(user, item) not in rated for item in items]
        if not mine.any() or not (train.users == user).any():
            continue
        predicted = fitted.predict(np.array([user], dtype=np.int32))[0]
        shown, liked = items[mine], part.values[mine] >= 4
        best = np.lexsort((shown, -predicted[shown]))[:5]
        if liked.any():  # else precision is undefined
            precisions.append(liked[best].sum() / 5)
    place = found.designs.systems.index("oracle")
    at = found.designs.decisions["seed"].to_list().index(0)
    assert found.truth[at, place] == pytest.approx(np.mean(precisions))


def test_designs_are_judged_by_test_ratings_and_not_by_the_random_part() -> None:
    found = run_truth_study(study(), metric="P@5").truthfulness
    for place, row in enumerate(found.designs.decisions.rows(named=True)):
        one = study(judged_by="test", **row, study={"vary": {"cutoff": [5]}}).base
        summary = execute(one).summary
        values = [summary.row(name, "P@5").value for name in found.designs.systems]
        assert found.designs.values[place].tolist() == pytest.approx(values)


def test_intervals_come_from_users_of_the_truth_and_from_repetitions() -> None:
    found = run_truth_study(study(), metric="P@5").truthfulness
    assert found.draws is not None
    assert found.draws.truth is not None
    drawn = found.draws.truth
    assert drawn.shape == (1000, 4, 4)
    spread = drawn.std(axis=0)
    assert (spread > 0).all()
    assert np.abs(drawn.mean(axis=0) - found.truth).max() < 0.2 * spread.max() + 1e-3
    assert found.drawn_agreement[7].tolist() == pytest.approx(
        tau_b(found.designs.values, drawn[7]).tolist()
    )
    designs = found.by_design()
    assert (designs["tau_low"] <= designs["mean_tau"] + 1e-9).all()
    assert (designs["tau_high"] >= designs["mean_tau"] - 1e-9).all()
    assert designs["nearest"].sum() == pytest.approx(1)


def test_fewer_users_of_the_truth_make_intervals_wider() -> None:
    def width(users: int) -> float:
        part = random_part()
        some = part.take(part.users < users)
        asked = study(judged_by={"name": "random", "file": some.compact()})
        made = run_truth_study(asked, metric="P@5").truthfulness.table()
        return float((made["distance_high"] - made["distance_low"]).drop_nans().mean())  # type: ignore[arg-type]

    assert width(8) > 1.5 * width(60)


def test_the_same_seed_draws_the_same_whatever_the_workers() -> None:
    one = truth_assessment(run_truth_study(study(), metric="P@5"))
    two = truth_assessment(run_truth_study(study(), metric="P@5"))
    assert one.to_dict() == two.to_dict()


def test_the_reading_says_how_sure_it_is() -> None:
    made = truth_assessment(run_truth_study(study(), metric="P@5"))
    assert "over the items that users were shown at random" in made.reading
    assert "95 % interval" in made.reading
    assert "of the draws of users" in made.reading
    assert any("users of the random part, and of the repetitions" in each for each in made.notes)
    assert made.decisions["truth"].startswith("random(file=")


def test_every_door_finds_the_same(tmp_path: Path) -> None:
    cf.write_ratings(random_part(), tmp_path / "shown.csv")
    definition = table(judged_by="random(file=shown.csv)")
    path = tmp_path / "study.toml"
    path.write_text(toml_text(definition))
    written = tmp_path / "truth.json"
    words = ["assess", "truth", str(path), "--metric", "P@5", "--json", str(written)]
    assert main([*words, "--store", "none"]) == 0
    (part,) = json.loads(written.read_text())["parts"]
    made = cf.assess_truth(path, metric="P@5")
    assert part == json.loads(json_text(made.to_dict()))
    by_table = cf.assess_truth(table(), metric="P@5")
    assert by_table.tables["nearest_designs"].equals(made.tables["nearest_designs"])


@pytest.mark.parametrize(
    ("judge", "said"),
    [
        ("test", "the truth behind these ratings is not known"),
        ("random", "random needs file"),
        ("random(file=nowhere.csv)", "nowhere.csv"),
        ('random(file="simulated(size=small)")', "users .first"),
    ],
)
def test_what_is_no_truth_is_refused_by_name(judge: str, said: str, tmp_path: Path) -> None:
    cf.write_ratings(cf.read(WORLD), tmp_path / "real.csv")
    with pytest.raises(CranfieldError, match=said):
        cf.assess_truth(
            table(data=str(tmp_path / "real.csv"), judged_by=judge, systems={
                "kNN": "user-kNN(k=9)", "Popularity": "Popularity"})
        )  # fmt: skip


def test_a_random_part_is_one_world() -> None:
    systems = {"kNN": "user-kNN(k=9)", "Popularity": "Popularity"}
    asked = study(data=cf.read(WORLD).to_polars(), systems=systems)
    with pytest.raises(OptionError, match="only one world"):
        run_truth_study(asked, worlds=2)
    like = study_like(asked)[0]
    assert str(like.base.judged_by) == "test"


def test_a_metric_is_the_same_however_it_is_estimated() -> None:
    assert _same_quantity(parse("metric", "P@10"), parse("metric", "P@10"))
    assert not _same_quantity(parse("metric", "P@10"), parse("metric", "P@5"))
    assert not _same_quantity(parse("metric", "P@10"), parse("metric", "Recall@10"))


@DATA
def test_cm100k_holds_designs_against_what_people_were_shown() -> None:
    systems = {"Popularity": "Popularity", "Average": "AverageRating", "Random": "Random"}
    asked = {
        "data": "subset(source=cm100k, column=known)", "split": "random(test_share=0.3)",
        "relevance": 3, "judged_by": "random(file=cm100k, unknown=drop)", "systems": systems,
        "metrics": ["P@10"], "unscored": "random",
        "study": {"vary": {"targets": ["all-items", "condensed"]}},
    }  # fmt: skip
    made = cf.assess_truth(asked)
    true = made.tables["true_values"]
    assert true["system"][0] == "Popularity"
    assert true["true_value"][-1] == pytest.approx(0.27, abs=0.03)
    assert any(note.startswith("27 users and 30 items") for note in made.notes)
