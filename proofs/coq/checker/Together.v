(** * Composition: all releases of all premises, one after the other *)
From Coq Require Import QArith Qreals Reals Lra List.
From DPcore Require Import Distributions Measures Combinators.
From DPchecker Require Import Language Numbers Losses Rounding Points.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition together (md : mode) (ls : list loss) : loss := (total md (map fst ls), total md (map snd ls)).

Lemma together_ok m md ls : le (plus_all (map (real m) ls)) (real m (together md ls)).
Proof.
  assert (S : forall f : loss -> Q, fold_right Rplus 0 (map (fun l => Q2R (f l)) ls) <= Q2R (total md (map f ls))).
  { intros f. eapply Rle_trans; [|apply total_ok]. right. induction ls; simpl; congruence. }
  destruct m; unfold plus_all; simpl.
  2:{ split; [apply Rle_trans with (2 := S fst) | apply Rle_trans with (2 := S snd)]; right; clear; induction ls; simpl; congruence. }
  all: apply (S fst).
Qed.

Lemma together_nonneg md ls : Forall nonneg_loss ls -> nonneg_loss (together md ls).
Proof. intros H. split; apply total_nonneg; induction H as [|l k [N1 N2] _ IH]; simpl; constructor; auto. Qed.

(** What adds up adds up; and one alone stays as it is, also if it does not add up. *)
Definition together_at (md : mode) (m : measure) (xs : list Q) (rows : list (list loss)) : option (list loss) :=
  match rows with
  | [] => None
  | [row] => Some row
  | _ => if adds m then Some (map (together md) (columns xs rows)) else None
  end.

Lemma all_same X A (Ms : list (X -> dist A)) x y : Forall (fun M => same (M x) (M y)) Ms -> same (all Ms x) (all Ms y).
Proof. induction 1 as [|M Ms H _ IH]; simpl; [apply same_refl|]. apply same_bind; [exact H|]. intros a; apply same_bind; auto. Qed.

Lemma compose_meets m p X A (Ms : list (X -> dist A)) ls x y : adds m = true ->
  Forall2 (fun M l => meets m p (M x) (M y) (real m l)) Ms ls -> meets m p (all Ms x) (all Ms y) (plus_all (map (real m) ls)).
Proof.
  intros C. pose proof (composes_of m p C) as D. induction 1 as [|M l Ms ls H _ IH]; simpl; [apply meets_same, same_refl|].
  apply div_bind; [exact H|]. intros a. apply meets_post, IH.
Qed.

Section At.
Variables (md : mode) (m : measure) (xs : list Q) (rows : list (list loss)) (ls : list loss).
Hypothesis found : together_at md m xs rows = Some ls.

Lemma together_at_nonneg : Forall (Forall nonneg_loss) rows -> Forall nonneg_loss ls.
Proof.
  intros N. destruct rows as [|row [|row' rows']]; try discriminate; cbn [together_at] in found.
  - injection found as <-. now inversion N.
  - destruct (adds m); [|discriminate]. injection found as <-. apply Forall_map.
    eapply Forall_impl; [apply together_nonneg | now apply columns_nonneg].
Qed.
Lemma together_at_length : Forall (fun row => length xs = length row) rows -> length xs = length ls.
Proof.
  intros N. destruct rows as [|row [|row' rows']]; try discriminate; cbn [together_at] in found.
  - injection found as <-. now inversion N.
  - destruct (adds m); [|discriminate]. injection found as <-. now rewrite map_length, columns_length.
Qed.
Lemma together_at_ok X A (Ms : list (X -> dist A)) x y :
  Forall2 (fun M row => Forall2 (fun p l => meets m (Q2R p) (M x) (M y) (real m l)) xs row) Ms rows ->
  Forall2 (fun p l => meets m (Q2R p) (all Ms x) (all Ms y) (real m l)) xs ls.
Proof.
  intros H. destruct rows as [|row [|row' rows']]; try discriminate; cbn [together_at] in found.
  - injection found as <-. inversion H as [|M r Ms' rs H1 H2]; subst. inversion H2; subst.
    revert H1; apply Forall2_weaken. intros p l K. simpl. now apply meets_post.
  - destruct (adds m) eqn:C; [|discriminate]. injection found as <-. apply Forall2_map_r.
    apply (columns_ok (fun M p l => meets m (Q2R p) (M x) (M y) (real m l))) in H. revert H; apply Forall2_weaken.
    intros p col K. apply meets_le with (1 := together_ok m md col). now apply compose_meets.
Qed.
End At.
