(** * Adaptive composition: what stages that cost no more than was declared cost together *)
From Coq Require Import List ZArith QArith Qreals Reals Lra Lia.
From DPcore Require Import Distributions Measures Metrics Combinators.
From DPchecker Require Import Language Meaning Distances Promises Facts StepFacts.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Adaptive.
Variable I : interpretation.
Notation data := (data I).
Context {L : Type} {O : losses L} (ms : Measures.measure L) {D : divergence ms} (source : metric) (choices : list func) (ls : list L).
Hypothesis as_many : length ls = length choices.
Hypothesis kept : stages_cost I ms source choices ls.

Theorem staged_close {C : composes ms} (x y : data) : apart source 1 x y -> ms (staged choices x) (staged choices y) (plus_all ls).
Proof.
  intros K. apply (div_post (ms := ms)). rewrite <- as_many. apply (adaptive_at (D := D)). intros seen l E. unfold chosen_stage.
  destruct (nth_error choices (length seen)) as [f|] eqn:F.
  - rewrite <- (rev_length seen) in E, F. exact (proj1 (kept F E x y) K).
  - apply nth_error_None in F. assert (nth_error ls (length seen) <> None) by congruence. apply nth_error_Some in H. lia.
Qed.

Theorem staged_same (x y : data) : apart source 0 x y -> same (staged choices x) (staged choices y).
Proof.
  intros K. apply same_bind; [|auto]. apply (adaptive_respects (m := between I source)); [|exact K].
  intros seen u v S. unfold chosen_stage. destruct (nth_error choices (length seen)) as [f|] eqn:F; [|apply same_refl].
  destruct (nth_error ls (length seen)) as [l|] eqn:E.
  - rewrite <- (rev_length seen) in E, F. exact (proj2 (kept F E u v) S).
  - apply nth_error_None in E. assert (nth_error choices (length seen) <> None) by congruence. apply nth_error_Some in H. lia.
Qed.
End Adaptive.
