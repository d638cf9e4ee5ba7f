(** * On the declared data, the meaning of a rule is the plain one

    [Meaning.v] clamps, cuts off and replaces, so that soundness needs no assumption on data. dpcore refuses data outside the
    declared domain where they come in; on what it lets through, none of that changes anything. *)
From Coq Require Import List ZArith QArith Qround Qreals Reals Lra Lia Bool.
From DPcore Require Import Distributions Metrics Totals Sums RowStability.
From DPchecker Require Import Language Meaning Numbers Stability.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Lemma clamp_inside l h z : (l <= z <= h)%Z -> clamp l h z = z.
Proof. unfold clamp; lia. Qed.

(** A multiple of the step is so many steps. *)
Lemma steps_of_multiple g z : 0 < Q2R g -> steps g (inject_Z z * g) = z.
Proof.
  intros G. unfold steps. pose proof (floor_R (inject_Z z * g / g)) as F. pose proof (Qnonzero_R g G).
  rewrite Q2R_div, Q2R_mult, Q2R_Z in F by assumption.
  replace (IZR z * Q2R g / Q2R g) with (IZR z) in F by (field; lra). destruct F as [F1 F2].
  assert (Qfloor (inject_Z z * g / g) < z + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra).
  assert (z < Qfloor (inject_Z z * g / g) + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra). lia.
Qed.

Lemma bounds_in_steps g low high z : 0 < Q2R g -> Q2R low <= IZR z * Q2R g <= Q2R high ->
  (Qceiling (low / g) <= z <= Qfloor (high / g))%Z.
Proof.
  intros G [L H]. pose proof (Qnonzero_R g G) as N.
  assert (L' : Q2R (low / g) <= IZR z) by (rewrite Q2R_div by exact N; apply Rmult_le_reg_r with (Q2R g); [exact G|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (H' : IZR z <= Q2R (high / g)) by (rewrite Q2R_div by exact N; apply Rmult_le_reg_r with (Q2R g); [exact G|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  split.
  - assert (Qceiling (low / g) < z + 1)%Z; [|lia]. unfold Qceiling. pose proof (floor_R (- (low / g))) as [_ F]. rewrite Q2R_opp in F.
    apply lt_IZR. rewrite opp_IZR, plus_IZR. lra.
  - pose proof (floor_R (high / g)) as [_ F]. assert (z < Qfloor (high / g) + 1)%Z; [|lia]. apply lt_IZR. rewrite plus_IZR. lra.
Qed.

Section Faithful.
Variable I : interpretation.

(** A sum over rows that are multiples of the step from low to high is the sum of their values. *)
Theorem sum_faithful m low high l h g (x : list (row I)) (whole : row I -> Z) : 0 < Q2R g ->
  (forall r, In r x -> value I r = (inject_Z (whole r) * g)%Q /\ Q2R low <= Q2R (value I r) <= Q2R high) ->
  (Qceiling (low / g) <= Qfloor (high / g))%Z ->
  step_rule (Sum m low high) (Rows (DNumber l h (Some g)) x : data I) = Number g (total whole x).
Proof.
  intros G H L. cbn [step_rule].
  assert (E : Qlt_bool 0 g = true).
  { unfold Qlt_bool. apply negb_true_iff. destruct (Qle_bool g 0) eqn:F; [|reflexivity]. apply Qle_R in F. rewrite Q2R_0 in F. lra. }
  apply Z.leb_le in L as L'. rewrite E, L'. cbn [andb]. f_equal. clear E L'.
  induction x as [|r x IH]; [reflexivity|]. cbn [map total fold_right].
  change (sum_rows (?a :: ?b)) with (a + sum_rows b)%Z.
  destruct (H r (or_introl eq_refl)) as [V B]. rewrite V in B |- *. rewrite Q2R_mult, Q2R_Z in B.
  rewrite steps_of_multiple by exact G. rewrite clamp_inside by now apply bounds_in_steps.
  f_equal. apply IH. intros s J. apply H. now right.
Qed.

(** New rows within the limit are all kept. *)
Theorem flat_map_faithful f output limit D (x : list (row I)) :
  (forall r, In r x -> (length (new_rows I f r) <= Pos.to_nat limit)%nat) ->
  step_rule (FlatMap f output limit) (Rows D x : data I) = Rows output (flat_map (new_rows I f) x).
Proof.
  intros H. cbn [step_rule]. f_equal. induction x as [|r x IH]; [reflexivity|]. simpl.
  rewrite firstn_all2 by (apply H; now left). f_equal. apply IH. intros s J; apply H; now right.
Qed.

(** A person's answer that is one of the answers is that answer. *)
Theorem among_faithful answers c : In c answers -> among answers c = c.
Proof.
  intros J. unfold among. assert (existsb (constant_eqb c) answers = true) as ->; [|reflexivity].
  apply existsb_exists. exists c; split; [exact J | now apply constant_eqb_eq].
Qed.
End Faithful.
