"""What the page begins with: which numbers are published, and how noisy they are, in words.

Read off the derivation that was verified: the last summary before the noise says what is released, the noise how far off.
What has no words here is named by its rule, so nothing that is released is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import lru_cache
from math import exp, isqrt, sqrt
from typing import Final, TypeAlias, final

from dpcore.calculus import Release
from dpcore.calculus.parameters import Data, entries, fields, text
from dpcore.certificates.rules import rule_named
from dpcore.errors import DPError
from dpcore.measures import MEASURES
from dpcore.noise import discrete_gaussian, discrete_laplace
from dpcore.noise.accuracy import Tail, least
from dpcore.report.markup import Markup, above, tag
from dpcore.written.ranges import RANGE

CONFIDENCE: Final = Fraction(95, 100)
COUNTED: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
LARGE: Final = 10**6
FEW: Final = 12
"""So many different things are written out."""


@final
@dataclass(frozen=True, slots=True)
class Summary:
    """What a transformation makes of the data: the name of one number and of several, and the parameter that says how many
    they are, or lists them; one if there is none."""

    one: str
    several: str
    counted: str | None = None

    def many(self, parameters: Data) -> int:
        counted = "1" if self.counted is None else parameters[self.counted]
        if self.counted == "range":
            first, last = RANGE.ends(counted)
            return last - first + 1
        return len(counted) if isinstance(counted, list) else int(text(counted))


@final
@dataclass(frozen=True, slots=True)
class Noise:
    """A kind of noise: from its parameters and the step of its grid, its tail in steps and its deviation in words."""

    name: str
    measured: Callable[[Data, Fraction], tuple[Tail, str]]


@final
@dataclass(frozen=True, slots=True)
class Combination:
    """What puts parts together: what the parts release, given so many numbers of that kind."""

    told: Callable[[Data, Summary, int], Iterator[str]]


def released(data: Data) -> Markup:
    """A sentence, or a list of them."""
    said = Counter(_of(fields(data["derivation"]), Summary("number", "numbers"), 1))
    lines = [line if many == 1 else f"{_number(many)} times: {line}" for line, many in said.items()]
    if len(lines) > FEW:
        lines = [*lines[:FEW], f"and {len(lines) - FEW} more kinds of releases, in the derivation below"]
    sentences = [f"{line[:1].upper()}{line[1:]}." for line in lines]
    head = tag("strong", "What is released. ")
    if len(sentences) == 1:
        return tag("div", tag("p", head, *sentences), cls="released")
    return tag("div", tag("p", head), tag("ul", *(tag("li", each) for each in sentences)), cls="released")


def said_of(node: Data) -> list[str]:
    """What a part of the derivation releases, each thing once."""
    return list(dict.fromkeys(_of(node, Summary("number", "numbers"), 1)))


def _number(n: int) -> str:
    return COUNTED[n] if n < len(COUNTED) else str(n)


# ---- the derivation ----------------------------------------------------------------------------------------------------


def _of(node: Data, what: Summary, many: int) -> Iterator[str]:
    """What a part of the derivation releases, given so many numbers of that kind."""
    words, premises = _words(node), _premises(node)
    if isinstance(words, Noise):
        yield _noisy(_parameters(node), words, what, many)
    elif isinstance(words, Combination):
        yield from words.told(node, what, many)
    elif premises:
        for premise in premises:
            yield from _of(premise, what, many)
    else:
        yield words if isinstance(words, str) else _by_name(node, what, many)


def _by_name(node: Data, what: Summary, many: int) -> str:
    """What a measurement that has no words here releases."""
    rule = rule_named(_rule(node))
    if rule is None or rule.release is not Release.NOISED:
        return f"what {_rule(node)} gives"
    told = ", ".join(f"{name} {value}" for name, value in _parameters(node).items())
    return f"{_number(many)} {what.one if many == 1 else what.several}, with noise by {rule.name}: {told}"


def _one_after_another(node: Data, what: Summary, many: int) -> Iterator[str]:
    for premise in _premises(node):
        words = _words(premise)
        if isinstance(words, Summary):
            what, many = words, words.many(_parameters(premise))
        elif words is not None or _premises(premise) or _draws(premise):
            yield from _of(premise, what, many)


def _draws(node: Data) -> bool:
    """Whether the rule is one that draws random bits, as each measurement does and no transformation."""
    rule = rule_named(_rule(node))
    return rule is not None and "bits" in rule.run_names


def _of_parts(node: Data, what: Summary, many: int) -> Iterator[str]:
    """Every key has a premise, after as many for rows added and removed; or all parts, so many, have the same."""
    written = _parameters(node).get("keys")
    each = _premises(node)[-1:] if written is None else _premises(node)[-len(entries(written)) :]
    parts = many if written is None else 1
    for said, times in Counter(
        line for premise in each for line in _of(premise, what, 1) for _ in range(parts)
    ).items():
        yield (
            f"of each of {_number(times)} parts of the data: {said}" if times > 1 else f"of a part of the data: {said}"
        )


def _of_pairs(node: Data, what: Summary, many: int) -> Iterator[str]:
    """Premises come in pairs: a transformation, and what measures its output."""
    pairs = _premises(node)
    for first, second in zip(pairs[::2], pairs[1::2], strict=True):
        yield from _one_after_another({"premises": [first, second]}, what, many)


def _of_questions(node: Data, what: Summary, many: int) -> Iterator[str]:
    """What may be asked yet, and what was asked so far."""
    yield "answers to questions that whoever asks may choose by the answers before them, while the budget lasts"
    for premise in _premises(node):
        for line in _of(premise, what, many):
            yield f"asked so far: {line}"


def _rule(node: Data) -> str:
    return text(node["rule"])


def _parameters(node: Data) -> Data:
    return fields(node["parameters"])


def _premises(node: Data) -> list[Data]:
    return [fields(premise) for premise in entries(node["premises"])]


# ---- noise -------------------------------------------------------------------------------------------------------------


def _noisy(parameters: Data, noise: Noise, what: Summary, many: int) -> str:
    deviation, within = _spread(noise, tuple((name, text(value)) for name, value in parameters.items()))
    subject, each = (what.one, "") if many == 1 else (what.several, "each ")
    return f"{_number(many)} {subject}, {each}with {noise.name} noise of standard deviation {deviation}{within}"


@lru_cache(maxsize=1 << 10)
def _spread(noise: Noise, given: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    """The deviation, and how far off it is at most, of noise that may stand in a thousand leaves alike."""
    parameters: Data = dict(given)
    step = Fraction(text(parameters["step"]))
    tail, deviation = noise.measured(parameters, step)
    try:
        return deviation, f": off by less than {above(step * least(tail, 1 - CONFIDENCE))} in 95% of all cases"
    except (DPError, ValueError, ArithmeticError):
        return deviation, ""


def _laplace(parameters: Data, step: Fraction) -> tuple[Tail, str]:
    """Of variance `2q/(1-q)^2`, `q = e^(-1/scale)`, in steps: next to `2 scale^2` where the scale is large."""
    scale = Fraction(text(parameters["scale"])) / step
    if scale > LARGE:
        spread = _root(2 * scale * scale)
    else:
        q = exp(-1 / scale) if scale > Fraction(1, 500) else 0.0
        spread = Fraction(sqrt(2 * q) / (1 - q))
    return lambda a, bits: discrete_laplace.tail(scale, a, bits), f"about {above(spread * step, 4)}"


def _gaussian(parameters: Data, step: Fraction) -> tuple[Tail, str]:
    squared = Fraction(text(parameters["sigma_squared"]))
    variance, sigma = squared / step**2, _root(squared)
    rational = sigma**2 == squared
    shown = above(sigma) if rational else above(sigma, 4)
    about = "" if rational and shown.exact else "about "
    return lambda a, bits: discrete_gaussian.tail(variance, a, bits), f"{about}{shown}"


def _root(x: Fraction) -> Fraction:
    """The root where it is rational, otherwise one next to it."""
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    near = Fraction(isqrt((x.numerator << 128) // x.denominator), 1 << 64)
    return Fraction(p, q) if p * p == x.numerator and q * q == x.denominator else near


# ---- words -------------------------------------------------------------------------------------------------------------

_CHOSEN: Final = "which of the candidates has one of the best scores, chosen with noise"

Words: TypeAlias = Summary | Noise | Combination | str
"""A text says all of what a rule without premises releases."""

WORDS: Final[Mapping[str, Words]] = {
    "count_*": Summary("count", "counts"),
    "sum_*": Summary("sum", "sums"),
    "histogram_*": Summary("count", "counts", counted="bins"),
    "partition_range_*": Summary("number", "numbers", counted="range"),
    "partition_*": Summary("number", "numbers", counted="keys"),
    "linear_queries_*": Summary("answer to a query", "answers to queries", counted="queries"),
    "absolute_errors": Summary("error of a guess", "errors of guesses", counted="guess"),
    "marginal_errors_*": Summary("error of a guessed marginal", "errors of guessed marginals", counted="queries"),
    "vector_sum_*": Summary("sum of an entry of vectors", "sums of the entries of vectors", counted="size"),
    "quantile_scores_*": Summary("score", "scores", counted="candidates"),
    "claimed_transformation": Summary("number", "numbers"),
    "laplace": Noise("Laplace", _laplace),
    "gaussian": Noise("Gaussian", _gaussian),
    "gaussian_vector": Noise("Gaussian", _gaussian),
    "gaussian_profile": Noise("Gaussian", _gaussian),
    "chain": Combination(_one_after_another),
    "parallel_*": Combination(_of_parts),
    **{
        f"filter_{measure.name}": Combination(_of_questions)
        for measure in MEASURES
        if measure.composes and measure.variable is None
    },
    "general_composition_*": Combination(_of_pairs),
    "permute_and_flip_*": _CHOSEN,
    "exponential_*": _CHOSEN,
    "above_threshold_asked_*": "whether numbers lie above a threshold, with noise, each asked after the answers before it",
    "above_threshold_*": "which of the numbers are the first above a threshold, with noise",
    "randomized_response": "one answer, which is sometimes not the true one",
    "threshold_release": "keys that many rows have, with noisy counts; rare keys are left out",
    "name_and_shame": "some rows, as they are",
    "random_row": "one row, as it is",
    "claimed_measurement": "what a function of the author's own gives",
    "adaptive_*": "what several stages give, each chosen by what was released before",
}
"""By the name of a rule, or of a family of rules. A rule that stands before the noise and is not here, such as a filter,
leaves what is released as it was. A measurement that is not here is told by its name."""


def _words(node: Data) -> Words | None:
    return next((words for pattern, words in WORDS.items() if fnmatchcase(_rule(node), pattern)), None)
