"""Pictures of losses and of any figures, drawn here as SVG. For whoever looks at them."""

from dpcore.pictures.charts import bars, dots, lines
from dpcore.pictures.curves import plot
from dpcore.pictures.svg import Picture

__all__ = ["Picture", "bars", "dots", "lines", "plot"]
