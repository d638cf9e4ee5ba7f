(** * Joined by steps of a user's relation

    What counts steps of a relation by definition: data are at most [n] apart if a chain of [n] steps of 1 joins them. So they are
    joined whatever the relation is, and what is lost in one step says what is lost in [n]. *)
From Coq Require Import List ZArith Reals Lra Lia Permutation.
From DPcore Require Import Distributions Metrics Steps.
From DPchecker Require Import Language Meaning.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** Of one domain: a chain does not leave it. Of how many rows it is does not count. *)
Definition same_shape {row} (x y : data_of row) : Prop :=
  match x, y with
  | Rows D _, Rows E _ => D = E
  | Number g _, Number h _ => g = h
  | Vector g _, Vector h _ => g = h
  | Value _, Value _ => True
  | Parts D ks _, Parts E ls _ => D = E /\ ks = ls
  | Graph n _, Graph k _ => n = k
  | _, _ => False
  end.

Section Chains.
Variables (row : Type) (G : Metrics.metric (data_of row)).
Notation data := (data_of row).

(** Two data of one domain, both of which the relation knows, at most [e] apart in it. *)
Definition link (e : R) (x y : data) : Prop := same_shape x y /\ G 0 x x /\ G 0 y y /\ G e x y.

Inductive joined : nat -> data -> data -> Prop :=
| here x : link 0 x x -> joined O x x
| alike n x y z : joined n x y -> link 0 y z -> joined n x z
| onward n x y z : joined n x y -> link 1 y z -> joined (S n) x z.

Lemma shape_sym (x y : data) : same_shape x y -> same_shape y x.
Proof. destruct x, y; cbn [same_shape]; intuition. Qed.
Lemma shape_trans (x y z : data) : same_shape x y -> same_shape y z -> same_shape x z.
Proof. destruct x, y, z; cbn [same_shape]; intuition congruence. Qed.
Lemma link_sym e x y : link e x y -> link e y x.
Proof. intros (S & X & Y & H). repeat split; auto; [now apply shape_sym | now apply within_sym]. Qed.
Lemma link_end e x y : link e x y -> link 0 y y.
Proof. intros (S & X & Y & H). repeat split; auto. exact (shape_trans _ _ _ (shape_sym _ _ S) S). Qed.

Lemma joined_end n x y : joined n x y -> link 0 y y.
Proof. destruct 1; [assumption | eapply link_end; eassumption | eapply link_end; eassumption]. Qed.
Lemma joined_shape n x y : joined n x y -> same_shape x y.
Proof. induction 1 as [x H|n x y z _ IH H|n x y z _ IH H]; [apply H | apply shape_trans with y; [exact IH | apply H] ..]. Qed.
Lemma joined_app k y z : joined k y z -> forall n x, joined n x y -> joined (n + k) x z.
Proof.
  induction 1 as [y H|k y z w _ IH H|k y z w _ IH H]; intros n x K.
  - now rewrite Nat.add_0_r.
  - apply alike with z; auto.
  - rewrite Nat.add_succ_r. apply onward with z; auto.
Qed.
Lemma joined_sym n x y : joined n x y -> joined n y x.
Proof.
  induction 1 as [x H|n x y z _ IH H|n x y z _ IH H]; [now constructor | |].
  - apply (joined_app IH (n := 0)). apply alike with z; [constructor; eapply link_end; eassumption | now apply link_sym].
  - apply (joined_app IH (n := 1)). apply onward with z; [constructor; eapply link_end; eassumption | now apply link_sym].
Qed.

(** How many steps lead from the one to the other. *)
Definition chained : Metrics.metric data.
Proof.
  refine {| within := fun d x y => exists n, INR n <= d /\ joined n x y |}.
  - intros d x y (n & L & J). exists n. split; [exact L | now apply joined_sym].
  - intros d x y (n & L & _). pose proof (pos_INR n). lra.
  - intros d d' x y H (n & L & J). exists n. split; [lra | exact J].
Defined.

Lemma chained_shape d x y : chained d x y -> same_shape x y.
Proof. intros (n & _ & J). exact (joined_shape J). Qed.

Theorem whole_chained : whole chained.
Proof.
  assert (Start : forall x, link 0 x x -> chained 0 x x) by (intros x H; exists 0%nat; split; [simpl; lra | now constructor]).
  apply whole_of_reach.
  - intros d x y (n & _ & J). apply Start. exact (joined_end J).
  - intros d x y (n & L & J). exists n. split; [exact L|]. clear d L. induction J as [x H|n x y z _ IH H|n x y z J IH H].
    + now apply Start.
    + destruct n as [|n].
      * destruct IH as (k & Lk & J). exists k. split; [exact Lk | now apply alike with y].
      * destruct IH as (w & Rw & k & Lk & J). exists w. split; [exact Rw|]. exists k. split; [exact Lk | now apply alike with y].
    + exists y. split; [exact IH|]. exists 1%nat. split; [simpl; lra|]. apply onward with y; [constructor; exact (joined_end J) | exact H].
Qed.
End Chains.

(** ** Rows that differ add up along a chain *)
Lemma four_parts T (p : list T) : forall q r s, Permutation (p ++ q) (r ++ s) ->
  exists a b e f, Permutation p (a ++ b) /\ Permutation q (e ++ f) /\ Permutation r (a ++ e) /\ Permutation s (b ++ f).
Proof.
  induction p as [|x p IH]; intros q r s H.
  - exists [], [], r, s. repeat split; auto.
  - assert (J : In x (r ++ s)) by (apply Permutation_in with (1 := H); now left). apply in_app_or in J.
    destruct J as [J|J]; apply in_split in J; destruct J as (u & v & ->).
    + rewrite <- app_assoc in H. cbn [app] in H. apply Permutation_cons_app_inv in H. rewrite app_assoc in H.
      destruct (IH _ _ _ H) as (a & b & e & f & P & Q & U & V). exists (x :: a), b, e, f. repeat split; auto.
      * cbn [app]. now constructor.
      * cbn [app]. rewrite <- Permutation_middle. now constructor.
    + rewrite app_assoc in H. cbn [app] in H. apply Permutation_cons_app_inv in H. rewrite <- app_assoc in H.
      destruct (IH _ _ _ H) as (a & b & e & f & P & Q & U & V). exists a, (x :: b), e, f. repeat split; auto.
      * rewrite <- Permutation_middle. now constructor.
      * cbn [app]. rewrite <- Permutation_middle. now constructor.
Qed.

Lemma symmetric_trans T d e (x y z : list T) : symmetric d x y -> symmetric e y z -> symmetric (d + e) x z.
Proof.
  intros (l & r & (c & X & Y) & D) (l' & r' & (c' & Y' & Z) & E).
  destruct (four_parts c r c' l') as (a & b & u & v & C & R & C' & L'); [now rewrite <- Y, <- Y'|].
  exists (b ++ l), (u ++ r'). split.
  - exists a. rewrite X, Z, C, C', !app_assoc. split; reflexivity.
  - apply Permutation_length in R, L'. rewrite app_length in R, L'. rewrite !app_length.
    assert (K : (length b + length l + (length u + length r') <= (length l + length r) + (length l' + length r'))%nat) by lia.
    apply le_INR in K. rewrite !(plus_INR (length l + length r)) in K. lra.
Qed.
