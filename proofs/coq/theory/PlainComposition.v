(** * Advanced composition, or the plain sum of the epsilons where that is less *)
From Coq Require Import Reals Lra List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Combinators AdvancedComposition ApproxComposition Composition.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Plain.
Variables (X A : Type) (m : metric X) (Ms : list (X -> dist A)) (slack : R).
Hypothesis between : 0 < slack < 1.

Theorem advanced_or_plain_pure (losses : list (R -> R)) : Forall2 (private m pure) Ms losses ->
  (forall l d, In l losses -> 0 <= d -> 0 <= l d) ->
  private m approx (all Ms)
    (fun d => (Rmin (sum (fun l => l d) losses) (sqrt (2 * ln (1 / slack) * squares losses d) + drifts losses d), slack)).
Proof.
  intros H N d x y D. unfold Rmin. destruct (Rle_dec _ _).
  - apply ind_weaken with (sum (fun l => l d) losses) 0; [apply Rle_refl | cbn [fst snd]; lra | exact (compose_pure H d x y D)].
  - exact (advanced_composition_pure H N between d x y D).
Qed.

Theorem advanced_or_plain_approx (losses : list (R -> R * R)) : Forall2 (private m approx) Ms losses ->
  (forall l d, In l losses -> 0 <= d -> 0 <= fst (l d) /\ 0 <= snd (l d)) ->
  private m approx (all Ms)
    (fun d => (Rmin (sum (fun l => fst (l d)) losses) (sqrt (2 * ln (1 / slack) * squares (epsilons losses) d) + drifts (epsilons losses) d),
      slack + total_delta losses d)).
Proof.
  intros H N d x y D. unfold Rmin. destruct (Rle_dec _ _).
  - apply ind_weaken with (sum (fun l => fst (l d)) losses) (total_delta losses d); [apply Rle_refl | cbn [fst snd]; lra | exact (compose_approx H d x y D)].
  - exact (advanced_composition_approx H N between d x y D).
Qed.
End Plain.
