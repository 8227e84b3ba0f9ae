"""Reproducing: run what a reproduction defines, and hold the paper's claims to the figures."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.progress import bar
from cranfield.workbench import inventory
from cranfield.workbench.reproduction.authors import authors_frames
from cranfield.workbench.reproduction.draws import printed_among_draws
from cranfield.workbench.reproduction.leaving_out import systems_left_out, with_decisive
from cranfield.workbench.reproduction.records import labelled_rows
from cranfield.workbench.reproduction.reproduction import Answers, Claim, Reproduction, Show
from cranfield.workbench.reproduction.running import (
    Edition,
    Figures,
    first_seed,
    is_answerable,
    run_figures,
    with_tables,
)
from cranfield.workbench.reproduction.states import (
    Judgment,
    Support,
    Verdict,
    held_in_draw,
    supports_of,
)
from cranfield.workbench.results.frames import Frames, ask
from cranfield.workbench.store.store import Store

AUTHORS = "the authors' figures"
_OURS, _PUBLISHED = "ours", "published"
"""What a column of computed figures is called, and of those that are the authors'."""


@dataclass(frozen=True, eq=False)
class Shown:
    """Something to show, with its rows."""

    show: Show
    rows: pl.DataFrame

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        of = self.show
        head = {"title": of.title, "kind": of.kind, "x": of.x, "y": of.y}
        return {**head, **labelled_rows(self.rows, "rows")}


@dataclass(frozen=True, eq=False)
class Reproduced:
    """A reproduced table or figure: what is shown, and what holds of the claims.

    ``data`` names the data of each panel; those in ``stand_ins`` are not the paper's, so
    that nothing is reproduced by them. ``small`` means that all data are built in. What is
    shown is of the first of the ``seeds``. ``seconds`` are by the clock, ``processor_seconds``
    by all processors, of this process and its workers. Claims were judged without each of the
    ``left_out`` systems, too.
    """

    reproduction: Reproduction
    shown: tuple[Shown, ...]
    judgments: tuple[Judgment, ...]
    data: Mapping[str, str]
    stand_ins: tuple[str, ...]
    small: bool
    seconds: float
    processor_seconds: float
    seeds: tuple[int, ...] = (0,)
    left_out: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        made = self.reproduction
        fault = made.fault
        tool = "" if fault is None else fault.tool
        return {
            "name": made.name,
            "paper": made.paper,
            "item": made.item,
            "title": made.title,
            "data": [{"panel": name, "source": each} for name, each in self.data.items()],
            "stand_ins": list(self.stand_ins),
            "small": self.small,
            "seeds": list(self.seeds),
            "left_out": list(self.left_out),
            "fault": "" if fault is None else " ".join(fault.says.split()),
            "differs": made.differs,
            "seconds": round(self.seconds, 1),
            "processor_seconds": round(self.processor_seconds, 1),
            "shows": [each.to_dict() for each in self.shown],
            "claims": [each.to_dict(tool) for each in self.judgments],
        }


def reproduce(
    made: Reproduction,
    store: Store,
    *,
    small: bool = False,
    seeds: int = 1,
    leave_out: bool = False,
    workers: int | str | None = None,
) -> Reproduced:
    """Run every panel with each of so many seeds, then show and judge by what came out.

    The first seed is that of the definition, and the others follow it. The fault of a tool
    is tried with the first. With ``leave_out`` all is run without each system in turn, too.
    """
    inventory.load()
    start, busy = time.perf_counter(), processor_seconds()
    edition = Edition(store, small, workers)
    draws, faulty = _run_all(made, edition, seeds)
    theirs = {} if small else authors_frames(made)
    theirs = with_tables(theirs, made) if theirs else {}
    judgments = tuple(judge_claim(claim, draws, faulty, theirs) for claim in made.claims)
    return Reproduced(
        made,
        (*_all_shown(made, draws[0].frames), *authors_shown(made, theirs), *_printed(made, draws)),
        with_decisive(judgments, made, edition, draws[0]) if leave_out else judgments,
        draws[0].data,
        draws[0].stand_ins,
        small,
        time.perf_counter() - start,
        processor_seconds() - busy,
        tuple(first_seed(made) + draw for draw in range(len(draws))),
        systems_left_out(made, small) if leave_out else (),
    )


def processor_seconds() -> float:
    """What this process, and those it started that have ended, have used of processors."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _run_all(
    made: Reproduction, edition: Edition, seeds: int
) -> tuple[list[Figures], list[Figures]]:
    """The figures of each draw, and those with the fault of a tool, if there is one.

    Stand-ins for the paper's data decide no claim, and are in the first draw only.
    """
    fault = made.fault
    with bar(made.name, seeds + (fault is not None), "runs") as shown:

        def ran(text: str, changes: Answers, later: int, stand_ins: bool = False) -> Figures:
            shown.describe(text)
            figures = run_figures(made, edition, changes, later, stand_ins=stand_ins)
            shown.advance()
            return replace(figures, frames=with_tables(figures.frames, made))

        draws = [ran(f"draw 1 of {seeds}", {}, 0, stand_ins=True)]
        if set(draws[0].data) == set(draws[0].stand_ins):
            return draws, []
        draws += [ran(f"draw {draw + 1} of {seeds}", {}, draw) for draw in range(1, seeds)]
        if fault is None:
            return draws, []
        changes = {**fault.answers, **(fault.small if edition.small else {})}
        return draws, [ran(f"as {fault.tool}", changes, 0)]


def _all_shown(made: Reproduction, frames: Frames) -> list[Shown]:
    return [part for show in made.shows for part in split_shown(show, ask(frames, show.select))]


def authors_shown(made: Reproduction, frames: Frames) -> list[Shown]:
    """The same of what the authors published, as far as it tells of it."""
    known = [show for show in made.shows if frames and is_answerable(show.select, frames)]
    return [
        part
        for show in known
        for part in split_shown(
            replace(show, title=_authors_title(made, show)),
            ask(frames, show.select).rename(_as_published),
        )
    ]


def _authors_title(made: Reproduction, show: Show) -> str:
    """Whose figures are shown, and of which paper if it is another one."""
    paper = "" if made.authors is None else made.authors.paper
    of = f" of {paper}" if paper not in ("", made.paper) else ""
    return f"{show.title.replace(f'{_OURS} and', f'{_PUBLISHED} and')}, {AUTHORS}{of}"


def _as_published(column: str) -> str:
    named = column == _OURS or column.startswith(f"{_OURS}_")
    return f"{_PUBLISHED}{column.removeprefix(_OURS)}" if named else column


def _printed(made: Reproduction, draws: Sequence[Figures]) -> list[Shown]:
    """Where printed values stand among those of several draws."""
    if len(draws) == 1:
        return []
    found = []
    for show in made.shows:
        among = printed_among_draws([ask(each.frames, show.select) for each in draws])
        if among is not None:
            title = f"Printed values among {len(draws)} draws: {show.title}"
            found.append(Shown(Show(title, show.select), among))
    return found


def split_shown(show: Show, rows: pl.DataFrame) -> list[Shown]:
    """What a question gives; lines and bars of several panels as one picture for each."""
    if show.kind == "table" or "panel" not in rows.columns:
        return [Shown(show, rows)]
    return [
        Shown(replace(show, title=f"{show.title}, {panel}"), part.drop("panel"))
        for (panel,), part in rows.group_by("panel", maintain_order=True)
    ]


def judge_claim(
    claim: Claim,
    draws: Sequence[Figures],
    faulty: Sequence[Figures] = (),
    theirs: Frames | None = None,
) -> Judgment:
    """Hold a claim to the figures of all draws, of a faulty run if any, and to the authors'.

    Rows of panels that stand in for the paper's data are counted apart. Figures that the
    paper prints decide before files of its authors, which may be of another paper.
    """
    first = draws[0]
    rows = ask(first.frames, claim.test)
    own = [_supports(claim, each) for each in draws]
    supports = own[0]
    if claim.authors:
        supports = [*supports, *supports_of(ask(first.frames, claim.authors), "authors")]
    elif theirs and is_answerable(claim.test, theirs):
        supports = [*supports, *supports_of(ask(theirs, claim.test), "authors")]
    for each in faulty:
        known = supports_of(ask(each.frames, claim.test), "fault", each.stand_ins, each.only_panel)
        supports = [*supports, *(part for part in known if part.kind == "fault")]
    held = sum(map(held_in_draw, own))
    verdict = Verdict(
        supports=tuple(supports),
        draws_held=held,
        draws=len(draws),
        authors_of=claim.authors_of,
        explained=bool(claim.reason),
    )
    return Judgment(claim, verdict, rows)


def _supports(claim: Claim, figures: Figures) -> list[Support]:
    rows = ask(figures.frames, claim.test)
    return supports_of(rows, "paper", figures.stand_ins, figures.only_panel)
