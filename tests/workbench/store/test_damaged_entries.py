"""Hundreds of damaged and forged entries, one after the other: every one is noticed and mended."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.resources.fit_times import KIND
from cranfield.workbench.store.store import Store
from experiment_cases import experiment_of, same_scores
from forgeries import FALSE_BUT_WELL_FORMED, FORGED, joined, split_file

SYSTEMS = {"Popularity": "Popularity", "kNN": "user-kNN(k=5)", "SVD": "PureSVD(factors=3)"}
MADE_OF_FITS = ("hits", "lists", "scores")


def flip_a_bit(content: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]


def cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content))]


def lengthen(content: bytes, rng: random.Random) -> bytes:
    return content + rng.randbytes(rng.randint(1, 100))


def take_out(content: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(content))
    return content[:start] + content[start + rng.randint(1, 64) :]


def overwrite(content: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(content))
    noise = rng.randbytes(rng.randint(8, 4096))
    return (content[:start] + noise + content[start + len(noise) :])[: len(content)]


def forge(content: bytes, rng: random.Random) -> bytes:
    """Another header, with the fingerprint that goes with it."""
    header, body = split_file(content)
    names = [name for name in FORGED if name not in FALSE_BUT_WELL_FORMED]
    before = json.dumps(header)
    while json.dumps(header) == before:
        with suppress(IndexError):  # this one has no array to forge
            FORGED[rng.choice(names)](header)
    return joined(json.dumps(header), body)


DAMAGE: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flip_a_bit, cut, lengthen, take_out, overwrite, forge, forge, forge,
)  # fmt: skip


def damage_one(folder: Path, kind: str, rng: random.Random) -> None:
    """Damage an entry of a kind; what was made of a fit goes, so that the fit is asked for."""
    path = rng.choice(sorted((folder / kind).rglob("*.entry")))
    path.write_bytes(rng.choice(DAMAGE)(path.read_bytes(), rng))
    for made in MADE_OF_FITS if kind == "fit" else ():
        shutil.rmtree(folder / made, ignore_errors=True)


def check_damage(folder: Path, times: int, seed: int) -> None:
    asked: Any = experiment_of(systems=SYSTEMS, assess=["discriminative-power"])
    plain, said, rng = execute(asked), list[str](), random.Random(seed)
    store = Store(folder, say=said.append)
    execute(asked, Pipeline(store))
    others = ("locks", KIND)  # only estimates read the times of fits
    kinds = sorted(place.name for place in folder.iterdir() if place.name not in others)
    assert len(kinds) > 6
    for number in range(times):
        damage_one(folder, kinds[number % len(kinds)], rng)
        found = execute(asked, Pipeline(store))
        assert len(said) == number + 1, kinds[number % len(kinds)]
        assert "damaged" in said[-1]
        assert same_scores(found.scores, plain.scores)
        assert found.assessments[0].to_dict() == plain.assessments[0].to_dict()
    assert store.check().entries == 0


def test_damaged_and_forged_entries_are_noticed_and_mended(tmp_path: Path) -> None:
    check_damage(tmp_path, times=10, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_a_hundred_damaged_and_forged_entries_are_noticed_and_mended(
    tmp_path: Path, seed: int
) -> None:
    check_damage(tmp_path, times=100, seed=seed)
