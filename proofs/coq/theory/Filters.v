(** * Privacy filters (Rogers, Roth, Ullman, Vadhan 2016)

    An analyst chooses each measurement, and what it may cost, after seeing the releases before it, and stops when he likes.
    The filter keeps the sum of the losses within a budget: what does not fit any more is refused. However he chooses, and
    however often, the whole interaction costs at most the budget.

    The argument: what is left of the budget after a stage is known before the stage releases anything, so the stages after
    it cost at most that whatever it releases. This needs losses of one distance that simply add up; it is not advanced
    composition, whose drift and slack would depend on the choices. *)
From Coq Require Import Reals Lra List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Renyi.
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

(** The measures that the calculus names. *)
Section Named.
Variables (X A : Type) (m : metric X) (d : R).

Theorem filter_pure ask (budget : R) stages : 0 <= budget ->
  (forall seen l M, ask seen = Some (l, M) -> private_at m pure M d l) ->
  private_at m pure (@filtered X A R _ ask (fun s => if Rle_dec s budget then true else false) stages 0 []) d budget.
Proof.
  intros N H. refine (@filter _ _ _ _ pure ask _ _ _ _ m d budget _ H stages N). intros s. now destruct (Rle_dec s budget).
Qed.

Theorem filter_zcdp ask (budget : R) stages : 0 <= budget ->
  (forall seen l M, ask seen = Some (l, M) -> private_at m zcdp M d l) ->
  private_at m zcdp (@filtered X A R _ ask (fun s => if Rle_dec s budget then true else false) stages 0 []) d budget.
Proof.
  intros N H. refine (@filter _ _ _ _ zcdp ask _ _ _ _ m d budget _ H stages N). intros s. now destruct (Rle_dec s budget).
Qed.

Theorem filter_approx ask (budget : R * R) stages : 0 <= fst budget /\ 0 <= snd budget ->
  (forall seen l M, ask seen = Some (l, M) -> private_at m approx M d l) ->
  private_at m approx (@filtered X A (R * R) _ ask
    (fun s => if Rle_dec (fst s) (fst budget) then if Rle_dec (snd s) (snd budget) then true else false else false) stages (0, 0) []) d budget.
Proof.
  intros N H. refine (@filter _ _ _ _ approx ask _ _ _ _ m d budget _ H stages N). intros s. destruct (Rle_dec (fst s) (fst budget)); [|discriminate]. destruct (Rle_dec (snd s) (snd budget)); [now split | discriminate].
Qed.
End Named.
