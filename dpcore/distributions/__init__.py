"""The exact distribution of a release: `measurement.distribution(data)`. A fourth reading of the derivation."""

from dpcore.distributions.any_key import AnyKey
from dpcore.distributions.distribution import Distribution, settled
from dpcore.distributions.forks import RARE, Fork, Script, distribution_of
from dpcore.distributions.loss_variable import LossVariable, loss_variable

__all__ = [
    "RARE",
    "AnyKey",
    "Distribution",
    "Fork",
    "LossVariable",
    "Script",
    "distribution_of",
    "loss_variable",
    "settled",
]
