"""What the page begins with: which numbers are published, and how noisy they are, in words.

Read off the derivation that was verified: the last summary before the noise says what is released, the noise how far off.
What has no words here is named by its rule, so nothing that is released is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import exp, isqrt, sqrt
from typing import Final, cast

from dpcore.certificates.report.figures import above
from dpcore.certificates.report.markup import Inner, Markup, join, tag
from dpcore.errors import DPError
from dpcore.noise import discrete_gaussian, discrete_laplace
from dpcore.noise.accuracy import Tail, least
from dpcore.parameters import Json

Data = Mapping[str, Json]
CONFIDENCE: Final = Fraction(95, 100)
WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
LARGE: Final = 10**6
FEW: Final = 12
"""So many different things are written out."""

SELECTIONS: Final[Mapping[str, str]] = {
    "permute_and_flip": "which of the candidates has one of the best scores, chosen with noise",
    "exponential": "which of the candidates has one of the best scores, chosen with noise",
    "above_threshold": "which of the numbers are the first above a threshold, with noise",
    "randomized_response": "one answer, which is sometimes not the true one",
    "threshold_release": "keys that many rows have, with noisy counts; rare keys are left out",
    "name_and_shame": "some rows, as they are",
    "random_row": "one row, as it is",
    "claimed_measurement": "what a function of the author's own gives",
    "adaptive": "what several stages give, each chosen by what was released before",
}


def released(data: Data) -> Markup:
    """A sentence, or a list of them."""
    found = Counter(_of(cast(Data, data["derivation"]), "numbers", 1))
    lines = [_times(said, many) for said, many in found.items()]
    if len(lines) > FEW:
        lines = [*lines[:FEW], f"and {len(lines) - FEW} more kinds of releases, in the derivation below"]
    head = tag("strong", "What is released. ")
    if len(lines) == 1:
        return tag("div", tag("p", head, _sentence(lines[0])), cls="released")
    items: list[Inner] = [tag("li", _sentence(each)) for each in lines]
    return tag("div", tag("p", head), tag("ul", *items), cls="released")


def _sentence(said: str) -> Markup:
    return join(f"{said[:1].upper()}{said[1:]}.")


def _times(said: str, many: int) -> str:
    return said if many == 1 else f"{_number(many)} times: {said}"


def _number(n: int) -> str:
    return WORDS[n] if n < len(WORDS) else str(n)


def _of(node: Data, what: str, many: int) -> Iterator[str]:
    """What a part of the derivation releases, given so many numbers of that kind."""
    rule, premises = cast(str, node["rule"]), cast("list[Data]", node["premises"])
    given = cast("dict[str, Json]", node["parameters"])
    if rule == "chain":
        for premise in premises:
            at = cast(str, premise["rule"])
            if at in _NOISE or premise["premises"] or at.startswith(tuple(SELECTIONS)):
                yield from _of(premise, what, many)
            else:
                what, many = _summary(at, cast("dict[str, Json]", premise["parameters"]), (what, many))
    elif rule in _NOISE:
        yield _noisy(what, many, rule, given)
    elif rule.startswith("parallel_"):
        keys = len(cast("list[Json]", given["keys"]))
        for said, times in Counter(each for premise in premises[-keys:] for each in _of(premise, what, many)).items():
            yield (
                f"of each of {_number(times)} parts of the data: {said}"
                if times > 1
                else f"of a part of the data: {said}"
            )
    elif rule.startswith("general_composition_"):
        for first, second in zip(premises[::2], premises[1::2], strict=True):
            yield from _of({"rule": "chain", "parameters": {}, "premises": [dict(first), dict(second)]}, what, many)
    elif premises:
        for premise in premises:
            yield from _of(premise, what, many)
    else:
        yield next((said for start, said in SELECTIONS.items() if rule.startswith(start)), f"what {rule} gives")


def _summary(rule: str, given: Mapping[str, Json], before: tuple[str, int]) -> tuple[str, int]:
    """What a transformation makes of the data, and how many numbers that is."""
    if rule.startswith("count_"):
        return "count", 1
    if rule.startswith("sum_"):
        return "sum", 1
    if rule.startswith("histogram_"):
        return "count", len(cast("list[Json]", given["bins"]))
    if rule.startswith("linear_queries_"):
        return "answer to a query", len(cast("list[Json]", given["queries"]))
    if rule.startswith("vector_sum_"):
        return "sum of an entry of vectors", int(cast(str, given["size"]))
    if rule.startswith("quantile_scores_"):
        return "score", len(cast("list[Json]", given["candidates"]))
    return ("number", 1) if rule == "claimed_transformation" else before


PLURAL: Final[Mapping[str, str]] = {
    "answer to a query": "answers to queries", "sum of an entry of vectors": "sums of the entries of vectors"
}  # fmt: skip


def _noisy(what: str, many: int, rule: str, given: Mapping[str, Json]) -> str:
    step = Fraction(cast(str, given["step"]))
    kind, tail, deviation = _NOISE[rule](given, step)
    try:
        off = step * least(tail, 1 - CONFIDENCE)
        within = f": off by less than {above(off)} in 95% of all cases"
    except (DPError, ValueError, ArithmeticError):
        within = ""
    each = "" if many == 1 else "each "
    singular = what.removesuffix("s") if what == "numbers" else what
    subject = f"{_number(many)} {singular if many == 1 else PLURAL.get(singular, f'{singular}s')}"
    return f"{subject}, {each}with {kind} noise of standard deviation {deviation}{within}"


def _laplace(given: Mapping[str, Json], step: Fraction) -> tuple[str, Tail, str]:
    """Of variance `2q/(1-q)^2`, `q = e^(-1/scale)`, in steps: next to `2 scale^2` where the scale is large."""
    scale = Fraction(cast(str, given["scale"])) / step
    if scale > LARGE:
        spread = _root(2 * scale * scale)
    else:
        q = exp(-1 / scale) if scale > Fraction(1, 500) else 0.0
        spread = Fraction(sqrt(2 * q) / (1 - q))
    return "Laplace", lambda a, bits: discrete_laplace.tail(scale, a, bits), f"about {above(spread * step, 4)}"


def _gaussian(given: Mapping[str, Json], step: Fraction) -> tuple[str, Tail, str]:
    squared = Fraction(cast(str, given["sigma_squared"]))
    variance, sigma = squared / step**2, _root(squared)
    said = above(sigma) if sigma**2 == squared else above(sigma, 4)
    words = f"{said}" if said.exact and sigma**2 == squared else f"about {said}"
    return "Gaussian", lambda a, bits: discrete_gaussian.tail(variance, a, bits), words


def _root(x: Fraction) -> Fraction:
    """The root where it is rational, otherwise one next to it."""
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    near = Fraction(isqrt((x.numerator << 128) // x.denominator), 1 << 64)
    return Fraction(p, q) if p * p == x.numerator and q * q == x.denominator else near


_NOISE: Final[Mapping[str, Callable[[Mapping[str, Json], Fraction], tuple[str, Tail, str]]]] = {
    "laplace": _laplace,
    **dict.fromkeys(("gaussian", "gaussian_vector", "gaussian_profile"), _gaussian),
}
