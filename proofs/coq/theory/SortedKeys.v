(** * The keys of the rows, each once, in an order of their own *)
From Coq Require Import Reals List Permutation.
Import ListNotations.
Set Implicit Arguments.

Section Keys.
Variables (K : Type) (lt : K -> K -> bool).
Hypothesis lt_irrefl : forall a, lt a a = false.
Hypothesis lt_trans : forall a b c, lt a b = true -> lt b c = true -> lt a c = true.
Hypothesis lt_total : forall a b, lt a b = false -> lt b a = false -> a = b.

Fixpoint insert (k : K) (l : list K) : list K :=
  match l with [] => [k] | a :: l' => if lt k a then k :: l else if lt a k then a :: insert k l' else l end.

Fixpoint sorted (l : list K) : Prop := match l with [] => True |
  a :: l => (forall b, In b l -> lt a b = true) /\ sorted l end.

Lemma in_insert k l b : In b (insert k l) <-> b = k \/ In b l.
Proof.
  induction l as [|a l IH]; simpl; [intuition|]. destruct (lt k a) eqn:E1; [simpl; intuition|].
  destruct (lt a k) eqn:E2; simpl; [rewrite IH; intuition|]. pose proof (lt_total E1 E2). subst; intuition.
Qed.

Lemma insert_sorted k l : sorted l -> sorted (insert k l).
Proof.
  induction l as [|a l IH]; simpl; [auto|]. intros [H S]. destruct (lt k a) eqn:E1; simpl.
  - split; [intros b [<-|I]; eauto | auto].
  - destruct (lt a k) eqn:E2; simpl; [|auto]. split; [|auto]. intros b I. apply in_insert in I. destruct I as [->|I]; auto.
Qed.

Lemma insert_known k l : sorted l -> In k l -> insert k l = l.
Proof.
  induction l as [|a l IH]; simpl; [tauto|]. intros [H S] [->|I]; [now rewrite !lt_irrefl|].
  specialize (H k I). destruct (lt k a) eqn:E; [pose proof (lt_trans E H) as C; rewrite lt_irrefl in C; discriminate|].
  rewrite H. now rewrite IH.
Qed.

Lemma insert_new k l : ~ In k l -> exists u v, l = u ++ v /\ insert k l = u ++ k :: v.
Proof.
  induction l as [|a l IH]; simpl; intros N; [exists [], []; auto|].
  destruct (lt k a) eqn:E1; [exists [], (a :: l); auto|]. destruct (lt a k) eqn:E2.
  - destruct IH as (u & v & -> & E); [tauto|]. exists (a :: u), v. simpl. now rewrite E.
  - exfalso; apply N; left; symmetry. now apply lt_total.
Qed.

(** Sorted lists with the same members are equal. *)
Lemma sorted_unique l : forall l', sorted l -> sorted l' -> (forall b, In b l <-> In b l') -> l = l'.
Proof.
  induction l as [|a l IH]; intros [|a' l'] S S' E; auto.
  - destruct (proj2 (E a') (or_introl eq_refl)).
  - destruct (proj1 (E a) (or_introl eq_refl)).
  - destruct S as [H S], S' as [H' S'].
    assert (no : forall b, lt b b = true -> False) by (intros b C; rewrite lt_irrefl in C; discriminate).
    assert (a = a').
    { destruct (proj1 (E a) (or_introl eq_refl)) as [|I]; [auto|].
      destruct (proj2 (E a') (or_introl eq_refl)) as [|I']; [auto|].
      exfalso; apply (no a). apply lt_trans with a'; auto. }
    subst a'. f_equal. apply IH; auto. intros b. specialize (E b). simpl in E. split; intros I.
    + destruct (proj1 E (or_intror I)) as [<-|]; [|auto]. exfalso; apply (no a); auto.
    + destruct (proj2 E (or_intror I)) as [<-|]; [|auto]. exfalso; apply (no a); auto.
Qed.

Variables (T : Type) (key : T -> K).
Definition keys (x : list T) : list K := fold_right (fun r l => insert (key r) l) [] x.

Lemma keys_sorted x : sorted (keys x).
Proof. induction x; simpl; [exact I | now apply insert_sorted]. Qed.
Lemma in_keys x k : In k (keys x) <-> In k (map key x).
Proof. induction x as [|r x IH]; simpl; [tauto|]. rewrite in_insert, IH. intuition. Qed.
Lemma keys_perm x y : Permutation x y -> keys x = keys y.
Proof.
  intros H. apply sorted_unique; auto using keys_sorted. intros b. rewrite !in_keys.
  split; apply Permutation_in; [apply Permutation_map, H | apply Permutation_map, Permutation_sym, H].
Qed.
End Keys.
