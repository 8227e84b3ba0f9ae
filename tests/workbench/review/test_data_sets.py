"""Reviews of several data sets: one checklist over all, and two such results side by side."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.base.errors import OptionError
from cranfield.workbench.cli.main import main
from cranfield.workbench.review.checklist import Checklist, checklist_schema, make_checklist
from cranfield.workbench.review.comparison import comparison_schema
from cranfield.workbench.review.fact import Fact, answered, missing, partly
from cranfield.workbench.review.item import ChecklistItem, make_item
from cranfield.workbench.review.questions import Question
from experiment_cases import table_of, write_ratings
from latex_reader import printed
from page_reader import read_page

Captured = pytest.CaptureFixture[str]

DATA: dict[str, dict[str, Any]] = {
    "dense": {"source": "simulated(size=tiny, mnar=0)"},
    "sparse/low": {"source": "simulated(size=tiny)", "relevance": 3, "filters": ["k-core(k=3)"]},
}


@cache
def results(**changes: Any) -> cf.ResultsByDataSet:
    data = {**DATA, "dense": {**DATA["dense"], **changes}}
    return cf.study_data_sets(table_of(title="Both", data=data))


@cache
def with_other() -> cf.ResultsByDataSet:
    """Results of which one data set is another."""
    third = {"source": "simulated(size=tiny, seed=8)"}
    return cf.study_data_sets(table_of(data={"dense": DATA["dense"], "third": third}))


@cache
def study() -> cf.ResultsByDataSet:
    varied = {"vary": {"cutoff": [3, 5]}, "draws": 50}
    return cf.study_data_sets({**table_of(data=DATA), "study": varied})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("results")
    cf.write_results(results(), place / "one")
    cf.write_results(with_other(), place / "two")
    return place


def items(made: Checklist) -> dict[str, ChecklistItem]:
    return {each.name: each for each in made.items}


def test_there_is_one_checklist_over_all_data_sets() -> None:
    made = cf.checklist(results())
    assert made.heading.startswith("Both. 25 items: ")
    variety = items(made)["data-variety"]
    assert variety.answer.startswith("2 data sets were used: dense and sparse/low. ")
    assert results().findings.sentences[0] in variety.answer
    assert (variety.state, variety.advice) == ("partly", "Add data of people.")


def test_what_differs_is_answered_by_data_set_and_the_rest_once() -> None:
    found = items(cf.checklist(results()))
    assert list(found["data"].answers) == ["dense", "sparse/low"]
    assert found["preprocessing"].answers["dense"] == "No rating was left out."
    assert found["preprocessing"].answers["sparse/low"].startswith("The 3-core")
    relevant = {name: f"A test rating of at least {n} is relevant." for name, n in
                (("dense", 4), ("sparse/low", 3))}  # fmt: skip
    for name, said in relevant.items():
        assert said in found["metrics"].answers[name]
    assert "Share of the top n that is relevant." in found["metrics"].answer
    assert found["ranked-items"].answers == found["software"].answers == {}


def test_an_item_of_one_data_set_is_what_its_own_checklist_says() -> None:
    alone = {name: items(make_checklist(each)) for name, each in results().by_data_set.items()}
    over = ("data-variety", "effect-sizes", "compute", "plan", "documentation")
    for name, item in items(cf.checklist(results())).items():
        if name in over:
            continue
        assert {each[name].state for each in alone.values()} == {item.state}
        for data_set, own in alone.items():
            for sentence in own[name].answer.split(". "):
                told = " ".join(t for n, t in item.answers.items() if data_set in n.split(" and "))
                assert sentence.rstrip(".") in f"{item.answer} {told}"


def test_differences_and_costs_are_over_all_data_sets() -> None:
    found = items(cf.checklist(study()))
    assert study().findings.sentences[1] in found["effect-sizes"].answer
    assert study().findings.sentences[-1] in found["data-variety"].answer
    assert found["robustness"].state == "answered"
    assert "for both data sets. dense " in found["compute"].answer
    assert "Processor time by system: " in found["compute"].answer
    assert found["compute"].answer.count(" GiB") == 4  # all, each, and the machine


def test_a_single_system_leaves_sizes_to_be_said() -> None:
    bare = {
        name: replace(each, comparison=None, costs=())
        for name, each in results().by_data_set.items()
        if isinstance(each, cf.Results)
    }
    found = items(make_checklist(replace(results(), by_data_set=bare)))
    assert "Say why some comparisons on dense and sparse/low" in found["effect-sizes"].advice
    assert found["compute"].state == "missing"


def test_data_of_people_and_others_answer_for_variety(tmp_path: Path) -> None:
    rows = [(user, item, 1.0 + (user * item) % 5) for user in range(12) for item in range(20)]
    file = str(write_ratings(tmp_path / "mine.csv", rows))
    data = {"dense": DATA["dense"], "mine": {"source": file}}
    found = items(cf.checklist(cf.study_data_sets(table_of(data=data))))
    assert found["data-variety"].state == "answered"
    assert found["data-variety"].answer.endswith("dense is simulated.")
    assert found["data"].state == "partly"
    assert found["data"].advice == (
        "Name the published data set and its version, and cite it (mine)."
    )
    one = cf.study_data_sets(table_of(data={"mine": {"source": file}}))
    assert items(cf.checklist(one))["data-variety"].state == "partly"


def test_a_plan_of_all_data_sets_is_known() -> None:
    asked = table_of(title="Both", data=DATA)
    made = cf.study_data_sets(asked, plan=cf.plan(asked))
    followed, none = (items(cf.checklist(each))["plan"] for each in (made, results()))
    assert (followed.state, none.state) == ("answered", "missing")
    assert made.plan is not None
    assert followed.answer == made.plan.sentences[0]


def test_the_checklist_of_one_data_set_names_those_beside_it(folder: Path) -> None:
    found = items(cf.checklist(folder / "one" / "sparse-low"))["data-variety"]
    assert found.answer == "This is one of 2 data sets; dense stands beside it in the same folder."
    assert found.advice.startswith("Make the checklist of the folder above")
    alone = items(cf.checklist(results()["sparse/low"]))["data-variety"]
    assert alone.answer == "The only data are simulated."


def test_a_folder_that_is_no_part_of_the_study_has_none_beside_it(folder: Path) -> None:
    cf.write_results(results()["dense"], folder / "one" / "mine")
    found = items(cf.checklist(folder / "one" / "mine"))["data-variety"]
    assert found.answer == "The only data are simulated."


@pytest.mark.parametrize("suffix", [".md", ".html", ".tex", ".json"])
def test_command_and_python_write_the_same(folder: Path, tmp_path: Path, suffix: str) -> None:
    one, two = str(folder / "one"), str(folder / "two")
    out, own = tmp_path / f"command{suffix}", tmp_path / f"own{suffix}"
    for command in (["checklist", one], ["compare-results", one, two]):
        assert main([*command, "--out", str(out)]) == 0
        if command[0] == "checklist":
            cf.checklist(one).write(own)
        else:
            cf.compare_results(one, two).write(own)
        assert out.read_bytes() == own.read_bytes()
        if suffix == ".html":
            read_page(out.read_text())


def test_every_form_has_the_answers_of_single_data_sets(folder: Path, capsys: Captured) -> None:
    made = cf.checklist(folder / "one")
    assert main(["checklist", str(folder / "one")]) == 0
    shown = capsys.readouterr().out
    answers = [text for each in made.items for text in each.answers.values()]
    assert len(answers) > 10
    assert "    · sparse/low: The 3-core" in shown
    assert "  - *dense:* No rating was left out." in made.to_markdown()
    (line,) = [each for each in made.to_latex().splitlines() if "No rating was left out" in each]
    plain = printed(re.sub(r"\\(item|emph|textbf)", "", line))
    assert " dense: No rating was left out. sparse/low: The 3-core" in plain
    cell = made.to_polars().filter(name="preprocessing")["answer"].item()
    assert cell.startswith("dense: No rating was left out. sparse/low: The 3-core")


def test_checklists_are_as_their_schema_says(folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    record = json.loads(json.dumps(cf.checklist(folder / "one").to_dict()))
    jsonschema.validate(record, checklist_schema())
    record["items"][0]["answers"] = ["dense"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record, checklist_schema())


FACT = st.sampled_from(
    [answered("Yes."), answered("All."), partly("Some.", "Do more."), missing("No.", "Do it.")]
)
NAMES = ("a", "b", "c")


@given(st.lists(st.tuples(FACT, FACT, FACT), min_size=1, max_size=3))
def test_an_item_says_all_that_its_facts_say_and_nothing_twice(
    drawn: list[tuple[Fact, Fact, Fact]],
) -> None:
    facts = [dict(zip(NAMES, each, strict=True)) for each in drawn]
    item = make_item(Question(name="x", topic="T", asks="?"), facts)
    every = [fact for each in facts for fact in each.values()]
    assert (item.state == "answered") == all(each.state == "answered" for each in every)
    assert (item.state == "missing") == all(each.state == "missing" for each in every)
    assert bool(item.advice) == (item.state != "answered")
    for name in NAMES:
        own = " ".join(t for n, t in item.answers.items() if name in n.replace(" and ", ", "))
        for fact in facts:
            assert fact[name].text in f"{item.answer} {own}"
    for fact in facts:
        if len(set(fact.values())) == 1:
            assert fact["a"].text in item.answer


def test_the_same_results_are_equal_over_all_data_sets() -> None:
    made = cf.compare_results(results(), results())
    assert [each.explanation.kind for each in made.differences] == ["equal", "equal"]
    (over,) = made.over
    assert (over.pooled, over.conclusions, over.only_first) == ((), (), ())
    assert over.common == 6
    assert "2 data sets are in both: dense, sparse/low." in made.sentence
    assert "the 6 differences of two systems that both have are equal." in made.sentence
    assert made.tables("results 2") == []


def test_a_decision_of_one_data_set_explains_what_differs_over_them() -> None:
    made = cf.compare_results(results(), results(relevance=5))
    dense, sparse = made.differences
    assert (dense.data_set, sparse.data_set) == ("dense", "sparse/low")
    assert dense.explanation.causes == ("relevance",)
    assert sparse.explanation.kind == "equal"
    assert ": values differ on dense." in made.sentence
    (over,) = made.over
    estimates = {(e.metric, e.system, e.other): e for e in over.pooled}
    for each, found in ((results(), "first"), (results(relevance=5), "second")):
        for pair in each.findings.pairs:
            one, other = sorted((pair.first, pair.second))
            if (pair.metric, one, other) in estimates and pair.combined is not None:
                sign = 1 if one == pair.first else -1
                known = getattr(estimates[pair.metric, one, other], found)
                assert known == sign * pair.combined.estimate
    captions = [each.caption.partition(",")[0] for each in made.tables("results 2")]
    assert captions[0] == "Differences over data sets that differ"
    assert captions[-1] == "Values that differ"


def test_differences_of_one_data_set_are_those_of_its_results() -> None:
    made = cf.compare_results(results(), results(relevance=5))
    alone = cf.compare_results(results()["dense"], results(relevance=5)["dense"]).differences[0]
    assert replace(made.differences[0], data_set=None) == alone


def test_data_sets_of_one_alone_are_named() -> None:
    made = cf.compare_results(results(), with_other())
    (over,) = made.over
    assert (over.both, over.only_first, over.only_second) == (
        ("dense",), ("sparse/low",), ("third",)
    )  # fmt: skip
    assert "1 data set is in both: dense. Only results 1 has sparse/low." in made.sentence
    assert "Only results 2 has third." in made.sentence
    assert "differ: the data sets are not the same." in made.sentence
    assert [each.data_set for each in made.differences] == ["dense"]


def test_without_a_common_data_set_that_is_said() -> None:
    third = {"third": {"source": "simulated(size=tiny, seed=8)"}}
    made = cf.compare_results(results(), cf.study_data_sets(table_of(data=third)))
    assert made.differences == ()
    assert made.sentence.startswith("They have no data set in common. Only results 1 has dense and")
    assert list(made.by_results) == ["results 2"]
    assert "They have no data set in common." in made.to_markdown()


def test_what_differs_on_all_data_sets_has_one_row() -> None:
    other = cf.study_data_sets(table_of(title="Both", data=DATA, seed=6))
    made = cf.compare_results(results(), other)
    (decided,) = [e for e in made.tables("results 2") if e.caption.startswith("Decisions that")]
    assert decided.headings == ("data set", "what", "results 1", "results 2")
    assert decided.rows == [("all", "seed", "0", "6")]


def test_several_results_are_each_held_against_the_first() -> None:
    made = cf.compare_results(results(), results(relevance=5), with_other())
    assert list(made.by_results) == ["results 2", "results 3"]
    assert made.sentence.startswith("results 2: 2 data sets are in both")
    assert " results 3: 1 data set is in both" in made.sentence
    table = made.to_polars()
    assert table.columns[:2] == ["results", "data_set"]
    assert set(table["data_set"]) == {"dense"}
    assert repr(made).startswith("ResultsComparison(results 1")


def test_one_and_several_data_sets_are_not_compared(folder: Path, capsys: Captured) -> None:
    one, part = str(folder / "one"), str(folder / "one" / "dense")
    for words in ([one, part], [part, one]):
        assert main(["compare-results", *words]) == 1
        said = capsys.readouterr().err
        assert f"{part} is of one data set, {one} of several." in said
        assert "Give one of its folders: dense, sparse-low." in said
    with pytest.raises(OptionError, match="results 2 is of one data set, results 1 of several"):
        cf.compare_results(results(), results()["dense"])
    assert main(["compare-results", part, part]) == 0


def test_comparisons_are_as_their_schema_says(folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    made = cf.compare_results(folder / "one", folder / "two")
    record = json.loads(json.dumps(made.to_dict()))
    jsonschema.validate(record, comparison_schema())
    record["over"][0]["both"] = "dense"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record, comparison_schema())


def test_names_of_data_sets_stay_text_in_every_form() -> None:
    hostile = "<script>*x*</script>"
    parts = {hostile: results()["dense"], "other": results()["sparse/low"]}
    made = make_checklist(replace(results(), by_data_set=parts))
    assert "<script>" not in made.to_markdown()
    assert "<script>*" not in made._repr_html_()
