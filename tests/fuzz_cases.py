"""Valid files of every reader, ways to spoil them, and what reads them."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any

import polars as pl
import pyarrow as pa
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from cranfield.base.errors import CranfieldError
from cranfield.base.ids import Ids
from cranfield.base.options import decisions, parse
from cranfield.collection.datasets import DATA_SETS
from cranfield.collection.source import read_ratings
from cranfield.collection.sources.file import File
from cranfield.recommendation.runs.files import read_run
from cranfield.significance.condition import read_condition
from cranfield.validity.meta.published_tables import read_table
from cranfield.workbench import inventory
from cranfield.workbench.definition.definition import read_asked
from cranfield.workbench.definition.side_tables import catalogue_ids
from cranfield.workbench.plan.plan import Plan, read_plan
from cranfield.workbench.review.questions import read_questions
from data_set_files import example_of

inventory.load()

FRESH = "CRANFIELD_FUZZ" in os.environ
"""Whether cases are other ones each time, as `make fuzz` asks; the suite has the same ones."""

CASES = int(os.environ.get("CRANFIELD_FUZZ", "40"))
"""Cases of each reader; `make fuzz` asks for more."""

fuzzed = settings(
    deadline=None,  # `check` measures the processor's time, which others do not lengthen
    max_examples=CASES,
    derandomize=not FRESH,
    suppress_health_check=list(HealthCheck),
    database=None,
    print_blob=True,
)

CORPUS = sorted((Path(__file__).parent / "fuzz" / "corpus").iterdir())
"""What once failed: files named ``WHAT--READER``."""

LONGEST_MESSAGE, SECONDS, HANG = 3_300, 10, 60
"""Characters of what is said, seconds of the processor until it is said, and seconds by the clock
after which a case hangs, on however busy a machine."""

_CSV = b'user_id,item_id,rating,timestamp\na,x,5,10\nb,y,4.5,20\n"c,d","e""f",3,30\n'
_TREC = b"u1 Q0 i1 1 0.5 s\nu1 Q0 i2 2 0.4 s\nu2 Q0 i1 1 0.1 s\n"
_TOML = b"""data = "simulated(size=tiny)"
split = { name = "per-user", test_share = 0.3 }
relevance = 4
systems = { a = "Popularity", b = "user-kNN(k=5)" }
metrics = ["nDCG@10", "P@5"]
seed = 1
[comparison]
test = "permutation"
"""
_SETS = b"""split = "per-user(test_share=0.3)"
relevance = 4
metrics = ["nDCG@10"]
[data.small]
source = "simulated(size=tiny)"
relevance = 3
[data.large]
source = { name = "simulated", size = "small" }
systems = { a = "Random" }
[systems]
a = "Popularity"
b = "user-kNN(k=5)"
[study]
vary = { relevance = [3, 4], "split.test_share" = [0.2, 0.4] }
pair = ["a", "b"]
"""
_TUNED = b"""data = ["simulated(size=tiny)", "power-law"]
relevance = 4
split = "per-user(test_share=0.3)"
metrics = ["nDCG@10"]
[systems]
a = "user-kNN(k=tune(5..50, log))"
b = { name = "item-kNN", k = "tune([5, 10])" }
c = "PureSVD(tune)"
[tuning]
search = "grid"
budget = { a = 20, b = "600 s (13 trials)" }
"""
_YAML = b"""data: simulated(size=tiny)
split: per-user(test_share=0.3)
relevance: 4
systems: {a: Popularity, b: "user-kNN(k=5)"}
metrics: [nDCG@10, P@5]
study: {vary: {relevance: [3, 4]}}
"""
_CHECKLIST = b"""title = "Ours"
extends = "acm"
items = ["tuning"]
item = [{ name = "ethics", asks = "Who?", do = "Say who." }]
[answers]
ethics = "Nobody"
"""
PLAN = (
    Plan(
        title="a", decisions={"seed": 1, "metrics": ["P@5"]}, study=None, data={"ratings": "0"},
        users=9, comparisons=1, alpha=0.05, wanted_power=0.8, power=(), detectable=0.5, versions={},
    ).to_dict()
)  # fmt: skip
_SPELLINGS = (
    b"nDCG(gain=table({1: 0, 5: 1}))@10", b'file(path="a b", columns={user_id: a})', b"k-core(k=5)",
    b"user-kNN(k=tune(5..50, log))", b"RM2(smoothing=tune(dirichlet(mu=tune(10..99)), additive))",
    b"sampled(n=100, per=user)", b"per-user(test_share=0.3)", b"user-kNN(k=5)", b"P(relevance=4)@5",
)  # fmt: skip
_DOCUMENTS = (
    b'{"u1": {"i1": 0.5}, "u2": {"i2": 1}}', b'{"u1": ["i1", "i2"], "u2": []}',
    b'[{"user": "u1", "item": "i1", "score": 1}, {"user": "u2", "item": "i1", "score": 2}]',
)  # fmt: skip
_RECORDS = b"""{"user_id": "u1", "items": ["i1", "i2"], "scores": [2, 1]}
{"user_id": "u2", "items": [], "scores": []}
"""
_CHANGES = (
    b"systems.b.k=tune(1..9)", b'tuning.budget="600 s"', b"metrics=[P@5, nDCG@10]", b"relevance=3",
)  # fmt: skip
_USERS, _ITEMS = Ids(pl.Series(["u1", "u2"])), Ids(pl.Series(["i1", "i2"]))

PIECES = (
    *(b'"', b'""', b",", b";", b"|", b"\t", b" ", b"::", b":", b"\n", b"\r", b"\r\n", b"\n\n"),
    *(b"\x00", b"\x01", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xc3\xa9", b"a", b"7", b"0"),
    *(b"-1", b"1e400", b"nan", b"inf", b"5.0", b"9" * 30, b"user_id", b"rating", b"2005-09-06"),
    *(b"Q0", b"'", b"\\", b"#", b"[", b"]", b"{", b"}", b"(", b")", b"=", b"@", b"*a", b"&a", b"~"),
    *(
        b"\\ud800",
        b"null",
        b"true",
        b"NaN",
        b"tune",
        b"tune(",
        b"..",
        b"9" * 4400,
        b"0x" + b"f" * 4000,
    ),
)


def zstandard(data: bytes) -> bytes:
    """Bytes as Arrow's library packs them."""
    return bytes(pa.Codec("zstd").compress(data, asbytes=True))


def read_known_run(path: Path) -> Any:
    """A run of two users and two items."""
    return read_run(path, user_ids=_USERS, item_ids=_ITEMS)


def _parse(path: Path) -> None:
    """Read a text as an option of every decision; most have none of that name."""
    text = path.read_text(encoding="utf-8", errors="replace")
    said = [_said(decision, text) for decision in decisions()]
    if all(said):
        raise max(filter(None, said), key=lambda error: len(str(error)))


def _said(decision: str, text: str) -> CranfieldError | None:
    try:
        parse(decision, text)
    except CranfieldError as error:
        return error
    return None


def _change(path: Path) -> None:
    """Read a definition with an answer changed as `--set` does."""
    valid = path.with_name("valid.toml")
    valid.write_bytes(_TUNED)
    read_asked(valid, [path.read_text(encoding="utf-8", errors="replace")])


def _condition(path: Path) -> None:
    read_condition(path.read_text(encoding="utf-8", errors="replace"), ["new", "old", "a b"])


def _laid_out(name: str, path: Path) -> Any:
    """Ratings in the layout of a data set that is known by name."""
    return File(path=str(path), **DATA_SETS[name].reading).read()


@dataclass(frozen=True)
class Reader:
    """What reads a file of a name, and files that it can read."""

    name: str
    read: Callable[[Path], Any]
    seeds: tuple[bytes, ...]
    pack: Callable[[bytes], bytes] = bytes


LAYOUTS = ("gowalla-train", "citeulike-a", "coat", "jester-1", "yelp", "steam")
"""A data set of each layout."""

READERS = (
    Reader("ratings.csv", read_ratings, (_CSV, b"1,2,3\n4,5,6\n", b"user;item\n1;2\n")),
    Reader("ratings.tsv", read_ratings, (b"user\titem\trating\na\tx\t5\n", b"1\t2\t3\t4\n")),
    Reader("ratings.dat", read_ratings, (b"1::2::3::4\n5::6::7::8\n",)),
    Reader("ratings.inter", read_ratings, (b"user_id:token\titem_id:token\na\tx\nb\ty\n",)),
    Reader("ratings.qrels", read_ratings, (b"u1 0 i1 1\nu2 0 i2 0\n",)),
    Reader("netflix.txt", read_ratings, (b"1:\n5,3,2005-09-06\n2:\n5,1,2005-01-01\n",)),
    Reader("ratings.csv.gz", read_ratings, (_CSV,), gzip.compress),
    Reader("ratings.csv.zst", read_ratings, (_CSV,), zstandard),
    Reader("ratings.parquet", read_ratings, ()),
    Reader("run.trec", read_known_run, (_TREC,)),
    Reader("run.tsv", read_known_run, (b"u1\ti1\t0.5\nu2\ti2\t0.4\n",)),
    Reader("run.csv", read_known_run, (b"user_id,item_id,score,rank\nu1,i1,0.5,1\nu2,i2,,2\n",)),
    Reader("run.inter", read_known_run, (b"user_id:token\titem_id:token\tscore:float\nu1\ti1\t5",)),
    Reader("run.trec.zst", read_known_run, (_TREC,), zstandard),
    Reader("run.json", read_known_run, _DOCUMENTS),
    Reader("run.jsonl", read_known_run, (_RECORDS,)),
    *(
        Reader(name, partial(_laid_out, name), (example_of(name).texts[0].encode(),))
        for name in LAYOUTS
    ),
    Reader("catalogue.csv", lambda path: catalogue_ids(str(path)), (b"item,genre\n1,a\n2,b\n",)),
    Reader("figures.csv", read_table, (b'system,nDCG\na,0.5\n"b, c",0.25\n',)),
    Reader("definition.toml", read_asked, (_TOML, _SETS, _TUNED)),
    Reader("definition.yaml", read_asked, (_YAML,)),
    Reader("checklist.toml", read_questions, (_CHECKLIST,)),
    Reader("plan.json", read_plan, (json.dumps(PLAN).encode(),)),
    Reader("change.txt", _change, _CHANGES),
    Reader("condition.txt", _condition, (b"new < old - 2 %", b"a b > new + 0.005")),
    Reader("spelling.txt", _parse, _SPELLINGS),
)  # fmt: skip


FUZZED = tuple(reader for reader in READERS if reader.seeds)
"""Those without seeds read what once failed alone: Polars aborts on damaged pages of Parquet."""


def check(reader: Reader, data: bytes) -> None:
    """Read a file; what is wrong with it must be said soon, in few words."""
    said, begun, by_clock = "it can be read", process_time(), monotonic()
    with TemporaryDirectory() as folder:
        path = Path(folder) / reader.name
        path.write_bytes(data)
        try:
            reader.read(path)
        except CranfieldError as error:
            said = str(error)
    assert 0 < len(said) < LONGEST_MESSAGE
    assert process_time() - begun < SECONDS, f"a case took over {SECONDS} seconds"
    assert monotonic() - by_clock < HANG, f"a case hung for over {HANG} seconds"


def warm_up(readers: Iterable[Reader] = FUZZED) -> None:
    """Read valid files, so that kernels are compiled before cases are timed."""
    for reader in readers:
        for seed in reader.seeds:
            with TemporaryDirectory() as folder:
                path = Path(folder) / reader.name
                path.write_bytes(reader.pack(seed))
                with suppress(CranfieldError):
                    reader.read(path)


def reader_of(path: Path) -> Reader:
    """The reader of a file of the corpus."""
    wanted = path.name.partition("--")[2]
    return next(each for each in READERS if each.name == wanted)


@st.composite
def spoiled(draw: st.DrawFn, reader: Reader) -> bytes:
    """A valid file with bytes put in, taken out, doubled or changed, before or after packing."""
    data = draw(st.sampled_from(reader.seeds))
    packed_first = reader.pack is not bytes and draw(st.integers(0, 3)) == 0
    data = reader.pack(data) if packed_first else data
    for _ in range(draw(st.integers(0, 6))):
        data = _edited(draw, data)
    return data if packed_first else reader.pack(data)


def _edited(draw: st.DrawFn, data: bytes) -> bytes:
    start = draw(st.integers(0, len(data)))
    stop = min(len(data), start + draw(st.sampled_from([0, 0, 1, 2, 20])))
    put = draw(st.sampled_from(PIECES) | st.binary(max_size=2) | st.just(data[start:stop] * 2))
    return data[:start] + put + data[stop:]
