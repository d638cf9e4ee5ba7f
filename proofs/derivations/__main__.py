"""Print the steps of the derivations that are named, or of all: `python -m proofs.derivations laplace`."""

from __future__ import annotations

import sys

from proofs.derivations.rules import DERIVATIONS

unknown = [name for name in sys.argv[1:] if name not in DERIVATIONS]
if unknown:
    sys.exit(f"{unknown[0]} is not derived; these are: {', '.join(DERIVATIONS)}")
print("\n\n".join(str(DERIVATIONS[name]()) for name in sys.argv[1:] or DERIVATIONS))
