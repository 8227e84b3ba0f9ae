"""Numbers of users, read from a table beside the ratings, for scores to be weighted by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cranfield.base.errors import MissingColumn
from cranfield.scoring.scores import Floats, Scores
from cranfield.workbench.definition.aggregated import column_asked
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.side_tables import object_text, user_columns_of
from cranfield.workbench.execution.data.prepared_data import PreparedData


def user_columns(experiment: Experiment, data: PreparedData) -> dict[str, Floats]:
    """The numbers of users, read before anything is fitted; refused without the one asked for."""
    columns = user_columns_of(experiment.user_columns, data.user_ids)
    asked = column_asked(experiment.aggregation)
    if asked is not None and asked not in columns:
        where = object_text(experiment.user_columns)
        raise MissingColumn(where, str(experiment.aggregation), columns, named=asked)
    return columns


def with_columns(scores: Scores, columns: Mapping[str, Floats]) -> Scores:
    """Scores that know the numbers of their users."""
    if not columns:
        return scores
    more = {name: each[scores.topics.users] for name, each in columns.items()}
    return replace(scores, user_columns={**scores.user_columns, **more})
