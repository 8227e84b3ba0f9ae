"""Facts: what results say about each thing, and what they leave open."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.review.fact import Fact, Reviewed
from cranfield.workbench.review.facts import FACTS
from experiment_cases import experiment_of, table_of

ROWS = [f"{user},{item},{1 + (user * item) % 5}" for user in range(12) for item in range(20)]


def fact(name: str, results: Results | StudyResults) -> Fact:
    return FACTS[name](Reviewed(results))


@cache
def plain() -> Results:
    return cf.run(table_of())


def run(**changes: Any) -> Results:
    return cf.run(table_of(**changes))


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["user,item,rating", *ROWS]))
    return path


@pytest.mark.parametrize("name", FACTS)
def test_every_fact_reads_as_sentences(name: str) -> None:
    found = fact(name, plain())
    for text in (found.text, found.advice):
        assert not text or (text[0].isupper() or text[0].isdigit() or text[0] in "`pes>"), text
        assert not text or text.endswith("."), text
        assert ".." not in text.replace("…", ""), text
        assert "  " not in text
    assert bool(found.advice) == (found.state != "answered")


def test_a_file_is_not_known_by_its_name(ratings: Path) -> None:
    made = run(data=str(ratings))
    source, access = fact("data-source", made), fact("data-access", made)
    assert (source.state, source.text) == ("partly", "The file ratings.csv.")
    assert access.state == "missing"
    assert "licence" in access.advice


def test_a_published_data_set_is_named_cited_and_found() -> None:
    asked = experiment_of(data="ml-1m")
    made = replace(plain(), experiment=asked)
    source, access = fact("data-source", made), fact("data-access", made)
    assert source.state == access.state == "answered"
    assert source.text.startswith("MovieLens 1M")
    assert "doi:10.1145/2827872" in source.text
    assert "grouplens.org" in access.text
    assert "research only" in access.text
    assert fact("several-data-sets", made).state == "partly"


def test_sizes_and_density_are_those_of_the_data() -> None:
    assert fact("data-sizes", plain()).text == (
        "40 users, 50 items, 400 ratings; 20 % of all pairs are rated."
    )
    assert str(plain().data["ratings"]) in fact("data-fingerprint", plain()).text


def test_filters_are_told_with_what_they_left() -> None:
    assert fact("preprocessing", plain()).text == "No rating was left out."
    found = fact("preprocessing", run(filters=["k-core(k=2)", "rating-range(at_least=2)"]))
    assert "; then " in found.text
    assert found.text.startswith("The 2-core")
    assert ": 400 to " in found.text


def test_given_parts_hide_how_they_were_made(tmp_path: Path) -> None:
    for name, rows in {"a": ROWS[::2], "b": ROWS[1::2]}.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(["user,item,rating", *rows]))
    parts = {"train": f"{tmp_path}/a.csv", "test": f"{tmp_path}/b.csv"}
    made = run(data=None, split={"name": "given", **parts})
    assert [fact(name, made).state for name in ("split", "preprocessing")] == ["partly", "partly"]
    assert fact("leakage-in-time", made).state == "partly"
    assert "have no times" in fact("leakage-in-time", made).text


def test_a_temporal_split_does_not_learn_from_the_future() -> None:
    assert fact("leakage-in-time", plain()).state == "partly"
    found = fact("leakage-in-time", run(split="temporal(test_share=0.3)"))
    assert (found.state, found.text) == (
        "answered",
        "No training rating is later than the first test rating.",
    )


def test_pairs_in_both_parts_are_counted(tmp_path: Path) -> None:
    assert fact("leakage-of-pairs", plain()).text.startswith("No pair")
    for name, rows in {"a": ROWS[::2], "b": [*ROWS[1::2], *ROWS[:20:2]]}.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(["user,item,rating", *rows]))
    parts = {"train": f"{tmp_path}/a.csv", "test": f"{tmp_path}/b.csv"}
    split = {"name": "given", **parts}
    found = fact("leakage-of-pairs", run(data=None, split=split))
    assert found.text == "10 pairs are in both parts, and not counted in test."
    kept = run(data=None, split=split, training_items="keep")
    assert "repeated consumption" in fact("leakage-of-pairs", kept).text


def test_sampled_items_are_answered_in_part() -> None:
    assert fact("ranked-items", plain()).state == "answered"
    found = fact("ranked-items", run(targets="all-items, one-relevant, sampled(n=5)"))
    assert found.state == "partly"
    assert "Krichene and Rendle" in found.advice


@pytest.mark.parametrize(
    ("systems", "state", "advice"),
    [
        ({"A": "Popularity", "B": "EASE"}, "answered", ""),
        ({"A": "EASE", "B": "PureSVD(factors=5)"}, "partly", "Add Popularity, or say why not."),
        ({"A": "Popularity", "B": "Random"}, "partly", "Add a tuned neighbourhood or linear model"),
    ],
)
def test_baselines_are_simple_and_strong(systems: dict[str, str], state: str, advice: str) -> None:
    found = fact("baselines", run(systems=systems))
    assert found.state == state
    assert found.advice.startswith(advice)


def test_models_and_runs_of_others_are_not_known_by_their_parameters(tmp_path: Path) -> None:
    assert fact("parameters", plain()).state == "answered"
    file = tmp_path / "theirs.csv"
    file.write_text("user,item,score\nu0001,i0002,0.5\nu0002,i0003,0.25\n")

    def mine(train: Any, users: Any) -> Any:
        return [train.item_counts] * len(users)

    made = run(systems={"Popularity": "Popularity", "mine": mine}, runs={"theirs": str(file)})
    assert fact("parameters", made).advice.startswith("Give the parameters of theirs")
    assert fact("own-models", made).text == "mine and theirs were made outside Cranfield."
    assert fact("recompute", made).state == "partly"
    assert fact("tuning", made).text.startswith(
        "Nothing is recorded of how the parameters of mine and theirs were chosen."
    )
    assert fact("own-models", plain()).state == "answered"


def test_tuning_is_missing_unless_it_is_recorded() -> None:
    given = {"Popularity": "Popularity", "A": "user-kNN(k=5)", "B": "EASE"}
    found = fact("tuning", run(systems=given))
    assert found.state == "missing"
    assert found.text.endswith("Those of B are defaults of the program.")
    tuning = {"budget": 2, "search": "random"}
    tuned = {"A": "user-kNN(k=tune(2..9))", "B": "EASE(regularisation=tune(1.0..100, log))"}
    for names, state in [("A", "partly"), ("AB", "answered")]:
        made = run(systems={**given, **{name: tuned[name] for name in names}}, tuning=tuning)
        found = fact("tuning", made)
        assert found.state == state
        assert "A was tuned by random over 2 settings, judged by nDCG@5" in found.text
    alone = run(systems={"A": "Popularity", "B": "Random"})
    assert fact("tuning", alone).state == "answered"


def test_metrics_are_defined() -> None:
    found = fact("metric-definitions", plain()).text
    assert "unjudged=non-relevant, correction=none, as=none)@5: Share of the top n" in found
    assert "A test rating of at least 4 is relevant." in fact("metrics", plain()).text


def test_accuracy_is_not_all() -> None:
    assert fact("beyond-accuracy", plain()).state == "missing"
    found = fact("beyond-accuracy", run(metrics=["P@5", "Gini@5", "UserEPC@5"]))
    assert (found.state, found.text) == ("answered", "Reported: Gini@5 and UserEPC@5.")


def test_many_comparisons_ask_for_a_correction() -> None:
    assert fact("significance", plain()).state == "answered"
    uncorrected = {"test": "t", "correction": "none"}
    found = fact("significance", run(comparison=uncorrected))
    assert found.state == "partly"
    pair = {"A": "Popularity", "B": "Random"}
    assert fact("significance", run(comparison=uncorrected, systems=pair)).state == "answered"
    together = {**uncorrected, "family": "all"}
    assert fact("significance", run(comparison=together, systems=pair)).state == "partly"
    assert "holm" in found.advice


def test_one_system_is_compared_with_nothing() -> None:
    made = run(systems={"only": "Popularity"})
    for name in ("significance", "effect-sizes", "power"):
        assert fact(name, made).state == "missing", name


def test_effects_and_power_are_told_by_the_first_metric() -> None:
    found = fact("effect-sizes", plain())
    assert "for all 6 comparisons. nDCG@5, gain = rating: Popularity − " in found.text
    found = fact("power", plain())
    assert found.text.startswith("With a power of 80 %, the users would show differences of 0.")
    median = run(aggregation="median", metrics=["P@5"])
    assert fact("power", median).state == "missing"


def test_a_study_with_repeats_answers_for_robustness_and_seeds() -> None:
    study = {"vary": {"cutoff": [3, 5]}, "draws": 0, "repeat": {"split_seeds": 2}}
    made = cf.study({**table_of(), "study": study})
    assert fact("robustness", made).text.startswith("2 designs were tried. ")
    assert fact("repeats", made).text.endswith("over 2 splits, with 1 fit on each.")
    assert fact("repeats", plain()).state == "partly"
    assert fact("repeats", run(split="k-fold(folds=2)")).text.endswith("Values are over 2 folds.")
    assert fact("robustness", plain()).state == "missing"


def test_a_plan_is_followed_broken_or_missing() -> None:
    assert fact("plan", plain()).state == "missing"
    plan = cf.plan(table_of())
    assert fact("plan", cf.run(table_of(), plan=plan)).state == "answered"
    found = fact("plan", cf.run(table_of(seed=3), plan=plan))
    assert (found.state, found.advice) == ("partly", "Give the reason for each change.")
    assert "seed: 0 in the plan, 3 here." in found.text


def test_what_was_cached_has_no_costs(tmp_path: Path) -> None:
    first, again = (cf.run(table_of(), store=tmp_path / "store") for _ in range(2))
    assert fact("compute", first).state == "answered"
    assert "Processor time by system: Popularity " in fact("compute", first).text
    found = fact("compute", again)
    assert found.state == "partly"
    assert found.text.endswith("Popularity, Random and kNN came from the cache.")
    assert fact("compute", replace(first, costs=(), machine=None)).state == "missing"


def test_versions_are_told() -> None:
    assert "cranfield 0." in fact("software", plain()).text
    assert "40 users, 3 systems, 2 metrics" in fact("complete-record", plain()).text
