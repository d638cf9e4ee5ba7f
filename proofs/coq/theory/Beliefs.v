(** * What anybody may come to believe

    Of data a release is made, by a measurement [M]; somebody who had the prior [b] on data, with whatever correlations, sees
    an outcome. [f] is the test that it is this one, so that [M x f] is its probability from the data [x]; more generally
    [f] is any test that was passed. By Bayes' rule they believe the statement [s] about the data with the probability
    [belief b M f s]. Had the release been made of [r] of the data, one person's part erased, say, the same outcome would have
    led to [belief b (fun x => M (r x)) f s].

    Pure (Kasiviswanathan and Smith 2014, pointwise). Numerators differ by a factor within [exp eps] of 1, and so do the
    denominators; and the numerator of a statement and that of its contrary are all of the denominator, so that odds, too,
    differ by at most [exp (2 eps)], and probabilities by at most [(exp eps - 1)/(exp eps + 1)], which is tanh(eps/2).

    (eps, delta), of two data sets: the outcomes that are more than [exp (2 eps)] times likelier from the one than from the
    other are rare from it, and those that are as much less likely are rarer. *)
From Coq Require Import Reals Lra Psatz.
From DPcore Require Import Distributions Indistinguishability Measures Metrics.
Open Scope R_scope.
Set Implicit Arguments.

Definition belief {X A} (b : dist X) (M : X -> dist A) (f : A -> R) (s : X -> R) :=
  b (fun x => s x * M x f) / b (fun x => M x f).

Lemma bounded_mult A (f g : A -> R) : bounded f -> bounded g -> bounded (fun a => f a * g a).
Proof.
  intros [B H] [C K]; exists (B * C); intros a; rewrite Rabs_mult.
  apply Rmult_le_compat; auto using Rabs_pos.
Qed.

(** How probable, before the release, the statement and the outcome are together. *)
Section Joint.
Variables (X A : Type) (b : dist X) (f : A -> R).
Hypothesis F : test f.

Lemma bounded_joint (M : X -> dist A) s : test s -> bounded (fun x => s x * M x f).
Proof. intros S. apply bounded_mult; auto with bounded. Qed.

Lemma joint_le (M N : X -> dist A) s u : test s -> 0 <= u -> (forall x, M x f <= u * N x f) ->
  b (fun x => s x * M x f) <= u * b (fun x => s x * N x f).
Proof.
  intros S U H. rewrite <- expect_scale by now apply bounded_joint.
  apply expect_le; [now apply bounded_joint | now apply bounded_scale, bounded_joint |].
  intros x. destruct (S x), (expect_test (M x) F). specialize (H x). nra.
Qed.

Lemma joint_nonneg (M : X -> dist A) s : test s -> 0 <= b (fun x => s x * M x f).
Proof.
  intros S. apply expect_nonneg; [now apply bounded_joint|].
  intros x. destruct (S x), (expect_test (M x) F). nra.
Qed.

Lemma joint_split (M : X -> dist A) s : test s ->
  b (fun x => M x f) = b (fun x => s x * M x f) + b (fun x => (1 - s x) * M x f).
Proof.
  intros S. assert (T : test (fun x => 1 - s x)) by (intros x; destruct (S x); lra).
  rewrite <- expect_plus by (apply bounded_joint; assumption).
  apply expect_ext; auto with bounded. intros; lra.
Qed.
End Joint.

(** Two shares [a/(a + c)] and [a'/(a' + c')] of which corresponding parts differ by a factor of [u] at most. *)
Section Shares.
Variables a c a' c' u : R.
Hypotheses (U : 1 <= u) (Ha : 0 <= a) (Hc : 0 <= c) (Ha' : 0 <= a') (Hc' : 0 <= c') (P : 0 < a + c) (P' : 0 < a' + c').
Hypotheses (H : a <= u * a') (K : c' <= u * c).

Lemma shares_factor : a' + c' <= u * (a + c) -> a / (a + c) <= u * u * (a' / (a' + c')).
Proof.
  intros L. apply Rmult_le_reg_r with ((a + c) * (a' + c')); [nra|].
  replace (a / (a + c) * ((a + c) * (a' + c'))) with (a * (a' + c')) by (field; lra).
  replace (u * u * (a' / (a' + c')) * ((a + c) * (a' + c'))) with (u * a' * (u * (a + c))) by (field; lra).
  apply Rmult_le_compat; lra.
Qed.

(** With [p^2 = a c'] and [q^2 = a' c]: [p <= u q], and [a a' + c c'] is at least [2 p q]. *)
Lemma shares_apart : a / (a + c) - a' / (a' + c') <= (u - 1) / (u + 1).
Proof.
  apply Rmult_le_reg_r with ((a + c) * (a' + c') * (u + 1)); [apply Rmult_lt_0_compat; [now apply Rmult_lt_0_compat | lra]|].
  replace ((a / (a + c) - a' / (a' + c')) * ((a + c) * (a' + c') * (u + 1)))
    with ((a * c' - a' * c) * (u + 1)) by (field; lra).
  replace ((u - 1) / (u + 1) * ((a + c) * (a' + c') * (u + 1))) with ((u - 1) * ((a + c) * (a' + c'))) by (field; lra).
  set (p := sqrt (a * c')). set (q := sqrt (a' * c)).
  assert (X : 0 <= a * c') by now apply Rmult_le_pos. assert (Y : 0 <= a' * c) by now apply Rmult_le_pos.
  assert (p2 : p * p = a * c') by now apply sqrt_sqrt. assert (q2 : q * q = a' * c) by now apply sqrt_sqrt.
  assert (p0 : 0 <= p) by apply sqrt_pos. assert (q0 : 0 <= q) by apply sqrt_pos.
  assert (pq : p <= u * q).
  { apply Rsqr_incr_0; [unfold Rsqr | lra | nra]. replace (u * q * (u * q)) with (u * a' * (u * c)) by (rewrite <- q2 in *; nra).
    rewrite p2. apply Rmult_le_compat; lra. }
  assert (W : 2 * (p * q) <= a * a' + c * c').
  { apply Rsqr_incr_0; [unfold Rsqr | nra | nra].
    replace (2 * (p * q) * (2 * (p * q))) with (4 * (p * p) * (q * q)) by ring. rewrite p2, q2.
    pose proof (Rle_0_sqr (a * a' - c * c')). unfold Rsqr in *. lra. }
  assert ((p - u * q) * (p + q) <= 0) by nra. assert ((u - 1) * (2 * (p * q)) <= (u - 1) * (a * a' + c * c')) by nra.
  nra.
Qed.
End Shares.

Section Theorems.
Variables (X A : Type) (m : metric X) (M : X -> dist A).

(** Whoever hesitates between two data sets: odds are multiplied by [M x f / M y f]. *)
Theorem beliefs_odds loss : private m pure M loss -> forall d x y f, m d x y -> test f -> 0 < M y f ->
  exp (- loss d) <= M x f / M y f <= exp (loss d).
Proof.
  intros H d x y f D F Y. pose proof (H d x y D f F) as L. pose proof (H d y x (within_sym m _ _ _ D) f F) as K.
  pose proof (exp_pos (loss d)). assert (E : exp (- loss d) * exp (loss d) = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
  split; apply Rmult_le_reg_r with (M y f); auto; unfold Rdiv; rewrite (Rmult_assoc (M x f)), Rinv_l, Rmult_1_r by lra; [|lra].
  apply Rmult_le_reg_l with (exp (loss d)); auto. rewrite <- Rmult_assoc, (Rmult_comm (exp (loss d)) (exp (- loss d))), E. lra.
Qed.

(** Whoever knows whatever: what they believe, and what they would believe had the release been made of [r] of the data. *)
Theorem beliefs_pure loss : private m pure M loss -> forall d (r : X -> X) (b : dist X) f s,
  (forall x, m d x (r x)) -> 0 <= loss d -> test f -> test s -> 0 < b (fun x => M x f) ->
  belief b M f s <= exp (2 * loss d) * belief b (fun x => M (r x)) f s /\
  belief b (fun x => M (r x)) f s <= exp (2 * loss d) * belief b M f s /\
  Rabs (belief b M f s - belief b (fun x => M (r x)) f s) <= (exp (loss d) - 1) / (exp (loss d) + 1).
Proof.
  intros H d r b f s D E F S Z. set (u := exp (loss d)). set (N := fun x => M (r x)).
  assert (U : 1 <= u) by now apply exp_ge_1.
  assert (up : forall x, M x f <= u * N x f) by (intros x; pose proof (H d x (r x) (D x) f F); unfold u, N; lra).
  assert (down : forall x, N x f <= u * M x f).
  { intros x; pose proof (H d (r x) x (within_sym m _ _ _ (D x)) f F); unfold u, N; lra. }
  assert (T : test (fun x => 1 - s x)) by (intros x; destruct (S x); lra).
  assert (Q : exp (2 * loss d) = u * u) by (unfold u; rewrite <- exp_plus; f_equal; ring).
  unfold belief. fold N. rewrite Q, (joint_split b F N S), (joint_split b F M S) in *.
  pose proof (joint_nonneg b F M S). pose proof (joint_nonneg b F M T).
  pose proof (joint_nonneg b F N S). pose proof (joint_nonneg b F N T).
  assert (0 <= u) by lra.
  pose proof (joint_le b F M N S H4 up). pose proof (joint_le b F M N T H4 up).
  pose proof (joint_le b F N M S H4 down). pose proof (joint_le b F N M T H4 down).
  set (a := b (fun x => s x * M x f)) in *. set (c := b (fun x => (1 - s x) * M x f)) in *.
  set (a' := b (fun x => s x * N x f)) in *. set (c' := b (fun x => (1 - s x) * N x f)) in *.
  assert (P' : 0 < a' + c') by nra.
  repeat split; [apply shares_factor; lra | apply shares_factor; lra |].
  apply Rabs_le; split; [|apply shares_apart; lra].
  enough (a' / (a' + c') - a / (a + c) <= (u - 1) / (u + 1)) by lra. apply shares_apart; lra.
Qed.

(** (eps, delta), of two data sets: [S] are outcomes that are much likelier from [x], [T] such that are much less likely. *)
Theorem beliefs_approx loss : private m approx M loss -> forall d x y S T, m d x y -> 0 < fst (loss d) ->
  exp (2 * fst (loss d)) * probability (M y) S <= probability (M x) S ->
  exp (2 * fst (loss d)) * probability (M x) T <= probability (M y) T ->
  probability (M x) (fun a => orb (S a) (T a)) <=
    snd (loss d) * (1 + exp (- (2 * fst (loss d)))) / (1 - exp (- fst (loss d))).
Proof.
  intros H d x y S T D E HS HT. destruct (loss d) as [e delta] eqn:L; simpl in *.
  pose proof (events_of_ind (H d x y D)) as I. pose proof (events_of_ind (H d y x (within_sym m _ _ _ D))) as J.
  unfold ind_events in *. rewrite L in *; simpl in *. specialize (I S). specialize (J T).
  set (v := exp (- e)). assert (V : 0 < v < 1).
  { unfold v; split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing; lra. }
  assert (W : v * exp e = 1) by (unfold v; rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
  assert (E2 : exp (2 * e) = exp e * exp e) by (rewrite <- exp_plus; f_equal; ring).
  assert (V2 : exp (- (2 * e)) = v * v) by (unfold v; rewrite <- exp_plus; f_equal; ring).
  rewrite V2, E2 in *. pose proof (exp_pos e).
  set (pS := probability (M x) S) in *. set (qS := probability (M y) S) in *.
  set (pT := probability (M x) T) in *. set (qT := probability (M y) T) in *.
  assert (A1 : exp e * qS <= v * pS).
  { replace (exp e * qS) with (v * exp e * (exp e * qS)) by (rewrite W; ring).
    replace (v * exp e * (exp e * qS)) with (v * (exp e * exp e * qS)) by ring. apply Rmult_le_compat_l; lra. }
  assert (B1 : exp e * pT <= v * qT).
  { replace (exp e * pT) with (v * exp e * (exp e * pT)) by (rewrite W; ring).
    replace (v * exp e * (exp e * pT)) with (v * (exp e * exp e * pT)) by ring. apply Rmult_le_compat_l; lra. }
  assert (B2 : pT <= v * v * qT).
  { replace pT with (v * exp e * pT) by (rewrite W; ring). replace (v * v * qT) with (v * (v * qT)) by ring.
    rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
  assert (O : probability (M x) (fun a => orb (S a) (T a)) <= pS + pT).
  { unfold pS, pT, probability. rewrite <- expect_plus by (apply test_bounded, test_event).
    apply expect_le; [apply test_bounded, test_event | apply bounded_plus; apply test_bounded, test_event |].
    intros a; destruct (S a), (T a); simpl; lra. }
  eapply Rle_trans; [exact O|]. apply Rmult_le_reg_r with (1 - v); [lra|].
  replace (delta * (1 + v * v) / (1 - v) * (1 - v)) with (delta * (1 + v * v)) by (field; lra).
  assert (pS * (1 - v) <= delta) by lra. assert (qT * (1 - v) <= delta) by lra.
  assert (pT * (1 - v) <= v * v * delta).
  { apply Rle_trans with (v * v * qT * (1 - v)); [apply Rmult_le_compat_r; lra|].
    rewrite Rmult_assoc. apply Rmult_le_compat_l; nra. }
  lra.
Qed.
End Theorems.
