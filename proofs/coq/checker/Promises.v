(** * What a derivation takes on trust

    Some rules rest on what their author declares and nobody can derive: how far one step of the input moves several
    functions of it at once, or what stages chosen by a program cost. Each is printed as an assumption. [promises] says it of
    an interpretation, and the theorems about a derivation hold for the interpretations that keep what it promises. *)
From Coq Require Import List.
From DPchecker Require Import Language Meaning Numbers Exponentials Distances Losses.
Import ListNotations.
Set Implicit Arguments.

Section Promises.
Variable I : interpretation.

Definition promise_of (r : rule) (premises : list node) : Prop :=
  match r with
  | LinearQueries _ _ _ => forall r : row I, True (* to come *)
  | _ => True
  end.

Fixpoint promises (n : node) : Prop :=
  match n with
  | Tree r ps => promise_of r ps /\ (fix go ps := match ps with [] => True | p :: ps => promises p /\ go ps end) ps
  end.

Lemma promises_all r ps : promises (Tree r ps) -> promise_of r ps /\ Forall promises ps.
Proof. intros [H K]; split; [exact H|]. clear H; induction ps; constructor; [apply K | now apply IHps]. Qed.
End Promises.
