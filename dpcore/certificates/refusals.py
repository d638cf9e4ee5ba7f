"""What cannot be certified is refused by name."""

from __future__ import annotations

from dpcore.errors import DPError


class NotCertifiable(DPError, ValueError):
    """The measurement is sound as far as dpcore knows, but no certificate can say so."""
