(** * Maps that are promised at some distances

    What is promised at a distance holds at every smaller one. Of several promises that cover a distance, one is taken as it
    stands: the lowest. *)
From Coq Require Import List QArith Qreals Reals Lra.
From DPchecker Require Import Numbers.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Promised.
Variables (A : Type) (lower : A -> A -> A).
Fixpoint promised_at (t : list (Q * A)) (d : Q) : option A :=
  match t with
  | [] => None
  | p :: t =>
      if Qle_bool d (fst p) then Some (match promised_at t d with Some e => lower (snd p) e | None => snd p end) else promised_at t d
  end.

Lemma promised_at_in t d e : (forall a b, lower a b = a \/ lower a b = b) -> promised_at t d = Some e ->
  exists far, In (far, e) t /\ Q2R d <= Q2R far.
Proof.
  intros L. revert e; induction t as [|[far a] t IH]; intros e; simpl; [discriminate|].
  assert (Rest : forall u, promised_at t d = Some u -> exists f, ((far, a) = (f, u) \/ In (f, u) t) /\ Q2R d <= Q2R f).
  { intros u H. destruct (IH u H) as (f & J & D). eauto. }
  destruct (Qle_bool d far) eqn:E; [|apply Rest]. apply Qle_R in E. intros H; injection H as <-.
  assert (Here : exists f, ((far, a) = (f, a) \/ In (f, a) t) /\ Q2R d <= Q2R f) by eauto.
  destruct (promised_at t d) as [u|]; [|exact Here]. destruct (L a u) as [-> | ->]; [exact Here | now apply Rest].
Qed.
End Promised.

Definition Qlower (a b : Q) : Q := if Qle_bool a b then a else b.

(** ** The same of real distances *)
Fixpoint lowest (t : list (Q * Q)) (d : R) : option R :=
  match t with
  | [] => None
  | p :: t =>
      if Rle_dec d (Q2R (fst p)) then Some (match lowest t d with Some e => Rmin (Q2R (snd p)) e | None => Q2R (snd p) end) else lowest t d
  end.

Lemma lowest_q t d : lowest t (Q2R d) = option_map Q2R (promised_at Qlower t d).
Proof.
  induction t as [|p t IH]; simpl; [reflexivity|]. destruct (Qle_bool d (fst p)) eqn:E.
  - apply Qle_R in E. destruct (Rle_dec _ _); [|contradiction]. rewrite IH. destruct (promised_at Qlower t d) as [e|]; [|reflexivity].
    simpl. f_equal. unfold Qlower. destruct (Qle_bool (snd p) e) eqn:F; [apply Qle_R in F; now rewrite Rmin_left|].
    apply Qgt_R in F. rewrite Rmin_right; lra.
  - apply Qgt_R in E. destruct (Rle_dec _ _); [lra | exact IH].
Qed.

Lemma lowest_le t a b v : a <= b -> lowest t b = Some v -> exists u, lowest t a = Some u /\ u <= v.
Proof.
  intros H. revert v; induction t as [|p t IH]; intros v; simpl; [discriminate|].
  destruct (Rle_dec b (Q2R (fst p))) as [B|B].
  - destruct (Rle_dec a (Q2R (fst p))) as [A|A]; [|lra]. intros E; injection E as <-. eexists; split; [reflexivity|].
    destruct (lowest t b) as [e|]; [destruct (IH e eq_refl) as (u & -> & U); now apply Rle_min_compat_l|].
    destruct (lowest t a); [apply Rmin_l | lra].
  - intros E. destruct (IH v E) as (u & -> & U). destruct (Rle_dec a (Q2R (fst p))); eexists; (split; [reflexivity|]); [|exact U].
    eapply Rle_trans; [apply Rmin_r | exact U].
Qed.

Lemma lowest_in t d v : lowest t d = Some v -> exists far e, In (far, e) t /\ d <= Q2R far /\ v = Q2R e.
Proof.
  revert v; induction t as [|[far a] t IH]; intros v; simpl; [discriminate|].
  assert (Rest : forall u, lowest t d = Some u -> exists f e, ((far, a) = (f, e) \/ In (f, e) t) /\ d <= Q2R f /\ u = Q2R e).
  { intros u H. destruct (IH u H) as (f & e & J & D). eauto 6. }
  destruct (Rle_dec d (Q2R far)) as [D|D]; [|apply Rest]. intros H; injection H as <-.
  assert (Here : exists f e, ((far, a) = (f, e) \/ In (f, e) t) /\ d <= Q2R f /\ Q2R a = Q2R e) by eauto 6.
  destruct (lowest t d) as [u|]; [|exact Here]. unfold Rmin. destruct (Rle_dec (Q2R a) u); [exact Here | now apply Rest].
Qed.
