(** * Renyi divergence

    D_alpha(P||Q) <= e, stated without densities, by the duality of Hoelder: with 1/alpha + 1/beta = 1,

        E_P f <= exp(e/beta) (E_Q f^beta)^(1/beta)     for every bounded f >= 0.

    [RenyiTextbook.v] ties it to the sum  E_Q (p/q)^alpha <= exp((alpha - 1) e). *)
From Coq Require Import Reals Lra Psatz Lia FunctionalExtensionality.
From DPcore Require Import Distributions Indistinguishability Measures Powers.
Open Scope R_scope.
Set Implicit Arguments.

Definition beta (alpha : R) := alpha / (alpha - 1).
Definition gamma (alpha : R) := (alpha - 1) / alpha.          (* 1/beta *)

Definition divergence_at_most (alpha : R) {A} (P Q : dist A) (e : R) :=
  forall f, bounded f -> nonneg f -> P f <= exp (gamma alpha * e) * rpow (Q (fun a => rpow (f a) (beta alpha))) (gamma
    alpha).

(** At one order. *)
Definition renyi_at (alpha : R) : measure R := fun A P Q e => divergence_at_most alpha P Q e.

(** RenyiDP: at every order alpha > 1. ZCDP: at most [rho * alpha]. *)
Definition renyi : measure (R -> R) := fun A P Q e => forall alpha, 1 < alpha -> divergence_at_most alpha P Q (e alpha).
Definition zcdp : measure R := fun A P Q rho => forall alpha, 1 < alpha -> divergence_at_most alpha P Q (rho * alpha).

Section Order.
Variable alpha : R.
Hypothesis order : 1 < alpha.
Notation b := (beta alpha).
Notation c := (gamma alpha).

Lemma gamma_between : 0 < c < 1.
Proof.
  unfold gamma; split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with alpha; [lra|]. unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma beta_gamma : b * c = 1. Proof. unfold beta, gamma; field; lra. Qed.
Lemma beta_gt_1 : 1 < b.
Proof. pose proof beta_gamma; pose proof gamma_between. assert (0 < b) by (apply Rdiv_lt_0_compat; lra). nra. Qed.

Definition raised {A} (f : A -> R) (a : A) := rpow (f a) b.
Lemma bounded_raised A (f : A -> R) : bounded f -> bounded (raised f).
Proof. apply bounded_rpow. pose proof beta_gt_1; lra. Qed.
Lemma raised_nonneg A (f : A -> R) : nonneg (raised f). Proof. intros a; apply rpow_nonneg. Qed.
Lemma expect_raised A (Q : dist A) f : bounded f -> 0 <= Q (raised f).
Proof. intros; apply expect_nonneg; [now apply bounded_raised | apply raised_nonneg]. Qed.

Notation at_most := (divergence_at_most alpha).

Lemma at_most_le A (P Q : dist A) e e' : e <= e' -> at_most P Q e -> at_most P Q e'.
Proof.
  intros He H f B N. eapply Rle_trans; [apply (H f B N)|].
  apply Rmult_le_compat_r; [apply rpow_nonneg|]. apply exp_le. pose proof gamma_between; nra.
Qed.

Lemma at_most_resp A (P P' Q Q' : dist A) e : same P P' -> same Q Q' -> at_most P Q e -> at_most P' Q' e.
Proof. intros HP HQ H f B N. fold (raised f). rewrite <- (HP f B), <- (HQ _ (bounded_raised B)). now apply H. Qed.

(** Jensen: E f <= (E f^beta)^(1/beta). *)
Lemma jensen A (P : dist A) f : bounded f -> nonneg f -> P f <= rpow (P (raised f)) c.
Proof.
  intros Bf Nf. pose proof gamma_between. pose proof beta_gamma.
  set (T := P (raised f)). assert (HT : 0 <= T) by now apply expect_raised.
  (* Young against a constant u, which is then chosen to be T, or as small as one likes *)
  assert (K : forall u, 0 < u -> P f * rpow u (1 - c) <= c * T + (1 - c) * u).
  { intros u Hu. rewrite Rmult_comm, <- expect_scale by auto. unfold T.
    rewrite <- (expect_const P ((1 - c) * u)), <- expect_scale, <- expect_plus; auto using bounded_raised with bounded.
    apply expect_le; auto using bounded_raised with bounded.
    intros a. unfold raised. set (y := rpow (f a) b).
    replace (f a) with (rpow y c) by (apply rpow_inv; [apply Nf | exact H0]).
    rewrite Rmult_comm. apply young; [lra | apply rpow_nonneg | lra]. }
  destruct HT as [HT|HT].
  - specialize (K T HT).
    assert (E : rpow T c * rpow T (1 - c) = T) by (rewrite <- rpow_plus by lra; replace (c + (1 - c)) with 1 by ring;
      apply rpow_1; lra).
    pose proof (rpow_gt_0 (1 - c) HT). nra.
  - rewrite <- HT, rpow_0. apply Rnot_lt_le; intros C.
    assert (Hu : 0 < rpow (P f / 2) b) by (apply rpow_gt_0; lra).
    specialize (K _ Hu). rewrite <- HT in K.
    assert (E : rpow (P f / 2) b = P f / 2 * rpow (rpow (P f / 2) b) (1 - c)).
    { rewrite rpow_rpow by lra. rewrite <- (rpow_1 (x := P f / 2)) at 2 by lra. rewrite <- rpow_plus by lra. f_equal.
      rewrite Rmult_minus_distr_l, beta_gamma; ring. }
    pose proof (rpow_gt_0 (1 - c) Hu). nra.
Qed.

Lemma at_most_same A (P Q : dist A) : same P Q -> at_most P Q 0.
Proof.
  intros S. apply at_most_resp with P P; [apply same_refl | exact S |]. intros f B N.
  rewrite Rmult_0_r, exp_0, Rmult_1_l. now apply jensen.
Qed.

(** Adaptive composition at one order. *)
Lemma at_most_bind A B (P Q : dist A) (K L : A -> dist B) e1 e2 :
  at_most P Q e1 -> (forall a, at_most (K a) (L a) e2) -> at_most (bind P K) (bind Q L) (e1 + e2).
Proof.
  intros H1 H2 f Bf Nf; simpl. fold (raised f). pose proof gamma_between as G.
  set (g := fun a => rpow (L a (raised f)) c).
  assert (Bg : bounded g) by (apply bounded_rpow; [lra | apply bounded_expect, bounded_raised, Bf]).
  assert (Ng : nonneg g) by (intros a; apply rpow_nonneg).
  assert (S : P (fun a => K a f) <= P (fun a => exp (c * e2) * g a)).
  { apply expect_le; auto with bounded. intros a; now apply H2. }
  rewrite expect_scale in S by auto. specialize (H1 g Bg Ng).
  assert (E : Q (raised g) = Q (fun a => L a (raised f))).
  { apply expect_ext; [now apply bounded_raised |]. intros a; unfold raised at 1, g.
    apply rpow_inv; [now apply expect_raised | rewrite Rmult_comm; apply beta_gamma]. }
  fold (raised g) in H1. rewrite E in H1. rewrite Rmult_plus_distr_l, exp_plus. pose proof (exp_pos (c * e2)). nra.
Qed.

(** Pure indistinguishability bounds the divergence of every order. *)
Lemma at_most_pure A (P Q : dist A) e : ind P Q e 0 -> at_most P Q e.
Proof.
  intros H f Bf Nf. eapply Rle_trans; [now apply jensen|]. fold (raised f). pose proof gamma_between.
  rewrite <- rpow_exp, <- rpow_mult; [| left; apply exp_pos | now apply expect_raised].
  apply rpow_le; [lra|]. apply ind_scale; auto using bounded_raised, raised_nonneg.
Qed.

(** The tight conversion (Canonne, Kamath, Steinke 2020, Proposition 12; Balle et al. 2020). *)
Lemma order_le A (Q : dist A) e delta f : 0 < delta -> test f ->
  exp (c * e) * rpow (Q (raised f)) c <= exp (e + ln ((alpha - 1) / alpha) - (ln delta + ln alpha) / (alpha - 1)) * Q f + delta.
Proof.
  intros Hd F. pose proof gamma_between as Hg. assert (Bf : bounded f) by auto with bounded.
  set (e' := e + ln ((alpha - 1) / alpha) - (ln delta + ln alpha) / (alpha - 1)).
  assert (ga : 1 - c = / alpha) by (unfold gamma; field; lra).
  set (t := Q f). assert (Ht : 0 <= t <= 1) by (apply (expect_test Q F)).
  assert (Q (raised f) <= t).
  { apply expect_le; auto using bounded_raised. intros a; unfold raised; destruct (F a) as [F0 F1].
    destruct F0 as [F0|<-]; [|rewrite rpow_0; lra]. rewrite rpow_pos by auto.
    rewrite <- (Rpower_1 (f a)) at 2 by auto. unfold Rpower. apply exp_le.
    assert (ln (f a) <= 0) by (rewrite <- ln_1; apply ln_le; lra). pose proof beta_gt_1; nra. }
  (* Young with (exp e'/c) t and alpha delta *)
  pose proof (@young c (exp e' / c * t) (alpha * delta)) as Y.
  assert (HA : 0 < exp e' / c) by (apply Rdiv_lt_0_compat; [apply exp_pos | lra]).
  specialize (Y ltac:(lra) ltac:(nra) ltac:(nra)). rewrite rpow_mult in Y by lra.
  replace (c * (exp e' / c * t) + (1 - c) * (alpha * delta)) with (exp e' * t + delta) in Y by (rewrite ga; field; lra).
  eapply Rle_trans; [|exact Y].
  assert (E : rpow (exp e' / c) c * rpow (alpha * delta) (1 - c) = exp (c * e)).
  { rewrite !rpow_pos by nra. unfold Rpower. rewrite <- exp_plus. f_equal.
    unfold Rdiv at 1. rewrite ln_mult by (try apply exp_pos; apply Rinv_0_lt_compat; lra).
    rewrite ln_exp, ln_Rinv by lra. rewrite ln_mult by lra. unfold e'. fold c. rewrite ga.
    unfold gamma at 1 2 3 4. set (lg := ln c). field_simplify_eq; [|lra]. ring. }
  assert (rpow (Q (raised f)) c <= rpow t c) by (apply rpow_le; lra). pose proof (exp_pos (c * e)).
  rewrite (Rmult_assoc _ (rpow t c)), (Rmult_comm (rpow t c)), <- Rmult_assoc, E. nra.
Qed.

Lemma at_most_to_ind A (P Q : dist A) e delta : 0 < delta -> at_most P Q e ->
  ind P Q (e + ln ((alpha - 1) / alpha) - (ln delta + ln alpha) / (alpha - 1)) delta.
Proof. intros Hd H f F. eapply Rle_trans; [apply (H f (test_bounded F) (test_nonneg F)) | now apply order_le]. Qed.
End Order.

(** ** RenyiDP and ZCDP obey the laws *)
#[export] Instance composes_renyi : composes renyi.
Proof. constructor; unfold renyi; simpl; intros. apply at_most_bind; auto; intros; now apply H0. Qed.
#[export] Instance divergence_renyi : divergence renyi.
Proof.
  apply divergence_of_composes; [exact _ | ..]; unfold renyi; simpl; intros.
  - now apply at_most_same.
  - apply at_most_le with (l alpha); auto.
  - eapply at_most_resp; eauto.
Qed.

#[export] Instance composes_zcdp : composes zcdp.
Proof. constructor; unfold zcdp; simpl; intros. rewrite Rmult_plus_distr_r.
apply at_most_bind; auto; intros; now apply H0. Qed.
#[export] Instance divergence_zcdp : divergence zcdp.
Proof.
  apply divergence_of_composes; [exact _ | ..]; unfold zcdp; simpl; intros.
  - rewrite Rmult_0_l. now apply at_most_same.
  - apply at_most_le with (l * alpha); [assumption | nra | auto].
  - eapply at_most_resp; eauto.
Qed.

(** ** Group privacy of ZCDP

    In terms of beta the bound reads [E_P f <= exp(rho/(beta - 1)) (E_Q f^beta)^(1/beta)], and two such bounds with
    beta = beta1 * beta2 compose. The best beta1 gives [(sqrt rho1 + sqrt rho2)^2]; here rho1 = n^2 rho2. *)
Lemma zcdp_beta A (P Q : dist A) rho : zcdp P Q rho <->
  forall u, 1 < u -> forall f, bounded f -> nonneg f -> P f <= exp (rho / (u - 1)) * rpow (Q (fun a => rpow (f a) u)) (/ u).
Proof.
  split.
  - intros H u Hu f B N.
    assert (order : 1 < u / (u - 1)).
    { apply Rmult_lt_reg_r with (u - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    specialize (H _ order f B N).
    replace (beta (u / (u - 1))) with u in H by (unfold beta; field; lra).
    replace (gamma (u / (u - 1))) with (/ u) in H by (unfold gamma; field; lra).
    now replace (/ u * (rho * (u / (u - 1)))) with (rho / (u - 1)) in H by (field; lra).
  - intros H alpha order f B N. specialize (H (beta alpha) (beta_gt_1 order) f B N).
    replace (/ beta alpha) with (gamma alpha) in H by (unfold beta, gamma; field; lra).
    now replace (rho / (beta alpha - 1)) with (gamma alpha * (rho * alpha)) in H by (unfold beta, gamma; field; lra).
Qed.

Lemma zcdp_trans A (P Q T : dist A) n rho : 0 < n ->
  zcdp P Q (n * n * rho) -> zcdp Q T rho -> zcdp P T ((n + 1) * (n + 1) * rho).
Proof.
  intros Hn H K. rewrite zcdp_beta in *. intros u Hu f B N.
  set (v := 1 + (u - 1) * n / (n + 1)). set (w := u / v).
  assert (Hv : 1 < v) by (unfold v; assert (0 < (u - 1) * n / (n + 1)) by (apply Rdiv_lt_0_compat; nra); lra).
  assert (D : 0 < n + 1 + (u - 1) * n) by nra.
  assert (Hw : w - 1 = (u - 1) / (n + 1) / v) by (unfold w, v; field; split; lra).
  assert (Hw' : 1 < w).
  { assert (0 < (u - 1) / (n + 1) / v) by (repeat apply Rdiv_lt_0_compat; lra). lra. }
  set (g := fun a => rpow (f a) v). assert (Bg : bounded g) by (apply bounded_rpow; [lra | exact B]).
  assert (Ng : nonneg g) by (intros a; apply rpow_nonneg).
  specialize (H v Hv f B N). specialize (K w Hw' g Bg Ng). fold g in H.
  assert (vw : v * w = u) by (unfold w; field; lra).
  replace (T (fun a => rpow (g a) w)) with (T (fun a => rpow (f a) u)) in K.
  2:{ apply expect_ext; [apply bounded_rpow; [lra | exact B]|]. intros a; unfold g. rewrite rpow_rpow, vw by apply N.
      reflexivity. }
  set (t := T (fun a => rpow (f a) u)) in *.
  assert (Ht : 0 <= t) by (apply expect_nonneg; [apply bounded_rpow; [lra | exact B] | intros a; apply rpow_nonneg]).
  assert (Hi : 0 < / v) by (apply Rinv_0_lt_compat; lra).
  eapply Rle_trans; [exact H|]. eapply Rle_trans.
  - apply Rmult_le_compat_l; [left; apply exp_pos|]. apply rpow_le; [lra | exact K].
  - right. rewrite rpow_mult, rpow_exp, rpow_rpow, <- Rmult_assoc, <- exp_plus by (auto using rpow_nonneg; left;
      apply exp_pos).
    f_equal; [f_equal | f_equal; rewrite <- vw; field; split; lra].
    replace (v - 1) with ((u - 1) * n / (n + 1)) by (unfold v; ring). rewrite Hw. field. repeat split; lra.
Qed.

#[export] Instance groups_zcdp : groups zcdp.
Proof.
  refine {| group := fun d rho => d * d * rho |}; simpl le; simpl zero; intros.
  - apply div_le with zero; [|now apply div_same]. apply Rmult_le_pos; [nra | exact H].
  - now rewrite !Rmult_1_l.
  - rewrite (S_INR (S n)). apply zcdp_trans with Q; auto. apply lt_0_INR; lia.
  - apply div_le with (INR n * INR n * l); [|exact H1]. pose proof (pos_INR n).
    apply Rmult_le_compat_r; [exact H | nra].
Defined.
