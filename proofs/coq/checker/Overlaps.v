(** * What parts that overlap cost together: the dearest sum over the parts that keep one row *)
From Coq Require Import List ZArith QArith Qreals Reals Lra Lia Bool Permutation.
From DPcore Require Import Distributions Measures Metrics Steps Combinators Overlapping.
From DPchecker Require Import Language Ordered Meaning Numbers Distances Losses Rounding Points Worst Together Facts StepFacts.
Import ListNotations.
Set Implicit Arguments.
Unset Strict Implicit.

(** The losses of the parts that see the rows of a class. *)
Definition of_class (k : constant) (touched : list (list constant)) (ls : list loss) : list loss :=
  map (fun p => if is_one k (fst p) then snd p else zero_loss) (combine touched ls).
(** Every key once: what they cost is looked for in all parts, for each of them. *)
Fixpoint each_key (l : list constant) : list constant :=
  match l with
  | a :: (b :: _) as l => if constant_eqb a b then each_key l else a :: each_key l
  | l => l
  end.
Definition keys_of (touched : list (list constant)) : list constant := each_key (ByOrder.sort (concat touched)).
Lemma each_key_in l : incl l (each_key l).
Proof.
  induction l as [|a l IH]; intros x H; [destruct H|]. destruct l as [|b l]; [exact H|]. cbn [each_key]. destruct (constant_eqb a b) eqn:E.
  - apply constant_eqb_eq in E as ->. apply IH. destruct H as [->|H]; [now left | exact H].
  - destruct H as [->|H]; [now left | right; now apply IH].
Qed.
Lemma keys_of_in touched : incl (concat touched) (keys_of touched).
Proof. intros x H. apply each_key_in. now apply Permutation_in with (1 := ByOrder.Permuted_sort (concat touched)). Qed.
Definition dearest (md : mode) (touched : list (list constant)) (ls : list loss) : loss :=
  worst (map (fun k => sum_of md (of_class k touched ls)) (keys_of touched)).

Open Scope R_scope.
Lemma real_zero m : curved m = false -> real m zero_loss = zero.
Proof. unfold zero_loss. destruct m; simpl; rewrite ?Q2R_0; try reflexivity; discriminate. Qed.

Section Overlaps.
Variable I : interpretation.
Notation data := (data I).
Notation release := (released (users I)).
Variables (m : measure) (by_ : expr) (D : domain).

(** What is known of rows a step apart holds of any other rows of their domain. *)
Lemma any_rows fs d a b : known (one_step Symmetric fs) d (Rows D a : data) (Rows D b) ->
  forall e u v, symmetric e u v -> known (one_step Symmetric fs) e (Rows D u : data) (Rows D v).
Proof.
  unfold one_step. intros K e u v S. inversion K as [|f gs _ K']; subst. constructor; [now split|]. unfold known in *. rewrite Forall_forall in *.
  intros f J. specialize (K' f J). apply filter_In in J. destruct J as [_ J]. destruct f; try discriminate; cbn [fact_holds] in *; tauto.
Qed.

Definition part_of (p : list constant * (data -> dist release)) : (row I -> bool) * (list (row I) -> dist release) :=
  (fun r => is_one (class I (Expression by_) r) (fst p), fun x => snd p (Rows D x)).

Lemma all_parts ps x : all (map (of_classes by_) ps) (Rows D x : data) = all (map (@seen _ _) (map part_of ps)) x.
Proof. induction ps as [|p ps IH]; [reflexivity|]. cbn [map all]. rewrite IH. reflexivity. Qed.

Variables (md : mode) (touched : list (list constant)) (Ms : list (data -> dist release)) (ls : list loss).
Hypothesis many : length touched = length Ms.
Hypothesis moved : Forall2 (fun M l => nonneg_loss l /\
  (forall u v, symmetric 0 u v -> same (M (Rows D u)) (M (Rows D v))) /\
  (forall u v, symmetric 1 u v -> meets m (Q2R 0) (M (Rows D u)) (M (Rows D v)) (real m l))) Ms ls.
Hypothesis figures : curved m = false.

Lemma parts_cost : Forall2 (part_costs (meets m (Q2R 0))) (map part_of (combine touched Ms)) (map (real m) ls).
Proof.
  revert many moved. clear. revert Ms ls. induction touched as [|t ts IH]; intros Ns ks E F.
  - destruct F; [constructor | discriminate].
  - destruct F as [|M l Ms' ls' (_ & S & C) F]; [discriminate|]. cbn [combine map].
    constructor; [split; [exact S | exact C] | apply IH; [now injection E | exact F]].
Qed.

Lemma touched_of_class r : Overlapping.touched r (map part_of (combine touched Ms)) (map (real m) ls) =
  map (real m) (of_class (class I (Expression by_) r) touched ls).
Proof.
  assert (L : length Ms = length ls) by (revert moved; clear; intros F; induction F; simpl; congruence). rewrite <- many in L.
  unfold Overlapping.touched, of_class. revert L many. clear -figures. revert Ms ls. induction touched as [|t ts IH]; intros Ns ks L E; [reflexivity|].
  destruct Ns as [|M Ns]; [discriminate|]. destruct ks as [|l ks]; [discriminate|]. cbn [combine map fst snd part_of].
  injection L as L. injection E as E. rewrite (IH Ns ks L E). f_equal.
  destruct (is_one _ t); [reflexivity | symmetry; exact (real_zero figures)].
Qed.

Lemma nobody k : (forall t, In t touched -> is_one k t = false) -> plus_all (map (real m) (of_class k touched ls)) = zero.
Proof.
  clear -figures. unfold of_class. revert ls. induction touched as [|t ts IH]; intros ks N; [reflexivity|]. destruct ks as [|l ks]; [reflexivity|].
  specialize (IH ks (fun u J => N u (or_intror J))). unfold plus_all in *. cbn [combine map fold_right fst snd].
  rewrite (N t (or_introl eq_refl)), (real_zero figures), IH. apply plus_zero.
Qed.

Lemma dearest_nonneg : nonneg_loss (dearest md touched ls).
Proof. apply worst_nonneg. Qed.

Lemma dearest_ok k : le (plus_all (map (real m) (of_class k touched ls))) (real m (dearest md touched ls)).
Proof.
  destruct (existsb (is_one k) touched) eqn:E.
  - apply existsb_exists in E. destruct E as (t & J & E). unfold is_one in E. apply existsb_exists in E. destruct E as (k' & K & E). apply constant_eqb_eq in E. subst k'.
    apply le_trans with (real m (sum_of md (of_class k touched ls))); [apply at_least_sum_ok, sum_of_ok|].
    apply real_le, worst_ge. apply (in_map (fun k => sum_of md (of_class k touched ls))). apply keys_of_in, in_concat. exists t. auto.
  - rewrite nobody; [apply real_nonneg, dearest_nonneg|]. intros t J. destruct (is_one k t) eqn:A; [|reflexivity].
    assert (existsb (is_one k) touched = true) by (apply existsb_exists; exists t; auto). congruence.
Qed.

Lemma overlapping_close u v : symmetric 1 u v ->
  meets m (Q2R 0) (all (map (of_classes by_) (combine touched Ms)) (Rows D u : data)) (all (map (of_classes by_) (combine touched Ms)) (Rows D v)) (real m (dearest md touched ls)).
Proof.
  intros S. rewrite !all_parts. assert (NT : m <> MTradeoff) by (intros E; rewrite E in figures; discriminate).
  pose proof (divergence_of (Q2R 0) NT) as Div. pose proof (composes_of _ (Q2R 0) (figures_add _ figures)) as Comp.
  apply (@overlapping_step _ _ _ _ (meets m (Q2R 0)) Div Comp _ (map (real m) ls)) with (1 := parts_cost); [| | exact S].
  - apply real_nonneg, dearest_nonneg.
  - intros r. rewrite touched_of_class. apply dearest_ok.
Qed.

Lemma overlapping_same u v : symmetric 0 u v ->
  same (all (map (of_classes by_) (combine touched Ms)) (Rows D u : data)) (all (map (of_classes by_) (combine touched Ms)) (Rows D v)).
Proof.
  intros S. rewrite !all_parts. apply all_same. assert (NT : m <> MTradeoff) by (intros E; rewrite E in figures; discriminate).
  pose proof (divergence_of (Q2R 0) NT) as Div. eapply seen_same; [exact parts_cost | exact S].
Qed.
End Overlaps.
