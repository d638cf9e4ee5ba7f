(** * Privacy filters whose account depends on more than a sum

    Questions about parts of the data are charged to their part, and the account takes the dearest. So what is charged in all is
    more than the budget. What is lost is not: two data sets 1 apart differ by d_j in part j, d_1 + d_2 + ... being at most s,
    and a question about part j, charged l, loses at most d_j/s l between these two. Whatever was asked, that adds up to at most
    the largest sum of charges of one part.

    So here what a question loses between two data sets is named for these two, and may be less between them than between others;
    the account, whatever it looks at, is to see that it adds up to no more than the budget. *)
From Coq Require Import Reals List.
From DPcore Require Import Distributions Measures Metrics Filters.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Between.
Variables (X A L : Type) (O : losses L) (ms : measure L).
Variables (ask : list (option A) -> option (X -> dist A)) (allowed : list (option A) -> bool).

(** What is asked next is answered if the account allows it, having seen all that came before; else the refusal is seen. *)
Fixpoint answered (stages : nat) (seen : list (option A)) (x : X) : dist (list (option A)) :=
  match stages, ask seen with
  | S stages, Some M =>
      if allowed seen then bind (M x) (fun a => answered stages (Some a :: seen) x) else answered stages (None :: seen) x
  | _, _ => ret seen
  end.

(** What the questions that were answered lost between two data sets, each what it may lose after what was seen before it. *)
Variable cost : list (option A) -> L.
Fixpoint lost (seen : list (option A)) : L :=
  match seen with [] => zero | None :: seen => lost seen | Some _ :: seen => plus (lost seen) (cost seen) end.

Theorem filter_between (D : divergence ms) (C : composes ms) (H : remains O) (x y : X) (budget : L) stages : le zero budget ->
  (forall seen M, ask seen = Some M -> allowed seen = true -> ms (M x) (M y) (cost seen)) ->
  (forall seen, allowed seen = true -> le (plus (lost seen) (cost seen)) budget) ->
  ms (answered stages [] x) (answered stages [] y) budget.
Proof.
  intros N honest within.
  assert (P : forall seen r, budget = plus (lost seen) r -> le zero r -> ms (answered stages seen x) (answered stages seen y) r).
  { induction stages as [|n IH]; intros seen r E Nr.
    - apply div_le with zero; [exact Nr | apply div_same, same_refl].
    - cbn [answered]. destruct (ask seen) as [M|] eqn:Q; [|apply div_le with zero; [exact Nr | apply div_same, same_refl]].
      destruct (allowed seen) eqn:F; [|now apply IH].
      destruct (left_over _ _ (within seen F)) as (r' & E' & Nr').
      assert (r = plus (cost seen) r') as -> by (apply (plus_cancel (lost seen)); now rewrite <- E, E', plus_assoc).
      apply div_bind; [now apply honest | intros a; now apply IH]. }
  apply P; [cbn [lost]; now rewrite plus_zero | exact N].
Qed.
End Between.
