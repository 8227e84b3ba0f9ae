"""Law: what every option of a decision must obey, checked on generated cases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, CranfieldError
from cranfield.base.threads import VARIABLE
from cranfield.testing.described import described

T = TypeVar("T")

Body = Callable[..., None]
"""Takes the option, then the generated values by name; raises AssertionError if it fails."""

EVERY = "every decision"
"""Stands for the decision of laws that any option must obey."""

EXAMPLES = 50
"""How many cases are generated for a law unless it says otherwise."""

_laws: dict[str, dict[str, Law]] = {}


class BrokenLaw(AssertionError):
    """An option does not obey a law: which option, which law, and the smallest case found."""

    def __init__(
        self, option: object, broken: Law, case: Mapping[str, object], problem: BaseException
    ) -> None:
        self.option, self.law, self.case = option, broken, dict(case)
        given = "".join(f"\n  {name} = {described(value)}" for name, value in case.items())
        kind = "" if isinstance(problem, AssertionError) else f"{type(problem).__name__}: "
        super().__init__(
            f'{option} breaks the law "{broken}" ({broken.decision}).\n{broken.text}'
            + (f"\nSmallest case found:{given}" if given else "")
            + f"\nProblem: {kind}{str(problem).strip()}"
        )


@dataclass(frozen=True, eq=False)
class Law:
    """One law of a decision; it is called by the name of its function, a sentence.

    ``body`` checks one option on one case, ``cases`` generate the case, ``when`` tells to
    which options the law applies. Equal laws do not exist: a name stands for one law.
    """

    decision: str
    body: Body
    cases: Mapping[str, SearchStrategy[Any]]
    when: Callable[[Any], bool]
    examples: int

    @property
    def name(self) -> str:
        """The name of the function that states the law."""
        return self.body.__name__

    @property
    def text(self) -> str:
        """The law in words."""
        return " ".join((self.body.__doc__ or "").split())

    def __str__(self) -> str:
        return self.name.replace("_", " ")

    def check(self, *options: Any, examples: int | None = None, shrink: bool = True) -> None:
        """Raise `BrokenLaw` unless all options obey; each generated case is tried on all.

        Options to which the law does not apply are skipped. Unless ``shrink`` is false,
        a case that breaks the law is made as small as possible, which takes time.
        """
        chosen = [option for option in options if self.when(option)]
        tried: list[tuple[object, dict[str, object]]] = [(None, {})]

        def obey(**case: object) -> None:
            for option in chosen:
                tried[0] = option, case
                self.body(option, **case)

        if not chosen:
            return
        try:
            _generating(obey, self.cases, examples or self.examples, shrink)()
        except Exception as problem:
            raise BrokenLaw(tried[0][0], self, tried[0][1], problem) from problem


def _generating(
    body: Body, cases: Mapping[str, SearchStrategy[Any]], examples: int, shrink: bool
) -> Callable[[], None]:
    """A test of Hypothesis that tries a body on generated cases, the one that fails last.

    Nothing is stored between runs, since many options share one body.
    """
    if not cases:
        return body
    chosen = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,  # the same option is always held to the same cases
        phases=[Phase.generate, Phase.shrink] if shrink else [Phase.generate],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    return chosen(given(**cases)(body))


def law(
    decision: str,
    *,
    when: Callable[[Any], bool] = lambda _: True,
    examples: int = EXAMPLES,
    **cases: SearchStrategy[Any],
) -> Callable[[Body], Law]:
    """Make a function the body of a law of a decision."""

    def state(body: Body) -> Law:
        made = Law(decision, body, cases, when, examples)
        _laws.setdefault(decision, {})[made.name] = made
        return made

    return state


def laws_of(decision: str) -> list[Law]:
    """The laws of a decision by the order of their statement; none if it has no own.

    >>> [str(each) for each in laws_of("correction")][:1]
    ['adjusted values lie between p and one']
    """
    return list(_laws.get(decision, {}).values())


def check_laws(
    decision: str, *options: Any, without: tuple[str, ...] = (), examples: int | None = None
) -> None:
    """Check options against all laws of a decision, except those named in ``without``."""
    known = laws_of(decision)
    names = [each.name for each in known]
    for name in without:
        if name not in names:
            wanted = f"the name of a law of {decision}: {', '.join(names)}"
            raise BadParameter("laws", "without", name, wanted)
    for each in known:
        if each.name not in without:
            each.check(*options, examples=examples)


def require(holds: bool | np.bool_, problem: str) -> None:
    """Fail with a problem unless something holds; unlike ``assert``, also under ``-O``."""
    if not holds:
        raise AssertionError(problem)


def require_equal(found: npt.ArrayLike, wanted: npt.ArrayLike, problem: str) -> None:
    """Fail unless two arrays are equal bit for bit; NaN equals NaN."""
    np.testing.assert_array_equal(found, wanted, err_msg=problem)


def require_close(
    found: npt.ArrayLike, wanted: npt.ArrayLike, problem: str, slack: float = 1e-12
) -> None:
    """Fail unless two arrays are equal up to rounding; NaN equals NaN."""
    one, other = np.asarray(found, dtype=np.float64), np.asarray(wanted, dtype=np.float64)
    np.testing.assert_allclose(one, other, rtol=slack, atol=slack, err_msg=problem)


def or_refusal(work: Callable[[], T]) -> T | str:
    """The result of the work, or the message if it is refused; other errors are raised."""
    try:
        return work()
    except CranfieldError as refusal:
        return str(refusal)


@contextmanager
def threads(count: int) -> Iterator[None]:
    """So many threads inside, as many as before outside."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(count)
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
