(** * Rows kept apart by key

    Parts are a function from keys to rows, looked at for the given keys alone. Two distances between them: of rows added
    and removed in all parts together, and of moves, a move being a row taken out of some part and a row put into some
      part. *)
From Coq Require Import Reals Lra Lia List Permutation.
From DPcore Require Import Distributions Indistinguishability Measures Metrics.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Parts.
Variables (K T : Type) (eqK : forall a b : K, {a = b} + {a <> b}) (ks : list K).
Hypothesis distinct : NoDup ks.
Notation parts := (K -> list T).

(** How many rows there are, over all keys. *)
Definition size (ls : parts) : nat := fold_right (fun k n => length (ls k) + n)%nat 0%nat ks.

Definition differs (p q ls rs : parts) := forall k, In k ks -> differ (p k) (q k) (ls k) (rs k).

Definition parts_symmetric : metric parts.
Proof.
  refine {| within := fun d p q => exists ls rs, differs p q ls rs /\ INR (size ls + size rs) <= d |}.
  - intros d p q (ls & rs & D & E). exists rs, ls; split; [|now rewrite Nat.add_comm].
    intros k I. destruct (D k I) as (c & H & J). now exists c.
  - intros d p q (ls & rs & _ & E). pose proof (pos_INR (size ls + size rs)); lra.
  - intros d d' p q H (ls & rs & D & E). exists ls, rs; split; [exact D | lra].
Defined.

Definition parts_change_one : metric parts.
Proof.
  refine {| within := fun d p q => exists ls rs, differs p q ls rs /\ INR (max (size ls) (size rs)) <= d |}.
  - intros d p q (ls & rs & D & E). exists rs, ls; split; [|now rewrite Nat.max_comm].
    intros k I. destruct (D k I) as (c & H & J). now exists c.
  - intros d p q (ls & rs & _ & E). pose proof (pos_INR (max (size ls) (size rs))); lra.
  - intros d d' p q H (ls & rs & D & E). exists ls, rs; split; [exact D | lra].
Defined.

(** ** The partition *)
Definition partition (key : T -> K) (x : list T) : parts := fun k => filter (fun r => if eqK (key r) k then true else
  false) x.

Lemma filter_app_perm (f : T -> bool) x c l : Permutation x (c ++ l) -> Permutation (filter f x) (filter f c ++ filter f l).
Proof.
  intros H. rewrite <- filter_app. induction H; simpl; auto.
  - destruct (f x); auto.
  - destruct (f x), (f y); auto using perm_swap.
  - eapply perm_trans; eauto.
Qed.

Lemma partition_differs key x y l r : differ x y l r ->
  differs (partition key x) (partition key y) (partition key l) (partition key r).
Proof. intros (c & H & J) k _. exists (partition key c k). split; now apply filter_app_perm. Qed.

(** Each row is in at most one part. *)
Lemma partition_size key l : (size (partition key l) <= length l)%nat.
Proof.
  unfold size, partition. induction l as [|r l IH]; simpl.
  - clear. induction ks; simpl; lia.
  - assert (G : forall js, NoDup js ->
      let s := fun l => fold_right (fun k n => length (filter (fun r => if eqK (key r) k then true else false) l) +
        n)%nat 0%nat js in
      (s (r :: l) <= S (s l))%nat /\ (~ In (key r) js -> s (r :: l) = s l)); [|specialize (G ks distinct); simpl in G; lia].
    induction js as [|k js IHj]; intros ND; simpl; [split; auto|]. inversion ND; subst. destruct (IHj H2) as [I1 I2].
    simpl in I1, I2. destruct (eqK (key r) k) as [E|E]; simpl.
    + subst k. rewrite (I2 H1). split; [lia | tauto].
    + split; [lia | intros N; rewrite I2 by tauto; reflexivity].
Qed.

Theorem partition_symmetric (key : T -> K) : stable symmetric parts_symmetric (fun d => d) (partition key).
Proof.
  intros d x y (l & r & D & E). exists (partition key l), (partition key r); split; [now apply partition_differs|].
  pose proof (partition_size key l). pose proof (partition_size key r).
  eapply Rle_trans; [apply le_INR | exact E]. lia.
Qed.

Theorem partition_change_one (key : T -> K) : stable change_one parts_change_one (fun d => d) (partition key).
Proof.
  intros d x y (l & r & D & E & F). exists (partition key l), (partition key r); split; [now apply partition_differs|].
  pose proof (partition_size key l). pose proof (partition_size key r).
  eapply Rle_trans; [apply le_INR | exact F]. lia.
Qed.

(** ** Steps: one row in, or one row out, or both at once *)
Definition none : parts := fun _ => [].
Definition single (i : K) (a : T) : parts := fun k => if eqK k i then [a] else [].
Definition put (p : parts) (i : K) (l : list T) : parts := fun k => if eqK k i then l else p k.

Lemma size_0 ls : size ls = 0%nat -> forall k, In k ks -> ls k = [].
Proof.
  unfold size; induction ks as [|j js IH]; simpl; [tauto|].
  intros E k [->|I]; [destruct (ls k); [reflexivity | discriminate]|].
  apply IH; auto; [now inversion distinct | lia].
Qed.

Lemma size_ext ls ls' : (forall k, In k ks -> ls k = ls' k) -> size ls = size ls'.
Proof. unfold size; clear distinct; induction ks as [|j js IH]; simpl; intros H; [reflexivity|]. rewrite H, IH; auto. Qed.

Lemma size_none : size none = 0%nat.
Proof. unfold size; clear distinct; induction ks; simpl; auto. Qed.

Lemma size_put ls i a l : In i ks -> ls i = a :: l -> size ls = S (size (put ls i l)).
Proof.
  unfold size; induction ks as [|j js IH]; simpl; [tauto|]. inversion distinct; subst. intros I E.
  unfold put at 1. destruct (eqK j i) as [->|N].
  - rewrite E; simpl. f_equal. f_equal. clear -H1. induction js as [|k js IH]; simpl; [reflexivity|].
    unfold put at 1. destruct (eqK k i) as [->|]; [exfalso; apply H1; now left|]. f_equal. apply IH.
    intros J; apply H1; now right.
  - destruct I as [->|I]; [contradiction|]. rewrite (IH H2 I E). lia.
Qed.

Lemma size_single i a : In i ks -> size (single i a) = 1%nat.
Proof.
  intros I. rewrite (size_put (single i a) i (a := a) (l := []) I); [|unfold single; destruct (eqK i i); tauto].
  f_equal. rewrite <- size_none. apply size_ext. intros k _. unfold put, single, none. destruct (eqK k i); reflexivity.
Qed.

Lemma size_pos ls : (0 < size ls)%nat -> exists k a l, In k ks /\ ls k = a :: l.
Proof.
  unfold size; induction ks as [|j js IH]; simpl; [lia|]. intros H. destruct (ls j) as [|a l] eqn:E.
  - destruct IH as (k & a & l & I & F); [now inversion distinct | exact H |]. exists k, a, l; auto.
  - exists j, a, l; auto.
Qed.

(** The last row in comes in last; the last row out goes out last. *)
Lemma peel_in p q ls rs : differs p q ls rs -> (0 < size rs)%nat -> exists w i b rs',
  In i ks /\ size rs = S (size rs') /\ differs p w ls rs' /\ differs w q none (single i b).
Proof.
  intros D H. destruct (size_pos _ H) as (i & b & r & I & E). destruct (D i I) as (c & H1 & H2). rewrite E in H2.
  exists (put q i (c ++ r)), i, b, (put rs i r). repeat split; [exact I | now apply size_put with b | |].
  - intros k J. unfold put. destruct (eqK k i) as [->|]; [exists c; auto | now apply D].
  - intros k J. unfold put, none, single. destruct (eqK k i) as [->|]; [|now apply differ_refl].
    exists (c ++ r). rewrite app_nil_r; split; [reflexivity|]. rewrite H2, <- app_assoc.
    apply Permutation_app_head, Permutation_cons_append.
Qed.

Lemma peel_out p q ls rs : differs p q ls rs -> (0 < size ls)%nat -> exists w i a ls',
  In i ks /\ size ls = S (size ls') /\ differs p w ls' rs /\ differs w q (single i a) none.
Proof.
  intros D H. destruct (size_pos _ H) as (i & a & l & I & E). destruct (D i I) as (c & H1 & H2). rewrite E in H1.
  exists (put q i ((c ++ [a]) ++ rs i)), i, a, (put ls i l). repeat split; [exact I | now apply size_put with a | |].
  - intros k J. unfold put. destruct (eqK k i) as [->|]; [|now apply D].
    exists (c ++ [a]). split; [now rewrite <- app_assoc | reflexivity].
  - intros k J. unfold put, none, single. destruct (eqK k i) as [->|]; [|now apply differ_refl].
    exists (c ++ rs i). rewrite app_nil_r; split; [|exact H2]. rewrite <- !app_assoc.
    apply Permutation_app_head, Permutation_app_comm.
Qed.

Theorem whole_parts_symmetric : whole parts_symmetric.
Proof.
  apply whole_of_reach.
  { intros d p q _. exists none, none. rewrite size_none; split; [intros k _; now apply differ_refl | simpl; lra]. }
  intros d p q (ls & rs & D & E). exists (size ls + size rs)%nat; split; [exact E|]. clear d E.
  remember (size ls + size rs)%nat as n eqn:En. revert q ls rs D En; induction n as [|n IH]; intros q ls rs D En; simpl.
  - exists ls, rs; split; [exact D | rewrite <- En; simpl; lra].
  - destruct (Nat.eq_0_gt_0_cases (size rs)) as [R0|R0].
    + destruct (peel_out D) as (w & i & a & ls' & I & S & D1 & D2); [lia|].
      exists w; split; [apply (IH w ls' rs D1); lia|]. exists (single i a), none; split; [exact D2|].
      rewrite size_single, size_none by exact I; simpl; lra.
    + destruct (peel_in D) as (w & i & b & rs' & I & S & D1 & D2); [lia|].
      exists w; split; [apply (IH w ls rs' D1); lia|]. exists none, (single i b); split; [exact D2|].
      rewrite size_single, size_none by exact I; simpl; lra.
Qed.

(** A way out and then a way in make a move. *)
Lemma differs_meet p w q ls rs : differs p w ls none -> differs w q none rs -> differs p q ls rs.
Proof.
  intros D E k I. destruct (D k I) as (c & H1 & H2). destruct (E k I) as (c' & H3 & H4). unfold none in *.
  rewrite app_nil_r in H2, H3. exists c; split; [exact H1|]. rewrite H4. apply Permutation_app_tail. now rewrite <- H3, H2.
Qed.

Theorem whole_parts_change_one : whole parts_change_one.
Proof.
  assert (N : forall p, differs p p none none) by (intros p k _; now apply differ_refl).
  apply whole_of_reach.
  { intros d p q _. exists none, none. rewrite size_none; split; [apply N | simpl; lra]. }
  intros d p q (ls & rs & D & E). exists (max (size ls) (size rs)); split; [exact E|]. clear d E.
  remember (max (size ls) (size rs)) as n eqn:En. revert q ls rs D En; induction n as [|n IH]; intros q ls rs D En; simpl.
  - exists ls, rs; split; [exact D | rewrite <- En; simpl; lra].
  - assert (A : exists w rs' into, differs p w ls rs' /\ differs w q none into /\ size rs' = pred (size rs) /\ (size
      into <= 1)%nat).
    { destruct (Nat.eq_0_gt_0_cases (size rs)) as [R0|R0].
      - exists q, rs, none. rewrite size_none, R0. auto.
      - destruct (peel_in D R0) as (w & i & b & rs' & I & S & D1 & D2). exists w, rs', (single i b).
        rewrite size_single by exact I. repeat split; auto; lia. }
    destruct A as (w & rs' & into & D1 & D2 & S1 & S2).
    assert (B : exists z ls' out, differs p z ls' rs' /\ differs z w out none /\ size ls' = pred (size ls) /\ (size out
      <= 1)%nat).
    { destruct (Nat.eq_0_gt_0_cases (size ls)) as [L0|L0].
      - exists w, ls, none. rewrite size_none, L0. auto.
      - destruct (peel_out D1 L0) as (z & i & a & ls' & I & S & D3 & D4). exists z, ls', (single i a).
        rewrite size_single by exact I. repeat split; auto; lia. }
    destruct B as (z & ls' & out & D3 & D4 & S3 & S4).
    exists z; split; [apply (IH z ls' rs' D3); lia|]. exists out, into; split; [exact (differs_meet D4 D2)|].
    apply (le_INR _ 1). lia.
Qed.
End Parts.

Arguments parts_symmetric {K T} ks.
Arguments parts_change_one {K T} ks.
