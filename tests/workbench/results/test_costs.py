"""Every result says what it cost, by system and stage, and on which machine."""

from __future__ import annotations

import json
import platform
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.errors import Unverified
from cranfield.workbench.api import verify
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.study.studies import execute_study
from cranfield.workbench.results.costs import Cost, Machine, cost_rows, this_machine
from cranfield.workbench.results.files import write_results
from cranfield.workbench.results.reading import read_results
from cranfield.workbench.results.verify import NOT_COMPARED, differences
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, study_of

MACHINE = Machine("Linux 6", "Fast One", 8, 16 << 30, 4)
COSTS = (Cost("fitting", "A", 1.23456, 2.5, 3 << 20), Cost("targets", "", 0.5, 0.25, 5 << 20))


def test_every_system_has_its_costs_and_the_stages_add_up() -> None:
    made = execute(experiment_of())
    stages = {(each.system, each.stage) for each in made.costs}
    for system in ("Popularity", "Random", "kNN"):
        assert {(system, stage) for stage in ("fitting", "ranking", "scoring")} <= stages
    assert {("", stage) for stage in ("reading_and_splitting", "comparing")} <= stages
    for stage, seconds in made.seconds.items():
        parts = [each.wall_seconds for each in made.costs if each.stage == stage]
        assert sum(parts) == pytest.approx(seconds)
    assert all(each.peak_bytes > 0 for each in made.costs) or platform.system() == "Windows"


def test_what_is_cached_costs_nothing(tmp_path: Path) -> None:
    asked = experiment_of()
    _, again = (execute(asked, Pipeline(Store(tmp_path))) for _ in range(2))
    assert not {each.system for each in again.costs} - {""}


def test_a_study_has_the_costs_of_all_designs() -> None:
    made = execute_study(study_of({"vary": {"split.test_share": [0.2, 0.4]}, "draws": 0}))
    fits = {each.system: each.wall_seconds for each in made.base.costs if each.stage == "fitting"}
    whole = {each.system: each.wall_seconds for each in made.costs if each.stage == "fitting"}
    assert set(fits) == set(whole)
    assert all(whole[name] > fits[name] for name in fits)


def test_costs_are_written_and_read(tmp_path: Path) -> None:
    made = replace(execute(experiment_of()), costs=COSTS, machine=MACHINE)
    write_results(made, tmp_path / "out")
    record = json.loads((tmp_path / "out" / "results.json").read_text())
    assert record["costs"][0] == {
        "stage": "fitting", "system": "A", "wall_seconds": 1.235, "processor_seconds": 2.5,
        "peak_bytes": 3 << 20,
    }  # fmt: skip
    read = read_results(tmp_path / "out")
    assert read.costs == tuple(each.rounded() for each in COSTS)
    assert read.machine == MACHINE  # type: ignore[union-attr]
    write_results(read, tmp_path / "again")
    for name in ("results.json", "report.html"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_records_from_before_costs_are_read(tmp_path: Path) -> None:
    write_results(execute(experiment_of()), tmp_path)
    record = json.loads((tmp_path / "results.json").read_text())
    del record["costs"], record["machine"]
    (tmp_path / "results.json").write_text(json.dumps(record))
    read = read_results(tmp_path)
    assert (read.costs, read.machine) == ((), None)  # type: ignore[union-attr]


def test_the_report_shows_costs_and_machine(tmp_path: Path) -> None:
    made = replace(execute(experiment_of()), costs=COSTS, machine=MACHINE)
    made.report(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert "on Fast One (8 available, 4 used), 16 GiB, Linux 6" in text
    assert ">1.23</td>" in text or ">1.24</td>" in text


def test_rows_have_what_is_shared_first() -> None:
    assert cost_rows(COSTS) == [
        ("all", "targets", "0.50", "0.25", "5"),
        ("A", "fitting", "1.23", "2.50", "3"),
    ]


def test_this_machine_is_known_but_not_by_its_name() -> None:
    found = this_machine()
    assert found.processors >= 1
    assert found.processor
    assert platform.system() in found.system
    assert platform.node() not in str(found)


@pytest.mark.parametrize("study", [False, True])
def test_other_costs_and_machines_are_verified(tmp_path: Path, study: bool) -> None:
    if study:
        of_study = execute_study(study_of({"vary": {"cutoff": [3, 5]}, "draws": 100}))
        base = replace(of_study.base, costs=COSTS, machine=MACHINE)
        write_results(replace(of_study, base=base, costs=COSTS[:1]), tmp_path)
    else:
        write_results(replace(execute(experiment_of()), costs=COSTS, machine=MACHINE), tmp_path)
    verify(tmp_path)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Results of a run and of a study."""
    place = tmp_path_factory.mktemp("costs")
    write_results(execute(experiment_of()), place / "run")
    study = study_of({"vary": {"cutoff": [3, 5]}, "draws": 100})
    write_results(execute_study(study), place / "study")
    return {name: place / name for name in ("run", "study")}


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("run", ["costs"], "much"),
        ("run", ["costs"], [{"stage": 1}]),
        ("run", ["costs"], [{"stage": "fitting"}]),
        ("run", ["costs"], None),
        ("run", ["machine"], {"system": "fast"}),
        ("run", ["seconds"], {"fitting": "few"}),
        ("run", ["versions"], {}),
        ("study", ["base", "costs"], "much"),
        ("study", ["costs"], "much"),
    ],
)
def test_costs_that_are_none_are_found(
    folders: dict[str, Path], kind: str, path: list[str], value: object, tmp_path: Path
) -> None:
    shutil.copytree(folders[kind], tmp_path / "out")
    record = inner = json.loads((tmp_path / "out" / "results.json").read_text())
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    (tmp_path / "out" / "results.json").write_text(json.dumps(record))
    with pytest.raises(Unverified, match=rf"\b{re.escape('.'.join(path))}\b"):
        verify(tmp_path / "out")


def test_a_system_may_be_called_like_what_is_not_compared() -> None:
    one, other = ({"systems": {"costs": {"P@5": {"value": value}}}} for value in (0.1, 0.2))
    assert differences(one, other) == ["systems.costs.P@5.value"]
    assert differences({"costs": 1, "base": {"machine": 1}}, {"costs": 2, "base": {}}) == []


def test_runs_that_are_read_have_costs(tmp_path: Path) -> None:
    run = tmp_path / "mine.csv"
    run.write_text("user,item,score\nu0001,i0002,0.5\nu0002,i0003,0.25\n")
    made = execute(experiment_of(runs={"mine": str(run)}))
    found = {each.stage for each in made.costs if each.system == "mine"}
    assert found == {"reading_runs", "scoring"}


MADE_UP = st.builds(
    Cost,
    stage=st.just("fitting"),
    system=st.just("A"),
    wall_seconds=st.integers(0, 999).map(float),
    processor_seconds=st.integers(0, 999).map(float),
    peak_bytes=st.integers(0, 1 << 40),
)


@given(MADE_UP, MADE_UP, MADE_UP)
def test_costs_add_up_in_any_order(one: Cost, two: Cost, three: Cost) -> None:
    assert one.plus(two) == two.plus(one)
    assert one.plus(two).plus(three) == one.plus(two.plus(three))
    assert one.plus(two).peak_bytes == max(one.peak_bytes, two.peak_bytes)
    assert one.rounded().rounded() == one.rounded()


def test_a_machine_without_known_memory_says_nothing_of_it() -> None:
    assert str(MACHINE) == "Fast One (8 available, 4 used), 16 GiB, Linux 6"
    assert str(replace(MACHINE, memory_bytes=0)) == "Fast One (8 available, 4 used), Linux 6"


def test_threads_are_those_that_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_THREADS", "3")
    assert this_machine().threads == 3


def test_costs_do_not_touch_the_figures(tmp_path: Path) -> None:
    """With a store, without, and with other costs: the same record but for what is not compared."""
    asked = experiment_of()
    made = [execute(asked), execute(asked, Pipeline(Store(tmp_path)))]
    made.append(replace(made[0], costs=COSTS, machine=None))
    records = [
        {name: each for name, each in one.to_dict().items() if name not in NOT_COMPARED}
        for one in made
    ]
    assert records[0] == records[1] == records[2]
