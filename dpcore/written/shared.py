"""Parameters that rules of several files have."""

from __future__ import annotations

from dpcore.calculus.parameters import COUNT, POSITIVE, Parameter
from dpcore.written.domains import DOMAIN
from dpcore.written.expressions import CONSTANTS, SPOKEN
from dpcore.written.functions import FUNCTION
from dpcore.written.metrics import METRIC
from dpcore.written.ranges import RANGE

Declared = Parameter("domain", DOMAIN)
Function = Parameter("function", FUNCTION)
Keyed = Parameter("by", SPOKEN)
Keys = Parameter("keys", CONSTANTS)
Range = Parameter("range", RANGE, held="keys")
Limit = Parameter("limit", COUNT)
Scale = Parameter("scale", POSITIVE)
Size = Parameter("size", COUNT)
Source = Parameter("source", METRIC)
