(** * Above-threshold on data: scores in steps of 1, which is the grid of its noise *)
From Coq Require Import List ZArith QArith Qreals Reals Lra Lia.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms AboveThreshold.
From DPchecker Require Import Language Meaning Numbers Distances Facts Grids.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Data.
Variable I : interpretation.
Notation data := (data I).

Section AboveThreshold.
Variables (threshold : Z) (bT bQ : R) (hits : positive).
Hypotheses (T_pos : 0 < bT) (Q_pos : 0 < bQ).
Notation ways := (hits_above threshold bT bQ hits).

Lemma hits_above_is : exists T Q, ways = above_threshold threshold (bT := bT) (bQ := bQ) T Q (pred (Pos.to_nat hits)).
Proof. unfold hits_above. destruct (Rlt_dec 0 bT); [|contradiction]. destruct (Rlt_dec 0 bQ); [eauto | contradiction]. Qed.
Lemma hits_INR : INR (S (pred (Pos.to_nat hits))) = IZR (Zpos hits).
Proof. rewrite Nat.succ_pred_pos by apply Pos2Nat.is_pos. now rewrite INR_IZR_INZ, positive_nat_Z. Qed.

Lemma compared_close m D e (x y : data) : match m with LInf | Range => True | _ => False end -> 0 <= e ->
  (forall v w, apart m D (Vector 1 v : data) (Vector 1 w) -> pure (ways v) (ways w) e) ->
  apart m D x y -> pure (compared ways x) (compared ways y) e.
Proof.
  intros M E H K. destruct m; try tauto; destruct x, y; cbn [apart] in K; try tauto; destruct K as [<- K]; cbn [compared];
  (destruct (times g 1) as [k|] eqn:T; [|apply (div_le (ms := pure)) with zero; [exact E | apply (div_same (ms := pure)), same_refl]]);
  apply (div_post (ms := pure)), H; (split; [reflexivity | exact (vectors_times T K)]).
Qed.

Theorem compared_linf D (x y : data) : apart LInf D x y ->
  pure (compared ways x) (compared ways y) (D / bT + 2 * IZR (Zpos hits) * D / bQ).
Proof.
  intros K. pose proof (apart_nonneg K) as D0. destruct hits_above_is as (T & Q & E).
  apply (@compared_close LInf D); [exact Logic.I | | | exact K].
  - apply Rplus_le_le_0_compat; apply Rdiv_nonneg; auto. pose proof (IZR_le 0 (Zpos hits) ltac:(lia)). nra.
  - intros v w [_ V]. rewrite Q2R_1 in V. rewrite E, <- hits_INR. exact (above_threshold_linf _ _ T Q V).
Qed.
Theorem compared_range D (x y : data) : apart Range D x y ->
  pure (compared ways x) (compared ways y) (D / bT + IZR (Zpos hits) * D / bQ).
Proof.
  intros K. pose proof (apart_nonneg K) as D0. destruct hits_above_is as (T & Q & E).
  apply (@compared_close Range D); [exact Logic.I | | | exact K].
  - apply Rplus_le_le_0_compat; apply Rdiv_nonneg; auto. pose proof (IZR_le 0 (Zpos hits) ltac:(lia)). nra.
  - intros v w [_ V]. rewrite Q2R_1 in V. rewrite E, <- hits_INR. exact (above_threshold_range _ _ T Q V).
Qed.
End AboveThreshold.

Lemma compared_same m way (x y : data) : match m with LInf | Range => True | _ => False end -> apart m 0 x y -> compared way x = compared way y.
Proof.
  intros M K. destruct m; try tauto; destruct x, y; cbn [apart] in K; try tauto; pose proof K as [<- _]; cbn [compared];
  (destruct (times g 1) as [k|] eqn:T; [|reflexivity]); apply times_ok in T; destruct T as (G & _).
  - now rewrite (@vectors_0 I LInf g v v0 G Logic.I K).
  - now rewrite (@vectors_0 I Range g v v0 G Logic.I K).
Qed.
End Data.
