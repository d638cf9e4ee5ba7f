(** * A filter of Renyi curves, at fixed orders (Feldman and Zrnic 2021; Whitehouse, Ramdas, Rogers, Wu 2023)

    What a question loses is a curve, and what was charged may come to at most the budget at every one of some orders, which are
    fixed before anything is asked. Then all answers lose at most the budget at each of them. At each order that is the argument of
    [Filters.v]; that whether a question fits depends on the other orders, too, changes nothing, as it is known before the answer
    ([FiltersBetween.v]). *)
From Coq Require Import Reals Lra List.
From DPcore Require Import Distributions Measures Metrics Renyi Filters FiltersBetween.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Order.
Variable alpha : R.
Hypothesis order : 1 < alpha.
Lemma composes_renyi_at : composes (renyi_at alpha).
Proof. constructor. intros. now apply at_most_bind. Qed.
Lemma divergence_renyi_at : divergence (renyi_at alpha).
Proof.
  apply divergence_of_composes; [exact composes_renyi_at | ..]; unfold renyi_at; simpl; intros.
  - now apply at_most_same.
  - now apply at_most_le with l.
  - eapply at_most_resp; eauto.
Qed.
End Order.

Theorem filter_renyi X A (ask : list (option A) -> option (X -> dist A)) (allowed : list (option A) -> bool)
  (cost : list (option A) -> R -> R) (budget : R -> R) (orders : list R) (x y : X) stages :
  (forall alpha, In alpha orders -> 1 < alpha /\ 0 <= budget alpha) ->
  (forall seen M alpha, ask seen = Some M -> allowed seen = true -> In alpha orders -> renyi_at alpha (M x) (M y) (cost seen alpha)) ->
  (forall seen alpha, allowed seen = true -> In alpha orders -> lost losses_number (fun s => cost s alpha) seen + cost seen alpha <= budget alpha) ->
  forall alpha, In alpha orders -> renyi_at alpha (answered ask allowed stages [] x) (answered ask allowed stages [] y) (budget alpha).
Proof.
  intros N honest within alpha I. destruct (N alpha I) as [order B].
  apply (@filter_between X A R _ (renyi_at alpha) ask allowed (fun s => cost s alpha) (divergence_renyi_at order) (composes_renyi_at order) _ x y);
    [exact B | intros seen M Q F; now apply honest | intros seen F; now apply within].
Qed.
