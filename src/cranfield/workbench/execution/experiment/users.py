"""Users: who of the test users enters, counted along the one road."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.collection.target import Targets
from cranfield.collection.topics import UserCounts, count_users, join_user_counts
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.execution.systems.conditions import SystemOutput


def users_entering(experiment: Experiment, targets: Iterable[Targets]) -> UserCounts:
    """Who of the test users of all folds enters, and why others do not."""
    choice = experiment.user_choice
    return join_user_counts(
        [count_users(each.train, each.judgments, each.topics, choice) for each in targets]
    )


class UsersObserver:
    """Notes on whom systems are judged."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._targets: dict[int, Targets] = {}

    def see(self, output: SystemOutput) -> None:
        """Note the targets of a fold."""
        self._targets.setdefault(output.fold, output.targets)

    @property
    def counts(self) -> UserCounts:
        """Who enters of the users that were seen."""
        return users_entering(self._experiment, self._targets.values())
