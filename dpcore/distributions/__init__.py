"""The exact distribution of a release: `measurement.distribution(data)`. A fourth reading of the derivation."""

from dpcore.distributions.any_key import AnyKey
from dpcore.distributions.distribution import Distribution, settled
from dpcore.distributions.forks import RARE, Fork, Script, distribution_of

__all__ = ["RARE", "AnyKey", "Distribution", "Fork", "Script", "distribution_of", "settled"]
