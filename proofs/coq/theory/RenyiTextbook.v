(** * Renyi divergence as it is in the textbooks

    Where P has a density r with respect to Q, [D_alpha(P||Q) <= e] by duality means [E_Q r^alpha <= exp((alpha - 1) e)]. *)
From Coq Require Import Reals Lra Psatz.
From DPcore Require Import Distributions Indistinguishability Measures Powers Renyi.
Open Scope R_scope.
Set Implicit Arguments.

(** Young's inequality with the scale left open gives Hoelder's. *)
Lemma young_scaled alpha m C T : 1 < alpha -> 0 < C -> 0 <= T ->
  (forall l, 0 < l -> m <= Rpower l alpha * C / alpha + Rpower l (- beta alpha) * T / beta alpha) ->
  m <= Rpower C (/ alpha) * rpow T (gamma alpha).
Proof.
  intros Ha HC HT H. pose proof (beta_gt_1 Ha) as Hb.
  assert (Hab : alpha + beta alpha = alpha * beta alpha) by (unfold beta; field; lra).
  destruct HT as [HT|<-].
  - set (l := exp ((ln T - ln C) / (alpha + beta alpha))).
    specialize (H l (exp_pos _)). rewrite rpow_pos by auto.
    assert (E : forall u, Rpower l u = exp (u * ((ln T - ln C) / (alpha + beta alpha)))) by (intros; unfold Rpower, l;
      now rewrite ln_exp).
    rewrite !E in H. rewrite <- (exp_ln C HC) in H at 2. rewrite <- (exp_ln T HT) in H at 3.
    unfold Rpower. rewrite <- exp_plus. rewrite <- !exp_plus in H.
    assert (X : / alpha * ln C + gamma alpha * ln T = alpha * ((ln T - ln C) / (alpha + beta alpha)) + ln C)
      by (rewrite Hab; unfold gamma, beta; field; lra).
    assert (Y : - beta alpha * ((ln T - ln C) / (alpha + beta alpha)) + ln T = alpha * ((ln T - ln C) / (alpha + beta
      alpha)) + ln C)
      by (rewrite Hab; unfold beta; field; lra).
    rewrite Y, <- X in H.
    assert (S : forall u, u / alpha + u / beta alpha = u) by (intros; unfold beta; field; lra).
    now rewrite S in H.
  - rewrite rpow_0, Rmult_0_r. apply Rnot_lt_le; intros Hm.
    assert (P0 : 0 < m * alpha / (2 * C)) by (apply Rdiv_lt_0_compat; nra).
    set (l := exp (ln (m * alpha / (2 * C)) / alpha)). specialize (H l (exp_pos _)).
    replace (Rpower l alpha) with (m * alpha / (2 * C)) in H.
    2:{ unfold Rpower, l. rewrite ln_exp. replace (alpha * (ln (m * alpha / (2 * C)) / alpha)) with (ln (m * alpha / (2
          * C))) by (field; lra).
        now rewrite exp_ln. }
    replace (m * alpha / (2 * C) * C / alpha) with (m / 2) in H by (field; lra).
    rewrite Rmult_0_r in H. unfold Rdiv in H at 2. rewrite Rmult_0_l in H. lra.
Qed.

(** The same inequality at one point. *)
Lemma young_point alpha l r t : 1 < alpha -> 0 < l -> 0 <= r -> 0 <= t ->
  r * t <= Rpower l alpha / alpha * rpow r alpha + Rpower l (- beta alpha) / beta alpha * rpow t (beta alpha).
Proof.
  intros Ha Hl Hr Ht. pose proof (gamma_between Ha) as Hg. assert (Hi : 0 < / l) by now apply Rinv_0_lt_compat.
  pose proof (@young (/ alpha) (rpow (l * r) alpha) (rpow (/ l * t) (beta alpha))) as Y.
  assert (ga : 1 - gamma alpha = / alpha) by (unfold gamma; field; lra).
  specialize (Y ltac:(lra) (rpow_nonneg _ _) (rpow_nonneg _ _)).
  replace (1 - / alpha) with (gamma alpha) in Y by lra.
  rewrite !rpow_inv in Y; [| nra | now apply beta_gamma | nra | field; lra].
  rewrite !rpow_mult, (rpow_pos alpha Hl), (rpow_pos (beta alpha) Hi) in Y by lra.
  replace (Rpower (/ l) (beta alpha)) with (Rpower l (- beta alpha)) in Y by (unfold Rpower; rewrite ln_Rinv by auto;
    f_equal; ring).
  replace (l * r * (/ l * t)) with (r * t) in Y by (field; lra).
  unfold Rdiv. replace (/ beta alpha) with (gamma alpha) by (unfold beta, gamma; field; lra). lra.
Qed.

(** A number that is at most [exp(e/beta)] times its own power 1/beta. *)
Lemma power_bound alpha S e : 1 < alpha -> 0 <= S -> S <= exp (gamma alpha * e) * rpow S (gamma alpha) ->
  S <= exp ((alpha - 1) * e).
Proof.
  intros Ha S0 H. pose proof (gamma_between Ha) as Hg. destruct S0 as [S0|S0]; [|rewrite <- S0; left; apply exp_pos].
  rewrite rpow_pos in H by exact S0. unfold Rpower in H. rewrite <- exp_plus, <- (exp_ln S S0) in H at 1.
  rewrite <- (exp_ln S S0). apply exp_le.
  assert (L : ln S <= gamma alpha * e + gamma alpha * ln S).
  { destruct (Rle_dec (ln S) (gamma alpha * e + gamma alpha * ln S)) as [|N]; [assumption|].
    apply Rnot_le_lt, exp_increasing in N. lra. }
  assert (ga : 1 - gamma alpha = / alpha) by (unfold gamma; field; lra).
  assert (L' : / alpha * ln S <= gamma alpha * e) by (rewrite <- ga; lra).
  apply Rmult_le_compat_l with (r := alpha) in L'; [|lra].
  replace (alpha * (/ alpha * ln S)) with (ln S) in L' by (field; lra).
  replace (alpha * (gamma alpha * e)) with ((alpha - 1) * e) in L' by (unfold gamma; field; lra). exact L'.
Qed.

Section Density.
Variables (A : Type) (P Q : dist A) (r : A -> R).
Hypothesis r_nonneg : nonneg r.
Hypothesis r_bounded : bounded r.
Hypothesis density : forall f, bounded f -> P f = Q (fun a => r a * f a).

Lemma bounded_mult (f g : A -> R) : bounded f -> bounded g -> bounded (fun a => f a * g a).
Proof.
  intros [B H] [C K]; exists (B * C). intros a. rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos.
Qed.

Theorem at_most_of_sum alpha e : 1 < alpha ->
  Q (fun a => rpow (r a) alpha) <= exp ((alpha - 1) * e) -> divergence_at_most alpha P Q e.
Proof.
  intros Ha H f Bf Nf. fold (raised alpha f).
  replace (exp (gamma alpha * e)) with (Rpower (exp ((alpha - 1) * e)) (/ alpha))
    by (unfold Rpower; rewrite ln_exp; f_equal; unfold gamma; field; lra).
  apply young_scaled; auto; [apply exp_pos | now apply expect_raised |]. intros l Hl. pose proof (beta_gt_1 Ha).
  assert (Br : bounded (fun a => rpow (r a) alpha)) by (apply bounded_rpow; [lra | exact r_bounded]).
  rewrite density by assumption.
  apply Rle_trans with (Q (fun a => Rpower l alpha / alpha * rpow (r a) alpha + Rpower l (- beta alpha) / beta alpha *
    raised alpha f a)).
  - apply expect_le; auto using bounded_mult, bounded_plus, bounded_scale, bounded_raised.
    intros a. now apply young_point.
  - rewrite expect_plus, !expect_scale; auto using bounded_scale, bounded_raised.
    assert (0 <= Rpower l alpha / alpha) by (apply Rdiv_nonneg; [left; apply exp_pos | lra]).
    apply Rplus_le_compat; [|right; field; lra].
    replace (Rpower l alpha * exp ((alpha - 1) * e) / alpha) with (Rpower l alpha / alpha * exp ((alpha - 1) * e)) by
      (field; lra).
    now apply Rmult_le_compat_l.
Qed.

(** The test that gives the converse is [r^(alpha - 1)]. *)
Theorem sum_of_at_most alpha e : 1 < alpha ->
  divergence_at_most alpha P Q e -> Q (fun a => rpow (r a) alpha) <= exp ((alpha - 1) * e).
Proof.
  intros Ha H. pose proof (gamma_between Ha) as Hg.
  set (S := Q (fun a => rpow (r a) alpha)).
  assert (Br : bounded (fun a => rpow (r a) alpha)) by (apply bounded_rpow; [lra | exact r_bounded]).
  assert (S0 : 0 <= S) by (apply expect_nonneg; [exact Br | intros a; apply rpow_nonneg]).
  specialize (H (fun a => rpow (r a) (alpha - 1))). 
  assert (Bf : bounded (fun a => rpow (r a) (alpha - 1))) by (apply bounded_rpow; [lra | exact r_bounded]).
  specialize (H Bf (fun a => rpow_nonneg _ _)). rewrite density in H by exact Bf.
  assert (E1 : Q (fun a => r a * rpow (r a) (alpha - 1)) = S).
  { symmetry; apply expect_ext; [exact Br|]. intros a. rewrite <- (rpow_1 (r_nonneg a)) at 2.
    rewrite <- rpow_plus by apply r_nonneg.
    f_equal; ring. }
  assert (E2 : Q (fun a => rpow (rpow (r a) (alpha - 1)) (beta alpha)) = S).
  { symmetry; apply expect_ext; [exact Br|]. intros a. rewrite rpow_rpow by apply r_nonneg. f_equal.
    unfold beta; field; lra. }
  rewrite E1, E2 in H. now apply power_bound.
Qed.
End Density.
