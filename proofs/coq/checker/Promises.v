(** * What a derivation takes on trust

    Some rules rest on what their author declares and nobody can derive: how far one step of the input moves several
    functions of it at once, or what stages chosen by a program cost. Each is printed as an assumption. [promises] says it of
    an interpretation, and the theorems about a derivation hold for the interpretations that keep what it promises. *)
From Coq Require Import List QArith Qreals Reals.
From DPcore Require Import Norms Totals.
From DPchecker Require Import Language Meaning Numbers Exponentials Distances Losses.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Promises.
Variable I : interpretation.

(** One row, or one row in place of another, moves the answers to these queries by at most so much in all. It is asked only
    where that is less than their number, which is true of answers from 0 to 1. *)
Definition answers_move (m : from) (queries : list expr) (most : R) : Prop :=
  forall of, let g := answers_step I of queries in let answers := map (answer_in I of g) queries in 0 < Q2R g ->
  match m with
  | FromChangeOne => forall r s : row I, norm1 (change (Q2R g) answers r s) <= most
  | _ => forall r : row I, norm1 (column (Q2R g) answers r) <= most
  end.

Definition promise_of (r : rule) (premises : list node) : Prop :=
  match r with
  | LinearQueries m queries most => Q2R most < INR (length queries) -> answers_move m queries (Q2R most)
  | _ => True
  end.

Fixpoint promises (n : node) : Prop :=
  match n with
  | Tree r ps => promise_of r ps /\ (fix go ps := match ps with [] => True | p :: ps => promises p /\ go ps end) ps
  end.

Lemma promises_all r ps : promises (Tree r ps) -> promise_of r ps /\ Forall promises ps.
Proof. intros [H K]; split; [exact H|]. clear H; induction ps; constructor; [apply K | now apply IHps]. Qed.
End Promises.
