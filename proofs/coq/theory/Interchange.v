(** * An expectation over the integers passes through any other

    Distributions are finitely additive, and of two such the order matters in general. Weights on the integers are summable,
    which is enough: a finite sum passes through, so for what is not negative the one order is at most the other; and the same
    of what a bound leaves of it gives the converse. *)
From Coq Require Import Reals Lra ZArith.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Integers.
Open Scope R_scope.
Set Implicit Arguments.

Section Interchange.
Variables (A : Type) (P : dist A).

Lemma expect_sum_n (h : nat -> A -> R) n : (forall k, bounded (h k)) ->
  bounded (fun a => sum_n (fun k => h k a) n) /\ P (fun a => sum_n (fun k => h k a) n) = sum_n (fun k => P (h k)) n.
Proof.
  intros B. induction n as [|n [IB IH]].
  - assert (E : forall a, h O a = sum_n (fun k => h k a) 0) by (intros a; now rewrite sum_O).
    split; [destruct (B O) as [b Hb]; exists b; intros a; now rewrite <- E|]. rewrite sum_O. symmetry. now apply expect_ext.
  - assert (E : forall a, sum_n (fun k => h k a) n + h (S n) a = sum_n (fun k => h k a) (S n)) by (intros a; now rewrite sum_Sn).
    split; [destruct (bounded_plus IB (B (S n))) as [b Hb]; exists b; intros a; now rewrite <- E|].
    rewrite sum_Sn, <- IH. change (plus ?u ?v) with (u + v). rewrite <- expect_plus by auto. symmetry. apply expect_ext; auto with bounded.
Qed.

Lemma series_below (h : nat -> A -> R) : (forall k, bounded (h k)) -> (forall k a, 0 <= h k a) -> (forall a, ex_series (fun k => h k a)) ->
  bounded (fun a => Series (fun k => h k a)) -> ex_series (fun k => P (h k)) -> Series (fun k => P (h k)) <= P (fun a => Series (fun k => h k a)).
Proof.
  intros B N E BS EP. assert (L : is_lim_seq (sum_n (fun k => P (h k))) (Finite (Series (fun k => P (h k))))) by exact (Series_correct _ EP).
  refine (is_lim_seq_le (sum_n (fun k => P (h k))) (fun _ => P (fun a => Series (fun k => h k a))) (Finite _) (Finite _) _ L (is_lim_seq_const _)).
  intros n. destruct (expect_sum_n h n B) as [Bn <-]. apply expect_le; auto. intros a.
  apply (is_lim_seq_incr_compare (sum_n (fun k => h k a)) (Series (fun k => h k a)) (Series_correct _ (E a))).
  intros m. rewrite sum_Sn. change (plus ?u ?v) with (u + v). specialize (N (S m) a). lra.
Qed.

Variable w : Z -> R.
Hypothesis w_pos : forall z, 0 < w z.
Hypothesis w_sum : summable w.
Notation D := (proportional w_pos w_sum).

Definition jointly_bounded (g : Z -> A -> R) := exists b, forall z a, Rabs (g z a) <= b.

Lemma swap_bounded g : jointly_bounded g -> (forall z, bounded (g z)) /\ (forall a, bounded (fun z => g z a)) /\ bounded (fun z => P (g z)) /\
  bounded (fun a => D (fun z => g z a)).
Proof.
  intros [b H]. repeat split.
  - intros z. now exists b.
  - intros a. now exists b.
  - exists b. intros z. now apply expect_bound.
  - exists b. intros a. now apply expect_bound.
Qed.

Lemma swap_below g : jointly_bounded g -> (forall z a, 0 <= g z a) -> D (fun z => P (g z)) <= P (fun a => D (fun z => g z a)).
Proof.
  intros J N. destruct (swap_bounded J) as (Bz & Ba & BP & BD). pose proof (sumZ_pos w_pos w_sum) as S0.
  assert (S1 : forall a, summable (fun z => w z * g z a)) by (intros a; now apply summable_times).
  pose proof (summable_times w_pos w_sum BP) as S2.
  assert (Nw : forall z a, 0 <= w z * g z a) by (intros z a; apply Rmult_le_pos; [left; apply w_pos | apply N]).
  assert (BS : bounded (fun a => sumZ (fun z => w z * g z a))).
  { destruct BD as [b Hb]. exists (sumZ w * b). intros a. specialize (Hb a). simpl in Hb.
    replace (sumZ (fun z => w z * g z a)) with (sumZ w * (/ sumZ w * sumZ (fun z => w z * g z a))) by (field; lra).
    rewrite Rabs_mult, (Rabs_pos_eq (sumZ w)) by lra. apply Rmult_le_compat_l; lra. }
  assert (part : forall k : (Z -> R) -> nat -> R, (k = upper \/ k = lower) -> forall a, 0 <= Series (k (fun z => w z * g z a)) <= sumZ (fun z => w z * g z a)).
  { assert (pos : forall (h : nat -> R), (forall n, 0 <= h n) -> ex_series h -> 0 <= Series h).
    { intros h Hh Eh. rewrite <- (Series_zero (fun _ => 0)) by reflexivity. apply Series_le; [intros n; split; [lra | apply Hh] | exact Eh]. }
    intros k [-> | ->] a; destruct (S1 a) as [E1 E2]; unfold sumZ;
      pose proof (pos (upper (fun z => w z * g z a)) ltac:(intros n; apply Nw) E1); pose proof (pos (lower (fun z => w z * g z a)) ltac:(intros n; apply Nw) E2); lra. }
  assert (Bpart : forall k : (Z -> R) -> nat -> R, (k = upper \/ k = lower) -> bounded (fun a => Series (k (fun z => w z * g z a)))).
  { intros k K. destruct BS as [b Hb]. exists b. intros a. specialize (Hb a). pose proof (part k K a) as [L U]. rewrite Rabs_pos_eq in *; lra. }
  assert (each : forall z, bounded (fun a => w z * g z a)) by (intros z; auto with bounded).
  simpl. apply Rle_trans with (/ sumZ w * P (fun a => sumZ (fun z => w z * g z a))); [|right; symmetry; now apply expect_scale].
  apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|]. unfold sumZ at 2.
  rewrite expect_plus by (apply Bpart; auto). unfold sumZ. apply Rplus_le_compat.
  - rewrite (Series_ext _ (fun k => P (fun a => upper (fun z => w z * g z a) k))) by (intros k; unfold upper; symmetry; now apply expect_scale).
    apply (series_below (fun k a => upper (fun z => w z * g z a) k)); [intros k; apply each | intros k a; apply Nw | intros a; apply S1 | apply Bpart; auto|].
    eapply ex_series_ext; [|exact (proj1 S2)]. intros k. unfold upper. symmetry. now apply expect_scale.
  - rewrite (Series_ext _ (fun k => P (fun a => lower (fun z => w z * g z a) k))) by (intros k; unfold lower; symmetry; now apply expect_scale).
    apply (series_below (fun k a => lower (fun z => w z * g z a) k)); [intros k; apply each | intros k a; apply Nw | intros a; apply S1 | apply Bpart; auto|].
    eapply ex_series_ext; [|exact (proj2 S2)]. intros k. unfold lower. symmetry. now apply expect_scale.
Qed.

Theorem swap g : jointly_bounded g -> P (fun a => D (fun z => g z a)) = D (fun z => P (g z)).
Proof.
  intros J. destruct (swap_bounded J) as (Bz & Ba & BP & BD). pose proof J as [b H].
  assert (J' : forall s, jointly_bounded (fun z a => b + s * g z a)).
  { intros s. exists (Rabs b + Rabs s * b). intros z a. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult.
    apply Rplus_le_compat_l, Rmult_le_compat_l; [apply Rabs_pos | apply H]. }
  assert (K : forall s, s = 1 \/ s = -1 -> b + s * D (fun z => P (g z)) <= b + s * P (fun a => D (fun z => g z a))).
  { intros s Hs. assert (L : D (fun z => P (fun a => b + s * g z a)) <= P (fun a => D (fun z => b + s * g z a))).
    { apply swap_below; [apply J'|]. intros z a. specialize (H z a). apply Rabs_le_between in H. destruct Hs as [-> | ->]; lra. }
    rewrite (@expect_ext _ D (fun z => P (fun a => b + s * g z a)) (fun z => b + s * P (g z))) in L.
    2:{ destruct (J' s) as [b' H']. exists b'. intros z. now apply expect_bound. }
    2:{ intros z. now rewrite expect_plus, expect_const, expect_scale by auto with bounded. }
    rewrite (@expect_ext _ P (fun a => D (fun z => b + s * g z a)) (fun a => b + s * D (fun z => g z a))) in L.
    2:{ destruct (J' s) as [b' H']. exists b'. intros a. now apply expect_bound. }
    2:{ intros a. now rewrite expect_plus, expect_const, expect_scale by auto with bounded. }
    now rewrite !expect_plus, !expect_const, !expect_scale in L by auto with bounded. }
  pose proof (K 1 (or_introl eq_refl)). pose proof (K (-1) (or_intror eq_refl)). lra.
Qed.
End Interchange.
