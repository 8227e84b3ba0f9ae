"""YAML read as a table of decisions: names as they stand there, within limits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cranfield.base.checking.spelling import DEEPEST

TOO_DEEP = f"it is nested more than {DEEPEST} levels deep"
_MOST = 100_000
"""Values that a definition may hold."""


def yaml_table(text: str) -> Any:
    """What YAML spells; a `ValueError` says in one line what is wrong with it."""
    import yaml

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        """YAML whose names are text as it stands there, each once in its table."""

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            own = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
            names = set[str]()
            for key in own:
                if not isinstance(key, yaml.ScalarNode) or key.value in names:
                    text = isinstance(key, yaml.ScalarNode)
                    what = f'"{key.value}" is there twice' if text else "a name is not text"
                    raise yaml.constructor.ConstructorError(None, None, what, key.start_mark)
                names.add(key.value)
            self.flatten_mapping(node)
            return {key.value: self.construct_object(each, deep=deep) for key, each in node.value}

    try:
        _refuse_excess(yaml.parse(text, Loader))
        return Loader(text).get_single_data()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" (at line {mark.line + 1}, column {mark.column + 1})" if mark else ""
        said = ", ".join(part for part in (error.context, error.problem) if part)
        raise ValueError(f"{one_line(said)}{place}") from None
    except yaml.YAMLError as error:
        raise ValueError(one_line(error)) from None


def _refuse_excess(events: Iterable[Any]) -> None:
    """Refuse what is nested too deeply or holds too much, repetitions (*) counted.

    What is repeated may repeat nothing itself: such a chain of a few lines doubles with
    each of them, and fills any memory.
    """
    open_, sizes, count = list[tuple[str | None, int]](), dict[str, int](), 0
    for event in events:
        kind, count = type(event).__name__, count + 1
        if kind in ("MappingStartEvent", "SequenceStartEvent"):
            open_.append((event.anchor, count))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            name, start = open_.pop()
            sizes[name or ""] = count - start
        elif kind == "AliasEvent":
            if any(name for name, _ in open_):
                line = event.start_mark.line + 1
                raise ValueError(f"*{event.anchor} at line {line} is within what has a name (&)")
            count += sizes.get(event.anchor, 0)
        if len(open_) > DEEPEST:
            raise ValueError(TOO_DEEP)
        if count > _MOST:
            raise ValueError(f"it holds more than {_MOST:,} values")


def one_line(error: object) -> str:
    """A message of several lines as one, without its full stop."""
    return " ".join(str(error).split()).rstrip(".")
