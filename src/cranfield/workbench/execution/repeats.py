"""Repeating the base of a study: other splits of its ratings, other fits of its systems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.base.errors import BadExperiment
from cranfield.base.progress import bar
from cranfield.scoring.scores import Flags, Floats, Scores
from cranfield.significance.samples.contrast import contrast_of
from cranfield.significance.samples.pairing import pair_users
from cranfield.validity.study.repeats import Repeats, repeated_difference
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.execution.pipeline import Pipeline
from cranfield.workbench.execution.systems.conditions import RankingCondition
from cranfield.workbench.execution.systems.failures import Failures


def refuse_equal_splits(study: Study, pipeline: Pipeline) -> None:
    """Refuse to repeat a split that is the same for every seed, before anything is fitted."""
    base = study.base
    if study.repeat is None or study.repeat.split_seeds == 1:
        return
    one, other = (
        [fold.test.fingerprint for fold in pipeline.prepare(base, seed).folds]
        for seed in (base.seed, base.seed + 1)
    )
    if one == other:
        problem = f"{base.split} splits alike for every seed: give 1."
        raise BadExperiment(study.where, [("study.repeat.split_seeds", problem)])


def repeat_base(
    study: Study, pair: tuple[str, str], pipeline: Pipeline, failed: Failures | None = None
) -> Repeats | None:
    """The difference of a pair by the base's first metric, over its splits and fits.

    None where the study repeats nothing, or where a system fails, which is added to ``failed``.
    """
    if study.repeat is None:
        return None
    base, seeds = _of_pair(study.base, pair), study.repeat.seeds(study.base.seed)
    found = []
    repeats = [
        (split_seed, [_condition(replace(base, seed=split_seed), each) for each in fit_seeds])
        for split_seed, fit_seeds in seeds
    ]
    pipeline.announce((base, split_seed, conditions) for split_seed, conditions in repeats)
    with bar("repeating", len(seeds)) as shown:
        for split_seed, conditions in repeats:
            data = pipeline.prepare(base, split_seed)
            scored = pipeline.score(data, conditions, failed=failed)
            if any(name in (failed or {}) for name in base.names):
                return None
            found.append([_linearised(scores, pair, base) for scores in scored])
            shown.advance()
    return Repeats(
        first=pair[0],
        second=pair[1],
        metric=str(base.metrics[0]),
        found=repeated_difference(_by_user(found)),
        alpha=base.comparison.alpha,
    )


def _of_pair(base: Experiment, pair: tuple[str, str]) -> Experiment:
    """The base with what the difference depends on: other systems do by their coverage alone."""
    names = base.names if base.coverage == "common" else pair
    systems = {name: base.systems[name] for name in names}
    return replace(base, systems=systems, metrics=base.metrics[:1], run_metrics=())


def _condition(experiment: Experiment, fit_seed: int) -> RankingCondition:
    other = None if fit_seed == experiment.seed else fit_seed
    return RankingCondition(experiment=experiment, metrics=experiment.metrics, fit_seed=other)


Linearised = tuple[float, Floats, Flags]
"""The difference of a pair, what every user of the data adds to its error, and who enters."""


def _linearised(scores: Scores, pair: tuple[str, str], base: Experiment) -> Linearised:
    """The difference that a table of one repeat shows, and its error by user."""
    samples = pair_users(scores, base.summary_choice)
    found = contrast_of(samples, scores, 0, pair)
    assert found.influence is not None  # what is no mean is refused by the study
    size = len(scores.user_ids)
    added, enters = np.zeros(size), np.zeros(size, dtype=bool)
    added[found.users] = found.influence
    enters[found.users] = samples.enters[0] | (found.influence != 0)
    return found.difference, added, enters


def _by_user(found: list[list[Linearised]]) -> Floats:
    """D + U·e_u of the U users who enter some repeat (users × splits × fits)."""
    enters = np.any([each[2] for fits in found for each in fits], axis=0)
    count = int(np.count_nonzero(enters))
    rows = [[each[0] + count * each[1][enters] for each in fits] for fits in found]
    return np.asarray(np.moveaxis(np.array(rows), -1, 0))
