"""Pictures of losses, drawn here as SVG, or on axes of matplotlib that the caller brings. For whoever looks at them."""

from dpcore.pictures.curves import plot
from dpcore.pictures.svg import Picture

__all__ = ["Picture", "plot"]
