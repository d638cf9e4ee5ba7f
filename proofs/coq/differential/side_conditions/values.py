"""Side conditions of what stands beside a rule: its parameters, its witness, the space."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from types import ModuleType
from typing import cast

from dpcore.written import METRIC
from proofs.coq.differential.json_trees import Json, Node, nodes, rules
from proofs.coq.differential.side_conditions.condition import BILLIONTH, TINY, Change, figure, parameters
from proofs.coq.differential.verdicts import CHECKER, loaded


def set_to(name: str, value: Json) -> Change:
    """Beyond what the rule takes."""

    def change(x: Node, certificate: Node) -> bool:
        held = parameters(x) if name in parameters(x) else cast(Node, x["witness"])
        was, held[name] = held[name], value
        return was != value

    return change


def by_a_function(x: Node, certificate: Node) -> bool:
    """A key that a user's function finds, of which no range is written."""
    parameters(x)["by"] = {"function": {"name": "f", "digest": "0" * 64}}
    return True


def no_steps(x: Node, certificate: Node) -> bool:
    """A relation of a user's own that joins no data by steps."""
    metric = cast(Node, cast(Node, certificate["space"])["metric"])
    counted = metric["kind"] == "PathGranularity"
    metric["kind"] = "Granularity"
    return counted


def moved(name: str, by: Fraction) -> Change:
    def change(x: Node, certificate: Node) -> bool:
        parameters(x)[name] = str(figure(x, name) + by)
        return True

    return change


def times(name: str, factor: Fraction) -> Change:
    def change(x: Node, certificate: Node) -> bool:
        parameters(x)[name] = str(figure(x, name) * factor)
        return figure(x, name) != 0

    return change


def twice(name: str) -> Change:
    """The first of them a second time."""

    def change(x: Node, certificate: Node) -> bool:
        held = cast("list[Json]", parameters(x)[name])
        held.append(held[0])
        return True

    return change


def one_bin_more(x: Node, certificate: Node) -> bool:
    """A second bin, of another value."""
    cast("list[Json]", parameters(x)["bins"]).append({"op": "text", "value": "another"})
    return True


def key_twice(x: Node, certificate: Node) -> bool:
    """A key of the first part a second time."""
    first = cast("list[list[Json]]", parameters(x)["touched"])[0]
    first.append(first[0])
    return True


def keyed_by_a_function(x: Node, certificate: Node) -> bool:
    """A key that a function of the user's own gives."""
    parameters(x)["by"] = {"function": {"name": "key", "digest": "0" * 64}}
    return True


def turned(name: str) -> Change:
    """A witness in another order."""

    def change(x: Node, certificate: Node) -> bool:
        held = cast("list[Json]", cast(Node, x["witness"])[name])
        held.reverse()
        return len(held) > 1

    return change


def unclipped(change: Change) -> Change:
    """Where nothing is clipped, so that what entries can be is all that is known."""
    return lambda x, certificate: "clip_norm_rows" not in rules(certificate) and change(x, certificate)


def clipped_shorter(change: Change) -> Change:
    """Where rows are clipped to less than their entries allow, so that the bound cannot be less; or nothing is clipped."""
    return lambda x, certificate: all(map(_clips, nodes(certificate))) and change(x, certificate)


def _clips(node: Node) -> bool:
    if node["rule"] != "clip_norm_rows":
        return True
    of, checker = cast(Node, parameters(node)["domain"]), _checker()
    checker.SPENT[:] = [0, 0]  # which a certificate pays for, and this is none
    longest: Fraction = checker.length(checker.domain(of), of["norm"])  # itself at most the bound that is declared
    return longest >= figure(node, "bound") ** (2 if of["norm"] == "L2" else 1)


@cache
def _checker() -> ModuleType:
    """The Python checker, which says how long a vector can be."""
    return loaded(CHECKER.read_text(encoding="utf-8"), "checker_of_lengths")


# ---- of single rules -----------------------------------------------------------------------------------------------------


def rarer_truth(x: Node, certificate: Node) -> bool:
    """The truth a little less often than any other answer."""
    parameters(x)["p"] = str((1 - BILLIONTH) / figure(x, "k"))
    return True


def other_oftener(x: Node, certificate: Node) -> bool:
    """The bit of another answer set more often than that of the truth."""
    parameters(x)["q"] = str((figure(x, "p") + 1) / 2)
    return True


def rather_false(x: Node, certificate: Node) -> bool:
    """The bit a little more often false than true."""
    parameters(x)["p"] = str((1 - BILLIONTH) / 2)
    return True


def one_answer_less(x: Node, certificate: Node) -> bool:
    answers = cast("list[Json]", parameters(x)["answers"])
    answers.pop()
    parameters(x)["k"] = str(len(answers))
    return len(answers) > 1


def beyond_one(x: Node, certificate: Node) -> bool:
    """A query whose value is 2."""
    cast("list[Json]", parameters(x)["queries"])[0] = {"op": "number", "value": "2"}
    return True


def guess_off_the_grid(x: Node, certificate: Node) -> bool:
    """A guess between two values."""
    guess = cast("list[Json]", parameters(x)["guess"])
    guess[0] = str(Fraction(cast(str, guess[0])) + Fraction(1, 1009))
    return True


def shorter_guess(x: Node, certificate: Node) -> bool:
    """A guess of fewer entries than there are values."""
    guess = cast("list[Json]", parameters(x)["guess"])
    return len(guess) > 1 and guess.pop() is not None


def longer_guess(x: Node, certificate: Node) -> bool:
    """A guess of more entries than there are values, or of two where there is one number."""
    cast("list[Json]", parameters(x)["guess"]).append("0")
    return True


def one_guess_less(x: Node, certificate: Node) -> bool:
    """Marginals of which the last is not guessed."""
    guesses = cast("list[Json]", parameters(x)["guesses"])
    return len(guesses) > 1 and guesses.pop() is not None


def guess_below_nobody(x: Node, certificate: Node) -> bool:
    """A cell of fewer rows than none."""
    cast("list[list[Json]]", parameters(x)["guesses"])[0][0] = "-1"
    return True


def guessed_by_half(x: Node, certificate: Node) -> bool:
    """A cell of half a row."""
    cast("list[list[Json]]", parameters(x)["guesses"])[-1].append("1/2")
    return True


def above_one(x: Node, certificate: Node) -> bool:
    """A quantile a/b above 1."""
    parameters(x)["a"] = str(figure(x, "b") + 1)
    return True


def tighter_domain(x: Node, certificate: Node) -> bool:
    """Clipped values declared to lie below where they are brought."""
    of, clip = cast(Node, parameters(x)["domain"]), cast(Node, parameters(x)["to"]).get("expression")
    if not isinstance(clip, dict) or clip["op"] != "clip" or of["kind"] != "integers":
        return False
    low, high = [Fraction(cast(str, cast(Node, end)["value"])) for end in cast("list[Json]", clip["of"])[1:]]
    of["low"] = of["high"] = str(int(low) - 1)  # whatever the rows were, none is brought there
    return low < high and low.denominator == 1


def smaller_vectors(x: Node, certificate: Node) -> bool:
    """The domain of clipped vectors with a smaller bound than they are clipped to."""
    of = cast(Node, parameters(x)["domain"])
    of["bound"] = str(figure(x, "bound") * (1 - BILLIONTH))
    return figure(x, "bound") > 0


def asked_for_less(x: Node, certificate: Node) -> bool:
    """A delta that is a billionth less than the one at the witness epsilon, which is what is claimed."""
    delta = cast(Node, cast("list[Node]", certificate["claims"])[0]["loss"]).get("delta", "0")
    was, parameters(x)["at_most"] = parameters(x)["at_most"], str(Fraction(cast(str, delta)) * (1 - BILLIONTH))
    return certificate["derivation"] is x and was is None and Fraction(cast(str, delta)) > TINY


def smaller_mu(x: Node, certificate: Node) -> bool:
    """A Gaussian curve that is not below the lines everywhere; of a mu of many digits, which is about the least."""
    witness = cast(Node, x["witness"])
    mu = Fraction(cast(str, witness["mu"]))
    witness["mu"] = str(mu * (1 - BILLIONTH))
    return mu.denominator > 10**9


def one_loss_more(x: Node, certificate: Node) -> bool:
    """More losses than choices."""
    return twice("losses")(x, certificate)


def two_budgets(x: Node, certificate: Node) -> bool:
    """A figure more than a loss has."""
    cast("list[Json]", parameters(x)["budget"]).append("0")
    return True


def lower_orders(x: Node, certificate: Node) -> bool:
    """A budget at orders below all that are asked for, and said to be: of larger ones it says nothing."""
    was = cast("list[str]", parameters(x)["orders"])
    now = [str(Fraction(1000 + i, 1000)) for i in range(1, len(was) + 1)]
    most = cast("list[str]", parameters(x)["budget"])
    parameters(x)["orders"] = [*now]
    said, instead = ("; ".join(f"{a} {b}" for a, b in zip(orders, most, strict=True)) for orders in (was, now))
    assumed = cast("list[str]", certificate["assumptions"])
    certificate["assumptions"] = [
        *sorted(each.replace(f"epsilon): {said}", f"epsilon): {instead}") for each in assumed)
    ]
    return True


def two_apart(x: Node, certificate: Node) -> bool:
    """What is known of data 1 apart, claimed of others."""
    for claim in cast("list[Node]", certificate["claims"]):
        claim["d_in"] = "2"
    return True


def shorter_vector(x: Node, certificate: Node) -> bool:
    """One of the joint vectors says nothing of the last part."""
    vectors = cast("list[list[Json]]", parameters(x)["joint"])
    vectors[-1].pop()
    return len(vectors[-1]) > 0


def other_source(x: Node, certificate: Node) -> bool:
    """Declared of steps of another metric, and said to be: what is assumed says so too, so that only the metric is wrong."""
    was = cast(Node, parameters(x)["source"])
    other: Node = {"kind": "ChangeOneDistance" if was["kind"] == "SymmetricDistance" else "SymmetricDistance"}
    parameters(x)["source"] = other
    said, instead = (METRIC.decode(json.loads(json.dumps(metric))).words() for metric in (was, other))
    assumed = cast("list[str]", certificate["assumptions"])
    certificate["assumptions"] = [*sorted(each.replace(f"({said})", f"({instead})") for each in assumed)]
    return True


def promised_nearer(x: Node, certificate: Node) -> bool:
    """Something promised at distances that are a billionth too small only."""
    for promise in promises(x):
        promise[0] = str(Fraction(cast(str, promise[0])) * (1 - BILLIONTH))
    return True


def longer_promise(x: Node, certificate: Node) -> bool:
    """A promise of more figures than there are."""
    promises(x)[0].append("1")
    return True


def promises(x: Node) -> list[list[Json]]:
    return cast("list[list[Json]]", cast(Node, x["witness"])["promised"])


def too_few_to_hide(x: Node, certificate: Node) -> bool:
    """Of so few reports the theorem says nothing, whatever they lose: `16 log(2)` is more than 11."""
    domain = cast(Node, cast(Node, certificate["space"])["domain"])
    stands = parameters(x)["size"] == domain.get("size")
    domain["size"] = parameters(x)["size"] = "11"
    return stands


def unknown_size(x: Node, certificate: Node) -> bool:
    """Nobody knows how many rows there are."""
    domain = cast(Node, cast(Node, certificate["space"])["domain"])
    was, domain["size"] = domain.get("size"), None
    return was is not None
