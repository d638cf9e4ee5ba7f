(** * The metrics are the distances that dpcore computes

    Metrics are stated by "there are rows, or persons, that account for the difference". Where equality can be decided, the
    least of them can be computed; [Metrics.v] says so for rows added and rows replaced, here it is for persons and parts. *)
From Coq Require Import Reals Lra Lia List Permutation.
From DPcore Require Import Distributions Measures Metrics Persons Partition.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Persons.
Variables (T P : Type) (eqT : forall a b : T, {a = b} + {a <> b}) (eqP : forall a b : P, {a = b} + {a <> b}) (by_ : T -> P).
Notation out := (without eqP by_).
Notation rows := (rows_of eqP by_).

(** Whether a person's rows are not the same multiset in both data sets. *)
Definition changed (x y : list T) (p : P) : bool :=
  match surplus eqT (rows p x) (rows p y), surplus eqT (rows p y) (rows p x) with [], [] => false | _, _ => true end.

Lemma changed_false x y p : changed x y p = false <-> Permutation (rows p x) (rows p y).
Proof.
  unfold changed. destruct (differ_surplus eqT (rows p x) (rows p y)) as (c & H & K). split.
  - destruct (surplus eqT (rows p x) (rows p y)); [|discriminate]. destruct (surplus eqT (rows p y) (rows p x)); [|discriminate].
    intros _. rewrite app_nil_r in H, K. rewrite H. now symmetry.
  - intros E. destruct (surplus_least eqT (differ_refl E)) as [L1 L2]. simpl in L1, L2.
    destruct (surplus eqT (rows p x) (rows p y)); [|simpl in L1; lia].
    destruct (surplus eqT (rows p y) (rows p x)); [reflexivity | simpl in L2; lia].
Qed.

Lemma rows_without p ps x : rows p (out ps x) = if in_dec eqP p ps then [] else rows p x.
Proof.
  unfold rows_of, without. induction x as [|r x IH]; simpl; [destruct (in_dec eqP p ps); reflexivity|].
  destruct (in_dec eqP (by_ r) ps) as [I|I]; simpl; rewrite IH; destruct (in_dec eqP p ps) as [J|J], (eqP (by_ r) p);
  subst; try contradiction; reflexivity.
Qed.

Lemma count_without r ps x : count_occ eqT (out ps x) r = if in_dec eqP (by_ r) ps then 0%nat else count_occ eqT x r.
Proof.
  unfold without. induction x as [|s x IH]; simpl; [destruct (in_dec eqP (by_ r) ps); reflexivity|].
  destruct (in_dec eqP (by_ s) ps) as [I|I]; simpl; rewrite IH; destruct (eqT s r) as [->|]; destruct (in_dec eqP (by_ r) ps);
  try contradiction; reflexivity.
Qed.

Lemma count_rows r x : count_occ eqT (rows (by_ r) x) r = count_occ eqT x r.
Proof.
  unfold rows_of. induction x as [|s x IH]; simpl; [reflexivity|].
  destruct (eqP (by_ s) (by_ r)) as [E|E]; simpl; rewrite IH; destruct (eqT s r) as [->|]; try contradiction; reflexivity.
Qed.

Lemma nobody_there r x : ~ In (by_ r) (persons eqP by_ x) -> count_occ eqT x r = 0%nat.
Proof. intros N. apply count_occ_not_In. intros I. apply N, in_persons. eauto. Qed.

(** Each person with rows in x that are not the same in y counts once, and each with rows in y. *)
Theorem person_executable d x y : person eqP by_ d x y <->
  INR (length (filter (changed x y) (persons eqP by_ x)) + length (filter (changed x y) (persons eqP by_ y))) <= d.
Proof.
  split.
  - intros (ps & qs & H & E). eapply Rle_trans; [apply le_INR | exact E].
    assert (G : forall ps qs x y, Permutation (out ps x) (out qs y) ->
      (length (filter (changed x y) (persons eqP by_ x)) <= length ps)%nat).
    { clear. intros ps qs x y H. apply NoDup_incl_length; [apply NoDup_filter, NoDup_nodup|]. intros p I. apply filter_In in I.
      destruct I as [I C]. destruct (in_dec eqP p ps) as [J|J]; [exact J|]. exfalso.
      assert (Q : Permutation (rows p (out ps x)) (rows p (out qs y))) by now apply filter_perm.
      rewrite !rows_without in Q. destruct (in_dec eqP p ps); [contradiction|]. destruct (in_dec eqP p qs).
      - apply Permutation_sym, Permutation_nil in Q. apply in_persons in I. destruct I as (r & I & <-).
        assert (In r (rows (by_ r) x)) by (apply filter_In; split; [exact I | destruct (eqP (by_ r) (by_ r)); [reflexivity | contradiction]]).
        rewrite Q in H0. destruct H0.
      - apply changed_false in Q. congruence. }
    assert (changed_sym : forall p, changed x y p = changed y x p).
    { intros p. unfold changed. destruct (surplus eqT (rows p x) (rows p y)), (surplus eqT (rows p y) (rows p x)); reflexivity. }
    apply Nat.add_le_mono; [now apply G with qs|]. rewrite (filter_ext _ _ changed_sym). apply G with ps. now symmetry.
  - intros E. exists (filter (changed x y) (persons eqP by_ x)), (filter (changed x y) (persons eqP by_ y)).
    split; [|exact E]. apply (perm_of_count eqT). intros r. rewrite !count_without.
    destruct (changed x y (by_ r)) eqn:C.
    + destruct (in_dec eqP (by_ r) (filter (changed x y) (persons eqP by_ x))) as [I|I];
      destruct (in_dec eqP (by_ r) (filter (changed x y) (persons eqP by_ y))) as [J|J]; auto.
      * symmetry. apply nobody_there. intros K. apply J, filter_In; auto.
      * apply nobody_there. intros K. apply I, filter_In; auto.
      * rewrite (nobody_there r x), (nobody_there r y); auto; intros K; [apply J | apply I]; apply filter_In; auto.
    + destruct (in_dec eqP (by_ r) (filter (changed x y) (persons eqP by_ x))) as [I|_]; [apply filter_In in I; destruct I; congruence|].
      destruct (in_dec eqP (by_ r) (filter (changed x y) (persons eqP by_ y))) as [I|_]; [apply filter_In in I; destruct I; congruence|].
      apply changed_false in C. rewrite <- (count_rows r x), <- (count_rows r y). now apply count_perm.
Qed.
End Persons.

(** ** Parts: what each has and the other lacks, over all keys *)
Section Parts.
Variables (K T : Type) (eqT : forall a b : T, {a = b} + {a <> b}) (ks : list K).

Definition surplus_in (p q : K -> list T) (k : K) : list T := surplus eqT (p k) (q k).

Lemma size_le (ls ls' : K -> list T) : (forall k, In k ks -> (length (ls k) <= length (ls' k))%nat) -> (size ks ls <= size ks ls')%nat.
Proof. unfold size. induction ks as [|j js IH]; simpl; intros H; [lia|]. apply Nat.add_le_mono; auto. Qed.

Lemma surplus_in_least p q ls rs : differs ks p q ls rs ->
  (size ks (surplus_in p q) <= size ks ls)%nat /\ (size ks (surplus_in q p) <= size ks rs)%nat.
Proof. intros D. split; apply size_le; intros k I; apply (surplus_least eqT (D k I)). Qed.

Theorem parts_symmetric_executable d p q :
  parts_symmetric ks d p q <-> INR (size ks (surplus_in p q) + size ks (surplus_in q p)) <= d.
Proof.
  split.
  - intros (ls & rs & D & E). destruct (surplus_in_least D). eapply Rle_trans; [apply le_INR | exact E]. lia.
  - intros E. exists (surplus_in p q), (surplus_in q p). split; [intros k _; apply differ_surplus | exact E].
Qed.

Theorem parts_change_one_executable d p q :
  parts_change_one ks d p q <-> INR (max (size ks (surplus_in p q)) (size ks (surplus_in q p))) <= d.
Proof.
  split.
  - intros (ls & rs & D & E). destruct (surplus_in_least D). eapply Rle_trans; [apply le_INR | exact E]. lia.
  - intros E. exists (surplus_in p q), (surplus_in q p). split; [intros k _; apply differ_surplus | exact E].
Qed.
End Parts.
