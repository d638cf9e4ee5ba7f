"""From the density of each noise to the map of its rule, with sympy, as far as sympy goes. See README.md.

python -m proofs.derivations laplace        # the steps, from the root of the repository
"""
