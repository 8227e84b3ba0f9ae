"""The report: one self-contained page per run or study, and its charts as files."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from pathlib import Path
from string import Template

from cranfield.base.errors import counted
from cranfield.validity.assessment import Assessment
from cranfield.validity.study.designs import Designs, factors_of
from cranfield.validity.study.findings import StudyFindings, conclude
from cranfield.view.charts.assessment_plots import assessment_plots
from cranfield.view.charts.files import write_plots
from cranfield.view.charts.plot import Plot
from cranfield.view.charts.run_plots import run_plots
from cranfield.view.charts.specification_plots import answer_of
from cranfield.view.charts.tuning_plots import tuning_plot
from cranfield.view.markup import Markup, element, joined, text
from cranfield.view.page.parts import (
    Section,
    folded,
    listed,
    notes,
    paragraph,
    small_figures,
    table,
)
from cranfield.view.page.run_sections import run_sections
from cranfield.view.page.study_sections import study_plots, study_sections, study_verdict
from cranfield.view.page.terms import defined, with_glossary
from cranfield.view.page.tuning_section import tuning_section
from cranfield.view.report_content import ReportContent
from cranfield.view.tables.assessments import assessment_rows

_EVIDENCE = 5
"""Findings that are shown at once."""
_LONG = 170
"""Letters from which a verdict is set smaller."""


def render_report(content: ReportContent) -> str:
    """The report as one page that needs no other file and no network."""
    sections = [
        _verdict(content),
        *_study(content),
        *_repeats(content),
        *run_sections(content.base),
        *tuning_section(content.tuning),
        *_assessments(content),
        Section("decisions", "Decisions", _decisions(content)),
        *_plan(content),
        *_closing(content),
    ]
    return render_page(content.title, "run" if content.designs is None else "study", sections)


def render_page(title: str, kind: str, sections: Sequence[Section]) -> str:
    """Sections as one page that needs no other file and no network."""
    style, script = _template("report.css"), _template("report.js")
    sections = with_glossary(sections)
    contents = [
        element("li", element("a", section.title, href=f"#{section.name}")) for section in sections
    ]
    return Template(_template("report.html")).substitute(
        title=text(title),
        kind=kind,
        policy=_policy(style, script),
        style=style,
        script=script,
        contents=joined(*contents, between="\n"),
        sections=joined(*(section.render() for section in sections), between="\n"),
    )


def charts_of(content: ReportContent) -> dict[str, Plot]:
    """All charts of a report by name."""
    plots = run_plots(content.base)
    conclusion = _conclusion(content)
    if content.designs is not None and conclusion is not None:
        plots = [*study_plots(content.designs, conclusion), *plots]
    if content.tuning is not None and (curves := tuning_plot(content.tuning)) is not None:
        plots = [*plots, curves]
    assessed = chain.from_iterable(assessment_plots(content.assessments))
    return {plot.name: plot for plot in [*plots, *assessed]}


def write_chart_files(
    content: ReportContent, folder: Path | str, formats: Sequence[str] = ("svg", "pdf")
) -> list[Path]:
    """Every chart of a report as files for a paper, in each format: svg, png or pdf."""
    return write_plots(charts_of(content), Path(folder), formats)


def _template(name: str) -> str:
    return files("cranfield.view.page").joinpath("templates", name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """What the page may do: run its one script, apply its one style, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def _verdict(content: ReportContent) -> Section:
    conclusion = _conclusion(content)
    if content.designs is not None and conclusion is not None:
        return Section("verdict", "Verdict", study_verdict(content.designs, conclusion))
    long = len(content.verdict) > _LONG
    said = paragraph(content.verdict, kind="verdict long" if long else "verdict")
    first, rest = content.evidence[:_EVIDENCE], content.evidence[_EVIDENCE:]
    more = (
        folded(counted(len(rest), "more finding"), notes(rest), kind="evidence")
        if rest
        else Markup("")
    )
    return Section("verdict", "Verdict", joined(said, notes(first), more))


def _decisions(content: ReportContent) -> Markup:
    several = content.designs is not None
    base = "The decisions of the base design" if several else "All decisions of the experiment"
    made = table(
        ("", "decision", "answer"),
        [(code, defined(name), answer) for code, name, answer in content.decisions],
        caption=f"{base}, in the order in which they act",
        words=(0, 1, 2),
    )
    every = folded(f"{base} ({len(content.decisions)})", made)
    return every if content.designs is None else joined(_varied(content.designs), every)


def _varied(designs: Designs) -> Markup:
    """The decisions of a study that take several answers, those of the base in bold."""
    rows = []
    for factor in factors_of(designs.decisions):
        base = None if designs.base is None else int(factor.codes[designs.base])
        shown = [(code, answer_of(factor, code)) for code in range(len(factor.answers))]
        answers = [element("b", name) if code == base else name for code, name in shown]
        rows.append((factor.name, joined(*answers, between="; ")))
    bold = "" if designs.base is None else "; the base design’s answers are bold"
    caption = f"Decisions that were varied, in {counted(len(designs), 'design')}{bold}"
    return table(("decision", "answers"), rows, caption=caption, words=(0, 1))


def _conclusion(content: ReportContent) -> StudyFindings | None:
    if content.conclusion is not None or content.designs is None:
        return content.conclusion
    return conclude(content.designs) if len(content.designs.systems) > 1 else None


def _study(content: ReportContent) -> list[Section]:
    conclusion = _conclusion(content)
    if content.designs is None or conclusion is None:
        return []
    return study_sections(content.designs, conclusion)


def _repeats(content: ReportContent) -> list[Section]:
    title = "Does it hold for other splits and fits?"
    said = content.repeats
    return [Section("repeats", title, paragraph(" ".join(said)))] if said else []


def _plan(content: ReportContent) -> list[Section]:
    title = "Was the plan followed?"
    said = content.plan
    return [Section("plan", title, joined(paragraph(said[0]), notes(said[1:])))] if said else []


def _assessments(content: ReportContent) -> list[Section]:
    every = zip(content.assessments, assessment_plots(content.assessments), strict=True)
    return [
        Section(f"assessment-{number}", f"Assessment: {made.criterion}", _assessment(made, plots))
        for number, (made, plots) in enumerate(every, start=1)
    ]


def _assessment(made: Assessment, plots: Sequence[Plot]) -> Markup:
    tables = [
        table(*assessment_rows(made.shown(name)), caption=made.title(name)) for name in made.tables
    ]
    return joined(paragraph(made.reading), *tables, small_figures(plots), notes(made.notes))


def _closing(content: ReportContent) -> list[Section]:
    """What a paper would say, and where the figures come from."""
    sections = []
    if content.methods:
        said = [paragraph(part) for part in content.methods.split("\n\n")]
        quoted = element("blockquote", *said)
        entries = element("pre", content.references, tabindex="0")
        bibtex = folded("BibTeX of what it cites", entries) if content.references else Markup("")
        sections.append(Section("methods", "Methods, for a paper", joined(quoted, bibtex)))
    found = joined(*_costs(content), listed(content.facts.items()))
    return [*sections, Section("provenance", "Provenance", found)]


def _costs(content: ReportContent) -> list[Markup]:
    """What each stage took, on which machine; nothing where all was cached."""
    if not content.costs:
        return []
    where = f", on {content.machine}" if content.machine else ""
    made = table(
        ("system", "stage", "seconds", "processor seconds", "peak memory, MiB"),
        content.costs,
        caption=f"What was computed, and what it took{where}. Cached stages are not listed; the "
        "memory is that of the whole process",
        words=(0, 1),
    )
    return [folded("Seconds and memory by system and stage", made)]
