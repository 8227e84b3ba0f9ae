"""Item MAD: whether items of one group are predicted, or found, better than those of another."""

from __future__ import annotations

from math import inf
from typing import ClassVar, Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.options import option, parameter
from cranfield.collection.items import Floats
from cranfield.recommendation.runs.run import Run
from cranfield.scoring.item_groups import BY, ItemGroups, Popularity, sums_of_items
from cranfield.scoring.metric import cutoff_parameter
from cranfield.scoring.run_metric import (
    DEPTH,
    Aspect,
    RunFacts,
    RunMetric,
    is_relevant,
    judgments_of,
    ratings_of,
    top,
)


@option("run-metric", "ItemMAD", aliases=("item-mean-absolute-difference",))
@dataclass(frozen=True, kw_only=True)
class ItemMAD(RunMetric):
    r"""Mean absolute difference between groups of items, in what their items get where shown.

        ItemMAD@n = 2/(G(G−1)) · Σ_{g<h} |X_g − X_h|,  X_g = Σ_i w_ig·x_i ÷ Σ_i w_ig
        x_i = mean over the lists that show i in their top n of y_ui

    y_ui is 2^(r−τ+1) − 1 for a rating r that is relevant (at least τ), else 0; with
    of=ratings, the prediction for a relevant item, else 0. The sums are over shown items, w_ig
    is how much of item i belongs to group g. Lists of users without a relevant test item are
    left out, and groups of which nothing is shown; undefined with fewer than two. From 0
    up, lower is fairer. Deldjoo et al. 2021; Zhu, Hu & Caverlee 2018; ItemMADranking and
    ItemMADrating of Elliot. WarpRec's ItemMADRating is the mean over relevant items alone.
    """

    highest: ClassVar[float] = inf
    aspect: ClassVar[Aspect | None] = "exposure"
    lower_is_fairer: ClassVar[bool] = True

    by: ItemGroups = parameter(Popularity(), BY)
    of: Literal["ranking", "ratings"] = parameter(
        "ranking", "What an item gets: the gain of the user's rating, or its prediction."
    )
    cutoff: int | None = cutoff_parameter(DEPTH)

    def of_run(self, run: Run, facts: RunFacts) -> float:
        """The mean difference between groups."""
        judgments = judgments_of(str(self), facts)
        relevant = is_relevant(run, judgments)
        judged = judgments.ratings.take(judgments.relevant).user_counts[run.topics.users] > 0
        chosen = top(run, self.cutoff) & run.known & np.repeat(judged, run.lengths)
        if self.of == "ratings":
            gained = np.where(relevant, run.predictions, 0.0)
        else:
            ratings = np.where(relevant, ratings_of(run, judgments), judgments.relevance - 1)
            gained = 2.0 ** (ratings - judgments.relevance + 1) - 1
        items, size = run.items[chosen], len(facts.items)
        shown = np.bincount(items, minlength=size)
        means = np.bincount(items, gained[chosen], size) / np.maximum(shown, 1)
        weights = self.by.of_items(facts.items).weights * (shown > 0)[:, None]
        return mean_difference(sums_of_items(means, weights), weights.sum(axis=0))


def mean_difference(sums: Floats, of: Floats) -> float:
    """The mean absolute difference of means, over all pairs of groups that have one.

    >>> mean_difference(np.array([1.0, 4.0, 0.0]), np.array([1.0, 2.0, 0.0]))
    1.0
    """
    means = sums[of > 0] / of[of > 0]
    if len(means) < 2:
        return float("nan")
    first, second = np.triu_indices(len(means), 1)
    return float(np.abs(means[first] - means[second]).mean())
