"""The recommenders that ship, each found by its name."""

from cranfield.recommendation.recommenders.bprmf import BPRMF
from cranfield.recommendation.recommenders.ease import EASE
from cranfield.recommendation.recommenders.feedback import (
    ChiSquared,
    KullbackLeibler,
    RobertsonSelectionValue,
    RocchioWeights,
)
from cranfield.recommendation.recommenders.hitting_time import HittingTime
from cranfield.recommendation.recommenders.knn import (
    ItemKNN,
    UserKNN,
)
from cranfield.recommendation.recommenders.lda import LDA
from cranfield.recommendation.recommenders.lm_wsr import (
    LMWSRItemBased,
    LMWSRUserBased,
)
from cranfield.recommendation.recommenders.nncos import (
    NNCosItemBased,
    NNCosUserBased,
)
from cranfield.recommendation.recommenders.oracle import Oracle
from cranfield.recommendation.recommenders.plsa import PLSA
from cranfield.recommendation.recommenders.popularity import (
    AverageRating,
    MedianRating,
    Popularity,
)
from cranfield.recommendation.recommenders.pure_svd import PureSVD
from cranfield.recommendation.recommenders.random import (
    Random,
)
from cranfield.recommendation.recommenders.relevance_models import (
    RM1,
    RM2,
)
from cranfield.recommendation.recommenders.rp3beta import P3alpha, RP3beta
from cranfield.recommendation.recommenders.slim import SLIM
from cranfield.recommendation.recommenders.smoothing import (
    AbsoluteDiscounting,
    Additive,
    Dirichlet,
    JelinekMercer,
)
from cranfield.recommendation.recommenders.svd import SVD
from cranfield.recommendation.recommenders.uir_item import (
    UIRItem,
)
from cranfield.recommendation.recommenders.wrmf import MF, WRMF

__all__ = [
    "BPRMF",
    "EASE",
    "LDA",
    "MF",
    "PLSA",
    "RM1",
    "RM2",
    "SLIM",
    "SVD",
    "WRMF",
    "AbsoluteDiscounting",
    "Additive",
    "AverageRating",
    "ChiSquared",
    "Dirichlet",
    "HittingTime",
    "ItemKNN",
    "JelinekMercer",
    "KullbackLeibler",
    "LMWSRItemBased",
    "LMWSRUserBased",
    "MedianRating",
    "NNCosItemBased",
    "NNCosUserBased",
    "Oracle",
    "P3alpha",
    "Popularity",
    "PureSVD",
    "RP3beta",
    "Random",
    "RobertsonSelectionValue",
    "RocchioWeights",
    "UIRItem",
    "UserKNN",
]
