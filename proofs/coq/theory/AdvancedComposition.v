(** * Advanced composition, by Renyi divergence (Kairouz, Oh, Viswanath 2017, Theorem 3.5)

    A pure loss of eps has divergences of at most [drift eps + (alpha - 1) eps^2/2];
      they add up, and one order is the best. *)
From Coq Require Import Reals Lra Psatz Lia List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators Powers Renyi
  BoundedRange Conversions Composition.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** The mean log-likelihood ratio of the two coins. *)
Definition drift (eps : R) : R := eps * (exp eps - 1) / (exp eps + 1).

Lemma drift_mean eps : 0 < eps -> mean (- eps) eps = drift eps.
Proof.
  intros H. assert (E : 1 < exp eps) by (rewrite <- exp_0; now apply exp_increasing).
  unfold mean, heads_P, heads_Q, drift. rewrite exp_Ropp. set (u := exp eps) in *. field. repeat split; nra.
Qed.

Lemma pure_at_most A (P Q : dist A) eps alpha : 0 <= eps -> 1 < alpha -> ind P Q eps 0 -> ind Q P eps 0 ->
  divergence_at_most alpha P Q (drift eps + (alpha - 1) * (eps * eps / 2)).
Proof.
  intros He Ha H K. destruct He as [He|<-].
  - pose proof (two_coins_at_most (range_of_pure H K) (conj (Ropp_lt_gt_0_contravar _ He) He : - eps < 0 < eps) Ha) as D.
    rewrite (drift_mean He) in D. replace ((eps - - eps) * (eps - - eps) / 8) with (eps * eps / 2) in D by field. exact D.
  - replace (drift 0 + _) with 0 by (unfold drift; rewrite exp_0; field). now apply at_most_pure.
Qed.

(** Divergences [mu + (alpha - 1) V/2] of all orders give, at the best order, [mu + sqrt(2 ln(1/slack) V)]. *)
Lemma ind_of_divergences A (P Q : dist A) mu V slack : 0 < slack < 1 -> 0 <= V ->
  (forall alpha, 1 < alpha -> divergence_at_most alpha P Q (mu + (alpha - 1) * (V / 2))) ->
  ind P Q (sqrt (2 * ln (1 / slack) * V) + mu) slack.
Proof.
  intros Hs V0 D.
  assert (E : ln (1 / slack) = - ln slack) by (unfold Rdiv; rewrite Rmult_1_l; apply ln_Rinv; lra).
  assert (L0 : 0 < - ln slack) by (assert (ln slack < 0) by (rewrite <- ln_1; apply ln_increasing; lra); lra).
  rewrite E. set (L := - ln slack) in *.
  assert (T : forall u, 0 < u -> ind P Q (mu + u * (V / 2) + L / u) slack).
  { intros u Hu. assert (Ha : 1 < 1 + u) by lra. pose proof (at_most_to_ind Ha (proj1 Hs) (D _ Ha)) as I.
    eapply ind_weaken; [ | apply Rle_refl | exact I].
    pose proof (@tight_epsilon_le ((mu + u * (V / 2)) / (1 + u)) slack (1 + u) Ha) as T. unfold tight_epsilon, order_epsilon in T.
    replace (1 + u - 1) with u in * by ring.
    replace ((mu + u * (V / 2)) / (1 + u) * (1 + u)) with (mu + u * (V / 2)) in T by (field; lra). exact T. }
  destruct V0 as [V0|V0].
  - set (u := sqrt (2 * L / V)). assert (u0 : 0 < u) by (apply sqrt_lt_R0, Rdiv_lt_0_compat; lra).
    replace (sqrt (2 * L * V) + mu) with (mu + u * (V / 2) + L / u); [now apply T|].
    assert (uu : u * u = 2 * L / V) by (apply sqrt_sqrt, Rlt_le, Rdiv_lt_0_compat; lra).
    assert (S : sqrt (2 * L * V) = u * V).
    { rewrite <- (sqrt_square (u * V)) by nra. f_equal. replace (u * V * (u * V)) with (u * u * (V * V)) by ring.
      rewrite uu. field; lra. }
    rewrite S. replace L with (u * u * V / 2) by (rewrite uu; field; lra). field; lra.
  - rewrite <- V0 in *. rewrite Rmult_0_r, sqrt_0, Rplus_0_l. apply ind_limit. intros e He.
    specialize (T (L / (e - mu)) ltac:(apply Rdiv_lt_0_compat; lra)).
    replace (mu + L / (e - mu) * (0 / 2) + L / (L / (e - mu))) with e in T by (field; lra). exact T.
Qed.

Section Advanced.
Variables (X A : Type) (m : metric X) (Ms : list (X -> dist A)) (losses : list (R -> R)).
Hypothesis each : Forall2 (private m pure) Ms losses.
Hypothesis nonnegative : forall l d, In l losses -> 0 <= d -> 0 <= l d.

(** The sum of the squares, and of the drifts, at distance d. *)
Definition squares (d : R) : R := sum (fun l : R -> R => l d * l d) losses.
Definition drifts (d : R) : R := sum (fun l : R -> R => drift (l d)) losses.

Lemma advanced_divergence alpha d x y : 1 < alpha -> m d x y ->
  divergence_at_most alpha (all Ms x) (all Ms y) (drifts d + (alpha - 1) * (squares d / 2)).
Proof.
  intros Ha D. unfold drifts, squares. induction each as [|M l Ms' ls H F IH]; simpl.
  - replace (0 + _) with 0 by field. apply at_most_same; auto.
  - replace (drift (l d) + _ + _) with ((drift (l d) + (alpha - 1) * (l d * l d / 2)) +
      (sum (fun l => drift (l d)) ls + (alpha - 1) * (sum (fun l => l d * l d) ls / 2))) by field.
    apply at_most_bind; [exact Ha | |].
    + apply pure_at_most; [apply nonnegative; [now left | exact (within_nonneg m _ _ _ D)] | exact Ha | now apply H |].
      apply H, within_sym, D.
    + intros a. rewrite <- (Rplus_0_r (sum _ ls + _)). apply at_most_bind; [exact Ha | | intros; apply at_most_same; auto].
      apply IH; [exact F | intros k e I; apply nonnegative; now right].
Qed.

Theorem advanced_composition_pure slack : 0 < slack < 1 ->
  private m approx (all Ms) (fun d => (sqrt (2 * ln (1 / slack) * squares d) + drifts d, slack)).
Proof.
  intros Hs d x y D. apply ind_of_divergences; [exact Hs | apply sum_nonneg; intros; nra |].
  intros alpha Ha. now apply advanced_divergence.
Qed.
End Advanced.
