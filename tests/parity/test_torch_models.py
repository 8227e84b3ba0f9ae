"""Modules of PyTorch predict through the adapter what they compute by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cranfield.base.seeds import Seeds
from cranfield.recommendation.adapter import adapt
from learnable import everyone, grouped

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")


class OfUsers(torch.nn.Module):  # type: ignore[misc]
    """Products of embeddings, with dropout, which must not be at work."""

    def __init__(self, users: int = 60, items: int = 40) -> None:
        super().__init__()
        self.users, self.items = torch.nn.Embedding(users, 4), torch.nn.Embedding(items, 4)
        self.dropout = torch.nn.Dropout(0.5)

    def forward(self, users: Any) -> Any:
        return self.dropout(self.users(users)) @ self.items.weight.T


class OfPairs(OfUsers):
    """The same, pair by pair."""

    def forward(self, users: Any, items: Any) -> Any:  # type: ignore[override]
        return (self.dropout(self.users(users)) * self.items(items)).sum(dim=1)


class Trained(OfUsers):
    """Learns by gradients from the matrix of training ratings."""

    def fit(self, matrix: Any) -> None:
        torch.nn.init.normal_(self.users.weight)
        wanted = torch.as_tensor(matrix.toarray(), dtype=torch.float32)
        optimiser = torch.optim.Adam(self.parameters(), lr=0.1)
        for _ in range(20):
            optimiser.zero_grad()
            ((self(torch.arange(len(wanted))) - wanted) ** 2).mean().backward()
            optimiser.step()


def product(model: OfUsers) -> np.ndarray:
    return np.asarray((model.users.weight @ model.items.weight.T).detach().numpy())


@pytest.mark.parametrize("kind", [OfUsers, OfPairs])
def test_a_trained_module_predicts_what_it_computes_without_dropout(kind: Any) -> None:
    train, _ = grouped()
    model = kind()
    mine = adapt(model, batch=7).fit(train, Seeds(1)).predict(everyone(train))
    np.testing.assert_allclose(mine, product(model), atol=1e-5)
    assert model.training


def test_a_module_with_fit_is_trained_by_the_seed_alone() -> None:
    train, _ = grouped()
    model, before = Trained(), torch.get_rng_state()
    one, again, other = (
        adapt(model).fit(train, Seeds(seed)).predict(everyone(train)) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()
    assert torch.equal(before, torch.get_rng_state())
