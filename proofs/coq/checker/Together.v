(** * Composition: all releases of all premises, one after the other *)
From Coq Require Import QArith Qreals Reals Lra List.
From DPcore Require Import Distributions Measures Combinators.
From DPchecker Require Import Language Numbers Losses Rounding Points LongSums.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** The sums of losses, one for each column. *)
Definition together (md : mode) (cols : list (list loss)) : list loss :=
  combine (totals md (map (map fst) cols)) (totals md (map (map snd) cols)).

Definition at_least_sum (col : list loss) (l : loss) : Prop := sum_R (map fst col) <= Q2R (fst l) /\ sum_R (map snd col) <= Q2R (snd l).

Lemma together_sums md cols : Forall2 at_least_sum cols (together md cols).
Proof.
  unfold together, at_least_sum. pose proof (totals_ok md (map (map fst) cols)) as F. pose proof (totals_ok md (map (map snd) cols)) as G.
  revert F G. generalize (totals md (map (map fst) cols)) (totals md (map (map snd) cols)).
  induction cols as [|col cols IH]; intros fs gs F G; inversion F; inversion G; subst; simpl; constructor; auto.
Qed.

Lemma at_least_sum_ok m col l : at_least_sum col l -> le (plus_all (map (real m) col)) (real m l).
Proof.
  assert (S : forall f : loss -> Q, fold_right Rplus 0 (map (fun l => Q2R (f l)) col) = sum_R (map f col)) by (intros f; induction col; simpl; congruence).
  intros [H1 H2]. destruct m; unfold plus_all; simpl.
  2, 9: rewrite <- S in H1, H2; split; [eapply Rle_trans; [|exact H1] | eapply Rle_trans; [|exact H2]]; right; clear; induction col; simpl; congruence.
  all: now rewrite S.
Qed.
Lemma at_least_sum_nonneg col l : Forall nonneg_loss col -> at_least_sum col l -> nonneg_loss l.
Proof.
  intros N [H1 H2]. assert (S : 0 <= sum_R (map fst col) /\ 0 <= sum_R (map snd col)).
  { clear H1 H2. induction N as [|k ks [N1 N2] _ [I1 I2]]; simpl; lra. }
  split; lra.
Qed.

Lemma together_in md col cols : In col cols -> exists l, In l (together md cols) /\ at_least_sum col l.
Proof.
  induction (together_sums md cols) as [|c l cols' ls K _ IH]; intros H; [destruct H|]. destruct H as [->|H]; [exists l; split; [now left | exact K]|].
  destruct (IH H) as (k & J & N). exists k. split; [now right | exact N].
Qed.

(** Of one column. *)
Definition sum_of (md : mode) (col : list loss) : loss := hd zero_loss (together md [col]).
Lemma sum_of_ok md col : at_least_sum col (sum_of md col).
Proof. unfold sum_of. pose proof (together_sums md [col]) as S. now inversion S. Qed.

(** What adds up adds up; and one alone stays as it is, also if it does not add up. *)
Definition together_at (md : mode) (m : measure) (xs : list Q) (rows : list (list loss)) : option (list loss) :=
  match rows with
  | [] => None
  | [row] => Some row
  | _ => if adds m then Some (together md (columns xs rows)) else None
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
  - destruct (adds m); [|discriminate]. injection found as <-.
    pose proof (columns_nonneg xs N) as C. pose proof (together_sums md (columns xs (row :: row' :: rows'))) as S.
    revert C. induction S as [|col l cols ls' H S IH]; intros C; inversion C; subst; constructor; [now apply at_least_sum_nonneg with col | now apply IH].
Qed.
Lemma together_at_length : Forall (fun row => length xs = length row) rows -> length xs = length ls.
Proof.
  intros N. destruct rows as [|row [|row' rows']]; try discriminate; cbn [together_at] in found.
  - injection found as <-. now inversion N.
  - destruct (adds m); [|discriminate]. injection found as <-.
    now rewrite <- (Forall2_lengths (together_sums md _)), columns_length.
Qed.
Lemma together_at_ok X A (Ms : list (X -> dist A)) x y :
  Forall2 (fun M row => Forall2 (fun p l => meets m (Q2R p) (M x) (M y) (real m l)) xs row) Ms rows ->
  Forall2 (fun p l => meets m (Q2R p) (all Ms x) (all Ms y) (real m l)) xs ls.
Proof.
  intros H. destruct rows as [|row [|row' rows']]; try discriminate; cbn [together_at] in found.
  - injection found as <-. inversion H as [|M r Ms' rs H1 H2]; subst. inversion H2; subst.
    revert H1; apply Forall2_weaken. intros p l K. simpl. now apply meets_post.
  - destruct (adds m) eqn:C; [|discriminate]. injection found as <-.
    apply (columns_ok (fun M p l => meets m (Q2R p) (M x) (M y) (real m l))) in H. pose proof (together_sums md (columns xs (row :: row' :: rows'))) as S.
    apply Forall2_through with (2 := H) (3 := S). intros p col l K L. apply meets_le with (1 := at_least_sum_ok m L). now apply compose_meets.
Qed.
End At.
