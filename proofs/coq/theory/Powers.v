(** * Powers with real exponents, and Young's inequality *)
From Coq Require Import Reals Lra Psatz.
From DPcore Require Import Distributions Indistinguishability.
Open Scope R_scope.
Set Implicit Arguments.

(** [x^a] for [x >= 0], with [0^a = 0]. *)
Definition rpow x a := if Rle_dec x 0 then 0 else Rpower x a.

Lemma rpow_nonneg x a : 0 <= rpow x a.
Proof. unfold rpow; destruct (Rle_dec x 0); [lra | left; apply exp_pos]. Qed.
Lemma rpow_pos x a : 0 < x -> rpow x a = Rpower x a.
Proof. intros; unfold rpow; destruct (Rle_dec x 0); lra. Qed.
Lemma rpow_gt_0 x a : 0 < x -> 0 < rpow x a.
Proof. intros; rewrite rpow_pos by assumption; apply exp_pos. Qed.
Lemma rpow_0 a : rpow 0 a = 0.
Proof. unfold rpow; destruct (Rle_dec 0 0); lra. Qed.
Lemma rpow_exp u a : rpow (exp u) a = exp (a * u).
Proof. rewrite rpow_pos by apply exp_pos. unfold Rpower. now rewrite ln_exp. Qed.

Lemma ln_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros H [K| ->]; [left; now apply ln_increasing | lra]. Qed.

Lemma rpow_le x y a : 0 <= a -> x <= y -> rpow x a <= rpow y a.
Proof.
  intros Ha H; unfold rpow; destruct (Rle_dec x 0), (Rle_dec y 0); try lra; [left; apply exp_pos|].
  unfold Rpower. apply exp_le, Rmult_le_compat_l; auto. apply ln_le; lra.
Qed.
Lemma rpow_rpow x a b : 0 <= x -> rpow (rpow x a) b = rpow x (a * b).
Proof.
  intros [H|<-]; [|now rewrite !rpow_0].
  rewrite (rpow_pos a H), (rpow_pos (a * b) H), rpow_pos by apply exp_pos. now rewrite Rpower_mult.
Qed.
Lemma rpow_1 x : 0 <= x -> rpow x 1 = x.
Proof. intros [H|<-]; [rewrite rpow_pos by assumption; now apply Rpower_1 | apply rpow_0]. Qed.
Lemma rpow_inv x a b : 0 <= x -> a * b = 1 -> rpow (rpow x a) b = x.
Proof. intros H E. rewrite rpow_rpow, E by assumption. now apply rpow_1. Qed.
Lemma rpow_mult x y a : 0 <= x -> 0 <= y -> rpow (x * y) a = rpow x a * rpow y a.
Proof.
  intros [Hx|<-] [Hy|<-]; try (rewrite ?Rmult_0_l, ?Rmult_0_r, ?rpow_0; lra).
  rewrite !rpow_pos by nra. symmetry; now apply Rpower_mult_distr.
Qed.
Lemma rpow_plus x a b : 0 <= x -> rpow x (a + b) = rpow x a * rpow x b.
Proof. intros [H|<-]; [rewrite !rpow_pos by assumption; apply Rpower_plus | rewrite !rpow_0; ring]. Qed.

Lemma bounded_rpow A (f : A -> R) a : 0 <= a -> bounded f -> bounded (fun x => rpow (f x) a).
Proof.
  intros Ha [B H]; exists (rpow B a); intros x. rewrite Rabs_pos_eq by apply rpow_nonneg.
  apply rpow_le; auto. specialize (H x). apply Rabs_le_between in H; lra.
Qed.

(** Young's inequality: the geometric mean is at most the arithmetic one, exp being convex. *)
Lemma young l x y : 0 <= l <= 1 -> 0 <= x -> 0 <= y -> rpow x l * rpow y (1 - l) <= l * x + (1 - l) * y.
Proof.
  intros Hl [Hx|<-] [Hy|<-]; try (rewrite ?rpow_0; nra).
  rewrite !rpow_pos by auto. unfold Rpower. rewrite <- exp_plus.
  set (a := ln x). set (b := ln y). rewrite <- (exp_ln x Hx), <- (exp_ln y Hy). fold a b.
  set (c := l * a + (1 - l) * b).
  assert (T : forall u, exp c * (1 + (u - c)) <= exp u).
  { intros u. pose proof (exp_ineq1_le (u - c)) as H. pose proof (exp_pos c).
    replace (exp u) with (exp c * exp (u - c)) by (rewrite <- exp_plus; f_equal; lra). nra. }
  pose proof (T a); pose proof (T b).
  replace (exp c) with (l * (exp c * (1 + (a - c))) + (1 - l) * (exp c * (1 + (b - c)))); [nra | unfold c; ring].
Qed.
