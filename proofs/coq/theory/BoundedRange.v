(** * Bounded range, and the worst case of pure privacy

    If the log-likelihood ratio of P and Q stays between [a] and [b],
      then P and Q are made from two coins by one and the same
    post-processing ([two_coins]). So whatever is to be known of such a pair need only be known of coins: this is why
    randomized response is the worst case of pure privacy. *)
From Coq Require Import Reals Lra Psatz.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Powers Renyi RenyiTextbook Hoeffding.
Open Scope R_scope.
Set Implicit Arguments.

(** The likelihood ratio is between [exp a] and [exp b]. *)
Definition in_range {A} (P Q : dist A) (a b : R) :=
  forall f, bounded f -> nonneg f -> exp a * Q f <= P f <= exp b * Q f.

Definition coin (p : R) (H : 0 <= p <= 1) : dist bool := mix H (ret true) (ret false).

(** ** Two coins *)
Section TwoCoins.
Variables (A : Type) (P Q : dist A) (a b : R).
Hypothesis range : in_range P Q a b.

Lemma range_around_0 : a <= 0 <= b.
Proof.
  destruct (range (bounded_const _ 1) (fun _ => Rle_0_1)) as [L U]. rewrite !expect_one, !Rmult_1_r in *.
  rewrite <- exp_0 in L, U. split; apply Rnot_lt_le; intros C; apply exp_increasing in C; lra.
Qed.

(** The two ends: what P has beyond [exp a] times Q, and what it lacks of [exp b] times Q. *)
Hypothesis proper : a < 0 < b.

Lemma ends_proper : exp a < 1 < exp b.
Proof. rewrite <- exp_0. split; apply exp_increasing; lra. Qed.

Definition upper_end : dist A.
Proof.
  pose proof ends_proper as E.
  refine {| expect := fun f => / (1 - exp a) * (P f - exp a * Q f) |}.
  - intros; rewrite !expect_plus by auto; ring.
  - intros; rewrite !expect_scale by auto; ring.
  - intros f B N. destruct (range B N). apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra | lra].
  - rewrite !expect_one. field; lra.
Defined.

Definition lower_end : dist A.
Proof.
  pose proof ends_proper as E.
  refine {| expect := fun f => / (exp b - 1) * (exp b * Q f - P f) |}.
  - intros; rewrite !expect_plus by auto; ring.
  - intros; rewrite !expect_scale by auto; ring.
  - intros f B N. destruct (range B N). apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra | lra].
  - rewrite !expect_one. field; lra.
Defined.

Definition heads_Q := (1 - exp a) / (exp b - exp a).
Definition heads_P := exp b * heads_Q.

Lemma heads_Q_between : 0 < heads_Q < 1.
Proof.
  pose proof ends_proper. unfold heads_Q; split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with (exp b - exp a); [lra|]. unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma tails : 1 - heads_P = exp a * (1 - heads_Q).
Proof. pose proof ends_proper. unfold heads_P, heads_Q. field; lra. Qed.
Lemma heads_P_between : 0 < heads_P < 1.
Proof.
  pose proof heads_Q_between. pose proof tails. pose proof (exp_pos a). split; [|nra].
  apply Rmult_lt_0_compat; [apply exp_pos | lra].
Qed.

Definition reveal (side : bool) : dist A := if side then upper_end else lower_end.
Definition unit_interval p (H : 0 < p < 1) : 0 <= p <= 1 := conj (Rlt_le _ _ (proj1 H)) (Rlt_le _ _ (proj2 H)).

Theorem two_coins :
  same P (bind (coin (unit_interval heads_P_between)) reveal) /\ same Q (bind (coin (unit_interval heads_Q_between)) reveal).
Proof.
  pose proof ends_proper. split; intros f _; simpl; unfold heads_P, heads_Q; field; lra.
Qed.
End TwoCoins.

(** ** Renyi divergence of the coins

    With mu the mean of the log-likelihood ratio under P: at most [mu + (alpha - 1)(b - a)^2/8], and [mu <= (b - a)^2/8]. *)
Section Divergence.
Variables (A : Type) (P Q : dist A) (a b : R).
Hypothesis range : in_range P Q a b.
Hypothesis proper : a < 0 < b.
Let p := heads_P a b.
Let q := heads_Q a b.
Definition mean := p * b + (1 - p) * a.

Lemma two_coins_at_most alpha : 1 < alpha -> divergence_at_most alpha P Q (mean + (alpha - 1) * ((b - a) * (b - a) / 8)).
Proof.
  intros Ha. destruct (two_coins range proper) as [EP EQ].
  apply at_most_resp with (bind (coin (unit_interval (heads_P_between proper))) (reveal range proper))
    (bind (coin (unit_interval (heads_Q_between proper))) (reveal range proper)); auto using same_sym.
  rewrite <- (Rplus_0_r (mean + _)). apply at_most_bind; [exact Ha | | intros; apply at_most_same; auto].
  pose proof (heads_P_between proper) as Hp. fold p in Hp. pose proof (heads_Q_between proper) as Hq. fold q in Hq.
  pose proof (tails proper) as T. fold p q in T. assert (pq : p = exp b * q) by reflexivity.
  set (r := fun side : bool => if side then exp b else exp a).
  apply at_most_of_sum with r; auto.
  - intros [|]; left; apply exp_pos.
  - exists (Rmax (exp b) (exp a)). intros [|]; simpl; rewrite Rabs_pos_eq by (left; apply exp_pos);
      [apply Rmax_l | apply Rmax_r].
  - intros f _. simpl. fold p q. rewrite T, pq. ring.
  - simpl. fold q. rewrite !rpow_exp.
    replace (q * exp (alpha * b)) with (p * exp ((alpha - 1) * b))
      by (rewrite pq; replace (alpha * b) with (b + (alpha - 1) * b) by ring; rewrite exp_plus; ring).
    replace ((1 - q) * exp (alpha * a)) with ((1 - p) * exp ((alpha - 1) * a))
      by (rewrite T; replace (alpha * a) with (a + (alpha - 1) * a) by ring; rewrite exp_plus; ring).
    pose proof (hoeffding ((alpha - 1) * (b - a)) Hp) as H.
    replace (exp ((alpha - 1) * b)) with (exp ((alpha - 1) * mean) * exp ((1 - p) * ((alpha - 1) * (b - a))))
      by (rewrite <- exp_plus; f_equal; unfold mean; ring).
    replace (exp ((alpha - 1) * a)) with (exp ((alpha - 1) * mean) * exp (- p * ((alpha - 1) * (b - a))))
      by (rewrite <- exp_plus; f_equal; unfold mean; ring).
    replace ((alpha - 1) * (mean + (alpha - 1) * ((b - a) * (b - a) / 8))) with
      ((alpha - 1) * mean + (alpha - 1) * (b - a) * ((alpha - 1) * (b - a)) / 8) by field.
    rewrite exp_plus. pose proof (exp_pos ((alpha - 1) * mean)). nra.
Qed.

Lemma mean_le : mean <= (b - a) * (b - a) / 8.
Proof.
  pose proof (heads_P_between proper) as Hp. fold p in Hp. pose proof (tails proper) as T. fold p q in T.
  assert (pq : p = exp b * q) by reflexivity.
  pose proof (hoeffding (- (b - a)) Hp) as H.
  (* under P the inverse ratio has mean 1 *)
  assert (E : p * exp ((1 - p) * - (b - a)) + (1 - p) * exp (- p * - (b - a)) = exp mean).
  { assert (inv : forall u, exp u * exp (- u) = 1) by (intros; rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    replace ((1 - p) * - (b - a)) with (mean + - b) by (unfold mean; ring).
    replace (- p * - (b - a)) with (mean + - a) by (unfold mean; ring).
    rewrite !exp_plus, T, pq.
    transitivity (exp mean * (q * (exp b * exp (- b)) + (1 - q) * (exp a * exp (- a)))); [ring | rewrite !inv; ring]. }
  rewrite E in H. replace (- (b - a) * - (b - a)) with ((b - a) * (b - a)) in H by ring.
  apply Rnot_lt_le; intros C; apply exp_increasing in C; lra.
Qed.
End Divergence.

(** At either end there is only one distribution. *)
Lemma range_improper A (P Q : dist A) a b : in_range P Q a b -> ~ (a < 0 < b) -> same P Q.
Proof.
  intros H N. pose proof (range_around_0 H) as [A0 B0].
  assert (C : a = 0 \/ b = 0) by (destruct A0, B0; subst; auto; exfalso; apply N; auto).
  intros f [B Bf]. assert (Hf : bounded f) by (now exists B).
  assert (S : bounded (fun x => B + f x)) by auto with bounded.
  assert (S' : bounded (fun x => B + -1 * f x)) by auto with bounded.
  assert (N1 : nonneg (fun x => B + f x)) by (intros x; specialize (Bf x); apply Rabs_le_between in Bf; lra).
  assert (N2 : nonneg (fun x => B + -1 * f x)) by (intros x; specialize (Bf x); apply Rabs_le_between in Bf; lra).
  pose proof (H _ S N1) as K1. pose proof (H _ S' N2) as K2.
  rewrite !expect_plus, !expect_const in K1 by auto with bounded.
  rewrite !expect_plus, !expect_scale, !expect_const in K2 by auto with bounded.
  destruct C as [-> | ->]; rewrite exp_0 in *; lra.
Qed.

(** A bounded range of width eta is zCDP at [eta^2/8] (Cesar and Rogers 2021, Lemma 3.2). *)
Theorem range_zcdp A (P Q : dist A) a b eta : in_range P Q a b -> b - a <= eta -> zcdp P Q (eta * eta / 8).
Proof.
  intros H E. pose proof (range_around_0 H) as R0.
  destruct (Rlt_dec a 0) as [Ha|Ha]; [destruct (Rlt_dec 0 b) as [Hb|Hb]|].
  - intros alpha order. eapply at_most_le; [exact order | | exact (two_coins_at_most H (conj Ha Hb) order)].
    pose proof (mean_le (conj Ha Hb)). assert ((b - a) * (b - a) <= eta * eta) by nra. nra.
  - apply div_le with zero; [simpl; nra | apply div_same, (range_improper H); lra].
  - apply div_le with zero; [simpl; nra | apply div_same, (range_improper H); lra].
Qed.

(** ** Pure privacy *)
Lemma range_of_pure A (P Q : dist A) eps : ind P Q eps 0 -> ind Q P eps 0 -> in_range P Q (- eps) eps.
Proof.
  intros H K f B N. pose proof (ind_scale H B N). pose proof (ind_scale K B N). split; [|assumption].
  assert (E : exp (- eps) * exp eps = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
  apply Rle_trans with (exp (- eps) * (exp eps * P f)); [|rewrite <- Rmult_assoc, E; lra].
  apply Rmult_le_compat_l; [left; apply exp_pos | assumption].
Qed.

Theorem pure_to_zcdp X A (m : metric X) (M : X -> dist A) eps :
  private m pure M eps -> private m zcdp M (fun d => eps d * eps d / 2).
Proof.
  intros H d x y D. replace (eps d * eps d / 2) with ((2 * eps d) * (2 * eps d) / 8) by field.
  apply range_zcdp with (- eps d) (eps d); [|lra].
  apply range_of_pure; [now apply H | apply H, within_sym, D].
Qed.

Theorem pure_to_renyi X A (m : metric X) (M : X -> dist A) eps :
  private m pure M eps -> private m renyi M (fun d alpha => Rmin (eps d) (alpha * eps d * eps d / 2)).
Proof.
  intros H d x y D alpha order. unfold Rmin. destruct (Rle_dec _ _).
  - apply at_most_pure; auto. now apply H.
  - replace (alpha * eps d * eps d / 2) with (eps d * eps d / 2 * alpha) by field. now apply (pure_to_zcdp H d x y D).
Qed.
