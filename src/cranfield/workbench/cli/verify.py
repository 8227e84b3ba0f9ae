"""``cranfield verify``: recompute results, and confirm that they are equal, bit for bit."""

from __future__ import annotations

import argparse

from cranfield.base.errors import counted
from cranfield.view.tables import terminal as tables
from cranfield.workbench.results.data_sets import ResultsByDataSet
from cranfield.workbench.results.results import fingerprint_of
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.verbs.execution import verify


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("folder", metavar="DIR", help="the folder that `cranfield run` wrote")


def run(arguments: argparse.Namespace) -> None:
    """Compute everything anew, without the store, and compare."""
    made = verify(arguments.folder)
    if isinstance(made, ResultsByDataSet):
        figures = f"all scores on {counted(len(made), 'data set')}, and what holds over them,"
        tables.show(
            f"{arguments.folder}: verified. Recomputed from scratch, {figures} are equal bit for "
            "bit."
        )
        return
    base = made.base if isinstance(made, StudyResults) else made
    users = base.scores.n_users
    metrics = counted(len(base.scores.metrics), "metric")
    figures = f"the scores of {counted(users, 'user')} by {metrics}"
    if isinstance(made, StudyResults):
        figures += f" and {'all ' * (len(made.designs) > 1)}{counted(len(made.designs), 'design')}"
    tables.show(
        f"{arguments.folder}: verified. Recomputed from scratch, {figures} are equal bit for bit "
        f"(fingerprint {fingerprint_of(base.scores)})."
    )
