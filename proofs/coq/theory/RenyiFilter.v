(** * A filter of Renyi curves, at fixed orders (Feldman and Zrnic 2021; Lecuyer 2021)

    What a question loses is a curve, and what was charged may come to at most the budget at every one of some orders, which are
    fixed before anything is asked. Then all answers lose at most the budget at each of them. At each order that is the argument of
    [Filters.v]; that whether a question fits depends on the other orders, too, changes nothing, as it is known before the answer.

    A divergence grows with its order, so at any other order at most the budget of the next one is lost. That is asked for in groups:
    along k steps the divergence of order alpha is made of those of the orders [k (alpha - 1) + i]. *)
From Coq Require Import Reals Lra Lia List ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Powers Renyi Filters Talk HiddenThreshold GroupCurves.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** Jensen, for [P], then the larger order: [P f <= (P f^s)^(1/s)] where [s] is the one beta over the other. *)
Lemma renyi_order A (P Q : dist A) alpha order e : 1 < alpha -> alpha <= order -> divergence_at_most order P Q e -> divergence_at_most alpha P Q e.
Proof.
  intros O [L| ->] H; [|exact H]. assert (O' : 1 < order) by lra. intros f Bf Nf.
  set (s := beta alpha / beta order). pose proof (beta_gt_1 O) as b1. pose proof (beta_gt_1 O') as b2.
  pose proof (beta_gamma O) as g1. pose proof (beta_gamma O') as g2. pose proof (gamma_between O). pose proof (gamma_between O').
  assert (S1 : 1 < s).
  { unfold s. apply Rmult_lt_reg_r with (beta order); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
    unfold beta. apply Rminus_gt_0_lt. replace (alpha / (alpha - 1) - order / (order - 1)) with ((order - alpha) / ((alpha - 1) * (order - 1))) by (field; lra).
    apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]. }
  set (t := s / (s - 1)).
  assert (Ot : 1 < t) by (unfold t; apply Rmult_lt_reg_r with (s - 1); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (Bt : beta t = s) by (unfold beta, t; field; lra). assert (Gt : gamma t = / s) by (unfold gamma, t; field; lra).
  set (g := fun a => rpow (f a) s). assert (Bg : bounded g) by (apply bounded_rpow; [lra | exact Bf]). assert (Ng : nonneg g) by (intros a; apply rpow_nonneg).
  pose proof (jensen Ot P Bf Nf) as J. unfold raised in J. rewrite Bt, Gt in J. fold g in J. specialize (H g Bg Ng).
  assert (E : Q (fun a => rpow (g a) (beta order)) = Q (fun a => rpow (f a) (beta alpha))).
  { apply expect_ext; [apply bounded_rpow; [lra | exact Bg]|]. intros a. unfold g. rewrite rpow_rpow by apply Nf. f_equal. unfold s. field. lra. }
  rewrite E in H. set (q := Q (fun a => rpow (f a) (beta alpha))) in *.
  assert (Nq : 0 <= q) by (apply expect_nonneg; [apply bounded_rpow; [lra | exact Bf] | intros a; apply rpow_nonneg]).
  eapply Rle_trans; [exact J|]. eapply Rle_trans; [apply rpow_le; [left; apply Rinv_0_lt_compat; lra | exact H]|].
  assert (Es : gamma order * / s = gamma alpha).
  { unfold s. replace (gamma order) with (/ beta order) by (unfold gamma, beta; field; lra). replace (gamma alpha) with (/ beta alpha) by (unfold gamma, beta; field; lra). field. lra. }
  rewrite rpow_mult, rpow_exp, rpow_rpow by (auto using rpow_nonneg; left; apply exp_pos). rewrite Es.
  right. f_equal. f_equal. rewrite <- Es. ring.
Qed.

(** One order is a measure of its own. *)
Lemma composes_at alpha : 1 < alpha -> composes (renyi_at alpha).
Proof. intros O. constructor. unfold renyi_at. intros. now apply at_most_bind. Qed.
Lemma divergence_at alpha : 1 < alpha -> divergence (renyi_at alpha).
Proof.
  intros O. apply divergence_of_composes; [now apply composes_at | ..]; unfold renyi_at; simpl; intros.
  - now apply at_most_same.
  - now apply at_most_le with l.
  - eapply at_most_resp; eassumption.
Qed.

Section Filter.
Variables (X A : Type).
Notation seen := (list (event A)).
Variable asks : seen -> option ((R -> R) * question X A).

(** The budget: orders, and how much may be spent at each. *)
Variable points : list (R * R).
Definition at_orders (spent : R -> R) : bool := forallb (fun p => up_to (snd p) (spent (fst p))) points.
Notation all_answers := (charged_talk losses_curve asks at_orders).

(** Whatever was seen, a question loses at most its curve, at these orders, and does not see the order of rows; a query moves by at
    most what is said; and an above-threshold is charged, at these orders, what a randomized response loses. *)
Definition honest_curves (apart : R -> X -> X -> Prop) : Prop := forall s, match asks s with
  | Some (l, Asks M) => forall x y, (apart 1 x y -> forall p, In p points -> renyi_at (fst p) (M x) (M y) (l (fst p))) /\ (apart 0 x y -> same (M x) (M y))
  | Some (l, Begins moves _ _ bT bQ _ _ hits) => forall p, In p points -> response_costs (renyi_at (fst p)) (whole_loss moves bT bQ hits) (l (fst p))
  | Some (_, Compares _ moves q) => forall x y, (apart 1 x y -> Rabs (IZR (q y) - IZR (q x)) <= moves) /\ (apart 0 x y -> q x = q y)
  | None => True end.
Variable m : metric X.
Hypothesis orders : forall p, In p points -> 1 < fst p /\ 0 <= snd p.
Hypothesis honest : honest_curves m.

Lemma total_at (cost : seen -> R -> R) alpha s : total cost s alpha = total (fun s => cost s alpha) s.
Proof. induction s as [|[a| |b|] s IH]; simpl; congruence. Qed.

Lemma filter_at p stages : In p points -> private_at m (renyi_at (fst p)) (all_answers stages) 1 (snd p).
Proof.
  intros I x y K. destruct (orders p I) as [O N].
  refine (@talk_between X A x y (asked asks) _ _ R losses_number (renyi_at (fst p)) (fun s => price losses_curve asks s (fst p))
    (divergence_at O) (composes_at O) remains_number (snd p) stages N _ _ _).
  4: { intros s F. unfold at_orders in F. rewrite forallb_forall in F. specialize (F _ I). apply up_to_ok in F. cbn [plus losses_curve] in F.
       rewrite total_at in F. exact F. }
  all: unfold asked, price; intros; pose proof (honest s) as J; destruct (asks s) as [[l' q']|]; try discriminate;
    match goal with E : option_map _ _ = _ |- _ => injection E as -> end; try exact (J p I); now apply J.
Qed.

(** At an order, some budget of a kept one that is no lower. *)
Definition within (order most : R) : Prop := exists p, In p points /\ order <= fst p /\ snd p <= most.

Lemma filter_within stages order most : 1 < order -> within order most -> private_at m (renyi_at order) (all_answers stages) 1 most.
Proof.
  intros O (p & I & L & W) x y K. apply at_most_le with (snd p); [exact O | exact W|].
  apply renyi_order with (fst p); [exact O | exact L|]. now apply filter_at.
Qed.

Lemma filter_respects stages : respects m (all_answers stages).
Proof.
  intros x y K. apply talk_alike; unfold asked; intros; pose proof (honest s) as J; destruct (asks s) as [[l' q']|]; try discriminate;
    match goal with E : option_map _ _ = _ |- _ => injection E as -> end; now apply J.
Qed.

Theorem filter_renyi stages (budget : R -> R) d x y : whole m -> m d x y -> forall alpha, 1 < alpha ->
  (forall i, (1 <= i <= Z.to_nat (Int_part d))%nat ->
    within (INR (Z.to_nat (Int_part d)) * (alpha - 1) + INR i) (budget (INR (Z.to_nat (Int_part d)) * (alpha - 1) + INR i))) ->
  divergence_at_most alpha (all_answers stages x) (all_answers stages y) (group_orders budget (Z.to_nat (Int_part d)) alpha).
Proof.
  intros W D alpha O H. destruct (W d x y D) as (n & Hn & Rn). rewrite (@floor_INR n) in * by exact Hn.
  apply (reach_renyi (filter_respects stages)) with (1 := O) (2 := Rn). intros i I. apply filter_within; [|now apply H].
  assert (1 <= INR i) by (apply (le_INR 1); lia). assert (1 <= INR n) by (apply (le_INR 1); lia). nra.
Qed.
End Filter.
