"""The numbers of a study's verdict, a few rows for page and terminal alike."""

from __future__ import annotations

from cranfield.validity.phrases import percent
from cranfield.validity.study.findings import StudyFindings


def verdict_rows(conclusion: StudyFindings) -> tuple[tuple[str, ...], ...]:
    """Headings, then in how many designs each system wins: at all, by itself, established.

    Shares are by the weights of answers, with 95 % intervals where users were resampled.
    """
    pair = conclusion.pair
    neither = pair.ties + pair.undefined
    rows = [
        (f"designs ({pair.designs:,})", pair.first, pair.second, "neither"),
        ("scores more", f"{pair.wins:,}", f"{pair.losses:,}", f"{neither:,}"),
        _row("significant by itself", pair.designs, pair.significant_wins, pair.significant_losses),
    ]
    if pair.joint_p is not None:
        wins, losses = pair.established_wins, pair.established_losses
        rows.append(_row("established", pair.designs, wins, losses))
    found = conclusion.uncertainty
    established = pair.established_wins or pair.established_losses
    if found is not None and established and found.wins.low == found.wins.low:
        spans = (
            f"{percent(share)} ({percent(interval.low)} to {percent(interval.high)})"
            for share, interval in ((pair.win_share, found.wins), (pair.loss_share, found.losses))
        )
        rows.append(("share that scores more", *spans, ""))
    return tuple(rows)


def _row(name: str, designs: int, wins: int, losses: int) -> tuple[str, ...]:
    return name, f"{wins:,}", f"{losses:,}", f"{designs - wins - losses:,}"
