(** * Mixtures

    A key is drawn, by the same chances whatever the data are, and what follows may depend on it. Where the loss is at most [l] for
    every key, it is at most [l] for the mixture: drawing the key is a first stage that costs nothing. This is joint
    quasi-convexity, of each measure. *)
From Coq Require Import Reals Lra.
From DPcore Require Import Distributions Indistinguishability Measures.
Open Scope R_scope.
Set Implicit Arguments.

Theorem mixture {L} {O : losses L} (ms : measure L) {D : divergence ms} (K A : Type) (key : dist K) (P Q : K -> dist A) (l : L) :
  (forall k, ms A (P k) (Q k) l) -> ms A (bind key P) (bind key Q) l.
Proof. apply div_inner. Qed.

(** Of trade-off curves, where at every rate a line supports the curve, as it does wherever the curve is convex. *)
Definition supported (beta : R -> R) :=
  forall alpha, 0 <= alpha <= 1 -> exists slope, forall a, 0 <= a <= 1 -> beta alpha + slope * (a - alpha) <= beta a.

Theorem mixture_tradeoff (K A : Type) (key : dist K) (P Q : K -> dist A) (beta : R -> R) : supported beta ->
  (forall k, tradeoff (P k) (Q k) beta) -> tradeoff (bind key P) (bind key Q) beta.
Proof.
  intros S H f F. cbn [bind expect]. set (alpha := key (fun k => P k f)).
  assert (TP : test (fun k => P k f)) by (intros k; now apply expect_test).
  assert (TQ : test (fun k => Q k f)) by (intros k; now apply expect_test).
  destruct (S alpha (expect_test key TP)) as [slope Line].
  assert (B : key (fun k => (beta alpha - slope * alpha) + (slope * P k f + Q k f)) <= key (fun _ => 1)).
  { apply expect_le; [auto with bounded | auto with bounded |]. intros k. specialize (H k f F). specialize (Line (P k f) (TP k)). lra. }
  rewrite expect_plus, expect_const, expect_plus, expect_scale, expect_const in B by auto 6 with bounded. fold alpha in B. lra.
Qed.
