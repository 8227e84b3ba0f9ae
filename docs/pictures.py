"""Draws the pictures of the concepts: one for the whole road, one for each decision.

    python docs/pictures.py

Each is an SVG file whose colours follow the page where it is part of one, else the reader's
choice of light or dark. What is shown is computed from the few numbers that stand here.
"""

from __future__ import annotations

from math import exp, log, log2
from pathlib import Path

from drawing import arrow, box, dot, line, picture, text

FOLDER = Path(__file__).parent / "concepts" / "pictures"


def road() -> str:
    """The nine decisions in the order in which they act."""
    steps = [
        ("A1", "data selection", "which ratings?"), ("A2", "split", "what is test?"),
        ("B1", "users", "whose lists count?"), ("C1", "targets", "what is ranked?"),
        ("B2", "unscored items", "no prediction?"), ("C2", "metric", "how good is a list?"),
        ("C3", "aggregation", "one number?"), ("C4", "coverage", "users without a list?"),
        ("D", "comparison", "is it real?"),
    ]  # fmt: skip
    parts = []
    for place, (code, name, asks) in enumerate(steps):
        x, y = 4 + place % 3 * 162, 6 + place // 3 * 84
        parts += [box(x, y, 146, 58), text(x + 10, y + 23, code, "bold a")]
        parts += [
            text(x + 32, y + 23, name, "small bold"),
            text(x + 10, y + 44, asks, "small soft"),
        ]
        if place % 3 < 2:
            parts.append(arrow(x + 147, y + 29, x + 160, y + 29))
        elif place < 8:
            parts.append(f'<path d="M{x + 73} {y + 59}v12H77v10m-4 -5l4 5l4 -5" class="rule"/>')
    return picture("Nine decisions, from the ratings to the comparison", 238, *parts)


_RATED = ("11010010", "01110000", "10111101", "00010000", "11011010", "10100000", "01111011")


def _matrix(x: float, y: float, kinds: dict[tuple[int, int], str]) -> list[str]:
    """Dots for the ratings of a small matrix, those not named in grey."""
    return [
        dot(x + column * 17, y + row * 17, kinds.get((row, column), "open"))
        for row, marks in enumerate(_RATED)
        for column, mark in enumerate(marks)
        if mark == "1"
    ]


def data_selection() -> str:
    """A matrix of ratings, and what a filter leaves of it."""
    few = {row for row, marks in enumerate(_RATED) if marks.count("1") < 3}
    places = [(r, c) for r in range(len(_RATED)) for c in range(8)]
    after = {place: "faded a" if place[0] in few else "a" for place in places}
    left = sum(marks.count("1") for row, marks in enumerate(_RATED) if row not in few)
    total = sum(marks.count("1") for marks in _RATED)
    return picture(
        "Ratings before and after a filter of users with at least three ratings", 192,
        text(24, 20, "items", "small soft"), text(24, 176, f"{total} ratings, 7 users", "bold"),
        *_matrix(30, 40, dict.fromkeys(places, "a")), arrow(190, 90, 268, 90),
        text(229, 78, "at least 3", "small soft mid"), text(229, 110, "per user", "small soft mid"),
        *_matrix(300, 40, after),
        text(294, 176, f"{left} ratings, {7 - len(few)} users", "bold"),
    )  # fmt: skip


def split() -> str:
    """Three ways to choose the test ratings."""
    rated = [
        (r, c) for r, marks in enumerate(_RATED) for c, mark in enumerate(marks) if mark == "1"
    ]
    drawn = {place: "b" if (place[0] * 5 + place[1] * 7) % 11 < 3 else "a" for place in rated}
    share: dict[tuple[int, int], str] = {}
    for row in range(len(_RATED)):
        mine = [place for place in rated if place[0] == row]
        held = mine[-max(1, round(len(mine) / 4)) :]
        share.update({place: "b" if place in held else "a" for place in mine})
    times = [(16 + (c * 53 + r * 31) % 124, 40 + r * 17) for r, c in rated]
    parts = [dot(336 + x, y, "b" if x > 96 else "a") for x, y in times]
    return picture(
        "Training and test ratings by three splits: random, per user and temporal", 206,
        text(14, 20, "random", "bold"), *_matrix(20, 40, drawn),
        text(178, 20, "per user", "bold"), *_matrix(184, 40, share),
        text(346, 20, "temporal", "bold"), *parts, line(432, 28, 432, 152, "rule dash"),
        text(346, 168, "time", "small soft"), arrow(378, 164, 470, 164),
        dot(20, 192, "a"), text(32, 197, "training", "small"),
        dot(112, 192, "b"), text(124, 197, "test", "small"),
    )  # fmt: skip


def users() -> str:
    """Who enters the average, and why others do not."""
    rows = [
        ("u1", 8, 3, 2, ""), ("u2", 5, 2, 1, ""), ("u3", 6, 2, 0, "no relevant test item"),
        ("u4", 0, 3, 2, "no training rating"), ("u5", 7, 0, 0, "no test rating"),
    ]  # fmt: skip
    parts = [text(48, 18, "training", "small soft"), text(190, 18, "test", "small soft")]
    for place, (name, train, test, relevant, why) in enumerate(rows):
        y = 42 + place * 28
        kind = "faded " if why else ""
        parts.append(text(8, y + 5, name, "bold" if not why else "soft"))
        parts += [dot(52 + n * 15, y, f"{kind}a") for n in range(train)]
        parts += [
            dot(194 + n * 15, y, f"{kind}{'b' if n < relevant else 'open'}") for n in range(test)
        ]
        parts.append(text(264, y + 5, why or "enters", "small soft" if why else "small bold c"))
    parts += [dot(52, 194, "b"), text(64, 199, "rated 4 or 5", "small")]
    parts += [dot(174, 194, "open"), text(186, 199, "rated lower", "small")]
    return picture("Five users: two enter the average, three do not", 210, *parts)


def _items(x: float, y: float, names: str, unscored: str) -> list[str]:
    parts = []
    for place, name in enumerate(names):
        left = x + place * 34
        parts.append(box(left, y, 29, 26, "open dash" if name in unscored else "a"))
        parts.append(
            text(
                left + 14.5,
                y + 18,
                name,
                "mid small bold inside" if name not in unscored else "mid small",
            )
        )
    return parts


def unscored() -> str:
    """What becomes of items for which a system has no prediction."""
    rows = [("drop", "BADC"), ("random", "BADCFE"), ("popularity", "BADCEF")]
    parts = [text(8, 24, "predictions", "small soft")]
    for place, (name, said) in enumerate(
        zip("ABCDEF", ("2.9", "4.6", "1.1", "2.0", "–", "–"), strict=True)
    ):
        parts.append(
            text(
                112 + place * 60,
                24,
                f"{name} {said}",
                "small bold" if said != "–" else "small soft",
            )
        )
    for place, (answer, order) in enumerate(rows):
        y = 46 + place * 42
        parts += [text(8, y + 18, answer, "bold"), *_items(112, y, order, "EF")]
        note = ("E and F are not listed", "", "E is more popular")[place]
        parts.append(text(328 if place else 262, y + 18, note, "small soft"))
    return picture(
        "A ranking of six items, two of them without a prediction, by three answers", 172, *parts
    )


_ITEMS = "TTTRNuuRuuuNuuuuuu"
_TESTED = "110110100101100100"
"""Items for one user: in training, relevant, judged lower, unjudged; and who else rated in test."""


def _strip(y: float, wanted: str, kinds: dict[str, str]) -> list[str]:
    return [
        box(124 + place * 19.6, y, 15, 20, kinds[item] if chosen == "1" else f"faded {kinds[item]}")
        for place, (item, chosen) in enumerate(zip(_ITEMS, wanted, strict=True))
    ]


def targets() -> str:
    """The items that are ranked for one user, by five answers."""
    kinds = {"T": "open dash", "R": "b", "N": "a", "u": "grey"}
    ranked = "".join("0" if item == "T" else "1" for item in _ITEMS)
    tested = "".join(
        "1" if item in "RN" or (item == "u" and other == "1") else "0"
        for item, other in zip(_ITEMS, _TESTED, strict=True)
    )
    judged = "".join("1" if item in "RN" else "0" for item in _ITEMS)
    rows = [
        ("all items", ranked), ("test items", tested), ("sampled", "000100110100010010"),
        ("one relevant", "000100100100010010"), ("", "000000110100010010"), ("condensed", judged),
    ]  # fmt: skip
    parts: list[str] = []
    for place, (name, wanted) in enumerate(rows):
        y = 10 + place * 31
        parts += [text(8, y + 15, name, "bold"), *_strip(y, wanted, kinds)]
    legend = [
        ("b", "relevant"),
        ("a", "rated lower"),
        ("grey", "unjudged"),
        ("open dash", "training"),
    ]
    for place, (kind, name) in enumerate(legend):
        parts += [
            box(8 + place * 118, 206, 13, 16, kind),
            text(27 + place * 118, 219, name, "small"),
        ]
    return picture("Which items are ranked for one user, by five answers", 230, *parts)


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


PICTURES = {
    "road": road, "data-selection": data_selection, "split": split, "users": users,
    "unscored": unscored, "targets": targets, "metric": metric, "aggregation": aggregation,
    "coverage": coverage, "comparison": comparison,
}  # fmt: skip

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")
