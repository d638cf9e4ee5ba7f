(** * Losses at several points of a curve

    One premise has a row of losses, one at each of the points that it was asked for. Of several premises the rows are read
    by columns: the losses of all of them at one point. *)
From Coq Require Import QArith List.
From DPchecker Require Import Json Losses.
Import ListNotations.
Set Implicit Arguments.

Fixpoint columns (xs : list Q) (rows : list (list loss)) : list (list loss) :=
  match xs with [] => [] | _ :: xs => map (hd zero_loss) rows :: columns xs (map (@tl loss) rows) end.

Lemma columns_ok B (good : B -> Q -> loss -> Prop) bs rows xs : Forall2 (fun b row => Forall2 (good b) xs row) bs rows ->
  Forall2 (fun x col => Forall2 (fun b l => good b x l) bs col) xs (columns xs rows).
Proof.
  revert rows. induction xs as [|x xs IH]; intros rows H; simpl; constructor.
  - clear IH. induction H as [|b row bs rows H _ IHr]; simpl; constructor; [now inversion H | exact IHr].
  - apply IH. clear IH. induction H as [|b row bs rows H _ IHr]; simpl; constructor; [now inversion H | exact IHr].
Qed.

Lemma columns_length xs rows : length (columns xs rows) = length xs.
Proof. revert rows; induction xs as [|x xs IH]; intros rows; simpl; congruence. Qed.

Lemma columns_nonneg xs rows : Forall (Forall nonneg_loss) rows -> Forall (Forall nonneg_loss) (columns xs rows).
Proof.
  revert rows; induction xs as [|x xs IH]; intros rows H; simpl; constructor; [|apply IH]; clear IH.
  - induction H as [|row rows [|l row' N N'] _ IHr]; simpl; constructor; auto using nonneg_zero_loss.
  - induction H as [|row rows [|l row' N N'] _ IHr]; simpl; constructor; auto.
Qed.

(** ** Lists of equal length *)
Lemma Forall2_map_r A B C (R : A -> C -> Prop) (f : B -> C) l k : Forall2 (fun a b => R a (f b)) l k -> Forall2 R l (map f k).
Proof. induction 1; simpl; constructor; auto. Qed.
Lemma Forall2_weaken A B (R S : A -> B -> Prop) l k : (forall a b, R a b -> S a b) -> Forall2 R l k -> Forall2 S l k.
Proof. intros H; induction 1; constructor; auto. Qed.
Lemma Forall2_of_Forall A B (R : A -> B -> Prop) l k : length l = length k -> Forall (fun b => forall a, R a b) k -> Forall2 R l k.
Proof. revert k; induction l as [|a l IH]; intros [|b k] E H; try discriminate; constructor; inversion H; subst; auto. Qed.
Lemma Forall2_Forall_r A B (R : A -> B -> Prop) (P : B -> Prop) l k : (forall a b, R a b -> P b) -> Forall2 R l k -> Forall P k.
Proof. intros H; induction 1; constructor; eauto. Qed.
Lemma Forall2_lengths A B (R : A -> B -> Prop) l k : Forall2 R l k -> length l = length k.
Proof. induction 1; simpl; congruence. Qed.
Lemma Forall2_one A B (R : A -> B -> Prop) a b : Forall2 R [a] [b] -> R a b.
Proof. intros H; now inversion H. Qed.
Lemma Forall2_and A B (R S : A -> B -> Prop) l k : Forall2 R l k -> Forall2 S l k -> Forall2 (fun a b => R a b /\ S a b) l k.
Proof. induction 1; intros G; inversion G; subst; constructor; auto. Qed.
Lemma Forall2_through A B C (R : A -> B -> Prop) (S : B -> C -> Prop) (T : A -> C -> Prop) k l j :
  (forall a b c, R a b -> S b c -> T a c) -> Forall2 R k l -> Forall2 S l j -> Forall2 T k j.
Proof. intros H F; revert j; induction F; intros j G; inversion G; subst; constructor; eauto. Qed.
Lemma Forall2_combine A B C (R : A -> B -> Prop) (S : A -> C -> Prop) l k j : Forall2 R l k -> Forall2 S l j ->
  Forall2 (fun a p => R a (fst p) /\ S a (snd p)) l (combine k j).
Proof. intros H; revert j; induction H; intros j G; inversion G; subst; simpl; constructor; auto. Qed.
Lemma Forall2_all I A B (C : I -> Prop) (R : I -> A -> B -> Prop) l k : length l = length k ->
  (forall i, C i -> Forall2 (R i) l k) -> Forall2 (fun a b => forall i, C i -> R i a b) l k.
Proof.
  revert k; induction l as [|a l IH]; intros [|b k] E H; try discriminate; constructor.
  - intros i K. specialize (H i K). now inversion H.
  - apply IH; [now injection E|]. intros i K. specialize (H i K). now inversion H.
Qed.
Lemma Forall_of_both A (P S : A -> Prop) l : Forall P l -> Forall (fun a => P a -> S a) l -> Forall S l.
Proof. rewrite !Forall_forall; auto. Qed.

Lemma all_of_ok A B (f : A -> option B) l k : all_of f l = Some k -> Forall2 (fun a b => f a = Some b) l k.
Proof.
  revert k; induction l as [|a l IH]; simpl; intros k H; [injection H as <-; constructor|].
  unfold bind_option in H. destruct (f a) eqn:E; [|discriminate]. destruct (all_of f l); [|discriminate]. injection H as <-. constructor; auto.
Qed.

(** The first [n] in one way, and the others in another. *)
Section Halves.
Variables (A B : Type) (f g : A -> option B).
Fixpoint halves (n : nat) (l : list A) {struct l} : option (list B * list B) :=
  match l, n with
  | [], _ => Some ([], [])
  | a :: l, S n => let* b := f a in let* r := halves n l in Some (b :: fst r, snd r)
  | a :: l, O => let* b := g a in let* r := halves O l in Some (fst r, b :: snd r)
  end.

Lemma halves_ok n l r : halves n l = Some r -> Forall2 (fun a b => f a = Some b) (firstn n l) (fst r) /\ Forall2 (fun a b => g a = Some b) (skipn n l) (snd r).
Proof.
  revert n r; induction l as [|a l IH]; intros n r H; simpl in H.
  - assert (r = ([], [])) as -> by (destruct n; congruence). destruct n; simpl; auto.
  - unfold bind_option in H. destruct n as [|n].
    + destruct (g a) as [b|] eqn:E; [|discriminate]. destruct (halves 0 l) as [s|] eqn:F; [|discriminate]. injection H as <-.
      destruct (IH _ _ F) as [I1 I2]. simpl in *. auto.
    + destruct (f a) as [b|] eqn:E; [|discriminate]. destruct (halves n l) as [s|] eqn:F; [|discriminate]. injection H as <-.
      destruct (IH _ _ F) as [I1 I2]. simpl in *. auto.
Qed.
End Halves.
