"""Ranking in Python: spellings, models of the user's own, targets chosen before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import (
    BadPredictions,
    EmptyInput,
    OptionError,
    UnknownOption,
)
from cranfield.base.ids import Codes
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import choose_users
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.recommendation.recommenders.popularity import Popularity
from learnable import grouped


def counts(train: cf.Ratings, users: Codes) -> list[Any]:
    """A model as a plain function: the number of ratings of each item."""
    return [train.item_counts] * len(users)


def ranked(systems: Any, *more: Any, **how: Any) -> dict[str, Ranked]:
    train, test = grouped()
    return cf.rank(train, cf.judge(test, relevance=4), systems, *more, **how)


def test_a_function_beside_a_spelling_and_an_option() -> None:
    systems = {"spelled": "Popularity", "option": Popularity(), "mine": counts}
    made = ranked(systems, depth=7)
    assert list(made) == ["spelled", "option", "mine"]
    assert made["mine"].run.system == "mine"
    for name in ("option", "mine"):
        assert made[name].run.items.tolist() == made["spelled"].run.items.tolist()


def test_systems_without_a_name_are_called_by_their_text() -> None:
    made = ranked(["Random", "user-kNN(k=5)", cf.adapt(counts, name="counts")])
    assert list(made) == ["Random", "user-kNN(k=5)", "counts"]
    assert list(ranked("Random")) == ["Random"]


def test_two_systems_of_one_name_are_refused() -> None:
    with pytest.raises(OptionError, match="the same name"):
        ranked(["Random", "Random"])


def test_an_unknown_system_and_unknown_targets_are_refused() -> None:
    with pytest.raises(UnknownOption, match='Did you mean "Random"'):
        ranked(["Randm"])
    with pytest.raises(UnknownOption, match='Did you mean "all-items"'):
        ranked(["Random"], "all-itms")


def test_one_relevant_targets_give_a_list_per_relevant_item() -> None:
    made = ranked(["Random"], "TI, 1R, sampled(n=5)")["Random"]
    assert made.run.topics.items is not None
    assert set(made.run.lengths.tolist()) == {6}


def test_training_and_judgments_may_have_ids_of_their_own() -> None:
    train = cf.Ratings.from_triples(["a", "a", "b"], ["x", "y", "y"], [5, 4, 5])
    test = cf.Ratings.from_triples(["b", "c"], ["z", "x"], [5, 5])
    made = cf.rank(train, cf.judge(test, relevance=4), ["Popularity"], unscored="popularity")
    run = made["Popularity"].run
    # Of b, only: c has no training rating. y is in b's training, and z was never rated there.
    assert run.topics.users.tolist() == [1]
    assert run.items.tolist() == [0, 2]


@pytest.mark.parametrize("scale", [(0.0, 10.0), (1.0, 5.0)])
def test_hits_know_the_scale_of_the_judgments(scale: tuple[float, float]) -> None:
    train, test = grouped()
    made = cf.rank(train, cf.judge(test, relevance=4, scale=scale), ["Random"])["Random"]
    assert (made.hits.lowest, made.hits.highest) == scale


def test_chosen_targets_are_ranked_as_those_that_are_spelled() -> None:
    train, test = grouped()
    judgments = cf.judge(test, relevance=4)
    drawn = parse_targets("sampled(n=5)").choose(
        choose_users(train, judgments), TestCollection(train, judgments), seed=9
    )
    one = ranked(["user-kNN"], drawn)["user-kNN"]
    two = ranked(["user-kNN"], "sampled(n=5)", seed=9)["user-kNN"]
    assert one.run.items.tolist() == two.run.items.tolist()
    assert one.hits.ranks.tolist() == two.hits.ranks.tolist()


def test_what_a_model_cannot_score_follows_the_chosen_path() -> None:
    def gaps(train: cf.Ratings, users: Codes) -> Any:
        table = np.tile(np.arange(train.n_items, dtype=float), (len(users), 1))
        table[:, ::2] = np.nan
        table[users % 3 == 0] = np.nan
        return table

    dropped = ranked({"gaps": gaps})["gaps"]
    assert (dropped.run.items % 2 == 1).all()
    nothing = dropped.hits.topics.users % 3 == 0
    assert (dropped.hits.lengths[nothing] == 0).all()
    assert (dropped.hits.unscored[nothing] == dropped.hits.targets[nothing]).all()
    appended = ranked({"gaps": gaps}, unscored="popularity")["gaps"]
    assert (appended.hits.lengths == appended.hits.targets).all()
    assert appended.hits.unscored.tolist() == dropped.hits.unscored.tolist()


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_a_model_that_predicts_infinity_is_refused(bad: float) -> None:
    class Own:
        def fit(self, train: cf.Ratings, seeds: Any) -> Any:
            self.shape = train.n_items
            return self

        def predict(self, users: Codes) -> Any:
            return np.full((len(users), self.shape), bad)

    with pytest.raises(BadPredictions, match="infinite"):
        ranked({"own": Own()})
    with pytest.raises(BadPredictions, match="Give a finite number, or NaN"):
        ranked({"own": lambda train, users: np.full((len(users), train.n_items), bad)})


def test_nobody_to_rank_for_is_said() -> None:
    train, test = grouped()
    judgments = cf.judge(test, relevance=4)
    with pytest.raises(EmptyInput, match="no users with 999 or more training ratings"):
        cf.rank(train, judgments, ["Random"], least_train=999)
    with pytest.raises(EmptyInput, match="training data of Random: there are no ratings"):
        cf.rank(train.take(np.zeros(0, dtype=np.int64)), judgments, ["Random"])


def test_a_ranking_per_relevant_item_needs_a_relevant_item() -> None:
    train, test = grouped()
    judgments = cf.judge(test, relevance=9)
    with pytest.raises(EmptyInput, match="no relevant test ratings of candidates"):
        cf.rank(train, judgments, ["Random"], "one-relevant")
    assert len(cf.rank(train, judgments, ["Random"])["Random"].hits) == np.count_nonzero(
        test.user_counts
    )


def test_a_run_can_be_written_and_read_back(tmp_path: Path) -> None:
    train, _ = grouped()
    run = ranked(["Popularity"], depth=5)["Popularity"].run
    users, items = train.user_ids, train.item_ids
    cf.write_run(run, tmp_path / "run.parquet", user_ids=users, item_ids=items)
    assert pl.read_parquet(tmp_path / "run.parquet").height == len(run.items)
    again = cf.read_run(tmp_path / "run.parquet", user_ids=users, item_ids=items).run
    assert again.items.tolist() == run.items.tolist()
