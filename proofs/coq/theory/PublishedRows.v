(** * Two mechanisms that publish rows as they are, to show what small deltas allow *)
From Coq Require Import Reals Lra Psatz Lia List Permutation.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Choice.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Lemma sum_app C (h : C -> R) x y : sum h (x ++ y) = sum h x + sum h y.
Proof. induction x; simpl; lra. Qed.
Lemma sum_perm C (h : C -> R) x y : Permutation x y -> sum h x = sum h y.
Proof. induction 1; simpl; lra. Qed.
Lemma sum_ones C (cs : list C) : sum (fun _ => 1) cs = INR (length cs).
Proof. rewrite Norms.sum_const. ring. Qed.
Lemma sum_test C (h : C -> R) cs : test h -> 0 <= sum h cs <= INR (length cs).
Proof.
  intros H. split; [apply sum_nonneg; intros; apply H|]. rewrite <- sum_ones. apply sum_le; intros; apply H.
Qed.

(** ** One row of n, drawn uniformly *)
Section RandomRow.
Variable T : Type.

Definition one_row (x : list T) : dist (option T) :=
  match x as x' return dist (option T) with
  | [] => ret None
  | r :: rest => pick (fun _ => 1) (fun _ => Rlt_0_1) (cs := Some r :: map Some rest) ltac:(discriminate)
  end.

Lemma one_row_expect x f : x <> [] -> one_row x f = sum (fun r => f (Some r)) x / INR (length x).
Proof.
  intros N. destruct x as [|r x]; [contradiction|]. unfold one_row. rewrite pick_expect.
  change (Some r :: map Some x) with (map Some (r :: x)).
  rewrite !Norms.sum_map, sum_ones. unfold Rdiv. rewrite Rmult_comm. f_equal. apply sum_ext; intros; ring.
Qed.
End RandomRow.

(** With probability d/n it is one of the d rows replaced. *)
Theorem random_row T (n : nat) : (0 < n)%nat ->
  private (on (fun x : list T => length x = n) change_one) approx (@one_row T) (fun d => (0, d / INR n)).
Proof.
  intros N d x y (Lx & Ly & l & r & (c & Hx & Hy) & E & F) f Ft. simpl. rewrite exp_0, Rmult_1_l.
  assert (n0 : 0 < INR n) by now apply lt_0_INR.
  rewrite !one_row_expect, Lx, Ly by (intros ->; simpl in *; lia).
  set (h := fun r => f (Some r)). assert (Th : test h) by (intros a; apply Ft).
  rewrite (sum_perm h Hx), (sum_perm h Hy), !sum_app. pose proof (sum_test l Th). pose proof (sum_test r Th).
  apply Rmult_le_reg_r with (INR n); [exact n0|].
  replace ((sum h c + sum h l) / INR n * INR n) with (sum h c + sum h l) by (field; lra).
  replace (((sum h c + sum h r) / INR n + d / INR n) * INR n) with (sum h c + sum h r + d) by (field; lra). lra.
Qed.

(** ** Every row with probability delta

    What is published is shown in an order of its own ([sort] gives equal lists for equal multisets). *)
Section NameAndShame.
Variables (T : Type) (delta : R) (between : 0 <= delta <= 1) (sort : list T -> list T).
Hypothesis sort_order : forall x y, Permutation x y -> sort x = sort y.

Fixpoint some_rows (x : list T) : dist (list T) :=
  match x with [] => ret [] | r :: x => mix between (bind (some_rows x) (fun l => ret (r :: l))) (some_rows x) end.
Definition shame (x : list T) : dist (list T) := bind (some_rows x) (fun l => ret (sort l)).

Lemma some_rows_perm x y : Permutation x y -> forall h, test h -> (forall a b, Permutation a b -> h a = h b) ->
  some_rows x h = some_rows y h.
Proof.
  induction 1; intros h U S; simpl; auto.
  - rewrite (IHPermutation h U S), (IHPermutation (fun a => h (x :: a)) ltac:(intros ?; apply U)); auto.
  - assert (E : some_rows l (fun a => h (x :: y :: a)) = some_rows l (fun a => h (y :: x :: a))).
    { apply expect_ext; [apply test_bounded; intros ?; apply U|]. intros a; apply S, perm_swap. }
    rewrite E; ring.
  - rewrite IHPermutation1; auto.
Qed.

Lemma some_rows_replaced c l : forall r h, length l = length r -> test h ->
  some_rows (l ++ c) h <= some_rows (r ++ c) h + INR (length l) * delta.
Proof.
  induction l as [|a l IH]; intros [|b r] h E U; try discriminate; simpl app.
  - simpl; lra.
  - injection E as E. change (length (a :: l)) with (S (length l)). rewrite S_INR. simpl.
    assert (Ua : test (fun x => h (a :: x))) by (intros x; apply U).
    assert (Ub : test (fun x => h (b :: x))) by (intros x; apply U).
    pose proof (IH r h E U) as I. pose proof (expect_test (some_rows (l ++ c)) Ua).
    pose proof (expect_test (some_rows (r ++ c)) Ub).
    pose proof (pos_INR (length l)). set (k := INR (length l)) in *.
    set (pa := some_rows (l ++ c) (fun x => h (a :: x))) in *. set (qb := some_rows (r ++ c) (fun x => h (b :: x))) in *.
    assert ((1 - delta) * some_rows (l ++ c) h <= (1 - delta) * (some_rows (r ++ c) h + k * delta)) by (apply
      Rmult_le_compat_l; lra).
    assert (0 <= delta * (k * delta)) by (repeat apply Rmult_le_pos; lra). nra.
Qed.

Theorem name_and_shame : private change_one total_variation shame (fun d => d * delta).
Proof.
  intros d x y (l & r & (c & Hx & Hy) & E & F) f U. rewrite exp_0, Rmult_1_l. unfold shame; simpl.
  set (h := fun a => f (sort a)). change (some_rows x h <= some_rows y h + d * delta).
  assert (Th : test h) by (intros a; apply U). assert (S : forall a b, Permutation a b -> h a = h b) by (intros a b K;
    unfold h; now rewrite (sort_order K)).
  rewrite (some_rows_perm (perm_trans Hx (Permutation_app_comm c l)) Th S),
    (some_rows_perm (perm_trans Hy (Permutation_app_comm c r)) Th S).
  eapply Rle_trans; [exact (some_rows_replaced c l r E Th)|]. apply Rplus_le_compat_l, Rmult_le_compat_r; lra.
Qed.
End NameAndShame.
