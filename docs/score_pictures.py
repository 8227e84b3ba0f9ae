"""Pictures of the decisions from the metric to the comparison."""

from __future__ import annotations

from math import exp, log, log2

from drawing import box, dot, line, picture, text


def metric() -> str:
    """One ranking, what its ratings gain, and how ranks are discounted up to a cut-off."""
    ratings = (5, None, 3, 4, None, None, 5)
    cutoff, parts = 5, [text(8, 24, "rank", "small soft"), text(8, 56, "rating", "small soft")]
    parts += [text(8, 88, "gain, binary", "small soft"), text(8, 116, "gain, rating", "small soft")]
    parts.append(text(8, 176, "discount", "small soft"))
    for place, rating in enumerate(ratings):
        x, rank = 120 + place * 50, place + 1
        kind = "" if rank <= cutoff else "faded "
        parts += [
            text(x + 16, 24, str(rank), f"{kind}mid small"),
            box(
                x, 36, 32, 30, f"{kind}{'wash' if rating is None else 'b' if rating >= 4 else 'a'}"
            ),
        ]
        parts.append(
            text(
                x + 16,
                56,
                "–" if rating is None else str(rating),
                f"{kind}mid bold{'' if rating is None else ' inside' if rank <= cutoff else ''}",
            )
        )
        parts.append(text(x + 16, 88, str(int((rating or 0) >= 4)), f"{kind}mid"))
        parts.append(text(x + 16, 116, str(rating or 0), f"{kind}mid"))
        tall = 50 / log2(rank + 1)
        parts.append(box(x + 6, 182 - tall, 20, tall, f"{kind}c"))
    edge = 120 + cutoff * 50 - 9
    parts += [line(edge, 8, edge, 184, "rule dash"), text(edge + 6, 202, "cut-off 5", "small")]
    return picture(
        "A ranking of seven items, with ratings, gains, discounts and a cut-off of five",
        208,
        *parts,
    )


_A = (0.95, 0.9, 0.8, 0.1, 0.0)
_B = (0.7, 0.55, 0.5, 0.45, 0.3)


def _means(scores: tuple[float, ...]) -> tuple[float, float]:
    geometric = exp(sum(log(score + 0.01) for score in scores) / len(scores)) - 0.01
    return sum(scores) / len(scores), geometric


def aggregation() -> str:
    """Scores of five users by two systems, with two means that disagree."""
    parts = []
    for place, (name, scores, kind) in enumerate((("A", _A, "a"), ("B", _B, "b"))):
        y = 46 + place * 84
        mean, geometric = _means(scores)
        parts += [text(8, y + 5, f"system {name}", f"bold {kind}"), line(90, y, 470, y)]
        parts += [dot(90 + score * 380, y, kind, 6) for score in scores]
        for value, said, up in ((mean, "mean", -1), (geometric, "geometric mean", 1)):
            x = 90 + value * 380
            parts.append(line(x, y, x, y + up * 20, "rule"))
            parts.append(text(x, y + (34 if up > 0 else -25), f"{said} {value:.2f}", "small mid"))
    parts += [text(90, 200, "score 0", "small soft"), text(470, 200, "1", "small soft end")]
    return picture(
        "Scores of five users: A has the higher mean, B the higher geometric mean", 208, *parts
    )


def coverage() -> str:
    """Six users, two of whom the second system has no list for, by three answers."""
    first, second = (0.5, 0.4, 0.6, 0.3, 0.5, 0.4), (0.7, 0.6, None, 0.5, None, 0.6)
    parts = []
    for row, (name, scores, kind) in enumerate((("A", first, "a"), ("B", second, "b"))):
        base = 76 + row * 84
        parts += [text(8, base - 16, f"system {name}", f"bold {kind}"), line(90, base, 284, base)]
        for place, score in enumerate(scores):
            x = 96 + place * 32
            tall = 0 if score is None else score * 84
            parts.append(
                box(x, base - tall, 20, tall, kind)
                if tall
                else text(x + 10, base - 6, "none", "small soft mid")
            )
    covered = [score for score in second if score is not None]
    common = [a for a, b in zip(first, second, strict=True) if b is not None]
    rows = [
        ("full", sum(first) / 6, sum(covered) / 6),
        ("forgiving", sum(first) / 6, sum(covered) / len(covered)),
        ("common", sum(common) / len(common), sum(covered) / len(covered)),
    ]
    parts += [text(404, 40, "A", "bold a end"), text(460, 40, "B", "bold b end")]
    for place, (name, a, b) in enumerate(rows):
        y = 72 + place * 30
        parts += [text(306, y, name), text(404, y, f"{a:.2f}", f"end{' bold' if a > b else ''}")]
        parts.append(text(460, y, f"{b:.2f}", f"end{' bold' if b > a else ''}"))
    parts.append(text(90, 184, "one bar for each user", "small soft"))
    return picture(
        "A covers six users, B four: by full coverage A is ahead, otherwise B", 194, *parts
    )


def comparison() -> str:
    """Differences user by user, their mean and its interval."""
    differences = (
        0.31,
        0.24,
        0.2,
        0.16,
        0.13,
        0.1,
        0.08,
        0.05,
        0.02,
        -0.02,
        -0.04,
        -0.07,
        -0.1,
        -0.16,
    )
    count = len(differences)
    mean = sum(differences) / count
    error = (sum((d - mean) ** 2 for d in differences) / (count - 1) / count) ** 0.5
    low, high = mean - 2.16 * error, mean + 2.16 * error  # t with 13 degrees of freedom
    parts = [line(20, 110, 300, 110, "rule"), text(20, 20, "A better", "small soft")]
    parts.append(text(20, 184, "B better", "small soft"))
    for place, difference in enumerate(differences):
        tall = abs(difference) * 260
        x = 26 + place * 19.5
        parts.append(
            box(x, 110 - tall if difference > 0 else 110, 13, tall, "a" if difference > 0 else "b")
        )
    at = 110 - mean * 260
    parts += [line(352, 110 - low * 260, 352, 110 - high * 260, "rule"), dot(352, at, "a", 6)]
    parts += [line(324, 110, 470, 110, "line dash"), text(364, at + 5, f"mean {mean:+.2f}", "bold")]
    parts += [text(364, 110 + 18, "0", "small soft"), text(324, 20, "95 % interval", "small soft")]
    parts.append(text(324, 184, f"{low:+.2f} to {high:+.2f}".replace("-", "−"), "small"))
    return picture(
        "Differences of fourteen users, and the interval of their mean, which holds zero",
        194,
        *parts,
    )
