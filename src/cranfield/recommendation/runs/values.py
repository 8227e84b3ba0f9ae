"""What the rows of a run say of their items: predictions, ranks, places among equals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from cranfield.base.errors import BadParameter
from cranfield.base.ids import Ids
from cranfield.base.schema import RANK, SCORE
from cranfield.recommendation.recommender import single
from cranfield.recommendation.runs.ids import Matched, id_places, text_places
from cranfield.recommendation.runs.report import RunRules
from cranfield.recommendation.runs.table import RunTable

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


def predictions_of(table: RunTable, rules: RunRules) -> Floats:
    """What each row predicts, NaN for rows that have a rank only."""
    if SCORE not in table.roles:
        return -table.floats(RANK)
    gaps = table.gaps if RANK in table.roles else None
    if gaps is None:
        predictions = table.floats(SCORE)
    else:
        filled = table.frame.with_columns(pl.col(table.roles[SCORE]).fill_null(0))
        predictions = replace(table, frame=filled).floats(SCORE)
        predictions = np.where(gaps.to_numpy(), np.nan, predictions)
    return single(predictions) if rules.ties == "trec_eval" else predictions


def unchecked_predictions(table: RunTable, rules: RunRules) -> list[Floats]:
    """The same in pieces, as they lie in memory where that can be, infinite or not."""
    in_place = None if rules.ties == "trec_eval" else table.scores_in_place()
    return [predictions_of(table, rules)] if in_place is None else in_place


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
    """For each number of an item, its place among items of equal prediction; all 0 by row."""
    if rules.ties == "file":
        return np.zeros(len(items.codes), np.int64)
    places = -text_places(items) if rules.ties == "trec_eval" else id_places(items, item_ids)
    return places.astype(np.int64, copy=False)


def _dense(ranks: Floats) -> Rows:
    """Ranks as whole numbers in the same order."""
    return np.unique(ranks, return_inverse=True)[1]
