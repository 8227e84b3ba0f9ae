"""Small stand-ins for libraries of models: the names, methods and parameters of the real ones.

`tests/parity` holds the same adapters to the real libraries, where they are installed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest


def install(patch: pytest.MonkeyPatch, **modules: dict[str, Any]) -> None:
    """Make modules importable; ``a__b`` is the module b of the package a."""
    for name, members in modules.items():
        path = name.replace("__", ".")
        module = ModuleType(path)
        vars(module).update(members)
        patch.setitem(sys.modules, path, module)
        if "." in path and path.rpartition(".")[0] not in sys.modules:
            patch.setitem(sys.modules, path.rpartition(".")[0], ModuleType(path.rpartition(".")[0]))


class ItemList:
    """LensKit's list of items."""

    def __init__(self, item_ids: Any, scores: Any = None) -> None:
        self._ids, self._scores = np.asarray(item_ids), scores

    def ids(self) -> np.ndarray:
        return self._ids

    def scores(self) -> Any:
        return self._scores


class Pipeline:
    """LensKit's pipeline around a scorer; ``nodes`` are those that it can run."""

    def __init__(self, scorer: Any, nodes: Sequence[str] = ("scorer", "recommender")) -> None:
        self.scorer, self.nodes = scorer, nodes
        self.calls: list[tuple[str, Any]] = []

    def train(self, data: Any, options: Any = None) -> None:
        self.data = data
        self.scorer.train(data, options)

    def node(self, node: str, *, missing: str = "error") -> Any:
        return node if node in self.nodes else None

    def component_names(self) -> list[str]:
        return ["scorer"]

    def component(self, node: str) -> Any:
        return self.scorer

    def run(self, node: str, /, *, query: Any, items: ItemList, **more: Any) -> ItemList:
        self.calls.append((node, more.get("n")))
        found = self.scorer(query, items)
        return found if node != "recommender" else self.ranked(found)

    def ranked(self, found: ItemList) -> ItemList:
        scores = np.asarray(found.scores())
        order = np.argsort(-scores, kind="stable")[: np.isfinite(scores).sum()]
        return ItemList(found.ids()[order], scores[order])


class Reranked(Pipeline):
    """A pipeline that turns its list around, and keeps the scores."""

    def ranked(self, found: ItemList) -> ItemList:
        before = super().ranked(found)
        return ItemList(before.ids()[::-1], before.scores()[::-1])


class CountScorer:
    """A scorer of LensKit: items by their number of ratings; those of one rating have none."""

    def __init__(self, least: int = 2) -> None:
        self.config = SimpleNamespace(model_dump=lambda: {"least": least, "of": {"user", "item"}})
        self.least = least
        self.options: list[Any] = []

    def train(self, data: Any, options: Any = None) -> None:
        self.options.append(options)
        if options.retrain:
            self.counts = data["item"].value_counts()

    def __call__(self, query: Any, items: ItemList) -> ItemList:
        counts = self.counts.reindex(items.ids()).to_numpy(dtype=np.float64)
        return ItemList(items.ids(), np.where(counts >= self.least, counts, np.nan))


def install_lenskit(patch: pytest.MonkeyPatch) -> None:
    """LensKit's data, training and pipeline."""
    install(
        patch,
        lenskit__data={"ItemList": ItemList, "from_interactions_df": lambda table: table},
        lenskit__training={
            "TrainingOptions": lambda rng=None, retrain=True: SimpleNamespace(
                rng=rng, retrain=retrain
            )
        },
        lenskit__pipeline={"topn_pipeline": Pipeline},
    )


def install_rectools(patch: pytest.MonkeyPatch) -> None:
    """The data set of RecTools, which is its table here."""
    install(
        patch,
        rectools__dataset={"Dataset": SimpleNamespace(construct=lambda table: table)},
    )


class ScoreException(Exception):
    """Cornac's."""


def install_cornac(patch: pytest.MonkeyPatch) -> None:
    """The data set of Cornac, which numbers ids as they come."""

    def from_uir(data: list[tuple[Any, Any, float]], seed: Any = None) -> Any:
        users = {each: at for at, each in enumerate(dict.fromkeys(row[0] for row in data))}
        items = {each: at for at, each in enumerate(dict.fromkeys(row[1] for row in data))}
        return SimpleNamespace(uid_map=users, iid_map=items, data=data, seed=seed)

    install(
        patch,
        cornac__data={"Dataset": SimpleNamespace(from_uir=from_uir)},
        cornac__exception={"ScoreException": ScoreException},
    )


class TrainSet:
    """A training set of Surprise."""

    def __init__(self, rows: list[tuple[Any, Any, float, Any]], scale: tuple[float, float]) -> None:
        self.rows, self.rating_scale = rows, scale
        self._raw = list(dict.fromkeys(row[0] for row in rows))

    def all_users(self) -> range:
        return range(len(self._raw))

    def to_raw_uid(self, inner: int) -> Any:
        return self._raw[inner]


class SurpriseData:
    """A data set of Surprise."""

    def __init__(self, reader: Any) -> None:
        self.reader = reader

    def construct_trainset(self, rows: list[tuple[Any, Any, float, Any]]) -> TrainSet:
        return TrainSet(rows, self.reader.rating_scale)


def install_surprise(patch: pytest.MonkeyPatch) -> None:
    """The data set and the reader of Surprise."""
    reader = {"Reader": lambda rating_scale: SimpleNamespace(rating_scale=rating_scale)}
    install(patch, surprise={"Dataset": SurpriseData, **reader})


class Tensor:
    """A tensor, which only NumPy can compute with after it was sent to the processor."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def cpu(self) -> np.ndarray:
        return self.values


class Module:
    """What a module of PyTorch has besides ``forward``."""

    training = True

    def __call__(self, *given: Tensor) -> Tensor:
        assert not self.training
        return Tensor(self.forward(*given))

    def forward(self, *given: Tensor) -> Any:
        raise NotImplementedError

    def eval(self) -> None:
        self.training = False

    def train(self, mode: bool = True) -> None:
        self.training = mode

    def state_dict(self) -> dict[str, Any]:
        return {}

    def parameters(self) -> Iterator[Any]:
        return iter([SimpleNamespace(device="cpu")])


class TorchSeeds:
    """The random numbers of PyTorch: a seed, and what it was before."""

    def __init__(self) -> None:
        self.seed = 99

    def manual_seed(self, seed: int) -> None:
        self.seed = seed

    @contextmanager
    def fork_rng(self) -> Iterator[None]:
        before = self.seed
        yield
        self.seed = before


def install_torch(patch: pytest.MonkeyPatch) -> TorchSeeds:
    """The parts of PyTorch by which a module is asked."""
    seeds = TorchSeeds()
    install(
        patch,
        torch={
            "as_tensor": lambda values, device: Tensor(values),
            "no_grad": nullcontext,
            "manual_seed": seeds.manual_seed,
            "random": seeds,
        },
    )
    return seeds
