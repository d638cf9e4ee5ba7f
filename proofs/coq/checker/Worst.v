(** * The largest of several losses, and the two largest together *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia List.
From DPcore Require Import Measures Combinators.
From DPchecker Require Import Language Numbers Losses.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition larger (k l : loss) : loss := (Qmax (fst k) (fst l), Qmax (snd k) (snd l)).
Definition worst (ls : list loss) : loss := fold_right larger zero_loss ls.

Definition doubled (l : loss) : loss := (Qred (fst l + fst l), Qred (snd l + snd l)).

Lemma worst_nonneg ls : nonneg_loss (worst ls).
Proof.
  unfold nonneg_loss. induction ls as [|l ls [I1 I2]]; simpl; rewrite ?Q2R_0; [lra|]. rewrite !Q2R_max.
  split; [eapply Rle_trans; [exact I1 | apply Rmax_r] | eapply Rle_trans; [exact I2 | apply Rmax_r]].
Qed.

Lemma largest_le m (ks : list (figures m)) w : le zero w -> (forall l, In l ks -> le l w) -> le (largest ks) w.
Proof.
  intros Z H. induction ks as [|k ks IH]; [exact Z|]. specialize (IH (fun l J => H l (or_intror J))). specialize (H k (or_introl eq_refl)).
  unfold largest in *. destruct m; simpl in *.
  2, 9: split; apply Rmax_lub; tauto.
  all: now apply Rmax_lub.
Qed.
Lemma worst_ge l ls : In l ls -> at_most l (worst ls).
Proof.
  unfold at_most. induction ls as [|k ls IH]; simpl; [tauto|]. rewrite !Q2R_max. intros [->|J].
  - split; apply Rmax_l.
  - destruct (IH J) as [A B]. split; [eapply Rle_trans; [exact A | apply Rmax_r] | eapply Rle_trans; [exact B | apply Rmax_r]].
Qed.

(** The two largest together: no two of the list exceed them. *)
Definition two (l : list Q) : Q * Q :=
  fold_right (fun a p => if Qle_bool a (snd p) then p else if Qle_bool a (fst p) then (fst p, a) else (a, fst p)) (0, 0)%Q l.
Definition worst_two (ls : list loss) : loss :=
  let p := two (map fst ls) in let q := two (map snd ls) in ((fst p + snd p)%Q, (fst q + snd q)%Q).

Lemma two_ok l : let p := two l in 0 <= Q2R (snd p) <= Q2R (fst p) /\ (forall a, In a l -> Q2R a <= Q2R (fst p)) /\
  (forall i j, i <> j -> (i < length l)%nat -> (j < length l)%nat -> Q2R (nth i l 0%Q) + Q2R (nth j l 0%Q) <= Q2R (fst p) + Q2R (snd p)).
Proof.
  induction l as [|a l (O & M & P)]; simpl; [rewrite Q2R_0; repeat split; try lra; intros; lia || tauto|].
  set (p := two l) in *.
  assert (N : forall i, (i < length l)%nat -> Q2R (nth i l 0%Q) <= Q2R (fst p)) by (intros; now apply M, nth_In).
  destruct (Qle_bool a (snd p)) eqn:E; [apply Qle_R in E | apply Qgt_R in E; destruct (Qle_bool a (fst p)) eqn:F; [apply Qle_R in F | apply Qgt_R in F]];
  simpl; (split; [lra|]); (split; [intros b [<-|J]; [lra | specialize (M b J); lra]|]);
  intros [|i] [|j] D Li Lj; try lia;
  try (specialize (N j ltac:(lia)); lra); try (specialize (N i ltac:(lia)); lra); specialize (P i j ltac:(lia) ltac:(lia) ltac:(lia)); lra.
Qed.
