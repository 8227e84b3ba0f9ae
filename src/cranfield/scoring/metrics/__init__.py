"""How good one ranking is: the answers to the decision "metric"."""

from cranfield.scoring.metrics.auc import AUC
from cranfield.scoring.metrics.average_precision import AveragePrecision
from cranfield.scoring.metrics.bpref import Bpref
from cranfield.scoring.metrics.dcg import DCG, NDCG
from cranfield.scoring.metrics.descriptive import CondensedDepth, Unrated
from cranfield.scoring.metrics.err import ERR
from cranfield.scoring.metrics.f1 import F1
from cranfield.scoring.metrics.fallout import Fallout
from cranfield.scoring.metrics.half_life import HalfLife
from cranfield.scoring.metrics.incomplete_ap import InducedAP, SubcollectionAP
from cranfield.scoring.metrics.inferred_ap import InferredAP
from cranfield.scoring.metrics.list_groups import ACLT, APLT, AWRF, MeanPrediction, Miscalibration
from cranfield.scoring.metrics.one_relevant_bound import OneRelevantBound
from cranfield.scoring.metrics.per_list import UserEFD, UserEPC, UserILD, UserPopularity
from cranfield.scoring.metrics.precision import Precision
from cranfield.scoring.metrics.r_precision import RPrecision
from cranfield.scoring.metrics.rank_correlation import RBO, KendallTau, TauAP
from cranfield.scoring.metrics.rating_error import MAE, RMSE
from cranfield.scoring.metrics.rbp import RBP
from cranfield.scoring.metrics.recall import Recall
from cranfield.scoring.metrics.reciprocal_rank import ReciprocalRank
from cranfield.scoring.metrics.serendipity import Serendipity
from cranfield.scoring.metrics.stratified_recall import StratifiedRecall
from cranfield.scoring.metrics.success import Success

__all__ = [
    "ACLT",
    "APLT",
    "AUC",
    "AWRF",
    "DCG",
    "ERR",
    "F1",
    "MAE",
    "NDCG",
    "RBO",
    "RBP",
    "RMSE",
    "AveragePrecision",
    "Bpref",
    "CondensedDepth",
    "Fallout",
    "HalfLife",
    "InducedAP",
    "InferredAP",
    "KendallTau",
    "MeanPrediction",
    "Miscalibration",
    "OneRelevantBound",
    "Precision",
    "RPrecision",
    "Recall",
    "ReciprocalRank",
    "Serendipity",
    "StratifiedRecall",
    "SubcollectionAP",
    "Success",
    "TauAP",
    "Unrated",
    "UserEFD",
    "UserEPC",
    "UserILD",
    "UserPopularity",
]
