"""ChecklistItem: one thing that reviewers ask, and what results say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from cranfield.base.dataclass import dataclass
from cranfield.view.prose import listed
from cranfield.workbench.review.fact import Fact, State
from cranfield.workbench.review.questions import Question

FactByDataSet = Mapping[str, Fact]
"""What results say about one thing on each data set."""


@dataclass(frozen=True, kw_only=True)
class ChecklistItem:
    """One item: what is asked, how far it is answered, by what, and what is to be done.

    ``answer`` holds on all data sets, ``answers`` are those of single ones by name, where they
    differ. ``by_authors`` tells whether the authors' own words answer it. ``sources`` are keys.
    """

    name: str
    topic: str
    asks: str
    state: State
    answer: str
    advice: str
    by_authors: bool
    sources: tuple[str, ...]
    answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def whole_answer(self) -> str:
        """The answer of all data sets, then those of single ones."""
        own = (f"{names}: {text}" for names, text in self.answers.items())
        return " ".join([*([self.answer] if self.answer else []), *own])


def make_item(question: Question, facts: Sequence[FactByDataSet]) -> ChecklistItem:
    """The item of a question, given what each of its facts is on each data set.

    An item is answered if all its facts are, and missing if none says anything. What authors
    answer themselves is answered.
    """
    common = [next(iter(each.values())) for each in facts if _same(each)]
    own = [each for each in facts if not _same(each)]
    texts = [question.answer, *(each.text for each in common)]
    return ChecklistItem(
        name=question.name,
        topic=question.topic,
        asks=question.asks,
        state=_state(question, facts),
        answer=" ".join(dict.fromkeys(text for text in texts if text)),
        advice=_advice(question, facts),
        by_authors=bool(question.answer),
        sources=question.sources,
        answers=_answers(own),
    )


def _same(fact: FactByDataSet) -> bool:
    """Whether all data sets have the same to say."""
    return len(set(fact.values())) == 1


def _answers(facts: Sequence[FactByDataSet]) -> dict[str, str]:
    """What data sets say that not all of them do; those that say the same go together."""
    names: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for each in facts for name in each):
        text = " ".join(dict.fromkeys(each[name].text for each in facts if each[name].text))
        names.setdefault(text, []).append(name)
    return {listed(some): text for text, some in names.items() if text}


def _advice(question: Question, facts: Sequence[FactByDataSet]) -> str:
    """What is to be done, with the data sets it is to be done for where that is not all."""
    if question.answer:
        return ""
    if not facts:
        return question.do
    told: dict[str, None] = {}
    for fact in facts:
        wanted: dict[str, list[str]] = {}
        for name, each in fact.items():
            if each.state != "answered":
                wanted.setdefault(each.advice, []).append(name)
        for text, names in wanted.items():
            every = len(names) == len(fact)
            told[text if every else f"{text.rstrip('.')} ({listed(names)})."] = None
    return " ".join(told)


def _state(question: Question, facts: Sequence[FactByDataSet]) -> State:
    if question.answer:
        return "answered"
    states = {each.state for fact in facts for each in fact.values()}
    if states <= {"missing"}:
        return "missing"
    return "answered" if states == {"answered"} else "partly"
