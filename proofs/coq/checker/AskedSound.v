(** * Questions within a budget: what all answers cost together, however the questions were chosen *)
From Coq Require Import List ZArith QArith Qreals Reals Lra.
From DPcore Require Import Distributions Measures Metrics Filters.
From DPchecker Require Import Language Meaning Numbers Distances Losses Promises StepFacts.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(** A measure whose losses are taken from two numbers: these add up as the losses do. *)
Section Taken.
Variable m : measure.
Hypothesis figures_only : curved m = false.
Definition counted : Measures.measure (R * R) := fun A P Q l => meets m 0 P Q (taken_as m l).

Lemma taken_zero : taken_as m zero = zero. Proof. destruct m; reflexivity. Qed.
Lemma taken_plus k l : plus (taken_as m k) (taken_as m l) = taken_as m (plus k l). Proof. destruct m; reflexivity. Qed.
Lemma taken_le k l : le k l -> le (taken_as m k) (taken_as m l). Proof. destruct m; intros [H K]; simpl; auto. Qed.
Lemma taken_real l : taken_as m (Q2R (fst l), Q2R (snd l)) = real m l. Proof. destruct m; reflexivity. Qed.

Lemma counted_composes : composes counted.
Proof.
  pose proof (composes_of m 0 (figures_add _ figures_only)) as C. constructor. unfold counted. intros A B P Q K K' k l H H'.
  rewrite <- taken_plus. now apply div_bind.
Qed.
Lemma counted_divergence : divergence counted.
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
  refine (@filter _ _ _ losses_pair (counted m) _ _ (counted_divergence figures_only) (counted_composes figures_only) _ (between I source) 1 _ _ _ (patience I) _ x y K).
  - intros spent H. exact (both_up_to_ok _ _ H).
  - intros seen l M Q u v S. exact (proj1 (kept Q u v) S).
  - split; [exact N1 | exact N2].
  - exact figures_only.
Qed.

Theorem answers_same (x y : data) : apart source 0 x y -> same (answers budget more x) (answers budget more y).
Proof.
  intros K. apply same_bind; [|auto]. refine (@filtered_respects _ _ _ losses_pair (between I source) _ _ _ (patience I) _ _ x y K).
  intros seen l M Q u v S. exact (proj2 (kept Q u v) S).
Qed.
End Asked.
