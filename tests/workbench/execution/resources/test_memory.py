"""Memory: what each stage holds is foreseen, and grows with what it depends on."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cranfield.base.options import parse
from cranfield.significance import resampling
from cranfield.workbench import inventory
from cranfield.workbench.execution.resources import memory
from cranfield.workbench.execution.resources.memory import Sizes, bytes_by_stage, bytes_of_fit
from experiment_cases import file_of

inventory.load()

SIZES = Sizes(users=1000, items=500, train=50_000, topics=1000, judged=9000, depth=11)


def system(spelled: str) -> Any:
    return parse("recommender", spelled)


@pytest.mark.long
def test_memory_counts_what_the_process_has() -> None:
    before = memory.bytes_so_far()
    assert 50 << 20 < before < 1 << 40
    held = bytearray(before + (64 << 20))
    assert memory.bytes_so_far() >= before
    del held


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="present memory is told on Linux")
def test_present_memory_falls_when_memory_is_given_back() -> None:
    before = memory.bytes_now()
    held = bytearray(b"1" * (256 << 20))
    during = memory.bytes_now()
    del held
    assert during - before > 200 << 20
    assert memory.bytes_now() < during - (200 << 20)
    assert memory.bytes_now() <= memory.bytes_so_far()


def test_the_memory_of_a_joint_test_is_bounded() -> None:
    assert memory.bytes_of_draws(0, 1000, 500) == 0
    small, large = (memory.bytes_of_draws(10_000, users, 500) for users in (100, 10**9))
    assert small < large < 1 << 30


def test_the_memory_of_a_test_grows_with_its_scores_and_draws() -> None:
    without = memory.bytes_of_test(0, 1000, 8)
    assert 0 < without < memory.bytes_of_test(0, 1000, 16) < memory.bytes_of_test(0, 2000, 16)
    assert memory.bytes_of_test(100, 1000, 8) == without + 8 * 100 * 1000


def test_the_draws_of_a_test_take_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "thread_count", lambda: 2)
    taken = [memory.bytes_of_test(10**6, users, 0) for users in (10**5, 10**6)]
    assert all(60 << 20 < each <= 64 << 20 for each in taken)


def test_a_dense_matrix_counts_with_its_items() -> None:
    assert bytes_of_fit(system("EASE"), replace(SIZES, items=1000)) == 8 * 1000 * 2024
    assert bytes_of_fit(system("Popularity"), SIZES) == 0


def test_factors_and_neighbours_count_with_their_numbers() -> None:
    for few, many in (("WRMF(factors=2)", "WRMF(factors=64)"), ("user-kNN(k=2)", "user-kNN(k=50)")):
        assert bytes_of_fit(system(few), SIZES) < bytes_of_fit(system(many), SIZES)
    more = replace(SIZES, users=10**6)
    grown = [
        bytes_of_fit(system(name), more) - bytes_of_fit(system(name), SIZES)
        for name in ("user-kNN(k=20)", "item-kNN(k=20)", "LDA(topics=10)")
    ]
    assert grown == [12 * 999_000 * 20, 0, 16 * 999_000 * 10]


@pytest.mark.parametrize(
    ("change", "stages"),
    [
        ({"judged": 10**9}, {"ranking", "scoring", "comparing"}),
        ({"topics": 10**8}, {"ranking", "scoring", "comparing"}),
        ({"train": 10**9}, {"fitting", "ranking", "scoring", "comparing"}),
    ],
)
def test_each_stage_grows_with_what_it_holds(change: dict[str, int], stages: set[str]) -> None:
    systems = [system("WRMF")]
    before = bytes_by_stage(SIZES, systems, scores=0, compared=0)
    after = bytes_by_stage(replace(SIZES, **change), systems, scores=0, compared=0)
    assert {name for name in before if after[name] > before[name] + (1 << 30)} == stages


def test_what_was_found_of_earlier_systems_counts_when_the_next_is_fitted_and_ranked() -> None:
    one, two = ([system("Popularity")] * count for count in (1, 2))
    scores, hits = 10**9, replace(SIZES, judged=10**9)
    for sizes, least in ((SIZES, 8 * scores), (hits, 24 * hits.judged)):
        alone = bytes_by_stage(sizes, one, scores=scores, compared=0)
        after = bytes_by_stage(sizes, two, scores=scores, compared=0)
        for stage in ("fitting", "ranking"):
            assert after[stage] > alone[stage] + least - (1 << 28)


def test_scores_and_tests_count_where_they_are_held() -> None:
    before = bytes_by_stage(SIZES, [], scores=0, compared=0)
    after = bytes_by_stage(SIZES, [], scores=10**9, compared=1 << 40)
    grown = {name for name in before if after[name] > before[name] + (1 << 30)}
    assert grown == {"scoring", "comparing"}
    assert after["comparing"] > after["scoring"] + (1 << 39)


_MEASURE = """
import json, sys
from contextlib import contextmanager
from pathlib import Path
from cranfield.workbench.cli import run
from cranfield.workbench.cli.main import main
from cranfield.workbench.execution.resources.timing import Timing

made, estimate, timed, peaks = [], run.estimate, Timing.of, {}
run.estimate = lambda *given: made.append(estimate(*given)) or made[0]

@contextmanager
def of(self, stage, *system):
    Path("/proc/self/clear_refs").write_text("5")  # the peak is that of now
    with timed(self, stage, *system):
        yield
    told = Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]
    peaks[stage] = max(peaks.get(stage, 0), 1024 * int(told))

Timing.of = of
assert main(sys.argv[1:]) == 0
print(json.dumps([made[0].memory, peaks]))
"""


def foreseen_and_used(file: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Bytes of each stage by the estimate, and as it ran."""
    command = ["run", str(file), "--store", "none"]
    for _ in range(2):  # the first compiles what was not compiled yet
        done = subprocess.run(
            [sys.executable, "-c", _MEASURE, *command], capture_output=True, text=True, check=True
        )
    foreseen, used = json.loads(done.stdout.splitlines()[-1])
    return foreseen, used


on_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="the peak of a stage is told on Linux"
)


def require_near(foreseen: dict[str, int], used: dict[str, int]) -> None:
    """What was foreseen of each stage is within a quarter of what it used."""
    for stage in ("fitting", "ranking", "scoring", "comparing"):
        assert used[stage] / 1.25 < foreseen[stage] < used[stage] * 1.25, (stage, foreseen, used)


@pytest.mark.slow
@on_linux
@pytest.mark.parametrize(
    ("data", "systems"),
    [
        (
            "power-law(users=200000, items=10000, ratings=6000000)",
            ("Popularity", "WRMF(factors=16, iterations=1)"),
        ),
        (
            "power-law(users=100000, items=2000, ratings=1000000)",
            ("item-kNN", "PureSVD(factors=16)", "BPRMF(factors=64, epochs=1)", "user-kNN(k=20)"),
        ),
    ],
    ids=["many ratings", "many systems"],
)
def test_the_memory_of_each_stage_is_within_a_quarter_of_what_it_uses(
    data: str, systems: tuple[str, ...], tmp_path: Path
) -> None:
    named = {f"S{number}": spelled for number, spelled in enumerate(systems)}
    file = file_of(tmp_path, data=data, systems=named, metrics=["nDCG@10"])
    require_near(*foreseen_and_used(file))


@pytest.mark.slow
@on_linux
@pytest.mark.parametrize("test", ["t", "permutation", "randomised-hsd", "bootstrap"])
def test_the_memory_of_comparing_is_within_a_quarter_of_what_it_uses(
    test: str, tmp_path: Path
) -> None:
    file = file_of(
        tmp_path,
        data="power-law(users=100000, items=2000, ratings=2000000)",
        systems={name: name for name in ("Popularity", "AverageRating", "MedianRating", "Random")},
        metrics=["nDCG@10", "P@10", "AP@10", "RR@10"],
        comparison={"test": test if test == "t" else f"{test}(draws=1000)"},
    )
    require_near(*foreseen_and_used(file))
