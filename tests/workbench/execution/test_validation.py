"""The validation part: cut from training, judged as the base judges, on a share of users."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.collection.fold import TRAIN
from cranfield.collection.ratings import Ratings
from cranfield.workbench import inventory
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.validation import Validation, validation_split
from cranfield.workbench.tuning.trials import Tuned

inventory.load("recommender", "split", "metric", "gain")

TABLE: dict[str, Any] = {
    "data": "simulated(users=60, items=50, ratings=900)",
    "split": "per-user(test_share=0.3)",
    "relevance": 4,
    "systems": {"kNN": "user-kNN(k=tune(2..9))", "Popularity": "Popularity"},
    "metrics": ["nDCG@10"],
    "seed": 3,
}


def made(**changes: Any) -> Validation:
    experiment = read_table({**TABLE, **changes})
    data = Pipeline().prepare(experiment)
    return Validation(experiment, experiment, data, 0)


def users_of(ratings: Ratings) -> set[Any]:
    return set(ratings.user_ids.take(np.unique(ratings.users)).to_list())


def test_parts_are_disjoint_and_together_the_training_ratings() -> None:
    (part,) = made().parts
    whole = cf.split(cf.read(TABLE["data"]), TABLE["split"], seed=3).train.to_polars()
    both = pl.concat([part.train.to_polars(), part.test.to_polars()])
    assert both.sort(whole.columns).equals(whole.sort(whole.columns))


def test_the_same_seed_cuts_the_same_and_another_not() -> None:
    first, again, other, own = (
        made(seed=seed, tuning={"seed": tuning}).parts[0].test.fingerprint
        for seed, tuning in ((3, "none"), (3, 3), (3, 4), (3, 4))
    )
    assert first == again
    assert first != other == own


def test_validation_draws_other_users_than_the_test_split_of_the_same_kind() -> None:
    """A split that takes whole users to test would otherwise find none of them in training."""
    assert made(split="per-user(test_share=0.5)").parts[0].test


@pytest.mark.parametrize("share", [0.1, 0.34, 0.9])
def test_a_share_of_users_is_learnt_from_and_judged_by(share: float) -> None:
    validation = made()
    (targets,), (whole,) = validation._targets(share), validation._targets(1.0)
    few = users_of(targets.train)
    assert len(few) == np.ceil(share * len(users_of(whole.train)))
    assert users_of(targets.judgments.ratings) <= few
    assert set(targets.topics.users.tolist()) <= set(whole.topics.users.tolist())
    assert targets.train.n_items == whole.train.n_items


def test_users_of_a_smaller_share_are_among_those_of_a_larger() -> None:
    validation = made()
    shares = [users_of(validation._targets(share)[0].train) for share in (0.1, 0.3, 0.7, 1.0)]
    assert all(few < many for few, many in pairwise(shares))


def test_the_scale_is_that_of_training_unless_it_is_given() -> None:
    parts = cf.split(cf.read(TABLE["data"]), "per-user", seed=1)
    test = parts.test.to_polars().with_columns(rating=pl.lit(99.0))
    asked: dict[str, Any] = {"data": "none", "split": given_parts(test, parts.train.to_polars())}
    judgments = made(**asked)._targets(1.0)[0].judgments
    assert (judgments.lowest, judgments.highest) == (1, 5)
    judgments = made(**asked, scale=[0, 10])._targets(1.0)[0].judgments
    assert (judgments.lowest, judgments.highest) == (0, 10)


def test_items_of_a_catalogue_may_be_ranked_in_validation_too() -> None:
    catalogue = pl.DataFrame({"item_id": ["i0001", "new"]})
    more = made(catalogue=catalogue).parts[0].train.n_items
    assert more == made().parts[0].train.n_items + 1


def test_events_of_a_log_are_divided_one_by_one() -> None:
    rng = np.random.default_rng(1)
    log = pl.DataFrame(
        {
            "user_id": rng.integers(0, 20, 900), "item_id": rng.integers(0, 30, 900),
            "timestamp": np.arange(900),
        }
    )  # fmt: skip
    (part,) = made(
        data={"source": log, "duplicates": "events"}, split="random(test_share=0.2)", relevance=1
    ).parts
    assert part.ratings.events
    assert part.train.values.max() > 1  # how often each pair occurs in this part


def log_of(seed: int = 1) -> pl.DataFrame:
    """Events of which pairs have several, and of whose users and items some have few."""
    rng = np.random.default_rng(seed)
    users, items = 40 * rng.random(900) ** 2, 30 * rng.random(900) ** 2
    return pl.DataFrame(
        {
            "user_id": users.astype(int), "item_id": items.astype(int),
            "timestamp": np.arange(900),
        }
    )  # fmt: skip


FILTERED: dict[str, Any] = {
    "train_filters": ["min-ratings(per=item, at_least=9)", "min-ratings(per=user, at_least=6)"],
    "test_filters": ["min-ratings(per=user, at_least=2)"],
}


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("events", [False, True])
def test_filters_of_parts_apply_to_what_is_learnt_from_and_to_what_it_is_tried_on(
    events: bool, given: bool
) -> None:
    """As an ordinary experiment has it whose data are the training part before any filter."""
    asked: dict[str, Any] = {"relevance": 1, **FILTERED}
    asked["split"] = "random(test_share=0.2)"
    if events:
        asked["data"] = {"source": log_of(), "duplicates": "events"}
    data = read_table({**TABLE, **asked}).data
    assert data is not None
    whole = cf.split(data.read(), asked["split"], seed=3)
    training = whole.folds[0].rows(TRAIN)
    if given:
        asked |= {"data": "none", "split": given_parts(whole.test, training)}
    validation = made(**asked, tuning={"validation": "random(test_share=0.3)"})
    seed = Seeds(3).key("tuning", "validation") % 2**31
    by_hand = cf.split(training.compact(), "random(test_share=0.3)", seed=seed)
    (fold,), (part,) = (
        cf.split(training.compact(), "random(test_share=0.3)", seed=seed, **FILTERED).folds,
        validation.parts,
    )
    assert part.train.to_polars().equals(fold.train.to_polars())
    assert part.test.to_polars().equals(fold.test.to_polars())
    left, tried = part.train.user_counts, by_hand.test.user_counts
    assert left[left > 0].min() >= 6  # what is learnt from is as it was asked for
    assert len(part.train) < len(by_hand.train)
    assert len(part.test) == tried[tried > 1].sum()  # and no pruning of training reaches it


def test_other_filters_of_parts_are_tuned_anew() -> None:
    asked = {**TABLE, "tuning": {"budget": 2}, "comparison": {"test": "t"}}
    answers = [[], ["min-ratings(per=item, at_least=9)"]]
    study = cf.study({**asked, "study": {"vary": {"train_filters": answers}, "draws": 0}})
    alone = [values(cf.run({**asked, "train_filters": each}).tuned[0]) for each in answers]
    assert [values(each.tuned[0]) for each in study.tuned] == alone
    assert alone[0] != alone[1]


def values(made: Tuned) -> list[float]:
    return [trial.value for trial in made.trials]


def test_decisions_that_are_about_test_data_alone_do_not_reach_validation() -> None:
    judged = made(judged_by="truth", judged_share=0.5, coverage="common", aggregation="median")
    plain = made()
    assert str(judged._experiment.judged_by) == "test"
    knn = parse("recommender", "user-kNN(k=5)")
    assert judged.value(knn, 1.0)[0] == plain.value(knn, 1.0)[0]


def test_decisions_on_rankings_reach_validation() -> None:
    knn = parse("recommender", "user-kNN(k=5)")
    value = made().value(knn, 1.0)[0]
    assert made(targets="test-items").value(knn, 1.0)[0] != value
    assert made(unscored="popularity").value(knn, 1.0)[0] != value
    assert made(tuning={"metric": "P@3"}).metric == parse("metric", "P@3")


def test_listed_targets_are_those_of_test_and_not_of_validation(tmp_path: Path) -> None:
    lists = cf.read(TABLE["data"]).to_polars().select("user_id", "item_id").head(500)
    file = tmp_path / "lists.csv"
    lists.write_csv(file)
    listed = made(targets=f'listed(file="{file}")')
    assert str(listed._experiment.targets) == str(made()._experiment.targets)


@pytest.mark.parametrize(
    ("split", "asked", "found"),
    [
        ("random(test_share=0.3)", None, "random(test_share=0.3)"),
        ("k-fold(folds=2)", None, "per-user"),
        ("random", "temporal", "temporal"),
    ],
)
def test_validation_is_cut_as_asked_or_as_test_was(
    split: str, asked: str | None, found: str
) -> None:
    experiment = read_table({**TABLE, "split": split, "tuning": {"validation": asked or "as-test"}})
    assert experiment.tuning is not None
    data = Pipeline().prepare(experiment)
    assert validation_split(experiment.tuning, data) == parse("split", found)


def test_a_split_that_was_made_before_is_not_made_again_on_training() -> None:
    parts = cf.split(cf.read(TABLE["data"]), "random", seed=1)
    experiment = read_table({**TABLE, "data": parts.ratings, "split": parts})
    assert experiment.tuning is not None
    found = validation_split(experiment.tuning, Pipeline().prepare(experiment))
    assert found == parse("split", "per-user(test_share=0.2)")
