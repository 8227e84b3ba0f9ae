"""Methods, the part on systems: what was compared, and what could not be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cranfield.recommendation.adapter import Adapted
from cranfield.recommendation.foreign.description import ModelDescription
from cranfield.view.prose import listed, parameter_words, with_parameters
from cranfield.workbench.results.methods.methods_data import named
from cranfield.workbench.results.methods.references import cited
from cranfield.workbench.results.results import Results


def systems_sentence(results: Results) -> str:
    """Which systems were compared, each with its parameters."""
    experiment = results.evaluated
    systems = [_system(name, each, results) for name, each in experiment.systems.items()]
    runs = [f"{name} (lists from {named(file)})" for name, file in experiment.runs.items()]
    verb = "compared" if len(experiment.names) > 1 else "evaluated"
    return f"We {verb} {listed([*systems, *runs], between='; ')}."


def _system(name: str, recommender: Any, results: Results) -> str:
    if isinstance(recommender, Adapted):
        return f"{name} ({model_words(recommender.description, results.versions)})"
    kind = getattr(recommender, "option_name", "") or with_parameters(recommender)
    told = [*([] if kind == name else [kind]), *parameter_words(recommender)]
    source = cited(recommender)[2:-1]
    inside = "; ".join(part for part in (", ".join(told), source) if part)
    return f"{name} ({inside})" if inside else name


def model_words(model: ModelDescription, versions: Mapping[str, str]) -> str:
    """A model that was made elsewhere: class, library, parameters, and how it was asked.

    >>> model = ModelDescription(kind="m.SVD", library="lib", batch=128, parameters={"k": 9})
    >>> model_words(model, {"lib": "1.2"})
    'm.SVD of lib 1.2, k = 9, asked for 128 users at a time'
    """
    version = versions.get(model.library, "")
    library = f" of {model.library} {version}".rstrip() if model.library else ""
    told = [
        f"{model.kind}{library}",
        *(f"{name} = {value}" for name, value in _flat(model.parameters)),
        *(["fitted before"] if model.fitted else []),
        *([] if model.batch is None else [f"asked for {model.batch} users at a time"]),
    ]
    return ", ".join(told)


def _flat(parameters: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Parameters with a value, those within others by their path."""
    for name, value in parameters.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{name}.")
        elif value is not None:
            yield f"{path}{name}", _value(value)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return " / ".join(map(_value, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def failed_sentence(results: Results) -> str:
    """Which systems were to be evaluated, and could not be."""
    return " ".join(
        f"{name} is not among the results, as it failed: {reason}"
        for name, reason in results.failed.items()
    )
