"""Facts by the names under which the files of checklists ask for them."""

from collections.abc import Mapping

from cranfield.workbench.review.fact import Answer
from cranfield.workbench.review.facts.data import DATA_FACTS
from cranfield.workbench.review.facts.data_sets import FACTS_OVER_DATA
from cranfield.workbench.review.facts.findings import FINDING_FACTS
from cranfield.workbench.review.facts.material import MATERIAL_FACTS
from cranfield.workbench.review.facts.systems import SYSTEM_FACTS

__all__ = ["FACTS", "FACTS_OVER_DATA"]

FACTS: Mapping[str, Answer] = {**DATA_FACTS, **SYSTEM_FACTS, **FINDING_FACTS, **MATERIAL_FACTS}
