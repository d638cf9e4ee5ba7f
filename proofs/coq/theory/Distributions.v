(** * Distributions

    A distribution on [A] is what it does to tests: the expectation [P f] of every bounded function [f : A -> R]. It is
    linear, positive, and sends 1 to 1. Nothing is assumed of [A]: no sigma-algebra, no countability. Mass functions on
    finite lists ([choose]) and on the integers ([Laplace.v], [Gaussian.v]) are instances. *)
From Coq Require Import Reals Lra List.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition bounded {A} (f : A -> R) := exists B, forall a, Rabs (f a) <= B.
Definition nonneg {A} (f : A -> R) := forall a, 0 <= f a.

(** A test answers with a probability. An event is a test with values 0 and 1. *)
Definition test {A} (f : A -> R) := forall a, 0 <= f a <= 1.

Record dist (A : Type) := {
  expect :> (A -> R) -> R;
  expect_plus : forall f g, bounded f -> bounded g -> expect (fun a => f a + g a) = expect f + expect g;
  expect_scale : forall c f, bounded f -> expect (fun a => c * f a) = c * expect f;
  expect_nonneg : forall f, bounded f -> nonneg f -> 0 <= expect f;
  expect_one : expect (fun _ => 1) = 1 }.

(** Two distributions are the same if no bounded function tells them apart. *)
Definition same {A} (P Q : dist A) := forall f, bounded f -> P f = Q f.

Lemma Rabs_le_between a b : Rabs a <= b -> - b <= a <= b.
Proof. unfold Rabs; destruct (Rcase_abs a); lra. Qed.

Lemma test_bounded A (f : A -> R) : test f -> bounded f.
Proof. intros H; exists 1; intros a; destruct (H a); rewrite Rabs_pos_eq; lra. Qed.

Lemma test_nonneg A (f : A -> R) : test f -> nonneg f.
Proof. intros H a; apply H. Qed.

Lemma bounded_const A c : bounded (fun _ : A => c).
Proof. exists (Rabs c); intros; lra. Qed.

Lemma bounded_plus A (f g : A -> R) : bounded f -> bounded g -> bounded (fun a => f a + g a).
Proof.
  intros [B H] [C K]; exists (B + C); intros a.
  eapply Rle_trans; [apply Rabs_triang | specialize (H a); specialize (K a); lra].
Qed.

Lemma bounded_scale A c (f : A -> R) : bounded f -> bounded (fun a => c * f a).
Proof.
  intros [B H]; exists (Rabs c * B); intros a; rewrite Rabs_mult.
  apply Rmult_le_compat_l; [apply Rabs_pos | apply H].
Qed.

#[export] Hint Resolve test_bounded test_nonneg bounded_const bounded_plus bounded_scale : bounded.

Section Laws.
Variables (A : Type) (P : dist A).

Lemma expect_const c : P (fun _ => c) = c.
Proof.
  assert (H : P (fun _ : A => c * 1) = c * P (fun _ => 1)) by (apply (expect_scale P c), bounded_const).
  rewrite expect_one in H; replace (c * 1) with c in H by lra; lra.
Qed.

Lemma expect_le f g : bounded f -> bounded g -> (forall a, f a <= g a) -> P f <= P g.
Proof.
  intros Bf Bg H.
  assert (K : 0 <= P (fun a => g a + (-1) * f a)).
  { apply expect_nonneg; [auto with bounded | intros a; specialize (H a); lra]. }
  rewrite expect_plus, expect_scale in K; auto with bounded; lra.
Qed.

Lemma expect_ext f g : bounded f -> (forall a, f a = g a) -> P f = P g.
Proof.
  intros [B H] E. assert (bounded f) by (now exists B). assert (bounded g) by (exists B; intros a; now rewrite <- E).
  apply Rle_antisym; apply expect_le; auto; intros a; rewrite E; lra.
Qed.

Lemma expect_test f : test f -> 0 <= P f <= 1.
Proof.
  intros H; split; [apply expect_nonneg; auto with bounded|].
  rewrite <- (expect_const 1); apply expect_le; auto with bounded; intros a; apply H.
Qed.

Lemma expect_bound f B : (forall a, Rabs (f a) <= B) -> Rabs (P f) <= B.
Proof.
  intros H; assert (bounded f) by (now exists B). apply Rabs_le; split.
  - rewrite <- (expect_const (-B)); apply expect_le; auto with bounded.
    intros a; specialize (H a); apply Rabs_le_between in H; lra.
  - rewrite <- (expect_const B); apply expect_le; auto with bounded.
    intros a; specialize (H a); apply Rabs_le_between in H; lra.
Qed.

(** A distribution lives on something. *)
Lemma dist_inhabited : ~ (A -> False).
Proof.
  intros E. assert (P (fun _ => 1) = P (fun _ => 0)) by (apply expect_ext; auto with bounded; intros a; destruct (E a)).
  rewrite !expect_const in H; lra.
Qed.
End Laws.

(** ** How distributions are made *)

(** The point mass. *)
Definition ret {A} (a : A) : dist A.
Proof. refine {| expect := fun f => f a |}; auto. Defined.

Lemma bounded_expect A B (k : A -> dist B) f : bounded f -> bounded (fun a => k a f).
Proof. intros [C H]; exists C; intros a; now apply expect_bound. Qed.
#[export] Hint Resolve bounded_expect : bounded.

(** Draw [a] from [m], then draw from [k a]. *)
Definition bind {A B} (m : dist A) (k : A -> dist B) : dist B.
Proof.
  refine {| expect := fun f => m (fun a => k a f) |}.
  - intros f g Hf Hg. rewrite <- expect_plus by auto with bounded.
    apply expect_ext; [apply (bounded_expect k); auto with bounded | intros a; now apply expect_plus].
  - intros c f Hf. rewrite <- expect_scale by auto with bounded.
    apply expect_ext; [apply (bounded_expect k); auto with bounded | intros a; now apply expect_scale].
  - intros f Hf H. apply expect_nonneg; auto with bounded. intros a; now apply expect_nonneg.
  - transitivity (m (fun _ => 1)); [|apply expect_one].
    apply expect_ext; [apply (bounded_expect k); auto with bounded | intros; apply expect_one].
Defined.

(** Toss a coin that shows heads with probability [p]: heads [P], tails [Q]. *)
Definition mix {A} (p : R) (H : 0 <= p <= 1) (P Q : dist A) : dist A.
Proof.
  refine {| expect := fun f => p * P f + (1 - p) * Q f |}.
  - intros; rewrite !expect_plus by auto; lra.
  - intros; rewrite !expect_scale by auto; lra.
  - intros f Hf Hp. pose proof (expect_nonneg P Hf Hp); pose proof (expect_nonneg Q Hf Hp); nra.
  - rewrite !expect_one; lra.
Defined.

(** Sums over a list, and the choice of one member with given probabilities. *)
Definition sum {C} (h : C -> R) (cs : list C) : R := fold_right (fun c s => h c + s) 0 cs.

Lemma sum_plus C (g h : C -> R) cs : sum (fun c => g c + h c) cs = sum g cs + sum h cs.
Proof. induction cs; simpl; lra. Qed.
Lemma sum_scale C k (h : C -> R) cs : sum (fun c => k * h c) cs = k * sum h cs.
Proof. induction cs; simpl; lra. Qed.
Lemma sum_le C (g h : C -> R) cs : (forall c, In c cs -> g c <= h c) -> sum g cs <= sum h cs.
Proof. induction cs as [|c cs IH]; simpl; intros H; [lra|]. apply Rplus_le_compat; auto. Qed.
Lemma sum_ext C (g h : C -> R) cs : (forall c, In c cs -> g c = h c) -> sum g cs = sum h cs.
Proof. intros H; apply Rle_antisym; apply sum_le; intros c I; rewrite (H c I); lra. Qed.
Lemma sum_nonneg C (h : C -> R) cs : (forall c, In c cs -> 0 <= h c) -> 0 <= sum h cs.
Proof. induction cs as [|c cs IH]; simpl; intros H; [lra|]. apply Rplus_le_le_0_compat; auto. Qed.

Definition choose {C} (w : C -> R) (cs : list C) (W : forall c, 0 <= w c) (One : sum w cs = 1) : dist C.
Proof.
  refine {| expect := fun f => sum (fun c => w c * f c) cs |}.
  - intros. rewrite <- sum_plus. apply sum_ext; intros; ring.
  - intros. rewrite <- sum_scale. apply sum_ext; intros; ring.
  - intros f _ F. apply sum_nonneg; intros. apply Rmult_le_pos; auto.
  - transitivity (sum w cs); [apply sum_ext; intros; ring | exact One].
Defined.

(** ** Equality of distributions *)
Lemma same_refl A (P : dist A) : same P P. Proof. intros f _; reflexivity. Qed.
Lemma same_sym A (P Q : dist A) : same P Q -> same Q P. Proof. intros H f B; symmetry; auto. Qed.
Lemma same_bind A B (P Q : dist A) (K L : A -> dist B) :
  same P Q -> (forall a, same (K a) (L a)) -> same (bind P K) (bind Q L).
Proof. intros H HK f Bf; simpl. rewrite H by auto with bounded.
apply expect_ext; [auto with bounded | intros; now apply HK]. Qed.
#[export] Hint Resolve same_refl : core.
