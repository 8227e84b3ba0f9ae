"""PyTorch: a module is asked with codes of users, or with pairs of codes."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from cranfield.base.ids import Codes
from cranfield.collection.ratings import Ratings
from cranfield.recommendation.foreign.form import Floats, Form, Rows, named
from cranfield.recommendation.foreign.matrices import matrix_of


class TorchModule(Form):
    """A module whose ``forward`` takes users, or users and items, as tensors of codes.

    ``forward(users)`` gives one row per user and one column per item, ``forward(users, items)``
    one number per pair. A module with ``fit(matrix)`` is fitted, by the seed; one without has
    been trained already.
    """

    def fit(self, model: Any, train: Ratings, seed: int) -> Any:
        """Fit it to users × items, without touching the seed of anything else."""
        import torch

        with torch.random.fork_rng():
            torch.manual_seed(seed)
            model.fit(matrix_of(train))
        return model

    def rows(self, model: Any, train: Ratings, matrix: Any) -> Rows:
        """Ask in evaluation mode, without gradients, on the device where the module is."""
        import torch

        items, in_pairs = np.arange(matrix.shape[1]), _wants_pairs(model)
        device = next((each.device for each in model.parameters()), None)

        def ask(*codes: Any) -> Floats:
            given = [torch.as_tensor(np.asarray(each, np.int64), device=device) for each in codes]
            mode = model.training
            model.eval()
            try:
                with torch.no_grad():
                    return np.asarray(model(*given).cpu(), dtype=np.float64)
            finally:
                model.train(mode)

        def rows(users: Codes) -> Floats:
            if not in_pairs:
                return ask(users)
            found = ask(np.repeat(users, len(items)), np.tile(items, len(users)))
            return found.reshape(len(users), -1)

        return rows


def _wants_pairs(model: Any) -> bool:
    """Whether ``forward`` needs items as well."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    asked = [each for each in named(model.forward).values() if each.kind in kinds]
    return len([each for each in asked if each.default is inspect.Parameter.empty]) > 1
