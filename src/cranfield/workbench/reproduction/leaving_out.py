"""Leaving out: which systems decide a claim, by what holds without each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cranfield.base.progress import track
from cranfield.workbench.reproduction.authors import authors_frames, authors_systems
from cranfield.workbench.reproduction.fewer_systems import frames_without, is_derivable, thin_panels
from cranfield.workbench.reproduction.reproduction import Claim, Reproduction
from cranfield.workbench.reproduction.running import (
    Edition,
    Figures,
    is_answerable,
    run_figures,
    systems_of,
    with_tables,
)
from cranfield.workbench.reproduction.states import Judgment, Kind, Verdict, supports_of
from cranfield.workbench.results.frames import Frames, ask

LEAST = 3
"""Systems that must be left: two have one order or the other."""


def systems_left_out(made: Reproduction, small: bool) -> tuple[str, ...]:
    """The systems that are left out in turn; none where too few would be left."""
    systems = systems_of(made, small)
    return tuple(systems) if len(systems) > LEAST else ()


def with_decisive(
    judgments: Sequence[Judgment], made: Reproduction, edition: Edition, whole: Figures
) -> tuple[Judgment, ...]:
    """The judgments, with the systems without which they would be the opposite.

    ``whole`` are the figures of the first draw, with all systems.
    """
    ours = _without_each(systems_left_out(made, edition.small), made, edition, whole)
    theirs = {} if edition.small else _authors_without_each(made)
    return tuple(_decided(judgment, ours, theirs) for judgment in judgments)


def _without_each(
    systems: Sequence[str], made: Reproduction, edition: Edition, whole: Figures
) -> dict[str, Figures]:
    """Our figures without each system, from the tables of all where these decide.

    Else all is run again; what is fitted already is in the store.
    """
    if not systems:
        return {}
    derivable, found = is_derivable(made, edition.small), {}
    thinned = thin_panels(made, edition) if derivable else {}
    for name in track(systems, f"{made.name}, leaving out"):
        if derivable:
            left = frames_without(whole.frames, made, name, thinned, edition.small)
            figures = replace(whole, frames=left)
        else:
            figures = run_figures(made, edition, {}, without=name)
        found[name] = replace(figures, frames=with_tables(figures.frames, made))
    return found


def _authors_without_each(made: Reproduction) -> dict[str, Frames]:
    found = {name: authors_frames(made, name) for name in authors_systems(made)}
    return {name: with_tables(frames, made) for name, frames in found.items() if frames}


def _decided(judgment: Judgment, ours: dict[str, Figures], theirs: dict[str, Frames]) -> Judgment:
    claim, whole = judgment.claim, judgment.verdict
    by_us = {name: _verdict(claim, each, "paper") for name, each in ours.items()}
    by_them = {
        name: _verdict(claim, Figures(frames), "authors")
        for name, frames in theirs.items()
        if _is_asked(claim, frames)
    }
    decided = replace(
        whole,
        decisive=_opposite(whole, "paper", by_us),
        authors_decisive=_opposite(whole, "authors", by_them),
    )
    return replace(judgment, verdict=decided)


def _verdict(claim: Claim, figures: Figures, kind: Kind) -> Verdict:
    rows = ask(figures.frames, claim.test)
    return Verdict(supports=tuple(supports_of(rows, kind, figures.stand_ins, figures.only_panel)))


def _is_asked(claim: Claim, frames: Frames) -> bool:
    """Whether the authors' tables are asked the claim's own question."""
    return not claim.authors and is_answerable(claim.test, frames)


def _opposite(whole: Verdict, kind: Kind, parts: dict[str, Verdict]) -> tuple[str, ...]:
    """The systems without which the figures of a kind bear the claim out, or no longer do."""
    known = whole.total(kind)
    if not known.tested:
        return ()
    return tuple(
        name
        for name, part in parts.items()
        if part.total(kind).tested and part.total(kind).complete != known.complete
    )
