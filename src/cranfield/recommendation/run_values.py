"""What the rows of a run say of their items: predictions, ranks, places among equals."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import BadParameter
from cranfield.base.ids import Ids
from cranfield.base.schema import RANK, SCORE
from cranfield.base.threads import in_threads
from cranfield.collection.columns import finite
from cranfield.recommendation.choice import single
from cranfield.recommendation.run_ids import Matched, id_places, text_places
from cranfield.recommendation.run_report import RunRules
from cranfield.recommendation.run_text import RunTable

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


def predictions_of(table: RunTable, rules: RunRules) -> tuple[Floats, Floats | None]:
    """What each row predicts, NaN for rows that have a rank only, and the ranks."""
    rank, score = table.column(RANK), table.column(SCORE)
    gaps = None if rank is None else _gaps(score)

    def numbers(column: pl.Series | None) -> Floats | None:
        return None if column is None else finite(column, table.where, table.line_of)

    given = score if score is None or gaps is None else score.fill_null(0)
    ranks, predictions = in_threads(numbers, (rank, given))
    if predictions is None:
        assert ranks is not None
        return -ranks, ranks
    if gaps is not None:
        predictions = np.where(gaps.to_numpy(), np.nan, predictions)
    return single(predictions) if rules.ties == "trec_eval" else predictions, ranks


def _gaps(score: pl.Series | None) -> pl.Series | None:
    """Where a column of numbers has none, if it lacks any."""
    if score is None or not score.dtype.is_numeric() or not score.null_count():
        return None
    return score.is_null()


def places_of(
    table: RunTable,
    items: Matched,
    item_ids: Ids,
    predictions: Floats,
    ranks: Floats | None,
    rules: RunRules,
) -> Rows:
    """For each row, its place among rows of equal prediction."""
    if rules.ties == "rank" and ranks is None:
        raise BadParameter(table.where, "ties", rules.ties, "possible without a column of ranks")
    if rules.ties == "file":
        places = np.arange(len(predictions))
    elif rules.ties == "rank" and ranks is not None:
        places = _dense(ranks)
    else:
        places = places_of_items(items, item_ids, rules)[items.rows]
    unscored = np.isnan(predictions)
    if ranks is not None and unscored.any():
        places = np.where(unscored, _dense(ranks), places)
    return places.astype(np.int64, copy=False)


def places_of_items(items: Matched, item_ids: Ids, rules: RunRules) -> Rows:
    """For each item of a run, its place among items of equal prediction; all 0 by row."""
    if rules.ties == "file":
        return np.zeros(len(items.own), np.int64)
    places = -text_places(items.own) if rules.ties == "trec_eval" else id_places(items, item_ids)
    return places.astype(np.int64, copy=False)


def _dense(ranks: Floats) -> Rows:
    """Ranks as whole numbers in the same order."""
    return np.unique(ranks, return_inverse=True)[1]
