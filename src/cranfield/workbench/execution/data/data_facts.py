"""Facts of data: what a record says of the data of an experiment."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from cranfield.base.files import fingerprint
from cranfield.base.options import is_option, to_table
from cranfield.collection.fold import Fold, GivenFold
from cranfield.collection.split import Split, Splitter
from cranfield.workbench.definition.side_tables import object_text
from cranfield.workbench.execution.data.prepared_data import PreparedData


def facts_of(data: PreparedData) -> dict[str, Any]:
    """What a record says of the data: sizes, fingerprints, leakage, who is cold."""
    users, items, size, name = _sizes(data)
    return {
        "ratings": name,
        "users": users,
        "items": items,
        "size": size,
        "filters": [
            {"filter": step.filter, "before": step.before.ratings, "after": step.after.ratings}
            for step in data.steps
        ],
        "split": {"option": _recorded(data.splitter), "facts": dict(data.facts)},
        "folds": [_fold_facts(fold) for fold in data.folds],
    }


def _recorded(splitter: Splitter) -> Any:
    if isinstance(splitter, Split):
        made = {"splitter": str(splitter.splitter), "seed": splitter.seed}
        return {"name": object_text(splitter), **made}
    if not is_option(splitter):  # one that was made in Python
        return {"name": object_text(splitter)}
    table = to_table(splitter)
    plain = (str, int, float, bool, type(None), list, dict)
    return {key: each if isinstance(each, plain) else str(each) for key, each in table.items()}


def _sizes(data: PreparedData) -> tuple[int, int, int, str]:
    """Users, items and ratings of the data, and their fingerprint."""
    if data.ratings is not None:
        first = data.folds[0]
        whole = first.ratings if isinstance(first, Fold) else data.ratings
        parts, name = [data.ratings], whole.fingerprint
    else:
        parts = [data.folds[0].train, data.folds[0].test]
        name = fingerprint(*(part.fingerprint for part in parts))
    users, items = (
        int(np.count_nonzero(sum(getattr(part, counts) for part in parts)))
        for counts in ("user_counts", "item_counts")
    )
    return users, items, sum(map(len, parts)), name


def _fold_facts(fold: Fold | GivenFold) -> dict[str, Any]:
    leak = fold.leakage
    repeated = int(np.count_nonzero(fold.repeated))
    return {
        "train": fold.train.fingerprint,
        "test": fold.test.fingerprint,
        "train_ratings": len(fold.train),
        "test_ratings": len(fold.test),
        **({"in_both_parts": repeated} if repeated else {}),
        **({"filters": [step.to_dict() for step in fold.steps]} if fold.steps else {}),
        "leakage": None if leak is None else {"per_user": leak.per_user, "overall": leak.overall},
        "cold": asdict(fold.cold),
    }
