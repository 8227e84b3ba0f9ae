"""Experiments with models of the user's: the same bits by any door and for any threads."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD

import cranfield as cf
import stand_ins
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.ranking import passing
from experiment_cases import same_scores, table_of


class Entangled:
    """A model whose rows depend on who is asked for together."""

    def fit(self, matrix: Any) -> None:
        self.counts = np.asarray((matrix > 0).sum(axis=0)).ravel()

    def predict(self, users: np.ndarray) -> np.ndarray:
        return np.asarray(np.cos(self.counts * (1 + users.sum()) + users[:, None]))


class ItemMeans:
    """A model of Surprise that predicts the mean of the item; unrated items are impossible."""

    def fit(self, trainset: Any) -> None:
        self.trainset = trainset
        self.values: dict[Any, list[float]] = {}
        for _, item, value, _ in trainset.rows:
            self.values.setdefault(item, []).append(value)

    def predict(self, uid: Any, iid: Any) -> Any:
        values = self.values.get(iid, [])
        return SimpleNamespace(
            est=sum(values) / len(values) if values else 3.0,
            details={"was_impossible": not values},
        )


def item_means(train: Ratings, users: np.ndarray) -> np.ndarray:
    """What `ItemMeans` predicts, for all items."""
    sums = np.bincount(train.items, train.values, minlength=train.n_items)
    counts = np.maximum(train.item_counts, 1)
    row = np.where(train.item_counts > 0, sums / counts, np.nan)
    return np.tile(row, (len(users), 1))


def run(systems: dict[str, Any], **changes: Any) -> cf.Results:
    return cf.run(table_of(systems=systems, comparison=None, **changes))


@pytest.mark.parametrize("targets", ["all-items", "test-items, one-relevant, sampled(n=5)"])
def test_a_model_scores_the_same_for_any_threads_and_memory(
    targets: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    systems = {"mine": cf.adapt(Entangled(), batch=8), "svd": TruncatedSVD(2, algorithm="arpack")}
    found = []
    for threads, size in (("1", 1), ("3", 1), ("2", 32 << 20)):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        monkeypatch.setattr(passing, "_BYTES_AT_ONCE", size)
        found.append(run(systems, targets=targets).scores)
    assert all(same_scores(found[0], other) for other in found[1:])


def test_a_model_ranks_the_same_whoever_else_is_a_topic() -> None:
    """The user of one experiment has the same list in another that has fewer users."""
    ratings = cf.read("simulated(size=tiny)")
    split = cf.split(ratings, "per-user(test_share=0.4)", seed=1)
    model = {"mine": cf.adapt(Entangled(), batch=8)}
    whole = cf.rank(split.train, cf.judge(split.test, relevance=4), model)["mine"].run
    some = split.test.take(split.test.users % 5 == 2)
    part = cf.rank(split.train, cf.judge(some, relevance=4), model)["mine"].run
    assert 0 < len(part.topics) < len(whole.topics)
    both = whole.to_polars().join(part.to_polars(), on=["user_code", "item_code"], suffix="_part")
    assert len(both) == len(part.to_polars())
    assert (both["score"] == both["score_part"]).all()


@pytest.mark.parametrize("unscored", ["drop", "merged(by=popularity)"])
@pytest.mark.parametrize("targets", ["all-items", "condensed", "one-relevant, sampled(n=4)"])
def test_pair_by_pair_gives_the_bits_of_whole_rows(
    targets: str, unscored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins.install_surprise(monkeypatch)
    made = run(
        {"pairs": ItemMeans(), "rows": item_means}, targets=targets, unscored=unscored,
        metrics=["nDCG@5", "RR"],
    )  # fmt: skip
    pairs, rows = made.scores.values
    np.testing.assert_array_equal(pairs, rows)


def test_a_name_and_an_adapter_are_two_doors_to_one_model() -> None:
    bare = run({"mine": TruncatedSVD(2, algorithm="arpack", random_state=1)})
    adapted = run(
        {"mine": cf.adapt(TruncatedSVD(2, algorithm="arpack", random_state=1), name="mine")}
    )
    assert same_scores(bare.scores, adapted.scores)
    assert bare.models == adapted.models


def test_what_is_no_model_is_refused_with_the_way_by_runs() -> None:
    with pytest.raises(
        cf.CranfieldError, match=r'systems\.mine: "object" is not a model of LensKit.*runs ='
    ):
        run({"mine": object()})


def test_ratings_that_a_model_predicts_have_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.install_surprise(monkeypatch)

    class Rating(Entangled):
        predicts_ratings = True

    made = run(
        {"surprise": ItemMeans(), "own": Rating()}, metrics=["MAE", "P@5"], targets="condensed"
    )
    rows = {name: made.summary.row(name, "MAE") for name in ("surprise", "own")}
    ranks = run({"ranks": Entangled()}, metrics=["MAE"], targets="condensed")
    assert ranks.summary.row("ranks", "MAE").evaluated == 0
    assert rows["own"].evaluated > 0
    assert rows["surprise"].evaluated > 0
    split = cf.split(cf.read("simulated(size=tiny)"), "per-user(test_share=0.4)", seed=0)
    means, test = item_means(split.train, np.arange(split.train.n_users)), split.test
    errors = np.abs(means[test.users, test.items] - test.values)
    known = ~np.isnan(errors)
    users = test.users[known]
    of_user = [errors[known][users == user].mean() for user in np.unique(users)]
    assert rows["surprise"].value == pytest.approx(np.mean(of_user))
