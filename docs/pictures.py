"""Draws the pictures of the concepts: one for the whole road, one for each decision.

    python docs/pictures.py

Each is an SVG file whose colours follow the page where it is part of one, else the reader's
choice of light or dark. What is shown is computed from the few numbers that stand here.
"""

from __future__ import annotations

from pathlib import Path

from drawing import arrow, box, dot, line, picture, text
from score_pictures import aggregation, comparison, coverage, metric

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
    parts = [dot(336 + x + (8 if x > 96 else -4), y, "b" if x > 96 else "a") for x, y in times]
    return picture(
        "Training and test ratings by three splits: random, per user and temporal", 206,
        text(14, 20, "random", "bold"), *_matrix(20, 40, drawn),
        text(178, 20, "per user", "bold"), *_matrix(184, 40, share),
        text(346, 20, "temporal", "bold"), *parts, line(440, 28, 440, 152, "rule dash"),
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


PICTURES = {
    "road": road, "data-selection": data_selection, "split": split, "users": users,
    "unscored": unscored, "targets": targets, "metric": metric, "aggregation": aggregation,
    "coverage": coverage, "comparison": comparison,
}  # fmt: skip

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")
