"""References: which publication each method goes back to, as text and as BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from cranfield.base.options import is_option, parameters
from cranfield.collection.datasets import find_data_set
from cranfield.significance.equivalence import Rope
from cranfield.view.tables.latex import escaped
from cranfield.workbench.definition.experiment import Experiment

SOFTWARE = ("harris2020", "virtanen2020")
"""What computes: NumPy and SciPy."""
JOINT = ("romano2005",)
"""How all designs of a study are allowed for."""
REPEATING = ("satterthwaite1946", "nadeau2003")
"""How splits and fits are allowed for."""

_KEYS: dict[str, dict[str, str]] = {
    "metric": {
        "AP": "buckley2005", "AUC": "fawcett2006", "BoundOf1R": "bellogin2017",
        "Bpref": "buckley2004", "CondensedDepth": "canamares2020", "DCG": "jarvelin2002",
        "ERR": "chapelle2009", "F1": "vanrijsbergen1979", "Fallout": "vanrijsbergen1979",
        "HalfLife": "breese1998", "IndAP": "yilmaz2008", "InfAP": "yilmaz2008",
        "KendallTau": "kendall1938", "nDCG": "jarvelin2002", "P": "vanrijsbergen1979",
        "RBO": "webber2010", "RBP": "moffat2008", "Recall": "vanrijsbergen1979",
        "Rprec": "buckley2005", "RR": "voorhees1999", "StratifiedRecall": "steck2011",
        "SubAP": "yilmaz2008", "Success": "deshpande2004", "TauAP": "yilmaz2008tau",
        "Unrated": "canamares2020", "Serendipity": "murakami2008",
        "RMSE": "herlocker2004", "MAE": "herlocker2004", "UserEFD": "vargas2011",
        "UserEPC": "vargas2011", "UserILD": "ziegler2005", "UserPopularity": "yin2012",
        "ACLT": "abdollahpouri2019", "APLT": "abdollahpouri2017", "MeanPrediction": "zhu2018",
        "AWRF": "sapiezynski2019 raj2022", "Miscalibration": "steck2018",
    },
    "run-metric": {
        "CatalogueCoverage": "ge2010", "CondensedDepth": "canamares2020", "EFD": "vargas2011",
        "EPC": "vargas2011", "Gini": "fleder2009", "ILD": "ziegler2005",
        "MeanPopularity": "yin2012", "UnratedShare": "canamares2020", "EEL": "diaz2020",
        "Entropy": "shannon1948", "ItemMAD": "deldjoo2021", "REO": "zhu2020", "RSP": "zhu2020",
    },
    "propensity": {
        "logistic": "schnabel2016", "naive-bayes": "schnabel2016", "popularity": "yang2018",
        "poisson-factorisation": "gopalan2015 liang2016",
    },
    "estimator": {
        "ips": "schnabel2016", "snips": "schnabel2016 yang2018", "stratified": "jadidinejad2021",
    },
    "gain": {
        "above-neutral": "breese1998", "chapelle": "chapelle2009",
        "relevant-rating": "bellogin2017", "stopping": "chapelle2009",
    },
    "sample-correction": {
        "plug-in": "krichene2020", "bias-variance": "krichene2020", "cls": "krichene2020",
        "mle": "jin2021", "max-entropy": "jin2021",
    },
    "aggregation": {
        "geometric-mean": "robertson2006", "floored-geometric-mean": "robertson2006",
        "GeoRisk": "dincer2016", "standardised": "webber2008", "TRisk": "dincer2014",
        "URisk": "wang2012",
    },
    "test": {
        "bootstrap": "sakai2006", "log-t": "student1908", "permutation": "smucker2007",
        "randomised-hsd": "carterette2012", "sign": "dixon1946", "t": "student1908",
        "tukey-hsd": "carterette2012", "weighted-t": "student1908", "wilcoxon": "wilcoxon1945",
    },
    "search": {"halving": "jamieson2016", "optuna": "akiba2019", "random": "bergstra2012"},
    "correction": {
        "benjamini-hochberg": "benjamini1995", "bonferroni": "dunn1961", "holm": "holm1979",
    },
    "split": {"rolling": "ji2023", "uniform": "bellogin2017"},
    "relevant": {"one-relevant": "cremonesi2010", "percentiles": "bellogin2017"},
    "nonrelevant": {
        "judged-and-sampled": "canamares2020", "judged-only": "canamares2020",
        "sampled": "cremonesi2010",
    },
    "recommender": {
        "BPRMF": "rendle2009", "CHI2": "valcarce2016", "EASE": "steck2019", "HT": "yin2012",
        "item-kNN": "ning2015", "KLD": "valcarce2016", "LDA": "blei2003 griffiths2004",
        "LM-WSR-IB": "valcarce2016lm", "LM-WSR-UB": "valcarce2016lm", "MF": "hu2008",
        "NNCosNgbr-IB": "cremonesi2010", "NNCosNgbr-UB": "cremonesi2010", "P3alpha": "cooper2014",
        "PLSA": "hofmann2004", "PureSVD": "cremonesi2010", "RM1": "parapar2013",
        "RM2": "parapar2013", "RP3beta": "paudel2017", "RSV": "valcarce2016",
        "RW": "valcarce2016", "SLIM": "ning2011", "SVD": "koren2009", "UIR-Item": "wang2006",
        "user-kNN": "ning2015", "WRMF": "hu2008",
    },
    "criterion": {
        "correlation": "valcarce2020", "discriminative-power": "sakai2006",
        "robustness": "valcarce2020", "sampling": "krichene2020", "stability": "buckley2000",
        "thinned-discriminative-power": "sakai2008",
    },
}  # fmt: skip


def keys_of(option: Any) -> tuple[str, ...]:
    """The publications that an option goes back to; none where the field takes it as known."""
    if not is_option(option):
        return ()
    if option.option_name == "dataset":
        known = find_data_set(option.set_)
        return () if known is None else (known.reference,)
    return tuple(_KEYS.get(option.decision, {}).get(option.option_name, "").split())


def cited(*options: Any) -> str:
    """The publications of some options as a paper cites them; nothing if there are none.

    >>> from cranfield.workbench import inventory
    >>> from cranfield.base.options import parse
    >>> inventory.load("metric", "gain")
    >>> cited(parse("metric", "nDCG@10"))
    ' (Järvelin and Kekäläinen, 2002)'
    """
    keys = dict.fromkeys(key for option in options for key in keys_of(option))
    return cite(*keys)


def cite(*keys: str) -> str:
    """Publications by their keys, as a paper cites them."""
    return f" ({'; '.join(map(_short, keys))})" if keys else ""


def _short(key: str) -> str:
    authors = [name.partition(",")[0] for name in field_of(key, "author").split(" and ")]
    several = len(authors) > 2 or authors[-1] == "others"
    names = f"{authors[0]} et al." if several else " and ".join(authors)
    return f"{names}, {field_of(key, 'year')}"


def field_of(key: str, name: str) -> str:
    """One field of an entry."""
    found = re.search(rf"^  {name} = {{(.*)}},$", entries()[key], re.MULTILINE)
    assert found is not None
    return found[1]


@cache
def entries() -> dict[str, str]:
    """All entries in BibTeX by their keys."""
    folder = files("cranfield.workbench.results.methods")
    text = folder.joinpath("references.bib").read_text("utf-8")
    found = (f"@{part}".strip() for part in text.split("@")[1:])
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in found}


def random_keys(experiment: Experiment) -> tuple[str, ...]:
    """The publication on what is random, where it is not users alone."""
    return () if experiment.comparison.random == "users" else ("owen2012",)


def rope_keys(rope: Rope) -> tuple[str, ...]:
    """The publication on the test of equivalence."""
    return ("hauschke1999",) if rope.relative else ("schuirmann1987",)


def references_of(experiment: Experiment, compared: bool, version: str, *more: str) -> str:
    """BibTeX, in ASCII, of every method that an experiment uses, and of the software.

    ``more`` are the keys of what is used besides.
    """
    used = options_of(experiment, compared)
    of_options = [key for option in used for key in keys_of(option)]
    if compared:
        of_options += [*random_keys(experiment), *rope_keys(experiment.comparison.rope)]
    keys = dict.fromkeys([*of_options, *SOFTWARE, *more])
    ours = (
        "@misc{cranfield,\n  author = {{The Cranfield developers}},\n"
        "  title = {{Cranfield: Offline Evaluation of Recommender Systems}},\n"
        f"  note = {{Version {version}}},\n}}"
    )
    return "\n\n".join([*(_ascii(entries()[key]) for key in sorted(keys)), ours]) + "\n"


def _ascii(entry: str) -> str:
    return "".join(c if c.isascii() else f"{{{escaped(c)}}}" for c in entry)


def inner_options(option: Any) -> Iterator[Any]:
    """The options that an option holds, but for those that do nothing there."""
    weighs = getattr(option, "propensity", None) is not None
    for each in parameters(type(option)):
        held = getattr(option, each.name)
        if is_option(held) and (weighs or each.name != "estimator"):
            yield held


def options_of(experiment: Experiment, compared: bool) -> Iterator[Any]:
    """The options of an experiment, and those within them."""
    choice = experiment.comparison_choice
    chosen: Iterable[Any] = (
        experiment.data, *experiment.filters, experiment.split,
        *experiment.train_filters, *experiment.test_filters,
        *vars(experiment.targets).values(), *experiment.systems.values(), *experiment.metrics,
        *experiment.run_metrics, experiment.aggregation, *experiment.assess,
        *((choice.test, choice.correction) if compared else ()),
        *(() if experiment.tuning is None else (experiment.tuning.search,)),
    )  # fmt: skip
    for option in chosen:
        yield option
        if is_option(option):
            yield from inner_options(option)
