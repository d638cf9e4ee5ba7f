(** * Questions within a budget: what all answers cost together, however the questions were chosen *)
From Coq Require Import List ZArith QArith Qreals Reals Lra.
From DPcore Require Import Distributions Measures Metrics Renyi Filters.
From DPcore Require Interleaved RenyiFilter.
From DPchecker Require Import Language Meaning Numbers Distances Losses Promises StepFacts Orders.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

(** A measure whose losses are taken from two numbers: these add up as the losses do. *)
Section Taken.
Variable m : measure.
Hypothesis figures_only : curved m = false.
Definition counted : Measures.measure (R * R) := fun A P Q l => meets m 0 P Q (taken_as m l).

Lemma taken_zero : taken_as m zero = zero. Proof. destruct m; reflexivity. Qed.
Lemma taken_plus k l : plus (taken_as m k) (taken_as m l) = taken_as m (plus k l). Proof. destruct m; reflexivity. Qed.
Lemma taken_le k l : le k l -> le (taken_as m k) (taken_as m l). Proof. destruct m; intros [H K]; simpl; auto. Qed.
Lemma taken_real l : taken_as m (Q2R (fst l), Q2R (snd l)) = real m l. Proof. destruct m; reflexivity. Qed.

Lemma counted_composes : composes counted.
Proof.
  pose proof (composes_of m 0 (figures_add _ figures_only)) as C. constructor. unfold counted. intros A B P Q K K' k l H H'.
  rewrite <- taken_plus. now apply div_bind.
Qed.
Lemma counted_divergence : divergence counted.
Proof.
  assert (NT : m <> MTradeoff) by (intros E; rewrite E in figures_only; discriminate). pose proof (divergence_of 0 NT) as D.
  apply divergence_of_composes; [exact counted_composes | ..]; unfold counted; intros.
  - rewrite taken_zero. now apply meets_same.
  - apply meets_le with (taken_as m l); [now apply taken_le | assumption].
  - eapply div_resp; eassumption.
Qed.
End Taken.

Section Asked.
Variable I : interpretation.
Notation data := (data I).
Variables (m : measure) (source : metric) (budget more : Q).
Hypothesis figures_only : curved m = false.
Hypothesis kept : questions_cost I m source budget more.

Theorem answers_close (x y : data) : 0 <= Q2R budget -> 0 <= Q2R more -> apart source 1 x y ->
  meets m 0 (answers budget more x) (answers budget more y) (real m (budget, more)).
Proof.
  intros N1 N2 K. apply meets_post. rewrite <- taken_real. change (apart source 1 x y) with (between I source 1 x y) in K.
  refine (@filter _ _ _ losses_pair (counted m) _ _ (counted_divergence figures_only) (counted_composes figures_only) _ (between I source) 1 _ _ _ (patience I) _ x y K).
  - intros spent H. exact (both_up_to_ok _ _ H).
  - intros seen l M Q u v S. exact (proj1 (kept Q u v) S).
  - split; [exact N1 | exact N2].
  - exact figures_only.
Qed.

Theorem answers_same (x y : data) : apart source 0 x y -> same (answers budget more x) (answers budget more y).
Proof.
  intros K. apply same_bind; [|auto]. refine (@filtered_respects _ _ _ losses_pair (between I source) _ _ _ (patience I) _ _ x y K).
  intros seen l M Q u v S. exact (proj2 (kept Q u v) S).
Qed.
End Asked.

(** Of curves, at the orders of the budget. *)
Section At_orders.
Variable I : interpretation.
Notation data := (data I).
Variables (source : metric) (points : list (Q * Q)).
Hypothesis kept : curves_cost I source points.
Hypothesis orders : forall p, In p points -> 1 < Q2R (fst p) /\ 0 <= Q2R (snd p).

Lemma kept_in_reals seen l M : asks_at_orders I points seen = Some (l, M) ->
  respects (between I source) M /\ forall p, In p (in_reals points) -> private_at (between I source) (renyi_at (fst p)) M 1 (l (fst p)).
Proof.
  intros E. split; [intros x y K; exact (proj2 (kept E x y) K)|]. intros p J x y K. apply in_map_iff in J. destruct J as (q & <- & J).
  exact (proj1 (kept E x y) K q J).
Qed.

Theorem at_orders_close (x y : data) order most : apart source 1 x y -> least_from points order = Some most ->
  meets MRenyi (Q2R order) (answers_at_orders points x) (answers_at_orders points y) (Q2R most).
Proof.
  intros K L. apply (@meets_post MRenyi). intros O. apply least_from_ok in L. destruct L as (p & J & Le & <-).
  refine (@RenyiFilter.filter_within _ _ _ (in_reals points) (between I source) _ kept_in_reals (patience I) (Q2R order) _ O _ x y K).
  - intros q Jq. apply in_map_iff in Jq. destruct Jq as (r & <- & Jr). now apply orders.
  - exists (Q2R (fst p), Q2R (snd p)). split; [exact (in_map (fun p => (Q2R (fst p), Q2R (snd p))) points p J)|]. split; [exact Le | apply Rle_refl].
Qed.

Theorem at_orders_same (x y : data) : apart source 0 x y -> same (answers_at_orders points x) (answers_at_orders points y).
Proof.
  intros K. apply same_bind; [|auto]. refine (@filtered_respects _ _ _ _ (between I source) _ _ _ (patience I) _ _ x y K).
  intros seen l M E. exact (proj1 (kept_in_reals E)).
Qed.
End At_orders.

(** The same with above-thresholds among the questions, in PureDP and ApproxDP. *)
Section Talked.
Variable I : interpretation.
Notation data := (data I).
Variables (source : metric) (budget more : Q).
Hypothesis kept : talks_cost I source budget more.

Theorem talked_close (x y : data) : 0 <= Q2R budget -> 0 <= Q2R more -> apart source 1 x y ->
  approx (talked budget more x) (talked budget more y) (Q2R budget, Q2R more).
Proof.
  intros N N' K. apply (div_post (ms := approx)). apply Interleaved.talk_close; [| |exact N|exact N']; intros; specialize (kept s x y);
  match goal with E : talks _ _ _ _ = Some _ |- _ => rewrite E in kept end; now apply kept.
Qed.

Theorem talked_same (x y : data) : apart source 0 x y -> same (talked budget more x) (talked budget more y).
Proof.
  intros K. apply same_bind; [|auto]. apply Interleaved.talk_alike; intros; specialize (kept s x y);
  match goal with E : talks _ _ _ _ = Some _ |- _ => rewrite E in kept end; now apply kept.
Qed.
End Talked.

(** What is asked in a measure: [answers_in]. *)
Section All.
Variable I : interpretation.
Notation data := (data I).
Variables (m : measure) (source : metric) (budget more : Q).
Hypothesis figures_only : curved m = false.
Hypothesis kept : all_charged I m source budget more.

Theorem answers_in_close (x y : data) : 0 <= Q2R budget -> 0 <= Q2R more -> apart source 1 x y ->
  meets m 0 (answers_in m budget more x) (answers_in m budget more y) (real m (budget, more)).
Proof. intros N1 N2 K. destruct m; try exact (answers_close figures_only kept N1 N2 K); [|exact (talked_close kept N1 N2 K)].
  assert (Z : Q2R 0 = 0) by exact Q2R_0. assert (Z0 : 0 <= Q2R 0) by (rewrite Z; apply Rle_refl). pose proof (talked_close kept N1 Z0 K) as C. rewrite Z in C. exact C.
Qed.

Theorem answers_in_same (x y : data) : apart source 0 x y -> same (answers_in m budget more x) (answers_in m budget more y).
Proof. intros K. destruct m; try exact (answers_same kept K); exact (talked_same kept K). Qed.
End All.

(** One above-threshold, asked query by query. *)
Section Compared.
Variable I : interpretation.
Notation data := (data I).
Variables (threshold : Z) (bT bQ : Q) (hits : positive) (source : metric).
Hypothesis kept : @queries_move I source (compares I threshold bT bQ hits).
Hypotheses (T : 0 < Q2R bT) (Q : 0 < Q2R bQ).
Notation loss := (/ Q2R bT + 2 * IZR (Zpos hits) * / Q2R bQ).

Theorem compared_by_turns_close (x y : data) : apart source 1 x y ->
  pure (compared_by_turns threshold bT bQ hits x) (compared_by_turns threshold bT bQ hits y) loss.
Proof.
  intros K. unfold compared_by_turns. destruct (Rlt_dec 0 (Q2R bT)) as [T'|]; [|contradiction]. destruct (Rlt_dec 0 (Q2R bQ)) as [Q'|]; [|contradiction].
  apply (div_post (ms := pure)). unfold Interleaved.above_threshold_stream.
  replace loss with (Interleaved.whole_loss 1 (Q2R bT) (Q2R bQ) (Pos.to_nat hits))
    by (unfold Interleaved.whole_loss; rewrite INR_IZR_INZ, positive_nat_Z; field; lra).
  apply Interleaved.talk_close.
  - intros s l dl M E. unfold Interleaved.alone in E. destruct s; [discriminate|]. destruct (compares _ _ _ _ _ _); discriminate E.
  - intros s i b q E. unfold Interleaved.alone in E. destruct s as [|e s]; [discriminate|].
    destruct (compares I threshold bT bQ hits (e :: s)) as [q'|] eqn:C; [|discriminate E]. injection E as <- <- <-. now apply (kept C x y).
  - unfold Interleaved.whole_loss. pose proof (pos_INR (Pos.to_nat hits)). pose proof (Rinv_0_lt_compat _ T). pose proof (Rinv_0_lt_compat _ Q).
    unfold Rdiv. assert (0 <= INR (Pos.to_nat hits) * ((1 + 1) * / Q2R bQ)) by (apply Rmult_le_pos; lra). lra.
  - apply Rle_refl.
Qed.

Theorem compared_by_turns_same (x y : data) : apart source 0 x y ->
  same (compared_by_turns threshold bT bQ hits x) (compared_by_turns threshold bT bQ hits y).
Proof.
  intros K. unfold compared_by_turns. destruct (Rlt_dec 0 (Q2R bT)) as [T'|]; [|apply same_refl]. destruct (Rlt_dec 0 (Q2R bQ)) as [Q'|]; [|apply same_refl].
  apply same_bind; [|auto]. apply Interleaved.talk_alike.
  - intros s l dl M E. unfold Interleaved.alone in E. destruct s; [discriminate|]. destruct (compares _ _ _ _ _ _); discriminate E.
  - intros s i b q E. unfold Interleaved.alone in E. destruct s as [|e s]; [discriminate|].
    destruct (compares I threshold bT bQ hits (e :: s)) as [q'|] eqn:C; [|discriminate E]. injection E as <- <- <-. now apply (kept C x y).
Qed.
End Compared.
