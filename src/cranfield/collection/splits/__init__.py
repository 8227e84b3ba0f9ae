"""Every split that ships, one per file."""

from cranfield.collection.splits.given import Given
from cranfield.collection.splits.k_fold import KFold
from cranfield.collection.splits.leave_out import LeaveOut
from cranfield.collection.splits.per_item_train import PerItemTrain
from cranfield.collection.splits.per_user import PerUser
from cranfield.collection.splits.random import Random
from cranfield.collection.splits.random_exact import RandomExact
from cranfield.collection.splits.rolling import Rolling
from cranfield.collection.splits.temporal import Temporal
from cranfield.collection.splits.temporal_per_user import TemporalPerUser
from cranfield.collection.splits.uniform import Uniform

__all__ = [
    "Given",
    "KFold",
    "LeaveOut",
    "PerItemTrain",
    "PerUser",
    "Random",
    "RandomExact",
    "Rolling",
    "Temporal",
    "TemporalPerUser",
    "Uniform",
]
