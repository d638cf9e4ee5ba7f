"""The discrete Gaussian distribution on the integers: P(Z = z) = f(z)/N, f(x) = exp(-x^2/(2 s)), s = sigma_squared.

Guarantee. For every rational s > 0, `sample` has exactly this distribution if the bits are independent and uniform;
`mass`, `tail` and `upper_tail` contain the true value.

Sampling: Canonne, Kamath and Steinke (2020), Algorithm 3. With t = floor(sigma) + 1 draw y from the discrete Laplace
distribution of scale t and keep it with probability exp(-(|y| - s/t)^2/(2 s)). As
(|y| - s/t)^2/(2 s) = y^2/(2 s) - |y|/t + s/(2 t^2), what is kept has probability proportional to f(y).

The normaliser: N = sum over all k of f(k) = theta(1/(2 pi s)) with theta(c) = sum over all k of exp(-pi c k^2), and
theta(c) = theta(1/c)/sqrt(c) by Poisson summation. So c > 0.95 without loss, and cutting the sum behind k = K drops

    0 <= 2 sum_{k > K} exp(-pi c k^2) <= 2 exp(-pi c (K + 1)^2) / (1 - exp(-pi c (2 K + 3)))

as the quotients of consecutive terms only decrease.

The tail: P(Z >= m) = T/N with T = sum_{k >= m} f(k), m >= 1; for m <= 0 by symmetry P(Z >= m) = 1 - P(Z >= 1 - m).
Where few terms matter, they are summed, and the same argument bounds what is cut off:

    0 <= sum_{k >= n} f(k) <= f(n) / (1 - f(n + 1)/f(n))

Elsewhere T is compared with the integral, by the Euler-Maclaurin formula of any order J (DLMF 2.10.1), all boundary
terms at infinity being zero:

    T = I + f(m)/2 - sum_{j=1..J} B_2j/(2j)! f^(2j-1)(m) + R
    I = integral_m^oo f = sqrt(pi s/2) erfc(m/sqrt(2 s))
    |R| <= max|B_n({x})|/n! * integral_m^oo |f^(n)| <= 4/(2 pi)^n * integral_m^oo |f^(n)|,    n = 2 J

since |B_n({x})| <= |B_n| = 2 zeta(n) n!/(2 pi)^n for even n, and 2 zeta(2) < 4. With u = x/sigma,
f^(n)(x) = (-1)^n sigma^-n He_n(u) f(x), and the coefficients of He_n are those of P_n(u) up to sign, where
sum_n P_n(u) v^n/n! = exp(u v + v^2/2). All terms of this series are >= 0 for u, v >= 0, hence for every v > 0

    |He_n(u)| <= P_n(u) <= n! v^-n exp(u v + v^2/2)
    integral_m^oo |f^(n)| <= sigma^(1-n) n! v^-n exp(v^2) sqrt(pi/2) erfc((m/sigma - v)/sqrt(2))

by completing the square. Any v is right; one near the minimum, n/v = u + v, makes the bound small.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from operator import index

from flint import arb, fmpq

from dpcore.maps import precision, working_bits
from dpcore.noise import discrete_laplace
from dpcore.noise.bernoulli import bernoulli_exp, positive
from dpcore.noise.bits import BitSource
from dpcore.noise.enclosures import from_zero_to, working_precision


def sample(sigma_squared: int | Fraction, bits: BitSource) -> int:
    """An integer z with probability proportional to exp(-z^2/(2*sigma_squared))."""
    return bell(*positive("sigma_squared", sigma_squared), bits)


def bell(p: int, q: int, bits: BitSource) -> int:
    """An integer z with probability proportional to exp(-z^2 q/(2 p)), for positive p and q."""
    t = isqrt(p // q) + 1
    while True:
        y = discrete_laplace.two_sided(t, 1, bits)
        root = abs(y) * t * q - p  # (|y| - s/t) * t q
        if bernoulli_exp((root * root, 2 * p * q * t * t), bits):
            return y


def mass(sigma_squared: int | Fraction, z: int, prec: int = 128) -> arb:
    """P(Z = z), enclosed."""
    p, q = positive("sigma_squared", sigma_squared)
    z = index(z)
    with precision(_working_precision(p, q, z, prec)):
        return _density(p, q, z) / _normaliser(p, q, prec)


def tail(sigma_squared: int | Fraction, a: int, prec: int = 128) -> arb:
    """P(|Z| >= a), enclosed: the noise is off by a or more."""
    p, q = positive("sigma_squared", sigma_squared)
    a = index(a)
    with precision(_working_precision(p, q, a, prec)):
        return 2 * upper_tail(sigma_squared, a, prec) if a > 0 else arb(1)


def upper_tail(sigma_squared: int | Fraction, m: int, prec: int = 128) -> arb:
    """P(Z >= m), enclosed, for any integer m."""
    p, q = positive("sigma_squared", sigma_squared)
    m = index(m)
    with precision(_working_precision(p, q, m, prec)):
        if m <= 0:
            return 1 - upper_tail(sigma_squared, 1 - m, prec)
        terms = _terms_that_matter(p, q, m, prec)
        few = terms <= max(1024, prec)
        total = _direct_sum(p, q, m, terms) if few else _euler_maclaurin_sum(p, q, m, prec)
        return total / _normaliser(p, q, prec)


def _density(p: int, q: int, z: int) -> arb:
    """f(z)."""
    return (-arb(fmpq(z * z * q, 2 * p))).exp()


def _normaliser(p: int, q: int, prec: int) -> arb:
    """N, the sum of f over all integers."""
    if 6 * p <= q:
        return _theta(1 / (2 * arb.pi() * fmpq(p, q)), prec)  # 1/(2 pi s) >= 3/pi
    c = 2 * arb.pi() * fmpq(p, q)  # > pi/3
    return c.sqrt() * _theta(c, prec)


def _theta(c: arb, prec: int) -> arb:
    """The sum over all integers k of exp(-pi c k^2), for c > 0.95."""
    last = isqrt(prec // 4) + 1  # exp(-pi 0.95 (last + 1)^2) < 2^-prec
    x = -arb.pi() * c
    total = sum(((x * k * k).exp() for k in range(1, last + 1)), start=arb(0))
    rest = (x * (last + 1) ** 2).exp() / (1 - (x * (2 * last + 3)).exp())
    return 1 + 2 * (total + from_zero_to(rest))


def _terms_that_matter(p: int, q: int, m: int, prec: int) -> int:
    """The least n, nearly, with f(m + n) <= 2^-prec f(m), that is n (2 m + n) >= 2 s prec log(2)."""
    return isqrt(m * m + 2 * p * prec * 7 // (q * 10)) - m + 1


def _direct_sum(p: int, q: int, m: int, terms: int) -> arb:
    """The sum of f(k) over k >= m, for m >= 1: so many terms by f(k + 1)/f(k) = exp(-(2 k + 1)/(2 s)), and a bound."""
    guard = 2 * terms.bit_length() + (p // q).bit_length()  # what the recurrence and 1 - quotient may lose
    with precision(working_bits() + guard):
        value = _density(p, q, m)
        quotient = (-arb(fmpq((2 * m + 1) * q, 2 * p))).exp()
        change = (-arb(fmpq(q, p))).exp()
        total = arb(0)
        for _ in range(terms):
            total += value
            value *= quotient
            quotient *= change
        return total + from_zero_to(value / (1 - quotient))


def _euler_maclaurin_sum(p: int, q: int, m: int, prec: int) -> arb:
    """The sum of f(k) over k >= m, for m >= 1, as the integral and its corrections."""
    f = _density(p, q, m)
    goal = f.abs_lower() * arb(2) ** -prec
    pairs = 4
    while not (rest := _euler_maclaurin_rest(p, q, m, 2 * pairs)) <= goal and pairs < prec:
        pairs *= 2
    s = fmpq(p, q)
    integral = (arb.pi() * s / 2).sqrt() * (m / (2 * arb(s)).sqrt()).erfc()
    # g_n = f^(n)(m)/f(m): from f' = -x/s f, g_(n+1) = -(m g_n + n g_(n-1))/s
    correction = arb(fmpq(1, 2))
    before, g = arb(1), arb(fmpq(-m * q, p))
    factorial = arb(1)
    for n in range(1, 2 * pairs, 2):  # g = g_n and before = g_(n-1), n odd
        factorial *= n * (n + 1)
        correction -= arb.bernoulli(n + 1) / factorial * g
        before = -(m * g + n * before) / s
        g = -(m * before + (n + 1) * g) / s
    return integral + f * correction + from_zero_to(rest) - from_zero_to(rest)


def _euler_maclaurin_rest(p: int, q: int, m: int, n: int) -> arb:
    """A bound on |R| after the corrections up to the n-th, n even."""
    sigma = arb(fmpq(p, q)).sqrt()
    u = m / sigma
    v = ((u * u + 4 * n).sqrt() - u) / 2
    scaled = arb.fac_ui(n) / (2 * arb.pi() * sigma * v) ** n
    return 4 * sigma * scaled * (v * v).exp() * (arb.pi() / 2).sqrt() * ((u - v) / arb(2).sqrt()).erfc()


def _working_precision(p: int, q: int, z: int, prec: int) -> int:
    return working_precision(prec, z * z * q // (2 * p))
