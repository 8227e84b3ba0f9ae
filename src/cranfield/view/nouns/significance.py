"""The view of a comparison."""

from __future__ import annotations

from cranfield.base.dataclass import dataclass
from cranfield.base.nouns.views import view_for
from cranfield.significance.comparison import Comparison
from cranfield.view.charts.pair_plots import p_value_plot, pair_plots
from cranfield.view.charts.plot import Plot
from cranfield.view.names import Label, metric_label
from cranfield.view.nouns.noun_view import NounView, ShownTable
from cranfield.view.numbers import interval, p_value, signed
from cranfield.view.pairs import higher_first, in_order, users_text
from cranfield.view.prose import p_heading, p_note
from cranfield.view.tables.comparisons import comparison_latex


@dataclass(frozen=True)
class _Compared:
    """A comparison by itself, as charts of pairs take it."""

    comparison: Comparison
    label: Label = metric_label


@view_for(Comparison)
class ComparisonView(NounView):
    """The tested difference of every pair, the higher system first."""

    kind = "comparison"

    def title(self, noun: Comparison) -> str:
        """Who is compared."""
        return f"Comparison of {', '.join(noun.systems)}"

    def tables(self, noun: Comparison) -> list[ShownTable]:
        """All pairs by all metrics, pairs of baselines last."""
        pairs = map(higher_first, in_order(noun.pairs))
        rows = [
            (
                metric_label(pair.metric),
                pair.first,
                pair.second,
                signed(pair.difference),
                interval(pair.low, pair.high, signed),
                p_value(pair.adjusted) + ("*" if pair.significant else ""),
                users_text(pair, " / "),
            )
            for pair in pairs
        ]
        headings = (
            "metric", "higher", "lower", "difference", "95 % interval", p_heading(noun.choice),
            "users + / = / −",
        )  # fmt: skip
        caption = "Differences between systems"
        return [ShownTable(caption=caption, headings=headings, rows=rows, words=(0, 1, 2))]

    def notes(self, noun: Comparison) -> list[str]:
        """How p-values are made, and what a reader should know of them."""
        return [p_note(noun.choice), *noun.notes]

    def plots(self, noun: Comparison) -> list[Plot]:
        """The differences by each metric, and the p-values of all pairs."""
        content = _Compared(noun)
        curve = p_value_plot(content)
        return [*pair_plots(content), *([] if curve is None else [curve])]

    def latex(self, noun: Comparison) -> str:
        """Systems by metrics, with marks of significance."""
        return comparison_latex(noun)
