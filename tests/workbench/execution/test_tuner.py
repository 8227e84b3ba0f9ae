"""Tuning: settings are tried on validation ratings alone, and every trial is recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import BadExperiment, CranfieldError, OptionError
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.workbench.definition.answers import given_parts
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.tuning import Seconds, Tuning, read_budget
from cranfield.workbench.execution import validation
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.results import Results
from cranfield.workbench.store.store import Store
from cranfield.workbench.tuning.trials import Tuned
from experiment_cases import same_scores
from suites import spread

SIMULATED = "simulated(users=60, items=50, ratings=900)"
BASE: dict[str, Any] = {
    "data": SIMULATED,
    "split": "per-user(test_share=0.3)",
    "relevance": 4,
    "systems": {
        "kNN": "user-kNN(k=tune(2..40))",
        "PureSVD": "PureSVD(factors=tune(1..20))",
        "Popularity": "Popularity",
    },
    "metrics": ["nDCG@10", "P@5"],
    "comparison": {"test": "t"},
    "seed": 3,
    "tuning": {"budget": 5},
}
SEARCHES = ["random", "grid(levels=3)", "halving(least=0.3)", "optuna"]


def run(**changes: Any) -> Results:
    return cf.run({**BASE, **changes})


def tuned(**changes: Any) -> dict[tuple[str, int], Tuned]:
    return {(each.name, each.fold): each for each in run(**changes).tuned}


def values(made: Tuned) -> list[tuple[int, float, str, float]]:
    """All of a tuning but its seconds."""
    return [(each.number, each.value, each.system, each.share) for each in made.trials]


def part(search: str) -> None:
    if search == "optuna":
        pytest.importorskip("optuna")


# Values


def test_a_trial_is_what_an_experiment_on_the_validation_part_would_find() -> None:
    """The same data, divided once more by hand, and run as an ordinary experiment."""
    made = tuned(tuning={"budget": 4, "validation": "random(test_share=0.4)"})["kNN", 0]
    whole = cf.split(cf.read(SIMULATED), "per-user(test_share=0.3)", seed=3).train
    seed = Seeds(3).key("tuning", "validation") % 2**31
    parts = cf.split(whole, "random(test_share=0.4)", seed=seed)
    for trial in made.trials:
        found = cf.run(
            {
                **{key: BASE[key] for key in ("relevance", "comparison", "seed")},
                "split": given_parts(parts.test.to_polars(), parts.train.to_polars()),
                "scale": [float(whole.values.min()), float(whole.values.max())],
                "systems": {"one": trial.system},
                "metrics": ["nDCG@10"],
            }
        )
        assert found.summary.row("one", "nDCG@10").value == trial.value


def test_the_best_setting_is_what_is_tested() -> None:
    made = run()
    chosen = {each.name: each.chosen.system for each in made.tuned}
    again = run(systems={**BASE["systems"], **chosen}, tuning=None)
    assert same_scores(made.scores, again.scores)
    for each in made.tuned:
        best = max(trial.value for trial in each.trials)
        assert each.chosen.value == best
        assert each.gain == best - each.trials[0].value >= 0


def test_a_metric_of_which_less_is_better_is_lowered() -> None:
    made = tuned(tuning={"budget": 6, "metric": "RMSE"}, systems={"SVD": "SVD(factors=tune(1..9))"})
    found = made["SVD", 0]
    assert not found.higher_is_better
    assert found.chosen.value == min(trial.value for trial in found.trials)
    assert [best for _, best in found.curve] == np.minimum.accumulate(
        [trial.value for trial in found.trials]
    ).tolist()


def test_the_curve_never_falls() -> None:
    for each in run(tuning={"budget": 8}).tuned:
        assert [count for count, _ in each.curve] == list(range(1, 9))
        found = [trial.value for trial in each.trials]
        assert [best for _, best in each.curve] == np.maximum.accumulate(found).tolist()


def test_what_is_learnt_from_is_a_decision() -> None:
    whole, less = (run(tuning={"budget": 3, "refit": each}) for each in
                   ("train-and-validation", "train"))  # fmt: skip
    assert [values(each) for each in whole.tuned] == [values(each) for each in less.tuned]
    for name in whole.scores.systems:
        one, other = (np.nan_to_num(each.scores.of(name, "nDCG@10")) for each in (whole, less))
        assert (one == other).all() == (name == "Popularity")
    with pytest.raises(CranfieldError, match="makes 2 validation parts, each with its own"):
        run(tuning={"refit": "train", "validation": "k-fold(folds=2)"})


# Never on test data


@pytest.mark.long
@pytest.mark.parametrize(
    ("search", "metric"),
    [
        *((search, "nDCG(gain=exponential)@5") for search in SEARCHES),
        *spread(((search, "ERR@10") for search in SEARCHES), every=len(SEARCHES)),
    ],
)
def test_test_ratings_change_no_choice(search: str, metric: str) -> None:
    """Poisoned test parts: other values, other pairs, users and items nobody else rated."""
    part(search)
    parts = cf.split(cf.read(SIMULATED), "per-user(test_share=0.3)", seed=1)
    train, test = parts.train.to_polars(), parts.test.to_polars()
    flipped = test.with_columns(rating=pl.lit(6.0) - pl.col("rating"))
    beyond = test.with_columns(rating=pl.col("rating") * 100)
    reversed_ = test.with_columns(item_id=test["item_id"].reverse())
    unknown = test.head(9).with_columns(
        pl.Series(name, [f"new{n}" for n in range(9)]) for name in ("user_id", "item_id")
    )
    strange = pl.concat([test, unknown])
    found = []
    for poisoned in (test, flipped, beyond, reversed_.unique(["user_id", "item_id"]), strange):
        made = run(
            data="none", split=given_parts(poisoned, train), unscored="random",
            metrics=[metric], tuning={"search": search, "budget": 5},
        )  # fmt: skip
        found.append([values(each) for each in made.tuned])
    assert all(each == found[0] for each in found)
    assert len({trial[1] for each in found[0] for trial in each}) > 2


def test_ratings_that_a_split_puts_into_test_change_no_choice() -> None:
    """Other values of test ratings, with an own scale, in data that the experiment splits."""
    parts = cf.split(cf.read(SIMULATED), "per-user(test_share=0.3)", seed=3)
    table, pairs = parts.ratings.to_polars(), ["user_id", "item_id"]
    in_test = table.join(parts.test.to_polars().with_columns(test=True), on=pairs, how="left")
    poisoned = table.with_columns(
        rating=pl.when(in_test["test"].is_not_null()).then(50.0).otherwise(pl.col("rating"))
    )
    one, other = (run(data=each, metrics=["ERR@10", "nDCG@10"]) for each in (table, poisoned))
    assert [values(each) for each in one.tuned] == [values(each) for each in other.tuned]
    assert one.summary.row("kNN", "ERR@10").value != other.summary.row("kNN", "ERR@10").value


def test_a_validation_part_holds_no_test_rating_nor_id() -> None:
    experiment = read_table(BASE)
    road = Pipeline()
    data = road.prepare(experiment)
    made = validation.Validation(experiment, experiment, data, 0)
    fold = data.folds[0]
    trained = fold.train.to_polars()
    for each in (made.parts[0].train, made.parts[0].test):
        assert len(each.to_polars().join(trained, on=trained.columns, how="anti")) == 0
        assert each.n_items == len(set(fold.train.items.tolist()))


# When


def test_each_fold_is_tuned_by_itself() -> None:
    made = tuned(split="k-fold(folds=3)")
    assert sorted(made) == [(name, fold) for name in ("PureSVD", "kNN") for fold in range(3)]
    firsts = [made["kNN", fold].trials[0].value for fold in range(3)]
    assert len(set(firsts)) == 3
    assert made["kNN", 0].validation == "per-user(test_share=0.2, repeats=1)"


def test_validation_is_cut_as_the_test_part_was_unless_said_otherwise() -> None:
    assert tuned()["kNN", 0].validation == "per-user(test_share=0.3, repeats=1)"
    asked = tuned(tuning={"budget": 1, "validation": "random"})["kNN", 0]
    assert asked.validation == "random(test_share=0.2, repeats=1)"


def test_several_validation_parts_are_averaged() -> None:
    made = tuned(tuning={"budget": 2, "validation": "k-fold(folds=3)"})["kNN", 0]
    assert len(made.trials) == 2
    assert all(0 < trial.value < 1 for trial in made.trials)


def test_equal_budgets_are_prefixes_of_each_other() -> None:
    few, many = (tuned(tuning={"budget": budget}) for budget in (3, 7))
    for key, made in few.items():
        assert values(made) == values(many[key])[:3]


def test_systems_may_have_budgets_of_their_own() -> None:
    made = tuned(tuning={"budget": {"kNN": 2}})
    assert (made["kNN", 0].settings, made["PureSVD", 0].settings) == (2, 20)


def test_a_setting_is_tuned_whatever_the_name_and_the_other_systems() -> None:
    alone = tuned(systems={"other": "user-kNN(k=tune(2..40))"})["other", 0]
    assert values(alone) == values(tuned()["kNN", 0])


def test_ranges_without_a_table_are_tuned_by_default() -> None:
    made = read_table({key: each for key, each in BASE.items() if key != "tuning"})
    assert made.tuning == Tuning()
    plain = {"systems": {"kNN": "user-kNN", "Popularity": "Popularity"}, "tuning": None}
    assert read_table({**BASE, **plain}).tuning is None


def test_a_budget_in_seconds_is_reproduced_by_its_number_of_trials() -> None:
    slow = replace_value(0.4)
    made = execute(read_table({**BASE, "tuning": {"budget": "1 s"}}), slow)
    assert {each.name: each.settings for each in made.tuned} == {"kNN": 3, "PureSVD": 3}
    assert made.experiment.tuning is not None
    assert made.experiment.tuning.budget == {
        "kNN": Seconds(1.0, trials=3), "PureSVD": Seconds(1.0, trials=3)
    }  # fmt: skip
    again = execute(made.experiment)  # however fast it is now
    assert [values(each) for each in again.tuned] == [values(each) for each in made.tuned]
    assert again.experiment == made.experiment


def test_seconds_are_measured_on_the_first_fold_alone() -> None:
    asked = read_table({**BASE, "split": "k-fold(folds=2)", "tuning": {"budget": "1 s"}})
    seconds = iter([0.6, 0.6, *([9.0] * 99)])
    made = execute(asked, replace_value(lambda: next(seconds)))
    assert [each.settings for each in made.tuned] == [2, 2, 1, 1]


def replace_value(seconds: float | Callable[[], float]) -> Pipeline:
    """A pipeline whose trials take as long as one says."""
    road = Pipeline()
    make = road.tuner.validation

    def timed(*given: Any) -> Any:
        made = make(*given)

        class Timed:
            def __getattr__(self, name: str) -> Any:
                return getattr(made, name)

            def value(self, *asked: Any) -> tuple[float, float]:
                spent = seconds() if callable(seconds) else seconds
                return made.value(*asked)[0], spent

        return Timed()

    road.tuner.validation = timed  # type: ignore[method-assign, assignment]
    return road


# The store


def test_trials_are_cached_and_survive_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run()
    calls = []
    make = validation.Validation.value

    def value(self: Any, *given: Any) -> tuple[float, float]:
        calls.append(given)
        if len(calls) == 7:
            raise KeyboardInterrupt
        return make(self, *given)

    monkeypatch.setattr(validation.Validation, "value", value)
    with pytest.raises(KeyboardInterrupt):
        execute(read_table(BASE), Pipeline(Store(tmp_path)))
    again = execute(read_table(BASE), Pipeline(Store(tmp_path)))
    assert len(calls) == 7 + 4  # six were there, the one that was stopped is tried again
    assert [values(each) for each in again.tuned] == [values(each) for each in whole.tuned]
    third = execute(read_table(BASE), Pipeline(Store(tmp_path)))
    assert len(calls) == 11
    assert third.tuned == again.tuned


# What goes wrong


def test_a_trial_that_fails_is_recorded_and_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(parse("recommender", "user-kNN"))
    fit = kind.fit

    def picky(self: Any, *given: Any) -> Any:
        if self.k > 20:
            raise ValueError("k is too high")
        return fit(self, *given)

    monkeypatch.setattr(kind, "fit", picky)
    found = run(tuning={"budget": 6})
    made = next(each for each in found.tuned if each.name == "kNN")
    failed = [each for each in made.trials if each.failed]
    assert made.trials[0] in failed  # k = 100 by default
    assert all(
        np.isnan(each.value) and each.failed == "ValueError: k is too high." for each in failed
    )
    assert made.chosen.parameters["k"] <= 20
    assert any("failed: ValueError: k is too high." in note for note in found.notes)


def test_a_system_whose_every_trial_fails_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(parse("recommender", "user-kNN"))

    def never(self: Any, *given: Any) -> Any:
        raise ValueError("not today")

    monkeypatch.setattr(kind, "fit", never)
    found = run()
    assert found.failed == {"kNN": "ValueError: not today."}
    assert {each.name for each in found.tuned} == {"PureSVD"}


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no such system": ({"budget": {"kN": 3}}, 'tuning.budget: there is no system "kN". Did you'),
    "no budget": ({"budget": "soon"}, 'tuning.budget: "soon" is not a budget. Give a number of'),
    "no trials": ({"budget": 0}, "tuning.budget: 0 is not a budget"),
    "timed halving": (
        {"budget": "9 s", "search": "halving"},
        "tuning.budget: with halving, it must know how many settings there are",
    ),
    "given validation": (
        {"validation": "given(test=a.csv)"},
        "tuning.validation: validation ratings are cut from training",
    ),
    "no such search": ({"search": "rando"}, 'no search is called "rando"'),
    "no such decision": ({"bugdet": 3}, "bugdet"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_tuned_is_refused_in_words(case: str) -> None:
    given, said = WRONG[case]
    with pytest.raises(BadExperiment) as caught:
        read_table({**BASE, "tuning": given})
    assert said in str(caught.value)


def test_a_validation_part_that_cannot_be_cut_is_refused_before_anything_is_fitted() -> None:
    with pytest.raises(CranfieldError, match="leave-out"):
        run(tuning={"validation": "leave-out(count=500)"})


def test_nothing_to_tune_is_refused_before_anything_is_fitted() -> None:
    with pytest.raises(CranfieldError, match="tuning: no system has a range to tune over"):
        run(systems={"kNN": "user-kNN", "Popularity": "Popularity"})


def test_ranges_are_refused_where_nothing_is_tuned() -> None:
    parts = cf.split(cf.read(SIMULATED), "per-user", seed=1)
    with pytest.raises(CranfieldError, match="nothing is tuned here"):
        cf.rank(parts.train, cf.judge(parts.test, relevance=4), ["user-kNN(k=tune(2..9))"])


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        (7, 7), ("7", 7), ("600 s", Seconds(600.0)), ("0.5 seconds", Seconds(0.5)),
        ("600 s (13 trials)", Seconds(600.0, 13)), ("1 s (1 trial)", Seconds(1.0, 1)),
    ],
)  # fmt: skip
def test_budgets_read_back(text: Any, budget: Any) -> None:
    assert read_budget(text) == budget
    assert read_budget(str(read_budget(text))) == budget
    assert read_budget({"a": text}) == {"a": budget}


def test_what_is_no_budget_is_refused_in_a_sentence() -> None:
    many = "9" * 5000
    for given in (True, 10**9, 10**5000, "٣", many, f"{'0' * 5000}1", f"3 s ({many} trials)"):
        with pytest.raises(OptionError, match=r"^.{1,80} is not a budget\. Give a number of"):
            read_budget(given)


def test_a_file_and_keywords_tune_alike(tmp_path: Path) -> None:
    file = tmp_path / "tuned.toml"
    systems = "\n".join(f'{name} = "{text}"' for name, text in BASE["systems"].items())
    file.write_text(
        f'title = ""\ndata = "{SIMULATED}"\nsplit = "per-user(test_share=0.3)"\nrelevance = 4\n'
        f'metrics = ["nDCG@10", "P@5"]\nseed = 3\n[comparison]\ntest = "t"\n'
        f"[systems]\n{systems}\n[tuning]\nbudget = 5\n"
    )
    read, given = cf.run(file), run()
    assert replace(read.experiment, title="") == replace(given.experiment, title="")
    assert [values(each) for each in read.tuned] == [values(each) for each in given.tuned]
    assert same_scores(read.scores, given.scores)
