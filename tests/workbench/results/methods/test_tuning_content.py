"""What reports, methods and records say of tuning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import cranfield as cf
from cranfield.base.errors import Unverified
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.definition.schema import definition_schema
from cranfield.workbench.execution.estimate import estimate
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.results.files import report_content, texts_of, write_results
from cranfield.workbench.results.methods.methods import methods_of
from cranfield.workbench.results.methods.tuning_content import parameters_text, tuning_content
from cranfield.workbench.results.reading import read_results
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.schema import results_schema

TABLE: dict[str, Any] = {
    "title": "Tuned",
    "data": "simulated(users=60, items=50, ratings=900)",
    "split": "per-user(test_share=0.3)",
    "relevance": 4,
    "systems": {
        "kNN": "user-kNN(k=tune(2..9))",
        "PureSVD": "PureSVD(factors=tune([1, 2, 9]))",
        "Popularity": "Popularity",
    },
    "metrics": ["nDCG@10"],
    "comparison": {"test": "t"},
    "tuning": {"budget": 4},
    "seed": 2,
}


@pytest.fixture(scope="module")
def made() -> Results:
    return cf.run(TABLE)


@pytest.fixture(scope="module")
def folded() -> Results:
    budgets = {"kNN": 2, "PureSVD": 3}
    return cf.run({**TABLE, "split": "k-fold(folds=2)", "tuning": {"budget": budgets}})


def test_every_trial_is_in_the_record_and_read_back(made: Results, tmp_path: Path) -> None:
    write_results(made, tmp_path / "out")
    record = json.loads((tmp_path / "out" / "results.json").read_text())
    Draft202012Validator(results_schema()).validate(record)
    assert [len(each["trials"]) for each in record["tuning"]] == [4, 4]
    first = record["tuning"][0]["trials"][0]
    assert set(first) == {
        "number", "parameters", "system", "value", "seconds", "seed", "share", "failed",
    }  # fmt: skip
    assert first["parameters"] == {"k": 100}
    assert first["seed"] == 2
    again = read_results(tmp_path / "out")
    assert isinstance(again, Results)
    assert again.tuned == made.tuned
    cf.verify(tmp_path / "out")


def test_another_trial_in_the_record_is_not_verified(made: Results, tmp_path: Path) -> None:
    write_results(made, tmp_path / "out")
    place = tmp_path / "out" / "results.json"
    record = json.loads(place.read_text())
    record["tuning"][0]["trials"][1]["value"] += 1e-12
    place.write_text(json.dumps(record))
    with pytest.raises(Unverified, match=r"tuning\[0\]\.trials\[1\]\.value"):
        cf.verify(tmp_path / "out")


@pytest.mark.parametrize("forged", [[], [{}], [3], "x", {"a": 1}, None])
def test_a_record_without_its_trials_is_not_verified(
    forged: Any, made: Results, tmp_path: Path
) -> None:
    write_results(made, tmp_path / "out")
    place = tmp_path / "out" / "results.json"
    place.write_text(json.dumps({**json.loads(place.read_text()), "tuning": forged}))
    with pytest.raises(Unverified, match="tuning"):
        cf.verify(tmp_path / "out")


def test_a_budget_in_seconds_is_verified_by_its_trials(tmp_path: Path) -> None:
    timed = cf.run({**TABLE, "tuning": {"budget": "0.02 s"}})
    write_results(timed, tmp_path / "out")
    trials = timed.tuned[0].settings
    assert f'kNN = "0.02 s ({trials} trial' in (tmp_path / "out" / "experiment.toml").read_text()
    cf.verify(tmp_path / "out")


def test_methods_say_how_parameters_were_chosen(made: Results, folded: Results) -> None:
    text, (knn, svd) = methods_of(made), made.tuned
    assert (
        "The parameters of kNN and PureSVD were tuned on validation ratings cut from the training "
        "ratings (split per-user(test_share=0.3, repeats=1)), never on test ratings: by random "
        "search (Bergstra and Bengio, 2012), 4 trials for each system, the defaults first, for the "
        "highest mean nDCG@10." in text
    )
    assert f"Of kNN, k = {knn.chosen.parameters['k']} was chosen, " in text
    assert f"factors = {svd.chosen.parameters['factors']} was chosen, +{svd.gain:.4f} over" in text
    assert "Each chosen setting then learnt from all training ratings." in text
    assert "k tuned from 2 to 9" in text
    assert "factors tuned among 1, 2 and 9" in text
    text = methods_of(folded)
    assert "on each fold by itself), never on test" in text
    assert "2 trials for kNN and 3 trials for PureSVD" in text
    assert "on 2 folds, on average " in text
    plain = methods_of(cf.run({**TABLE, "systems": {"kNN": "user-kNN"}, "tuning": None}))
    assert "tuned" not in plain


def test_the_report_has_a_section_with_all_trials(made: Results, folded: Results) -> None:
    for results, trials in ((made, 8), (folded, 10)):
        content = tuning_content(results)
        assert content is not None
        assert len(content.trials) == trials
        texts = texts_of(results, report_content(results))
        page = texts["report.html"]
        assert "How were parameters chosen?" in page
        assert "Best nDCG@10 on validation ratings, by the number of trials" in page
        assert f"All trials ({trials})" in page
    assert "bergstra2012" in texts["references.bib"]


def test_a_report_without_tuning_has_no_such_section() -> None:
    plain = cf.run({**TABLE, "systems": {"kNN": "user-kNN"}, "tuning": None})
    assert tuning_content(plain) is None
    page = texts_of(plain, report_content(plain))["report.html"]
    assert "How were parameters chosen?" not in page


def test_a_study_shows_the_trials_of_all_designs() -> None:
    made = cf.study({**TABLE, "study": {"vary": {"tuning.budget": [1, 3]}, "draws": 0}})
    content = tuning_content(made)
    assert content is not None
    assert [each.trials for each in content.systems] == [1, 1, 3, 3]
    places = [each.where for each in content.systems]
    assert places[::2] == ["1 design from 1 on", "1 design from 2 on"]
    assert "How were parameters chosen?" in texts_of(made, report_content(made))["report.html"]


def test_values_at_an_end_of_their_range_are_marked_and_noted() -> None:
    made = cf.run({**TABLE, "systems": {"PureSVD": "PureSVD(factors=tune(1..2))"}})
    assert made.tuned[0].edges == {"factors": "lowest"}
    assert made.notes[-1] == (
        "PureSVD: factors = 1, chosen, is the lowest of its range; values beyond it were not tried."
    )
    content = tuning_content(made)
    assert content is not None
    assert content.systems[0].chosen == "factors = 1 (lowest tried)"
    assert parameters_text({"k": 9, "x": 0.5}, {"k": "highest"}) == "k = 9 (highest tried), x = 0.5"


def test_the_command_prints_what_was_chosen(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "tuned.toml"
    file.write_text(toml_text(TABLE))
    assert main(["run", str(file), "--store", "none", "--set", "tuning.budget=2"]) == 0
    shown = capsys.readouterr().out
    assert "Tuned on validation ratings, by nDCG@10" in shown
    assert "chosen" in shown


def test_definitions_with_ranges_and_tuning_fit_the_schema() -> None:
    validator = Draft202012Validator(definition_schema())
    for tuning in ({"budget": 4}, {"budget": "600 s"}, {"budget": {"kNN": 3}, "search": "grid"}):
        validator.validate({**TABLE, "tuning": tuning})
    validator.validate({**TABLE, "systems": {"kNN": {"name": "user-kNN", "k": "tune(2..9)"}}})
    wrong = {**TABLE, "systems": {"kNN": {"name": "user-kNN", "k": "many"}}}
    assert not validator.is_valid(wrong)


def test_an_estimate_counts_the_trials() -> None:
    asked, plain = read_table(TABLE), {"kNN": "user-kNN", "PureSVD": "PureSVD", "P": "Popularity"}
    untuned = read_table({**TABLE, "systems": plain, "tuning": None})
    assert estimate(asked, Pipeline()).fits == 3 + 2 * 4
    assert estimate(untuned, Pipeline()).fits == 3
    timed = estimate(read_table({**TABLE, "tuning": {"budget": "600 s"}}), Pipeline())
    assert timed.seconds - estimate(untuned, Pipeline()).seconds == pytest.approx(1200, abs=5)
