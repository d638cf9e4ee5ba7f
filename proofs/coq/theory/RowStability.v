(** * Stability of what is done row by row

    A row function turns what two data sets have in common into what their images have in common, and what they differ in
    into what the images differ in ([differ_flat_map]). Everything here follows from that and from counting. *)
From Coq Require Import Reals Lra Psatz Lia List Permutation ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Lemma differ_flat_map T U (f : T -> list U) x y l r :
  differ x y l r -> differ (flat_map f x) (flat_map f y) (flat_map f l) (flat_map f r).
Proof.
  intros (c & H & K). exists (flat_map f c).
  apply (Permutation_flat_map f) in H, K. now rewrite flat_map_app in H, K.
Qed.

Lemma length_flat_map_le T U (f : T -> list U) c l : (forall r, (length (f r) <= c)%nat) ->
  (length (flat_map f l) <= c * length l)%nat.
Proof. intros H; induction l as [|r l IH]; simpl; [lia|]. rewrite app_length. specialize (H r). lia. Qed.

(** Each row gives at most [c] rows: add/remove grows by [c], a replaced row counts twice. *)
Lemma flat_map_from_symmetric T U (f : T -> list U) c : (forall r, (length (f r) <= c)%nat) ->
  stable symmetric symmetric (fun d => INR c * d) (flat_map f).
Proof.
  intros H d x y (l & r & D & E). exists (flat_map f l), (flat_map f r); split; [now apply differ_flat_map|].
  pose proof (length_flat_map_le f l H). pose proof (length_flat_map_le f r H).
  apply Rle_trans with (INR (c * (length l + length r))); [apply le_INR; lia|].
  rewrite mult_INR. apply Rmult_le_compat_l; [apply pos_INR | exact E].
Qed.

Lemma flat_map_from_change_one T U (f : T -> list U) : (forall r, (length (f r) <= 1)%nat) ->
  stable change_one symmetric (fun d => 2 * d) (flat_map f).
Proof.
  intros H d x y (l & r & D & E & F). exists (flat_map f l), (flat_map f r); split; [now apply differ_flat_map|].
  pose proof (length_flat_map_le f l H). pose proof (length_flat_map_le f r H).
  apply Rle_trans with (INR (2 * length l)); [apply le_INR; lia|]. rewrite mult_INR; simpl; lra.
Qed.

(** ** flat_map, of whose rows at most [limit] are kept *)
Theorem flat_map_symmetric T U (f : T -> list U) (limit : nat) :
  stable symmetric symmetric (fun d => INR limit * d) (flat_map (fun r => firstn limit (f r))).
Proof. apply flat_map_from_symmetric. intros r; apply firstn_le_length. Qed.

(** ** Functions that turn one row into one, or into none *)

(** The rows for which [f] gives something. *)
Definition somes {T U} (f : T -> option U) : list T -> list U :=
  flat_map (fun r => match f r with Some u => [u] | None => [] end).

Lemma at_most_one T U (f : T -> option U) r : (length (match f r with Some u => [u] | None => [] end) <= 1)%nat.
Proof. destruct (f r); simpl; lia. Qed.

Lemma somes_symmetric T U (f : T -> option U) : stable symmetric symmetric (fun d => d) (somes f).
Proof.
  intros d x y D. replace d with (INR 1 * d) by (simpl; ring).
  exact (flat_map_from_symmetric _ (at_most_one f) D).
Qed.

(** One more condition for persons: it must remain plain whose row it is. *)
Lemma somes_person T U P (eqP : forall a b : P, {a = b} + {a <> b}) (by_ : T -> P) (by_' : U -> P) (f : T -> option U) :
  (forall r u, f r = Some u -> by_' u = by_ r) -> stable (person eqP by_) (person eqP by_') (fun d => d) (somes f).
Proof.
  intros H d x y (ps & qs & D & E). exists ps, qs; split; [|exact E].
  assert (C : forall ps x, without eqP by_' ps (somes f x) = somes f (without eqP by_ ps x)).
  { clear -H; intros ps x; induction x as [|r x IH]; [reflexivity|]. unfold somes, without in *; simpl.
    rewrite filter_app, IH. destruct (f r) as [u|] eqn:F; simpl.
    - rewrite (H r u F). destruct (in_dec eqP (by_ r) ps); simpl; rewrite ?F; reflexivity.
    - destruct (in_dec eqP (by_ r) ps); simpl; rewrite ?F; reflexivity. }
  rewrite !C. now apply Permutation_flat_map.
Qed.

(** drop_nulls: [f r] is the row with its fields, or nothing where one is missing. *)
Theorem drop_nulls_symmetric T U (f : T -> option U) : stable symmetric symmetric (fun d => d) (somes f).
Proof. apply somes_symmetric. Qed.

Theorem drop_nulls_change_one T U (f : T -> option U) : stable change_one symmetric (fun d => 2 * d) (somes f).
Proof. apply flat_map_from_change_one, at_most_one. Qed.

Theorem drop_nulls_person T U P (eqP : forall a b : P, {a = b} + {a <> b}) (by_ : T -> P) (by_' : U -> P)
  (f : T -> option U) : (forall r u, f r = Some u -> by_' u = by_ r) ->
  stable (person eqP by_) (person eqP by_') (fun d => d) (somes f).
Proof. apply somes_person. Qed.

(** filter *)
Lemma filter_somes T (p : T -> bool) x : filter p x = somes (fun r => if p r then Some r else None) x.
Proof. induction x as [|r x IH]; simpl; [reflexivity|]. unfold somes; simpl. destruct (p r); simpl; now rewrite IH. Qed.

Theorem filter_symmetric T (p : T -> bool) : stable symmetric symmetric (fun d => d) (filter p).
Proof. intros d x y D. rewrite !filter_somes. now apply somes_symmetric. Qed.

Theorem filter_change_one T (p : T -> bool) : stable change_one symmetric (fun d => 2 * d) (filter p).
Proof. intros d x y D. rewrite !filter_somes. now apply drop_nulls_change_one. Qed.

Theorem filter_person T P (eqP : forall a b : P, {a = b} + {a <> b}) (by_ : T -> P) (p : T -> bool) :
  stable (person eqP by_) (person eqP by_) (fun d => d) (filter p).
Proof.
  intros d x y D. rewrite !filter_somes. revert D. apply somes_person.
  intros r u E. destruct (p r); congruence.
Qed.

(** ** row_map: clamp, quantize, select and the like *)
Lemma map_somes T U (f : T -> U) x : map f x = somes (fun r => Some (f r)) x.
Proof. induction x as [|r x IH]; simpl; [reflexivity|]. unfold somes; simpl. now rewrite IH. Qed.

Lemma row_map_change_one T U (f : T -> U) : stable change_one change_one (fun d => d) (map f).
Proof.
  intros d x y (l & r & (c & H & K) & E & F). exists (map f l), (map f r). rewrite !map_length.
  split; [|split; [exact E | exact F]]. exists (map f c). apply (Permutation_map f) in H, K. now rewrite map_app in H, K.
Qed.

(** Under any metric of rows; for persons, where [f] leaves it plain whose row it is. *)
Theorem row_map T U (f : T -> U) :
  stable symmetric symmetric (fun d => d) (map f) /\
  stable change_one change_one (fun d => d) (map f) /\
  (forall P (eqP : forall a b : P, {a = b} + {a <> b}) (by_ : T -> P) (by_' : U -> P),
    (forall r, by_' (f r) = by_ r) -> stable (person eqP by_) (person eqP by_') (fun d => d) (map f)).
Proof.
  split; [|split; [apply row_map_change_one|]].
  - intros d x y D. rewrite !map_somes. now apply somes_symmetric.
  - intros P eqP by_ by_' H d x y D. rewrite !map_somes. revert D. apply somes_person. intros r u E. congruence.
Qed.

(** Under ChangeOneDistance and SymmetricDistance a map of rows has no condition; shortening vectors, in [Sums.v], is one. *)
Corollary rows_mapped T U (f : T -> U) :
  stable symmetric symmetric (fun d => d) (map f) /\ stable change_one change_one (fun d => d) (map f).
Proof. destruct (row_map f) as (H & K & _); auto. Qed.

(** Rows of [ok] become rows of [ok']. *)
Lemma rows_mapped_on T U (f : T -> U) (ok : T -> Prop) (ok' : U -> Prop) : (forall r, ok r -> ok' (f r)) ->
  stable (on (Forall ok) symmetric) (on (Forall ok') symmetric) (fun d => d) (map f) /\
  stable (on (Forall ok) change_one) (on (Forall ok') change_one) (fun d => d) (map f).
Proof.
  intros H. assert (F : forall x, Forall ok x -> Forall ok' (map f x)).
  { intros x I. apply Forall_forall. intros u J. apply in_map_iff in J. destruct J as (r & <- & J).
    rewrite Forall_forall in I. auto. }
  destruct (rows_mapped f). split; apply between_domains; assumption.
Qed.

(** ** From one metric of rows to another *)
Theorem change_one_to_symmetric T : stable change_one symmetric (fun d => 2 * d) (fun x : list T => x).
Proof.
  intros d x y (l & r & D & E & F). exists l, r; split; [exact D|].
  rewrite <- E, plus_INR; lra.
Qed.

(** Between data sets of one known size, every removal is matched by an addition. *)
Theorem symmetric_to_change_one T (n : nat) :
  stable (on (fun x => length x = n) symmetric) change_one (fun d => IZR (Int_part (d / 2))) (fun x : list T => x).
Proof.
  intros d x y (Lx & Ly & l & r & D & E). exists l, r; split; [exact D|].
  assert (length l = length r).
  { destruct D as (c & H & K). apply Permutation_length in H, K. rewrite app_length in H, K. lia. }
  split; [assumption|]. rewrite <- H, plus_INR in E. rewrite INR_IZR_INZ in *. apply IZR_le.
  apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. destruct (base_Int_part (d / 2)). lra.
Qed.
