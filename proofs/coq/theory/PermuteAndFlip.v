(** * Permute-and-flip (McKenna and Sheldon 2020)

    Candidate i has the weight [w_i = exp(-(max - score_i)/scale)] and is chosen with probability

        w_i * integral over 0 <= t <= 1 of the product over j <> i of (1 - w_j t) dt :

    each candidate comes at an independent uniform time and passes with probability [w_i]; the first to pass is chosen.
    Let [x_i = exp(score_i/scale)] and [X = max x_i]. Then the probability is [chance x i (1/X)], where

        chance x i Y = x_i * integral over 0 <= u <= Y of the product over j <> i of (1 - x_j u) du.

    When all scores rise, by at most d, then [x_i] grows by at most [c = exp(d/scale)], and product and interval shrink; the
    other way round the substitution [u = c v] gives [chance x i Y = chance (c x) i (Y/c)], where they shrink again. *)
From Coq Require Import Reals Lra Psatz Lia List ZArith FunctionalExtensionality.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Choice Chances.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** The mechanism *)
Section Mechanism.
Variables (scale : R) (n : nat).
Hypothesis scale_pos : 0 < scale.
Hypothesis some : (0 < n)%nat.
Notation js := (seq 0 n).

Definition best (s : nat -> R) : R := fold_right Rmax (s 0%nat) (map s js).

Lemma best_ge s i : In i js -> s i <= best s.
Proof.
  unfold best. induction js as [|j l IH]; simpl; [tauto|].
  intros [->|I]; [apply Rmax_l | eapply Rle_trans; [now apply IH | apply Rmax_r]].
Qed.
Lemma best_reached s : exists i, In i js /\ s i = best s.
Proof.
  assert (G : forall l, fold_right Rmax (s 0%nat) (map s l) = s 0%nat \/ exists i,
    In i l /\ s i = fold_right Rmax (s 0%nat) (map s l)).
  { induction l as [|j l IH]; simpl; [now left|]. unfold Rmax at 1 3. destruct (Rle_dec _ _); [|right; exists j; auto].
    destruct IH as [E|(i & I & E)]; [now left | right; exists i; auto]. }
  destruct (G js) as [E|H]; [|exact H]. exists 0%nat; split; [apply in_seq; lia | symmetry; exact E].
Qed.
Lemma best_le s s' d : (forall i, s i <= s' i + d) -> best s <= best s' + d.
Proof.
  intros H. destruct (best_reached s) as (i & I & E). rewrite <- E. pose proof (best_ge s' i I). specialize (H i). lra.
Qed.

Definition weight (s : nat -> R) (i : nat) : R := exp (- (best s - s i) / scale).

Lemma weight_early s : early (weight s) js 1.
Proof.
  intros j J. split; [left; apply exp_pos|]. rewrite Rmult_1_r, <- exp_0. apply exp_le. pose proof (best_ge s j J).
  unfold Rdiv. assert (0 < / scale) by now apply Rinv_0_lt_compat. nra.
Qed.

Definition permute_and_flip (s : nat -> R) : dist nat.
Proof.
  refine (@choose nat (fun i => chance (weight s) js i 1) js _ _).
  - intros i. apply chance_nonneg; [apply weight_early | left; apply exp_pos | lra].
  - apply chances_total; [apply seq_NoDup|]. destruct (best_reached s) as (i & I & E). exists i; split; [exact I|].
    unfold weight. rewrite E. replace (- (best s - best s) / scale) with 0 by (field; lra). apply exp_0.
Defined.

(** In terms of [x_i = exp(s_i/scale)]. *)
Let x (s : nat -> R) (i : nat) : R := exp (s i / scale).
Let until (s : nat -> R) : R := exp (- best s / scale).

Lemma chance_weight s i : chance (weight s) js i 1 = chance (x s) js i (until s).
Proof.
  rewrite <- (Rmult_1_r (until s)), <- chance_scale by apply exp_pos.
  assert (E : weight s = (fun j => until s * x s j)); [|now rewrite E].
  apply functional_extensionality. intros j. unfold weight, until, x. rewrite <- exp_plus. f_equal. field; lra.
Qed.

Lemma x_early s : early (x s) js (until s).
Proof.
  intros j J. split; [left; apply exp_pos|]. unfold x, until. rewrite <- exp_plus, <- exp_0. apply exp_le.
  pose proof (best_ge s j J).
  unfold Rdiv. assert (0 < / scale) by now apply Rinv_0_lt_compat. nra.
Qed.

Lemma exp_scaled_le a b : a <= b -> exp (a / scale) <= exp (b / scale).
Proof. intros H. apply exp_le. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact H]. Qed.

(** All scores rise by at most d. *)
Lemma rise s s' d i : (forall j, s j <= s' j <= s j + d) -> In i js ->
  chance (weight s') js i 1 <= exp (d / scale) * chance (weight s) js i 1 /\
  chance (weight s) js i 1 <= exp (d / scale) * chance (weight s') js i 1.
Proof.
  intros H I. rewrite !chance_weight. set (c := exp (d / scale)). assert (c0 : 0 < c) by apply exp_pos.
  assert (Hs : best s <= best s' + 0) by (apply best_le; intros j; specialize (H j); lra).
  assert (Hs' : best s' <= best s + d) by (apply best_le; intros j; specialize (H j); lra).
  assert (cx : forall j, x s' j <= c * x s j).
  { intros j. unfold x, c. rewrite <- exp_plus. replace (d / scale + s j / scale) with ((s j + d) / scale) by (field; lra).
    apply exp_scaled_le, H. }
  assert (xx : forall j, x s j <= x s' j) by (intros j; apply exp_scaled_le, H).
  split.
  - apply chance_le; auto using x_early; [lra|]. split; [left; apply exp_pos|]. apply exp_scaled_le; lra.
  - replace (until s) with (c * (until s * / c)) by (field; lra). rewrite <- chance_scale by exact c0.
    apply chance_le; auto using x_early; [lra | | |].
    + split; [apply Rmult_le_pos; left; [apply exp_pos | now apply Rinv_0_lt_compat]|].
      unfold until, c. rewrite <- exp_Ropp, <- exp_plus.
      replace (- best s / scale + - (d / scale)) with ((- best s - d) / scale) by (field; lra).
      apply exp_scaled_le; lra.
    + intros j J. destruct (x_early s j J) as [E1 E2]. split; [apply Rmult_le_pos; lra|].
      replace (c * x s j * (until s * / c)) with (x s j * until s) by (field; lra). exact E2.
    + apply Rmult_le_compat_l; [lra | apply xx].
Qed.

Lemma rise_ind s s' d : (forall j, s j <= s' j <= s j + d) ->
  ind (permute_and_flip s') (permute_and_flip s) (d / scale) 0 /\ ind (permute_and_flip s) (permute_and_flip s') (d /
    scale) 0.
Proof.
  intros H. split; intros f F; rewrite Rplus_0_r; simpl; rewrite <- sum_scale; apply sum_le; intros i I;
  destruct (rise s s' i H I) as [H1 H2]; rewrite <- Rmult_assoc; apply Rmult_le_compat_r; auto; apply F.
Qed.
End Mechanism.

Section Rules.
Variables (g scale : R) (n : nat).
Hypothesis scale_pos : 0 < scale.
Hypothesis some : (0 < n)%nat.
Notation mechanism := (fun v : list Z => permute_and_flip scale_pos some (score g v)).

(** First all scores that fall, then all that rise. *)
Theorem permute_and_flip_range : private (range_distance g) pure mechanism (fun d => d / scale).
Proof.
  intros d v w D. destruct (scores_move D) as (up & down & S & Hu & Hd & K).
  set (s := score g v) in *. set (s' := score g w) in *. set (mid := fun i => Rmin (s i) (s' i)).
  assert (M1 : forall j, mid j <= s j <= mid j + down).
  { intros j; specialize (K j). unfold mid, Rmin. destruct (Rle_dec _ _); lra. }
  assert (M2 : forall j, mid j <= s' j <= mid j + up).
  { intros j; specialize (K j). unfold mid, Rmin. destruct (Rle_dec _ _); lra. }
  pose proof (ind_trans (proj1 (rise_ind scale_pos some _ _ M1)) (proj2 (rise_ind scale_pos some _ _ M2))) as T.
  apply ind_weaken with (3 := T); [|lra]. apply Rmult_le_reg_r with scale; [exact scale_pos|]. field_simplify; lra.
Qed.

Theorem permute_and_flip_linf : private (linf g) pure mechanism (fun d => 2 * d / scale).
Proof. intros d v w D. exact (permute_and_flip_range (linf_to_range D)). Qed.
End Rules.
