"""Tracking: results where other experiments live, in MLflow or Weights & Biases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from cranfield.base.errors import BadParameter, MissingLibrary, OptionError
from cranfield.workbench.definition.table import decisions_of
from cranfield.workbench.results.evaluation import values_of
from cranfield.workbench.results.files import REPORT, base_of, report_content, write_results
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults

T = TypeVar("T")

Tracker = Literal["mlflow", "wandb"]
"""Where results are logged: MLflow, or Weights & Biases."""

_FOLDER = "cranfield"
"""What the files of results are under in a run of a tracker."""
_LONGEST = 500
"""Characters of a parameter that every MLflow takes."""
_NOT_NAMED = re.compile(r"[^\w\-. /]+", re.ASCII)
"""Characters that MLflow does not take in a name."""


class LoggedResults(NamedTuple):
    """What is logged of results: their title, decisions, values, and facts in words."""

    title: str
    decisions: dict[str, str]
    values: dict[str, float]
    facts: dict[str, str]


def log(results: Results | StudyResults, to: Tracker, **settings: Any) -> str:
    """Log results in MLflow or Weights & Biases; returns the id of the run that holds them.

    Decisions are parameters (``split``, ``systems.kNN``, ``comparison.alpha``), the values of
    the summary are metrics (``kNN/nDCG_at_10``), and all files of `write_results` are
    artefacts. They go to the run that is active; where none is, one is started and ended,
    with the ``settings`` of ``mlflow.start_run`` or ``wandb.init``.
    """
    if not isinstance(results, Results | StudyResults):
        raise OptionError(
            f"log: {type(results).__name__} is not what cranfield.run or cranfield.study returns."
        )
    if to not in get_args(Tracker):
        raise BadParameter("log", "to", to, " or ".join(get_args(Tracker)))
    logged = logged_results(results)
    with TemporaryDirectory() as folder:
        write_results(results, folder)
        return (_to_mlflow if to == "mlflow" else _to_wandb)(logged, Path(folder), settings)


def logged_results(results: Results | StudyResults) -> LoggedResults:
    """What is logged of results, by names that every tracker takes."""
    base, content = base_of(results), report_content(results)
    decisions = {path: text for _, path, text in decisions_of(base.experiment)}
    if isinstance(results, StudyResults):
        decisions |= dict(_flat(results.study.to_table()["study"], "study"))
    values = {
        f"{system}/{metric}": entry["value"]
        for system, found in values_of(base).items()
        for metric, entry in found.items()
        if entry["value"] is not None and isfinite(entry["value"])
    }
    facts = {
        "verdict": content.verdict,
        "cranfield": base.versions["cranfield"],
        "data": str(base.data["ratings"]),
        **{f"failed.{name}": reason for name, reason in base.failed.items()},
    }
    return LoggedResults(content.title, _named(decisions), _named(values), _named(facts))


def _flat(table: Mapping[str, Any], path: str) -> Iterable[tuple[str, str]]:
    """The answers of nested tables by path, as text."""
    for name, value in table.items():
        inner = f"{path}.{name}"
        if isinstance(value, Mapping):
            yield from _flat(value, inner)
        elif value is not None:
            yield inner, "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _named(things: Mapping[str, T]) -> dict[str, T]:
    """The same by names without signs that a tracker refuses; no two are alike.

    >>> _named({"kNN/nDCG@10": 1, "kNN/RBP(p=0.8)": 2, "kNN/RBP(p,0.8)": 3})
    {'kNN/nDCG_at_10': 1, 'kNN/RBP_p_0.8': 2, 'kNN/RBP_p_0.8_2': 3}
    """
    named: dict[str, T] = {}
    for name, thing in things.items():
        plain = _NOT_NAMED.sub("_", name.replace("@", "_at_")).strip("_/ ") or "unnamed"
        free, count = plain[:240], 1
        while free in named:
            count += 1
            free = f"{plain[:240]}_{count}"
        named[free] = thing
    return named


def _to_mlflow(logged: LoggedResults, folder: Path, settings: Mapping[str, Any]) -> str:
    try:
        import mlflow
    except ImportError:
        raise MissingLibrary("logging in MLflow", "mlflow") from None
    active = mlflow.active_run()
    _refuse_settings(active, settings)
    own = nullcontext(active) if active else mlflow.start_run(**_with(settings, logged, "run_name"))
    with own as run:
        try:
            mlflow.log_params({name: _cut(text) for name, text in logged.decisions.items()})
        except mlflow.MlflowException as error:  # a parameter of that name has another value
            raise OptionError(f"log: MLflow refuses the decisions. {error}") from None
        mlflow.log_metrics(logged.values)
        mlflow.set_tags(logged.facts)
        mlflow.log_artifacts(str(folder), artifact_path=_FOLDER)
        return str(run.info.run_id)


def _to_wandb(logged: LoggedResults, folder: Path, settings: Mapping[str, Any]) -> str:
    try:
        import wandb
    except ImportError:
        raise MissingLibrary("logging in Weights & Biases", "wandb") from None
    active = wandb.run
    _refuse_settings(active, settings)
    own = nullcontext(active) if active else wandb.init(**_with(settings, logged, "name"))
    with own as run:
        run.config.update({**logged.decisions, **logged.facts}, allow_val_change=True)
        run.summary.update(logged.values)
        artefact = wandb.Artifact(f"{_FOLDER}-{run.id}", type="results")
        artefact.add_dir(str(folder))
        run.log_artifact(artefact)
        run.log({"report": wandb.Html((folder / REPORT).read_text(encoding="utf-8"), inject=False)})
        return str(run.id)


def _with(settings: Mapping[str, Any], logged: LoggedResults, name: str) -> dict[str, Any]:
    """The settings of a run, called after the results unless it is named."""
    return {name: logged.title, **settings}


def _refuse_settings(active: object, settings: Mapping[str, Any]) -> None:
    """Refuse settings of a run that has been started already."""
    if active and settings:
        listed = ", ".join(settings)
        raise OptionError(f"log: a run is active, so {listed} cannot be set. End it, or leave out.")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
