"""The command line against rec_eval 10.6: from files to means and scores of every user."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from cranfield.workbench.cli.main import main

VECTORS = Path(__file__).parents[2] / "scoring" / "vectors"
NAMES = {
    "P": "P",
    "recall": "Recall",
    "map_cut": "AP",
    "ndcg_cut": "nDCG",
    "success": "Success",
    "recip_rank": "RR",
    "err": "ERR",
    "bpref": "Bpref",
    "infAP2": "InfAP",
    "Rprec": "Rprec",
    "set_F": "F1",
}
MODES = {
    "": ["--topics", "run"],
    ".complete": ["--topics", "judged"],
    ".condensed": ["--topics", "run", "--targets", "condensed"],
}


def own_name(name: str) -> str:
    """The name under which the command line shows a measure of rec_eval."""
    base, _, cutoff = name.rpartition("_")
    return f"{NAMES[base]}@{cutoff}" if cutoff.isdecimal() else NAMES[name]


def expected(case: str, mode: str) -> dict[tuple[str, str], float]:
    with gzip.open(VECTORS / f"{case}{mode}.expected.gz", "rt") as lines:
        rows = [line.split() for line in lines]
    return {(own_name(name), user): float(value) for name, user, value in rows}


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", ["dense", "ties", "sparse"])
def test_the_command_line_agrees_with_rec_eval(
    case: str, mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = expected(case, mode)
    metrics = dict.fromkeys(name for name, _ in wanted)
    files = ["--judgments", str(VECTORS / f"{case}.qrels.gz")]
    files += ["--run", f"mine={VECTORS / f'{case}.run.gz'}"]
    files += ["--json", str(tmp_path / "out.json"), "--per-user", str(tmp_path / "out.parquet")]
    asked = [word for metric in metrics for word in ("-m", metric)]
    decisions = ["--relevance", "4", "--ties", "trec_eval", "--undefined", "zero", *MODES[mode]]
    assert main(["evaluate", *files, *asked, *decisions]) == 0
    means = json.loads((tmp_path / "out.json").read_text())["systems"]["mine"]
    table = pl.read_parquet(tmp_path / "out.parquet").fill_null(0)
    scores = {(m, u): s for u, m, s in table.select("user_id", "metric", "score").iter_rows()}
    for (metric, user), value in wanted.items():
        found = means[metric]["mean"] if user == "all" else scores[metric, user]
        assert found == pytest.approx(value, abs=0.5e-4 + 1e-9), (metric, user)
    assert len(wanted) > 500
