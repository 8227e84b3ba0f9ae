"""Failures: one system that fails is reported with its reason, and the others are evaluated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.base.errors import BadPredictions, InputError, SystemsFailed, TooLarge
from cranfield.collection.source import read_ratings
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.execution.systems.failures import (
    Failures,
    noting,
    of_system,
    reasons_of,
    refuse_all_failed,
    repeat_without_failed,
)
from cranfield.workbench.results.results import Results
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, same_scores, study_of, table_of

GOOD = {"Popularity": "Popularity", "Random": "Random", "kNN": "user-kNN(k=5)"}
LARGE = "EASE(most_items=2)"
"""A recommender that refuses every data set here."""


class Predicts:
    """Items by their number of ratings, unless ``fails`` says otherwise."""

    def __init__(self, train: Any) -> None:
        self.counts = train.item_counts.astype(float)

    def predict(self, users: Any) -> Any:
        return np.tile(self.counts, (len(users), 1))


class Fails:
    """A model of the user's that fails where it is fitted on so many ratings or more."""

    def __init__(self, error: BaseException, least: int = 0) -> None:
        self.error, self.least, self.fits = error, least, 0

    def fit(self, train: Any, seeds: Any) -> Predicts:
        self.fits += 1
        if len(train) >= self.least:
            raise self.error
        return Predicts(train)


class SecondFails(Fails):
    """A model that can be fitted once."""

    def fit(self, train: Any, seeds: Any) -> Predicts:
        self.fits += 1
        if self.fits > 1:
            raise self.error
        return Predicts(train)


class PredictsInfinity(Predicts):
    """Its predictions are nothing to rank by."""

    def fit(self, train: Any, seeds: Any) -> PredictsInfinity:
        return PredictsInfinity(train)

    def predict(self, users: Any) -> Any:
        return super().predict(users) / 0.0


def equal(one: Results, other: Results) -> bool:
    """Whether two results agree in scores, summary and comparison."""
    summaries = [each.summary.to_polars() for each in (one, other)]
    compared = [each.comparison and each.comparison.to_dict() for each in (one, other)]
    equals = summaries[0].equals(summaries[1]) and compared[0] == compared[1]
    return same_scores(one.scores, other.scores) and equals


def of_error(error: BaseException) -> Results:
    return execute(experiment_of(systems={**GOOD, "bad": Fails(error)}))


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("no luck"), "ValueError: no luck."),
        (KeyError(), "KeyError."),
        (MemoryError("Unable to allocate 9 GiB"), "out of memory: Unable to allocate 9 GiB."),
        (TooLarge("bad", "it is large", "Take less"), "it is large. Take less."),
        (RuntimeError("at <x\n object at 0x7f01a2b3c4d5>"), "RuntimeError: at <x object at 0x…>."),
        (AssertionError("of the user's own"), "AssertionError: of the user's own."),
    ],
)
def test_a_system_whose_fit_fails_is_reported_with_its_reason(error: Any, reason: str) -> None:
    made = of_error(error)
    assert made.failed == {"bad": reason}
    assert made.to_dict()["failed"] == {"bad": reason}
    assert made.notes[0] == f"Warning: bad failed: {reason}"


@pytest.mark.parametrize("split", ["per-user(test_share=0.4)", "k-fold(folds=3)"])
@pytest.mark.parametrize(
    "bad",
    [Fails(ValueError("no")), SecondFails(ValueError("no")), PredictsInfinity, LARGE],
    ids=["fit", "second fold", "predictions", "too large"],
)
def test_the_others_are_evaluated_as_if_it_had_not_been_asked_for(bad: Any, split: str) -> None:
    if isinstance(bad, SecondFails):
        bad = SecondFails(bad.error)
        if "fold" not in split:
            bad.fits = 1
    if bad is PredictsInfinity:
        bad = PredictsInfinity.__new__(PredictsInfinity)
    more: dict[str, Any] = {
        "split": split,
        "metrics": ["nDCG@5", "P@5", "Gini@5"],
        "assess": ["correlation", "robustness(samples=2, scenarios=[users])"],
        "by": ["activity:2", "popularity:2"],
    }
    with np.errstate(divide="ignore", invalid="ignore"):
        made = execute(experiment_of(systems={"bad": bad, **GOOD}, **more))
    alone = execute(experiment_of(systems=GOOD, **more))
    assert list(made.failed) == ["bad"]
    assert equal(made, alone)
    assert made.lists == alone.lists
    assert made.breakdowns[1].parts == alone.breakdowns[1].parts
    assert [each.to_dict() for each in made.assessments] == [
        each.to_dict() for each in alone.assessments
    ]
    assert made.notes[1:] == alone.notes


def test_a_system_that_works_leaves_nothing_of_this_in_the_record() -> None:
    made = execute(experiment_of())
    assert made.failed == {}
    assert "failed" not in made.to_dict()
    assert made.evaluated == made.experiment


def test_an_interrupt_is_not_the_failure_of_a_system() -> None:
    with pytest.raises(KeyboardInterrupt):
        of_error(KeyboardInterrupt())


def test_an_assertion_of_ours_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "cranfield.recommendation.recommenders.popularity"
    source = "def fit(self, train, seeds):\n    assert False"
    space: dict[str, Any] = {"__name__": module}
    exec(compile(source, module, "exec"), space)  # a function in that module
    from cranfield.recommendation.recommenders.popularity import Popularity

    monkeypatch.setattr(Popularity, "fit", space["fit"])
    with pytest.raises(AssertionError):
        execute(experiment_of())


def test_what_is_wrong_with_a_metric_is_the_fault_of_no_system() -> None:
    with pytest.raises(cf.CranfieldError, match="ILD"):
        execute(experiment_of(metrics=["nDCG@5", "ILD@5"]))


def test_the_only_system_that_fails_raises_what_stopped_it() -> None:
    with pytest.raises(TooLarge, match="50 items"):
        execute(experiment_of(systems={"E": LARGE}))


def test_all_systems_that_fail_are_told_with_the_reason_of_each() -> None:
    bad = Fails(ValueError("no luck"))
    with pytest.raises(SystemsFailed) as error:
        execute(experiment_of(systems={"E": LARGE, "bad": bad}))
    first, *rest = str(error.value).splitlines()
    assert first == "every system failed."
    assert [line.partition(":")[0] for line in rest] == ["E failed", "bad failed"]
    assert list(error.value.reasons) == ["E", "bad"]
    assert isinstance(error.value.__cause__, TooLarge)


def test_the_only_system_of_the_users_own_that_fails_shows_its_error_as_the_cause() -> None:
    wrong = ValueError("no luck")
    with pytest.raises(SystemsFailed, match="bad failed: ValueError: no luck") as error:
        execute(experiment_of(systems={"bad": Fails(wrong)}))
    assert error.value.__cause__ is wrong


def test_without_its_baseline_all_pairs_are_compared() -> None:
    compared = {"baseline": "bad", "test": "t"}
    systems = {"bad": Fails(ValueError("no")), **GOOD}
    made = execute(experiment_of(systems=systems, comparison=compared))
    assert made.comparison is not None
    assert len(made.comparison.pairs) == 3 * 2
    assert made.notes[1] == "Warning: without bad, the baseline, all pairs are compared."
    assert made.experiment.comparison.baseline == "bad"


def test_criteria_for_which_too_few_systems_are_left_are_named() -> None:
    systems = {"bad": Fails(ValueError("no")), "Popularity": "Popularity"}
    made = execute(experiment_of(systems=systems, assess=["correlation"]))
    assert made.comparison is None
    assert "Warning: only one system is left, so that nothing is compared." in made.notes
    assert any("correlation needs at least 2 systems" in note for note in made.notes)


def test_a_failure_is_not_stored_and_is_tried_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    bad = {"E": LARGE, **GOOD}
    first = execute(experiment_of(systems=bad), Pipeline(store))
    again = execute(experiment_of(systems=bad), Pipeline(store))
    assert list(again.failed) == ["E"]
    assert equal(first, again)
    mended = execute(experiment_of(systems={"E": "EASE", **GOOD}), Pipeline(store))
    assert not mended.failed
    assert "E" in mended.scores.systems


def test_a_model_that_fails_is_asked_again_by_the_next_run(tmp_path: Path) -> None:
    bad = Fails(ValueError("no"))
    for _ in range(2):
        execute(experiment_of(systems={"bad": bad, **GOOD}), Pipeline(Store(tmp_path)))
    assert bad.fits == 2


STUDY = {"vary": {"cutoff": [3, 5], "split.test_share": [0.4, 0.2]}, "draws": 200}


@pytest.mark.parametrize("least", [0, 300], ids=["in the base", "in another design"])
def test_a_study_drops_a_failed_system_from_all_designs(least: int) -> None:
    bad = Fails(ValueError("no"), least)  # 240 training ratings in the base, 320 in others
    made = execute_study(study_of(STUDY, systems={"bad": bad, **GOOD}))
    alone = execute_study(study_of(STUDY, systems=GOOD))
    assert list(made.base.failed) == ["bad"]
    assert made.designs.systems == alone.designs.systems == tuple(GOOD)
    for name in ("values", "effects", "p_values", "adjusted"):
        assert np.array_equal(
            getattr(made.designs, name), getattr(alone.designs, name), equal_nan=True
        )
    assert made.conclusion.to_dict() == alone.conclusion.to_dict()
    assert equal(made.base, alone.base)
    assert made.study.base.names == ("bad", *GOOD)


def test_designs_that_differ_in_a_failed_system_alone_are_still_all_there() -> None:
    asked = {"vary": {"systems.E.regularisation": [10.0, 500.0], "cutoff": [3, 5]}, "draws": 0}
    made = execute_study(study_of(asked, systems={"E": LARGE, **GOOD}))
    assert len(made.designs) == 4
    assert made.designs.systems == tuple(GOOD)


def test_a_study_whose_pair_failed_is_about_the_two_best() -> None:
    bad = Fails(ValueError("no"))
    asked = {**STUDY, "pair": ["bad", "kNN"]}
    made = execute_study(study_of(asked, systems={"bad": bad, **GOOD}))
    assert made.base.notes[-1].startswith("Warning: the study is about ")
    assert made.study.pair == ("bad", "kNN")


def test_a_study_of_which_one_system_is_left_is_refused_with_the_reason() -> None:
    systems = {"bad": Fails(ValueError("no luck")), "Random": "Random"}
    with pytest.raises(
        SystemsFailed, match="needs at least 2 systems; here 1 can be used"
    ) as error:
        execute_study(study_of(STUDY, systems=systems))
    assert "bad failed: ValueError: no luck." in str(error.value)


def test_a_system_that_fails_in_a_repeat_is_dropped_as_well() -> None:
    asked = {"vary": {"cutoff": [3, 5]}, "draws": 0, "repeat": {"split_seeds": 3}}
    popular = SecondFails(ValueError("once only"))  # the base fits it once, its repeats again
    systems = {"mine": popular, "Random": "Random", "kNN": "user-kNN(k=5)"}
    study = study_of({**asked, "pair": ["mine", "Random"]}, systems=systems)
    made = execute_study(study)
    assert made.base.failed == {"mine": "ValueError: once only."}
    assert made.designs.systems == ("Random", "kNN")
    assert made.repeats is not None


def test_a_value_that_compares_systems_needs_two_that_work() -> None:
    systems = {"bad": Fails(ValueError("no luck")), "Popularity": "Popularity"}
    with pytest.raises(SystemsFailed, match=r"standardised.* needs at least 2 systems") as error:
        execute(experiment_of(systems=systems, aggregation="standardised"))
    assert error.value.reasons == {"bad": "ValueError: no luck."}


TEST = {"user": [1, 1, 2, 2, 3], "item": [7, 8, 7, 9, 8], "rating": [5, 2, 4, 5, 3]}
RUN = {"user": [1, 1, 2], "item": [7, 8, 9], "score": [3.0, 2.0, 1.0]}


@pytest.fixture
def bad_run(tmp_path: Path) -> str:
    path = tmp_path / "bad.csv"
    path.write_text("user,item,score\n1,7,abc\n")
    return str(path)


@pytest.mark.parametrize("topics", ["judged", "run"])
@pytest.mark.parametrize("first", [True, False])
def test_a_run_that_cannot_be_read_does_not_stop_the_others(
    bad_run: str, *, first: bool, topics: Any
) -> None:
    runs = {"bad": bad_run, "mine": RUN} if first else {"mine": RUN, "bad": bad_run}
    made = cf.evaluate(TEST, runs, ["P@2", "MeanPopularity@2"], relevance=4, topics=topics)
    alone = cf.evaluate(
        TEST, {"mine": RUN}, ["P@2", "MeanPopularity@2"], relevance=4, topics=topics
    )
    assert list(made.failed) == ["bad"]
    assert '"abc" is not a number' in made.failed["bad"]
    assert same_scores(made.scores, alone.scores)
    assert str(made.lists) == str(alone.lists)
    assert list(made.reports) == ["mine"]


def test_every_reason_to_refuse_a_run_is_the_failure_of_its_system() -> None:
    odd: dict[str, Any] = {
        "twice": {"user": [1, 1], "item": [7, 7], "score": [2.0, 1.0]},
        "others": {"user": [91], "item": [7], "score": [2.0]},
        "no table": object(),
    }
    made = cf.evaluate(TEST, {"mine": RUN, **odd}, "P@2", relevance=4)
    assert list(made.failed) == list(odd)


def test_a_missing_run_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    runs = {"mine": RUN, "absent": str(tmp_path / "absent.csv")}
    with pytest.raises(InputError, match="there is no such file"):
        cf.evaluate(TEST, runs, "P@2", relevance=4)


def test_score_gives_all_systems_or_none(bad_run: str) -> None:
    with pytest.raises(InputError, match='"abc" is not a number'):
        cf.score(TEST, {"mine": RUN, "bad": bad_run}, "P@2", relevance=4)


def test_rank_leaves_out_what_fails_with_a_warning() -> None:
    parts = cf.split(read_ratings("simulated(size=tiny)"), "per-user", seed=1)
    judgments = cf.judge(parts.test, relevance=4)
    with pytest.warns(RuntimeWarning, match=r"E failed: EASE.*50 items") as warned:
        made = cf.rank(parts.train, judgments, {"E": LARGE, "Random": "Random"})
    assert list(made) == ["Random"]
    assert warned[0].filename == __file__
    with pytest.raises(TooLarge):
        cf.rank(parts.train, judgments, {"E": LARGE})


def test_python_and_table_agree_on_what_failed() -> None:
    table = table_of(systems={"E": LARGE, **GOOD})
    assert cf.run(table).failed == execute(experiment_of(systems={"E": LARGE, **GOOD})).failed


def test_only_what_a_system_does_is_held_against_it() -> None:
    failed = Failures()

    def fail(error: Exception) -> None:
        raise error

    with noting("one", failed), of_system():
        fail(ValueError("its own"))
    with pytest.raises(ValueError, match="another's"), noting("two", failed):
        fail(ValueError("another's"))
    assert reasons_of(failed) == {"one": "ValueError: its own."}
    with pytest.raises(BadPredictions), noting("three", None), of_system():
        fail(BadPredictions("three", "it is odd", "Mend it"))


def test_nothing_is_refused_while_a_system_is_left() -> None:
    refuse_all_failed(("one", "two"), {"one": ValueError()})
    refuse_all_failed((), {})
    with pytest.raises(SystemsFailed):
        refuse_all_failed(("one",), {"one": ValueError()})


def test_work_is_repeated_without_what_fails_in_it() -> None:
    def work(failed: Failures) -> list[str]:
        left = [name for name in ("one", "two", "three") if name not in failed]
        for name in left[:-1]:
            with noting(name, None), of_system():
                raise_(ValueError(name))
        return left

    def raise_(error: Exception) -> None:
        raise error

    assert repeat_without_failed(work, ("one", "two", "three")) == ["three"]
    with pytest.raises(KeyError):
        repeat_without_failed(lambda _: raise_(KeyError()), ("one",))
