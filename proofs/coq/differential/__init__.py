"""Whether the checkers of certificates agree: Python's, the one extracted from Coq, and Coq itself on a sample.

    python -m proofs.coq.differential [HOW_MANY] [SEED]

Random certificates of the rules followed, and what becomes of them when something is changed: each checker must say the same
of each. Then faults are put into a copy of the Python checker, of which each must be noticed.
"""
