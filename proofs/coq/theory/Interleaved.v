(** * Privacy filters of which above-thresholds are asked between other questions

    An analyst asks measurements, begins above-thresholds, and compares with any of those that are not over, each chosen after all
    that was seen. A question is answered while all charges fit into the budget, and all answers together lose at most that: so in
    every measure in which losses of one distance add up (Rogers, Roth, Ullman, Vadhan 2016; [HiddenThreshold.v]). An above-threshold
    is charged what a randomized response of its epsilon loses in the measure of the account, such as [e^2/2] in ZCDP. *)
From Coq Require Import Reals Lra List ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Renyi GaussianDP GaussianComposition ApproxZcdp Combinators AboveThreshold Filters Talk HiddenThreshold.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Account.
Variables (X A L : Type) (O : losses L) (ms : measure L).
Notation seen := (list (event A)).
Variables (asks : seen -> option (L * question X A)) (fits : L -> bool).

(** Whatever was seen, a measurement costs at most what it is charged, and a query moves by at most what is said, both between data
    at distance 1; neither sees the order of rows; and an above-threshold is charged at least what a randomized response costs. *)
Definition honest_talk (apart : R -> X -> X -> Prop) : Prop := forall s, match asks s with
  | Some (l, Asks M) => forall x y, (apart 1 x y -> ms (M x) (M y) l) /\ (apart 0 x y -> same (M x) (M y))
  | Some (l, Begins moves _ _ bT bQ _ _ hits) => response_costs ms (whole_loss moves bT bQ hits) l
  | Some (_, Compares _ moves q) => forall x y, (apart 1 x y -> Rabs (IZR (q y) - IZR (q x)) <= moves) /\ (apart 0 x y -> q x = q y)
  | None => True end.

Variable m : metric X.
Hypothesis honest : honest_talk m.

Lemma charged_respects stages : respects m (charged_talk O asks fits stages).
Proof.
  intros x y K. apply talk_alike; unfold asked; intros; pose proof (honest s) as J; destruct (asks s) as [[l' q']|]; try discriminate;
    match goal with E : option_map _ _ = _ |- _ => injection E as -> end; now apply J.
Qed.

Theorem charged_private (V : divergence ms) (C : composes ms) (H : remains O) budget stages : le zero budget ->
  (forall spent, fits spent = true -> le spent budget) -> private_at m ms (charged_talk O asks fits stages) 1 budget.
Proof.
  intros N F x y K. refine (@talk_between X A x y (asked asks) _ _ L O ms (price O asks) V C H budget stages N _ _ _); [ | | | intros s; apply F];
    unfold asked, price; intros; pose proof (honest s) as J; destruct (asks s) as [[l' q']|]; try discriminate;
    match goal with E : option_map _ _ = _ |- _ => injection E as -> end; try exact J; now apply J.
Qed.

(** Data d apart are joined by d steps of 1, for each of which all answers together lose at most the budget. *)
Theorem charged_lift (V : divergence ms) (C : composes ms) (G : groups ms) (H : remains O) budget stages : whole m -> le zero budget ->
  (forall spent, fits spent = true -> le spent budget) -> private m ms (charged_talk O asks fits stages) (fun d => group d budget).
Proof. intros W N F. apply (lift (D := V)); [exact W | apply charged_respects | exact N | now apply charged_private]. Qed.
End Account.

(** The measures that the calculus names. *)
Section Named.
Variables (X A : Type) (m : metric X).
Hypothesis steps : whole m.
Notation figure := (list (event A) -> option (R * question X A)).
Notation pairs := (list (event A) -> option ((R * R) * question X A)).
Notation all_answers asks budget stages := (charged_talk losses_number asks (up_to budget) stages).

Theorem filter_pure (asks : figure) budget stages : 0 <= budget -> honest_talk pure asks m ->
  private m pure (all_answers asks budget stages) (fun d => d * budget).
Proof. intros N H. exact (@charged_lift _ _ _ _ _ asks _ m H _ _ _ _ budget stages steps N (up_to_ok budget)). Qed.

Theorem filter_approx (asks : pairs) budget stages : 0 <= fst budget /\ 0 <= snd budget -> honest_talk approx asks m ->
  private m approx (charged_talk losses_pair asks (both_up_to budget) stages) (fun d => (d * fst budget, snd budget * geometric d (fst budget))).
Proof. intros N H. exact (@charged_lift _ _ _ _ _ asks _ m H _ _ _ _ budget stages steps N (both_up_to_ok budget)). Qed.

Theorem filter_zcdp (asks : figure) budget stages : 0 <= budget -> honest_talk zcdp asks m ->
  private m zcdp (all_answers asks budget stages) (fun d => d * d * budget).
Proof. intros N H. exact (@charged_lift _ _ _ _ _ asks _ m H _ _ _ _ budget stages steps N (up_to_ok budget)). Qed.

(** In squares of mu. What is composed here is a question and all that follows it, the same budget being left whatever it
    answers: no curve changes with the answers. *)
Theorem filter_gaussian (asks : figure) budget stages : 0 <= budget -> honest_talk gaussian asks m ->
  private m gaussian (all_answers asks budget stages) (fun d => d * d * budget).
Proof. intros N H. exact (@charged_lift _ _ _ _ _ asks _ m H _ _ _ _ budget stages steps N (up_to_ok budget)). Qed.

Theorem filter_total_variation (asks : figure) budget stages : 0 <= budget -> honest_talk total_variation asks m ->
  private m total_variation (all_answers asks budget stages) (fun d => d * budget).
Proof. intros N H. exact (@charged_lift _ _ _ _ _ asks _ m H _ _ _ _ budget stages steps N (up_to_ok budget)). Qed.

(** Which has no rule for groups. *)
Theorem filter_approximate_zcdp (asks : pairs) budget stages : 0 <= fst budget /\ 0 <= snd budget -> honest_talk approximate_zcdp asks m ->
  private_at m approximate_zcdp (charged_talk losses_pair asks (both_up_to budget) stages) 1 budget.
Proof. intros N H. exact (@charged_private _ _ _ _ _ asks _ m H _ _ _ budget stages N (both_up_to_ok budget)). Qed.
End Named.

(** What an above-threshold of an epsilon is charged. *)
Lemma response_pure e : response_costs pure e e.
Proof. intros P Q H _. exact H. Qed.
Lemma response_zcdp e : response_costs zcdp e (e * e / 2).
Proof. intros P Q. apply of_pure. Qed.

(** One above-threshold alone: it is begun, and each query is chosen by the answers before it. *)
Section Alone.
Variables (X : Type) (m : metric X) (threshold : Z) (bT bQ : R) (hits : nat) (T : 0 < bT) (Q : 0 < bQ).
Variable chosen : list (event unit) -> option (X -> Z).
Notation loss := (whole_loss 1 bT bQ hits).
Definition alone (s : list (event unit)) : option (R * question X unit) :=
  match s with
  | [] => Some (loss, Begins 1 Rle_0_1 threshold bT bQ T Q hits)
  | _ => option_map (fun q => (0, Compares 0 1 q)) (chosen s)
  end.
Definition above_threshold_stream (stages : nat) : X -> dist (list (event unit)) := charged_talk losses_number alone (up_to loss) stages.

Hypothesis moves : forall s q x y, chosen s = Some q -> (m 1 x y -> Rabs (IZR (q y) - IZR (q x)) <= 1) /\ (m 0 x y -> q x = q y).

Lemma alone_honest : honest_talk pure alone m.
Proof.
  intros s. unfold alone. destruct s as [|e s]; [apply response_pure|]. destruct (chosen (e :: s)) as [q|] eqn:E; [|exact I].
  intros x y. exact (moves x y E).
Qed.
Lemma alone_nonneg : 0 <= loss.
Proof. exact (whole_nonneg Rle_0_1 T Q hits). Qed.

Theorem above_threshold_asked_pure stages : whole m -> private m pure (above_threshold_stream stages) (fun d => d / bT + 2 * INR hits * d / bQ).
Proof.
  intros W d x y K. replace (d / bT + 2 * INR hits * d / bQ) with (d * loss) by (unfold whole_loss; field; lra).
  exact (filter_pure W stages alone_nonneg alone_honest d x y K).
Qed.
End Alone.
