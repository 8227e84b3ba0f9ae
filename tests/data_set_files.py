"""Small files laid out as the publishers of data sets lay theirs out, and what they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from cranfield.collection.datasets import DATA_SETS, DataSet

Row = tuple[object, ...]


class Example(NamedTuple):
    """Texts of the files of a data set, in its order, and the rows that they hold.

    Rows have user, item, rating and, if there are any, times, ordered by user and item.
    """

    texts: tuple[str, ...]
    rows: Sequence[Row]
    parameters: Mapping[str, Any] = {}
    """What must be said about the data set to read it."""


_AMAZON_2014 = Example(
    ("A2B,0001,5.0,1357516800\nA1C,B00X,3.0,1200000000\n",),
    [("A1C", "B00X", 3.0, 1200000000), ("A2B", "0001", 5.0, 1357516800)],
)
_PLAIN = Example(
    ("user,item,rating\n2,10,4\n1,20,3.5\n",),
    [(1, 20, 3.5), (2, 10, 4.0)],
)
_KUAIRAND_HEAD = "user_id,video_id,date,hourmin,time_ms,is_click,is_like,play_time_ms,is_rand,tab\n"
_KUAIRAND = Example(
    (f"{_KUAIRAND_HEAD}7,3,20220421,400,1650485801301,1,0,151024,0,1\n",),
    [(7, 3, 1.0, 1650485801301)],
)
_KUAIRAND_LOG = (_KUAIRAND.texts[0], f"{_KUAIRAND_HEAD}7,5,20220501,0,1651334400000,0,0,9,0,1\n")
_KUAIRAND_LOGS = [(7, 3, 1.0, 1650485801301), (7, 5, 0.0, 1651334400000)]
_LISTS = ("0 0 1\n1 2\n", "0 2 \n1\n")
_STEAM = (
    "{u'username': u'Chaos', u'hours': 0.1, u'product_id': u'725280', u'date': u'2017-12-17', "
    "u'text': u\"it's\", u'early_access': False}\n"
    "{u'username': u'Ann', u'product_id': u'35140', u'date': u'2018-01-02', u'text': u'\\xe9'}\n"
)
_YELP = (
    '{"review_id":"r1","user_id":"mh_-eMZ6","business_id":"XQfwVw","stars":3.0,"text":"a, \\"b\\"",'
    '"date":"2018-07-07 22:09:11"}\n'
    '{"review_id":"r2","user_id":"OyoGAe7","business_id":"7ATYjT","stars":5,'
    '"date":"2012-01-03 15:28:18"}\n'
)
_KUAIREC = (
    "user_id,video_id,play_duration,video_duration,time,date,timestamp,watch_ratio\n"
    "0,3649,13838,10867,2020-07-05 00:08:23.438,20200705,1593878903.438,1.27339\n"
)

EXAMPLES: dict[str, Example] = {
    "ml-100k": Example(("196\t242\t3\t881250949\n",), [(196, 242, 3.0, 881250949)]),
    "ml-1m": Example(("1::1193::5::978300760\n",), [(1, 1193, 5.0, 978300760)]),
    "ml-10m": Example(("1::122::4.5::838985046\n",), [(1, 122, 4.5, 838985046)]),
    "ml": Example(
        ("userId,movieId,rating,timestamp\n1,2,3.5,1112486027\n",), [(1, 2, 3.5, 1112486027)]
    ),
    "hetrec-movielens": Example(
        ("userID\tmovieID\trating\ttimestamp\n75\t3\t1.0\t1162160236000\n",),
        [(75, 3, 1.0, 1162160236000)],
    ),
    "movietweetings": Example(
        ("14927::0110912::9::1375657563\n2::2592910::10::1362901837\n",),
        [(2, "2592910", 10.0, 1362901837), (14927, "0110912", 9.0, 1375657563)],
    ),
    "netflix": Example(("1:\n7,3,2005-09-06\n",), [(7, 1, 3.0, 1125964800)]),
    "netflix-kaggle": Example(
        (
            "1:\n7,3,2005-09-06\n", "2:\n7,4,2005-09-06\n", "3:\n7,5,2005-09-06\n",
            "4:\n8,1,2005-09-06\n",
        ),
        [
            (7, 1, 3.0, 1125964800), (7, 2, 4.0, 1125964800), (7, 3, 5.0, 1125964800),
            (8, 4, 1.0, 1125964800),
        ],
    ),
    "lastfm-hetrec": Example(("userID\tartistID\tweight\n2\t51\t13883\n",), [(2, 51, 13883.0)]),
    "lastfm-1k": Example(
        (
            ("user_1\t2009-05-04T23:08:57Z\t\tDeep Dish\t\tSong\n"
            "user_1\t2009-05-05T23:08:57Z\tmbid\tDeep Dish\t\tSong\n"),
        ),
        [("user_1", "Deep Dish", 5.0, 1241564937)],
    ),
    "lastfm-360k": Example(
        ("00063d\taf8e4cc5\tcannibal corpse\t48\n00063d\t\t\"weird\" name\t31\n",),
        [("00063d", '"weird" name', 31.0), ("00063d", "cannibal corpse", 48.0)],
    ),
    "yahoo-r3": Example(("1\t14\t5\n1\t35\t1\n",), [(1, 14, 5.0), (1, 35, 1.0)]),
    "bookcrossing": Example(
        ('"User-ID";"ISBN";"Book-Rating"\n"276726";"0155061224";"5"\n',),
        [(276726, "0155061224", 5.0)],
    ),
    "goodreads": Example(
        ("user_id,book_id,is_read,rating,is_reviewed\n0,948,1,5,0\n0,947,0,0,0\n",),
        [(0, 947, 0.0), (0, 948, 5.0)],
    ),
    "s3rec-beauty": Example(
        ("user,item,position\n1,7,1\n1,9,0\n",), [(1, 7, 1.0, 1), (1, 9, 1.0, 0)]
    ),
    "amazon-digital-music": _AMAZON_2014,
    "amazon-2023": Example(
        ("user_id,parent_asin,rating,timestamp\nAGKAS,B006GBITXC,3.0,1452647382000\n",),
        [("AGKAS", "B006GBITXC", 3.0, 1452647382000)],
    ),
    "coat": Example(("0 3 0 5\n1 0 0 0\n",), [(1, 2, 3.0), (1, 4, 5.0), (2, 1, 1.0)]),
    "yelp": Example(
        (_YELP,),
        [("OyoGAe7", "7ATYjT", 5.0, 1325604498), ("mh_-eMZ6", "XQfwVw", 3.0, 1531001351)],
    ),
    "yelp2018": Example(_LISTS, [(0, 0, 1.0), (0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)]),
    "yelp2018-train": Example(_LISTS[:1], [(0, 0, 1.0), (0, 1, 1.0), (1, 2, 1.0)]),
    "yelp2018-test": Example(_LISTS[1:], [(0, 2, 1.0)]),
    "gowalla": Example(_LISTS, [(0, 0, 1.0), (0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)]),
    "gowalla-train": Example(_LISTS[:1], [(0, 0, 1.0), (0, 1, 1.0), (1, 2, 1.0)]),
    "gowalla-test": Example(_LISTS[1:], [(0, 2, 1.0)]),
    "steam": Example(
        (_STEAM,), [("Ann", 35140, 1.0, 1514851200), ("Chaos", 725280, 1.0, 1513468800)]
    ),
    "kuairec": Example((_KUAIREC,), [(0, 3649, 1.27339, 1593878903)]),
    "kuairec-small": Example(
        (f"{_KUAIREC}1,2,3,4,,,,0.75\n",), [(0, 3649, 1.27339), (1, 2, 0.75)]
    ),
    "kuairand-27k": Example(
        (*_KUAIRAND_LOG, f"{_KUAIRAND_HEAD}8,5,20220501,0,5,0,0,9,0,1\n",
         f"{_KUAIRAND_HEAD}9,5,20220501,0,6,1,0,9,0,1\n"),
        [*_KUAIRAND_LOGS, (8, 5, 0.0, 5), (9, 5, 1.0, 6)],
    ),
    "kuairand-pure": Example(_KUAIRAND_LOG, _KUAIRAND_LOGS),
    "kuairand-1k": Example(_KUAIRAND_LOG, _KUAIRAND_LOGS),
    "kuairand-pure-random": _KUAIRAND,
    "kuairand-1k-random": _KUAIRAND,
    "kuairand-27k-random": _KUAIRAND,
    "jester-1": Example(
        ("2,-7.82,99,8.79\n1,99,99.00,0\n",), [(1, 1, -7.82), (1, 3, 8.79), (2, 3, 0.0)]
    ),
    "citeulike-a": Example(("2 495 1631\n0\n1 7\n",), [(0, 495, 1.0), (0, 1631, 1.0), (2, 7, 1.0)]),
    "hetrec-delicious": Example(
        (
            ("userID\tbookmarkID\ttagID\ttimestamp\n8\t1\t1\t1289255362000\n"
            "8\t1\t2\t1289255362000\n8\t2\t2\t1289255159000\n"),
        ),
        [(8, 1, 1.0, 1289255362000), (8, 2, 1.0, 1289255159000)],
        {"duplicates": "last"},
    ),
    "trec-qrels": Example(("301 0 FBIS3-1 1\n",), [(301, "FBIS3-1", 1.0)]),
    "cm100k": _PLAIN, "librarything": _PLAIN, "beeradvocate": _PLAIN,
}  # fmt: skip
"""By name, or by what the names of several begin with."""


def example_of(name: str) -> Example:
    """The example of a data set: its own, else that of the longest beginning of its name."""
    matching = [each for each in EXAMPLES if name == each or name.startswith(f"{each}-")]
    return EXAMPLES[max(matching, key=len)]


def write_example(name: str, folder: Path, *, as_unpacked: bool = False) -> DataSet:
    """Write the files of a data set, by themselves or as they lie in the archive."""
    known = DATA_SETS[name]
    names = known.files if as_unpacked else known.file_names
    for file, text in zip(names, example_of(name).texts, strict=True):
        path = folder / file
        if file == "training_set":  # the one folder
            path = path / "mv_0000001.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.endswith(".parquet"):
            pl.read_csv(text.encode()).write_parquet(path)
        else:
            path.write_text(text, encoding="utf-8")
    return known
