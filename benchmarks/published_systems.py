"""The 21 systems of valcarce2018 on the authors' own split, beside the authors' figures.

    python benchmarks/published_systems.py [--write docs/3-recommendation.md]

Needs $CRANFIELD_DATA (with movielens-1m/ratings.parquet) and $CRANFIELD_PUBLISHED (with
valcarce2018/). Fits and ranks every system with the parameters recorded in
recommendation/published.toml, to depth 100 over all items but the user's training items,
then two systems of canamares2020 on a random half. Prints the tables, or puts them
between the marks of a page. Fails if the 21 take 15 minutes or 4 GiB.
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import sys
import time
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from single_system import Ranking, all_items, rank_all

import cranfield as cf
from cranfield.base.options import parse
from cranfield.base.threads import thread_count
from cranfield.collection.test_collection import TestCollection, collect
from cranfield.scoring.expectation.expectation import expect
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from cranfield.workbench import inventory

SEED = 1
MOST_SECONDS, MOST_GIBIBYTES = 15 * 60, 4.0
NAMES = {"Popularity": "Pop", "UIR-Item": "UIR"}
"""What the authors call a system, where it is not what we call it."""
COLUMNS = {"P@100": "P_100", "nDCG@100": "ndcg_cut_100", "P@10": "P_10"}
"""Our metrics, and the authors' columns."""
HALVES = {"user-kNN(k=100)": (0.416, 0.452), "MF": (0.423, 0.455)}
"""P@10 and nDCG@10 of canamares2020, Table 2."""
OTHER = {
    "MF(regularisation=30.0, alpha=0.5)": HALVES["MF"],
    "MF(preference=rating)": HALVES["MF"],
    "MF(regularisation=30.0, alpha=2.0, preference=rating)": HALVES["MF"],
}
"""Parameters that canamares2020 does not print, beside the same figures."""
STAGES = ("fitting", "ranking")

Values = dict[str, float]


def movielens() -> cf.Ratings:
    path = Path(os.environ["CRANFIELD_DATA"], "movielens-1m", "ratings.parquet")
    return cf.read(path)


def published(name: str) -> Path:
    return Path(os.environ["CRANFIELD_PUBLISHED"], "valcarce2018", name)


def authors_split(whole: cf.Ratings) -> TestCollection:
    """The authors' test ratings; training is every other rating."""
    packed = published("ml-1m_test.qrels.gz").read_bytes()
    names = ["user", "zero", "item", "rating"]
    qrels = pl.read_csv(
        gzip.decompress(packed), separator="\t", has_header=False, new_columns=names
    )
    users, items = whole.user_ids.encode(qrels["user"]), whole.item_ids.encode(qrels["item"])
    pairs = whole.users.astype(np.int64) * whole.n_items + whole.items
    test = np.isin(pairs, users.astype(np.int64) * whole.n_items + items)
    return collect(whole.take(~test), whole.take(test), relevance=4)


def authors_figures() -> dict[str, Values]:
    table = pl.read_csv(published("ml-1m_metrics_by_popularity.csv"))
    rows = table.filter(pl.col("Percentage") == 1.0).iter_rows(named=True)
    return {row.pop("Recommender"): row for row in rows}


def recorded() -> dict[str, str]:
    """The spelling of each system, from the repository."""
    text = files("cranfield.recommendation").joinpath("published.toml").read_text("utf-8")
    return dict(tomllib.loads(text)["ml-1m"])


def run_all(
    spelled: Mapping[str, str], parts: TestCollection, metrics: list[str]
) -> dict[str, tuple[Ranking, Values]]:
    """Fit, rank and score each system; users without a relevant item score 0, as trec_eval's."""
    targets = all_items(parts)
    made = {}
    for name, text in spelled.items():
        system = rank_all(name, text, targets, seed=SEED)
        made[name] = system, score(system, parts, metrics)
        found = "  ".join(f"{metric} {value:.4f}" for metric, value in made[name][1].items())
        took = sum(system.seconds[stage] for stage in STAGES)
        print(f"{text:75} {found}  {took:6.1f} s", file=sys.stderr, flush=True)
    return made


def score(system: Ranking, parts: TestCollection, metrics: list[str]) -> Values:
    hits = system.hits
    options = [parse("metric", metric) for metric in metrics]
    scores = Scores.from_systems(
        hits.topics, parts.train.user_ids, tuple(metrics),
        {system.system: measure(hits, options)}, {system.system: hits.lengths},
    )  # fmt: skip
    summary = summarise(scores, SummaryChoice(undefined="zero"))
    return {metric: summary.row(system.system, metric).value for metric in metrics}


def expected_of(system: Ranking) -> float:
    """The P@100 that random rankings of the same targets have on average, exactly."""
    values = expect(system.hits, [parse("metric", "P@100")])[None].values
    return float(np.nan_to_num(values).mean())


def table(rows: list[tuple[Any, ...]], head: tuple[str, ...], left: int) -> str:
    """Markdown; the columns after the first few are numbers."""
    rule = [":--"] * left + ["--:"] * (len(head) - left)
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, rule, *rows])


def compare(whole: cf.Ratings) -> str:
    """The table of the 21 systems, and what they took."""
    start = time.perf_counter()
    made = run_all(recorded(), authors_split(whole), list(COLUMNS))
    took = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    authors = authors_figures()
    assert {NAMES.get(name, name) for name in made} == set(authors)
    rows = []
    for name, (system, ours) in sorted(made.items(), key=lambda each: -each[1][1]["P@100"]):
        theirs = {m: authors[NAMES.get(name, name)][column] for m, column in COLUMNS.items()}
        cells = [f"{x:.4f}" for m in COLUMNS for x in (ours[m], theirs[m])]
        shares = [f"{100 * ours[m] / theirs[m]:.1f} %" for m in ("P@100", "nDCG@100")]
        seconds = [f"{system.seconds[stage]:.1f}" for stage in STAGES]
        line = (*cells[:2], shares[0], *cells[2:4], shares[1], *cells[4:], *seconds)
        rows.append((f"`{recorded()[name]}`", *line))
    head = ("system", "P@100", "authors", "ratio", "nDCG@100", "authors", "ratio", "P@10",
            "authors", "fit, s", "rank, s")  # fmt: skip
    said = (
        f"All {len(rows)} together: {took:.0f} s with {thread_count()} threads, "
        f"compilation included; peak memory {peak:.2f} GiB."
    )
    chance = expected_of(made["Random"][0])
    said += f" A random order of the same items has P@100 {chance:.4f} on average."
    print(said, file=sys.stderr)
    if took > MOST_SECONDS or peak > MOST_GIBIBYTES:
        raise SystemExit("That is more than 15 minutes or 4 GiB.")
    return f"{table(rows, head, left=1)}\n\n{said}"


def compare_halves(whole: cf.Ratings) -> str:
    """The table of canamares2020's two systems on a random half."""
    fold = cf.split(whole, "random(test_share=0.5)", seed=SEED)
    parts = collect(fold.train, fold.test, relevance=4)
    metrics = ["P@10", "nDCG(gain=binary)@10"]
    spelled = {text: text for text in (*HALVES, *OTHER)}
    rows = []
    for name, (_, ours) in run_all(spelled, parts, metrics).items():
        theirs = {**HALVES, **OTHER}[name]
        cells = [f"{x:.3f}" for pair in zip(ours.values(), theirs, strict=True) for x in pair]
        rows.append((f"`{name}`", *cells))
    return table(rows, ("system", "P@10", "authors", "nDCG@10", "authors"), left=1)


def put(page: Path, mark: str, text: str) -> None:
    """Replace what stands between the marks of a page."""
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    before, _, rest = page.read_text("utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"{page}: the marks {begin} and {end} are missing.")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="The 21 systems beside their authors' figures.")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="a page with the marks")
    page = parser.parse_args().write
    inventory.load()
    whole = movielens()
    for mark, make in (("systems", compare), ("halves", compare_halves)):
        text = make(whole)
        if page is None:
            print(text, end="\n\n")
        else:
            put(page, mark, text)


if __name__ == "__main__":
    main()
