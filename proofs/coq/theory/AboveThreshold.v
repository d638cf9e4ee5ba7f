(** * Above-threshold, the sparse vector technique (Lyu, Su, Li 2017)

    A noisy threshold; then for each answer in turn whether it lies above, with noise of its own, until the c-th that does.
    Let the answers rise by at most [up] and fall by at most [down].
    Raise the threshold by [k], the integer part of [up]: what
    was below stays below at least as likely; what was above stays above but for a factor [exp((up + down)/b_Q)];
      and the raise
    itself costs [exp(up/b_T)]. Only the answers above are paid for. *)
From Coq Require Import Reals Lra Psatz Lia List ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Integers Laplace.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Lemma discrete_laplace_shift s (S : 0 < s) x k f : bounded f ->
  discrete_laplace S (x + k) f = discrete_laplace S x (fun z => f (z + k)%Z).
Proof.
  intros B. simpl. rewrite (sumZ_laplace S x), (sumZ_laplace S (x + k)). f_equal.
  destruct (sumZ_shift k (summable_times (laplace_weight_pos s (x + k)) (summable_laplace S (x + k)) B)) as [_ <-].
  apply sumZ_ext. intros z. f_equal. unfold laplace_weight. now replace (z + k - (x + k))%Z with (z - x)%Z by ring.
Qed.

Section AboveThreshold.
Variables (threshold : Z) (bT bQ : R).
Hypothesis T_pos : 0 < bT.
Hypothesis Q_pos : 0 < bQ.

(** What is said of the answers while the noisy threshold is [level] and [S hits] may still be found above. *)
Fixpoint sparse (level : Z) (hits : nat) (answers : list Z) : dist (list bool) :=
  match answers with
  | [] => ret []
  | a :: rest => bind (discrete_laplace Q_pos a) (fun z =>
      if Z.leb level z
      then bind (match hits with O => ret [] | S h => sparse level h rest end) (fun l => ret (true :: l))
      else bind (sparse level hits rest) (fun l => ret (false :: l)))
  end.

(** [hits] is one less than the number of hits after which it stops. *)
Definition above_threshold (hits : nat) (answers : list Z) : dist (list bool) :=
  bind (discrete_laplace T_pos threshold) (fun level => sparse level hits answers).

(** The probability that an answer is found above. *)
Definition above (level a : Z) : R := discrete_laplace Q_pos a (fun z => if Z.leb level z then 1 else 0).

Lemma test_above level : test (fun z => if Z.leb level z then 1 else 0).
Proof. intros z; destruct (Z.leb level z); lra. Qed.

Lemma above_between level a : 0 <= above level a <= 1.
Proof. apply expect_test, test_above. Qed.

Lemma above_shift level a k : above (level + k) (a + k) = above level a.
Proof.
  unfold above. rewrite discrete_laplace_shift by (apply test_bounded, test_above).
  apply expect_ext; [apply test_bounded; intros z; destruct (Z.leb (level + k) (z + k)); lra|].
  intros z. destruct (Z.leb_spec (level + k) (z + k)), (Z.leb_spec level z); lia || reflexivity.
Qed.

Lemma above_increases level a a' : (a <= a')%Z -> above level a <= above level a'.
Proof.
  intros H. unfold above. replace a' with (a + (a' - a))%Z by ring.
  rewrite discrete_laplace_shift by (apply test_bounded, test_above).
  apply expect_le; [apply test_bounded, test_above | apply test_bounded; intros z;
    destruct (Z.leb level (z + (a' - a))); lra |].
  intros z. destruct (Z.leb_spec level z), (Z.leb_spec level (z + (a' - a))); lia || lra.
Qed.

Variables (up down : R).
Hypothesis up_nonneg : 0 <= up.
Hypothesis down_nonneg : 0 <= down.

(** How much each answer moves. *)
Notation moved := (Forall2 (fun a a' => - down <= IZR a' - IZR a <= up)).

Lemma integer_part : exists k : Z, (0 <= k)%Z /\ IZR k <= up /\ forall j : Z, IZR j <= up -> (j <= k)%Z.
Proof.
  exists (Int_part up). destruct (base_Int_part up) as [B1 B2]. repeat split; [|exact B1|].
  - apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. lra.
  - intros j Hj. apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. lra.
Qed.

Section Raised.
Variable k : Z.
Hypothesis k_nonneg : (0 <= k)%Z.
Hypothesis k_up : IZR k <= up.
Hypothesis k_most : forall j : Z, IZR j <= up -> (j <= k)%Z.
Let c : R := exp ((up + down) / bQ).

Lemma c_ge_1 : 1 <= c.
Proof. apply exp_ge_1, Rdiv_nonneg; lra. Qed.

Lemma above_ratio level a a' : - down <= IZR a' - IZR a <= up -> above level a <= c * above (level + k) a'.
Proof.
  intros H. replace a' with (a' - k + k)%Z by ring. rewrite above_shift. unfold above, c.
  eapply Rle_trans; [apply (discrete_laplace_ratio Q_pos a (a' - k)); auto using test_above with bounded|].
  apply Rmult_le_compat_r; [apply above_between|]. apply exp_le, Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
  assert (L : (a' - a <= k)%Z) by (apply k_most; rewrite minus_IZR; lra).
  apply IZR_le in L. apply Rabs_le. rewrite !minus_IZR in *. lra.
Qed.

Lemma below_ratio level a a' : - down <= IZR a' - IZR a <= up -> 1 - above level a <= 1 - above (level + k) a'.
Proof.
  intros H. replace a' with (a' - k + k)%Z by ring. rewrite above_shift.
  assert (a' - a <= k)%Z by (apply k_most; rewrite minus_IZR; lra).
  pose proof (@above_increases level (a' - k) a ltac:(lia)). lra.
Qed.

Lemma sparse_cons level hits a rest f : bounded f -> sparse level hits (a :: rest) f =
  above level a * (match hits with O => ret [] | S h => sparse level h rest end) (fun l => f (true :: l)) +
  (1 - above level a) * sparse level hits rest (fun l => f (false :: l)).
Proof.
  intros B. set (F1 := (match hits with O => ret [] | S h => sparse level h rest end) (fun l => f (true :: l))).
  set (F0 := sparse level hits rest (fun l => f (false :: l))). set (P := discrete_laplace Q_pos a).
  set (i := fun z => if Z.leb level z then 1 else 0). assert (Ti : test i) by apply test_above.
  transitivity (P (fun z => F0 + (F1 - F0) * i z)).
  - change (P (fun z => (if Z.leb level z then bind (match hits with O => ret [] |
      S h => sparse level h rest end) (fun l => ret (true :: l))
      else bind (sparse level hits rest) (fun l => ret (false :: l))) f) = P (fun z => F0 + (F1 - F0) * i z)).
      symmetry. apply expect_ext; [auto with bounded|]. intros z. unfold i.
      destruct (Z.leb level z); [simpl; fold F1 | simpl; fold F0]; ring.
  - rewrite expect_plus, expect_scale, expect_const by auto with bounded. change (P i) with (above level a). ring.
Qed.

Lemma c_power_ge_1 n : 1 <= c ^ n.
Proof. apply pow_R1_Rle, c_ge_1. Qed.

Lemma sparse_ratio answers : forall answers' hits level f, moved answers answers' -> bounded f -> nonneg f ->
  sparse level hits answers f <= c ^ (S hits) * sparse (level + k) hits answers' f.
Proof.
  induction answers as [|a rest IH]; intros answers' hits level f M B N; inversion M; subst.
  - simpl sparse. pose proof (c_power_ge_1 (S hits)). specialize (N []). simpl expect. nra.
  - rename y into a', l' into rest'. rewrite !sparse_cons by exact B.
    assert (B1 : bounded (fun l => f (true :: l))) by (destruct B as [b B]; exists b; auto).
    assert (B0 : bounded (fun l => f (false :: l))) by (destruct B as [b B]; exists b; auto).
    assert (N1 : nonneg (fun l => f (true :: l))) by (intros l; apply N).
    assert (N0 : nonneg (fun l => f (false :: l))) by (intros l; apply N).
    set (F1 := (match hits with O => ret [] | S h => sparse level h rest end) (fun l => f (true :: l))).
    set (F1' := (match hits with O => ret [] | S h => sparse (level + k) h rest' end) (fun l => f (true :: l))).
    assert (I0 : sparse level hits rest (fun l => f (false :: l)) <= c ^ S hits * sparse (level + k) hits rest' (fun l
      => f (false :: l))) by now apply IH.
    assert (I1 : F1 <= c ^ hits * F1').
    { unfold F1, F1'. destruct hits as [|h]; [simpl; lra | now apply IH]. }
    assert (P1 : 0 <= F1') by (apply expect_nonneg; assumption).
    assert (P0 : 0 <= sparse (level + k) hits rest' (fun l => f (false :: l))) by (apply expect_nonneg; assumption).
    assert (Q0 : 0 <= sparse level hits rest (fun l => f (false :: l))) by (apply expect_nonneg; assumption).
    pose proof (above_ratio level _ _ H1) as A. pose proof (below_ratio level _ _ H1) as Bl.
    pose proof (above_between level a) as [A0 A1]. pose proof (above_between (level + k) a') as [A0' A1'].
    set (G0 := sparse level hits rest (fun l => f (false :: l))) in *.
    set (G0' := sparse (level + k) hits rest' (fun l => f (false :: l))) in *.
    pose proof (c_power_ge_1 hits) as C1. pose proof c_ge_1 as C.
    rewrite Rmult_plus_distr_l. apply Rplus_le_compat.
    + apply Rle_trans with (c * above (level + k) a' * (c ^ hits * F1')); [|simpl; lra].
      apply Rmult_le_compat; auto. unfold F1. apply expect_nonneg; assumption.
    + apply Rle_trans with ((1 - above (level + k) a') * (c ^ S hits * G0')); [|right; ring].
      apply Rmult_le_compat; lra.
Qed.

Lemma above_threshold_ratio hits answers answers' f : moved answers answers' -> bounded f -> nonneg f ->
  above_threshold hits answers f <= exp (up / bT) * c ^ (S hits) * above_threshold hits answers' f.
Proof.
  intros M B N. unfold above_threshold. set (P := discrete_laplace T_pos threshold).
  set (h' := fun level => sparse level hits answers' f).
  assert (Bh : bounded h') by (unfold h'; auto with bounded).
  assert (Nh : nonneg h') by (intros z; now apply expect_nonneg).
  change (P (fun level => sparse level hits answers f) <= exp (up / bT) * c ^ S hits * P h').
  apply Rle_trans with (P (fun level => c ^ S hits * h' (level + k)%Z)).
  - apply expect_le; [auto with bounded | apply bounded_scale; destruct Bh as [b Bh]; exists b; auto |].
    intros level. now apply sparse_ratio.
  - rewrite expect_scale by (destruct Bh as [b Bh]; exists b; auto). unfold P. rewrite <- discrete_laplace_shift by exact Bh.
    rewrite (Rmult_comm (exp (up / bT))), Rmult_assoc. pose proof (c_power_ge_1 (S hits)). apply Rmult_le_compat_l; [lra|].
    eapply Rle_trans; [apply (discrete_laplace_ratio T_pos (threshold + k) threshold); assumption|].
    apply Rmult_le_compat_r; [now apply expect_nonneg|].
    apply exp_le, Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    replace (threshold - (threshold + k))%Z with (- k)%Z by ring. apply IZR_le in k_nonneg.
    rewrite opp_IZR, Rabs_Ropp, Rabs_pos_eq; lra.
Qed.
End Raised.

Lemma above_threshold_moved hits answers answers' : moved answers answers' ->
  ind (above_threshold hits answers) (above_threshold hits answers') (up / bT + INR (S hits) * (up + down) / bQ) 0.
Proof.
  intros M f F. rewrite Rplus_0_r. destruct integer_part as (k & k0 & k1 & k2).
  pose proof (above_threshold_ratio k0 k1 k2 hits M (test_bounded F) (test_nonneg F)) as R.
  rewrite exp_pow, <- exp_plus in R.
  replace (INR (S hits) * (up + down) / bQ) with (INR (S hits) * ((up + down) / bQ)) by (field; lra). exact R.
Qed.
End AboveThreshold.

(** Answers at a range of d, and answers that each move by at most d; [S hits] is the number after which it stops. *)
Theorem above_threshold_range threshold bT bQ hits (T_pos : 0 < bT) (Q_pos : 0 < bQ) :
  private (range_distance 1) pure (above_threshold threshold T_pos Q_pos hits) (fun d => d / bT + INR (S hits) * d / bQ).
Proof.
  intros d v w [E H]. apply range_le in H. destruct H as (up & down & S & Hu & Hd & K).
  assert (M : Forall2 (fun a a' => - down <= IZR a' - IZR a <= up) v w).
  { clear S. revert w E K; induction v as [|a v IH]; intros [|b w] E K; try discriminate; constructor.
    - specialize (K (1 * (IZR b - IZR a)) (or_introl eq_refl)). lra.
    - apply IH; [now injection E | intros u I; apply K; now right]. }
  pose proof (above_threshold_moved threshold T_pos Q_pos Hu Hd hits M) as I.
  apply ind_weaken with (3 := I); [|apply Rle_refl].
  assert (0 < / bT) by now apply Rinv_0_lt_compat. assert (0 < / bQ) by now apply Rinv_0_lt_compat.
  pose proof (pos_INR (Datatypes.S hits)).
  unfold Rdiv. apply Rplus_le_compat; apply Rmult_le_compat_r; try lra. apply Rmult_le_compat_l; lra.
Qed.

Theorem above_threshold_linf threshold bT bQ hits (T_pos : 0 < bT) (Q_pos : 0 < bQ) :
  private (linf 1) pure (above_threshold threshold T_pos Q_pos hits) (fun d => d / bT + 2 * INR (S hits) * d / bQ).
Proof.
  intros d v w [E H]. pose proof H as H'. apply norm_inf_le in H. destruct H as [Hd K].
  assert (M : Forall2 (fun a a' => - d <= IZR a' - IZR a <= d) v w).
  { clear H'. revert w E K; induction v as [|a v IH]; intros [|b w] E K; try discriminate; constructor.
    - specialize (K (1 * (IZR b - IZR a)) (or_introl eq_refl)). apply Rabs_le_between in K. lra.
    - apply IH; [now injection E | intros u I; apply K; now right]. }
  pose proof (above_threshold_moved threshold T_pos Q_pos Hd Hd hits M) as I.
  apply ind_weaken with (3 := I); [right; field; lra | apply Rle_refl].
Qed.
