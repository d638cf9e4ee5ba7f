"""One certificate of a whole ledger: that of the curator, whoever asked and on whatever day; and what it cannot speak of."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import dpcore as dp
from dpcore.commands.cli import main
from dpcore.interaction.accounts import Charge
from dpcore.measures.losses import Loss
from tests.certificates.tools import checker
from tests.interaction.ledgers.ledgers import opened
from tests.interaction.test_certified import PEOPLE, ROWS, asks

AGES = dp.rows(dp.integers(0, 120))
COUNT = AGES >> dp.count() >> dp.laplace(scale=10)
DATA = [23, 45, 67]


def certificate(capsys: pytest.CaptureFixture[str], path: Path) -> str:
    assert main(["ledger", "certify", str(path)]) == 0
    return capsys.readouterr().out.rstrip("\n")


def refusal(capsys: pytest.CaptureFixture[str], path: Path) -> str:
    assert main(["ledger", "certify", str(path)]) == 2
    said = capsys.readouterr()
    assert not said.out
    return said.err


@pytest.mark.parametrize(
    ("budget", "question"),
    [
        (dp.pure(1), COUNT),
        (dp.zcdp("1/2"), AGES >> dp.count() >> dp.gaussian(3)),
        (dp.gaussian_dp(2), COUNT.to(dp.GaussianDP)),
        (dp.approx(2, "1e-6"), (AGES >> dp.count() >> dp.gaussian(5)).to(dp.ApproxDP, delta="1e-7")),
        (dp.total_variation("1/2"), COUNT.to(dp.TotalVariation)),
    ],
    ids=lambda value: value.measure if isinstance(value, Loss) else "",
)
def test_it_is_the_certificate_of_the_curator(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, budget: Loss, question: object
) -> None:
    curator = dp.curator(AGES, DATA, budget=budget, ledger=tmp_path / "a.ledger")  # type: ignore[arg-type, var-annotated]
    for _ in range(2):
        curator.ask(question)  # type: ignore[arg-type]
    assert certificate(capsys, tmp_path / "a.ledger") == dp.certify(curator).written.rstrip("\n")


@pytest.mark.parametrize("delta", ["1e-5", "1e-9"])
@pytest.mark.parametrize("sigma", [1, 5, 100])
def test_a_budget_that_is_what_one_question_loses(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, sigma: int, delta: str
) -> None:
    """Its epsilon is irrational, and the account keeps our upper bound: what a certificate derives is a hair above."""
    question = (AGES >> dp.count() >> dp.gaussian(sigma)).to(dp.ApproxDP, delta=delta)
    curator = dp.curator(AGES, DATA, budget=question.loss(1), ledger=tmp_path / "a.ledger")
    curator.ask(question)
    data = json.loads(certificate(capsys, tmp_path / "a.ledger"))
    checker.verify(json.dumps(data).encode())
    [claim] = data["claims"]
    assert question.loss(1).epsilon <= Fraction(claim["loss"]["epsilon"])
    assert Fraction(claim["loss"]["epsilon"]) <= question.loss(1).epsilon.upper * (1 + Fraction(1, 10**15))
    assert Fraction(claim["loss"]["delta"]) == Fraction(delta)


def test_of_several_days(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A curator of one day refuses; the ledger knows them all, and failed questions too."""
    path = tmp_path / "study.ledger"
    dp.curator(AGES, DATA, budget=dp.pure(1), ledger=path).ask(COUNT)
    another = dp.curator(AGES, DATA, budget=dp.pure(1), ledger=path)
    another.ask(AGES >> dp.filter(dp.row() >= 18) >> dp.count() >> dp.laplace(scale=4))
    with pytest.raises(dp.errors.DPError, match="dpcore ledger certify FILE"):
        dp.certify(another)
    written = certificate(capsys, path)
    checker.verify(written.encode())
    told = json.loads(written)
    assert [len(premise["premises"]) for premise in told["derivation"]["premises"]] == [2, 3]
    assert told["claims"] == [{"d_in": "1", "loss": {"epsilon": "1"}, "measure": "pure"}]


def test_of_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    dp.curator(AGES, DATA, budget=dp.pure(1), ledger=tmp_path / "a.ledger")
    assert "nothing was charged yet" in refusal(capsys, tmp_path / "a.ledger")


@pytest.mark.parametrize("seed", range(10))
def test_of_parts_it_is_the_certificate_of_the_curator(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, seed: int
) -> None:
    """Of parts, of parts of them, after steps before and in between, of the whole in between."""
    path = tmp_path / "a.ledger"
    curator = dp.curator(PEOPLE, ROWS, budget=dp.pure(1000), ledger=path)
    asks(Random(seed), curator)
    assert certificate(capsys, path) == dp.certify(curator).written.rstrip("\n")


def test_of_parts_in_each_measure_that_has_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    budgets: list[Any] = [
        dp.zcdp(9),
        dp.gaussian_dp(9),
        dp.total_variation("9/10"),
        dp.approx(9, 0),
        dp.zcdp(9, "1e-6"),
        dp.renyi({2: 9, 4: 9}),
    ]
    for i, budget in enumerate(budgets):
        curator = dp.curator(AGES, DATA, budget=budget, ledger=tmp_path / f"{i}.ledger")
        for part in curator.by(dp.row() % 2, [0, 1]).values():
            part.ask(COUNT.to(budget.counted))
            part.ask(COUNT.to(budget.counted))
        assert certificate(capsys, tmp_path / f"{i}.ledger") == dp.certify(curator).written.rstrip("\n")


def test_parts_of_two_days_add_up(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """As the account says: of one day they cost what the dearest does, and those of another day are others."""
    path = tmp_path / "study.ledger"
    for _ in range(2):
        for part in dp.curator(AGES, DATA, budget=dp.pure("1/5"), ledger=path).by(dp.row() % 2, [0, 1]).values():
            part.ask(COUNT)
    told = json.loads(certificate(capsys, path))
    assert [len(premise["premises"][-1]["premises"]) for premise in told["derivation"]["premises"]] == [2, 2]
    told["derivation"]["premises"] *= 2
    with pytest.raises(checker.Rejected, match="not what was worked out, 2/5"):
        checker.verify(json.dumps(told).encode())


def test_the_certificate_of_a_part_alone_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """As earlier ledgers have them."""
    curator = dp.curator(AGES, DATA, budget=dp.pure(1), ledger=tmp_path / "a.ledger")
    made = json.loads(dp.certify(COUNT).written)
    made["derivation"]["premises"][-2] = {
        "rule": "partition_symmetric",
        "parameters": {},
        "premises": [],
        "witness": {},
    }
    forged = dp.curator(AGES, DATA, budget=dp.pure(1), ledger=tmp_path / "b.ledger")
    forged._study.account.charge(Charge((Fraction(1, 10),), "a question", ("by x #1", "0"), json.dumps(made)))
    assert "charge 1 is about a part of the data" in refusal(capsys, tmp_path / "b.ledger")
    alone = Charge((Fraction(1, 10),), "a question", ("by x #1", "0"), dp.certify(COUNT).written)
    curator._study.account.charge(alone)
    assert "charge 1 is about a part of the data" in refusal(capsys, tmp_path / "a.ledger")


def test_of_an_account_without_a_limit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    opened(tmp_path / "a.ledger", budget=None).close()
    assert "an account without a limit promises nothing" in refusal(capsys, tmp_path / "a.ledger")
