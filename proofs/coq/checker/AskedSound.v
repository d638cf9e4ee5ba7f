(** * Questions within a budget: what all answers cost together, however the questions were chosen *)
From Coq Require Import List ZArith QArith Qreals Reals Lra.
From DPcore Require Import Distributions Measures Metrics Renyi Filters Talk HiddenThreshold Interleaved.
From DPcore Require RenyiFilter.
From DPchecker Require Import Language Meaning Numbers Distances Losses Promises StepFacts Orders.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(** A measure whose losses are taken from two numbers: these add up as the losses do. *)
Section Taken.
Variable m : measure.
Hypothesis figures_only : curved m = false.
Lemma taken_zero : taken_as m zero = zero. Proof. destruct m; reflexivity. Qed.
Lemma taken_plus k l : plus (taken_as m k) (taken_as m l) = taken_as m (plus k l). Proof. destruct m; reflexivity. Qed.
Lemma taken_le k l : le k l -> le (taken_as m k) (taken_as m l). Proof. destruct m; intros [H K]; simpl; auto. Qed.
Lemma taken_real l : taken_as m (Q2R (fst l), Q2R (snd l)) = real m l. Proof. destruct m; reflexivity. Qed.

Lemma counted_composes : composes (counted m).
Proof.
  pose proof (composes_of m 0 (figures_add _ figures_only)) as C. constructor. unfold counted. intros A B P Q K K' k l H H'.
  rewrite <- taken_plus. now apply div_bind.
Qed.
Lemma counted_divergence : divergence (counted m).
Proof.
  assert (NT : m <> MTradeoff) by (intros E; rewrite E in figures_only; discriminate). pose proof (divergence_of 0 NT) as D.
  apply divergence_of_composes; [exact counted_composes | ..]; unfold counted; intros.
  - rewrite taken_zero. now apply meets_same.
  - apply meets_le with (taken_as m l); [now apply taken_le | assumption].
  - eapply div_resp; eassumption.
Qed.
End Taken.

Section Asked.
Variable I : interpretation.
Notation data := (data I).
Variables (m : measure) (source : metric) (budget more : Q).
Hypothesis figures_only : curved m = false.
Hypothesis kept : questions_cost I m source budget more.

Theorem answers_close (x y : data) : 0 <= Q2R budget -> 0 <= Q2R more -> apart source 1 x y ->
  meets m 0 (answers budget more x) (answers budget more y) (real m (budget, more)).
Proof.
  intros N1 N2 K. apply meets_post. rewrite <- taken_real. change (apart source 1 x y) with (between I source 1 x y) in K.
  exact (@charged_private _ _ _ losses_pair (counted m) (asks I budget more) _ (between I source) kept (counted_divergence figures_only)
    (counted_composes figures_only) remains_pair (Q2R budget, Q2R more) (patience I) (conj N1 N2) (both_up_to_ok (Q2R budget, Q2R more)) x y K).
  exact figures_only.
Qed.

Theorem answers_same (x y : data) : apart source 0 x y -> same (answers budget more x) (answers budget more y).
Proof. intros K. apply same_bind; [|auto]. exact (@charged_respects _ _ _ losses_pair (counted m) _ _ (between I source) kept (patience I) x y K). Qed.
End Asked.

(** Of curves, at the orders of the budget. *)
Section At_orders.
Variable I : interpretation.
Notation data := (data I).
Variables (source : metric) (points : list (Q * Q)).
Hypothesis kept : curves_cost I source points.
Hypothesis orders : forall p, In p points -> 1 < Q2R (fst p) /\ 0 <= Q2R (snd p).

Lemma orders_in_reals : forall p, In p (in_reals points) -> 1 < fst p /\ 0 <= snd p.
Proof. intros q J. apply in_map_iff in J. destruct J as (r & <- & Jr). now apply orders. Qed.

Theorem at_orders_close (x y : data) order most : apart source 1 x y -> least_from points order = Some most ->
  meets MRenyi (Q2R order) (answers_at_orders points x) (answers_at_orders points y) (Q2R most).
Proof.
  intros K L. apply (@meets_post MRenyi). intros O. apply least_from_ok in L. destruct L as (p & J & Le & <-).
  refine (@RenyiFilter.filter_within _ _ (asks_at_orders I points) (in_reals points) (between I source) orders_in_reals kept (patience I) (Q2R order) _ O _ x y K).
  exists (Q2R (fst p), Q2R (snd p)). split; [exact (in_map (fun p => (Q2R (fst p), Q2R (snd p))) points p J)|]. split; [exact Le | apply Rle_refl].
Qed.

Theorem at_orders_same (x y : data) : apart source 0 x y -> same (answers_at_orders points x) (answers_at_orders points y).
Proof.
  intros K. apply same_bind; [|auto]. exact (@RenyiFilter.filter_respects _ _ (asks_at_orders I points) (in_reals points) (between I source) kept (patience I) x y K).
Qed.
End At_orders.

(** One above-threshold, asked query by query. *)
Section Compared.
Variable I : interpretation.
Notation data := (data I).
Variables (threshold : Z) (bT bQ : Q) (hits : positive) (source : metric).
Hypothesis kept : @queries_move I source (compares I threshold bT bQ hits).
Hypotheses (T : 0 < Q2R bT) (Q : 0 < Q2R bQ).
Notation loss := (/ Q2R bT + 2 * IZR (Zpos hits) * / Q2R bQ).

Theorem compared_by_turns_close (x y : data) : apart source 1 x y ->
  pure (compared_by_turns threshold bT bQ hits x) (compared_by_turns threshold bT bQ hits y) loss.
Proof.
  intros K. unfold compared_by_turns. destruct (Rlt_dec 0 (Q2R bT)) as [T'|]; [|contradiction]. destruct (Rlt_dec 0 (Q2R bQ)) as [Q'|]; [|contradiction].
  apply (div_post (ms := pure)).
  replace loss with (1 * whole_loss 1 (Q2R bT) (Q2R bQ) (Pos.to_nat hits)) by (unfold whole_loss; rewrite INR_IZR_INZ, positive_nat_Z; field; lra).
  assert (H : honest_talk pure (alone threshold (Pos.to_nat hits) T' Q' (compares I threshold bT bQ hits)) (between I source)).
  { apply alone_honest. intros s q u v E. exact (kept E u v). }
  rewrite Rmult_1_l. exact (@charged_private _ _ _ losses_number pure _ _ (between I source) H _ _ remains_number _ (patience I)
    (alone_nonneg (Pos.to_nat hits) T' Q') (up_to_ok _) x y K).
Qed.

Theorem compared_by_turns_same (x y : data) : apart source 0 x y ->
  same (compared_by_turns threshold bT bQ hits x) (compared_by_turns threshold bT bQ hits y).
Proof.
  intros K. unfold compared_by_turns. destruct (Rlt_dec 0 (Q2R bT)) as [T'|]; [|apply same_refl]. destruct (Rlt_dec 0 (Q2R bQ)) as [Q'|]; [|apply same_refl].
  apply same_bind; [|auto]. refine (@charged_respects _ _ _ losses_number pure _ _ (between I source) _ (patience I) x y K).
  apply alone_honest. intros s q u v E. exact (kept E u v).
Qed.
End Compared.
