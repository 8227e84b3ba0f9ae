"""Studies of several data sets, from a definition to files and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.base.errors import OptionError, Unverified
from cranfield.workbench.cli.main import main
from cranfield.workbench.results.data_sets import folders_of
from cranfield.workbench.results.schema import results_schema

DATA: dict[str, dict[str, Any]] = {
    "rated": {"source": "simulated(size=tiny)"},
    "sparse/low": {"source": "simulated(size=tiny, mnar=0)", "relevance": 3},
}
DEFINITION: dict[str, Any] = {
    "title": "Two worlds",
    "data": DATA,
    "split": "per-user(test_share=0.4)",
    "relevance": 4,
    "metrics": ["nDCG@5", "P@5"],
    "systems": {"Popularity": "Popularity", "kNN": "user-kNN(k=5)", "Random": "Random"},
    "seed": 3,
}
STUDY = {"study": {"vary": {"cutoff": [3, 5]}, "draws": 50}}
TOML = """
title = "Two worlds"
split = "per-user(test_share=0.4)"
relevance = 4
metrics = ["nDCG@5", "P@5"]
systems = { Popularity = "Popularity", kNN = "user-kNN(k=5)", Random = "Random" }
seed = 3
[data.rated]
source = "simulated(size=tiny)"
[data."sparse/low"]
source = "simulated(size=tiny, mnar=0)"
relevance = 3
[study]
draws = 50
[study.vary]
cutoff = [3, 5]
"""


@pytest.fixture(scope="module")
def results() -> cf.ResultsByDataSet:
    return cf.study_data_sets({**DEFINITION, **STUDY})


def figures(results: cf.Results | cf.StudyResults) -> dict[str, Any]:
    """All that is recorded but what it took."""
    record = results.to_dict()
    for each in (record, record.get("base", {})):
        for name in ("seconds", "costs", "machine", "versions", "title", "study", "decisions"):
            each.pop(name, None)
    return record


def test_each_data_set_has_the_figures_that_it_has_by_itself(results: cf.ResultsByDataSet) -> None:
    for name, own in DATA.items():
        answers = {key: each for key, each in own.items() if key != "source"}
        alone = cf.study({**DEFINITION, **STUDY, **answers, "data": own["source"]})
        assert figures(results[name]) == figures(alone)


@pytest.mark.long
def test_a_file_and_a_table_give_the_same_bits(
    results: cf.ResultsByDataSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "study.toml").write_text(TOML)
    words = ["run", str(tmp_path / "study.toml"), "--out", str(tmp_path / "out")]
    assert main([*words, "--store", str(tmp_path / "store")]) == 0
    shown = capsys.readouterr().out
    assert results.findings.sentences[0] in " ".join(shown.split())
    again = cf.read_results(tmp_path / "out")
    assert isinstance(again, cf.ResultsByDataSet)
    assert again.to_dict() == results.to_dict()
    assert main(["verify", str(tmp_path / "out")]) == 0
    assert "2 data sets" in capsys.readouterr().out


def test_what_is_read_is_written_again_byte_for_byte(
    results: cf.ResultsByDataSet, tmp_path: Path
) -> None:
    cf.write_results(results, tmp_path / "one")
    cf.write_results(cf.read_results(tmp_path / "one"), tmp_path / "two")
    one, two = (
        {
            path.relative_to(place): path.read_bytes()
            for path in place.rglob("*.*")
            if path.is_file()
        }
        for place in (tmp_path / "one", tmp_path / "two")
    )
    assert {str(path) for path in one} >= {"report.html", "rated/report.html"}
    assert one == two


def test_the_record_fits_its_schema(results: cf.ResultsByDataSet) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    record = json.loads(json.dumps(results.to_dict()))
    jsonschema.validate(record, results_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**record, "data_sets": []}, results_schema())


@pytest.mark.long
def test_falsified_figures_are_found(results: cf.ResultsByDataSet, tmp_path: Path) -> None:
    place = tmp_path / "out"
    cf.write_results(results, place)
    page = place / "report.html"
    page.write_text(page.read_text().replace("kNN", "ours"))
    with pytest.raises(Unverified, match=r"report\.html"):
        cf.verify(place)
    cf.write_results(results, place)
    record = json.loads((place / "results.json").read_text())
    falsified: list[Any] = [{**record["data_sets"], "rated": "elsewhere"}, {}, {"rated": 3}, []]
    for sets in falsified:
        (place / "results.json").write_text(json.dumps({**record, "data_sets": sets}))
        with pytest.raises(cf.CranfieldError, match=str(place)):
            cf.read_results(place)


def test_fewer_data_sets_leave_nothing_of_the_others_behind(
    results: cf.ResultsByDataSet, tmp_path: Path
) -> None:
    cf.write_results(results, tmp_path / "out")
    other = {
        **DEFINITION,
        "data": {"rated": DATA["rated"], "new": {"source": "simulated(size=tiny, skew=2)"}},
    }
    cf.write_results(cf.study_data_sets(other), tmp_path / "out")
    assert {each.name for each in (tmp_path / "out").iterdir() if each.is_dir()} == {"rated", "new"}


def test_a_table_has_every_pair_on_every_data_set_and_over_all(
    results: cf.ResultsByDataSet,
) -> None:
    table = results.to_polars()
    assert len(table) == 2 * 3 * 3  # metrics, pairs, and two data sets with the row over them
    assert table["data_set"].null_count() == 6
    assert len(results.to_pandas()) == 18


def test_it_shows_itself(results: cf.ResultsByDataSet, tmp_path: Path) -> None:
    assert len(repr(results)) < 2000
    assert "Two worlds" in repr(results)
    html = results._repr_html_()
    assert "sparse/low" in html
    results.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert 'href="sparse-low/report.html"' in page
    assert "Hartung" in page
    assert "\\toprule" in results.to_latex()
    assert results.plot("forest-1").axes
    assert list(results) == list(DATA)
    with pytest.raises(cf.CranfieldError, match="rated"):
        _ = results["ratd"]


def test_five_data_sets_have_their_ranks_tested() -> None:
    sources = [f"simulated(size=tiny, seed={seed})" for seed in range(5)]
    made = cf.study_data_sets({**DEFINITION, "data": sources})
    assert set(made.findings.ranks) == {"nDCG@5", "P@5"}
    names = {"forest-1", "forest-2", "ranks-1", "ranks-2", "traits"}
    for name in names:
        assert made.plot(name).axes


@pytest.mark.parametrize(
    ("verb", "definition", "said"),
    [
        (cf.study, {**DEFINITION, **STUDY}, "study_data_sets"),
        (cf.run, DEFINITION, "study_data_sets"),
        (cf.study_data_sets, {**DEFINITION, "data": "simulated(size=tiny)"}, "one data set"),
    ],
)
def test_each_verb_says_which_other_is_meant(verb: Any, definition: Any, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        verb(definition)


def test_names_become_folders_of_their_own() -> None:
    names = dict.fromkeys(["a/b", "a:b", "simulated(size=tiny)", "..", "ü"])
    found = folders_of(names)
    assert list(found.values()) == ["a-b", "a-b-2", "simulated-size-tiny", "data", "ü"]


def test_a_dry_run_says_what_each_data_set_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "study.toml").write_text(TOML)
    assert main(["run", str(tmp_path / "study.toml"), "--dry-run", "--store", "none"]) == 0
    shown = capsys.readouterr().out
    assert "rated:" in shown
    assert shown.count("2 designs") == 2
