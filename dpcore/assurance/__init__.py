"""What checks a claim by running it. Nothing here is trusted by a bound, and nothing here proves one.

    falsify     a search for a counterexample, made as small as possible
    exhaust     every pair of a small universe: the true worst case beside the claim
    audit       a statistical lower bound on the loss, from the releases of the running code
    worst_belief  the prior whose belief a release moves most

The exact distribution of a release is `measurement.distribution(data)`.
"""

from dpcore.assurance.auditing import Audit, audit
from dpcore.assurance.beliefs import WorstBelief, worst_belief
from dpcore.assurance.exhaustion import Exhaustion, exhaust
from dpcore.assurance.falsification import Falsification, falsify
from dpcore.assurance.findings import Finding
from dpcore.assurance.line import Line

__all__ = [
    "Audit",
    "Exhaustion",
    "Falsification",
    "Finding",
    "Line",
    "WorstBelief",
    "audit",
    "exhaust",
    "falsify",
    "worst_belief",
]
