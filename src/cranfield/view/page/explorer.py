"""The explorer: any combination of decisions chosen by hand, and what it would conclude."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.base.errors import counted
from cranfield.validity.study.designs import Designs, factors_of
from cranfield.validity.study.pair_outcomes import pair_of_interest
from cranfield.view.charts.specification_plots import answer_of
from cranfield.view.markup import Markup, element, embedded_json, joined
from cranfield.view.page.parts import Section, paragraph, table

_EXACT = 400_000
"""Arrays up to this size are stored with all their digits."""


def explorer_data(designs: Designs, pair: tuple[str, str] | None = None) -> dict[str, Any]:
    """All designs, column by column and compact, for the script of the page.

    Arrays are little-endian bytes in base64, designs in rows. A code of −1 means that the
    decision does not apply. The ``pair`` is that of interest, the better of it first.
    """
    factors = factors_of(designs.decisions)
    named = [
        {"name": factor.name, "answers": [answer_of(factor, c) for c in range(len(factor.answers))]}
        for factor in factors
    ]
    codes = np.array([factor.codes for factor in factors], dtype="<i2").reshape(len(factors), -1)
    return {
        "systems": list(designs.systems),
        "pairs": [list(pair) for pair in designs.pairs],
        "leading": _leading(designs, pair),
        "factors": named,
        "designs": len(designs),
        "base": designs.base,
        "alpha": designs.alpha,
        "codes": _packed(codes),
        "users": _packed(designs.users.astype("<i4")),
        "values": _floats(designs.values),
        "effects": _floats(designs.effects),
        "p": _floats(designs.p_values),
        "adjusted": None if designs.adjusted is None else _floats(designs.adjusted),
    }


def _leading(designs: Designs, pair: tuple[str, str] | None) -> list[int]:
    """The pair of interest by the places of its systems, the better first."""
    if len(designs.systems) < 2:
        return []
    return [designs.systems.index(name) for name in pair or pair_of_interest(designs)]


def _floats(array: npt.NDArray[Any]) -> dict[str, str]:
    return _packed(array.astype("<f8" if array.size <= _EXACT else "<f4"))


def _packed(array: npt.NDArray[Any]) -> dict[str, str]:
    kind = array.dtype.str.lstrip("<|")
    return {"type": kind, "data": b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")}


def explorer_section(designs: Designs, pair: tuple[str, str] | None = None) -> Section:
    """The controls, the places where the script shows what it finds, and the data."""
    intro = paragraph(
        f"Choose an answer to each decision: values, order and significance follow from the "
        f"{counted(len(designs), 'design that was', 'designs that were')} tried. Nothing is "
        "recomputed or interpolated; a combination that was not tried is marked as such."
    )
    body = [
        intro,
        element("noscript", paragraph("The explorer needs JavaScript; every chart works without.")),
        _controls(designs),
        element("p", "", id="outcome", role="status", aria_live="polite", aria_atomic="true"),
        element("div", "", id="untried", hidden=""),
        element("div", _tables(), id="found"),
        element(
            "script",
            embedded_json(explorer_data(designs, pair)),
            type="application/json",
            id="designs",
        ),
    ]
    return Section("explorer", "Explorer", element("div", *body, class_="explorer"))


def _controls(designs: Designs) -> Markup:
    choices = []
    for place, factor in enumerate(factors_of(designs.decisions)):
        options = [
            element("option", answer_of(factor, code), value=str(code))
            for code in range(len(factor.answers))
        ]
        label = element("label", factor.name, for_=f"choice-{place}")
        hint = element("span", "", class_="hint", id=f"hint-{place}")
        select = element("select", *options, id=f"choice-{place}", aria_describedby=f"hint-{place}")
        choices.append(element("div", label, select, hint, class_="choice"))
    buttons = [
        element("button", "Base design", type="button", id="to-base"),
        element("button", "Another tried design", type="button", id="to-any"),
    ]
    if designs.base is None:
        buttons = buttons[1:]
    return element(
        "form",
        element("fieldset", element("legend", "Decisions"), *choices, class_="choices"),
        element("div", *buttons, class_="buttons"),
        id="explore",
        autocomplete="off",
    )


_SYSTEM_COLUMNS = ("rank", "system", "value", "", "in the base")
_PAIR_COLUMNS = ("pair", "difference", "effect d_z", "p", "adjusted p", "reading")


def _tables() -> Markup:
    caption = "Systems under this design, best first"
    values = table(
        _SYSTEM_COLUMNS, (), caption=caption, words=(0, 1, 3, 4), name="values", stacks=False
    )
    caption = "Differences under this design"
    pairs = table(_PAIR_COLUMNS, (), caption=caption, words=(0, 5), name="pairs")
    return joined(values, element("div", "", id="strip"), pairs)
