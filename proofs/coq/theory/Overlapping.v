(** * Parts that overlap: each measurement sees the rows that its part keeps

    Which parts keep a row is said by the row alone. So a row added or removed moves those parts, and no other: what is lost is
    the sum over these, and over all rows the largest such sum. Parts that exclude each other lose the dearest of them, parts that
    keep every row the sum. *)
From Coq Require Import Reals Lra Lia List Permutation.
From DPcore Require Import Distributions Indistinguishability Measures Renyi GaussianDP GaussianComposition Metrics RowStability Combinators Steps.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Overlapping.
Variables (T A : Type).

(** What one part is given, and releases. *)
Definition seen (p : (T -> bool) * (list T -> dist A)) (x : list T) : dist A := snd p (filter (fst p) x).

Section Laws.
Context {L : Type} {O : losses L} (ms : measure L) {D : divergence ms}.

Definition part_costs (p : (T -> bool) * (list T -> dist A)) (l : L) : Prop := respects symmetric (snd p) /\ private_at symmetric ms (snd p) 1 l.

(** The losses of the parts that keep a row. *)
Definition touched (r : T) (ps : list ((T -> bool) * (list T -> dist A))) (ls : list L) : list L :=
  map (fun pl : (T -> bool) * (list T -> dist A) * L => if fst (fst pl) r then snd pl else zero) (combine ps ls).

Lemma filter_nothing (keep : T -> bool) x y : symmetric 0 x y -> symmetric 0 (filter keep x) (filter keep y).
Proof. apply filter_symmetric. Qed.

Lemma filter_other (keep : T -> bool) r : keep r = false -> forall x c : list T, Permutation x (c ++ [r]) -> symmetric 0 (filter keep x) (filter keep c).
Proof.
  intros K x c P. assert (E : filter keep c = filter keep (c ++ [r])) by (rewrite filter_app; simpl; rewrite K; now rewrite app_nil_r).
  rewrite E. apply filter_nothing. now apply symmetric_0.
Qed.

Lemma filter_one (keep : T -> bool) r x c : Permutation x (c ++ [r]) -> symmetric 1 (filter keep x) (filter keep c).
Proof.
  intros P. apply filter_symmetric. exists [r], []. split; [exists c; rewrite app_nil_r; auto | simpl; lra].
Qed.

Lemma seen_close (r : T) ps ls : Forall2 part_costs ps ls -> forall x c : list T, Permutation x (c ++ [r]) ->
  Forall2 (fun M l => ms (M x) (M c) l) (map seen ps) (touched r ps ls) /\
  Forall2 (fun M l => ms (M c) (M x) l) (map seen ps) (touched r ps ls).
Proof.
  intros F x c P. unfold touched. induction F as [|p l ps ls [R C] _ [IH1 IH2]]; simpl; [split; constructor|].
  destruct (fst p r) eqn:K; split; (constructor; [|assumption]); unfold seen.
  - apply C, filter_one with r, P.
  - apply C, symmetric, filter_one with r, P.
  - apply div_same, R, filter_other with r; assumption.
  - apply div_same, R, symmetric, filter_other with r; assumption.
Qed.

Lemma seen_same ps ls : Forall2 part_costs ps ls -> forall x y, symmetric 0 x y -> Forall (fun M => same (M x) (M y)) (map seen ps).
Proof.
  intros F x y S. induction F as [|p l ps ls [R _] _ IH]; simpl; constructor; [|exact IH]. apply R, filter_nothing, S.
Qed.

Context {C : composes ms}.

(** Of one step; this asks nothing of groups. *)
Theorem overlapping_step ps ls most : Forall2 part_costs ps ls -> le zero most -> (forall r, le (plus_all (touched r ps ls)) most) ->
  private_at symmetric ms (all (map seen ps)) 1 most.
Proof.
  intros F Z H x y (l & r & (c & Px & Py) & Sz). apply (INR_le _ 1) in Sz.
  destruct l as [|a l]; [destruct r as [|b r]|].
  - apply div_le with zero; [exact Z|]. apply div_same. pose proof (@seen_same ps ls F x y) as S.
    assert (E : symmetric 0 x y) by (apply symmetric_0; rewrite Px, Py; reflexivity). specialize (S E).
    clear -S. induction S as [|M Ms K _ IH]; simpl; [apply same_refl|]. apply same_bind; [exact K|]. intros a. apply same_bind; [exact IH | auto].
  - destruct r; [|simpl in Sz; lia]. rewrite app_nil_r in Px. apply div_le with (plus_all (touched b ps ls)); [apply H|].
    assert (P : Permutation y (x ++ [b])) by (rewrite Py; apply Permutation_app_tail; now symmetry).
    apply (all_close (D := D)). exact (proj2 (@seen_close b ps ls F y x P)).
  - destruct l; [|simpl in Sz; lia]. destruct r; [|simpl in Sz; lia]. rewrite app_nil_r in Py. apply div_le with (plus_all (touched a ps ls)); [apply H|].
    assert (P : Permutation x (y ++ [a])) by (rewrite Px; apply Permutation_app_tail; now symmetry).
    apply (all_close (D := D)). exact (proj1 (@seen_close a ps ls F x y P)).
Qed.

Theorem overlapping {G : groups ms} ps ls most : Forall2 part_costs ps ls -> le zero most -> (forall r, le (plus_all (touched r ps ls)) most) ->
  private symmetric ms (all (map seen ps)) (fun d => group d most).
Proof.
  intros F Z H. apply (lift (D := D)); [exact (@whole_symmetric T) | | exact Z | now apply overlapping_step with ls].
  intros x y S. pose proof (seen_same F S) as E.
  clear -E. induction E as [|M Ms K _ IH]; simpl; [apply same_refl|]. apply same_bind; [exact K|]. intros a. apply same_bind; [exact IH | auto].
Qed.
End Laws.
End Overlapping.

(** ** In each measure

    [most] is at least the sum of the losses of the parts that keep a row, whichever row that is. *)
Section Rules.
Variables (T A : Type) (ps : list ((T -> bool) * (list T -> dist A))).
Definition at_most {L} {O : losses L} (ls : list L) (most : L) := le zero most /\ forall r, le (plus_all (touched r ps ls)) most.
Notation everything := (all (map (@seen T A) ps)).

Theorem overlapping_symmetric_pure ls most : Forall2 (part_costs pure) ps ls -> at_most ls most ->
  private symmetric pure everything (fun d => d * most).
Proof. intros F [Z H]. exact (@overlapping T A _ _ pure _ _ _ ps ls most F Z H). Qed.

Theorem overlapping_symmetric_zcdp ls most : Forall2 (part_costs zcdp) ps ls -> at_most ls most ->
  private symmetric zcdp everything (fun d => d * d * most).
Proof. intros F [Z H]. exact (@overlapping T A _ _ zcdp _ _ _ ps ls most F Z H). Qed.

Theorem overlapping_symmetric_gaussian ls most : Forall2 (part_costs gaussian) ps ls -> at_most ls most ->
  private symmetric gaussian everything (fun d => d * d * most).
Proof. intros F [Z H]. exact (@overlapping T A _ _ gaussian _ _ _ ps ls most F Z H). Qed.

Theorem overlapping_symmetric_total_variation ls most : Forall2 (part_costs total_variation) ps ls -> at_most ls most ->
  private symmetric total_variation everything (fun d => d * most).
Proof. intros F [Z H]. exact (@overlapping T A _ _ total_variation _ _ _ ps ls most F Z H). Qed.

Theorem overlapping_symmetric_approx ls eps delta : Forall2 (part_costs approx) ps ls -> at_most ls (eps, delta) ->
  private symmetric approx everything (fun d => (d * eps, delta * geometric d eps)).
Proof. intros F [Z H]. exact (@overlapping T A _ _ approx _ _ _ ps ls (eps, delta) F Z H). Qed.
End Rules.
