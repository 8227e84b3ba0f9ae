"""Views: what a later stage makes of a noun, found by the class of the noun.

A noun belongs to the stage that makes it; charts, pages and LaTeX belong to `view`, which
stands on all nouns and which no noun may import. So a noun asks here for the view of its
class, and whoever can show it registers a view here with ``@view_for``. Where views are
found is said by the package itself, which stands above all stages: `views_in` names the
modules, and they are imported when a view is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, TypeVar


class View(Protocol):
    """What a later stage can make of a noun."""

    def html(self, noun: Any) -> str:
        """A part of a page, as a notebook shows it."""

    def page(self, noun: Any) -> str:
        """A whole page that needs no other file."""

    def figure(self, noun: Any, chart: str | None) -> Any:
        """A chart as a figure of matplotlib: the one of that name, or the first."""

    def latex(self, noun: Any) -> str:
        """The table for a paper."""


V = TypeVar("V", bound=Callable[[], View])

_views: dict[type, View] = {}
_modules: dict[str, None] = {}
"""Where views are registered, in order."""


def views_in(*modules: str) -> None:
    """Say which modules have views; they are imported when the first view is needed."""
    _modules.update(dict.fromkeys(modules))


def view_for(*kinds: type) -> Callable[[V], V]:
    """Register a class of views for some classes of nouns, and for what is derived from them."""

    def register(made: V) -> V:
        view = made()
        _views.update(dict.fromkeys(kinds, view))
        return made

    return register


def view_of(noun: object) -> View:
    """The view of a noun: that of its class, or of the nearest class that it is derived from."""
    for module in _modules:
        import_module(module)
    return next(_views[kind] for kind in type(noun).__mro__ if kind in _views)
