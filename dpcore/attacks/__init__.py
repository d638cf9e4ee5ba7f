"""Attacks on what was released, as they are published: to be run, and to be seen to fail where a release is private.

    link          what tables with generalised cells say of one person, put together
    reconstruct   a secret bit of each person, from noisy answers to many subset queries
    consistent    all secrets that are consistent with such answers
    membership    a test between two data sets, beside the curve of the loss
    trace         whether somebody's row was among those of which averages were published

None of them is needed to trust a bound, and that one fails proves nothing. Figures are floats.
"""

from dpcore.attacks.consistency import Consistent, consistent
from dpcore.attacks.linkage import anonymity, link
from dpcore.attacks.membership import Membership, membership
from dpcore.attacks.reconstruction import Reconstruction, reconstruct
from dpcore.attacks.tracing import Trace, trace

__all__ = [
    "Consistent",
    "Membership",
    "Reconstruction",
    "Trace",
    "anonymity",
    "consistent",
    "link",
    "membership",
    "reconstruct",
    "trace",
]
