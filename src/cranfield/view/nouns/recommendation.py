"""Views of what systems rank: runs, and runs with their hits."""

from __future__ import annotations

import numpy as np

from cranfield.base.nouns.views import view_for
from cranfield.collection.statistics.spread import Spread
from cranfield.recommendation.ranking.rank import Ranked
from cranfield.recommendation.runs.run import Run
from cranfield.view.charts.data_plots import concentration_plot, rank_plot
from cranfield.view.charts.plot import Plot
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.numbers import UNKNOWN, share


@view_for(Run)
class RunView(NounView):
    """How long lists are, and how much they have in common."""

    kind = "run"

    def tables(self, noun: Run) -> list[ShownTable]:
        """Sizes of the lists."""
        lengths, items = noun.lengths, np.unique(noun.items)
        some = f"{lengths.min():,} to {lengths.max():,}" if len(lengths) else UNKNOWN
        mean = f"{lengths.mean():,.1f}" if len(lengths) else UNKNOWN
        rows = [
            ("system", noun.system),
            ("lists", f"{len(noun):,}"),
            ("empty lists", f"{int(np.count_nonzero(lengths == 0)):,}"),
            ("items per list", f"{some}, mean {mean}"),
            ("different items", f"{len(items):,}"),
            ("items that are not in the collection", f"{len(noun.unknown_items):,}"),
            ("tied positions", share(noun.tied_share)),
        ]
        return [ShownTable(caption="Run", headings=("", "value"), rows=rows, words=(0, 1))]

    def plots(self, noun: Run) -> list[Plot]:
        """How places in lists are concentrated on items; none without a list."""
        if not len(noun.items):
            return []
        counts = np.unique(noun.items, return_counts=True)[1]
        return [concentration_plot({"items": Spread(np.sort(counts))}, "places in lists")]


@view_for(Ranked)
class RankedView(NounView):
    """The run, and at which ranks judged items are."""

    kind = "ranking"

    def tables(self, noun: Ranked) -> list[ShownTable]:
        """Those of the run."""
        return RunView().tables(noun.run)

    def plots(self, noun: Ranked) -> list[Plot]:
        """The ranks of judged items, then the chart of the run."""
        ranks = [rank_plot(noun.hits.ranks)] if (noun.hits.ranks > 0).any() else []
        return [*ranks, *RunView().plots(noun.run)]
