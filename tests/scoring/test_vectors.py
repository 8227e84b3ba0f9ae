"""Every value of rec_eval 10.6 on the reference runs, to its four decimals."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from cranfield.base.options import parse
from cranfield.scoring.measurement.measure import measure
from hit_cases import read_qrels, read_run, trec_hits

VECTORS = Path(__file__).parent / "vectors"
NAMES = {
    "map_cut": "AP",
    "ndcg_cut": "nDCG",
    "recip_rank": "RR",
    "err": "ERR",
    "infAP2": "InfAP",
    "set_F": "F1",
    "success": "Success",
}
CASES = [
    (case, mode) for case in ("dense", "ties", "sparse") for mode in ("", ".complete", ".condensed")
]


def expected(case: str, mode: str) -> dict[str, dict[str, float]]:
    """Our spelling of each measure → user (or "all") → value."""
    values: dict[str, dict[str, float]] = {}
    with gzip.open(VECTORS / f"{case}{mode}.expected.gz", "rt") as lines:
        for line in lines:
            name, user, value = line.split()
            base, _, cutoff = name.rpartition("_")
            own = (
                f"{NAMES.get(base, base)}@{cutoff}" if cutoff.isdecimal() else NAMES.get(name, name)
            )
            values.setdefault(own, {})[user] = float(value)
    return values


@pytest.mark.parametrize(("case", "mode"), CASES)
def test_every_user_and_mean_agrees_with_rec_eval(case: str, mode: str) -> None:
    qrels, run = read_qrels(VECTORS / f"{case}.qrels.gz"), read_run(VECTORS / f"{case}.run.gz")
    users, hits = trec_hits(qrels, run, condensed=mode == ".condensed")
    wanted = expected(case, mode)
    scores = measure(hits, [parse("metric", name) for name in wanted])
    entering = [mode == ".complete" or user in run for user in users]
    compared = 0
    for name, row in zip(wanted, scores, strict=True):
        own = dict(zip(users, row, strict=True))
        for user, value in wanted[name].items():
            found = np.mean(row[entering]) if user == "all" else own[user]
            assert found == pytest.approx(value, abs=0.5e-4 + 1e-9), (name, user)
            compared += 1
    assert compared == sum(map(len, wanted.values())) > 500
