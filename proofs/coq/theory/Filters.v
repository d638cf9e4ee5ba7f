(** * What an account of losses looks at: what is left of a budget, and whether a charge fits *)
From Coq Require Import Reals Lra.
From DPcore Require Import LossOrder.
Open Scope R_scope.
Set Implicit Arguments.

(** Losses of which what is left can be told. *)
Class remains {L : Type} (O : losses L) := {
  left_over : forall a b : L, le a b -> exists r, b = plus a r /\ le zero r;
  plus_cancel : forall a b c : L, plus a b = plus a c -> b = c }.

#[export] Instance remains_number : remains losses_number.
Proof. constructor; simpl; [intros a b H; exists (b - a); lra | intros; lra]. Qed.
#[export] Instance remains_pair : remains losses_pair.
Proof.
  constructor; simpl; [intros (a, b) (c, d) [H K]; exists (c - a, d - b); simpl in *; split; [f_equal; ring | lra]|].
  intros (a, b) (c, d) (e, f) H; simpl in H. injection H; intros. f_equal; lra.
Qed.

Definition up_to (budget spent : R) : bool := if Rle_dec spent budget then true else false.
Definition both_up_to (budget spent : R * R) : bool := (up_to (fst budget) (fst spent) && up_to (snd budget) (snd spent))%bool.
Lemma up_to_ok budget spent : up_to budget spent = true -> spent <= budget.
Proof. unfold up_to. now destruct (Rle_dec spent budget). Qed.
Lemma both_up_to_ok budget spent : both_up_to budget spent = true -> fst spent <= fst budget /\ snd spent <= snd budget.
Proof. intros H. apply andb_prop in H. split; now apply up_to_ok. Qed.
