(** * Renyi divergence of distributions on the integers: the textbook sum

    For mass functions p and q, q positive: [D_alpha(P||Q) <= e] by duality if and only if the sum over all z of
    [q(z) (p(z)/q(z))^alpha] converges, to at most [exp((alpha - 1) e)]. *)
From Coq Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Indistinguishability Powers Renyi RenyiTextbook Integers DoubleSums.
Open Scope R_scope.
Set Implicit Arguments.

Section Masses.
Variables (P Q : dist Z) (p q : Z -> R).
Hypothesis p_nonneg : forall z, 0 <= p z.
Hypothesis q_pos : forall z, 0 < q z.
Hypothesis q_summable : summable q.
Hypothesis P_mass : forall f, bounded f -> summable (fun z => p z * f z) /\ P f = sumZ (fun z => p z * f z).
Hypothesis Q_mass : forall f, bounded f -> Q f = sumZ (fun z => q z * f z).

Definition ratio (z : Z) : R := p z / q z.
Definition summand (alpha : R) (z : Z) : R := q z * rpow (ratio z) alpha.

Lemma ratio_nonneg z : 0 <= ratio z.
Proof. apply Rmult_le_pos; [apply p_nonneg | left; now apply Rinv_0_lt_compat]. Qed.
Lemma mass_ratio z : q z * ratio z = p z.
Proof. unfold ratio. pose proof (q_pos z). field; lra. Qed.
Lemma summand_nonneg alpha z : 0 <= summand alpha z.
Proof. apply Rmult_le_pos; [left; apply q_pos | apply rpow_nonneg]. Qed.

Lemma at_most_of_summable alpha e : 1 < alpha -> summable (summand alpha) -> sumZ (summand alpha) <= exp ((alpha - 1) * e) ->
  divergence_at_most alpha P Q e.
Proof.
  intros Ha S H f Bf Nf. fold (raised alpha f).
  replace (exp (gamma alpha * e)) with (Rpower (exp ((alpha - 1) * e)) (/ alpha))
    by (unfold Rpower; rewrite ln_exp; f_equal; unfold gamma; field; lra).
  apply young_scaled; auto; [apply exp_pos | now apply expect_raised |]. intros l Hl. pose proof (beta_gt_1 Ha).
  destruct (P_mass Bf) as [_ ->]. rewrite (Q_mass (bounded_raised Ha Bf)).
  assert (Sq : summable (fun z => q z * raised alpha f z)) by (apply summable_times; auto using bounded_raised).
  apply Rle_trans with (sumZ (fun z => Rpower l alpha / alpha * summand alpha z + Rpower l (- beta alpha) / beta alpha
    * (q z * raised alpha f z))).
  - apply sumZ_le; [|apply summable_plus; now apply summable_scale]. intros z. split; [apply Rmult_le_pos; auto|].
    rewrite <- mass_ratio. pose proof (young_point Ha Hl (ratio_nonneg z) (Nf z)) as Y. fold (raised alpha f z) in Y.
    apply Rmult_le_compat_l with (r := q z) in Y; [|left; apply q_pos]. unfold summand. lra.
  - rewrite sumZ_plus, !sumZ_scale by (now apply summable_scale).
    assert (0 <= Rpower l alpha / alpha) by (apply Measures.Rdiv_nonneg; [left; apply exp_pos | lra]).
    apply Rplus_le_compat; [|right; field; lra].
    replace (Rpower l alpha * exp ((alpha - 1) * e) / alpha) with (Rpower l alpha / alpha * exp ((alpha - 1) * e)) by
      (field; lra).
    now apply Rmult_le_compat_l.
Qed.

(** For the converse: the test [r^(alpha - 1)], cut off outside of [-N-1, N]. *)
Definition inside (N : nat) (z : Z) : bool := (Z.leb (- Z.of_nat (S N)) z && Z.leb z (Z.of_nat N))%bool.
Definition cut (N : nat) (h : Z -> R) (z : Z) : R := if inside N z then h z else 0.

Lemma cut_bounded N h : (forall z, 0 <= h z) -> bounded (cut N h).
Proof.
  intros H. exists (sum_n (fold h) N). intros z. unfold cut. destruct (inside N z) eqn:E.
  - apply andb_prop in E. destruct E as [E1 E2]. apply Z.leb_le in E1, E2. rewrite Rabs_pos_eq by auto.
    assert (G : forall n, (n <= N)%nat -> fold h n <= sum_n (fold h) N).
    { assert (F : forall n, 0 <= fold h n) by (intros n; unfold fold, upper, lower; apply Rplus_le_le_0_compat; auto).
      clear -F. induction N as [|N IH]; intros n L; [replace n with 0%nat by lia; rewrite sum_O; lra|].
      rewrite sum_Sn. change (plus ?a ?b) with (a + b). destruct (Nat.eq_dec n (S N)) as [->|D].
      - assert (0 <= sum_n (fold h) N); [|lra]. apply Rle_trans with (fold h 0); [apply F | apply IH; lia].
      - specialize (IH n ltac:(lia)). specialize (F (S N)). lra. }
    destruct (Z.le_gt_cases 0 z) as [Hz|Hz].
    + eapply Rle_trans; [|apply (G (Z.to_nat z)); lia]. unfold fold, upper, lower. rewrite Z2Nat.id by assumption.
      specialize (H (- Z.of_nat (S (Z.to_nat z)))%Z). lra.
    + eapply Rle_trans; [|apply (G (Z.to_nat (- z - 1))); lia]. unfold fold, upper, lower.
      replace (- Z.of_nat (S (Z.to_nat (- z - 1))))%Z with z by lia. specialize (H (Z.of_nat (Z.to_nat (- z - 1)))). lra.
  - rewrite Rabs_R0. clear -H. induction N as [|N IH]; [rewrite sum_O | rewrite sum_Sn; change (plus ?a ?b) with (a + b)];
    unfold fold, upper, lower; pose proof (H (Z.of_nat 0)); pose proof (H (- Z.of_nat 1)%Z);
    try (pose proof (H (Z.of_nat (S N))); pose proof (H (- Z.of_nat (S (S N)))%Z)); unfold fold, upper, lower in *; lra.
Qed.

Lemma partial_le_cut N h : (forall z, 0 <= h z) -> summable (cut N h) -> sum_n (fold h) N <= sumZ (cut N h).
Proof.
  intros H E. rewrite (sumZ_fold E). assert (C : forall z, 0 <= cut N h z) by (intros z; unfold cut;
    destruct (inside N z); auto; lra).
  replace (sum_n (fold h) N) with (sum_n (fold (cut N h)) N).
  - apply partial_le_series; [|now apply ex_fold]. intros k. unfold fold, upper, lower. apply Rplus_le_le_0_compat; auto.
  - apply sum_n_ext_loc. intros n L. unfold fold, upper, lower, cut, inside.
    replace (Z.leb (- Z.of_nat (S N)) (Z.of_nat n)) with true by (symmetry; apply Z.leb_le; lia).
    replace (Z.leb (Z.of_nat n) (Z.of_nat N)) with true by (symmetry; apply Z.leb_le; lia).
    replace (Z.leb (- Z.of_nat (S N)) (- Z.of_nat (S n))) with true by (symmetry; apply Z.leb_le; lia).
    replace (Z.leb (- Z.of_nat (S n)) (Z.of_nat N)) with true by (symmetry; apply Z.leb_le; lia). reflexivity.
Qed.

Theorem renyi_integers alpha e : 1 < alpha ->
  divergence_at_most alpha P Q e <-> summable (summand alpha) /\ sumZ (summand alpha) <= exp ((alpha - 1) * e).
Proof.
  intros Ha. split; [|intros [S H]; now apply at_most_of_summable]. intros H.
  assert (B : forall N, sum_n (fold (summand alpha)) N <= exp ((alpha - 1) * e)).
  { intros N. set (f := cut N (fun z => rpow (ratio z) (alpha - 1))).
    assert (Bf : bounded f) by (apply cut_bounded; intros; apply rpow_nonneg).
    assert (Nf : nonneg f) by (intros z; unfold f, cut; destruct (inside N z); [apply rpow_nonneg | lra]).
    destruct (P_mass Bf) as [Sp Ep].
    assert (E1 : forall z, p z * f z = cut N (summand alpha) z).
    { intros z. unfold f, cut. destruct (inside N z); [|ring]. unfold summand. rewrite <- mass_ratio, Rmult_assoc. f_equal.
      rewrite <- (rpow_1 (ratio_nonneg z)) at 1. rewrite <- rpow_plus by apply ratio_nonneg. f_equal; ring. }
    assert (E2 : forall z, q z * raised alpha f z = cut N (summand alpha) z).
    { intros z. unfold raised, f, cut. destruct (inside N z); [|rewrite rpow_0; ring]. unfold summand. f_equal.
      rewrite rpow_rpow by apply ratio_nonneg. f_equal. unfold beta; field; lra. }
    specialize (H f Bf Nf). fold (raised alpha f) in H.
    rewrite Ep, (Q_mass (bounded_raised Ha Bf)), (sumZ_ext _ _ E1), (sumZ_ext _ _ E2) in H.
    assert (Sc : summable (cut N (summand alpha))) by exact (summable_ext _ E1 Sp).
    eapply Rle_trans; [apply partial_le_cut; [apply summand_nonneg | exact Sc]|].
    apply power_bound; [exact Ha | | exact H].
    apply sumZ_nonneg; [|exact Sc]. intros z. unfold cut. destruct (inside N z); [apply summand_nonneg | lra]. }
  assert (F : forall n, 0 <= fold (summand alpha) n) by (intros n; unfold fold, upper, lower;
    apply Rplus_le_le_0_compat; apply summand_nonneg).
  assert (E : ex_series (fold (summand alpha))).
  { apply ex_finite_lim_seq_incr with (exp ((alpha - 1) * e)); [|exact B].
    intros k. rewrite sum_Sn. change (plus ?x ?y) with (x + y). specialize (F (S k)); lra. }
  assert (S : summable (summand alpha)) by (apply summable_of_fold; [apply summand_nonneg | exact E]).
  split; [exact S|]. rewrite (sumZ_fold S).
  apply (is_lim_seq_le (sum_n (fold (summand alpha))) (fun _ => exp ((alpha - 1) * e)) (Series (fold (summand alpha)))
    (exp ((alpha - 1) * e)));
    [exact B | exact (Series_correct _ E) | apply is_lim_seq_const].
Qed.
End Masses.
