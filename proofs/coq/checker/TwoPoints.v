(** * Two distributions, either first, as a measurement of two inputs

    The theory speaks of private measurements, a bound of which holds both ways round. *)
From Coq Require Import Reals Lra List.
From DPcore Require Import Distributions Measures Metrics Combinators.
From DPchecker Require Import Language Losses.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition two_points : Metrics.metric bool :=
  {| within := fun (d : R) (x y : bool) => 0 <= d; within_sym := fun _ _ _ h => h; within_nonneg := fun _ _ _ h => h;
     within_le := fun _ _ _ _ hd h => Rle_trans _ _ _ h hd |}.
Definition either {A} (P Q : dist A) (b : bool) : dist A := if b then P else Q.

Lemma either_private m x A (P Q : dist A) l : nonneg_loss l -> meets m x P Q (real m l) -> meets m x Q P (real m l) ->
  private two_points (meets m x) (either P Q) (fun _ => real m l).
Proof. intros N H K d [] [] _; simpl; auto; now apply meets_same_loss. Qed.

(** Several measurements, seen at two inputs. *)
Section Seen.
Variables (X A : Type) (x y : X).
Definition seen (M : X -> dist A) : bool -> dist A := either (M x) (M y).

Lemma all_seen Ms b : all (map seen Ms) b = all Ms (if b then x else y).
Proof.
  induction Ms as [|M Ms IH]; [reflexivity|]. simpl.
  replace (fun a => bind (all (map seen Ms) b) (fun l => ret (a :: l))) with (fun a => bind (all Ms (if b then x else y)) (fun l => ret (a :: l))) by now rewrite IH.
  destruct b; reflexivity.
Qed.

Lemma seen_private m p Ms ls : Forall nonneg_loss ls ->
  Forall2 (fun M l => meets m p (M x) (M y) (real m l)) Ms ls -> Forall2 (fun M l => meets m p (M y) (M x) (real m l)) Ms ls ->
  Forall2 (private two_points (meets m p)) (map seen Ms) (map (fun l (_ : R) => real m l) ls).
Proof.
  intros N F G. revert G N. induction F as [|M l Ms ls H _ IH]; intros G N; [constructor|]. inversion G; inversion N; subst.
  simpl. constructor; [now apply either_private | now apply IH].
Qed.
End Seen.
