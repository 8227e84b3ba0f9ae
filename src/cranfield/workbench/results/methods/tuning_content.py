"""What a report and the methods say of tuning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cranfield.base.checking.spelling import write_value
from cranfield.base.errors import counted
from cranfield.base.options import parse
from cranfield.view.numbers import signed
from cranfield.view.prose import listed, metric_words
from cranfield.view.tables.tuning import TunedSystem, TuningContent
from cranfield.workbench.results.methods.references import cited
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.tuning.trials import Tuned

_REFITTED = {
    "train-and-validation": "Each chosen setting then learnt from all training ratings",
    "train": "The tested systems learnt from the ratings that they were tuned on, without the "
    "validation ratings",
}
_SEARCHES = {
    "random": "random search",
    "grid": "grid search in random order",
    "halving": "successive halving on growing shares of the training users",
    "optuna": "a tree-structured Parzen estimator",
}


def tuning_sentence(results: Results) -> str:
    """How parameters were chosen, for a paper; nothing where none was."""
    tuning, tuned = results.experiment.tuning, results.tuned
    if not tuned or tuning is None:
        return ""
    names = list(dict.fromkeys(each.name for each in tuned))
    several = any(each.fold for each in tuned)
    fold = ", on each fold by itself" if several else ""
    search = parse("search", tuned[0].search)
    how = f"{_SEARCHES.get(search.option_name, str(search))}{cited(search)}"
    gains = [_gain(name, [each for each in tuned if each.name == name]) for name in names]
    best = "highest" if tuned[0].higher_is_better else "lowest"
    label = metric_words(parse("metric", tuned[0].metric))
    return (
        f"The parameters of {listed(names)} were tuned on validation ratings cut from the training "
        f"ratings (split {tuned[0].validation}{fold}), never on test ratings: by {how}, "
        f"{_budgets(tuned)}, the defaults first, for the {best} mean {label}. "
        f"{' '.join(gains)} {_REFITTED[tuning.refit]}."
    )


def _budgets(tuned: Sequence[Tuned]) -> str:
    """What every system was allowed, or each of them."""
    allowed = {each.name: _budget(each) for each in tuned}
    if len(set(allowed.values())) == 1:
        return f"{next(iter(allowed.values()))} for each system"
    return listed([f"{budget} for {name}" for name, budget in allowed.items()])


def _budget(tuned: Tuned) -> str:
    known = tuned.budget
    return counted(int(known), "trial") if known.isdecimal() else known


def _gain(name: str, tuned: Sequence[Tuned]) -> str:
    """What was chosen for one system, and what that gained."""
    chosen = list(dict.fromkeys(parameters_text(each.chosen.parameters) for each in tuned))
    gain = sum(each.gain for each in tuned) / len(tuned)
    where = f" on {len(tuned)} folds" if len(tuned) > 1 else ""
    was = "was" if len(chosen) == 1 else "were"
    mean = "on average " if len(tuned) > 1 else ""
    found = f"{'; '.join(chosen)} {was} chosen{where}"
    return f"Of {name}, {found}, {mean}{signed(gain)} over its defaults."


def parameters_text(parameters: Mapping[str, Any], edges: Mapping[str, str] | None = None) -> str:
    """Parameters as they are written in a table; those at an end of their range say so.

    >>> parameters_text({"k": 30, "shrinkage": 2.5}, {"k": "highest"})
    'k = 30 (highest tried), shrinkage = 2.5'
    """
    marks = edges or {}
    return ", ".join(
        f"{path} = {_number(value)}{f' ({marks[path]} tried)' if path in marks else ''}"
        for path, value in parameters.items()
    )


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else write_value(value)


def tuning_content(results: Results | StudyResults) -> TuningContent | None:
    """What a report shows of the trials of an experiment, or of all designs of a study."""
    base = results.base if isinstance(results, StudyResults) else results
    groups = _groups(results)
    tuned = [(where, each) for where, some in groups for each in some]
    if not tuned:
        return None
    metrics = dict.fromkeys(each.metric for _, each in tuned)
    return TuningContent(
        sentence=tuning_sentence(base),
        metric=" or ".join(metric_words(parse("metric", each)) for each in metrics),
        systems=tuple(
            TunedSystem(
                name=each.name,
                where=where,
                chosen=parameters_text(each.chosen.parameters, each.edges),
                trials=each.settings,
                default=each.default.value,
                best=each.chosen.value,
                curve=tuple(each.curve),
            )
            for where, each in tuned
        ),
        trials=tuple(_trials(tuned)),
        has_places=len({where for where, _ in tuned}) > 1,
    )


def _groups(results: Results | StudyResults) -> list[tuple[str, tuple[Tuned, ...]]]:
    """All tunings by where they were made: on which fold, for which designs."""
    if not isinstance(results, StudyResults):
        return [(f"fold {each.fold + 1}", (each,)) for each in results.tuned]
    found: list[tuple[str, tuple[Tuned, ...]]] = []
    for group in results.tuned:
        designs = f"{counted(len(group.designs), 'design')} from {min(group.designs) + 1} on"
        several = any(each.fold for each in group.tuned)
        for each in group.tuned:
            where = f"{designs}, fold {each.fold + 1}" if several else designs
            found.append((where, (each,)))
    return found


def _trials(tuned: Sequence[tuple[str, Tuned]]) -> Iterator[tuple[str, ...]]:
    for where, each in tuned:
        for trial in each.trials:
            yield (
                each.name, where, f"{trial.number:,}", parameters_text(trial.parameters),
                f"{trial.share:.3g}", trial.failed or f"{trial.value:.4f}", f"{trial.seconds:.2f}",
                f"{trial.seed}",
            )  # fmt: skip
