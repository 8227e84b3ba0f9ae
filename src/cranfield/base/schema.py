"""Column names of every table that is read or written, and the names peers give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cranfield.base.errors import MissingColumn, OptionError, UnknownParameter

USER = "user_id"
ITEM = "item_id"
RATING = "rating"
TIMESTAMP = "timestamp"
POSITION = "position"
"""The column of times that are each user's own order."""
SCORE = "score"
RANK = "rank"
SYSTEM = "system"
RATING_COLUMNS = (USER, ITEM, RATING, TIMESTAMP)

_ALIASES: dict[str, tuple[str, ...]] = {
    USER: ("userid", "user", "uid", "users", "customerid", "query", "queryid", "qid", "reviewerid"),
    ITEM: (
        *("itemid", "item", "iid", "items", "itemids", "movieid", "movie", "artistid", "artist"),
        *("trackid", "bookid", "isbn", "productid", "asin", "docid", "docno", "jokeid", "songid"),
        "gameid",
    ),
    RATING: ("rating", "ratings", "stars", "playcount", "plays", "count", "weight", "relevance"),
    TIMESTAMP: ("timestamp", "time", "ts", "unixtime", "unixreviewtime", "date", "datetime"),
    SCORE: ("score", "scores", "prediction", "predicted", "est", "value"),
    RANK: ("rank", "position"),
    SYSTEM: ("system", "run", "runid", "runname", "tag", "model", "algorithm", "algo"),
}


def find_columns(
    columns: Iterable[str],
    wanted: Iterable[str],
    given: Mapping[str, str] | None = None,
    *,
    optional: Iterable[str] = (),
    where: str = "table",
) -> dict[str, str]:
    """For each role, the column that plays it: as given, else by its usual names.

    A role that need not be played is left out if the name given for it is empty.

    >>> find_columns(["userId", "movieId", "rating"], ["user_id", "item_id"])
    {'user_id': 'userId', 'item_id': 'movieId'}
    """
    present = list(columns)
    unused = [role for role in optional if given and given.get(role) == ""]
    roles = [role for role in (*wanted, *optional) if role not in unused]
    mapping = {role: name for role, name in (given or {}).items() if role not in unused}
    for role, column in mapping.items():
        if role not in roles:
            raise UnknownParameter("columns", role, roles)
        if column not in present:
            raise MissingColumn(where, role, present, named=column)
    _refuse_shared(mapping, where)
    for role in roles:
        if role in mapping:
            continue
        found = columns_for(role, [name for name in present if name not in mapping.values()])
        if len(found) > 1:
            raise OptionError(
                f"{where}: {' and '.join(found)} may {'both' if len(found) == 2 else 'all'} "
                f"be the {role}. "
                f"Say which, as in --columns {role}={found[0]}."
            )
        if found:
            mapping[role] = found[0]
        elif role not in optional:
            raise MissingColumn(where, role, present)
    return mapping


def _refuse_shared(mapping: Mapping[str, str], where: str) -> None:
    """One column cannot play two roles."""
    for role, column in mapping.items():
        others = [other for other in mapping if mapping[other] == column and other != role]
        if others:
            raise OptionError(
                f'{where}: column "{column}" is named for both {role} and {others[0]}.'
            )


def columns_for(
    role: str, columns: Iterable[str], given: Mapping[str, str] | None = None
) -> list[str]:
    """The column that was given, or is called, for a role; else those with a usual name of it.

    >>> columns_for("item_id", ["user", "movie", "asin"])
    ['movie', 'asin']
    """
    present, named = list(columns), (given or {}).get(role, role)
    usual = () if named != role else (role.replace("_", ""), *_ALIASES[role])
    exact = [name for name in present if name == named]
    return exact or [name for name in present if _folded(name) in usual]


def _folded(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())
