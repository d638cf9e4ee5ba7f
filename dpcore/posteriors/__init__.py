"""What somebody who sees a release comes to believe: the bounds that a loss gives, and the belief itself."""

from dpcore.posteriors.bayes import Posterior, posterior
from dpcore.posteriors.bounds import Beliefs, beliefs

__all__ = ["Beliefs", "Posterior", "beliefs", "posterior"]
