(** * So many rows, whatever their number was

    [order] is the order in which a key ranks rows and their copies: it sees the rows as a multiset, and one row more is put into
    it somewhere, the others staying as they stand. The first [n] rows are kept; where there are fewer, [fill] makes up for them. *)
From Coq Require Import Reals Lra Lia List Permutation.
From DPcore Require Import Distributions Measures Metrics.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Resize.
Variables (T : Type) (order : list T -> list T) (fill : T) (n : nat).
Definition resized (x : list T) : list T := firstn n (order x) ++ repeat fill (n - length x).

Hypothesis order_all : forall x, Permutation (order x) x.
Hypothesis order_same : forall x y, Permutation x y -> order x = order y.
Hypothesis order_one : forall r x, exists u v, order x = u ++ v /\ order (r :: x) = u ++ r :: v.

Lemma resized_length x : length (resized x) = n.
Proof. unfold resized. rewrite app_length, firstn_length, repeat_length, (Permutation_length (order_all x)). lia. Qed.

(** The first rows of more data are the first of the old, but fewer, and at most as many new ones as came. *)
Lemma first_of l c : forall m, exists j g,
  Permutation (firstn m (order (l ++ c))) (firstn j (order c) ++ g) /\ (length g <= length l)%nat.
Proof.
  induction l as [|r l IH]; intros m.
  - exists m, []. rewrite app_nil_r. split; [apply Permutation_refl | apply le_n].
  - destruct (order_one r (l ++ c)) as (u & v & E & F). cbn [app]. rewrite F. destruct (Nat.le_gt_cases m (length u)) as [H|H].
    + destruct (IH m) as (j & g & P & L). rewrite E in P. exists j, g. split; [|simpl; lia].
      rewrite firstn_app in P |- *. replace (m - length u)%nat with 0%nat in * by lia. exact P.
    + destruct (IH (m - 1)%nat) as (j & g & P & L). rewrite E in P. exists j, (r :: g). split; [|simpl; lia].
      rewrite firstn_app in P |- *. rewrite firstn_all2 in P by lia. rewrite firstn_all2 by lia.
      replace (m - length u)%nat with (S (m - 1 - length u))%nat by lia. cbn [firstn].
      rewrite <- Permutation_middle, <- Permutation_middle. now constructor.
Qed.

(** Two lists that begin alike and are then filled up. *)
Lemma differ_in_tail (s : list T) i j g h a b : (i <= j)%nat -> (a <= b)%nat ->
  length (firstn i s ++ g ++ repeat fill a) = length (firstn j s ++ h ++ repeat fill b) ->
  exists l r, differ (firstn i s ++ g ++ repeat fill a) (firstn j s ++ h ++ repeat fill b) l r /\ length l = length r /\ (length l <= length g)%nat.
Proof.
  intros I B L. exists g, (skipn i (firstn j s) ++ h ++ repeat fill (b - a)). split; [|split; [|lia]].
  - exists (firstn i s ++ repeat fill a). split.
    + rewrite <- app_assoc. apply Permutation_app_head, Permutation_app_comm.
    + replace (firstn j s) with (firstn i s ++ skipn i (firstn j s)) at 1.
      * rewrite <- !app_assoc. apply Permutation_app_head.
        replace (repeat fill b) with (repeat fill a ++ repeat fill (b - a)) by (rewrite <- repeat_app; f_equal; lia).
        rewrite !app_assoc. apply Permutation_app_tail. rewrite <- !app_assoc. rewrite (Permutation_app_comm (repeat fill a)).
        rewrite <- !app_assoc. apply Permutation_refl.
      * rewrite <- (firstn_skipn i (firstn j s)) at 2. f_equal. rewrite firstn_firstn. f_equal. lia.
  - rewrite !app_length, !repeat_length in *. rewrite skipn_length. rewrite !firstn_length in *. lia.
Qed.

Theorem resize_symmetric : stable symmetric change_one (fun d => d) resized.
Proof.
  intros d x y (l & r & (c & X & Y) & E).
  assert (X' : order x = order (l ++ c)) by (apply order_same; rewrite X; apply Permutation_app_comm).
  assert (Y' : order y = order (r ++ c)) by (apply order_same; rewrite Y; apply Permutation_app_comm).
  destruct (first_of l c n) as (i & g & P & Lg). destruct (first_of r c n) as (j & h & Q & Lh).
  pose proof (resized_length x) as Nx. pose proof (resized_length y) as Ny.
  assert (Lx : length x = (length c + length l)%nat) by (rewrite (Permutation_length X), app_length; lia).
  assert (Ly : length y = (length c + length r)%nat) by (rewrite (Permutation_length Y), app_length; lia).
  pose proof (Permutation_length (order_all c)) as Lc.
  set (a := (n - length x)%nat) in *. set (b := (n - length y)%nat) in *.
  assert (PX : Permutation (resized x) (firstn i (order c) ++ g ++ repeat fill a)).
  { unfold resized. rewrite X', app_assoc. apply Permutation_app_tail, P. }
  assert (PY : Permutation (resized y) (firstn j (order c) ++ h ++ repeat fill b)).
  { unfold resized. rewrite Y', app_assoc. apply Permutation_app_tail, Q. }
  pose proof (Permutation_length PX) as Sx. pose proof (Permutation_length PY) as Sy. rewrite Nx in Sx. rewrite Ny in Sy.
  assert (Found : exists s t, differ (firstn i (order c) ++ g ++ repeat fill a) (firstn j (order c) ++ h ++ repeat fill b) s t /\
    length s = length t /\ (length s <= length l + length r)%nat).
  { set (i' := Nat.min i (length c)). set (j' := Nat.min j (length c)).
    assert (Ei : firstn i (order c) = firstn i' (order c)).
    { unfold i'. destruct (Nat.le_gt_cases i (length c)); [f_equal; lia|]. now rewrite !firstn_all2 by lia. }
    assert (Ej : firstn j (order c) = firstn j' (order c)).
    { unfold j'. destruct (Nat.le_gt_cases j (length c)); [f_equal; lia|]. now rewrite !firstn_all2 by lia. }
    rewrite Ei, Ej in *. clear PX PY P Q Ei Ej.
    assert (Zx : n = (i' + (length g + a))%nat) by (rewrite Sx, !app_length, repeat_length, firstn_length; lia).
    assert (Zy : n = (j' + (length h + b))%nat) by (rewrite Sy, !app_length, repeat_length, firstn_length; lia).
    assert (i' <= length c /\ j' <= length c)%nat by lia.
    (* Where one is filled up by more, all that both have in common is kept of it. *)
    assert (C : ((i' <= j' /\ a <= b) \/ (j' <= i' /\ b <= a))%nat) by (subst a b; lia).
    destruct C as [[I B]|[J A]].
    - destruct (@differ_in_tail (order c) i' j' g h a b I B) as (s & t & D & S & L); [congruence|]. exists s, t. repeat split; auto; lia.
    - destruct (@differ_in_tail (order c) j' i' h g b a J A) as (s & t & (k & D1 & D2) & S & L); [congruence|].
      exists t, s. repeat split; [now exists k | congruence | lia]. }
  destruct Found as (s & t & (k & D1 & D2) & S & L). exists s, t. split; [exists k; split|split; [exact S|]].
  - now rewrite PX.
  - now rewrite PY.
  - eapply Rle_trans; [apply le_INR, L | exact E].
Qed.
End Resize.
