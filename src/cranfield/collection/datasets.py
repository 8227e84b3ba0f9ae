"""Well-known data sets by name: what they are, under which terms, and where they are found."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cranfield.base.options import fold

DATA_VARIABLE = "CRANFIELD_DATA"
CACHE_VARIABLE = "CRANFIELD_CACHE"


@dataclass(frozen=True)
class DataSet:
    """One published data set of ratings.

    ``url`` is its official address, None where it is not to be had directly. ``checksum``
    is what ``checksum_source`` states for the file at that address, as ``md5:…`` or
    ``sha256:…``; None where nobody does. ``member`` is the file of ratings, inside the
    archive if the address is one.
    """

    name: str
    title: str
    terms: str
    citation: str
    home: str
    member: str
    url: str | None = None
    checksum: str | None = None
    checksum_source: str = ""
    """Who states the checksum: the publisher, or else one who is named."""
    aliases: tuple[str, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the source ``file`` that the publisher's own file needs."""

    @property
    def file_name(self) -> str:
        """The publisher's file of ratings, without the folders of the archive."""
        return self.member.rpartition("/")[2]

    def places(self) -> list[Path]:
        """The folders it may lie in: those of the user first, then the cache."""
        given = os.environ.get(DATA_VARIABLE)
        names = (self.name, *self.aliases)
        roots = [*([Path(given)] if given else []), cache_folder()]
        return [root / name for root in roots for name in names]

    def find(self) -> Path | None:
        """The file of ratings where it lies already, packed or not; None if nowhere."""
        names = dict.fromkeys(("ratings.parquet", self.file_name, "ratings.csv", "ratings.tsv"))
        files = [name + packed for name in names for packed in ("", ".gz", ".zst")]
        every = (folder / file for folder in self.places() for file in files)
        return next((path for path in every if path.exists()), None)

    def is_own_file(self, path: Path) -> bool:
        """Whether a path is the publisher's file, rather than a converted one."""
        return path.name.removesuffix(".gz").removesuffix(".zst") == self.file_name


def cache_folder() -> Path:
    """Where downloads are kept: ``$CRANFIELD_CACHE``, else ``~/.cache/cranfield``."""
    given = os.environ.get(CACHE_VARIABLE)
    return Path(given) if given else Path.home() / ".cache" / "cranfield"


def find_data_set(name: str) -> DataSet | None:
    """The data set of a name or alias, however it is hyphenated; None if there is none.

    >>> find_data_set("ML_1M").title
    'MovieLens 1M'
    """
    wanted = fold(name)
    return next((s for s in DATA_SETS.values() if wanted in map(fold, (s.name, *s.aliases))), None)


_GROUPLENS = "https://files.grouplens.org/datasets"
_MOVIELENS_TERMS = "GroupLens terms of use: research only, no redistribution, no commercial use"
_MOVIELENS_CITATION = (
    "F. M. Harper, J. A. Konstan: The MovieLens Datasets: History and Context. "
    "ACM TiiS 5(4), 2015. doi:10.1145/2827872"
)
_AMAZON_CITATION = (
    "J. McAuley, C. Targett, Q. Shi, A. van den Hengel: Image-Based Recommendations on "
    "Styles and Substitutes. SIGIR 2015"
)
_BEER_CITATION = (
    "J. McAuley, J. Leskovec, D. Jurafsky: Learning Attitudes and Attributes from "
    "Multi-Aspect Reviews. ICDM 2012"
)


def _movielens(size: str, member: str, md5: str | None) -> DataSet:
    name, folder = f"ml-{size}", member.partition("/")[0]
    return DataSet(
        name=name,
        title=f"MovieLens {size.upper() if size[0].isdigit() else size}",
        terms=_MOVIELENS_TERMS,
        citation=_MOVIELENS_CITATION,
        home="https://grouplens.org/datasets/movielens/",
        url=f"{_GROUPLENS}/movielens/{name}.zip",
        checksum=md5 and f"md5:{md5}",
        checksum_source=f"{_GROUPLENS}/movielens/{name}.zip.md5" if md5 else "",
        member=member,
        aliases=(f"movielens-{size}", *([folder] if folder != name else [])),
    )


_ALL = (
    _movielens("100k", "ml-100k/u.data", "0e33842e24a9c977be4e0107933c0723"),
    _movielens("1m", "ml-1m/ratings.dat", "c4d9eecfca2ab87c1945afe126590906"),
    _movielens("10m", "ml-10M100K/ratings.dat", "ce571fd55effeba0271552578f2648bd"),
    _movielens("20m", "ml-20m/ratings.csv", "cd245b17a1ae2cc31bb14903e1204af3"),
    _movielens("25m", "ml-25m/ratings.csv", "6b51fb2759a8657d3bfcbfc42b592ada"),
    _movielens("32m", "ml-32m/ratings.csv", "d472be332d4daa821edc399621853b57"),
    # Published anew from time to time under the same name, so no checksum can hold.
    _movielens("latest-small", "ml-latest-small/ratings.csv", None),
    DataSet(
        name="lastfm-hetrec",
        title="Last.fm of the HetRec 2011 workshop (play counts)",
        terms="non-commercial research only",
        citation=(
            "I. Cantador, P. Brusilovsky, T. Kuflik: 2nd Workshop on Information Heterogeneity "
            "and Fusion in Recommender Systems (HetRec 2011). RecSys 2011"
        ),
        home="https://grouplens.org/datasets/hetrec-2011/",
        url=f"{_GROUPLENS}/hetrec2011/hetrec2011-lastfm-2k.zip",
        checksum="sha256:6738f48195667ff03caaab4d32ca9a3133d8cc026b7c3cdaf6ce1010e913c59c",
        checksum_source="OmniRec of ISG Siegen, data_loaders, HetrecLastFM",
        member="user_artists.dat",
        aliases=("hetrec2011-lastfm", "lastfm-2k"),
    ),
    DataSet(
        name="lastfm-1k",
        title="Last.fm 1K (every play of nearly 1,000 users, mapped to ratings 1–5)",
        terms="non-commercial use, by permission of Last.fm",
        citation="Ò. Celma: Music Recommendation and Discovery in the Long Tail. Springer, 2010",
        home="http://ocelma.net/MusicRecommendationDataset/lastfm-1K.html",
        url="https://mtg.upf.edu/static/datasets/last.fm/lastfm-dataset-1K.tar.gz",
        member="lastfm-dataset-1K/userid-timestamp-artid-artname-traid-traname.tsv",
        aliases=("lastfm-dataset-1K",),
        reading={
            "format": "tsv",
            "header": False,
            # Many artists have no id, all have a name.
            "columns": {"user_id": "column_1", "item_id": "column_4", "timestamp": "column_2"},
            "values": "events",
        },
    ),
    DataSet(
        name="amazon-digital-music",
        title="Amazon Digital Music, ratings only (1996–2014)",
        terms="research use; Amazon holds the rights in the reviews",
        citation=_AMAZON_CITATION,
        home="https://jmcauley.ucsd.edu/data/amazon/",
        url="https://snap.stanford.edu/data/amazon/productGraph/categoryFiles/ratings_Digital_Music.csv",
        member="ratings_Digital_Music.csv",
    ),
    DataSet(
        name="jester-1",
        title="Jester, data set 1 (ratings −10 to 10 of 100 jokes)",
        terms="free for research, with citation",
        citation=(
            "K. Goldberg, T. Roeder, D. Gupta, C. Perkins: Eigentaste: A Constant Time "
            "Collaborative Filtering Algorithm. Information Retrieval 4(2), 2001"
        ),
        home="https://eigentaste.berkeley.edu/dataset/",
        member="ratings.csv",
    ),
    DataSet(
        name="bookcrossing",
        title="Book-Crossing (0 = implicit, 1–10 explicit)",
        terms="free for research, with citation",
        citation=(
            "C.-N. Ziegler, S. M. McNee, J. A. Konstan, G. Lausen: Improving Recommendation "
            "Lists Through Topic Diversification. WWW 2005"
        ),
        home="http://www2.informatik.uni-freiburg.de/~cziegler/BX/",
        member="BX-Book-Ratings.csv",
        reading={"columns": {"rating": "Book-Rating"}},
    ),
    DataSet(
        name="cm100k",
        title="CM100k (ratings 1–4 of music tracks drawn at random)",
        terms="free for research, with citation",
        citation=(
            "R. Cañamares, P. Castells: Should I Follow the Crowd? A Probabilistic Analysis of "
            "the Effectiveness of Popularity in Recommender Systems. SIGIR 2018"
        ),
        home="http://ir.ii.uam.es/cm100k",
        member="ratings.csv",
    ),
    DataSet(
        name="gowalla",
        title="Gowalla, check-ins, 10-core (both parts of the split of NGCF and LightGCN)",
        terms="research use, with citation",
        citation=(
            "E. Cho, S. A. Myers, J. Leskovec: Friendship and Mobility: User Movement in "
            "Location-Based Social Networks. KDD 2011"
        ),
        home="https://github.com/xiangwang1223/neural_graph_collaborative_filtering",
        member="ratings.csv",
    ),
    DataSet(
        name="citeulike-a",
        title="CiteULike-a (articles in the libraries of users)",
        terms="free for research, with citation",
        citation=(
            "H. Wang, B. Chen, W.-J. Li: Collaborative Topic Regression with Social "
            "Regularization for Tag Recommendation. IJCAI 2013"
        ),
        home="https://github.com/js05212/citeulike-a",
        member="ratings.csv",
    ),
    DataSet(
        name="s3rec-beauty",
        title="Amazon Beauty, 5-core, as prepared for S3-Rec",
        terms="research use; Amazon holds the rights in the reviews",
        citation=_AMAZON_CITATION,
        home="https://github.com/RUCAIBox/CIKM2020-S3Rec",
        member="ratings.parquet",
        reading={"columns": {"timestamp": "position"}},
    ),
    DataSet(
        name="trec-qrels",
        title="TREC relevance judgments for English (the files of all tracks in one)",
        terms="free for research, with citation",
        citation=(
            "E. M. Voorhees, D. K. Harman: TREC: Experiment and Evaluation in Information "
            "Retrieval. MIT Press, 2005"
        ),
        home="https://trec.nist.gov/data/qrels_eng",
        member="qrels.txt",
    ),
    DataSet(
        name="netflix",
        title="Netflix Prize",
        terms="withdrawn by Netflix in 2010; holders are bound by the contest's terms",
        citation="J. Bennett, S. Lanning: The Netflix Prize. KDD Cup and Workshop 2007",
        home="https://www.kaggle.com/datasets/netflix-inc/netflix-prize-data",
        member="training_set",
        aliases=("netflix-prize",),
    ),
    DataSet(
        name="librarything",
        title="LibraryThing",
        terms="research use, by arrangement with the holders",
        citation=(
            "M. Clements, A. P. de Vries, M. J. T. Reinders: The influence of personalization "
            "on tag query length in social media search. IP&M 46(4), 2010"
        ),
        home="http://www.macle.nl/tud/LT/",
        member="ratings.csv",
    ),
    DataSet(
        name="beeradvocate",
        title="BeerAdvocate",
        terms="research use; no longer published at the request of BeerAdvocate",
        citation=_BEER_CITATION,
        home="https://snap.stanford.edu/data/web-BeerAdvocate.html",
        member="ratings.csv",
    ),
)

DATA_SETS: dict[str, DataSet] = {known.name: known for known in _ALL}
"""All data sets that are known by name."""
