from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.base.errors import BadParameter, OutputError
from cranfield.base.ids import Ids
from cranfield.collection.topics import Topics
from cranfield.recommendation.runs.files import read_run
from cranfield.recommendation.runs.report import RunRules
from cranfield.recommendation.runs.run import NO_IDS, Run
from cranfield.recommendation.runs.writing import write_run
from rating_rows import AWKWARD
from suites import tries
from zstandard_files import writable

NAMES = writable(
    "r.run",
    "r.trec",
    "r.txt.gz",
    "r.tsv",
    "r.tsv.zst",
    "r.csv",
    "r.csv.gz",
    "r.inter",
    "r.jsonl",
    "r.jsonl.gz",
    "r.jsonl.zst",
)
WITH_GAPS = writable("r.csv", "r.csv.zst", "r.inter", "r.parquet", "r.jsonl")
"""Formats that can say that an item has no prediction."""

finite = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, 1.0, 1 / 3])
words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1)


def ids_of(kind: type, size: int, texts: st.SearchStrategy[str] = words) -> st.SearchStrategy[Ids]:
    each = st.integers(-(2**62), 2**62) if kind is int else texts
    found = st.lists(each, min_size=size, max_size=size + 3, unique=True)
    return found.map(lambda values: Ids(pl.Series(sorted(values, key=_order))))


def _order(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


@st.composite
def runs(
    draw: st.DrawFn, gaps: bool = False, texts: st.SearchStrategy[str] = words
) -> tuple[Run, Ids, Ids]:
    """A run in any order of ties, perhaps with unknown_items and items without a prediction."""
    user_ids = draw(st.sampled_from([int, str]).flatmap(lambda kind: ids_of(kind, 3, texts)))
    item_ids = draw(st.sampled_from([int, str]).flatmap(lambda kind: ids_of(kind, 4, texts)))
    lists = []
    for _ in range(draw(st.integers(1, 3))):
        items = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4, unique=True))
        scored = draw(st.integers(0, len(items))) if gaps else len(items)
        found = sorted(draw(st.lists(finite, min_size=scored, max_size=scored)), reverse=True)
        lists.append((items, found + [np.nan] * (len(items) - scored)))
    lengths = [len(items) for items, _ in lists]
    predictions = np.array([p for _, found in lists for p in found], np.float64)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    tied = [sum(found.count(p) > 1 for p in found if p == p) for _, found in lists]
    run = Run(
        draw(st.sampled_from(["s", "SLIM(l1=0.5,l2=1)"])),
        Topics(np.arange(len(lists), dtype=np.int32)),
        offsets,
        np.array([item for items, _ in lists for item in items], np.int32),
        predictions,
        np.array(tied, np.int64),
    )
    return run, user_ids, item_ids


def read_back(run: Run, name: str, users: Ids, items: Ids, **options: Any) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write_run(run, path, user_ids=users, item_ids=items)
        named = {"system": run.system, "rules": RunRules(ties="file"), **options}
        return read_run(path, user_ids=users, item_ids=items, **named).run


@pytest.mark.parametrize("name", [*NAMES, "r.parquet"])
@settings(deadline=None, max_examples=tries(15))
@given(case=runs())
def test_what_is_written_is_read_back(name: str, case: tuple[Run, Ids, Ids]) -> None:
    run, users, items = case
    assert read_back(run, name, users, items) == run


@pytest.mark.parametrize("name", [*NAMES, "r.parquet"])
@settings(deadline=None, max_examples=tries(30))
@given(case=runs(texts=AWKWARD))
def test_awkward_ids_are_read_back_as_they_were_or_refused(
    name: str, case: tuple[Run, Ids, Ids]
) -> None:
    run, users, items = case
    with suppress(OutputError):
        assert read_back(run, name, users, items) == run


@pytest.mark.parametrize("name", WITH_GAPS)
@settings(deadline=None, max_examples=tries(15))
@given(case=runs(gaps=True))
def test_items_without_a_prediction_stay_so(name: str, case: tuple[Run, Ids, Ids]) -> None:
    run, users, items = case
    assert read_back(run, name, users, items) == run


@pytest.mark.parametrize("name", ["r.run", "r.tsv"])
@settings(deadline=None, max_examples=tries(15))
@given(case=runs(gaps=True))
def test_items_without_a_prediction_stay_last_in_order(
    name: str, case: tuple[Run, Ids, Ids]
) -> None:
    run, users, items = case
    try:
        back = read_back(run, name, users, items, rules=RunRules(ties="item-id"))
    except OutputError:  # no number is left below the lowest
        assert np.nanmin(run.predictions) < -1e307
        return
    unscored = np.isnan(run.predictions)
    assert back.items[unscored].tolist() == run.items[unscored].tolist()
    assert np.isfinite(back.predictions).all()
    assert np.array_equal(back.predictions[~unscored], run.predictions[~unscored])


def plain(**change: Any) -> Run:
    parts: dict[str, Any] = {
        "system": "s",
        "topics": Topics(np.array([0], np.int32)),
        "offsets": np.array([0, 2]),
        "items": np.array([1, 0], np.int32),
        "predictions": np.array([0.5, 0.25]),
        "tied": np.array([0]),
        "unknown_items": NO_IDS,
    }
    return Run(**{**parts, **change})


USERS, ITEMS = Ids(pl.Series([1])), Ids(pl.Series(["a", "b"]))


def written(path: Path, run: Run | None = None, users: Ids = USERS, items: Ids = ITEMS) -> str:
    write_run(run or plain(), path, user_ids=users, item_ids=items)
    return path.read_text()


def test_files_look_as_other_tools_expect(tmp_path: Path) -> None:
    assert written(tmp_path / "r.run") == "1 Q0 b 1 0.5 s\n1 Q0 a 2 0.25 s\n"
    assert written(tmp_path / "r.tsv") == "1\tb\t0.5\n1\ta\t0.25\n"
    assert written(tmp_path / "r.csv") == "user_id,item_id,score,rank\n1,b,0.5,1\n1,a,0.25,2\n"
    header = "user_id:token\titem_id:token\tscore:float\trank:float"
    assert written(tmp_path / "r.inter") == f"{header}\n1\tb\t0.5\t1\n1\ta\t0.25\t2\n"


def test_a_tag_holds_no_blank(tmp_path: Path) -> None:
    text = written(tmp_path / "r.run", plain(system="SLIM(l1=1, l2=2) on half"))
    assert text.splitlines()[0].split(" ")[5:] == ["SLIM(l1=1,l2=2)_on_half"]


def test_strangers_are_written_and_read_back() -> None:
    run = plain(items=np.array([-1, 0], np.int32), unknown_items=Ids(pl.Series(["zz"])))
    for name in (*NAMES, "r.parquet"):
        assert read_back(run, name, USERS, ITEMS) == run


def test_unscored_items_get_scores_below_the_lowest_of_the_run(tmp_path: Path) -> None:
    run = plain(predictions=np.array([0.5, np.nan]))
    assert written(tmp_path / "r.tsv", run) == "1\tb\t0.5\n1\ta\t-1.5\n"  # 0.5 − 2, its rank
    assert written(tmp_path / "r.csv", run).splitlines()[2] == "1,a,,2"


def test_a_score_far_from_zero_leaves_room_below(tmp_path: Path) -> None:
    run = plain(predictions=np.array([1e300, np.nan]))
    assert float(written(tmp_path / "r.tsv", run).split()[-1]) < 1e300


def test_equal_runs_give_equal_packed_files(tmp_path: Path) -> None:
    for name in ("one.tsv.gz", "two.tsv.gz"):
        write_run(plain(), tmp_path / name, user_ids=USERS, item_ids=ITEMS)
    assert (tmp_path / "one.tsv.gz").read_bytes() == (tmp_path / "two.tsv.gz").read_bytes()


@pytest.mark.parametrize("name", ["r", "r.json", "r.gz", "r.parquet.gz"])
def test_an_unknown_suffix_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match=r"the suffix must be one of .run"):
        write_run(plain(), tmp_path / name, user_ids=USERS, item_ids=ITEMS)
    assert not list(tmp_path.iterdir())


def test_a_format_can_be_given_in_place_of_a_suffix(tmp_path: Path) -> None:
    write_run(plain(), tmp_path / "r", user_ids=USERS, item_ids=ITEMS, format="tsv")
    assert (tmp_path / "r").read_text().startswith("1\tb")
    with pytest.raises(BadParameter, match="one of auto, trec"):
        write_run(plain(), tmp_path / "r", user_ids=USERS, item_ids=ITEMS, format="x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "bad"), [("r.run", "a b"), ("r.tsv", "a\tb"), ("r.inter", ""), ("r.csv", "a\nb")]
)
def test_an_id_that_a_format_cannot_hold_is_refused(tmp_path: Path, name: str, bad: str) -> None:
    with pytest.raises(OutputError, match=r"the item_id .* try .parquet"):
        written(tmp_path / name, items=Ids(pl.Series([bad, "z"])))
    assert not list(tmp_path.iterdir())


def test_a_run_of_several_lists_per_user_is_refused(tmp_path: Path) -> None:
    topics = Topics(np.array([0], np.int32), items=np.array([0], np.int32))
    with pytest.raises(OutputError, match="several lists per user"):
        written(tmp_path / "r.run", plain(topics=topics))
