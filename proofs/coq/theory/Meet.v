(** * The meet of two distributions

    The largest functional below P and below c times Q: on a nonnegative f,
      the infimum of [P g + c Q (f - g)] over the ways to split
    f in two. It is linear (Riesz), so after division by its mass it is a distribution. *)
From Coq Require Import Reals Lra Psatz FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions.
Open Scope R_scope.
Set Implicit Arguments.

Definition between {A} (g f : A -> R) := forall a, 0 <= g a <= f a.

Lemma between_bounded A (g f : A -> R) : bounded f -> between g f -> bounded g.
Proof. intros [B H] K. exists B. intros a. specialize (H a). specialize (K a). rewrite Rabs_pos_eq in * by lra. lra. Qed.

Section Meet.
Variables (A : Type) (P Q : dist A) (c : R).
Hypothesis c_nonneg : 0 <= c.

Definition splits (f : A -> R) (v : R) : Prop := exists g, between g f /\ v = P g + c * Q (fun a => f a + -1 * g a).
Definition meet (f : A -> R) : R := real (Glb_Rbar (splits f)).

Lemma split_value f g : bounded f -> between g f -> 0 <= P g /\ 0 <= Q (fun a => f a + -1 * g a).
Proof.
  intros B K. pose proof (between_bounded B K). split; apply expect_nonneg; auto with bounded; intros a;
    specialize (K a); lra.
Qed.

Lemma meet_glb f : bounded f -> nonneg f ->
  (forall v, splits f v -> meet f <= v) /\ (forall b, (forall v, splits f v -> b <= v) -> b <= meet f).
Proof.
  intros B N. unfold meet. destruct (Glb_Rbar_correct (splits f)) as [L G].
  assert (Z : Rbar_le 0 (Glb_Rbar (splits f))).
  { apply G. intros v (g & K & ->). simpl. destruct (split_value B K). nra. }
  assert (U : Rbar_le (Glb_Rbar (splits f)) (P f + c * Q (fun a => f a + -1 * f a))).
  { apply L. exists f. split; [intros a; specialize (N a); lra | reflexivity]. }
  destruct (Glb_Rbar (splits f)) as [r| |]; simpl in *; try contradiction.
  split; [exact L|]. intros b H. specialize (G b). simpl in G. apply G. intros v S; simpl; auto.
Qed.

Lemma meet_le_split f g : bounded f -> between g f -> meet f <= P g + c * Q (fun a => f a + -1 * g a).
Proof.
  intros B K. apply meet_glb; [exact B | intros a; specialize (K a); lra | exists g; auto].
Qed.
Lemma meet_ge f b : bounded f -> nonneg f ->
  (forall g, between g f -> b <= P g + c * Q (fun a => f a + -1 * g a)) -> b <= meet f.
Proof. intros B N H. apply meet_glb; auto. intros v (g & K & ->); auto. Qed.

Lemma meet_nonneg f : bounded f -> nonneg f -> 0 <= meet f.
Proof. intros B N. apply meet_ge; auto. intros g K. destruct (split_value B K). nra. Qed.

Lemma meet_le_P f : bounded f -> nonneg f -> meet f <= P f.
Proof.
  intros B N. eapply Rle_trans; [apply (meet_le_split (g := f) B); intros a; specialize (N a); lra|].
  rewrite expect_plus, expect_scale by auto with bounded. lra.
Qed.
Lemma meet_le_Q f : bounded f -> nonneg f -> meet f <= c * Q f.
Proof.
  intros B N. eapply Rle_trans; [apply (meet_le_split (g := fun _ => 0) B); intros a; specialize (N a); lra|].
  rewrite expect_const. rewrite (@expect_ext A Q (fun a => f a + -1 * 0) f); [lra | auto with bounded | intros; ring].
Qed.

Lemma split_plus f1 f2 g1 g2 : bounded f1 -> bounded f2 -> between g1 f1 -> between g2 f2 ->
  P (fun a => g1 a + g2 a) + c * Q (fun a => (f1 a + f2 a) + -1 * (g1 a + g2 a)) =
  (P g1 + c * Q (fun a => f1 a + -1 * g1 a)) + (P g2 + c * Q (fun a => f2 a + -1 * g2 a)).
Proof.
  intros B1 B2 K1 K2. pose proof (between_bounded B1 K1). pose proof (between_bounded B2 K2).
  rewrite (@expect_ext A Q (fun a => (f1 a + f2 a) + -1 * (g1 a + g2 a)) (fun a => (f1 a + -1 * g1 a) + (f2 a + -1 * g2 a)));
    [| auto with bounded | intros; ring].
  rewrite !expect_plus; auto with bounded. ring.
Qed.

Lemma meet_plus f1 f2 : bounded f1 -> nonneg f1 -> bounded f2 -> nonneg f2 ->
  meet (fun a => f1 a + f2 a) = meet f1 + meet f2.
Proof.
  intros B1 N1 B2 N2. assert (N : nonneg (fun a => f1 a + f2 a)) by (intros a; specialize (N1 a); specialize (N2 a); lra).
  apply Rle_antisym.
  - assert (H : forall g1 g2, between g1 f1 -> between g2 f2 -> meet (fun a => f1 a + f2 a) <=
      (P g1 + c * Q (fun a => f1 a + -1 * g1 a)) + (P g2 + c * Q (fun a => f2 a + -1 * g2 a))).
    { intros g1 g2 K1 K2. rewrite <- split_plus by assumption.
      apply (meet_le_split (f := fun a => f1 a + f2 a)); [auto with bounded|].
      intros a; specialize (K1 a); specialize (K2 a); lra. }
    assert (H2 : forall g1, between g1 f1 -> meet (fun a => f1 a + f2 a) - (P g1 + c * Q (fun a => f1 a + -1 * g1 a))
      <= meet f2).
    { intros g1 K1. apply meet_ge; auto. intros g2 K2. specialize (H g1 g2 K1 K2). lra. }
    assert (meet (fun a => f1 a + f2 a) - meet f2 <= meet f1); [|lra].
    apply meet_ge; auto. intros g1 K1. specialize (H2 g1 K1). lra.
  - apply meet_ge; auto with bounded. intros g K. set (g1 := fun a => Rmin (g a) (f1 a)). set (g2 := fun a => g a - g1 a).
    assert (K1 : between g1 f1) by (intros a; specialize (K a); specialize (N1 a); unfold g1, Rmin;
      destruct (Rle_dec _ _); lra).
    assert (K2 : between g2 f2) by (intros a; specialize (K a); specialize (N2 a); unfold g2, g1, Rmin;
      destruct (Rle_dec _ _); lra).
    replace g with (fun a => g1 a + g2 a) by (apply functional_extensionality; intros a; unfold g2; ring).
    rewrite split_plus by assumption. apply Rplus_le_compat; now apply meet_le_split.
Qed.

Lemma meet_scale k f : 0 <= k -> bounded f -> nonneg f -> meet (fun a => k * f a) = k * meet f.
Proof.
  intros Hk B N. assert (N' : nonneg (fun a => k * f a)) by (intros a; specialize (N a); nra).
  assert (E : forall g, between g f -> P (fun a => k * g a) + c * Q (fun a => k * f a + -1 * (k * g a)) = k * (P g + c
    * Q (fun a => f a + -1 * g a))).
  { intros g K. pose proof (between_bounded B K).
    rewrite (@expect_ext A Q (fun a => k * f a + -1 * (k * g a)) (fun a => k * (f a + -1 * g a)));
      [| auto with bounded | intros; ring].
    rewrite !expect_scale by auto with bounded. ring. }
  destruct Hk as [Hk|<-].
  - apply Rle_antisym.
    + assert (H : / k * meet (fun a => k * f a) <= meet f).
      { apply meet_ge; auto. intros g K. apply Rmult_le_reg_l with k; [exact Hk|]. rewrite <- E by exact K.
        rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
        apply (meet_le_split (f := fun a => k * f a) (g := fun a => k * g a)); [auto with bounded|].
        intros a; specialize (K a); nra. }
      apply Rmult_le_compat_l with (r := k) in H; [|lra]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in H; lra.
    + apply meet_ge; auto with bounded. intros g K. set (g' := fun a => / k * g a).
      assert (I : 0 < / k) by now apply Rinv_0_lt_compat.
      assert (K' : between g' f).
      { intros a; specialize (K a). unfold g'. split; [apply Rmult_le_pos; lra|].
        apply Rmult_le_reg_l with k; [exact Hk|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l; lra. }
      replace g with (fun a => k * g' a) by (apply functional_extensionality; intros a; unfold g'; field; lra).
      rewrite E by exact K'. apply Rmult_le_compat_l; [lra | now apply meet_le_split].
  - apply Rle_antisym.
    + eapply Rle_trans; [apply meet_le_P; auto with bounded|]. rewrite expect_scale by exact B. lra.
    + rewrite Rmult_0_l. apply meet_nonneg; auto with bounded.
Qed.

(** On functions with a sign of their own: by positive and negative part. *)
Definition positive_part (f : A -> R) (a : A) : R := Rmax (f a) 0.
Definition negative_part (f : A -> R) (a : A) : R := Rmax (- f a) 0.
Definition signed (f : A -> R) : R := meet (positive_part f) - meet (negative_part f).

Lemma parts_nonneg f : nonneg (positive_part f) /\ nonneg (negative_part f).
Proof. split; intros a; apply Rmax_r. Qed.
Lemma parts_bounded f : bounded f -> bounded (positive_part f) /\ bounded (negative_part f).
Proof.
  intros [B H]; split; exists B; intros a; specialize (H a); apply Rabs_le_between in H; apply Rabs_le;
  unfold positive_part, negative_part, Rmax; destruct (Rle_dec _ _); lra.
Qed.

Lemma signed_nonneg f : bounded f -> nonneg f -> signed f = meet f.
Proof.
  intros B N. unfold signed.
  replace (positive_part f) with f by (apply functional_extensionality; intros a; unfold positive_part;
    rewrite Rmax_left; auto; apply Rle_ge, N).
  replace (negative_part f) with (fun a => 0 * f a).
  - rewrite meet_scale by (auto; lra). ring.
  - apply functional_extensionality; intros a. unfold negative_part. specialize (N a). rewrite Rmax_right by lra. ring.
Qed.

Lemma signed_difference f u v : bounded u -> nonneg u -> bounded v -> nonneg v -> bounded f ->
  (forall a, f a = u a - v a) -> signed f = meet u - meet v.
Proof.
  intros Bu Nu Bv Nv Bf E. destruct (parts_nonneg f) as [N1 N2]. destruct (parts_bounded Bf) as [B1 B2]. unfold signed.
  assert (H : meet (fun a => positive_part f a + v a) = meet (fun a => negative_part f a + u a)).
  { f_equal. apply functional_extensionality. intros a. specialize (E a). unfold positive_part, negative_part, Rmax.
    destruct (Rle_dec (f a) 0), (Rle_dec (- f a) 0); lra. }
  rewrite !meet_plus in H by assumption. lra.
Qed.

Lemma signed_plus f g : bounded f -> bounded g -> signed (fun a => f a + g a) = signed f + signed g.
Proof.
  intros Bf Bg. destruct (parts_nonneg f) as [N1 N2]. destruct (parts_bounded Bf) as [B1 B2].
  destruct (parts_nonneg g) as [N3 N4]. destruct (parts_bounded Bg) as [B3 B4].
  rewrite (@signed_difference (fun a => f a + g a) (fun a => positive_part f a + positive_part g a) (fun a =>
    negative_part f a + negative_part g a));
    auto with bounded; try (intros a; unfold nonneg in *; specialize (N1 a); specialize (N2 a); specialize (N3 a);
      specialize (N4 a); lra).
  - rewrite !meet_plus by assumption. unfold signed. ring.
  - intros a. unfold positive_part, negative_part, Rmax.
    destruct (Rle_dec (f a) 0), (Rle_dec (- f a) 0), (Rle_dec (g a) 0), (Rle_dec (- g a) 0); lra.
Qed.

Lemma signed_scale k f : bounded f -> signed (fun a => k * f a) = k * signed f.
Proof.
  intros Bf. destruct (parts_nonneg f) as [N1 N2]. destruct (parts_bounded Bf) as [B1 B2].
  assert (Pa : forall a, f a = positive_part f a - negative_part f a).
  { intros a. unfold positive_part, negative_part, Rmax. destruct (Rle_dec (f a) 0), (Rle_dec (- f a) 0); lra. }
  destruct (Rle_dec 0 k) as [Hk|Hk].
  - rewrite (@signed_difference (fun a => k * f a) (fun a => k * positive_part f a) (fun a => k * negative_part f a));
      auto with bounded;
      try (intros a; unfold nonneg in *; specialize (N1 a); specialize (N2 a); nra).
    + rewrite !meet_scale by assumption. unfold signed. ring.
    + intros a. rewrite (Pa a) at 1. ring.
  - apply Rnot_le_lt in Hk.
    rewrite (@signed_difference (fun a => k * f a) (fun a => - k * negative_part f a) (fun a => - k * positive_part f
      a)); auto with bounded;
      try (intros a; unfold nonneg in *; specialize (N1 a); specialize (N2 a); nra).
    + rewrite !meet_scale by (assumption || lra). unfold signed. ring.
    + intros a. rewrite (Pa a) at 1. ring.
Qed.

Definition mass : R := meet (fun _ => 1).
Hypothesis mass_pos : 0 < mass.

(** The meet, made a distribution. *)
Definition meet_dist : dist A.
Proof.
  refine {| expect := fun f => / mass * signed f |}.
  - intros; rewrite signed_plus by assumption; ring.
  - intros; rewrite signed_scale by assumption; ring.
  - intros f B N. rewrite signed_nonneg by assumption. apply Rmult_le_pos; [left;
      now apply Rinv_0_lt_compat | now apply meet_nonneg].
  - rewrite signed_nonneg by (auto with bounded; intros a; lra). fold mass. field; lra.
Defined.

Lemma meet_dist_value f : bounded f -> nonneg f -> mass * meet_dist f = meet f.
Proof. intros B N. simpl. rewrite signed_nonneg by assumption. field; lra. Qed.
End Meet.
