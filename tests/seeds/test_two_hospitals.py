"""Two data holders. Where a person may be known to both, their losses add up; where nobody can be, the larger one counts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp
from dpcore.types import Record

A, B = Fraction(1, 2), Fraction(1, 3)

# One row for each stay. Each hospital sees its own rows, and releases on its own.
stay = dp.record(hospital=dp.categories("A", "B"), days=dp.integers(0, 30))
stays = dp.rows(stay)
at_a = stays >> dp.filter(dp.field("hospital") == "A")
at_b = stays >> dp.filter(dp.field("hospital") == "B")


def counted(epsilon: Fraction) -> dp.types.Measurement[dp.types.Rows[Record], dp.SymmetricDistance, dp.PureDP, int]:
    return stays >> dp.count() >> dp.laplace(1 / epsilon)


OVERLAPPING = [(1, 1)]  # one row more or less may be seen by both
DISJOINT = [(1, 0), (0, 1)]  # one row more or less is seen by one of them


def test_overlapping_holders_cost_the_sum() -> None:
    both = dp.compose_jointly([dp.after(at_a, counted(A)), dp.after(at_b, counted(B))], joint=OVERLAPPING)
    assert both.loss(1) == dp.pure(A + B)
    assert both.loss(1) == ((at_a >> counted(A)) & (at_b >> counted(B))).loss(1)


def test_disjoint_holders_cost_the_larger_one() -> None:
    both = dp.compose_jointly([dp.after(at_a, counted(A)), dp.after(at_b, counted(B))], joint=DISJOINT)
    assert both.loss(1) == dp.pure(max(A, B))
    assert both.loss(3) == dp.pure(3 * max(A, B))
    swapped = dp.compose_jointly([dp.after(at_a, counted(B)), dp.after(at_b, counted(A))], joint=DISJOINT)
    assert swapped.loss(1) == dp.pure(max(A, B)), "whichever of them comes first"


def test_what_one_step_can_do_to_both_at_once_decides() -> None:
    """Each day of a stay is a row: up to five at A, up to seven at B, and never more than eight together."""
    a = stays >> dp.flat_map(lambda row: [row] * 5 if row["hospital"] == "A" else [], stay, 5)
    b = stays >> dp.flat_map(lambda row: [row] * 7, stay, 7)
    parts = [dp.after(a, counted(A)), dp.after(b, counted(B))]
    assert dp.compose_jointly(parts, joint=[(5, 3), (1, 7)]).loss(1) == dp.pure(max(5 * A + 3 * B, A + 7 * B))
    assert dp.compose_jointly(parts, joint=[(5, 7)]).loss(1) == dp.pure(5 * A + 7 * B)


def test_no_part_moves_further_than_its_own_stability() -> None:
    """A declaration that is too careful costs nothing: a filter moves by one row at most, whatever is declared."""
    parts = [dp.after(at_a, counted(A)), dp.after(at_b, counted(B))]
    assert dp.compose_jointly(parts, joint=[(9, 9)]).loss(1) == dp.pure(A + B)
    assert dp.compose_jointly(parts, joint=[(9, 0), (0, 9)]).loss(1) == dp.pure(max(A, B))


def test_both_run_on_their_own_rows() -> None:
    parts = [dp.after(at_a, counted(Fraction(10**6))), dp.after(at_b, counted(Fraction(10**6)))]
    data = [{"hospital": "A", "days": 1}] * 3 + [{"hospital": "B", "days": 2}] * 2
    assert dp.compose_jointly(parts, joint=DISJOINT).release(data) == (3, 2)


def test_the_calculus_finds_the_disjoint_bound_by_itself() -> None:
    """Split by an expression, the parts are disjoint by construction, and nothing has to be declared."""
    parts = stays >> dp.partition(["A", "B"], dp.field("hospital")) >> dp.parallel({"A": counted(A), "B": counted(B)})
    declared = dp.compose_jointly([dp.after(at_a, counted(A)), dp.after(at_b, counted(B))], joint=DISJOINT)
    assert parts.loss(1) == declared.loss(1) == dp.pure(max(A, B))


# ---- by person: the same people, or not --------------------------------------------------------------------------------

visit = dp.record(who=dp.integers(), hospital=dp.categories("A", "B"), days=dp.integers(0, 30))
visits = dp.rows(visit, dp.PersonDistance("who"))


def at(
    hospital: str, most: int
) -> dp.types.Transformation[dp.types.Rows[Record], dp.PersonDistance, dp.types.Rows[Record], Any]:
    return visits >> dp.filter(dp.field("hospital") == hospital) >> dp.bound_contributions(most)


def per_visit(epsilon: Fraction) -> dp.types.Measurement[dp.types.Rows[Record], dp.SymmetricDistance, dp.PureDP, int]:
    return dp.rows(visit) >> dp.count() >> dp.laplace(1 / epsilon)


def test_a_person_in_both_hospitals_costs_the_sum() -> None:
    """One person comes or goes: up to two visits at A and three at B change."""
    parts = [dp.after(at("A", 2), per_visit(A)), dp.after(at("B", 3), per_visit(B))]
    assert dp.compose_jointly(parts, joint=[(2, 3)]).loss(1) == dp.pure(2 * A + 3 * B)
    assert ((at("A", 2) >> per_visit(A)) & (at("B", 3) >> per_visit(B))).loss(1) == dp.pure(2 * A + 3 * B)


def test_a_person_in_one_hospital_only_costs_the_larger_one() -> None:
    parts = [dp.after(at("A", 2), per_visit(A)), dp.after(at("B", 3), per_visit(B))]
    assert dp.compose_jointly(parts, joint=[(2, 0), (0, 3)]).loss(1) == dp.pure(max(2 * A, 3 * B))


def test_persons_are_bounded_in_fact() -> None:
    data = [{"who": 1, "hospital": "A", "days": day} for day in range(5)] + [{"who": 2, "hospital": "B", "days": 1}]
    assert len(at("A", 2)(data)) == 2
    without = [row for row in data if row["who"] != 1]
    assert visits.metric.distance(data, without) == 1
    assert dp.SymmetricDistance().distance(at("A", 2)(data), at("A", 2)(without)) == 2


def test_rows_of_persons_cannot_be_parted_by_something_else() -> None:
    """Two rows of one person may lie in two parts, so the larger loss alone would not do: refused, with the way round."""
    p: Any = dp
    with pytest.raises(dp.errors.MetricMismatch) as refusal:
        visits >> p.partition(["A", "B"], dp.field("hospital"))
    assert refusal.value.bridge is not None
    assert "bound_contributions" in refusal.value.bridge
    bounded = visits >> dp.bound_contributions(2) >> dp.partition(["A", "B"], dp.field("hospital"))
    each = dp.parallel({"A": per_visit(A), "B": per_visit(B)})
    assert (bounded >> each).loss(1) == dp.pure(2 * max(A, B))


@pytest.mark.parametrize("joint", [[], [(1,)], [(1, 1, 1)], [(-1, 0)], [(1, "x")], 5, [5]])
def test_joint_distances_are_checked(joint: Any) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="joint"):
        dp.compose_jointly([dp.after(at_a, counted(A)), dp.after(at_b, counted(B))], joint=joint)
