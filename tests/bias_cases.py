"""Small experiments whose biases are assessed in tests."""

from __future__ import annotations

from typing import Any

from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.reading import read_table


def experiment(**changes: Any) -> Experiment:
    """Two systems that know the user, on simulated data."""
    table: dict[str, Any] = {
        "data": "simulated(size=tiny)",
        "split": "random(test_share=0.4)",
        "relevance": 4,
        "systems": {"kNN": "user-kNN(k=5)", "SVD": "PureSVD(factors=3)"},
        "metrics": ["P@3"],
    }
    return read_table({**table, **changes})
