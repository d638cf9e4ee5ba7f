(** * Hoeffding's lemma for a coin: [p e^((1-p)h) + (1-p) e^(-p h) <= e^(h^2/8)] *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Indistinguishability.
Open Scope R_scope.
Set Implicit Arguments.

Lemma increasing_from_0 (F F' : R -> R) h : 0 <= h -> F 0 = 0 ->
  (forall x, is_derive F x (F' x)) -> (forall x, 0 <= x -> 0 <= F' x) -> 0 <= F h.
Proof.
  intros Hh Z D N. destruct (MVT_gen F 0 h F') as (c & [C0 C1] & E).
  - intros; apply D.
  - intros x _. apply derivable_continuous_pt. exists (F' x). now apply is_derive_Reals.
  - rewrite Rmin_left in C0 by assumption. specialize (N c C0). rewrite Z in E. nra.
Qed.

Lemma hoeffding_positive p h : 0 < p < 1 -> 0 <= h -> ln (p * exp h + (1 - p)) <= p * h + h * h / 8.
Proof.
  intros Hp Hh.
  assert (pos : forall x, 0 < p * exp x + (1 - p)) by (intros x; pose proof (exp_pos x); nra).
  set (G' := fun x => p + x / 4 - p * exp x / (p * exp x + (1 - p))).
  assert (G'0 : forall x, 0 <= x -> 0 <= G' x).
  { intros x Hx. apply (@increasing_from_0 G' (fun x => / 4 - p * exp x * (1 - p) / ((p * exp x + (1 - p)) * (p * exp x
      + (1 - p))))); auto.
    - unfold G'. rewrite exp_0. field; lra.
    - intros y. unfold G'. specialize (pos y). auto_derive; [lra|]. field; lra.
    - intros y _. specialize (pos y). set (u := p * exp y) in *. set (v := 1 - p) in *.
      assert (u * v / ((u + v) * (u + v)) <= / 4); [|lra].
      apply Rmult_le_reg_r with ((u + v) * (u + v)); [nra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra.
      pose proof (Rle_0_sqr (u - v)) as S. unfold Rsqr in S. nra. }
  assert (0 <= p * h + h * h / 8 - ln (p * exp h + (1 - p))); [|lra].
  apply (@increasing_from_0 (fun x => p * x + x * x / 8 - ln (p * exp x + (1 - p))) G'); auto.
  - rewrite exp_0. replace (p * 1 + (1 - p)) with 1 by ring. rewrite ln_1; field.
  - intros x. unfold G'. specialize (pos x). auto_derive; [lra|]. field; lra.
Qed.

Lemma hoeffding p h : 0 < p < 1 -> p * exp ((1 - p) * h) + (1 - p) * exp (- p * h) <= exp (h * h / 8).
Proof.
  assert (P : forall p h, 0 < p < 1 -> 0 <= h -> p * exp ((1 - p) * h) + (1 - p) * exp (- p * h) <= exp (h * h / 8)).
  { clear. intros p h Hp Hh. pose proof (hoeffding_positive Hp Hh) as L. pose proof (exp_pos h).
    apply Rle_trans with (exp (ln (p * exp h + (1 - p)) + - (p * h))); [|apply exp_le; lra].
    right. rewrite exp_plus, exp_ln by nra.
    replace ((1 - p) * h) with (h + - (p * h)) by ring. rewrite exp_plus. replace (- p * h) with (- (p * h)) by ring. ring. }
  intros Hp. destruct (Rle_dec 0 h) as [C|C]; [now apply P|].
  specialize (P (1 - p) (- h) ltac:(lra) ltac:(lra)).
  replace ((1 - (1 - p)) * - h) with (- p * h) in P by ring. replace (- (1 - p) * - h) with ((1 - p) * h) in P by ring.
  replace (- h * - h) with (h * h) in P by ring. lra.
Qed.
