"""Exact samplers, and rigorous enclosures of the distributions they sample.

Two promises. Every sampler turns independent uniform bits into *exactly* its stated distribution: integers only, no
float, no rounding, no truncation. Every probability function returns a ball (`flint.arb`) that contains the true value.

    bits                where uniform bits come from
    bernoulli           coins: probability p, and probability exp(-x)
    discrete_laplace    P(z) proportional to exp(-|z|/scale)
    discrete_gaussian   P(z) proportional to exp(-z^2/(2*sigma_squared))
    samples             many draws of the two at once, at a few nanoseconds each, and their sums with values
    strips, trials      how: the theorem with its layout, and the trials of it
    coins, fixed_point  many coins at once, decided by integers around exp(-x)
    selection           the exponential mechanism, permute-and-flip
    accuracy            the least a with P(|Z| >= a) <= level

Running time depends on what is drawn: nothing here hides it.
"""
