"""ReportContent: all that a report shows, whatever experiment it is about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from cranfield.base.dataclass import dataclass
from cranfield.collection.topics import UserCounts
from cranfield.scoring.breakdown import Breakdown
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import Summary
from cranfield.significance.comparison import Comparison
from cranfield.validity.assessment import Assessment
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import StudyFindings
from cranfield.view.names import Label, metric_label
from cranfield.view.pairs import Kinds
from cranfield.view.tables.summaries import SummaryLayout
from cranfield.view.tables.tuning import TuningContent


@dataclass(frozen=True, kw_only=True, eq=False)
class SummaryContent:
    """What is shown of a summary.

    ``unmarked`` are metrics of which more is not better. ``unknown_random`` is the reason
    why it is not known what a random ranking would get, if there is one. ``label`` names a
    metric for readers. ``failed`` has the systems that failed, and why.
    """

    summary: Summary
    unmarked: Collection[str] = ()
    unknown_random: str = ""
    label: Label = metric_label
    failed: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def layout(self) -> SummaryLayout:
        """How the summary is laid out as a table."""
        return SummaryLayout(
            summary=self.summary,
            unmarked=self.unmarked,
            unknown_random=self.unknown_random,
            label=self.label,
            failed=tuple(self.failed),
        )

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of the summary, in its order."""
        return self.layout.metrics

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems, highest by the first metric first; undefined values come last."""
        first = self.metrics[0]
        rows = [row for row in self.summary.rows if row.metric == first]
        ordered = sorted(rows, key=lambda row: (row.value != row.value, -row.value))
        return tuple(row.system for row in ordered)


@dataclass(frozen=True)
class Objective:
    """What a system should be good at, by a metric of single users or of whole runs."""

    metric: str
    lower_is_better: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class EvaluationContent(SummaryContent):
    """What a report shows of one evaluated design; the report of an experiment has one.

    ``comparison`` is None where there is only one system. ``notes`` are what a reader
    should know before relying on the figures. ``lists`` are values beyond accuracy, by
    system and name. ``breakdowns`` are the values within groups of users or items.
    ``users`` tell which test users enter. ``kinds`` tell which recommender a system is.
    ``objectives`` are accuracy first, then exposure and coverage, as far as they were measured.
    """

    scores: Scores
    comparison: Comparison | None = None
    notes: tuple[str, ...] = ()
    lists: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    breakdowns: tuple[Breakdown, ...] = ()
    users: UserCounts | None = None
    kinds: Kinds = field(default_factory=dict)
    objectives: tuple[Objective, ...] = ()

    def values(self, system: str, objectives: Sequence[Objective]) -> tuple[float, ...]:
        """What a system reached by some objectives."""
        of_runs = self.lists.get(system, {})
        return tuple(
            of_runs[each.metric]
            if each.metric in of_runs
            else self.summary.row(system, each.metric).value
            for each in objectives
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportContent:
    """All that a report shows.

    ``verdict`` is one sentence, ``evidence`` what it stands on. ``decisions`` are
    (code such as "A1", decision, answer) in order A1 … D. ``methods`` is a paragraph for
    a paper, ``references`` the BibTeX of what it cites. ``facts`` say where the figures come
    from: fingerprints, versions, seed, timings. ``designs`` and their ``conclusion``
    are those of a study, ``repeats`` what other splits and fits say of it. ``costs`` are
    (system, stage, seconds, processor seconds, MiB), measured on the ``machine``. ``plan`` says
    whether the plan was followed, then what was changed; nothing without a plan. ``tuning`` is
    how parameters were chosen, where some were.
    """

    title: str
    verdict: str
    base: EvaluationContent
    evidence: tuple[str, ...] = ()
    decisions: Sequence[tuple[str, str, str]] = ()
    methods: str = ""
    references: str = ""
    facts: Mapping[str, str]
    designs: Designs | None = None
    conclusion: StudyFindings | None = None
    repeats: tuple[str, ...] = ()
    assessments: Sequence[Assessment] = ()
    costs: Sequence[tuple[str, ...]] = ()
    machine: str = ""
    plan: Sequence[str] = ()
    tuning: TuningContent | None = None
