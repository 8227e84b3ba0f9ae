"""Optuna: settings that are promising after what came of those before."""

from __future__ import annotations

from math import isfinite
from typing import Any

from cranfield.base.checking.ranges import Range
from cranfield.base.dataclass import dataclass
from cranfield.base.errors import MissingLibrary
from cranfield.base.options import option
from cranfield.base.seeds import Seeds
from cranfield.workbench.tuning.search import Proposal, Proposals, Search
from cranfield.workbench.tuning.space import Over, Setting, defaults_of, ranges_of, settle

_SEEDS = 2**32


@option("search", "optuna")
@dataclass(frozen=True, kw_only=True)
class OptunaSearch(Search):
    """Settings that Optuna's tree-structured Parzen estimator proposes, the defaults first.

    Parameters are drawn where good settings were denser than others (Bergstra et al. 2011;
    Akiba et al. 2019). The search learns from every trial, and from the trial of the defaults
    if they lie within the ranges. It needs Optuna: ``pip install "cranfield[optuna]"``.
    """

    def propose(self, option: Any, seeds: Seeds, trials: int | None) -> Proposals:
        """The defaults, then what the sampler proposes after each result."""
        optuna = _optuna()
        study, first = _study(optuna, seeds.key("optuna") % _SEEDS), defaults_of(option)
        number = 1
        (value,) = yield [Proposal(number, first)]
        if isfinite(value) and (known := _as_trial(optuna, ranges_of(option), first, value)):
            study.add_trial(known)
        while trials is None or number < trials:
            number += 1
            trial = study.ask()
            setting = settle(option, lambda path, over, trial=trial: _suggest(trial, path, over))  # type: ignore[misc]
            (value,) = yield [Proposal(number, setting)]
            failed = None if isfinite(value) else optuna.trial.TrialState.FAIL
            study.tell(trial, None if failed else value, state=failed)


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise MissingLibrary("search = optuna", '"cranfield[optuna]"') from None
    return optuna


def _study(optuna: Any, seed: int) -> Any:
    """A study in memory, without a word on stderr."""
    loud = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        sampler = optuna.samplers.TPESampler(seed=seed)
        return optuna.create_study(direction="maximize", sampler=sampler)
    finally:
        optuna.logging.set_verbosity(loud)


def _suggest(trial: Any, path: str, over: Over) -> Any:
    """A value of a range; a choice is made by its number, which any sampler can hold."""
    if not isinstance(over, Range):
        return over.values[trial.suggest_categorical(path, list(range(len(over.values))))]
    suggest = trial.suggest_int if over.whole else trial.suggest_float
    return suggest(path, over.low, over.high, log=over.log)


def _as_trial(optuna: Any, ranges: dict[str, Over], setting: Setting, value: float) -> Any:
    """A setting as a finished trial; None if it is not within the ranges."""
    chosen, kinds = {}, {}
    for path, picked in setting.values.items():
        over = ranges[path]
        if isinstance(over, Range):
            if not isinstance(picked, int | float) or not over.low <= picked <= over.high:
                return None
            kind = "IntDistribution" if over.whole else "FloatDistribution"
            kinds[path] = getattr(optuna.distributions, kind)(over.low, over.high, log=over.log)
            chosen[path] = picked
        else:
            if picked not in over.values:
                return None
            numbers = list(range(len(over.values)))
            kinds[path] = optuna.distributions.CategoricalDistribution(numbers)
            chosen[path] = over.values.index(picked)
    return optuna.trial.create_trial(params=chosen, distributions=kinds, value=value)
