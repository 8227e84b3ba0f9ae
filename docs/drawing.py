"""Marks of the pictures: text, boxes, dots, lines and arrows, in the colours of the page."""

from __future__ import annotations

WIDTH = 480

_STYLE = """
.picture{--ink:#1d2430;--soft:#566070;--line:#c4c9d1;--a:#1f5a8a;--b:#b3471d;--c:#1c7a5b;--wash:#e9edf2;
font-family:system-ui,sans-serif;font-size:13.5px}
@media(prefers-color-scheme:dark){.picture{--ink:#e7e5df;--soft:#aeb6c1;--line:#4a525e;--a:#7db8ea;--b:#f09a6b;
--c:#6fcaa4;--wash:#29303a}}
.picture text{fill:var(--ink)}.picture .soft{fill:var(--soft)}.picture .bold{font-weight:650}
.picture .small{font-size:12px}.picture .end{text-anchor:end}.picture .mid{text-anchor:middle}
.picture .a{fill:var(--a)}.picture .b{fill:var(--b)}.picture .c{fill:var(--c)}
.picture .wash{fill:var(--wash)}.picture .grey{fill:var(--line)}
.picture .open{fill:none;stroke:var(--soft);stroke-width:1.3}.picture .faded{opacity:.22}
.picture .line{fill:none;stroke:var(--line);stroke-width:1.3}
.picture .rule{fill:none;stroke:var(--ink);stroke-width:1.6}
.picture .dash{stroke-dasharray:4 4}.picture .inside{fill:var(--wash)}
"""


def text(x: float, y: float, said: str, kind: str = "") -> str:
    """A line of text."""
    safe = said.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{safe}</text>'


def box(x: float, y: float, w: float, h: float, kind: str = "wash") -> str:
    """A rectangle with round corners."""
    return f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="3" class="{kind}"/>'


def dot(x: float, y: float, kind: str, r: float = 4.5) -> str:
    """A filled circle, or an open one."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" class="{kind}"/>'


def line(x: float, y: float, to_x: float, to_y: float, kind: str = "line") -> str:
    """A line between two points."""
    return f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" class="{kind}"/>'


def arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """A line with a head, level or upright."""
    level = y == to_y
    back = -5 if (to_x > x if level else to_y > y) else 5
    head = f"m{back} -4l{-back} 4l{back} 4" if level else f"m-4 {back}l4 {-back}l4 {back}"
    return f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}{head}" class="rule"/>'


def picture(title: str, height: float, *parts: str) -> str:
    """A whole picture; the title is what those hear who do not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" viewBox="0 0 {WIDTH} {height:g}" '
        f'role="img" aria-label="{title}"><title>{title}</title><style>{_STYLE}</style>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )
