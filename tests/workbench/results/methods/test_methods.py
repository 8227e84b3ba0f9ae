"""The paragraph of methods: it tells every decision, and changes with every one."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from cranfield.workbench import inventory
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.methods.methods import methods_of, methods_of_study
from experiment_cases import experiment_of, study_of
from suites import spread


@cache
def plain() -> str:
    return methods_of(execute(experiment_of()))


def test_the_paragraph_is_prose_in_the_order_of_the_decisions() -> None:
    places = [
        "We used the ratings of simulated (size = tiny", "40 users, 50 items and 400 ratings",
        "They were divided at random, with 40 % of the ratings of each user in test",
        "239 training and 161 test ratings", "We compared Popularity; Random and kNN (user-kNN, k",
        "Rankings are for the users with a test rating and at least 1 training rating: all 40",
        "We ranked all items, except those of the user's training ratings, for each user.",
        "We report nDCG@5 (Järvelin and Kekäläinen, 2002) and P@5 (van Rijsbergen, 1979).",
        "A test rating of at least 4 is relevant.",
        "The gain of nDCG@5 is the rating itself, be the item relevant or not.",
        "The value of a system is the arithmetic mean over users;",
        "Differences were tested with a two-sided paired t test (Student, 1908) over users,",
        "with Holm correction (Holm, 1979) for 3 comparisons by each metric, at level 0.05.",
        "fitted models and items are taken as fixed.",
        "All random choices come from seed 0. We used Cranfield",
    ]  # fmt: skip
    found = [plain().find(words) for words in places]
    assert -1 not in found
    assert found == sorted(found)
    assert "  " not in plain()


@pytest.mark.parametrize(
    ("changes", "words"),
    spread([
        ({"data": "simulated(size=tiny, seed=5)"}, "simulated (size = tiny, seed = 5, skew = 2,"),
        ({"filters": ["k-core(k=2)"]},
         "of which we took the 2-core (at least 2 ratings of every user and item) (400 to"),
        ({"filters": ["k-core(k=2)", "sample(share=0.9)"]}, "then a random 90 % of the ratings ("),
        ({"split": "rolling"}, "as training (Ji et al., 2023): each fold has about "),
        ({"split": "rolling", "train_filters": ["sample"]}, "training knows in each fold. We "),
        ({"split": "per-user"}, "with 20 % of the ratings of each user in test"),
        ({"split": "k-fold(folds=2)"}, "into 2 folds, each of which was test once: each fold has"),
        ({"split": "per-user(repeats=3)"}, "ratings of each user in test, 3 times: each fold has"),
        ({"split": "leave-out"}, "by putting one rating of each user, drawn at random, into test"),
        ({"split": "random(test_share=0.345)"}, "to test with probability 0.345:"),
        ({"split": "uniform(epsilon=0.5)"}, "ε = 0.5) (Bellogín et al., 2017):"),
        ({"judged_share": 0.5}, "of which a random 50 % was taken as known"),
        ({"judged_by": "truth"}, "judged by the simulated truth"),
        ({"judged_by": 'random(file="simulated(size=tiny)")'},
         "; rankings were judged by ratings of items shown at random instead of the test ratings"),
        ({"systems": {"a": "Popularity", "Random": "Random"}},
         "We compared a (Popularity) and Random."),
        ({"systems": {"kNN": "user-kNN(k=6)", "a": "Random"}}, "kNN (user-kNN, k = 6, "),
        ({"least_train": 3}, "at least 3 training ratings"),
        ({"least_train": 0}, "for the users with a test rating: all 40 test users"),
        ({"topics": "all"}, "for all users"),
        ({"topics": "relevant"}, "the users with a relevant test rating"),
        ({"unscored": "random"}, "appended in random order"),
        ({"unscored": "popularity"}, "appended by their number of training ratings"),
        ({"unscored": "average-rating"}, "appended by their average training rating"),
        ({"targets": "TI, 1R"},
         "for each relevant item of a user, with no other relevant item (Cremonesi et al., 2010)."),
        ({"targets": "TI"}, "all items with a test rating, except"),
        ({"targets": "condensed"}, "for each user, condensed to the items that the user rated in"),
        ({"targets": "sampled(n=9)"}, "with a random sample of 9 other items per user"),
        ({"ties": "random"}, "broken at random"),
        ({"ties": "optimistic"}, "in favour of the system"),
        ({"ties": "pessimistic"}, "against the system"),
        ({"ties": "trec_eval"}, "as trec_eval does"),
        ({"ties": "expected"}, "averaging scores over all orders"),
        ({"metrics": ["nDCG(gain=exponential)@7"]},
         "The gain of nDCG@7 is (2^r − 1)/(2^max − 1) for rating r, be the item relevant or not."),
        ({"metrics": ["RR(correction=cls)"], "targets": "1R, sampled(n=5)"},
         "the value of a ranking of all items by constrained least squares (Krichene and Rendle,"),
        ({"metrics": ["RR(correction=mle(iterations=9, replacement=true))"],
          "targets": "1R, sampled(n=5)"},
         "steps of expectation maximisation), as if drawn with replacement (Jin et al., 2021)."),
        ({"metrics": ["nDCG(gain=binary)@7"]},
         "The gain of nDCG@7 is 1 for relevant ratings and 0 for others."),
        ({"metrics": ["RBP(p=0.8)"]}, "We report RBP (p = 0.8) (Moffat and Zobel, 2008)."),
        ({"metrics": ["MAP", "Gini@5"]},
         "We report MAP (Buckley and Voorhees, 2005) and Gini@5 (Fleder and Hosanagar, 2009)."),
        ({"relevance": 3}, "A test rating of at least 3 is relevant"),
        ({"undefined": "zero"}, "undefined were counted as 0"),
        ({"aggregation": "median"}, "is the median over users"),
        ({"aggregation": "geometric-mean(epsilon=0.1)"},
         "the geometric mean (with 0.1 added to each score) (Robertson, 2006) over users"),
        ({"coverage": "forgiving"}, "averages are over the users whom a system covered"),
        ({"coverage": "common"}, "the users whom every system covered"),
        ({"comparison": {"test": "sign"}}, "a two-sided sign test (Dixon and Mood, 1946)"),
        ({"comparison": {"test": "permutation(draws=900)"}}, "over users (900 draws, or all"),
        ({"comparison": {"test": "t", "correction": "none"}}, ", not corrected for 3"),
        ({"comparison": {"test": "t", "family": "all"}}, "for 6 comparisons in all"),
        ({"comparison": {"test": "t", "alpha": 0.01}}, "at level 0.01"),
        ({"comparison": {"test": "t", "baseline": "kNN"}},
         "Differences from kNN were tested with a two-sided paired t test (Student, 1908)"),
        ({"comparison": {"test": "t", "baseline": "kNN"}}, "for 2 comparisons by each metric"),
        ({"comparison": {"test": "t", "power": 0.9}}, "a power of 0.9"),
        ({"comparison": {"test": "t", "rope": 0.02}}, "up to 0.02 count as none"),
        ({"comparison": {"test": "t", "subsets": {"count": 7, "share": 0.6}}},
         "repeated on 7 random subsets of 60 % of the users"),
        ({"seed": 9}, "from seed 9"),
    ], every=2),
)  # fmt: skip
def test_the_paragraph_changes_with_every_decision(changes: dict[str, Any], words: str) -> None:
    text = methods_of(execute(experiment_of(**changes)))
    assert words in text
    assert words not in plain()
    assert_prose(text)


def assert_prose(text: str) -> None:
    """No spelling of an option, and no code of a decision."""
    assert not re.search(r"\w\([\w]+=|\w=\w", text)
    assert not re.search(r"\((A1|A2|B1|B2|C1|C2|C3|C4|D)\)", text)
    assert "None" not in text


def test_the_methods_say_who_was_dropped() -> None:
    text = methods_of(execute(experiment_of(split="random(test_share=0.9)")))
    assert re.search(r": \d+ of \d+ test users enter; \d+ ha(s|ve) no training rating \(", text)


def of_parts(train: dict[str, list[int]] | None = None, **changes: Any) -> str:
    """The paragraph of an experiment on tables, with lists of one system."""
    inventory.load()
    test = {"user": [1, 1, 2], "item": [7, 8, 7], "rating": [5, 2, 4]}
    lists = {"user": [1, 1, 2], "item": [8, 7, 7], "score": [0.9, 0.5, 0.2]}
    given = {"runs": {"mine": lists}, "metrics": ["P@2"], "relevance": 4, **changes}
    return methods_of(execute(Experiment(split=given_parts(test, train), **given)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"train": {"user": [1, 2], "item": [9, 9], "rating": [3, 3]}},
         "We used the ratings of a table for training and a table for test: 2 users, 3 items"),
        ({"train": {"user": [1, 2], "item": [9, 9], "rating": [3, 3]}},
         "with a test rating and at least 1 training rating: all 2 test users enter"),
        ({"catalogue": {"item": [7, 8, 9, 10]}}, "for test, and the items of a table: 2 users"),
        ({"topics": "run"}, "with a test rating for whom one of the systems has a list: all 2"),
        ({"training_items": "keep"}, "In lists from elsewhere, training items kept their places,"),
        ({"training_items": "keep"}, "including those of the user's training ratings"),
        ({"training_items": "refuse"}, "no list held a training item"),
        ({"unknown_items": "drop"}, "items unknown to the collection were removed"),
        ({"unknown_items": "refuse"}, "no list held an item unknown to the collection"),
        ({"duplicates": "first"}, "an item that was listed twice counted at its best place"),
        ({"depth": 1}, "lists were cut at 1 item."),
        ({"depth": 1200}, "lists were cut at 1,200 items."),
        ({"scale": (1, 6)}, "at least 4 of 1 to 6 is relevant"),
    ],
)  # fmt: skip
def test_the_paragraph_tells_every_decision_on_runs(changes: dict[str, Any], words: str) -> None:
    assert words in of_parts(**changes)
    assert words not in of_parts()


def test_the_paragraph_of_runs_tells_of_no_recommender_and_no_split() -> None:
    text = of_parts()
    assert text.startswith("We used the ratings of a table for test: 2 users, 2 items and 3 rat")
    assert "They were given: 0 training and 3 test ratings." in text
    assert "could not score" not in text
    assert_prose(text)


def test_groups_and_item_vectors_are_told() -> None:
    vectors = {"item": list(range(1, 51)), "age": list(range(50))}
    changes = {"metrics": ["P@5", "ILD@5"], "item_vectors": vectors, "by": ["activity:2"]}
    text = methods_of(execute(experiment_of(**changes)))
    assert "and ILD@5 (Ziegler et al., 2005); how items differ is that of a table. A test" in text
    assert "over users, also in groups by activity:2;" in text


def test_one_pair_by_one_metric_needs_no_correction() -> None:
    systems = {"a": "Popularity", "b": "Random"}
    text = methods_of(execute(experiment_of(systems=systems, metrics=["P@5"])))
    assert "corrected" not in text
    both = experiment_of(systems=systems, comparison={"test": "t", "family": "all"})
    assert "for 2 comparisons in all" in methods_of(execute(both))


def test_a_single_system_is_not_said_to_be_compared() -> None:
    text = methods_of(execute(experiment_of(systems={"Popularity": "Popularity"})))
    assert "We evaluated Popularity." in text
    assert "Differences" not in text


@pytest.mark.parametrize(
    ("study", "words"),
    [
        ({"vary": {"cutoff": [3, 5]}}, "cutoff (2 answers) in every combination: 2 designs"),
        ({"vary": {"cutoff": [3, 4]}, "way": "one-at-a-time"}, "one at a time around this base"),
        ({"vary": {"cutoff": [3, 4]}, "share": 0.5}, "of which a random 50 % was tried: 1 design"),
        (
            {"together": {"protocol": {"A": {"cutoff": 3}, "B": {"relevance": 3}}}},
            "protocol (A, B)",
        ),
    ],
)
def test_the_paragraph_of_a_study_tells_what_was_varied(study: dict[str, Any], words: str) -> None:
    asked = study_of({**study, "draws": 0})
    made = execute_study(asked)
    text = methods_of_study(asked, made.base, len(made.designs))
    assert text.startswith(plain())
    assert words in text


@pytest.mark.parametrize(
    ("split", "sizes"),
    [
        ("k-fold(folds=2)", "each fold has 200 training and 200 test ratings"),
        ("k-fold(folds=3)", "each fold has about 267 training and 133 test ratings"),
    ],
)
def test_folds_that_differ_in_size_are_told_by_their_mean(split: str, sizes: str) -> None:
    """400 ratings in 3 folds: 134, 133 and 133 in the test."""
    assert sizes in methods_of(execute(experiment_of(split=split, metrics=["P@5"])))


@pytest.mark.parametrize(
    ("comparison", "vary", "said"),
    [
        ({}, {"seed": [0]}, "seed (1 answer) in every combination: 1 design, each with the test"),
        ({"test": "sign"}, {"cutoff": [3, 5]}, "2 designs, with a sign test."),
        (
            {},
            {"comparison.test": ["t", "sign"]},
            "comparison test (2 answers) in every combination: 2 designs, each with its own test.",
        ),
    ],
)
def test_a_study_says_by_which_test_its_designs_are_compared(
    comparison: dict[str, Any], vary: dict[str, Any], said: str
) -> None:
    study = study_of({"vary": vary, "draws": 0}, comparison=comparison, metrics=["P@5"])
    made = execute_study(study)
    assert said in methods_of_study(study, made.base, len(made.designs))
