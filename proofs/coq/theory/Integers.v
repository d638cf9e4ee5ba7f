(** * Sums over all integers

    [sumZ g] is the sum of g over 0, 1, 2, ... plus that over -1, -2, ...; [summable g] says that both converge. *)
From Coq Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions.
Open Scope R_scope.
Set Implicit Arguments.

Definition upper (g : Z -> R) n := g (Z.of_nat n).
Definition lower (g : Z -> R) n := g (- Z.of_nat (S n))%Z.
Definition sumZ (g : Z -> R) := Series (upper g) + Series (lower g).
Definition summable (g : Z -> R) := ex_series (upper g) /\ ex_series (lower g).

Lemma sumZ_ext g h : (forall z, g z = h z) -> sumZ g = sumZ h.
Proof. intros H; unfold sumZ, upper, lower; f_equal; apply Series_ext; intros; apply H. Qed.
Lemma summable_ext g h : (forall z, g z = h z) -> summable g -> summable h.
Proof. intros H [A B]; split; [apply ex_series_ext with (2:=A) | apply ex_series_ext with (2:=B)]; intros; apply H. Qed.

Lemma summable_plus g h : summable g -> summable h -> summable (fun z => g z + h z).
Proof. intros [A B] [C D]; split; [exact (ex_series_plus _ _ A C) | exact (ex_series_plus _ _ B D)]. Qed.
Lemma sumZ_plus g h : summable g -> summable h -> sumZ (fun z => g z + h z) = sumZ g + sumZ h.
Proof.
  intros [A B] [C D]; unfold sumZ.
  rewrite (Series_plus _ _ A C : Series (upper (fun z => g z + h z)) = _).
  rewrite (Series_plus _ _ B D : Series (lower (fun z => g z + h z)) = _). lra.
Qed.

Lemma summable_scale c g : summable g -> summable (fun z => c * g z).
Proof. intros [A B]; split; [exact (ex_series_scal_l c _ A) | exact (ex_series_scal_l c _ B)]. Qed.
Lemma sumZ_scale c g : sumZ (fun z => c * g z) = c * sumZ g.
Proof.
  unfold sumZ.
  rewrite (Series_scal_l c (upper g) : Series (upper (fun z => c * g z)) = _).
  rewrite (Series_scal_l c (lower g) : Series (lower (fun z => c * g z)) = _). lra.
Qed.

Lemma summable_le g h : (forall z, Rabs (g z) <= h z) -> summable h -> summable g.
Proof.
  intros H [A B]; split;
  [apply (ex_series_le (K:=R_AbsRing) (V:=R_CompleteNormedModule) (upper g) (upper h)) |
   apply (ex_series_le (K:=R_AbsRing) (V:=R_CompleteNormedModule) (lower g) (lower h))]; auto; intros n; apply H.
Qed.
Lemma sumZ_le g h : (forall z, 0 <= g z <= h z) -> summable h -> sumZ g <= sumZ h.
Proof. intros H [A B]; apply Rplus_le_compat; apply Series_le; auto; intros n; apply H. Qed.
Lemma sumZ_nonneg g : (forall z, 0 <= g z) -> summable g -> 0 <= sumZ g.
Proof.
  intros H E. assert (K : 0 * sumZ g <= sumZ g) by (rewrite <- sumZ_scale; apply sumZ_le; auto; intros z;
    specialize (H z); lra).
  lra.
Qed.

(** ** Shifts *)
Lemma summable_succ g : summable g -> summable (fun z => g (z + 1)%Z).
Proof.
  intros [A B]; split.
  - apply ex_series_incr_1 in A. eapply ex_series_ext; [|exact A]. intros n; unfold upper; f_equal; lia.
  - apply ex_series_incr_1. eapply ex_series_ext; [|exact B]. intros n; unfold lower; f_equal; lia.
Qed.
Lemma summable_pred g : summable g -> summable (fun z => g (z - 1)%Z).
Proof.
  intros [A B]; split.
  - apply ex_series_incr_1. eapply ex_series_ext; [|exact A]. intros n; unfold upper; f_equal; lia.
  - apply ex_series_incr_1 in B. eapply ex_series_ext; [|exact B]. intros n; unfold lower; f_equal; lia.
Qed.

Lemma sumZ_succ g : summable g -> sumZ (fun z => g (z + 1)%Z) = sumZ g.
Proof.
  intros E. pose proof (summable_succ E) as [_ D]. destruct E as [A B]. unfold sumZ.
  rewrite (Series_incr_1 (upper g) A), (Series_incr_1 _ D).
  rewrite (Series_ext (fun k => upper g (S k)) (upper (fun z => g (z + 1)%Z))) by (intros n; unfold upper; f_equal; lia).
  rewrite (Series_ext (fun k => lower (fun z => g (z + 1)%Z) (S k)) (lower g)) by (intros n; unfold lower; f_equal; lia).
  change (lower (fun z => g (z + 1)%Z) 0) with (g 0%Z). change (upper g 0) with (g 0%Z). lra.
Qed.
Lemma sumZ_pred g : summable g -> sumZ (fun z => g (z - 1)%Z) = sumZ g.
Proof.
  intros E. rewrite <- (sumZ_succ (summable_pred E)). apply sumZ_ext; intros z; f_equal; lia.
Qed.

Lemma sumZ_shift k g : summable g -> summable (fun z => g (z + k)%Z) /\ sumZ (fun z => g (z + k)%Z) = sumZ g.
Proof.
  intros E. revert k. apply Z.bi_induction.
  - intros a b ->; reflexivity.
  - split; [eapply summable_ext; [|exact E] | apply sumZ_ext]; intros; f_equal; lia.
  - intros n; split; intros [H <-].
    + split; [apply summable_succ in H; eapply summable_ext; [|exact H] | rewrite <- (sumZ_succ H); apply sumZ_ext];
      intros; simpl; f_equal; lia.
    + split; [apply summable_pred in H; eapply summable_ext; [|exact H] | rewrite <- (sumZ_pred H); apply sumZ_ext];
      intros; simpl; f_equal; lia.
Qed.

(** ** A sum with one term *)
Lemma Series_zero a : (forall n, a n = 0) -> Series a = 0.
Proof.
  intros H. rewrite (Series_ext a (fun n => 0 * 0)) by (intros; rewrite H; ring).
  rewrite (Series_scal_l 0 (fun _ => 0)); ring.
Qed.
Lemma sumZ_point g k : summable g -> (forall z, z <> k -> g z = 0) -> sumZ g = g k.
Proof.
  intros E H. destruct (sumZ_shift k E) as [E' <-]. set (h := fun z => g (z + k)%Z) in *.
  assert (H0 : forall z, z <> 0%Z -> h z = 0) by (intros z Hz; apply H; lia).
  unfold sumZ. destruct E' as [A _]. rewrite (Series_incr_1 _ A), !Series_zero.
  - unfold upper, h; simpl; ring.
  - intros n; apply H0; lia.
  - intros n; apply H0; lia.
Qed.

Lemma sumZ_ge_point g k : (forall z, 0 <= g z) -> summable g -> g k <= sumZ g.
Proof.
  intros N E. set (h := fun z => if Z.eqb z k then g z else 0).
  assert (Hh : forall z, 0 <= h z <= g z) by (intros z; unfold h; destruct (Z.eqb z k); specialize (N z); lra).
  assert (Eh : summable h) by (apply summable_le with (2 := E); intros z; rewrite Rabs_pos_eq; apply Hh).
  replace (g k) with (h k) by (unfold h; now rewrite Z.eqb_refl).
  rewrite <- (@sumZ_point h k Eh); [now apply sumZ_le|]. intros z Hz; unfold h. apply Z.eqb_neq in Hz; now rewrite Hz.
Qed.

(** ** The distribution with probabilities proportional to a weight *)
Section Weight.
Variable w : Z -> R.
Hypothesis w_pos : forall z, 0 < w z.
Hypothesis w_sum : summable w.

Lemma summable_times f : bounded f -> summable (fun z => w z * f z).
Proof.
  intros [B HB]. apply summable_le with (fun z => B * w z); [|now apply summable_scale].
  intros z. rewrite Rabs_mult, (Rabs_pos_eq (w z)) by (left; apply w_pos). specialize (HB z); specialize (w_pos z); nra.
Qed.
Lemma sumZ_pos : 0 < sumZ w.
Proof. apply Rlt_le_trans with (w 0); [apply w_pos | apply sumZ_ge_point; auto; intros; left; auto]. Qed.

Definition proportional : dist Z.
Proof.
  refine {| expect := fun f => / sumZ w * sumZ (fun z => w z * f z) |}.
  - intros f g Hf Hg. set (n := / sumZ w). rewrite (@sumZ_ext _ (fun z => w z * f z + w z * g z)) by (intros; ring).
    rewrite sumZ_plus by (now apply summable_times). ring.
  - intros c f Hf. set (n := / sumZ w). rewrite (@sumZ_ext _ (fun z => c * (w z * f z))) by (intros; ring).
    rewrite sumZ_scale. ring.
  - intros f Hf H. pose proof sumZ_pos. apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat|].
    apply sumZ_nonneg; [|now apply summable_times]. intros z; specialize (H z); specialize (w_pos z); nra.
  - rewrite (@sumZ_ext (fun z => w z * 1) w) by (intros; ring). pose proof sumZ_pos. field; lra.
Defined.

Lemma proportional_mass k : proportional (fun z => if Z.eqb z k then 1 else 0) = w k / sumZ w.
Proof.
  simpl. rewrite (@sumZ_point (fun z => w z * (if Z.eqb z k then 1 else 0)) k).
  - rewrite Z.eqb_refl. unfold Rdiv; ring.
  - apply summable_times, test_bounded. intros a; destruct (Z.eqb a k); lra.
  - intros z Hz. apply Z.eqb_neq in Hz; rewrite Hz; ring.
Qed.
End Weight.
