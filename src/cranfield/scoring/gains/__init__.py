"""How much a rating is worth: the answers to the decision "gain"."""

from cranfield.scoring.gains.above_neutral import AboveNeutral
from cranfield.scoring.gains.binary import Binary
from cranfield.scoring.gains.chapelle import Chapelle, ChapelleScaled
from cranfield.scoring.gains.exponential import Exponential
from cranfield.scoring.gains.rating import Rating
from cranfield.scoring.gains.relevant_rating import RelevantRating
from cranfield.scoring.gains.stopping import Stopping
from cranfield.scoring.gains.table import GainTable

__all__ = [
    "AboveNeutral",
    "Binary",
    "Chapelle",
    "ChapelleScaled",
    "Exponential",
    "GainTable",
    "Rating",
    "RelevantRating",
    "Stopping",
]
