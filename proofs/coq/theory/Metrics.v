(** * Metrics, stability, privacy

    A metric is the relation "x and y are at distance at most d". A transformation is stable with a map, and a measurement
    is private with a map, if the map bounds what comes out by the distance of what goes in. *)
From Coq Require Import Reals Lra Psatz Lia List Permutation.
From DPcore Require Import Distributions Indistinguishability Measures.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Record metric (X : Type) := {
  within :> R -> X -> X -> Prop;
  within_sym : forall d x y, within d x y -> within d y x;
  within_nonneg : forall d x y, within d x y -> 0 <= d;
  within_le : forall d d' x y, d <= d' -> within d x y -> within d' x y }.

Definition stable {X Y} (mX : metric X) (mY : metric Y) (map : R -> R) (T : X -> Y) :=
  forall d x y, mX d x y -> mY (map d) (T x) (T y).

Definition private {X A L} (m : metric X) (ms : measure L) (M : X -> dist A) (loss : R -> L) :=
  forall d x y, m d x y -> ms A (M x) (M y) (loss d).

(** The same at one distance only, as the loss between neighbours. *)
Definition private_at {X A L} (m : metric X) (ms : measure L) (M : X -> dist A) (d : R) (l : L) :=
  forall x y, m d x y -> ms A (M x) (M y) l.

(** At distance 0 nothing is seen: a measurement of rows does not see their order. *)
Definition respects {X A} (m : metric X) (M : X -> dist A) := forall x y, m 0 x y -> same (M x) (M y).

(** ** Metrics that count steps *)

(** Members [n] apart are joined by [n] steps of 1. *)
Fixpoint reach {X} (m : metric X) (n : nat) (x y : X) : Prop :=
  match n with O => m 0 x y | S n => exists z, reach m n x z /\ m 1 z y end.

Definition whole {X} (m : metric X) := forall d x y, m d x y -> exists n, INR n <= d < INR n + 1 /\ reach m n x y.

Lemma whole_of_reach X (m : metric X) : (forall d x y, m d x y -> m 0 y y) ->
  (forall d x y, m d x y -> exists n, INR n <= d /\ reach m n x y) -> whole m.
Proof.
  intros Z H d x y D. destruct (H d x y D) as (n & Hn & Rn).
  assert (E : exists k, INR (n + k) <= d < INR (n + k) + 1).
  { pose proof (pos_INR n). exists (Z.to_nat (Int_part (d - INR n))).
    destruct (base_Int_part (d - INR n)) as [B1 B2]. rewrite plus_INR, INR_IZR_INZ with (n := Z.to_nat _).
    assert (0 <= Int_part (d - INR n))%Z by (apply Z.lt_succ_r, lt_IZR; rewrite succ_IZR; lra).
    rewrite Z2Nat.id by assumption. lra. }
  destruct E as (k & E). exists (n + k)%nat; split; [exact E|].
  clear E Hn. induction k as [|k IH]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r.
  exists y; split; [exact IH | apply within_le with 0; [lra | exact (Z d x y D)]].
Qed.

(** ** Metrics from metrics *)

(** The members of a domain alone. *)
Definition on {X} (D : X -> Prop) (m : metric X) : metric X.
Proof.
  refine {| within := fun d x y => D x /\ D y /\ m d x y |}.
  - intros d x y (Dx & Dy & H); auto using within_sym.
  - intros d x y (_ & _ & H); exact (within_nonneg m _ _ _ H).
  - intros d d' x y H (Dx & Dy & K); eauto using within_le.
Defined.

Theorem into_domain X Y (mX : metric X) (mY : metric Y) map (T : X -> Y) (D : Y -> Prop) :
  (forall x, D (T x)) -> stable mX mY map T -> stable mX (on D mY) map T.
Proof. intros H S d x y K; simpl; auto. Qed.

(** A domain carried through a chain: only what the domain gives has to lie in the next one. *)
Theorem between_domains X Y (mX : metric X) (mY : metric Y) map (T : X -> Y) (C : X -> Prop) (D : Y -> Prop) :
  (forall x, C x -> D (T x)) -> stable mX mY map T -> stable (on C mX) (on D mY) map T.
Proof. intros H S d x y (Cx & Cy & K). repeat split; auto. Qed.

(** The same where the stability is itself known on the domain only. *)
Theorem onto_domain X Y (mX : metric X) (mY : metric Y) map (T : X -> Y) (C : X -> Prop) (D : Y -> Prop) :
  (forall x, C x -> D (T x)) -> stable (on C mX) mY map T -> stable (on C mX) (on D mY) map T.
Proof. intros H S d x y K. pose proof (S d x y K). destruct K as (Cx & Cy & _). repeat split; auto. Qed.

(** What holds everywhere, or in a domain, holds in a smaller one. *)
Theorem stable_on X Y (mX : metric X) (mY : metric Y) map (T : X -> Y) (C : X -> Prop) :
  stable mX mY map T -> stable (on C mX) mY map T.
Proof. intros S d x y (_ & _ & K). now apply S. Qed.

Theorem private_on X A L (m : metric X) (ms : measure L) (M : X -> dist A) loss (C : X -> Prop) :
  private m ms M loss -> private (on C m) ms M loss.
Proof. intros H d x y (_ & _ & K). now apply H. Qed.

Theorem stable_within X Y (mX : metric X) (mY : metric Y) map (T : X -> Y) (C C' : X -> Prop) :
  (forall x, C' x -> C x) -> stable (on C mX) mY map T -> stable (on C' mX) mY map T.
Proof. intros H S d x y (Cx & Cy & K). apply S. repeat split; auto. Qed.

Theorem private_within X A L (m : metric X) (ms : measure L) (M : X -> dist A) loss (C C' : X -> Prop) :
  (forall x, C' x -> C x) -> private (on C m) ms M loss -> private (on C' m) ms M loss.
Proof. intros H S d x y (Cx & Cy & K). apply S. repeat split; auto. Qed.

(** Values that differ or do not: each person randomises alone. *)
Definition discrete {X} : metric X.
Proof.
  refine {| within := fun d x y => 0 <= d /\ (x = y \/ 1 <= d) |}.
  - intros d x y [H [K|K]]; auto.
  - tauto.
  - intros d d' x y H [K [E|E]]; split; auto; lra.
Defined.

(** ** Multisets of rows

    [x] and [y] differ in [l] and [r]: what they have in common, with [l] it is [x], with [r] it is [y]. *)
Definition differ {T} (x y l r : list T) := exists c, Permutation x (c ++ l) /\ Permutation y (c ++ r).

(** SymmetricDistance: rows removed plus rows added. *)
Definition symmetric {T} : metric (list T).
Proof.
  refine {| within := fun d x y => exists l r, differ x y l r /\ INR (length l + length r) <= d |}.
  - intros d x y (l & r & (c & H & K) & E). exists r, l; split; [now exists c | now rewrite Nat.add_comm].
  - intros d x y (l & r & _ & E). pose proof (pos_INR (length l + length r)). lra.
  - intros d d' x y H (l & r & D & E). exists l, r; split; [exact D | lra].
Defined.

(** ChangeOneDistance: rows replaced by as many others. *)
Definition change_one {T} : metric (list T).
Proof.
  refine {| within := fun d x y => exists l r, differ x y l r /\ length l = length r /\ INR (length l) <= d |}.
  - intros d x y (l & r & (c & H & K) & E & F). exists r, l. split; [now exists c|]. now rewrite <- E.
  - intros d x y (l & r & _ & _ & E). pose proof (pos_INR (length l)). lra.
  - intros d d' x y H (l & r & D & E & F). exists l, r; repeat split; auto; lra.
Defined.

(** PersonDistance: persons whose rows, all of them, are taken out or put in. *)
Definition without {T P} (eqP : forall a b : P, {a = b} + {a <> b}) (by_ : T -> P) (ps : list P) (x : list T) : list T :=
  filter (fun r => if in_dec eqP (by_ r) ps then false else true) x.

Definition person {T P} (eqP : forall a b : P, {a = b} + {a <> b}) (by_ : T -> P) : metric (list T).
Proof.
  refine {| within := fun d x y => exists ps qs,
    Permutation (without eqP by_ ps x) (without eqP by_ qs y) /\ INR (length ps + length qs) <= d |}.
  - intros d x y (ps & qs & H & E). exists qs, ps; split; [now symmetry | now rewrite Nat.add_comm].
  - intros d x y (ps & qs & _ & E). pose proof (pos_INR (length ps + length qs)). lra.
  - intros d d' x y H (ps & qs & D & E). exists ps, qs; split; [exact D | lra].
Defined.

Lemma differ_refl T (x y : list T) : Permutation x y -> differ x y [] [].
Proof. intros H; exists x; rewrite !app_nil_r; split; [reflexivity | now symmetry]. Qed.

Lemma symmetric_0 T (x y : list T) : symmetric 0 x y <-> Permutation x y.
Proof.
  split.
  - intros (l & r & (c & H & K) & E).
    assert (E' : (length l + length r <= 0)%nat) by (apply INR_le; exact E).
    destruct l, r; simpl in E'; try lia. rewrite app_nil_r in H, K. rewrite H. now symmetry.
  - intros H; exists [], []; split; [now apply differ_refl | simpl; lra].
Qed.

(** ** The executable distances

    With decidable equality the metrics are what [dpcore] computes: [surplus x y] are the rows of x that y lacks,
      counted as in
    multisets. *)
Section Executable.
Variables (T : Type) (eqT : forall a b : T, {a = b} + {a <> b}).

Fixpoint remove1 (a : T) (x : list T) : list T :=
  match x with [] => [] | b :: x => if eqT a b then x else b :: remove1 a x end.
Definition surplus (x y : list T) : list T := fold_left (fun x a => remove1 a x) y x.

Lemma count_remove1 a b x : count_occ eqT (remove1 a x) b = (count_occ eqT x b - if eqT a b then 1 else 0)%nat.
Proof.
  induction x as [|c x IH]; simpl; [destruct (eqT a b); reflexivity|].
  destruct (eqT a c) as [->|N]; simpl.
  - destruct (eqT c b); lia.
  - destruct (eqT c b) as [->|]; rewrite IH; destruct (eqT a b); subst; try contradiction; lia.
Qed.

Lemma count_surplus x y b : count_occ eqT (surplus x y) b = (count_occ eqT x b - count_occ eqT y b)%nat.
Proof.
  unfold surplus; revert x; induction y as [|a y IH]; intros x; simpl; [lia|].
  rewrite IH, count_remove1. destruct (eqT a b); lia.
Qed.

Lemma perm_of_count x y : (forall b, count_occ eqT x b = count_occ eqT y b) -> Permutation x y.
Proof. apply (Permutation_count_occ eqT). Qed.

Lemma count_perm x y b : Permutation x y -> count_occ eqT x b = count_occ eqT y b.
Proof. intros H; apply (Permutation_count_occ eqT); exact H. Qed.

Lemma differ_surplus x y : differ x y (surplus x y) (surplus y x).
Proof.
  exists (surplus x (surplus x y)); split; apply perm_of_count; intros b; rewrite count_occ_app, !count_surplus; lia.
Qed.

(** Of all ways to tell x and y apart, [surplus] is the least. *)
Lemma surplus_least x y l r : differ x y l r -> (length (surplus x y) <= length l)%nat /\ (length (surplus y x) <=
  length r)%nat.
Proof.
  intros (c & H & K).
  assert (least : forall u v s t, Permutation u (c ++ s) -> Permutation v (c ++ t) ->
    (length (surplus u v) <= length s)%nat).
  { intros u v s t U V. transitivity (length (surplus s t)).
    - apply Nat.eq_le_incl, Permutation_length, perm_of_count. intros b.
      rewrite !count_surplus, (count_perm b U), (count_perm b V), !count_occ_app; lia.
    - clear. unfold surplus; revert s; induction t as [|a t IH]; intros s; simpl; [lia|].
      rewrite IH. clear. induction s as [|b s IH]; simpl; [lia|]. destruct (eqT a b); simpl; lia. }
  split; eauto.
Qed.

Theorem symmetric_executable d x y : symmetric d x y <-> INR (length (surplus x y) + length (surplus y x)) <= d.
Proof.
  split.
  - intros (l & r & D & E). destruct (surplus_least D). eapply Rle_trans; [apply le_INR | exact E]. lia.
  - intros H; exists (surplus x y), (surplus y x); split; [apply differ_surplus | exact H].
Qed.

Theorem change_one_executable d x y : change_one d x y <-> length x = length y /\ INR (length (surplus x y)) <= d.
Proof.
  pose proof (differ_surplus x y) as (c & H & K). apply Permutation_length in H, K. rewrite app_length in H, K. split.
  - intros (l & r & D & E & F). destruct (surplus_least D) as [M _]. split.
    + destruct D as (c' & H' & K'). apply Permutation_length in H', K'. rewrite app_length in H', K'. lia.
    + eapply Rle_trans; [apply le_INR, M | exact F].
  - intros [E F]; exists (surplus x y), (surplus y x); repeat split; [apply differ_surplus | lia | exact F].
Qed.
End Executable.
