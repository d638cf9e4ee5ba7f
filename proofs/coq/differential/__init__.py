"""Whether the checkers of certificates agree: Python's, the one extracted from Coq, and Coq itself on a sample.

    python -m proofs.coq.differential [HOW_MANY] [SEED] [--times] [--keep FOLDER]

Random certificates of the rules followed, and what becomes of them when something is changed: each checker must say the same
of each, and of each rule both verdicts occur. Then near misses of each rule, which all must refuse; and faults in a copy of
the Python checker, of which each must be noticed. With --times each checker is timed on each certificate.
"""
