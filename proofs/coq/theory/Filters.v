(** * Privacy filters (Rogers, Roth, Ullman, Vadhan 2016)

    An analyst chooses each measurement, and what it may cost, after seeing the releases before it, and stops when he likes.
    The filter keeps the sum of the losses within a budget: what does not fit any more is refused. However he chooses, and
    however often, the whole interaction costs at most the budget.

    The argument: what is left of the budget after a stage is known before the stage releases anything, so the stages after
    it cost at most that whatever it releases. This needs losses of one distance that simply add up; it is not advanced
    composition, whose drift and slack would depend on the choices. *)
From Coq Require Import Reals Lra List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Renyi GaussianDP GaussianComposition Combinators Composition.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** Losses of which what is left can be told. *)
Class remains {L : Type} (O : losses L) := {
  left_over : forall a b : L, le a b -> exists r, b = plus a r /\ le zero r;
  plus_cancel : forall a b c : L, plus a b = plus a c -> b = c }.

#[export] Instance remains_number : remains losses_number.
Proof. constructor; simpl; [intros a b H; exists (b - a); lra | intros; lra]. Qed.
#[export] Instance remains_pair : remains losses_pair.
Proof.
  constructor; simpl; [intros (a, b) (c, d) [H K]; exists (c - a, d - b); simpl in *; split; [f_equal; ring | lra]|].
  intros (a, b) (c, d) (e, f) H; simpl in H. injection H; intros. f_equal; lra.
Qed.

Section Filter.
Variables (X A L : Type) (O : losses L) (ms : measure L).

(** What the analyst asks for: to stop, or a measurement of a loss; from what he saw, refusals included. *)
Variable ask : list (option A) -> option (L * (X -> dist A)).
(** Whether so much may be spent. *)
Variable fits : L -> bool.

Fixpoint filtered (stages : nat) (spent : L) (seen : list (option A)) (x : X) : dist (list (option A)) :=
  match stages, ask seen with
  | S stages, Some (l, M) =>
      if fits (plus spent l) then bind (M x) (fun a => filtered stages (plus spent l) (Some a :: seen) x)
      else filtered stages spent (None :: seen) x
  | _, _ => ret seen
  end.

Variables (D : divergence ms) (C : composes ms) (H : remains O).
Variables (m : metric X) (d : Rdefinitions.R) (budget : L).
Hypothesis within : forall spent, fits spent = true -> le spent budget.
Hypothesis honest : forall seen l M, ask seen = Some (l, M) -> private_at m ms M d l.

Theorem filter stages : le zero budget -> private_at m ms (filtered stages zero []) d budget.
Proof.
  assert (P : forall spent seen r, budget = plus spent r -> le zero r -> private_at m ms (filtered stages spent seen) d r).
  { induction stages as [|n IH]; intros spent seen r E N x y K.
    - apply div_le with zero; [exact N | apply div_same, same_refl].
    - cbn [filtered]. destruct (ask seen) as [[l M]|] eqn:Q; [|apply div_le with zero; [exact N | apply div_same, same_refl]].
      destruct (fits (plus spent l)) eqn:F; [|now apply IH].
      destruct (left_over _ _ (within F)) as (r' & E' & N').
      assert (r = plus l r') as -> by (apply (plus_cancel spent); now rewrite <- E, E', plus_assoc).
      apply div_bind; [now apply (honest Q) | intros a; now apply IH]. }
  intros N. apply P; [now rewrite plus_zero | exact N].
Qed.
End Filter.

(** At a distance of 0 nothing is seen, and data d apart are joined by d steps of 1, for each of which all answers together
    lose at most the budget. *)
Section Lifted.
Variables (X A L : Type) (O : losses L) (m : metric X).
Variables (ask : list (option A) -> option (L * (X -> dist A))) (fits : L -> bool).

Lemma filtered_respects : (forall seen l M, ask seen = Some (l, M) -> respects m M) ->
  forall stages spent seen, respects m (filtered O ask fits stages spent seen).
Proof.
  intros H; induction stages as [|n IH]; intros spent seen x y K; cbn [filtered]; [apply same_refl|].
  destruct (ask seen) as [[l M]|] eqn:Q; [|apply same_refl]. destruct (fits (plus spent l)); [|now apply IH].
  apply same_bind; [exact (H _ _ _ Q x y K) | intros a; now apply IH].
Qed.

Theorem filter_lift (ms : measure L) {D : divergence ms} {C : composes ms} {G : groups ms} {H : remains O} (budget : L) stages :
  whole m -> le zero budget -> (forall spent, fits spent = true -> le spent budget) ->
  (forall seen l M, ask seen = Some (l, M) -> respects m M /\ private_at m ms M 1 l) ->
  private m ms (filtered O ask fits stages zero []) (fun d => group d budget).
Proof.
  intros W N F P. apply (lift (D := D)); [exact W | | exact N |].
  - apply filtered_respects. intros seen l M Q. now apply (P seen l).
  - refine (@filter X A L O ms ask fits D C H m 1 budget F _ stages N). intros seen l M Q. now apply (P seen l).
Qed.
End Lifted.

(** The measures that the calculus names. *)
Section Named.
Variables (X A : Type) (m : metric X).
Hypothesis steps : whole m.
Definition up_to (budget spent : R) : bool := if Rle_dec spent budget then true else false.
Definition both_up_to (budget spent : R * R) : bool := (up_to (fst budget) (fst spent) && up_to (snd budget) (snd spent))%bool.
Lemma up_to_ok budget spent : up_to budget spent = true -> spent <= budget.
Proof. unfold up_to. now destruct (Rle_dec spent budget). Qed.
Lemma both_up_to_ok budget spent : both_up_to budget spent = true -> fst spent <= fst budget /\ snd spent <= snd budget.
Proof. intros H. apply andb_prop in H. split; now apply up_to_ok. Qed.

(** Whatever was seen, a question costs at most what is charged for it, and does not see the order of rows. *)
Notation honest ask ms := (forall seen l M, ask seen = Some (l, M) -> respects m M /\ private_at m ms M 1 l).
Notation all_answers ask budget stages := (@filtered X A R _ ask (up_to budget) stages 0 []).

Theorem filter_pure ask (budget : R) stages : 0 <= budget -> honest ask pure ->
  private m pure (all_answers ask budget stages) (fun d => d * budget).
Proof. intros N H. exact (@filter_lift _ _ _ _ m ask _ pure _ _ _ _ budget stages steps N (up_to_ok budget) H). Qed.

Theorem filter_approx ask (budget : R * R) stages : 0 <= fst budget /\ 0 <= snd budget -> honest ask approx ->
  private m approx (@filtered X A (R * R) _ ask (both_up_to budget) stages (0, 0) [])
    (fun d => (d * fst budget, snd budget * geometric d (fst budget))).
Proof. intros N H. exact (@filter_lift _ _ _ _ m ask _ approx _ _ _ _ budget stages steps N (both_up_to_ok budget) H). Qed.

Theorem filter_zcdp ask (budget : R) stages : 0 <= budget -> honest ask zcdp ->
  private m zcdp (all_answers ask budget stages) (fun d => d * d * budget).
Proof. intros N H. exact (@filter_lift _ _ _ _ m ask _ zcdp _ _ _ _ budget stages steps N (up_to_ok budget) H). Qed.

(** In squares of mu. What is composed here is a question and all that follows it, the same budget being left whatever it
    answers: no curve changes with the answers. *)
Theorem filter_gaussian ask (budget : R) stages : 0 <= budget -> honest ask gaussian ->
  private m gaussian (all_answers ask budget stages) (fun d => d * d * budget).
Proof. intros N H. exact (@filter_lift _ _ _ _ m ask _ gaussian _ _ _ _ budget stages steps N (up_to_ok budget) H). Qed.

Theorem filter_total_variation ask (budget : R) stages : 0 <= budget -> honest ask total_variation ->
  private m total_variation (all_answers ask budget stages) (fun d => d * budget).
Proof. intros N H. exact (@filter_lift _ _ _ _ m ask _ total_variation _ _ _ _ budget stages steps N (up_to_ok budget) H). Qed.
End Named.
