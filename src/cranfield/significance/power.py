"""Power: the smallest difference that the present users would show."""

from __future__ import annotations

from cranfield.base.errors import BadParameter
from cranfield.significance.effect_size import MeanDifference


def smallest_detectable(found: MeanDifference, alpha: float = 0.05, power: float = 0.8) -> float:
    r"""The mean difference that a paired test of as many users would mostly detect.

        δ = (z_{1−α/2} + z_{power})·SE

    SE is the standard error of the mean difference observed, z the quantile of the normal
    distribution, which stands in for Student's: a few users need a little more. 0 where
    differences do not vary.
    """
    from scipy.special import ndtri

    refuse_no_share("power", "alpha", alpha)
    refuse_no_share("power", "power", power)
    return float(ndtri(1 - alpha / 2) + ndtri(power)) * found.error


def refuse_no_share(asker: str, name: str, value: float) -> None:
    """Refuse what is not a share strictly between 0 and 1."""
    if not 0 < value < 1:
        raise BadParameter(asker, name, value, "a number above 0 and below 1")
