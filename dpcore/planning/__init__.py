"""What k questions may cost within one budget, and how noisy their answers are then: the ways to share, side by side."""

from dpcore.planning.inverse import inverse_advanced
from dpcore.planning.plans import Plan, plan
from dpcore.planning.ways import Way

__all__ = ["Plan", "Way", "inverse_advanced", "plan"]
