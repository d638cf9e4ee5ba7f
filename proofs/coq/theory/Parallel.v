(** * Parallel composition: one measurement for each part

    A row added or removed touches one part. A row replaced changes inside one part, or leaves one and enters another, or
    leaves one or enters one alone, where the parts do not cover everything. *)
From Coq Require Import Reals Lra Lia List Permutation.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Combinators Partition.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Parallel.
Variables (K T A : Type) (eqK : forall a b : K, {a = b} + {a <> b}).

(** One draw for each key, in turn. *)
Fixpoint each (P : K -> dist A) (ks : list K) : dist (list A) :=
  match ks with [] => ret [] | k :: ks => bind (P k) (fun a => bind (each P ks) (fun l => ret (a :: l))) end.

Definition parallel (M : K -> list T -> dist A) (ks : list K) (p : K ->
  list T) : dist (list A) := each (fun k => M k (p k)) ks.

Lemma each_same P Q ks : (forall k, In k ks -> same (P k) (Q k)) -> same (each P ks) (each Q ks).
Proof.
  induction ks as [|k ks IH]; intros H; simpl; [apply same_refl|].
  apply same_bind; [apply H; now left | intros a; apply same_bind; [apply IH; intros; apply H; now right | auto]].
Qed.

Section Laws.
Context {L : Type} {O : losses L} (ms : measure L) {D : divergence ms}.

(** Where one draw differs, all differ by as much. *)
Lemma each_one P Q i l ks : NoDup ks -> (forall k, In k ks -> k <> i -> same (P k) (Q k)) ->
  ms (P i) (Q i) l -> le zero l -> ms (each P ks) (each Q ks) l.
Proof.
  intros ND H Hi L0; induction ks as [|k ks IH]; simpl; [apply div_le with zero; [exact L0 | apply div_same, same_refl]|].
  inversion ND; subst. destruct (eqK k i) as [->|N].
  - eapply div_resp; [apply same_refl | | apply (div_post _ _ (fun a => bind (each P ks) (fun l => ret (a :: l))) _ Hi)].
    apply same_bind; [apply same_refl | intros a; apply same_bind; [|auto]].
    apply each_same. intros j I. apply H; [now right | congruence].
  - eapply div_resp; [apply same_refl | apply same_bind; [apply (H k); [now left | exact N] | intros; apply same_refl] |].
    apply div_inner. intros a. apply div_post, IH; auto. intros; apply H; auto; now right.
Qed.

Context {C : composes ms}.

Lemma each_two P Q i j l1 l2 ks : NoDup ks -> i <> j -> (forall k, In k ks -> k <> i -> k <> j -> same (P k) (Q k)) ->
  ms (P i) (Q i) l1 -> ms (P j) (Q j) l2 -> le zero l1 -> le zero l2 -> ms (each P ks) (each Q ks) (plus l1 l2).
Proof.
  intros ND Nij H Hi Hj L1 L2; induction ks as [|k ks IH]; simpl.
  - apply div_le with zero; [|apply div_same, same_refl]. rewrite <- (plus_zero zero). now apply plus_le.
  - inversion ND; subst. destruct (eqK k i) as [->|N1]; [|destruct (eqK k j) as [->|N2]].
    + apply div_bind; [exact Hi|]. intros a. apply div_post, each_one with j; auto.
      intros k I Nk. apply H; [now right | congruence | exact Nk].
    + rewrite plus_comm. apply div_bind; [exact Hj|]. intros a. apply div_post, each_one with i; auto.
      intros k I Nk. apply H; [now right | exact Nk | congruence].
    + eapply div_resp; [apply same_refl | apply same_bind; [apply (H k); [now left | exact N1 | exact N2] | intros;
        apply same_refl] |].
      apply div_inner. intros a. apply div_post, IH; auto. intros; apply H; auto; now right.
Qed.
End Laws.

(** All pairs of different keys. *)
Definition different (ks : list K) : list (K * K) := filter (fun ij => if eqK (fst ij) (snd ij) then false else true)
  (list_prod ks ks).

Lemma in_different ks i j : In i ks -> In j ks -> i <> j -> In (i, j) (different ks).
Proof. intros I J N. apply filter_In; split; [now apply in_prod | simpl; destruct (eqK i j);
  [contradiction | reflexivity]]. Qed.

(** ** What a single step does *)
Variable ks : list K.
Hypothesis distinct : NoDup ks.

Lemma at_most_one_row (ls : K -> list T) : (size ks ls <= 1)%nat ->
  (forall k, In k ks -> ls k = []) \/ (exists i a, In i ks /\ ls i = [a] /\ forall k, In k ks -> k <> i -> ls k = []).
Proof.
  intros H. destruct (Nat.eq_0_gt_0_cases (size ks ls)) as [E|E]; [left; now apply size_0|].
  destruct (size_pos distinct ls E) as (i & a & l & I & Ei). right.
  rewrite (size_put eqK distinct ls i I Ei) in H.
  assert (Z : size ks (put eqK ls i l) = 0%nat) by lia. pose proof (size_0 distinct _ Z) as Z'.
  exists i, a; repeat split; auto.
  - specialize (Z' i I). unfold put in Z'. destruct (eqK i i); [congruence | contradiction].
  - intros k J N. specialize (Z' k J). unfold put in Z'. destruct (eqK k i); [contradiction | exact Z'].
Qed.

Lemma differ_nothing (x y : list T) : differ x y [] [] -> symmetric 0 x y.
Proof. intros H; exists [], []; split; [exact H | simpl; lra]. Qed.

(** What is known of the rows that differ, at one key. *)
Ltac at_key E i I Hl Hr := let H := fresh in pose proof (E i I) as H; rewrite Hl, Hr in H by assumption; exact H.

Section Rules.
Context {L : Type} {O : losses L} (ms : measure L) {D : divergence ms} {G : groups ms}.
Variables (M : K -> list T -> dist A) (loss : K -> L).
Hypothesis order : forall k, In k ks -> respects symmetric (M k).
Hypothesis moved : forall k, In k ks -> private_at symmetric ms (M k) 1 (loss k).

Definition most_moved : L := largest (map loss ks).

Lemma parallel_respects (m : metric (K -> list T)) : (forall p q, m 0 p q -> forall k, In k ks ->
  symmetric 0 (p k) (q k)) -> respects m (parallel M ks).
Proof. intros H p q E. apply each_same. intros k I. apply order; auto. Qed.

(** One row in or out of one part. *)
Lemma one_row p q i l r : In i ks -> (forall k, In k ks -> k <> i -> symmetric 0 (p k) (q k)) ->
  differ (p i) (q i) l r -> (length l + length r <= 1)%nat -> ms (parallel M ks p) (parallel M ks q) most_moved.
Proof.
  intros I H E Len. unfold parallel. apply each_one with i; auto.
  - intros k J N. apply order; auto.
  - apply div_le with (loss i); [apply largest_ge, (in_map loss), I|].
    apply moved; [exact I|]. exists l, r; split; [exact E | apply (le_INR _ 1), Len].
  - apply largest_nonneg.
Qed.

(** Of one step; this asks nothing of groups. *)
Lemma parallel_symmetric_step : private_at (parts_symmetric ks) ms (parallel M ks) 1 most_moved.
Proof.
  intros p q (ls & rs & E & S). apply (INR_le _ 1) in S.
  assert (Nothing : (forall k, In k ks -> ls k = []) -> (forall k, In k ks -> rs k = []) ->
    ms (parallel M ks p) (parallel M ks q) most_moved).
  { intros Zl Zr. apply div_le with zero; [apply largest_nonneg|]. apply div_same, each_same. intros k I.
    apply order; [exact I|]. apply differ_nothing. at_key E k I (Zl k I) (Zr k I). }
  destruct (at_most_one_row ls) as [Zl|(i & a & I & Ei & Zl)]; [lia | |].
  - destruct (at_most_one_row rs) as [Zr|(i & a & I & Ei & Zr)]; [lia | auto |].
    apply one_row with i [] [a]; auto.
    + intros k J N. apply differ_nothing. at_key E k J (Zl k J) (Zr k J N).
    + at_key E i I (Zl i I) Ei.
  - assert (R0 : size ks rs = 0%nat) by (rewrite (size_put eqK distinct ls i I Ei) in S; lia).
    pose proof (size_0 distinct _ R0) as Zr. apply one_row with i [a] []; auto.
    + intros k J N. apply differ_nothing. at_key E k J (Zl k J N) (Zr k J).
    + at_key E i I Ei (Zr i I).
Qed.

Lemma parallel_symmetric_at : private (parts_symmetric ks) ms (parallel M ks) (fun d => group d most_moved).
Proof.
  apply (lift (D := D)); [exact (whole_parts_symmetric eqK distinct) | | apply largest_nonneg | exact parallel_symmetric_step].
  apply parallel_respects. intros p q (ls & rs & E & S) k I. apply (INR_le _ 0) in S.
  apply differ_nothing.
  at_key E k I (size_0 distinct ls ltac:(lia) k I) (size_0 distinct rs ltac:(lia) k I).
Qed.

(** ** Rows replaced *)
Context {C : composes ms}.
Variable change : K -> L.
Hypothesis changed : forall k, In k ks -> private_at change_one ms (M k) 1 (change k).

(** What any two parts cost together. *)
Definition most_changed : L := largest (map change ks ++ map loss ks ++
  map (fun ij => plus (loss (fst ij)) (loss (snd ij))) (different ks)).

Lemma parallel_change_one_step : (forall k, In k ks -> le zero (loss k)) ->
  private_at (parts_change_one ks) ms (parallel M ks) 1 most_changed.
Proof.
  intros L0 p q (ls & rs & E & S). apply (INR_le _ 1) in S.
  assert (Most : forall l, In l (map loss ks) -> le l most_changed).
  { intros l I. apply largest_ge, in_or_app; right; apply in_or_app; now left. }
  assert (One : forall i l, le l most_changed -> (forall k, In k ks -> k <> i -> ls k = []) ->
    (forall k, In k ks -> k <> i -> rs k = []) -> ms (M i (p i)) (M i (q i)) l ->
    ms (parallel M ks p) (parallel M ks q) most_changed).
  { intros i l Ll Zl Zr H. unfold parallel. apply each_one with i; auto; [|now apply div_le with l | apply largest_nonneg].
    intros k J N. apply order; [exact J|]. apply differ_nothing. at_key E k J (Zl k J N) (Zr k J N). }
  destruct (at_most_one_row ls) as [Zl|(i & a & I & Ei & Zl)]; [lia | |];
  (destruct (at_most_one_row rs) as [Zr|(j & b & J & Ej & Zr)]; [lia | |]).
  - apply div_le with zero; [apply largest_nonneg|]. apply div_same, each_same. intros k I.
    apply order; [exact I|]. apply differ_nothing. at_key E k I (Zl k I) (Zr k I).
  - apply One with j (loss j); [apply Most, (in_map loss), J | auto | auto |].
    apply moved; [exact J|]. exists [], [b]; split; [|simpl; lra]. at_key E j J (Zl j J) Ej.
  - apply One with i (loss i); [apply Most, (in_map loss), I | auto | auto |].
    apply moved; [exact I|]. exists [a], []; split; [|simpl; lra]. at_key E i I Ei (Zr i I).
  - destruct (eqK i j) as [<-|N].
    + apply One with i (change i); [apply largest_ge, in_or_app; left;
        apply (in_map change), I | auto | auto |].
      apply changed; [exact I|]. exists [a], [b]; split; [|simpl; split; [reflexivity | lra]]. at_key E i I Ei Ej.
    + apply div_le with (plus (loss i) (loss j)); [apply largest_ge, in_or_app; right; apply in_or_app; right;
         apply (in_map (fun ij => plus (loss (fst ij)) (loss (snd ij))) _ (i, j)); now apply in_different|].
      unfold parallel. apply each_two with i j; auto.
      * intros k Ik Ni Nj. apply order; [exact Ik|]. apply differ_nothing. at_key E k Ik (Zl k Ik Ni) (Zr k Ik Nj).
      * apply moved; [exact I|]. exists [a], []; split; [|simpl; lra]. at_key E i I Ei (Zr i I N).
      * apply moved; [exact J|]. exists [], [b]; split; [|simpl; lra]. at_key E j J (Zl j J (not_eq_sym N)) Ej.
Qed.

Lemma parallel_change_one_at : (forall k, In k ks -> le zero (loss k)) ->
  private (parts_change_one ks) ms (parallel M ks) (fun d => group d most_changed).
Proof.
  intros L0. apply (lift (D := D)); [exact (whole_parts_change_one eqK distinct) | | apply largest_nonneg | exact (parallel_change_one_step L0)].
  apply parallel_respects. intros p q (ls & rs & E & S) k I. apply (INR_le _ 0) in S.
  apply differ_nothing.
  at_key E k I (size_0 distinct ls ltac:(lia) k I) (size_0 distinct rs ltac:(lia) k I).
Qed.
End Rules.

(** The same, of losses known at every distance. *)
Section Everywhere.
Context {L : Type} {O : losses L} (ms : measure L) {D : divergence ms} {G : groups ms}.
Variables (M : K -> list T -> dist A) (loss : K -> R -> L).
Hypothesis order : forall k, In k ks -> respects symmetric (M k).
Hypothesis moved : forall k, In k ks -> private symmetric ms (M k) (loss k).

Definition moved_most : L := largest (map (fun k => loss k 1) ks).

Corollary parallel_symmetric : private (parts_symmetric ks) ms (parallel M ks) (fun d => group d moved_most).
Proof. apply (@parallel_symmetric_at L O ms D G M (fun k => loss k 1)); [exact order | intros k I x y S; now apply (moved k I)]. Qed.

Context {C : composes ms}.
Variable change : K -> R -> L.
Hypothesis changed : forall k, In k ks -> private change_one ms (M k) (change k).

Definition changed_most : L := largest (map (fun k => change k 1) ks ++ map (fun k => loss k 1) ks ++
  map (fun ij => plus (loss (fst ij) 1) (loss (snd ij) 1)) (different ks)).

Corollary parallel_change_one : (forall k, In k ks -> le zero (loss k 1)) ->
  private (parts_change_one ks) ms (parallel M ks) (fun d => group d changed_most).
Proof.
  apply (@parallel_change_one_at L O ms D G M (fun k => loss k 1)); [exact order | | exact C |]; intros k I x y S;
  [now apply (moved k I) | now apply (changed k I)].
Qed.
End Everywhere.
End Parallel.
