(** * At most so many rows of each person

    [keep] chooses rows among those of one person: at most [limit] of them, and by their values alone, so that the order of
    rows does not matter (dpcore keeps the first [limit] in an order of values). Whose rows are the same in both data sets
    keeps the same; a person added or removed brings or takes at most [limit]. *)
From Coq Require Import Reals Lra Lia List Permutation.
From DPcore Require Import Distributions Measures Metrics RowStability.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Persons.
Variables (T P : Type) (eqP : forall a b : P, {a = b} + {a <> b}) (by_ : T -> P).
Notation out := (without eqP by_).

Definition rows_of (p : P) (x : list T) : list T := filter (fun r => if eqP (by_ r) p then true else false) x.

Variables (keep : list T -> list T) (limit : nat).
Hypothesis keep_order : forall x y, Permutation x y -> Permutation (keep x) (keep y).
Hypothesis keep_limit : forall x, (length (keep x) <= limit)%nat.

Definition persons (x : list T) : list P := nodup eqP (map by_ x).
Definition bound_contributions (x : list T) : list T := flat_map (fun p => keep (rows_of p x)) (persons x).

Lemma filter_perm (f : T -> bool) x y : Permutation x y -> Permutation (filter f x) (filter f y).
Proof. rewrite !filter_somes. apply Permutation_flat_map. Qed.

Lemma in_persons p x : In p (persons x) <-> exists r, In r x /\ by_ r = p.
Proof. unfold persons. rewrite nodup_In, in_map_iff. split; intros (r & H & K); eauto. Qed.

Lemma bound_perm x y : Permutation x y -> Permutation (bound_contributions x) (bound_contributions y).
Proof.
  intros H. transitivity (flat_map (fun p => keep (rows_of p x)) (persons y)).
  - apply Permutation_flat_map, NoDup_Permutation; try apply NoDup_nodup.
    intros p. rewrite !in_persons. split; intros (r & I & E); exists r; (split; [|exact E]);
    [exact (Permutation_in _ H I) | exact (Permutation_in _ (Permutation_sym H) I)].
  - unfold bound_contributions. induction (persons y) as [|p ps IH]; simpl; [constructor|].
    apply Permutation_app; [apply keep_order, filter_perm, H | exact IH].
Qed.

(** What is kept of [x] is what is kept of the others' rows, and at most [limit] rows of each of [ps]. *)
Lemma bound_without ps x : exists l,
  Permutation (bound_contributions x) (bound_contributions (out ps x) ++ l) /\ (length l <= limit * length ps)%nat.
Proof.
  set (inside := fun p => if in_dec eqP p ps then true else false).
  set (kept := fun p => keep (rows_of p x)).
  exists (flat_map kept (filter inside (persons x))). split.
  - transitivity (flat_map kept (filter (fun p => negb (inside p)) (persons x) ++ filter inside (persons x))).
    + apply Permutation_flat_map. generalize (persons x) as qs; clear. induction qs as [|q qs IH]; simpl; [constructor|].
      destruct (inside q); simpl; [now apply Permutation_cons_app | now constructor].
    + rewrite flat_map_app. apply Permutation_app_tail.
      transitivity (flat_map kept (persons (out ps x))).
      * apply Permutation_flat_map, NoDup_Permutation; [apply NoDup_filter, NoDup_nodup | apply NoDup_nodup |].
        intros p. rewrite filter_In, !in_persons. unfold without, inside. split.
        -- intros [(r & I & <-) N]. exists r; split; [|reflexivity]. apply filter_In; split; [exact I|].
           destruct (in_dec eqP (by_ r) ps); [discriminate | reflexivity].
        -- intros (r & I & <-). apply filter_In in I. destruct I as [I N]. split; [eauto|].
           destruct (in_dec eqP (by_ r) ps); [discriminate | reflexivity].
      * unfold bound_contributions. apply Permutation_refl'.
        assert (E : forall p, In p (persons (out ps x)) -> kept p = keep (rows_of p (out ps x))).
        { intros p I. apply in_persons in I. destruct I as (r & I & <-). apply filter_In in I. destruct I as [_ N].
          unfold kept. f_equal. unfold rows_of, without. clear -N. induction x as [|s x IH]; [reflexivity|]. simpl.
          destruct (eqP (by_ s) (by_ r)) as [Es|Es].
          - rewrite Es. destruct (in_dec eqP (by_ r) ps); [discriminate|]. simpl.
            destruct (eqP (by_ s) (by_ r)); [now rewrite IH | contradiction].
          - destruct (in_dec eqP (by_ s) ps); simpl; [exact IH|].
            destruct (eqP (by_ s) (by_ r)); [contradiction | exact IH]. }
        induction (persons (out ps x)) as [|p qs IH]; simpl; [reflexivity|].
        rewrite E, IH; [reflexivity | intros; apply E; now right | now left].
  - transitivity (limit * length (filter inside (persons x)))%nat; [apply length_flat_map_le; intros; apply keep_limit|].
    apply Nat.mul_le_mono_l, NoDup_incl_length; [apply NoDup_filter, NoDup_nodup|].
    intros p I. apply filter_In in I. unfold inside in I. destruct (in_dec eqP p ps); tauto || (destruct I; discriminate).
Qed.

Theorem bound_contributions_person :
  stable (person eqP by_) symmetric (fun d => INR limit * d) bound_contributions.
Proof.
  intros d x y (ps & qs & H & E).
  destruct (bound_without ps x) as (l & Hl & Ll). destruct (bound_without qs y) as (r & Hr & Lr).
  exists l, r; split.
  - exists (bound_contributions (out ps x)); split; [exact Hl|]. rewrite Hr. apply Permutation_app_tail, bound_perm.
    now symmetry.
  - apply Rle_trans with (INR (limit * (length ps + length qs))); [apply le_INR; lia|].
    rewrite mult_INR. apply Rmult_le_compat_l; [apply pos_INR | exact E].
Qed.
End Persons.

(** Two ways to choose, each the first [limit] rows in an order that does not see the order of the data: for every key, the order
    in which the key ranks rows and their copies; and an order by the rows' values that the analyst names. *)
Section Orders.
Variables (T P : Type) (eqP : forall a b : P, {a = b} + {a <> b}) (by_ : T -> P) (limit : nat).

Lemma first_in_order (order : list T -> list T) : (forall x y, Permutation x y -> order x = order y) ->
  stable (person eqP by_) symmetric (fun d => INR limit * d) (bound_contributions eqP by_ (fun x => firstn limit (order x))).
Proof.
  intros H. apply bound_contributions_person; [intros x y E; now rewrite (H x y E) | intros; apply firstn_le_length].
Qed.

Theorem bound_contributions_fair_person (K : Type) (ranked : K -> list T -> list T) :
  (forall k x y, Permutation x y -> ranked k x = ranked k y) -> forall k,
  stable (person eqP by_) symmetric (fun d => INR limit * d) (bound_contributions eqP by_ (fun x => firstn limit (ranked k x))).
Proof. intros H k. apply first_in_order, H. Qed.

Theorem bound_contributions_first_by_person (order : list T -> list T) : (forall x y, Permutation x y -> order x = order y) ->
  stable (person eqP by_) symmetric (fun d => INR limit * d) (bound_contributions eqP by_ (fun x => firstn limit (order x))).
Proof. apply first_in_order. Qed.
End Orders.
